"""The smallest byte automaton of a language, so that a state is a situation and not an accident."""

import numpy as np
from numpy.typing import NDArray

from playground.constraints.dfa import DEAD, ByteDFA, trimmed

MAX_STATES = 5_000
"""Larger automata are left as they are: they are too big to look at, and minimising is slow."""
MAX_ROUNDS = 600
"""Give up after so many rounds, some tenths of a second."""


def minimized(dfa: ByteDFA) -> ByteDFA:
    """The automaton with equivalent states merged; `dfa` itself if that takes too long.

    Moore's refinement: states start apart by the length of a shortest completion, and are told
    apart while a byte leads them to states that already are.
    """
    if len(dfa) > MAX_STATES:
        return dfa
    rng = np.random.default_rng(0)
    weights = rng.integers(1, 2**63, size=dfa.moves.shape[1] + 1, dtype=np.uint64) | np.uint64(1)
    # Blocks are random numbers, so that a sum of products is a fingerprint of a row of blocks.
    labels = rng.integers(1, 2**63, size=len(dfa) + 1, dtype=np.uint64)
    block: NDArray[np.int64] = np.unique(dfa.to_final, return_inverse=True)[1].astype(np.int64)
    count = int(block.max()) + 1
    for _ in range(MAX_ROUNDS):
        names = np.append(labels[block], np.uint64(0))  # DEAD is -1: the last one
        prints = names[dfa.moves] @ weights[1:] + labels[block] * weights[0]
        block = np.unique(prints, return_inverse=True)[1].astype(np.int64)
        found = int(block.max()) + 1
        if found == count:
            break
        count = found
    else:
        return dfa
    return dfa if count == len(dfa) or not _stable(dfa, block) else _merged(dfa, block)


def _stable(dfa: ByteDFA, block: NDArray[np.int64]) -> bool:
    """Whether states of one block agree, exactly: fingerprints that collide can't pass."""
    _, first = np.unique(block, return_index=True)
    model = first[block]
    after = np.append(block, DEAD)[dfa.moves]
    return bool((after == after[model]).all() and (dfa.final == dfa.final[model]).all())


def _merged(dfa: ByteDFA, block: NDArray[np.int64]) -> ByteDFA:
    _, first = np.unique(block, return_index=True)
    names = np.append(block, DEAD).astype(np.int32)
    merged = trimmed(names[dfa.table[first]], int(block[0]), dfa.final[first])
    assert merged is not None, "a live automaton has a live quotient"
    return merged
