"""What the engines with a stack say of a source: what is dropped, refused, missing or too much."""

import json
import os
import time
from threading import Thread

import pytest

from playground.constraints import pushdown_compile
from playground.constraints.bytes_vocabulary import BYTES, EOS
from playground.constraints.compile import compile_constraint
from playground.constraints.limits import Limits
from playground.constraints.pushdown import PushdownAutomaton
from playground.constraints.spec import ConstraintSpec
from playground.constraints.xgrammar_quiet import without
from playground.errors import (
    BudgetExceeded,
    Cancelled,
    EmptyLanguage,
    InvalidInput,
    ModelUnavailable,
    UnsupportedSchema,
)
from tests.constraints.stacked import STACKED, allowed, says


def test_xgrammar_says_what_it_drops(compiled) -> None:
    schema = (
        '{"type":"array","uniqueItems":true,"items":{"type":"number","multipleOf":0.5},'
        '"contains":{"const":1}}'
    )
    notes = compiled("schema", schema, BYTES, engine="xgrammar").report.notes
    assert (notes[0].level, notes[0].keyword) == ("warning", "engine")
    dropped = {note.keyword for note in notes if note.level == "not-enforced"}
    assert dropped == {"uniqueItems", "contains"}
    assert any("multipleOf" in note.message for note in notes if note.level == "partly")
    automaton = compiled("schema", schema, BYTES, engine="xgrammar").automaton
    assert says(automaton, b"[2,2]"), "it does drop them: else the notes are wrong"


def test_llguidance_refuses_what_it_does_not_enforce(compiled) -> None:
    with pytest.raises(UnsupportedSchema, match="uniqueItems"):
        compiled("schema", '{"type":"array","uniqueItems":true}', BYTES, engine="llguidance")


def test_llguidance_is_asked_for_no_unicode_escapes_and_says_so(compiled) -> None:
    made = compiled("schema", '{"type":"string"}', BYTES, engine="llguidance")
    assert says(made.automaton, rb'"\b\f\n\r\t\"\\"')
    for text in (rb'"\u0061"', rb'"\u0001"', rb'"\u007f"'):
        assert not says(made.automaton, text)
    assert any((n.level, n.keyword) == ("info", "escapes") for n in made.report.notes)
    listed = '{"properties":{"\\u0001":{"type":"integer"}},"additionalProperties":false}'
    made = compiled("schema", listed, BYTES, engine="llguidance")
    assert says(made.automaton, rb'{"\u0001":1}')


@pytest.mark.parametrize(
    ("schema", "text", "keyword"),
    [
        ('{"properties":{"a":{"type":"integer"}},"type":"object"}', rb'{"\u0061":"x"}', "escapes"),
        ('{"type":"object","unevaluatedProperties":false}', b'{"a":1}', "unevaluatedProperties"),
        (
            '{"type":"object","properties":{"a":{"type":"integer"}},"propertyNames":{"maxLength":3}}',
            b'{"a":"x"}',
            "properties",
        ),
        ('{"$ref":"#a","$defs":{"b":{"$anchor":"a","type":"string"}}}', b"1", "$ref"),
        (
            '{"type":"object","properties":{"c":{"$recursiveRef":"#"}},"additionalProperties":false}',
            b'{"c":1}',
            "$recursiveRef",
        ),
    ],
)
def test_what_xgrammar_lets_through_is_said(compiled, schema, text, keyword) -> None:
    made = compiled("schema", schema, BYTES, engine="xgrammar")
    assert says(made.automaton, text), "it does: else the note is wrong"
    loose = [n.keyword for n in made.report.notes if n.level in ("not-enforced", "partly")]
    assert keyword in loose


@pytest.mark.parametrize(
    "schema",
    [
        '{"properties":{"a":{"type":"integer"}},"type":"object","additionalProperties":false}',
        '{"type":"object","patternProperties":{"^a":{"type":"integer"}}}',
    ],
)
def test_where_xgrammar_takes_no_escaped_key_it_says_nothing(compiled, schema) -> None:
    made = compiled("schema", schema, BYTES, engine="xgrammar")
    assert says(made.automaton, b'{"a":1}')
    assert not says(made.automaton, rb'{"\u0061":1}')
    assert not any(n.keyword == "escapes" for n in made.report.notes)


@pytest.mark.parametrize("pattern", ["(?=secret)b", "^secret$a", "^se\ncret$a"])
def test_warnings_of_xgrammar_are_notes_and_not_in_the_log(capfd, pattern) -> None:
    source = json.dumps({"type": "string", "pattern": pattern})
    spec = ConstraintSpec(kind="schema", source=source, engine="xgrammar")
    notes = compile_constraint(spec, BYTES).report.notes
    assert any("xgrammar warns" in note.message for note in notes)
    assert not capfd.readouterr().err


@pytest.mark.parametrize("engine", STACKED)
@pytest.mark.parametrize(
    ("kind", "source", "line", "column"),
    [
        ("schema", '{\n "type": }', 2, 10),
        ("regex", "a(b", 1, 2),
        ("grammar", 'root ::= "a"\n  | b\n', 2, 5),
        ("tool", '{\n "name": 3}', 2, 2),
    ],
)
def test_errors_of_sources_have_a_place(compiled, engine, kind, source, line, column) -> None:
    with pytest.raises(InvalidInput) as caught:
        compiled(kind, source, BYTES, engine=engine)
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize(
    ("kind", "source", "what", "place"),
    [
        ("grammar", "start: A B\nA: /y/\nB: /[\\d-x]/\n", "must be a literal: \\d", (3, 6)),
        ("grammar", 'start: A\nA: "é" /é\\/\\p{Foo}/i\n', "not found: \\p{Foo}", (2, 12)),
        ("grammar", "start: A\nA: /(?i)a\\p{Foo}/\n", "not found: \\p{Foo}", (2, 10)),
        ("grammar", 'root ::= "a" [z-a]\n', "must be <= the end: z-a", (None, None)),
        ("regex", "a/[\\d-x]", "must be a literal: \\d", (1, 4)),
        ("regex", "a\n\\/\\p{Foo}", "not found: \\p{Foo}", (2, 3)),
        ("schema", '{"pattern": "a(?=b)"}', "is not supported: (?=", (None, None)),
    ],
)
def test_what_llguidance_finds_wrong_in_a_regex_is_told_with_its_place(
    compiled, kind, source, what, place
) -> None:
    with pytest.raises(InvalidInput) as caught:
        compiled(kind, source, BYTES, engine="llguidance")
    assert caught.value.what.endswith(f"{what}.")
    assert (caught.value.line, caught.value.column) == place
    assert "auto" not in caught.value.hint


