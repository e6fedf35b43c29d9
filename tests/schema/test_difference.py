"""The shortest text that only one of two constraints allows."""

import json
import time

import numpy as np
import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.constraints.build import build
from playground.constraints.byte_automaton import ByteAutomaton
from playground.constraints.bytes_vocabulary import BYTES
from playground.constraints.compile import compile_constraint
from playground.constraints.dfa import DEAD, ByteDFA, trimmed
from playground.constraints.limits import Limits
from playground.constraints.spec import ConstraintSpec
from playground.schema.difference import difference, sampled
from playground.schema.difference_schemas import Side, schema_difference, without_escapes
from playground.schema.verdict import allows


def dfa(pattern: str) -> ByteDFA:
    return build(pattern, 100_000)


def texts(found: dict[str, object]) -> tuple[str | None, str | None]:
    sides = []
    for name in ("only_left", "only_right"):
        side = found[name]
        assert side is None or isinstance(side, dict)
        sides.append(None if side is None else str(side["text"]))
    return sides[0], sides[1]


def test_a_star_lacks_b_alone() -> None:
    found = difference(dfa("(a|b)*"), dfa("a*"))
    assert texts(found) == ("b", None)
    assert found["equal"] is False
    assert "“b”" in found["only_left"]["note"]
    assert "the end of the text" in found["only_left"]["note"]


def test_the_text_that_may_not_stop_is_named() -> None:
    found = difference(dfa("a+"), dfa("(aa)+"))
    assert texts(found) == ("a", None)
    assert found["only_left"]["note"] == "The right one can't stop here; it still expects a."


def test_each_way_has_a_shortest_text_of_its_own() -> None:
    assert texts(difference(dfa("ab|abbbb"), dfa("ab|ca{3}"))) == ("abbbb", "caaa")


def test_equal_languages_of_different_automata_are_proved_equal() -> None:
    found = difference(dfa("(a|b)*a"), dfa("b*a(a|b+a)*"))
    assert texts(found) == (None, None)
    assert found["equal"] is True


def test_a_text_that_is_no_utf8_is_written_out() -> None:
    table = np.full((2, 256), DEAD, dtype=np.int32)
    table[0, 0xFF] = 1
    made = trimmed(table, 0, np.array([False, True]))
    assert made is not None
    assert texts(difference(made, dfa("a"))) == ("\\xff", "a")


def test_an_edit_of_a_schema_is_shown_by_its_shortest_text() -> None:
    before = (
        '{"type": "object", "properties": {"a": {"type": "integer"}}, '
        '"required": ["a"], "additionalProperties": false}'
    )
    after = before.replace('"integer"', '["integer", "null"]')
    automata = [
        compile_constraint(
            ConstraintSpec(kind="schema", source=text, whitespace="none"), BYTES
        ).automaton
        for text in (before, after)
    ]
    assert isinstance(automata[0], ByteAutomaton)
    assert isinstance(automata[1], ByteAutomaton)
    found = difference(automata[0].dfa, automata[1].dfa)
    assert texts(found) == (None, '{"a":null}')


def test_nearly_equal_automata_of_ten_thousand_states_are_told_apart_at_once() -> None:
    one, other = dfa("[a-z]{1,10000}"), dfa("[a-z]{1,9999}|[a-y]{10000}")
    assert min(len(one), len(other)) > 10_000
    started = time.perf_counter()
    found = difference(one, other, most_seconds=30)
    assert time.perf_counter() - started < 5
    assert found["only_right"] is None
    assert found["only_left"]["text"].count("z") == 1
    assert len(found["only_left"]["text"]) == 10_000
    assert difference(one, one, most_seconds=30)["equal"] is True


def test_a_search_that_was_cut_claims_nothing() -> None:
    """The pairs of these two are as many as the product of coprime cycles."""
    one, other = cycle(9_973), cycle(9_967)
    found = difference(one, other, most_seconds=0.05)
    assert (found["only_left"], found["only_right"], found["equal"]) == (None, None, None)
    assert "cut after" in found["how"]


def cycle(n: int) -> ByteDFA:
    """Any number of b's, told apart modulo n for no reason."""
    table = np.full((n, 256), DEAD, dtype=np.int32)
    table[:, ord("b")] = (np.arange(n) + 1) % n
    made = trimmed(table, 0, np.ones(n, dtype=np.bool_))
    assert made is not None
    return made


