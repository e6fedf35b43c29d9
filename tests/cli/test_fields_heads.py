"""`python -m playground fields predict` and `evaluate`: heads used and measured, texts after decisions."""

import json
from pathlib import Path
from typing import Any

import pytest

from playground.cli import main
from playground.fields.head_spec import HeadSpec
from playground.fields.split import split_of
from playground.fields.ticket import TICKET_SCHEMA, ticket
from tests.cli.heads import schema, trained
from tests.cli.studies import refused, report
from tests.ticket_model import NAME, TicketModel


def test_a_text_is_decided_by_a_head(capsys: Any, model: TicketModel, head: str) -> None:
    asked = ("fields", "predict", "--model", NAME, "--head", head)
    found = report(capsys, *asked, "--text", "My invoice lists 40 dollars twice.")
    ticket().indices(found["record"])
    assert found["kind"] == "decision"
    for each in found["fields"]:
        assert sum(option["p"] for option in each["options"]) == pytest.approx(1)
    assert main([*asked, "--text", "My invoice lists 40 dollars twice."]) == 0
    out = capsys.readouterr().out
    assert json.dumps(found["record"]) in out
    assert "tokens read in" in out


def test_the_text_may_stand_in_a_file(
    capsys: Any, model: TicketModel, head: str, tmp_path: Path
) -> None:
    path = tmp_path / "ticket.txt"
    path.write_text("Refund me.")
    asked = ("fields", "predict", "--model", NAME, "--head", head)
    assert report(capsys, *asked, "--file", str(path))["text"] == "Refund me."
    path.write_bytes(b"\xff")
    assert "UTF-8" in refused(capsys, *asked, "--file", str(path))
    assert "The text is empty" in refused(capsys, *asked, "--text", " ")


def test_another_schema_s_head_is_refused_in_words(
    capsys: Any, model: TicketModel, head: str, tmp_path: Path
) -> None:
    properties: dict[str, Any] = dict(TICKET_SCHEMA["properties"])
    properties["intent"] = {"enum": [*properties["intent"]["enum"], "praise"]}
    file = schema(tmp_path, **properties)
    asked = ("fields", "predict", "--model", NAME, "--text", "Hello", "--schema", file)
    said = refused(capsys, *asked, "--head", head)
    assert "intent has the new option praise" in said
    assert "fine-tune intent" in said
    assert report(capsys, *asked, "--zero-shot")["record"]["intent"] in properties["intent"]["enum"]
    wide = str(tmp_path / "wide.safetensors")
    widened = trained(capsys, "--schema", file, "--widen", head, "--out", wide)
    assert widened["untaught"] == [["intent", ["praise"]]]
    assert (
        report(capsys, *asked, "--head", wide)["record"]["intent"] in properties["intent"]["enum"]
    )
    assert "keeps its shape" in refused(
        capsys, "fields", "train", "--model", NAME, "--widen", head, "--hidden", "3"
    )


