"""The byte automaton is the language of the regex: no text more, none less, whatever the regex."""

import itertools
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.constraints.build import build, byte_vocabulary
from playground.constraints.core import decode
from playground.constraints.dfa import DEAD, ByteDFA
from playground.constraints.engine_bytes import compile_core
from playground.constraints.limits import Limits
from playground.constraints.minimize import minimized
from playground.constraints.spec import ConstraintSpec
from playground.errors import BudgetExceeded, EmptyLanguage

TEXTS = [bytes(text) for n in range(5) for text in itertools.product(b"abc\x00", repeat=n)]


def accepts(dfa: ByteDFA, text: bytes) -> bool:
    states = dfa.walk(0, text)
    return len(states) == len(text) + 1 and bool(dfa.final[states[-1]])


ATOMS = st.sampled_from(["a", "b", "c", "ab", "[ab]", "[^a]", ".", r"\x00", ""])
REPEATS = st.sampled_from(["*", "+", "?", "{2}", "{0,2}", "{1,}", "*?", "+?", "??"])
REGEXES = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda pair: f"({pair[0]}|{pair[1]})"),
        st.tuples(inner, REPEATS).map(lambda pair: f"(?:{pair[0]}){pair[1]}"),
    ),
    max_leaves=8,
)


@settings(max_examples=200, deadline=None)
@given(REGEXES)
def test_it_accepts_what_fullmatch_accepts(regex: str) -> None:
    """Nullable regexes, preferred alternatives, lazy repeats and NUL bytes included."""
    dfa, small = build(regex, 10_000), minimized(build(regex, 10_000))
    pattern = re.compile(regex)
    for text in TEXTS:
        wanted = pattern.fullmatch(text.decode()) is not None
        assert accepts(dfa, text) == accepts(small, text) == wanted, text


@settings(max_examples=50, deadline=None)
@given(REGEXES)
def test_every_state_is_reached_by_its_witness_and_ended_by_its_completion(regex: str) -> None:
    dfa = minimized(build(regex, 10_000))
    for state in range(len(dfa)):
        witness, completion = dfa.witness(state), dfa.completion(state)
        assert dfa.walk(0, witness)[-1] == state
        assert accepts(dfa, witness + completion)
        assert len(completion) == dfa.to_final[state]
        assert bool(dfa.final[state]) == (completion == b"")


def test_states_are_numbered_breadth_first() -> None:
    dfa = minimized(build("(x|abc)[0-9]{3}", 1000))
    depths = [len(dfa.witness(state)) for state in range(len(dfa))]
    assert depths == sorted(depths)
    assert depths[0] == 0


def test_minimizing_merges_what_the_order_of_alternatives_keeps_apart() -> None:
    dfa = build("(a|b)*a(a|b){10}", 10_000)
    small = minimized(dfa)
    assert len(small) == 2**11
    assert len(minimized(small)) == len(small)


def test_without_the_wrap_the_index_is_not_the_language() -> None:
    """What the wrap is for: the Index drops a later alternative and a way out of a match."""
    from outlines_core import Index

    def raw(regex: str, text: bytes) -> bool:
        index = Index(regex, byte_vocabulary())
        state = index.get_initial_state()
        for byte in text:
            state = index.get_next_state(state, byte)
            if state is None:
                return False
        return bool(index.is_final_state(state))

    for regex, text in (("(pos|positive)", b"positive"), (r"[0-9]+(\.[0-9]+)?", b"1.5")):
        assert not raw(regex, text)
        assert accepts(build(regex, 1000), text)


@pytest.mark.parametrize(("regex", "states"), [(r'"([^"\\]|\\.){0,300}"', 5_000), (".{0,80}", 641)])
def test_bounded_text_at_the_root_costs_no_more_than_its_states(regex: str, states: int) -> None:
    """The first does not compile in minutes when wrapped in \\z only, the second when a NUL in the
    text may start the search anew."""
    spec = ConstraintSpec(kind="regex", source=regex)
    dfa = decode(compile_core(spec, Limits(seconds=8), None)).dfa
    assert len(dfa) <= states


@pytest.mark.parametrize("regex", ["[a&&b]", r"[^\x00-\x{10FFFF}]", "a[b&&c]d", r"a\zb"])
def test_an_empty_language_is_an_error(regex: str) -> None:
    with pytest.raises(EmptyLanguage, match="No text satisfies"):
        build(regex, 1000)


def test_the_empty_text_alone_is_a_language() -> None:
    dfa = build("", 1000)
    assert len(dfa) == 1
    assert dfa.final.all()
    assert (dfa.moves == DEAD).all()


def test_too_many_states_are_refused() -> None:
    with pytest.raises(BudgetExceeded, match="more than 500 byte states"):
        build("[a-z]{600}", 500)
    assert len(build("[a-z]{499}", 500)) == 500


def test_the_written_out_table_agrees_with_the_walk() -> None:
    dfa = build("é|[a-c]x", 1000)
    table = dfa.table
    assert table.shape == (len(dfa), 256)
    assert table.dtype == np.int32
    for state, byte in itertools.product(range(len(dfa)), range(256)):
        walked = dfa.walk(state, bytes([byte]))
        assert table[state, byte] == (walked[1] if len(walked) == 2 else DEAD)
    assert dfa.transitions == np.count_nonzero(table != DEAD)
