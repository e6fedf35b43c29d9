"""JSON cut out of a model's output: which value, what was cut off, on hostile text, in linear time."""

import contextlib
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from playground.decoding.accept import is_json
from playground.study import salvage as module
from playground.study import scan as scan_module
from playground.study.salvage import NoJson, cut_off, fences, is_slight, salvage
from playground.study.scan import MAX_DEPTH, MAX_DIGITS, scan

TEXT = st.text(st.characters(exclude_categories=())) | st.text('"`~{}[]:,\\\n 1')
SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)
STYLES = st.fixed_dictionaries(
    {
        "ensure_ascii": st.booleans(),
        "indent": st.sampled_from([None, 0, 2, "\t"]),
        "separators": st.sampled_from([None, (",", ":"), (" , ", " : ")]),
        "sort_keys": st.booleans(),
    }
)
DUMPED = st.builds(lambda value, style: json.dumps(value, **style), VALUES, STYLES)
PROSE = st.text("{}[]\"'`~:,\\ \n\r1ax\u2028\ud800", max_size=40).filter(
    lambda prose: "```" not in prose and "~~~" not in prose
)
HOSTILE = st.lists(
    st.sampled_from([*"{}[]\"':,\\`~ \n1a-#", "```", "```json\n", "~~~\n", '{"a":', '{"a": 1}'])
    | st.sampled_from(["[1]", "{}", "true", "NaN", "//", "/*", "\\u12", "\\ud800", "\ufeff", "\0"])
    | st.characters(exclude_categories=()),
    max_size=30,
).map("".join)


def taken(text: str) -> tuple[str, str]:
    """What is taken, and what was cut off in one string."""
    found = salvage(text)
    assert text[found.start : found.end] == found.json
    return found.json, " ".join(found.how)


