"""The index as a table: for each state the tokens that it allows, as a precomputing engine keeps it."""

from itertools import pairwise
from typing import Any

import numpy as np

from playground.constraints.byte_automaton import ByteAutomaton
from playground.constraints.words import expected, visible
from playground.errors import InvalidInput

PAGE = 25
"""States on one page of the table."""
BUCKETS = 64
"""Cells of the picture of a mask: the ids in order, each cell the share of its tokens allowed."""
SAMPLED = 100
"""States that the histogram looks at, spread evenly where there are more."""
LISTED = 200
"""Allowed tokens that are listed of one state."""


def index_page(automaton: ByteAutomaton, page: int) -> dict[str, Any]:
    """PAGE states from number `page` * PAGE on.

    Returns:
        `{"states": all, "page", "pages", "rows": [{"state", "name", "final", "allowed", "words",
        "mask": hex of the first 8 bytes of the bitmask, "cells": BUCKETS shares}]}`.
    """
    count = len(automaton.dfa)
    pages = -(-count // PAGE)
    page = min(max(page, 0), pages - 1)
    rows = [_row(automaton, state) for state in range(page * PAGE, min(count, (page + 1) * PAGE))]
    words = -(-len(automaton.vocabulary) // 32)
    return {"states": count, "page": page, "pages": pages, "mask_words": words, "rows": rows}


def _row(automaton: ByteAutomaton, state: int) -> dict[str, Any]:
    mask = automaton.mask(state)
    packed = np.packbits(mask, bitorder="little")
    cells = np.add.reduceat(mask, _edges(len(mask))) / np.diff([*_edges(len(mask)), len(mask)])
    witness = automaton.dfa.witness(state, 80)
    return {
        "state": state,
        "name": f"q{state}",
        "final": bool(automaton.dfa.final[state]),
        "allowed": int(mask.sum()),
        "words": ", ".join(expected(automaton.dfa, state)[:6]),
        "after": None if witness is None else visible(witness).replace(" ", "␣"),
        "mask": packed[:8].tobytes().hex(" "),
        "cells": [round(float(share), 4) for share in cells],
    }


def _edges(size: int) -> list[int]:
    return sorted({size * bucket // BUCKETS for bucket in range(BUCKETS)})


def histogram(automaton: ByteAutomaton) -> dict[str, Any]:
    """How many tokens the states allow: counts by powers of ten.

    Returns:
        `{"bins": [{"from", "to", "states"}], "looked_at", "of"}`; over a sample where there are
        more than SAMPLED states.
    """
    count = len(automaton.dfa)
    states = np.unique(np.linspace(0, count - 1, min(count, SAMPLED)).astype(int))
    allowed = np.array([int(automaton.mask(int(state)).sum()) for state in states])
    edges = [0, 1, 2, 10, 100, 1_000, 10_000, 10**9]
    bins = [
        {"from": low, "to": high - 1, "states": int(((allowed >= low) & (allowed < high)).sum())}
        for low, high in pairwise(edges)
    ]
    return {"bins": bins, "looked_at": len(states), "of": count}


def index_state(automaton: ByteAutomaton, state: int) -> dict[str, Any]:
    """One state opened: its allowed tokens, each with the state that it leads to.

    Raises:
        InvalidInput: there is no such state.
    """
    if not 0 <= state < len(automaton.dfa):
        raise InvalidInput(
            f"There is no state q{state}.", f"The last one is q{len(automaton.dfa) - 1}.", "state"
        )
    mask = automaton.mask(state)
    vocabulary = automaton.vocabulary
    tokens = []
    for token in np.flatnonzero(mask)[:LISTED]:
        end = int(token) in vocabulary.eos_ids
        tokens.append(
            {
                "id": int(token),
                "text": vocabulary.name(int(token)),
                "to": None if end else f"q{automaton.advance(state, int(token))}",
            }
        )
    return {"name": f"q{state}", "allowed": int(mask.sum()), "tokens": tokens}
