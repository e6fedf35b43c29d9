"""`python -m playground fields`: types, heads that are trained, and what is refused."""

import re
from pathlib import Path
from typing import Any

import pytest

from playground.cli import fields, main
from playground.cli.fields_heads import spec_of
from playground.cli.fields_text import columns
from playground.fields.head_spec import HeadSpec, TrainingSpec
from playground.fields.ticket import country_currency, ticket
from tests.cli.heads import SMALL, schema, trained
from tests.cli.studies import refused, report
from tests.ticket_model import NAME, TicketModel

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
    out = capsys.readouterr().out
    assert "Left out, to be generated once these are decided: why." in out
    assert "`why` is free text: there is no list of what it can be. Give it an enum." in out
    assert "2 records, all allowed" in out


def test_what_is_listed_twice_and_how_many_are_allowed_is_said_once(
    capsys: Any, tmp_path: Path
) -> None:
    file = schema(tmp_path, mood={"enum": ["x", "x"]})
    assert main(["fields", "types", "--schema", file]) == 0
    out = capsys.readouterr().out
    assert '`mood` lists "x" more than once: it is one option.' in out
    assert "1 record, all allowed" in out
    path = tmp_path / "ruled.json"
    path.write_text(country_currency().schema)
    assert main(["fields", "types", "--schema", str(path)]) == 0
    assert capsys.readouterr().out.count("allowed") == 1


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
        (["--epochs", "0"], "--epochs is 0. Write at least 1"),
        (["--train", "0"], "--train is 0. Write at least 1"),
        (["--train", "5000"], "5,000 tickets to train on and 400 of dev are more than the 2,000"),
        (["--kind", "joint", "--joint", "intent"], "over two fields or more"),
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