letters = st.sampled_from(["a", "b"])
patterns = st.recursive(
    letters,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda pair: f"(?:{pair[0]}|{pair[1]})"),
        inner.map(lambda one: f"(?:{one})*"),
        inner.map(lambda one: f"(?:{one})?"),
        inner.map(lambda one: f"(?:{one}){{1,3}}"),
    ),
    max_leaves=8,
)


@settings(deadline=None, max_examples=150)
@given(patterns, patterns)
def test_a_witness_is_in_exactly_one_language_and_no_shorter_one_exists(
    one: str, other: str
) -> None:
    found = difference(dfa(one), dfa(other))
    words = [""]
    for _ in range(5):
        words += [word + letter for word in words if len(word) == len(words[-1]) for letter in "ab"]
    for name, inside, outside in (("only_left", one, other), ("only_right", other, one)):
        apart = [w for w in words if regex.fullmatch(inside, w) and not regex.fullmatch(outside, w)]
        side = found[name]
        if side is None:
            assert not apart
        else:
            assert regex.fullmatch(inside, side["text"])
            assert not regex.fullmatch(outside, side["text"])
            assert not apart or len(side["text"]) == min(map(len, apart))
    assert found["equal"] is (found["only_left"] is None and found["only_right"] is None)


def test_a_sampled_comparison_never_claims_equality() -> None:
    automata = [
        compile_constraint(ConstraintSpec(kind="regex", source=source), BYTES).automaton
        for source in ("(a|b)*", "a*")
    ]
    agreed = sampled(automata[0], automata[1], [b"a", b"aa"])
    assert agreed["equal"] is None
    assert agreed["how"] == "sampled, not proved: 2 texts were asked of both"
    apart = sampled(automata[0], automata[1], [b"aab", b"b", b"a"])
    assert texts(apart) == ("b", None)
    assert apart["equal"] is False


@pytest.mark.parametrize(("text", "expected"), [(b"ab", True), (b"", True), (b"ac", False)])
def test_a_text_is_asked_byte_by_byte(text: bytes, expected: bool) -> None:
    automaton = compile_constraint(ConstraintSpec(kind="regex", source="(a|b)*"), BYTES).automaton
    assert allows(automaton, text) is expected


def side(schema: object) -> Side:
    source = json.dumps(schema)
    spec = ConstraintSpec(kind="schema", source=source)
    automaton = compile_constraint(spec, BYTES).automaton
    assert isinstance(automaton, ByteAutomaton)
    return Side(spec, source, automaton.dfa)


def test_the_masks_own_spelling_is_no_difference_of_the_schemas() -> None:
    before, now = {"type": "array", "items": {}}, {"items": {"type": ["string", "number"]}}
    left, right = side(before), side({"type": "array", **now})
    assert difference(left.dfa, right.dfa)["only_right"]["text"] == '["\\u0000"]'
    found = schema_difference(left, right, Limits())
    assert texts(found) == ("[[]]", None)
    assert found["equal"] is False
    assert '\\u escapes, such as ["\\u0000"], are not counted' in str(found["how"])
    turned = schema_difference(right, left, Limits())
    assert texts(turned) == (None, "[[]]")


def test_what_only_the_mask_forbids_is_said_beside_the_text() -> None:
    deep: dict[str, object] = {"type": "null"}
    for _ in range(6):
        deep = {"type": "array", "items": deep}
    found = schema_difference(side({"type": "array"}), side(deep), Limits())
    right = found["only_right"]
    assert right is not None
    assert right["note"].endswith("Its schema allows the text: only the mask forbids it.")
    assert not found["only_left"]["note"].endswith("only the mask forbids it.")


def test_a_listed_control_character_is_a_difference() -> None:
    found = schema_difference(side({"enum": ["\u0001", "a"]}), side({"enum": ["a"]}), Limits())
    assert texts(found) == ('"\\u0001"', None)


def test_escapes_are_told_from_the_letter_u() -> None:
    language = dfa(r'"(\\\\u|u|\\u0041|\\n)*"')
    raw = without_escapes(language)
    assert raw is not None
    for text, kept in ((r'"u"', 1), (r'"\\u"', 1), (r'"\n"', 1), (r'"\u0041"', 0)):
        states = raw.walk(0, text.encode())
        assert language.final[language.walk(0, text.encode())[-1]]
        assert (len(states) == len(text) + 1 and bool(raw.final[states[-1]])) == bool(kept), text
    assert without_escapes(dfa(r'"\\u0041"')) is None
