"""`python -m playground fields`: types, heads that are trained, used and measured, the comparison."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from playground.cli import fields, main
from playground.cli.fields_heads import spec_of
from playground.cli.fields_text import columns
from playground.fields import features
from playground.fields.head_spec import HeadSpec, TrainingSpec
from playground.fields.kept import Kept
from playground.fields.ticket import TICKET_SCHEMA, ticket
from playground.models.loader import ModelHub
from tests.cli.studies import refused, report
from tests.ticket_model import NAME, TicketModel

SMALL = ("--train", "60", "--dev", "20", "--epochs", "3")


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> TicketModel:
    """The stand-in, known by its name; nothing kept from another test."""
    made, before = TicketModel(), ModelHub.get
    monkeypatch.setattr(
        ModelHub, "get", lambda hub, name: made if name == NAME else before(hub, name)
    )
    monkeypatch.setattr(features, "_MEMORY", Kept())
    return made


@pytest.fixture
def head(capsys: Any, model: TicketModel, tmp_path: Path) -> str:
    """A file that `train` wrote."""
    path = tmp_path / "head.safetensors"
    trained(capsys, "--out", str(path))
    model.read.clear()
    return str(path)


def trained(capsys: Any, *flags: str) -> dict[str, Any]:
    return report(capsys, "fields", "train", "--model", NAME, *SMALL, *flags)


def schema(folder: Path, **properties: object) -> str:
    path = folder / "own.json"
    document = {"type": "object", "properties": properties, "required": list(properties)}
    path.write_text(json.dumps({**document, "additionalProperties": False}))
    return str(path)


# ---- types -------------------------------------------------------------------------------------


def test_the_type_of_the_ticket(capsys: Any) -> None:
    found = report(capsys, "fields", "types")
    assert [each["name"] for each in found["type"]["fields"]] == list(ticket().names)
    assert (found["type"]["combinations"], found["type"]["allowed"]) == (320, None)
    assert found["hash"] == ticket().hash
    assert main(["fields", "types"]) == 0
    out = capsys.readouterr().out
    for words in ("refund, billing, bug", "boolean", "320 records, all allowed", ticket().hash):
        assert words in out


def test_a_free_text_is_refused_or_named(capsys: Any, tmp_path: Path) -> None:
    file = schema(tmp_path, mood={"enum": ["good", "bad"]}, why={"type": "string"})
    said = refused(capsys, "fields", "types", "--schema", file)
    assert "why" in said
    found = report(capsys, "fields", "types", "--schema", file, "--split")
    assert found["free"] == ["why"]
    assert [each["name"] for each in found["type"]["fields"]] == ["mood"]
    assert main(["fields", "types", "--schema", file, "--split"]) == 0
    assert "Left out, to be generated once these are decided: why." in capsys.readouterr().out


def test_a_pydantic_file_and_edges_of_bins(capsys: Any, tmp_path: Path) -> None:
    path = tmp_path / "model.py"
    path.write_text(
        "from typing import Literal\nfrom pydantic import BaseModel, Field\n\n"
        "class Order(BaseModel):\n    size: Literal['s', 'm']\n"
        "    price: int = Field(ge=0, le=1000)\n"
    )
    found = report(capsys, "fields", "types", "--pydantic", str(path), "--edges", "price=0,10,1000")
    size, price = found["type"]["fields"]
    assert size["options"] == ["s", "m"]
    assert price["options"] == ["0 to 9", "10 to 1000"]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--schema", "none.json"], "can't be read"),
        (["--edges", "intent=1,2"], "no field `intent` of numbers"),
    ],
)
def test_what_is_no_type_is_one_line_and_exit_2(capsys: Any, args: list[str], words: str) -> None:
    assert words in refused(capsys, "fields", "types", *args)


@pytest.mark.parametrize("edges", ["amount", "amount=1", "amount=a,b", "=1,2", "amount="])
def test_edges_of_nothing_are_refused(capsys: Any, edges: str) -> None:
    with pytest.raises(SystemExit) as left:
        main(["fields", "types", "--edges", edges])
    assert left.value.code == 2
    assert "has no edges" in capsys.readouterr().err


def test_a_country_and_its_currency(capsys: Any) -> None:
    found = report(capsys, "fields", "country")
    assert found["tc_bits"] == 1
    assert found["product"] == [[0.25, 0.25], [0.25, 0.25]]
    assert found["incoherent"] == {"factorised": 0.5, "chained": 0, "joint": 0}
    assert main(["fields", "country"]) == 0
    out = capsys.readouterr().out
    assert "total correlation 1 bit" in out
    assert "exact" in out


# ---- train -------------------------------------------------------------------------------------


def test_a_head_is_trained_and_written(capsys: Any, model: TicketModel, tmp_path: Path) -> None:
    one, two = tmp_path / "one.safetensors", tmp_path / "two.safetensors"
    found = trained(capsys, "--kind", "joint", "--out", str(one))
    assert found["file"] == str(one)
    assert found["sizes"] == {"train": 60, "dev": 20, "test": 500}
    assert found["spec"]["head"]["kind"] == "joint"
    assert len(found["epochs"]) == 4
    assert "head" not in found, "the weights stand in the file"
    trained(capsys, "--kind", "joint", "--out", str(two))
    assert one.read_bytes() == two.read_bytes()
    assert main(["fields", "train", "--model", NAME, *SMALL]) == 0
    captured = capsys.readouterr()
    assert "kept nowhere: add --out FILE" in captured.out
    assert "epoch 3: train" in captured.err


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--order", "intent"], "Add --kind chained"),
        (["--kind", "joint", "--order", "intent"], "Add --kind chained"),
        (["--joint", "intent"], "Add --kind joint"),
        (["--kind", "chained", "--order", "mood"], "no field 'mood'"),
        (["--kind", "joint", "--joint", "intent,intent"], "named twice"),
        (["--epochs", "0"], "at least 1"),
        (["--hidden", "5000"], "at most"),
        (["--out", "/none/at/all.safetensors"], "no folder"),
        (["--model", "toy:sky"], "no hidden states"),
        (["--edges", "amount=0,10,20"], "amount"),
    ],
)
def test_what_can_t_be_trained_is_refused_before_any_work(
    capsys: Any, model: TicketModel, flags: list[str], words: str
) -> None:
    assert words in refused(capsys, "fields", "train", "--model", NAME, *flags)
    assert not model.read


def test_the_flags_say_what_the_spec_says() -> None:
    from playground.cli import parser

    line = "fields train --kind chained --pooling last --order intent,amount --hidden 8 --seed 3"
    assert spec_of(parser().parse_args([*line.split(), "--dev", "7"])) == TrainingSpec(
        head=HeadSpec(kind="chained", pooling="last", order=("intent", "amount"), hidden=8),
        dev=7,
        seed=3,
    )
    assert spec_of(parser().parse_args(["fields", "train"])) == TrainingSpec()


# ---- predict and evaluate ----------------------------------------------------------------------


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
    trained(capsys, "--schema", file, "--widen", head, "--out", wide)
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


def test_a_head_is_measured_on_test(capsys: Any, model: TicketModel, head: str) -> None:
    asked = ("fields", "evaluate", "--model", NAME, "--head", head, "--n", "20")
    found = report(capsys, *asked)
    assert found["n"]["test"] == 20
    assert len(set(model.read)) == 20, "nothing else is read"
    assert [each["name"] for each in found["fields"]] == list(ticket().names)
    assert all(each["least"] is None for each in found["policy"].values())
    held = report(capsys, *asked, "--train", "60", "--dev", "20")
    assert all(each["least"] is not None for each in held["policy"].values())
    assert main(list(asked)) == 0
    out = capsys.readouterr().out
    for words in ("whole record right", "Clopper-Pearson", "chance alone", "the right answers"):
        assert words in out
    assert "1 or more" in refused(capsys, *asked[:-1], "0")


@pytest.mark.parametrize(
    "args",
    [
        [],
        ["predict", "--text", "a"],
        ["predict", "--head", "a", "--zero-shot", "--text", "a"],
        ["predict", "--zero-shot"],
        ["evaluate"],
        ["train", "--kind", "deep"],
        ["nothing"],
    ],
)
def test_flags_that_say_nothing_are_one_line_and_exit_2(capsys: Any, args: list[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["fields", *args])
    assert left.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


# ---- the table ---------------------------------------------------------------------------------


def test_the_table_for_people_and_programs(capsys: Any, model: TicketModel) -> None:
    asked = ["fields", "table", "--model", NAME, "--n", "2"]
    found = report(capsys, *asked)
    assert found["done"]
    assert [row["n"] for row in found["rows"]] == [2] * 8
    assert found["command"] == f"python -m playground fields table --n 2 --model {NAME}"
    assert main(asked) == 0
    captured = capsys.readouterr()
    for words in ("Masked", "Typed, joint", "record right", "incoherent", "ms", "ECE", "again: "):
        assert words in captured.out
    assert "Masked" in captured.err, "progress"
    assert "Ask 1 or more" in refused(capsys, *asked[:-1], "0")


def test_what_ctrl_c_stopped_ends_with_130() -> None:
    assert fields.status({"stopped": True}) == 130
    assert fields.status({"stopped": False}) == fields.status({}) == 0


def test_the_help_names_every_task(capsys: Any) -> None:
    with pytest.raises(SystemExit):
        main(["fields", "--help"])
    out = capsys.readouterr().out
    assert set(re.findall(r"^    (\w+) ", out, re.MULTILINE)) == set(fields.TASKS)


def test_columns_stand_under_one_another() -> None:
    assert columns([["a", "bb", "c"], ["ddd", "e", ""]]) == ["a    bb  c", "ddd  e"]
