"""Free text with constrained spans: the language is exactly that of a reader of markers."""

import itertools
import re

import numpy as np
import pytest

from playground.constraints.bytes_vocabulary import BYTES
from playground.constraints.compile import compile_constraint
from playground.constraints.marked import MarkedAutomaton, Span
from playground.constraints.spec import ConstraintSpec, Markers
from playground.errors import InvalidInput

CASES = [
    ("a(b|bb)?", "<", "b"),
    ("(ab)*", "<<", ">>"),
    ("a|axb|axc", "[", "x"),
    ("(x|y)*", "<", "xy"),
    ("", "a", "bb"),
    ("(a|b)*", "ab", "aba"),
    ("c(xx)*", "<", "xx"),
]
"""Regexes and markers, most of which stand in each other's way."""


def marked(regex: str, opening: str, closing: str) -> MarkedAutomaton:
    spec = ConstraintSpec(kind="regex", source=regex)
    plain = compile_constraint(spec, BYTES).automaton
    return MarkedAutomaton(plain, Markers(open=opening, close=closing))


def read(regex: str, opening: str, closing: str, text: str) -> list[Span] | None:
    """The spans as a reader finds them from left to right; None where one is open or wrong."""
    spans, at = [], 0
    while (found := text.find(opening, at)) >= 0:
        start = found + len(opening)
        end = next(
            (
                place
                for place in range(start, len(text) - len(closing) + 1)
                if text.startswith(closing, place) and re.fullmatch(regex, text[start:place])
            ),
            None,
        )
        if end is None:
            return None
        spans.append(Span(start, end))
        at = end + len(closing)
    return spans


@pytest.mark.parametrize(("regex", "opening", "closing"), CASES)
def test_every_short_text_is_judged_as_a_reader_of_markers_does(regex, opening, closing) -> None:
    automaton = marked(regex, opening, closing)
    letters = sorted({*opening, *closing, *re.findall("[a-z]", regex), "q"})
    valid = 0
    for length in range(7):
        for letter in itertools.product(letters, repeat=length):
            text = "".join(letter)
            states = automaton.dfa.walk(0, text.encode())
            accepted = len(states) == length + 1 and automaton.is_final(states[-1])
            spans = read(regex, opening, closing, text)
            assert accepted == (spans is not None), text
            if spans is not None:
                assert list(automaton.spans(text.encode())) == spans
                last = text[spans[-1].start : spans[-1].end].encode() if spans else None
                assert automaton.answer(text.encode()) == last
                valid += bool(spans)
    assert valid


def test_nothing_is_masked_in_free_text_until_a_marker_is_complete() -> None:
    automaton = marked("[0-9]+", "<<", ">>")
    assert automaton.mask(automaton.initial)[:256].all()
    after = automaton.dfa.walk(0, b"so <<")[-1]
    assert not automaton.outside(after)
    assert {BYTES.tokens[i] for i in np.flatnonzero(automaton.mask(after))} == {
        bytes([byte]) for byte in b"0123456789"
    }


def test_the_states_say_where_they_stand() -> None:
    automaton = marked("[0-9]+", "<<", ">>")
    assert automaton.describe(0, b"").words.startswith("Free text")
    inside = automaton.describe(automaton.dfa.walk(0, b"so <<4")[-1], b"so <<4")
    assert inside.words.startswith("Inside a span")
    assert not inside.may_stop
    closing = automaton.describe(automaton.dfa.walk(0, b"so <<4>")[-1], b"so <<4>")
    assert closing.needs == ">"


def test_places_in_a_schema_are_those_of_the_span() -> None:
    schema = '{"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}'
    plain = compile_constraint(ConstraintSpec(kind="schema", source=schema), BYTES).automaton
    automaton = MarkedAutomaton(plain, Markers())
    text = b'Well.\n```json\n{"a": '
    view = automaton.describe(automaton.dfa.walk(0, text)[-1], text)
    assert view.pointer == "/properties/a"


def test_an_engine_without_byte_states_is_refused() -> None:
    spec = ConstraintSpec(kind="regex", source="a", engine="llguidance")
    with pytest.raises(InvalidInput, match="between markers"):
        MarkedAutomaton(compile_constraint(spec, BYTES).automaton, Markers())
