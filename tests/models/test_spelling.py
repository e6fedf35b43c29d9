"""Spelling finds the fewest tokens, or says where it is stuck."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.errors import InvalidInput
from playground.models.spelling import MAX_BYTES, Speller, to_bytes
from playground.vocabulary import Vocabulary

TOKENS = ("a", "ab", "bc", "b", "abc", "cab")
VOCABULARY = Vocabulary((*(t.encode() for t in TOKENS), None), frozenset({6}))


def fewest(text: str) -> int | None:
    """The least number of tokens that spell `text`, by trying all; None if none do."""
    for count in range(len(text) + 1):
        if any("".join(ts) == text for ts in itertools.product(TOKENS, repeat=count)):
            return count
    return None


@given(st.text("abc", max_size=6))
def test_the_spelling_is_exact_and_shortest(text: str) -> None:
    least = fewest(text)
    if least is None:
        with pytest.raises(InvalidInput):
            Speller(VOCABULARY).spell(text)
        return
    ids = Speller(VOCABULARY).spell(text)
    assert VOCABULARY.decode(ids) == text.encode()
    assert len(ids) == least


def test_a_greedy_choice_that_gets_stuck_is_undone() -> None:
    vocabulary = Vocabulary((b"ab", b"abc", b"cd", None), frozenset({3}))
    assert Speller(vocabulary).spell("abcd") == (0, 2)


def test_where_it_is_stuck_is_said() -> None:
    with pytest.raises(InvalidInput, match=r"'xyz' on.*\(byte 2\)"):
        Speller(VOCABULARY).spell("abxyz")


def test_a_text_too_long_is_refused_at_once() -> None:
    with pytest.raises(InvalidInput, match="bytes"):
        Speller(VOCABULARY).spell("a" * (MAX_BYTES + 1))


def test_half_a_surrogate_pair_is_refused_with_its_place() -> None:
    with pytest.raises(InvalidInput, match="Character 3"):
        to_bytes("ab\ud83d")
