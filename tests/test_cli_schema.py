"""`python -m playground schema`: a constraint's report and verdicts, fit for a CI job."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from playground.cli import main
from playground.cli.schema import strings_of
from playground.errors import InvalidInput

PERSON = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "maxLenght": 5},
        "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
    },
    "required": ["name"],
    "additionalProperties": False,
}


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAYGROUND_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def person(tmp_path: Path) -> str:
    path = tmp_path / "person.json"
    path.write_text(json.dumps(PERSON, indent=2))
    return str(path)


def ask(capsys: Any, *args: str) -> tuple[int, dict[str, Any]]:
    status = main(["schema", *args, "--json"])
    return status, json.loads(capsys.readouterr().out, parse_constant=lambda name: 1 / 0)


def test_the_report_has_the_documented_parts(capsys: Any, person: str) -> None:
    status, report = ask(capsys, person)
    assert status == 0
    assert report["compile"]["states"] > 0
    rows = {row["keyword"]: row["status"] for row in report["keywords"]}
    assert rows["uniqueItems"] == "not enforced"
    assert rows["maxLenght"] == "unknown keyword"
    assert rows["required"] == "enforced"
    assert {row["code"] for row in report["lint"]} >= {"L016", "L025"}
    assert "verdict" not in report


@pytest.mark.parametrize(
    ("text", "status", "verdict", "mask"),
    [
        ('{"name": "Ada"}', 0, "valid", "valid"),
        ('{"name": "Ad', 1, "incomplete", "incomplete"),
        ('{"name": 5}', 1, "invalid", "invalid"),
        ('{"name": "A", "tags": ["a", "a"]}', 1, "invalid", "valid"),
    ],
)
def test_a_string_gets_both_verdicts_and_an_exit_status(
    capsys: Any, person: str, text: str, status: int, verdict: str, mask: str
) -> None:
    left, report = ask(capsys, person, "--string", text)
    assert (left, report["verdict"]["status"], report["mask_verdict"]["status"]) == (
        status, verdict, mask,
    )  # fmt: skip
    assert (report["finding"] is not None) == (verdict != mask)


def test_an_invalid_string_names_byte_line_and_column(capsys: Any, person: str) -> None:
    _, report = ask(capsys, person, "--string", '{"name":\n5}')
    mask = report["mask_verdict"]
    assert (mask["offset"], mask["line"], mask["column"]) == (8, 1, 9)
    assert mask["got"] == "\\n"
    assert '"' in mask["expected"]


def test_a_file_of_strings_fails_where_one_is_not_as_expected(
    capsys: Any, person: str, tmp_path: Path
) -> None:
    lines = tmp_path / "strings"
    lines.write_text(
        '{"text": "{\\"name\\": \\"Ada\\"}"}\n{"text": "[]", "valid": false}\n\n{"name": "B"}\n'
    )
    status, report = ask(capsys, person, "--strings", str(lines))
    assert status == 0
    assert [each["expected"] for each in report["strings"]] == ["valid", "not valid", "valid"]
    lines.write_text("[]\n")
    status, report = ask(capsys, person, "--strings", str(lines))
    assert status == 1
    assert report["strings"][0]["as_expected"] is False


def test_an_unsatisfiable_schema_names_the_smallest_conflict(capsys: Any, tmp_path: Path) -> None:
    path = tmp_path / "none.json"
    path.write_text('{"type": "integer", "minimum": 5, "maximum": 3, "title": "x"}')
    status, report = ask(capsys, str(path), "--string", "4")
    assert status == 1
    assert report["status"] == "unsatisfiable"
    assert {row["keyword"] for row in report["conflict"]["keywords"]} == {"minimum", "maximum"}
    assert report["mask_verdict"]["status"] == "unsatisfiable"
    assert report["verdict"]["status"] == "invalid"


def test_a_schema_that_breaks_its_metaschema_is_reported_and_still_judged(
    capsys: Any, tmp_path: Path
) -> None:
    path = tmp_path / "odd.json"
    path.write_text('{"properties": {"a": {"type": "integer", "required": true}}}')
    status, report = ask(capsys, str(path), "--string", '{"a": 1}')
    assert status == 0
    assert any("not valid itself" in note["message"] for note in report["notes"])


def test_standard_input_regexes_and_text_for_people(
    capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Stdin:
        buffer = io.BytesIO(b'{"enum": ["a", "b"]}')

    monkeypatch.setattr(sys, "stdin", Stdin)
    assert main(["schema", "-", "--string", '"a"']) == 0
    assert "reference: VALID" in capsys.readouterr().out
    assert main(["schema", "--regex", "(yes|no)", "--string", "ye"]) == 1
    printed = capsys.readouterr().out
    assert "mask: INCOMPLETE at byte 3 (line 1, column 3)" in printed
    assert "still needs “s”" in printed


def test_what_an_edit_changed_is_shown_by_a_text_on_each_side(capsys: Any, tmp_path: Path) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    before.write_text('{"enum": ["a", "b"]}')
    after.write_text('{"enum": ["b", "c"]}')
    _, report = ask(capsys, str(before), "--against", str(after))
    assert report["difference"]["only_left"]["text"] == '"a"'
    assert report["difference"]["only_right"]["text"] == '"c"'


def test_two_constraints_or_none_are_refused_in_one_line(capsys: Any, person: str) -> None:
    assert main(["schema"]) == 2
    assert "There is no constraint" in capsys.readouterr().err
    assert main(["schema", person, "--regex", "a"]) == 2
    error = capsys.readouterr().err
    assert "two constraints" in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    "flags",
    [
        ("--regex", "("),
        ("--regex", "a", "--engine", "foo"),
        ("--schema", "{"),
        ("--grammar", "root ::= nothing"),
        ("--tool", "5"),
    ],
)
def test_what_cannot_be_read_is_one_line_and_status_2(
    capsys: Any, tmp_path: Path, flags: tuple[str, ...]
) -> None:
    kind, source, *rest = flags
    if kind != "--regex":
        path = tmp_path / "source"
        path.write_text(source)
        source = str(path)
    assert main(["schema", kind, source, *rest]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1


def test_a_file_that_is_too_long_is_one_line_and_status_2(capsys: Any, tmp_path: Path) -> None:
    path = tmp_path / "long.json"
    path.write_text(json.dumps({"enum": ["x" * 200_000]}))
    assert main(["schema", str(path)]) == 2
    error = capsys.readouterr().err
    assert "The constraint has 200,0" in error
    assert error.count("\n") == 1


def test_a_constraint_that_cannot_be_applied_fails_a_job(capsys: Any, tmp_path: Path) -> None:
    for source in ('{"type": "file"}', '{"enum": []}', '{"$ref": "http://example.org/x"}'):
        path = tmp_path / "schema.json"
        path.write_text(source)
        status, report = ask(capsys, str(path))
        assert (status, report["compile"]) == (1, None)


def test_an_unknown_verdict_is_never_as_expected(capsys: Any, tmp_path: Path) -> None:
    path, lines = tmp_path / "remote.json", tmp_path / "strings"
    path.write_text('{"$ref": "http://example.org/x"}')
    lines.write_text('{"text": "{}", "valid": false}\n{"text": "{}", "valid": true}\n')
    status, report = ask(capsys, str(path), "--strings", str(lines))
    assert status == 1
    assert [each["as_expected"] for each in report["strings"]] == [False, False]


@pytest.mark.parametrize("engine", ["xgrammar", "llguidance", "auto", "outlines"])
def test_every_engine_is_reported_as_text_too(capsys: Any, person: str, engine: str) -> None:
    assert main(["schema", person, "--engine", engine, "--string", '{"name": "Ada"}']) in (0, 1)
    assert "compiled in" in capsys.readouterr().out or engine == "llguidance"


@pytest.mark.parametrize("engine", ["bytes", "auto", "xgrammar", "llguidance"])
def test_the_schema_true_allows_any_json(capsys: Any, tmp_path: Path, engine: str) -> None:
    path = tmp_path / "true.json"
    path.write_text("true")
    status, report = ask(capsys, str(path), "--engine", engine, "--string", '{"a": [1, null]}')
    assert status == 0
    assert report["mask_verdict"]["status"] == "valid"


def test_a_grammar_is_judged_and_two_constraints_are_refused(capsys: Any, tmp_path: Path) -> None:
    grammar = tmp_path / "sum.gbnf"
    grammar.write_text('root ::= [0-9]+ ("+" root)?')
    assert main(["schema", "--grammar", str(grammar), "--string", "1+22"]) == 0
    assert main(["schema", "--grammar", str(grammar), "--string", "1+"]) == 1
    assert "mask: INCOMPLETE at byte 3" in capsys.readouterr().out
    assert main(["schema", str(grammar), "--grammar", str(grammar)]) == 2


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ('{"type": "number", "maximum": 1e308}', "1e308"),
        ('{"type": "string"}', '"\\ud83d\\ud83d"'),
    ],
)
def test_what_the_mask_cannot_write_is_explained(
    capsys: Any, tmp_path: Path, schema: str, text: str
) -> None:
    path = tmp_path / "schema.json"
    path.write_text(schema)
    _, report = ask(capsys, str(path), "--string", text)
    assert report["verdict"]["status"] == "valid"
    assert report["mask_verdict"]["status"] == "invalid"
    assert report["finding"]["kind"] == "too strict"


@pytest.mark.parametrize(("text", "valid"), [("12:00:00Z", True), ("12:00:00", False)])
def test_asserted_formats_are_those_of_the_dialect(
    capsys: Any, tmp_path: Path, text: str, valid: bool
) -> None:
    path = tmp_path / "schema.json"
    path.write_text('{"type": "string", "format": "time"}')
    _, report = ask(capsys, str(path), "--formats", "--string", json.dumps(text))
    assert (report["verdict"]["status"] == "valid") == valid
    assert (report["mask_verdict"]["status"] == "valid") == valid


def test_an_object_with_a_text_that_is_none_names_its_line() -> None:
    with pytest.raises(InvalidInput, match="line 2"):
        strings_of('yes\n{"text": 5}')
    assert strings_of('{"text": "a", "other": 1}') == [('{"text": "a", "other": 1}', True)]
