"""Edits of JSON text do to the value what they say, in whatever way the text is laid out."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.constraints.jsonschema.source import step
from playground.errors import InvalidInput
from playground.schema.json_text import Edit, JsonText

SCALARS = st.none() | st.booleans() | st.integers(-99, 99) | st.text('a"\\/~é🌍 {}[],:', max_size=4)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text('ab"~/é', max_size=3), inner, max_size=3)
    ),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.text('ab"~/\\é', max_size=3), VALUES, max_size=5)
LAYOUTS: list[dict[str, Any]] = [
    {},
    {"indent": 2},
    {"indent": "\t"},
    {"separators": (",", ":")},
    {"ensure_ascii": False, "indent": 0},
]
LAYOUT = st.sampled_from(LAYOUTS)


def _at(value: Any) -> list[tuple[str, Any]]:
    todo, out = [("", value)], []
    while todo:
        pointer, each = todo.pop()
        out.append((pointer, each))
        if isinstance(each, dict):
            todo += [(step(pointer, key), inner) for key, inner in each.items()]
        elif isinstance(each, list):
            todo += [(step(pointer, i), inner) for i, inner in enumerate(each)]
    return out


@settings(max_examples=100, deadline=None)
@given(VALUES, LAYOUT)
def test_every_part_stands_where_its_span_says(value: Any, layout: dict[str, Any]) -> None:
    text = JsonText(json.dumps(value, **layout))
    parts = _at(value)
    assert text.spans.keys() == {pointer for pointer, _ in parts}
    assert all(json.loads(text.source(pointer)) == each for pointer, each in parts)


@settings(max_examples=100, deadline=None)
@given(OBJECTS, LAYOUT, st.data())
def test_removed_members_are_gone_and_the_others_stay(
    value: dict[str, Any], layout: dict[str, Any], data: st.DataObject
) -> None:
    gone = data.draw(st.sets(st.sampled_from(sorted(value)))) if value else set()
    text = JsonText(json.dumps(value, **layout))
    edits = text.remove("", [step("", key) for key in gone]) if gone else []
    kept = {key: inner for key, inner in value.items() if key not in gone}
    assert json.loads(text.apply(edits)) == kept


@settings(max_examples=100, deadline=None)
@given(st.lists(VALUES, min_size=1, max_size=5), LAYOUT, st.data())
def test_removed_items_are_gone_and_the_others_stay(
    value: list[Any], layout: dict[str, Any], data: st.DataObject
) -> None:
    gone = data.draw(st.sets(st.integers(0, len(value) - 1), min_size=1))
    text = JsonText(json.dumps(value, **layout))
    edits = text.remove("", [step("", index) for index in gone])
    kept = [inner for index, inner in enumerate(value) if index not in gone]
    assert json.loads(text.apply(edits)) == kept


@settings(max_examples=100, deadline=None)
@given(OBJECTS, VALUES, LAYOUT, st.booleans())
def test_an_inserted_member_is_there_first_or_last(
    value: dict[str, Any], new: Any, layout: dict[str, Any], first: bool
) -> None:
    text = JsonText(json.dumps(value, **layout))
    edited = json.loads(text.apply([text.insert("", text.member("new", new), first=first)]))
    assert edited == {**value, "new": new}
    assert list(edited)[0 if first else -1] == "new"


@settings(max_examples=100, deadline=None)
@given(OBJECTS.filter(bool), VALUES, LAYOUT, st.data())
def test_a_replaced_value_and_a_renamed_key_leave_the_rest_alone(
    value: dict[str, Any], new: Any, layout: dict[str, Any], data: st.DataObject
) -> None:
    key = data.draw(st.sampled_from(sorted(value)))
    text = JsonText(json.dumps(value, **layout))
    replaced = text.apply([text.replace(step("", key), new)])
    assert json.loads(replaced) == {**value, key: new}
    renamed = json.loads(text.apply([text.rename(step("", key), "new name")]))
    assert list(renamed) == ["new name" if each == key else each for each in value]
    assert list(renamed.values()) == list(value.values())


@settings(max_examples=100, deadline=None)
@given(OBJECTS, LAYOUT, st.randoms(use_true_random=False))
def test_reordered_members_are_the_same_in_the_new_order(
    value: dict[str, Any], layout: dict[str, Any], random: Any
) -> None:
    order = list(value)
    random.shuffle(order)
    text = JsonText(json.dumps(value, **layout))
    edited = json.loads(text.apply(text.reorder("", [step("", key) for key in order])))
    assert edited == value
    assert list(edited) == order


@settings(max_examples=60, deadline=None)
@given(VALUES, LAYOUT)
def test_a_part_is_a_document_whose_edits_are_of_the_whole(
    value: Any, layout: dict[str, Any]
) -> None:
    text = JsonText(json.dumps({"a/b": [1, {"in": value}]}, **layout))
    part = text.part("/a~1b/1/in")
    assert part.value == value
    assert part.spans.keys() == JsonText(json.dumps(value)).spans.keys()
    edited = json.loads(part.apply([part.replace("", "new")]))
    assert edited == {"a/b": [1, {"in": "new"}]}


def test_an_edit_inside_another_gives_way() -> None:
    text = JsonText('{"a": [1, 2]}')
    inner, outer = Edit(7, 8, "9"), text.replace("/a", None)
    assert text.apply([inner, outer]) == '{"a": null}'


def test_a_nested_value_is_laid_out_like_the_text_around_it() -> None:
    text = JsonText('{\n  "a": {\n    "b": 1\n  }\n}')
    edited = text.apply([text.replace("/a/b", {"c": [1], "d": {}})])
    assert edited == json.dumps({"a": {"b": {"c": [1], "d": {}}}}, indent=2)


def test_what_is_no_json_is_refused_with_its_place() -> None:
    with pytest.raises(InvalidInput) as caught:
        JsonText('{"a": 1,\n}')
    assert caught.value.line == 2
