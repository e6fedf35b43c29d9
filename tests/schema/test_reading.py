"""The reader of test strings: whole, cut or broken, with places, and odd things named."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.schema.parts import byte_offset, character_offset, unquoted
from playground.schema.reading import MAX_DEPTH, read

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    # Halves of surrogate pairs are odd things of their own.
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=3)
    ),
    max_leaves=8,
)


def spelled(part, text):
    """The value of a part, put together from its leaves."""
    if part.kind == "object":
        return {str(member.path[-1]): spelled(member, text) for member in part.members}
    if part.kind == "array":
        return [spelled(member, text) for member in part.members]
    return json.loads(text[part.start : part.end])


@given(values, st.booleans(), st.sampled_from([None, 1]))
def test_what_json_writes_is_read_whole_with_every_part_in_its_place(
    value, ascii_only, indent
) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    reading = read(text)
    assert reading.status == "whole"
    assert spelled(reading.root, text) == value
    for part in reading.root.walk():
        if part.key is not None:
            assert unquoted(text[part.key[0] : part.key[1]]) == part.path[-1]


@given(values, st.data())
def test_every_beginning_is_cut_or_whole_and_never_broken(value, data) -> None:
    text = json.dumps(value)
    at = data.draw(st.integers(0, len(text)))
    reading = read(text[:at])
    assert reading.status in ("cut", "whole")
    assert reading.at is None


@given(st.text(alphabet='{}[]",:\\ 01-.eEtrufalsn\n\u00e9', max_size=14))
def test_the_status_agrees_with_a_parser_that_knows_only_whole_texts(text) -> None:
    try:
        json.loads(text)
        whole = True
    except ValueError:
        whole = False
    reading = read(text)
    assert (reading.status == "whole") == whole
    if reading.status == "broken":
        # The place is the first: what stands before it could still become JSON.
        assert read(text[: reading.at]).status != "broken"


@pytest.mark.parametrize(
    ("text", "at", "expected"),
    [
        ('{"a" 1}', 5, ":"),
        ('"\\0"', 2, "an escape of JSON"),
        ('"\\u00g"', 5, "an escape of JSON"),
        ("[1,]", 3, '"'),
        ('"a\tb"', 2, '"'),
        ('"a\\q"', 3, "an escape of JSON"),
        ('"a\\u12g"', 6, "an escape of JSON"),
        ("1.e", 2, "0-9"),
        ("trx", 2, "true"),
        ('{"a":1 "b":2}', 7, ","),
    ],
)
def test_a_mistake_stands_where_json_ends_and_says_what_json_has_there(text, at, expected) -> None:
    reading = read(text)
    assert reading.status == "broken"
    assert reading.at == at
    assert expected in reading.expected


@pytest.mark.parametrize(
    ("text", "kind", "at"),
    [
        ('{"a": NaN}', "number", 6),
        ("[-Infinity]", "number", 1),
        ("1e999", "number", 0),
        ('{"a":1,"b":2,"\\u0061":3}', "twice", 13),
        ('["\\ud800"]', "half", 2),
        ('["\\udc00"]', "half", 2),
        ("\ufeff{}", "bom", 0),
        ("{} {}", "trailing", 3),
        ("[" * 300, "deep", MAX_DEPTH),
        (b'{"a": "\xff"}', "bytes", 7),
    ],
)
def test_odd_things_are_named_with_their_place(text, kind, at) -> None:
    reading = read(text)
    (problem,) = [problem for problem in reading.problems if problem.kind == kind]
    assert problem.at == at
    assert any("column" in remark for remark in reading.remarks())


def test_a_key_that_stands_twice_is_told_with_both_places() -> None:
    (problem,) = read('{\n"a": 1,\n"a": 2}').problems
    assert (problem.at, problem.earlier) == (10, 2)
    assert "line 2, column 1" in problem.words
    assert not read('[{"a":1},{"a":1}]').problems


def test_a_whole_pair_of_surrogates_is_nothing_odd() -> None:
    assert not read('["\\ud83d\\ude00"]').problems


def test_offsets_in_bytes_and_characters_are_the_same_places() -> None:
    text = "aé😀b"
    assert [byte_offset(text, at) for at in range(5)] == [0, 1, 3, 7, 8]
    assert [character_offset(text, byte) for byte in (0, 1, 2, 3, 5, 6, 7, 8)] == [
        *(0, 1, 1, 2, 2, 2, 3, 4)
    ]
