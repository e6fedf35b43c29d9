"""A byte automaton over a vocabulary: the protocol, the words, and the way of a token."""

from collections.abc import Callable

import numpy as np
import pytest

from playground.constraints.build import build
from playground.constraints.byte_automaton import ByteAutomaton
from playground.constraints.compile import Compiled
from playground.constraints.free import FreeAutomaton
from playground.constraints.minimize import minimized
from playground.vocabulary import Vocabulary

Automaton = ByteAutomaton


@pytest.fixture
def over(letters: Vocabulary) -> Callable[[str], Automaton]:
    """A regex over the vocabulary of letters."""
    return lambda regex: ByteAutomaton(minimized(build(regex, 10_000)), letters)


def names(automaton: Automaton, state: int) -> set[str]:
    return {automaton.vocabulary.name(int(i)) for i in np.flatnonzero(automaton.mask(state))}


def test_the_mask_is_the_tokens_that_keep_a_prefix(over: Callable[[str], Automaton]) -> None:
    automaton = over("(ab)*c?")
    assert names(automaton, 0) == {"a", "c", "ab", "abc", "<eos>"}
    after_a = automaton.advance(0, 0)
    assert names(automaton, after_a) == {"b", "ba"}
    assert not automaton.is_final(after_a)


def test_a_mask_is_read_only_and_the_same_again(over: Callable[[str], Automaton]) -> None:
    automaton = over("(ab)*c?")
    first = automaton.mask(0)
    assert (automaton.mask(0) == first).all()
    for mask in (first, automaton.mask(0)):
        with pytest.raises(ValueError, match="read-only"):
            mask[0] = False
    assert (automaton.walk_mask(0) == first).all()


def test_advance_refuses_what_the_mask_blocks_and_every_end(
    over: Callable[[str], Automaton],
) -> None:
    automaton = over("(ab)*c?")
    for state in range(len(automaton.dfa)):
        for token in range(len(automaton.vocabulary)):
            if automaton.mask(state)[token] and token != 8:
                text = automaton.vocabulary.tokens[token]
                assert automaton.advance(state, token) == automaton.dfa.walk(state, text)[-1]
            else:
                with pytest.raises(ValueError, match="can't follow"):
                    automaton.advance(state, token)


def test_special_tokens_never_match_text() -> None:
    vocabulary = Vocabulary((b"<", b"s", b">", None, None), frozenset({4}), {3: "<s>", 4: "</s>"})
    automaton = ByteAutomaton(build("(<s>)*", 100), vocabulary)
    assert list(np.flatnonzero(automaton.mask(0))) == [0, 4]


def test_every_end_is_allowed_exactly_where_the_text_is_valid() -> None:
    vocabulary = Vocabulary((b"a", None, None), frozenset({1, 2}))
    automaton = ByteAutomaton(build("aa", 100), vocabulary)
    assert [list(automaton.mask(state)) for state in range(3)] == [
        [True, False, False],
        [True, False, False],
        [False, True, True],
    ]


def test_hops_name_the_states_and_the_byte_that_kills(over: Callable[[str], Automaton]) -> None:
    automaton = over("ab[0-9]")
    whole = automaton.hops(0, 3)
    assert whole.states == ("q0", "q1", "q2")
    assert whole.killed_at is None
    assert whole.expected == ()
    killed = automaton.hops(0, 5)  # abc
    assert killed.states == ("q0", "q1", "q2")
    assert killed.killed_at == 2
    assert killed.expected == ("0-9",)
    end = automaton.hops(0, 8)
    assert (end.states, end.killed_at, end.expected) == (("q0",), 0, ("a",))
    last = automaton.dfa.walk(0, b"ab1")[-1]
    assert automaton.hops(last, 8).killed_at is None


