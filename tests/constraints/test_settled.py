"""Where one text alone can follow, held against the words of the language themselves."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.constraints.automaton import State
from playground.constraints.byte_automaton import ByteAutomaton
from playground.constraints.free import FreeAutomaton
from playground.constraints.settled import Settled, spells_bytes
from playground.vocabulary import Vocabulary
from tests.exact.problems import automaton

LETTERS = Vocabulary((b"a", b"b", b"ab", b"bba", None), frozenset({4}))
EVERY_BYTE = Vocabulary((*(bytes([byte]) for byte in range(256)), None), frozenset({256}))


def choices(words: list[str], vocabulary: Vocabulary = LETTERS) -> ByteAutomaton:
    return automaton(vocabulary, "choices", "\n".join(words))[0]


def after(constraint: ByteAutomaton, text: bytes) -> State:
    return constraint.dfa.walk(0, text)[-1]


@settings(deadline=None, max_examples=60)
@given(st.lists(st.text("ab", min_size=1, max_size=7), min_size=1, max_size=8, unique=True))
def test_a_prefix_is_settled_exactly_where_one_word_begins_with_it(words) -> None:
    constraint = choices(words)
    settled = Settled(constraint)
    for prefix in {word[:end] for word in words for end in range(len(word) + 1)}:
        fitting = [word for word in words if word.startswith(prefix)]
        remaining = settled.text(after(constraint, prefix.encode()))
        if len(fitting) == 1:
            assert remaining == fitting[0][len(prefix) :].encode()
        else:
            assert remaining is None


@pytest.mark.parametrize(
    ("regex", "prefix", "remaining"),
    [
        ("a*", b"", None),
        ("a*", b"aaa", None),
        ("ab*", b"a", None),
        ("(a|b)bab", b"", None),
        ("(a|b)bab", b"a", b"bab"),
        ("(a|b)bab", b"bbab", b""),
        ("a?b", b"", None),
        ("a?b", b"a", b"b"),
        ("(ab){3}", b"ab", b"abab"),
        ("ab{2,3}", b"abb", None),
        ("ab{2,3}", b"abbb", b""),
    ],
)
def test_stopping_or_going_on_is_a_choice_too(regex, prefix, remaining) -> None:
    constraint, _ = automaton(LETTERS, "regex", regex)
    assert Settled(constraint).text(after(constraint, prefix)) == remaining


def test_a_long_forced_text_is_followed_to_its_end() -> None:
    constraint, _ = automaton(LETTERS, "regex", "b|a{500}")
    assert Settled(constraint).text(after(constraint, b"aa")) == b"a" * 498


def test_text_that_is_not_ascii_settles_byte_by_byte() -> None:
    constraint = choices(["été", "etc"], EVERY_BYTE)
    settled = Settled(constraint)
    assert settled.text(0) is None
    assert settled.text(after(constraint, b"\xc3")) == "été".encode()[1:]
    assert settled.text(after(constraint, b"e")) == b"tc"


def test_nothing_settles_where_a_byte_has_no_token_of_its_own() -> None:
    # After "a", "bb" must follow and no token is a "b": a run can die here.
    vocabulary = Vocabulary((b"a", b"bbb", b"c", None), frozenset({3}))
    constraint = choices(["abb", "c"], vocabulary)
    assert not spells_bytes(constraint)
    assert Settled(constraint).text(after(constraint, b"a")) is None


def test_a_byte_that_is_never_asked_for_needs_no_token() -> None:
    vocabulary = Vocabulary((b"a", b"b", b"ca", None), frozenset({3}))
    assert spells_bytes(choices(["ab"], vocabulary))
    assert not spells_bytes(choices(["abc"], vocabulary))


def test_nothing_settles_with_a_token_that_adds_no_text() -> None:
    # It could be drawn again and again until the run is cut.
    vocabulary = Vocabulary((b"a", b"b", b"", None), frozenset({3}))
    constraint = choices(["ab"], vocabulary)
    assert not spells_bytes(constraint)
    assert Settled(constraint).text(0) is None


def test_whole_characters_alone_do_not_spell_the_bytes_between() -> None:
    vocabulary = Vocabulary(("é".encode(), b"t", None), frozenset({2}))
    assert not spells_bytes(choices(["été"], vocabulary))


def test_what_is_no_byte_automaton_never_settles() -> None:
    free = FreeAutomaton(LETTERS, "bytes")
    assert not spells_bytes(free)
    assert Settled(free).text(free.initial) is None
