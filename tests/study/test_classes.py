"""Why an output is invalid: one class each, in the stated order, on hostile text."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.decoding.accept import is_json
from playground.study.classes import ADVICE, CLASSES, classify

NAMES = st.text("ab {}[]'\",`#/\\\n", max_size=5)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
CONTAINERS = (
    st.lists(VALUES, min_size=1, max_size=3)
    | st.dictionaries(NAMES, VALUES, min_size=1, max_size=3)
).filter(lambda value: isinstance(value, dict) or not all(type(each) is int for each in value))
"""Objects and arrays that no reader takes for a footnote."""
INDENTS = st.sampled_from([None, 0, 2])
HOSTILE = st.lists(
    st.sampled_from([*"{}[]\"':,\\`~ \n1a-#/", "```", "```json\n", '{"a":', '{"a": 1}', "[1]"])
    | st.sampled_from(["{'a': ", "{}", "true", "NaN", "//", "/*", "\\u12", "\ufeff", "\0"])
    | st.characters(exclude_categories=()),
    max_size=25,
).map("".join)


def class_of(text: str, truncated: bool = False) -> str | None:
    """The class under a validator that accepts all JSON but `0`."""
    return classify(text, truncated=truncated, valid=lambda value: value != 0)


CASES = [
    ("markdown-fence", '```json\n{"a": 1}\n```'),
    ("markdown-fence", 'Sure!\n```json\n{"a": 1,}\n```\nBye'),
    ("markdown-fence", '```{"a": 1}```'),
    ("markdown-fence", "```json\n{'a': 1}"),
    ("markdown-fence", '{"a": 1}\n```'),
    ("preamble", 'Sure: {"a": 1}'),
    ("preamble", 'Sure: {"a": 1} Bye {"b": 2}'),
    ("preamble", "Sure: {'a': 1}"),
    ("preamble", 'As in [1]: {"a": 1,}'),
    ("preamble", 'As in [1]: {"a": 1'),
    ("postscript", '{"a": 1} I hope this helps [1].'),
    ("postscript", '{"a": 1}, and so on'),
    ("several-objects", '{"a": 1}\n{"a": 2}'),
    ("several-objects", '{"a": 1}, {"a": 2}'),
    ("several-objects", '["a"] or ["b"]'),
    ("trailing-comma", '{"a": 1,}'),
    ("trailing-comma", '{"a": [1, 2, ], "b": \'x\'}'),
    ("trailing-comma", "[1,\n]"),
    ("trailing-comma", '{"a": 1},'),
    ("single-quotes", "{'a': 1}"),
    ("single-quotes", "{\"a\": 'x',}"),
    ("single-quotes", "['a']"),
    ("single-quotes", "[1, {'a': 1}]"),
    ("single-quotes", "{'a': {\"b\": x}}"),
    ("comment", '{"a": 1, // one\n}'),
    ("comment", '{ /* none */ "a": 1}'),
    ("comment", '{"a": 1 # one\n}'),
    ("comment", '{"a": 1} // done'),
    ("mismatched-brackets", '{"a": [1, 2}'),
    ("mismatched-brackets", '{"a": 1]'),
    ("mismatched-brackets", '{"a": [1, 2]'),
    ("mismatched-brackets", '{"a": 1}}'),
    ("mismatched-brackets", "[1, 2"),
    ("mismatched-brackets", "[1, 2}"),
    ("schema", "0"),
    ("other", ""),
    ("other", "Sorry, I can't [do] that."),
    ("other", "It is 42."),
    ("other", "{a: 1}"),
    ("other", '{"a": NaN}'),
    ("other", '{"a": True}'),
    ("other", '{"a": 1 "b": 2}'),
    ("other", '{"a": }'),
    ("other", '{"a": "b\nc"}'),
    ("other", '{"a": "b}'),
    ("other", '{"a": 1\'}'),
    ("other", "[" * 5000 + "]" * 5000),
    (None, '{"a": 1}'),
    (None, " [1]\n"),
    (None, '"x"'),
]


@pytest.mark.parametrize(("name", "text"), CASES)
def test_the_class_of_a_text_that_ended(name: str | None, text: str) -> None:
    assert class_of(text) == name


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("truncated", ""),
        ("truncated", "Sure, here is"),
        ("truncated", 'Sure:\n```json\n{"a": [1, tru'),
        ("truncated", 'As in [1]: {"a": "b\\u12'),
        ("truncated", '[1, {"a": 2}, '),
        ("single-quotes", "{'a': 1, "),
        ("mismatched-brackets", '{"a": [1}, "b": '),
        ("several-objects", '{"a": 1}\n{"a": 2}\n{"a": '),
        ("markdown-fence", '```json\n{"a": 1}\n``'),
        ("preamble", "Sure: {'a': 1"),
        ("schema", "0"),
        (None, "12"),
    ],
)
def test_the_class_of_a_text_at_its_limit(name: str | None, text: str) -> None:
    assert class_of(text, truncated=True) == name


def test_every_class_has_a_case_words_and_advice() -> None:
    assert {name for name, _ in CASES} == {*CLASSES, None} - {"truncated"}
    assert list(CLASSES) == list(ADVICE)
    assert all(words and "\n" not in words for words in (*CLASSES.values(), *ADVICE.values()))
    assert all(len(words) <= 32 for words in CLASSES.values())


@settings(max_examples=1000, deadline=None)
@given(HOSTILE, st.booleans(), st.booleans())
def test_any_text_has_a_class_or_is_valid(text: str, truncated: bool, accepts: bool) -> None:
    name = classify(text, truncated=truncated, valid=lambda _: accepts)
    assert (name is None) == (is_json(text) and accepts)
    assert name is None or name in CLASSES
    assert (name == "schema") == (is_json(text) and not accepts)
    assert truncated or name != "truncated"


@given(CONTAINERS, INDENTS)
def test_valid_json_has_no_class(value: Any, indent: int | None) -> None:
    seen: list[Any] = []
    text = json.dumps(value, indent=indent)
    assert classify(text, truncated=True, valid=lambda each: not seen.append(each)) is None
    assert seen == [value]


@given(CONTAINERS, INDENTS)
def test_one_spoiled_spot_is_its_class(value: Any, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    body, closing = text[:-1], text[-1]
    assert class_of(f"{body},{closing}") == "trailing-comma"
    assert class_of(f"{body}// end\n{closing}") == "comment"
    assert class_of(body + ("]" if closing == "}" else "}")) == "mismatched-brackets"
    assert class_of(f"{body},'x'{closing}") == "single-quotes"
    assert class_of(f"```json\n{text}\n```") == "markdown-fence"
    assert class_of(f"So {text}") == "preamble"
    assert class_of(f"{text} so") == "postscript"
    assert class_of(f"{text}\n{text}") == "several-objects"


@settings(max_examples=300, deadline=None)
@given(CONTAINERS, INDENTS, st.data())
def test_every_beginning_of_json_is_truncated_at_the_limit(
    value: Any, indent: int | None, data: st.DataObject
) -> None:
    text = json.dumps(value, indent=indent)
    size = data.draw(st.integers(0, len(text) - 1))
    assert class_of(text[:size], truncated=True) == "truncated"