@pytest.mark.parametrize(
    ("regex", "text", "expected", "words"),
    [
        ("[0-9]{4}-x", b"", ("0-9",), "Expects 0-9."),
        ("[0-9]{4}-x", b"2024", ("-",), "Only “-x” can follow."),
        ("(pos|positive)", b"pos", ("i",), "The text may stop here, or go on with i."),
        ("yes", b"yes", (), "The text is complete: only its end may follow."),
        (
            '"([^"\\\\\\x00-\\x1f]|\\\\n)*"',
            b'"',
            ('"', "\\", "any other printable character"),
            None,
        ),
        ("[^a]", b"", ("any character but a",), None),
        (".", b"", ("any character but newline",), None),
        (r"[ \t\n]|[A-Z_]", b"", ("tab", "newline", "space", "A-Z", "_"), None),
        ("é|è", b"", ("è", "é"), None),
        ("é|è", b"\xc3", (r"\xa8", r"\xa9"), None),
        ("[а-я]", b"", ("а-я",), None),
        ("a|[^\\x00-\\x7f]", b"", ("a", "any other UTF-8 character"), None),
        ("[^\\x00-\\x7f]", b"\xf0\x9f", ("rest of a UTF-8 character",), None),
        ("\\x04|b", b"", (r"\x04", "b"), None),
        (r"\pL", b"", ("A-Z", "a-z", "some characters outside ASCII"), None),
    ],
)
def test_a_state_says_what_it_expects(
    letters: Vocabulary, regex: str, text: bytes, expected: tuple[str, ...], words: str | None
) -> None:
    automaton = ByteAutomaton(minimized(build(regex, 10_000)), letters)
    view = automaton.describe(automaton.dfa.walk(0, text)[-1], text)
    assert view.expected == expected
    assert view.words == (words or view.words)
    assert view.pointer is None
    assert (view.needs == "") == view.may_stop


def test_what_a_state_needs_completes_it(over: Callable[[str], Automaton]) -> None:
    automaton = over(r'\{"name": "[a-z]*", "age": [0-9]+\}')
    state = automaton.dfa.walk(0, b'{"name": "ad')[-1]
    view = automaton.describe(state)
    assert view.needs == '", "age": 0}'
    assert automaton.dfa.final[automaton.dfa.walk(state, view.needs.encode())[-1]]


def test_without_a_constraint_everything_is_allowed() -> None:
    vocabulary = Vocabulary((b"a", b"\xff", None, None), frozenset({3}), {2: "<pad>"})
    free = FreeAutomaton(vocabulary)
    assert list(free.mask(0)) == [True, True, False, True]
    assert free.advance(0, 1) == 0
    assert free.is_final(0)
    assert free.hops(0, 1).states == ("q0", "q0")
    assert free.hops(0, 2).killed_at == 0
    assert free.describe(0).may_stop
    for token in (2, 3):
        with pytest.raises(ValueError, match="adds no text"):
            free.advance(0, token)


def test_half_a_character_allows_exactly_its_other_halves(smollm2: Vocabulary) -> None:
    """In a JSON string, three bytes into an emoji: 64 bytes complete it; after two, ten tokens of
    two bytes do as well."""
    automaton = ByteAutomaton(build(r'"[^"\\\x00-\x1f]*"', 1000), smollm2)
    for text, count in ((b"\xf0\x9f\x98", 64), (b"\xf0\x9f", 74)):
        state = automaton.dfa.walk(0, b'"' + text)[-1]
        allowed = [smollm2.tokens[int(i)] or b"" for i in np.flatnonzero(automaton.mask(state))]
        assert len(allowed) == count
        for piece in allowed:
            (text + piece).decode("utf-8", errors="strict" if len(text + piece) == 4 else "replace")
            assert all(0x80 <= byte < 0xC0 for byte in piece)


def test_the_place_in_a_schema_is_told(
    compiled: Callable[..., Compiled], smollm2: Vocabulary
) -> None:
    schema = '{"type":"object","properties":{"age":{"type":"integer"}},"required":["age"]}'
    automaton = compiled("schema", schema, smollm2).automaton
    assert isinstance(automaton, ByteAutomaton)
    text = b'{"age":1'
    state = automaton.dfa.walk(0, text)[-1]
    assert automaton.describe(state, text).pointer == "/properties/age"
    assert automaton.describe(state).pointer == "/properties/age"