@pytest.mark.parametrize("content", [b"", b"12345678{}", b"x" * 9_000_000])
def test_a_file_that_is_no_head_is_refused(
    capsys: Any, model: TicketModel, tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "head.safetensors"
    path.write_bytes(content)
    for task in (("predict", "--text", "a"), ("evaluate",)):
        refused(capsys, "fields", *task, "--model", NAME, "--head", str(path))
        refused(capsys, "fields", *task, "--model", NAME, "--head", str(tmp_path / "none"))


def test_the_model_scores_the_options_itself(capsys: Any, model: TicketModel) -> None:
    asked = ("fields", "predict", "--model", NAME, "--zero-shot", "--text", "Hello")
    found = report(capsys, *asked, "--mode", "autoregressive", "--order", "priority")
    assert found["mode"] == "autoregressive"
    assert found["fields"][0]["name"] == "priority"
    ticket().indices(found["record"])
    assert main([*asked, "--length-normalised"]) == 0
    out = capsys.readouterr().out
    assert "is no probability" in out
    assert "decoding steps" in out
    assert "no field 'mood'" in refused(capsys, *asked, "--order", "mood")


# ---- the split method --------------------------------------------------------------------------


def with_reason(folder: Path) -> str:
    """The ticket's schema with a free text before its typed fields."""
    return schema(
        folder, reason={"type": "string", "maxLength": 12}, **dict(TICKET_SCHEMA["properties"])
    )


@pytest.mark.parametrize("by", ["head", "zero-shot"])
def test_free_texts_are_generated_after_the_decided_fields(
    capsys: Any, model: TicketModel, head: str, tmp_path: Path, by: str
) -> None:
    how = ("--head", head) if by == "head" else ("--zero-shot",)
    asked = ("fields", "predict", "--model", NAME, *how, "--text", "Refund me.", "--schema",
             with_reason(tmp_path), "--split")  # fmt: skip
    found = report(capsys, *asked)
    rest = found["explained"]
    assert found["free"] == ["reason"]
    ticket().indices(found["record"])
    assert rest["record"] == found["record"]
    assert rest["law"].startswith("p~")
    assert rest["provenance"] == found["provenance"]
    assert rest["finished"]
    written = json.loads(rest["text"])
    assert list(written) == [*found["record"], "reason"], "typed fields first"
    assert {name: written[name] for name in found["record"]} == found["record"]
    assert len(written["reason"]) <= 12
    assert main(list(asked)) == 0
    out = capsys.readouterr().out
    assert rest["text"] in out
    assert json.dumps(found["record"]) in out
    assert "Only the typed fields are decided. Generated with them given: reason." in out


def test_without_split_a_free_text_is_refused(
    capsys: Any, model: TicketModel, head: str, tmp_path: Path
) -> None:
    asked = ("fields", "predict", "--model", NAME, "--head", head, "--text", "Refund me.")
    assert "free text" in refused(capsys, *asked, "--schema", with_reason(tmp_path))
    found = report(capsys, *asked, "--split")
    assert (found["free"], found["explained"]) == ([], None), "the ticket has none"


def test_no_text_follows_options_that_aren_t_allowed_together(
    capsys: Any, model: TicketModel, tmp_path: Path
) -> None:
    """Whatever the model finds likeliest of each alone, the rule leaves only pairs that differ."""
    document = {
        "type": "object",
        "properties": {
            "a": {"enum": ["x", "y"]},
            "b": {"enum": ["x", "y"]},
            "why": {"type": "string", "maxLength": 5},
        },
        "required": ["a", "b", "why"],
        "additionalProperties": False,
    }
    path = tmp_path / "rule.json"
    path.write_text(json.dumps(document))
    asked = ["fields", "predict", "--model", NAME, "--zero-shot", "--text", "Hello", "--schema",
             str(path), "--split"]  # fmt: skip
    likeliest = report(capsys, *asked)["record"]
    document["not"] = {"properties": {name: {"const": likeliest[name]} for name in "ab"}}
    path.write_text(json.dumps(document))
    said = refused(capsys, *asked)
    assert "doesn't allow" in said
    assert "--mode autoregressive" in said


# ---- evaluate -----------------------------------------------------------------------------------


def test_a_head_is_measured_on_test(capsys: Any, model: TicketModel, head: str) -> None:
    asked = ("fields", "evaluate", "--model", NAME, "--head", head, "--n", "20")
    found = report(capsys, *asked)
    assert found["n"]["test"] == 20
    tickets = {*split_of("train").texts, *split_of("test").texts[:20]}
    seen = {text.encode()[:256].decode("utf-8", "replace") for text in tickets}
    assert set(model.read) <= seen, "of test nothing else is read"
    assert [each["name"] for each in found["fields"]] == list(ticket().names)
    assert found["n"]["dev"] == 20, "the file says which tickets were dev"
    assert all(each["least"] is not None for each in found["policy"].values())
    assert main(list(asked)) == 0
    out = capsys.readouterr().out
    for words in ("whole record right", "Clopper-Pearson", "chance alone", "the right answers",
                  "given the ticket", "over all tickets", "right answers",
                  "costs least on 20 tickets of dev", "intent, below "):  # fmt: skip
        assert words in out
    assert "1 or more" in refused(capsys, *asked[:-1], "0")
    assert main([*asked[:-1], "100000"]) == 0
    assert "500 test tickets (100,000 were asked; there are no more)" in capsys.readouterr().out


def test_a_head_of_unknown_training_has_no_thresholds(
    capsys: Any, model: TicketModel, tmp_path: Path
) -> None:
    from playground.fields.heads import build
    from playground.fields.weights import dump

    made, path = build(HeadSpec(), ticket(), model.width), tmp_path / "head.safetensors"
    path.write_bytes(dump(made, model.provenance))
    asked = ["fields", "evaluate", "--model", NAME, "--head", str(path), "--n", "5"]
    found = report(capsys, *asked)
    assert found["n"]["dev"] is None
    assert all(each["least"] is None for each in found["policy"].values())
    assert main(asked) == 0
    assert "no threshold is chosen" in capsys.readouterr().out
