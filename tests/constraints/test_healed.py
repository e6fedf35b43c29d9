"""The end of the prompt before a constraint: exactly lead L, in words that say so."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.constraints.build import build
from playground.constraints.byte_automaton import ByteAutomaton
from playground.constraints.compile import CompileCache, Compiled, compile_constraint
from playground.constraints.dfa import DEAD, ByteDFA, trimmed
from playground.constraints.free import FreeAutomaton
from playground.constraints.healed import Healed, HealedAutomaton, bytes_of, healed, prefixed
from playground.constraints.minimize import minimized
from playground.constraints.spec import ConstraintSpec
from playground.errors import InvalidInput
from playground.vocabulary import Vocabulary

REGEXES = ("(ab)*c?", "a|b", "[ab]{1,3}", "é+", "(abc|abd)+", "[^a]")
LEADS = st.one_of(
    st.sampled_from([b"a", b"ab", b"aab", b" is:", "é".encode(), b"\xc3", b"\x00\xff", b"cc"]),
    st.binary(min_size=1, max_size=5),
)


def dfa_of(regex: str) -> ByteDFA:
    return minimized(build(regex, 10_000))


def accepts(dfa: ByteDFA, text: bytes) -> bool:
    states = dfa.walk(0, text)
    return len(states) == len(text) + 1 and bool(dfa.final[states[-1]])


def chained(dfa: ByteDFA, lead: bytes) -> ByteDFA:
    """The same language by the plain way: a whole table, its states numbered anew."""
    n = len(lead)
    table = np.full((n + len(dfa), 256), DEAD, dtype=np.int32)
    for i, byte in enumerate(lead):
        table[i, byte] = i + 1
    table[n:] = np.where(dfa.table == DEAD, DEAD, dfa.table + n)
    found = trimmed(table, 0, np.concatenate([np.zeros(n, dtype=bool), dfa.final]))
    assert found is not None
    return found


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(REGEXES), LEADS)
def test_the_chain_before_an_automaton_is_the_automaton_of_both(regex: str, lead: bytes) -> None:
    dfa = dfa_of(regex)
    ours, plain = prefixed(dfa, lead), chained(dfa, lead)
    assert (ours.table == plain.table).all()
    assert (ours.final == plain.final).all()
    assert ours.moves.shape[1] <= 256


@settings(max_examples=120, deadline=None)
@given(
    st.sampled_from(REGEXES),
    LEADS,
    st.text("abcdé", max_size=5).map(str.encode),
    st.binary(max_size=3),
)
def test_a_text_is_accepted_if_and_only_if_it_is_the_lead_and_a_text(
    regex: str, lead: bytes, text: bytes, noise: bytes
) -> None:
    dfa = dfa_of(regex)
    both = prefixed(dfa, lead)
    assert accepts(both, lead + text) == accepts(dfa, text)
    for other in (text, noise + text, lead[:-1] + text, lead[1:] + text):
        expected = other.startswith(lead) and accepts(dfa, other[len(lead) :])
        assert accepts(both, other) == expected


def test_every_byte_may_have_a_class_of_its_own() -> None:
    every = prefixed(dfa_of("[ab]+"), bytes(range(256)))
    assert accepts(every, bytes(range(256)) + b"ab")
    assert every.moves.shape[1] == 256
    assert (np.bincount(every.classes, minlength=256) == 1).all()


@pytest.fixture
def over(letters: Vocabulary) -> Callable[[str, bytes], HealedAutomaton]:
    """A regex behind a lead, over the vocabulary of letters."""
    return lambda regex, lead: HealedAutomaton(ByteAutomaton(dfa_of(regex), letters), lead)


def names(automaton: ByteAutomaton, state: int) -> set[str]:
    return {automaton.vocabulary.name(int(i)) for i in np.flatnonzero(automaton.mask(state))}


def test_a_token_may_reach_over_the_boundary(
    over: Callable[[str, bytes], HealedAutomaton],
) -> None:
    automaton = over("bc|ca", b"a")
    assert names(automaton, 0) == {"a", "ab", "abc"}
    abc = list(automaton.vocabulary.tokens).index(b"abc")
    assert automaton.is_final(automaton.advance(0, abc))
    plain = ByteAutomaton(dfa_of("bc|ca"), automaton.vocabulary)
    assert names(automaton, 1) == names(plain, 0)


def test_a_state_says_where_it_is(over: Callable[[str, bytes], HealedAutomaton]) -> None:
    automaton = over("(b|c)", b"ab")
    first = automaton.describe(0)
    assert first.words.startswith("Rewrites the end of the prompt.")
    assert first.name == "q0"
    assert not first.may_stop
    assert first.needs == "abb"
    later = automaton.describe(2, b"ab")
    assert later.name == "q2"
    assert "prompt" not in later.words
    assert later.needs == "b"
    assert automaton.hops(0, 0).states == ("q0", "q1")
    assert automaton.graph(0, (), full=True).states == len(automaton.dfa)


def test_places_in_a_schema_are_those_without_the_lead() -> None:
    compiled = compile_constraint(
        ConstraintSpec(
            kind="schema",
            source='{"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 1}',
        ),
        Vocabulary((*(bytes([i]) for i in range(256)), None), frozenset({256})),
    )
    automaton = healed(compiled, Healed(ord("x"), b"x[")).automaton
    state = automaton.initial
    for byte in b'x[["':
        state = automaton.advance(state, byte)
    plain = compiled.automaton
    there = plain.initial
    for byte in b'["':
        there = plain.advance(there, byte)
    assert automaton.describe(state, b'x[["').pointer == plain.describe(there, b'["').pointer
    assert automaton.describe(state, b'x[["').words == plain.describe(there, b'["').words
    assert automaton.describe(state).pointer == plain.describe(there).pointer


def test_a_free_constraint_is_the_lead_and_anything(letters: Vocabulary) -> None:
    automaton = HealedAutomaton(FreeAutomaton(letters), b"ab")
    plain = FreeAutomaton(letters)
    assert not automaton.is_final(0)
    assert names(automaton, 0) == {"a", "ab", "abc"}
    assert (automaton.mask(2) == plain.mask(0)).all()
    assert "Anything may follow" in automaton.describe(2, b"ab").words


def test_an_engine_without_byte_states_is_refused(letters: Vocabulary) -> None:
    with pytest.raises(InvalidInput, match="exact byte automaton"):
        bytes_of(FreeAutomaton(letters, "outlines"), "hold", "take another")


def test_the_same_healing_is_the_same_automaton_and_says_what_it_does(
    cache_of_tests: CompileCache, letters: Vocabulary
) -> None:
    def compiled() -> Compiled:
        spec = ConstraintSpec(kind="regex", source="(b|c)+")
        return compile_constraint(spec, letters, cache=cache_of_tests)

    first = healed(compiled(), Healed(0, b"a"), cache_of_tests)
    again = healed(compiled(), Healed(0, b"a"), cache_of_tests)
    other = healed(compiled(), Healed(1, b"b"), cache_of_tests)
    assert first.automaton is again.automaton
    assert first.automaton is not other.automaton
    assert first.report.states == compiled().report.states + 1
    (note,) = [note for note in first.report.notes if note.keyword == "healing"]
    assert "'a'" in note.message
    assert not compiled().report.notes
