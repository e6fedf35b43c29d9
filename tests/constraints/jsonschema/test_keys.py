"""Keys beside the named ones are every key but those; nested lists have no states to spare."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.constraints.build import build
from playground.constraints.dfa import ByteDFA
from playground.constraints.jsonschema.jsontext import JsonText
from playground.constraints.jsonschema.keys import MAX_PREFIX, any_but
from playground.constraints.jsonschema.piece import literal, separated
from playground.constraints.minimize import minimized

letters = st.sampled_from("abAé😀 ")
names = st.lists(st.text(letters, max_size=30), min_size=1, max_size=5, unique=True)


def accepts(dfa: ByteDFA, text: str) -> bool:
    content = text.encode()
    states = dfa.walk(0, content)
    return len(states) == len(content) + 1 and bool(dfa.final[states[-1]])


@settings(max_examples=60, deadline=None)
@given(names, st.lists(st.text(letters, max_size=40), max_size=10))
def test_a_key_is_offered_exactly_where_it_is_no_name(named: list[str], others: list[str]) -> None:
    piece, every = any_but(tuple(named))
    dfa = build(piece.text, 100_000)
    near = [
        name[:end] + tail for name in named for end in range(len(name) + 1) for tail in ("", "z")
    ]
    assert every
    for key in (*named, *others, *near, *(name + "é" for name in named)):
        assert accepts(dfa, f'"{key}"') == (key not in named), key


def test_a_key_that_begins_like_a_long_name_is_offered() -> None:
    name = "additionalProperties"
    assert len(name) > MAX_PREFIX
    dfa = build(any_but((name,))[0].text, 10_000)
    assert accepts(dfa, '"additionalProp"')
    assert accepts(dfa, '"additionalProperties "')
    assert not accepts(dfa, f'"{name}"')


def test_very_many_long_names_are_told_apart_in_part_and_that_is_said() -> None:
    many = tuple(f"a rather long name of field number {i:04d}" for i in range(400))
    piece, every = any_but(many)
    assert not every
    dfa = build(piece.text, 100_000)
    assert not any(accepts(dfa, f'"{name}"') for name in many)
    assert accepts(dfa, '"short"')


def test_long_names_left_out_are_announced(tools: Any) -> None:
    many: dict[str, Any] = {f"a rather long name of field number {i:04d}": {} for i in range(400)}
    lowered, _ = tools.lower({"type": "object", "properties": many, "required": list(many)})
    assert any("longest names" in note.message for note in lowered.notes)
    lowered, _ = tools.lower({"type": "object", "properties": {"additionalProperties": {}}})
    assert not any("longest names" in note.message for note in lowered.notes)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_level_of_nesting_doubles_the_states_and_no_more(depth: int) -> None:
    text = JsonText("one")
    built = {d: build(text.anything(d).text, 50_000) for d in (depth, depth + 1)}
    sizes = {d: len(minimized(found)) for d, found in built.items()}
    assert sizes[depth + 1] <= 2.8 * sizes[depth]
    assert all(len(built[d]) <= 1.1 * sizes[d] for d in built if d > 1)


def test_separated_is_one_or_more_with_the_separator_between() -> None:
    dfa = build(separated(literal("ab"), literal(", ")).text, 100)
    for count in range(1, 5):
        assert accepts(dfa, ", ".join(["ab"] * count))
    for wrong in ("", "ab,", "ab, ", ", ab", "abab", "ab,ab"):
        assert not accepts(dfa, wrong)


def test_open_values_are_offered_four_levels_deep_where_there_is_room(tools: Any) -> None:
    _, dfa = tools.lower({"type": "object", "properties": {"a": {}}})
    assert dfa.accepts('{"a":[[[{"b":1}]]]}')
    assert not dfa.accepts('{"a":[[[[{"b":1}]]]]}')
