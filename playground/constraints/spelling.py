"""Whether a vocabulary can spell any text of a constraint, asked before the first step."""

import heapq
import time
from collections.abc import Callable

import numpy as np

from playground.constraints.byte_automaton import ByteAutomaton
from playground.constraints.dfa import DEAD, ByteDFA
from playground.constraints.trie import trie_of
from playground.constraints.words import character, hex_byte, shortened
from playground.errors import BudgetExceeded, Cancelled, EmptyLanguage

MAX_SECONDS = 5.0
"""Longest search for a text in tokens; only vocabularies without single bytes need one."""


def require_spellable(
    automaton: ByteAutomaton, cancelled: Callable[[], bool] | None = None
) -> None:
    """Check that some sequence of tokens spells a valid text.

    Raises:
        EmptyLanguage: none does; it names bytes that the vocabulary lacks.
        BudgetExceeded: the search took too long.
        Cancelled: `cancelled` said so.
    """
    dfa, trie = automaton.dfa, trie_of(automaton.vocabulary)
    if _reaches_final(dfa, trie.single):
        return
    known = np.zeros(256, dtype=bool)
    known[trie.bytes[1:]] = True
    if not _reaches_final(dfa, known):
        raise _unspellable(dfa, known)
    _search(automaton, cancelled)


def _reaches_final(dfa: ByteDFA, usable: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> bool:
    """Some valid text is made of usable bytes alone; `usable` is (256,) bool."""
    classes = np.unique(dfa.classes[usable])
    seen = np.zeros(len(dfa), dtype=bool)
    frontier = np.array([0])
    while frontier.size:
        seen[frontier] = True
        if dfa.final[frontier].any():
            return True
        after = np.unique(dfa.moves[frontier][:, classes])
        after = after[after != DEAD]
        frontier = after[~seen[after]]
    return False


def _search(automaton: ByteAutomaton, cancelled: Callable[[], bool] | None) -> None:
    """Look for a valid text token by token, nearest to an end first."""
    dfa, vocabulary = automaton.dfa, automaton.vocabulary
    deadline = time.monotonic() + MAX_SECONDS
    queue, seen, farthest = [(int(dfa.to_final[0]), 0, b"")], {0}, b""
    while queue:
        _, state, text = heapq.heappop(queue)
        if dfa.final[state]:
            return
        if cancelled and cancelled():
            raise Cancelled("Compiling the constraint was cancelled.")
        if time.monotonic() > deadline:
            raise BudgetExceeded(
                "It takes too long to find out whether the vocabulary can spell a valid text.",
                "Simplify the constraint, or use a vocabulary with single characters.",
            )
        farthest = max(farthest, text, key=len)
        for token in np.flatnonzero(automaton.walk_mask(state)):
            piece = vocabulary.tokens[int(token)]
            after = automaton.advance(state, int(token)) if piece is not None else state
            if after not in seen:
                seen.add(after)
                heapq.heappush(queue, (int(dfa.to_final[after]), after, text + (piece or b"")))
    needed = dfa.completion(dfa.walk(0, farthest)[-1])
    raise EmptyLanguage(
        "No sequence of this vocabulary's tokens spells a valid text: the furthest that one gets "
        f"is “{shortened(farthest)}”, after which no token leads to an end such as "
        f"“{shortened(needed)}”.",
        "Add tokens for it, or allow texts that the vocabulary can spell.",
    )


def _unspellable(dfa: ByteDFA, known: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> EmptyLanguage:
    example = dfa.completion(0)
    missing = [byte for byte in dict.fromkeys(example) if not known[byte]]
    named = [character(byte) if byte < 0x80 else hex_byte(byte) for byte in missing[:5]]
    plural = "s" if len(named) > 1 else ""
    return EmptyLanguage(
        f"This vocabulary can't spell any valid text: no token contains the byte{plural} "
        f"{', '.join(named)} of “{shortened(example)}”.",
        "Allow texts that the vocabulary can spell, or choose another model.",
    )
