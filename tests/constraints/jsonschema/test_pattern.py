"""Patterns: the trees against Python's `re`, lengths and intersections against counting."""

import re
from itertools import product
from typing import Any

import pytest

from playground.constraints.jsonschema import strings
from playground.constraints.jsonschema.charset import in_json, raw
from playground.constraints.jsonschema.matching import matches
from playground.constraints.jsonschema.pattern import Required, Untranslatable, parse
from playground.constraints.jsonschema.rx import NEVER, lengths, one_of, spell

PATTERNS = [
    "",
    "a",
    "^a",
    "a$",
    "^a|b$",
    "^(a|b)$",
    "(^|b)a(b|$)",
    "^a*$",
    "^(ab|b)+$",
    "^a{2,3}b?$",
    "[^a]",
    "^[^ab]*$",
    "^a.b$",
    "^(?!ab)[ab]*$",
    "^(?=.*b)(?=.*1).*$",
    "^(a$|b)",
    r"^\d+$",
    r"^\w\W?$",
    r"\s",
    r"^[\d_]+$",
    "^(?:a|b)*?1$",
    "^$",
]
ALPHABET = "ab1_ -"
TEXTS = ["".join(text) for n in range(5) for text in product(ALPHABET, repeat=n)]


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("wide", [False, True])
def test_on_ascii_text_both_readings_agree_with_python(pattern: str, wide: bool) -> None:
    for text in TEXTS:
        assert matches(pattern, text, wide) == bool(re.search(pattern, text)), text


@pytest.mark.parametrize(
    ("pattern", "text", "narrow", "wide"),
    [
        (r"^\d$", "\u0663", False, True),  # an Arabic digit: a digit to Python, none to ECMA
        (r"^\D$", "\u0663", False, True),
        (r"^\w$", "\u00e9", False, True),
        (r"^\S$", "\ufeff", False, True),
        (r"^.$", "\u2028", False, True),
        (r"^a$", "a\n", False, True),
        (r"^[^\w]$", "\u00e9", False, True),
        (r"^\d$", "7", True, True),
        (r"^\d$", "x", False, False),
    ],
)
def test_where_dialects_differ_the_readings_enclose_both(
    pattern: str, text: str, narrow: bool, wide: bool
) -> None:
    assert (matches(pattern, text), matches(pattern, text, wide=True)) == (narrow, wide)


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        (r"\bx", "boundary"),
        (r"(a)\1", "back-reference"),
        (r"a(?=b)", "look-ahead"),
        (r"(?<=a)b", "look-ahead or look-behind"),
        (r"^\p{L}+$", r"\p{...}"),
        ("(?i)a", "flags"),
        ("[", "does not parse"),
        ("^a{1,4294967294}$", "repeats too often"),
        ("(^a)*b", "anchor"),
    ],
)
def test_what_cannot_be_translated_says_why(pattern: str, reason: str) -> None:
    with pytest.raises(Untranslatable, match=re.escape(reason)):
        parse(pattern)
    assert matches(pattern, "x") is None


@pytest.mark.parametrize("pattern", ["^[ab]+$", "a", "^a*b*$", "^(ab?)+$", "^(a|bb)*1?$", "b$"])
@pytest.mark.parametrize(("low", "high"), [(0, 2), (2, None), (1, 3), (3, 3), (4, 2)])
def test_pattern_and_length_meet_exactly(
    pattern: str, low: int, high: int | None, tools: Any
) -> None:
    tree = strings.meet(parse(pattern), low, high)
    assert tree is not None
    found = tools.python_regex("(?!)" if tree == NEVER else spell(tree, raw).text)
    for text in TEXTS:
        fits = low <= len(text) and (high is None or len(text) <= high)
        expected = fits and bool(re.search(pattern, text))
        assert bool(found.fullmatch(text)) == expected, text


def test_several_patterns_and_excluded_values_meet_exactly() -> None:
    required = (*parse("^[ab]*$"), *parse("b"), Required(one_of(["ab", "bb"]), negated=True))
    tree = strings.meet(required, 0, 3)
    assert tree is not None
    found = re.compile(spell(tree, raw).text)
    for text in TEXTS:
        expected = (
            set(text) <= set("ab") and "b" in text and text not in ("ab", "bb") and len(text) <= 3
        )
        assert bool(found.fullmatch(text)) == expected, text


def test_a_pattern_that_explodes_is_refused_at_once() -> None:
    assert strings.meet(parse("(a|b)*a(a|b){16}"), 0, None) is None


def test_a_class_never_swallows_the_closing_quote(tools: Any) -> None:
    for pattern in (r"^.+$", r"^[^,]+$", r"^\S+$", r"^\W$"):
        found = tools.python_regex(spell(parse(pattern)[0].node, in_json).text)
        assert not found.fullmatch('"'), pattern
        assert found.fullmatch(r"\""), pattern


def test_lengths_of_formats_are_known() -> None:
    tree = parse(r"^[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?$")[0].node
    assert lengths(tree) == (7, 10)