@pytest.mark.parametrize(
    ("text", "json_text", "how"),
    [
        # the whole text
        ('{"a": 1}', '{"a": 1}', ""),
        (' {"a": 1}\n', ' {"a": 1}\n', ""),
        ("42", "42", ""),
        (' "a" ', ' "a" ', ""),
        # fences
        ('```json\n{"a": 1}\n```', '{"a": 1}', "fence"),
        ('```JSON\r\n{"a": 1}\r\n```\r\n', '{"a": 1}', "fence"),
        ('```json title="x.json" {1}\n{"a": 1}\n```', '{"a": 1}', "fence"),
        ("~~~\n[1]\n~~~", "[1]", "fence"),
        ('````\n{"a": "```"}\n````', '{"a": "```"}', "fence"),
        ('```json\n{"a": 1}', '{"a": 1}', "fence"),
        ('```json\n{"a": 1}```', '{"a": 1}', "fence"),
        ('Sure: ```json\n{"a": 1}\n```', '{"a": 1}', "fence preamble"),
        ('Sure [1]:\n```\n{"a": 1}\n```\nBye {"b": 2}', '{"a": 1}', "fence preamble postscript"),
        ('```json {"a": 1} ```', '{"a": 1}', "fence"),
        ('```{"a": "```"}```', '{"a": "```"}', "fence"),
        ('So `x` is ```json {"a": 1}``` here', '{"a": 1}', "fence preamble postscript"),
        ("```\n42\n```", "42", "fence"),
        ("```json 42```", "42", "fence"),
        ("```true```", "true", "fence"),
        ('```json\n// the result\n{"a": 1}\n```', '{"a": 1}', "fence preamble"),
        ('```py\nx = [1, "a"]\n```\n```json\n{"a": 1}\n```', '{"a": 1}', "fence preamble"),
        ('{"a": 1}\n```\nAs an example: {"b": 2}', '{"a": 1}', "fence postscript"),
        ('{"a": 1}\n\nInput: x\n```json\n{"b": 2}\n```', '{"a": 1}', "postscript"),
        # strings
        ('So: {"a": "```json\\n[1]\\n```"}', '{"a": "```json\\n[1]\\n```"}', "preamble"),
        ('So: {"a": "}{][\\"}", "b": 2} ok', '{"a": "}{][\\"}", "b": 2}', "preamble postscript"),
        ('So: {"a": "\\\\"} ok', '{"a": "\\\\"}', "preamble postscript"),
        ('So: {"é": "\ud800 \\ud800"}', '{"é": "\ud800 \\ud800"}', "preamble"),
        # prose with brackets
        ('As in [1], [2, 3] and {}: {"a": 1}', '{"a": 1}', "preamble"),
        ('- [ ] done\n{"a": 1}', '{"a": 1}', "preamble"),
        ('use {x} like this: {"a": 1}', '{"a": 1}', "preamble"),
        ('Begin with `{"`: {"a": 1}', '{"a": 1}', "preamble"),
        ('Begin {"a" and then {"a": 1}', '{"a": 1}', "preamble"),
        ('Either ["x" or {"a": 1}', '{"a": 1}', "preamble"),
        ('[Note: it is {"a": 1}]', '{"a": 1}', "preamble postscript"),
        ('\\boxed{{"a": 1}}', '{"a": 1}', "preamble postscript"),
        ('x in [0, 1) gives {"a": 1}', '{"a": 1}', "preamble"),
        ("The list is [4, 5].", "[4, 5]", "preamble postscript"),
        # several
        ('{"a": 1}\n{"b": 2, "c": 3}', '{"a": 1}', "postscript"),
        ('First {"a": 1}, then ["b"]', '{"a": 1}', "preamble postscript"),
        ('{"a": 1,} Oops: {"a": 1}', '{"a": 1}', "preamble"),
        ('{"a": 1}}', '{"a": 1}', "postscript"),
        # what JSON's white space isn't
        ('\ufeff{"a": 1}', '{"a": 1}', "preamble"),
        ('{"a": 1}\xa0', '{"a": 1}', "postscript"),
        ('x {"a": 1, "a": 2}', '{"a": 1, "a": 2}', "preamble"),
    ],
)
def test_the_value_and_what_is_cut_off(text: str, json_text: str, how: str) -> None:
    assert taken(text) == (json_text, how)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "The text is empty."),
        (" \n", "The text is empty."),
        ("Sorry, no.", "The text has no JSON object or array."),
        ("It is 42, or true.", "The text has no JSON object or array."),
        ('x\n {"a": [1, 2}', "The object that starts at line 2, column 2 is no JSON from line 2, "),
        ('{"a": {"b": 1}]', "The object that starts at line 1, column 1 is no JSON from line 1, "),
        ('{"a": {"b": 1}, c: {"d": 2}}', "column 1 is no JSON from line 1, column 17 on."),
        ('{"a": \'x\', "b": {"c": 1}', "column 1 is no JSON from line 1, column 7 on."),
        ('{"a": [{"b": 1}, {"b": 2}', "column 1 isn't finished: the text ends before it does."),
        ('["[true]", "b', "The array that starts at line 1, column 1 isn't finished"),
        ('See [1]: {"a": "b\nc"}', "The object that starts"),
        ("[3]\n```\n[1, \n```", "The array that starts at line 3, column 1 isn't finished"),
        ('["[true]",]', "column 1 is no JSON from line 1, column 11 on."),
        ("{'a': 1}", "column 1 is no JSON from line 1, column 2 on."),
        ('{"a": NaN}', "column 7 on."),
        ('```json\n{"a": {"b": 1},}\n```', "line 2, column 16 on."),
        ("x " + "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), "more than 200 levels deep"),
        ("x [" + "1" * (MAX_DIGITS + 1) + "]", "column 4 on."),
    ],
)
def test_no_json_says_why_and_where(text: str, message: str) -> None:
    with pytest.raises(NoJson, match=re.escape(message)):
        salvage(text)


def test_the_limits_themselves_are_allowed() -> None:
    deep = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    assert taken(f"x {deep}") == (deep, "preamble")
    long = f'["{"a" * 9}", {"1" * MAX_DIGITS}, {"1" * (MAX_DIGITS + 1)}.5]'
    assert taken(f"x {long}") == (long, "preamble")


@settings(max_examples=300, deadline=None)
@given(
    dumped=DUMPED,
    before=PROSE,
    after=PROSE | HOSTILE,
    mark=st.sampled_from(["```", "~~~", "`````"]),
    info=st.sampled_from(["", "json", "JSON", " json", "json5 {.numbers}", "text/x-y"]),
    own_line=st.booleans(),
    closed=st.booleans(),
)
def test_whatever_stands_around_it_a_fenced_value_comes_back(
    dumped: str, before: str, after: str, mark: str, info: str, own_line: bool, closed: bool
) -> None:
    opening = f"So {before}\n{mark}{info}\n" if own_line else f"So {before} {mark}{info}\n"
    end = f"\n{mark}\n{after}" if closed else ""
    found = salvage(opening + dumped + end)
    assert (found.json, found.start) == (dumped, len(opening))
    more = ("postscript",) if closed and after.strip(" \t\n\r") else ()
    assert found.how == ("fence", "preamble", *more)


@settings(max_examples=300, deadline=None)
@given(
    dumped=DUMPED.filter(lambda text: text[0] in "{["),
    before=st.text("\"'}],:\\ \n1ax", max_size=30),
    after=PROSE,
)
def test_the_first_value_in_prose_comes_back(dumped: str, before: str, after: str) -> None:
    text = f"So {before} {dumped}{after}"
    if is_slight(dumped, scan(dumped, 0, len(dumped))):
        return
    assert salvage(text).json == dumped