@pytest.mark.parametrize(
    ("regex", "column"),
    [
        (r"(?i)ab", 1),
        (r"a[[:alpha:]]", 3),
        (r"[a-z&&b]", 5),
        (r"a\pL", 2),
        (r"[\p{Lu}]", 2),
        (r"\a", 1),
        (r"(?P<x>a)", 1),
    ],
)
def test_xgrammar_is_given_no_regex_that_it_misreads(compiled, regex, column) -> None:
    with pytest.raises(InvalidInput) as caught:
        compiled("regex", regex, BYTES, engine="xgrammar")
    assert caught.value.column == column
    compiled("regex", regex, BYTES, engine="llguidance")  # reads it as we do


def test_where_xgrammar_reads_less_it_says_so(compiled) -> None:
    made = compiled("regex", r"\d", BYTES, engine="xgrammar")
    assert any("ASCII" in note.message for note in made.report.notes)
    assert allowed(made.automaton, "٣".encode()[:1]) is None
    assert not any(
        "ASCII" in note.message
        for note in compiled("regex", "[0-9]", BYTES, engine="xgrammar").report.notes
    )


@pytest.mark.parametrize("engine", STACKED)
def test_nothing_that_satisfies_is_an_empty_language(compiled, engine, letters) -> None:
    with pytest.raises((EmptyLanguage, InvalidInput)):
        compiled("schema", '{"type":"integer","minimum":3,"maximum":1}', BYTES, engine=engine)
    with pytest.raises(EmptyLanguage, match="vocabulary"):
        compiled("regex", "xyz", letters, engine=engine)


@pytest.mark.parametrize("engine", STACKED)
def test_a_package_that_is_missing_is_named(compiled, engine, monkeypatch) -> None:
    monkeypatch.setattr(pushdown_compile, "find_spec", lambda name: None)
    with pytest.raises(ModelUnavailable, match=f"{engine} is not installed"):
        compiled("regex", "never compiled before", BYTES, engine=engine)


@pytest.mark.parametrize("engine", STACKED)
def test_a_visitor_who_leaves_ends_the_work(engine) -> None:
    spec = ConstraintSpec(kind="regex", source="abc", engine=engine)
    with pytest.raises(Cancelled):
        compile_constraint(spec, BYTES, cancelled=lambda: True)


@pytest.mark.parametrize("engine", STACKED)
@pytest.mark.parametrize(
    ("kind", "source"),
    [
        ("regex", "((a{0,50}){0,50}){0,50}{0,90}"),
        ("regex", r"\w{1,5000}"),
        ("schema", '{"type":"string","minLength":99999}'),
        ("schema", '{"items":' * 90 + "true" + "}" * 90),
        ("schema", '{"enum":[' + ",".join(f'"word {n}"' for n in range(5000)) + "]}"),
        ("grammar", "start: " + " ".join(f"a{n}?" for n in range(300))
         + "\n" + "\n".join(f'a{n}: "x" | a{(n + 1) % 300} a{(n + 2) % 300}' for n in range(300))),
        ("grammar", 'root ::= ((("a"{0,300}){0,300}){0,300})'),
        ("grammar", "root ::= " + "(" * 400 + '"a"' + ")" * 400),
    ],
)  # fmt: skip
def test_hostile_sources_are_refused_or_done_within_limits(engine, kind, source) -> None:
    spec = ConstraintSpec(kind=kind, source=source, engine=engine)
    try:
        made = compile_constraint(spec, BYTES, limits=Limits(seconds=6))
    except (BudgetExceeded, InvalidInput):
        return
    automaton = made.automaton
    assert isinstance(automaton, PushdownAutomaton)
    assert automaton.mask(automaton.initial)[:EOS].any() or automaton.is_final(b"")


def test_only_what_is_expected_is_kept_from_standard_error(capfd) -> None:
    def warn() -> None:
        with without(["Warning: secret", "and more"]):
            os.write(2, b"[01:02:03] /a/b.cc:7: Warning: secret\nand more\nkept\n")

    threads = [Thread(target=warn) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    os.write(2, b"after\n")
    seen = ""
    for _ in range(500):  # the last lines may still be on their way
        seen += capfd.readouterr().err
        if seen.count("kept") == 8:
            break
        time.sleep(0.01)
    assert sorted(seen.split()) == ["after", *["kept"] * 8]


@pytest.mark.parametrize(
    ("kind", "source"), [("grammar", "start: /\\p{Foo}/"), ("regex", "\\p{L}")]
)
def test_xgrammar_sends_nobody_to_an_engine_that_reads_no_grammar(compiled, kind, source) -> None:
    with pytest.raises(InvalidInput, match="can't read") as caught:
        compiled(kind, source, BYTES, engine="xgrammar")
    assert "another engine" in caught.value.hint
    assert "bytes" not in caught.value.hint
