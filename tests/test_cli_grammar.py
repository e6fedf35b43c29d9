"""Grammars and tools on the command line: the engine follows, and errors name the place."""

import json

import pytest

from playground.cli import main


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("PLAYGROUND_CACHE", str(tmp_path))


def report(capsys, *args: str) -> dict:
    assert main(["step", "--model", "toy:two-step", *args, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("engine", "used"), [((), "llguidance"), (("--engine", "xgrammar"), "xgrammar")]
)
def test_a_grammar_runs_on_an_engine_with_a_stack(capsys, tmp_path, engine, used) -> None:
    file = tmp_path / "ends.gbnf"
    file.write_text('root ::= first "x"\nfirst ::= "A" | "B"\n')
    run = report(capsys, "--grammar", str(file), *engine)
    assert run["constraint"]["engine_used"] == used
    assert run["constraint"]["kind"] == "grammar"
    assert run["constraint"]["states"] is None
    assert run["outcome"] == "accepted"
    assert run["text"] in ("Ax", "Bx")


def test_a_grammar_on_a_finite_automaton_is_one_line(capsys, tmp_path) -> None:
    file = tmp_path / "ends.lark"
    file.write_text('start: "A" "x"\n')
    args = ["step", "--model", "toy:two-step", "--grammar", str(file), "--engine", "bytes"]
    assert main(args) != 0
    said = capsys.readouterr().err
    assert "brackets" in said
    assert "llguidance" in said


def test_a_mistake_in_a_grammar_is_told_with_its_place(capsys, tmp_path) -> None:
    file = tmp_path / "ends.gbnf"
    file.write_text('root ::= "A"\n  rest\n')
    assert main(["step", "--model", "toy:two-step", "--grammar", str(file)]) != 0
    assert "line 2, column 3" in capsys.readouterr().err


def test_a_tool_is_its_arguments_schema(capsys, tmp_path) -> None:
    file = tmp_path / "tool.json"
    choice = {"type": "object", "properties": {"a": {"enum": [1]}}, "required": ["a"]}
    file.write_text(json.dumps({"name": "f", "input_schema": choice}))
    args = ["step", "--model", "toy:two-step", "--tool", str(file)]
    assert main(args) != 0, "the toy can't spell JSON"
    assert "can't spell" in capsys.readouterr().err
