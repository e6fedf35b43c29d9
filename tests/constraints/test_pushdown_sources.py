"""What the engines with a stack say of a source: what is dropped, refused, missing or too much."""

import pytest

from playground.constraints import pushdown_compile
from playground.constraints.bytes_vocabulary import BYTES, EOS
from playground.constraints.compile import compile_constraint
from playground.constraints.limits import Limits
from playground.constraints.pushdown import PushdownAutomaton
from playground.constraints.spec import ConstraintSpec
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