@settings(max_examples=1000, deadline=None)
@given(HOSTILE | st.text(st.characters(exclude_categories=())))
@example("```json\n```json\n{}\n```")
@example('["{}", ')
def test_any_text_gives_json_or_no_json(text: str) -> None:
    try:
        found = salvage(text)
    except NoJson:
        assert not is_json(text)
        return
    assert found.json == text[found.start : found.end]
    assert is_json(found.json)
    assert (found.how == ()) == is_json(text) == (found.json == text)
    again = salvage(found.json)
    assert (again.json, again.how) == (found.json, ())


@settings(max_examples=500, deadline=None)
@given(DUMPED | HOSTILE, st.text(" \t\n\r", max_size=2))
def test_a_scan_is_whole_where_python_reads_the_same(text: str, blank: str) -> None:
    found = scan(blank + text, 0, len(blank + text))
    assert (found.whole and found.stop == len(blank + text.rstrip(" \t\n\r"))) == is_json(text)


@settings(max_examples=300, deadline=None)
@given(DUMPED, st.data())
def test_every_beginning_of_json_is_cut_or_whole_and_nothing_else_is(
    text: str, data: st.DataObject
) -> None:
    size = data.draw(st.integers(0, len(text) - 1))
    found = scan(text, 0, size)
    assert found.cut != found.whole
    wrong = text[:size] + "\x01"
    assert not scan(wrong, 0, len(wrong)).cut


@given(DUMPED)
def test_no_fence_starts_inside_json(dumped: str) -> None:
    assert not fences(dumped)


def test_the_parts_of_fences() -> None:
    text = "a\n  ```x\nb\n```\n~~~ c ~~~\n```\n"
    parts = [
        (text[each.start : each.end], text[each.inside : each.outside]) for each in fences(text)
    ]
    assert parts == [("```x\nb\n```", "b\n"), ("~~~ c ~~~", " c "), ("```\n", "")]
    assert cut_off(text, 9, 10, fences(text)[0]) == ("fence", "preamble", "postscript")


class Counted:
    """A pattern that counts the characters it goes over, and its calls."""

    work = 0

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.pattern = pattern

    def _count(self, found: re.Match[str] | None, start: int, end: int) -> re.Match[str] | None:
        Counted.work += 1 + (found.end() if found else end) - start
        return found

    def match(self, text: str, start: int, end: int) -> re.Match[str] | None:
        return self._count(self.pattern.match(text, start, end), start, end)

    def search(self, text: str, start: int = 0, end: int | None = None) -> re.Match[str] | None:
        end = len(text) if end is None else end
        return self._count(self.pattern.search(text, start, end), start, end)

    def finditer(self, text: str, start: int = 0, end: int | None = None) -> Iterator[Any]:
        for found in self.pattern.finditer(text, start, len(text) if end is None else end):
            self._count(found, start, found.end())
            start = found.end()
            yield found


ODD = "{}[]\",:\\`~1a \n'"


@settings(max_examples=150, deadline=None)
@given(st.text(ODD, max_size=3), st.text(ODD, min_size=1, max_size=12), st.text(ODD, max_size=2))
@example("", "[" + "1," * 15, "x")
@example("", "[[1],[1],[1],[1],[1],", "x")
@example("", '[{"a":1,', "x")
@example("", '["', "")
@example("", '{"', "")
@example("", '{"{', "")
@example("x", "[1]", "")
@example('["', '[\\"', "")
@example("", '["[", ', "x")
@example("x ", "~~~a", "`")
@example("x ", "```\n1\n", "")
def test_the_work_is_linear(start: str, pattern: str, end: str) -> None:
    text = start + pattern * (6000 // len(pattern)) + end
    with pytest.MonkeyPatch.context() as patch:
        for owner, names in (
            (scan_module, ["_TOKEN"]),
            (module, ["_START", "_BRACKET", "_MARK", "_INFO"]),
        ):
            for name in names:
                patch.setattr(owner, name, Counted(getattr(owner, name)))
        Counted.work = 0
        with contextlib.suppress(NoJson):
            salvage(text)
    assert Counted.work <= 16 * len(text) + 100


@pytest.mark.parametrize("pattern", ["{", "[", '"', "`", "\\", "```\n", '{"a":', "[1,"])
def test_a_megabyte_of_one_thing_comes_to_an_end(pattern: str) -> None:
    with pytest.raises(NoJson):
        salvage("x" + pattern * (1_000_000 // len(pattern)))
