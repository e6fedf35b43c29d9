"""A regex -> its byte automaton, by outlines_core. Runs in the compiling child process only."""

from itertools import chain
from typing import Any

import numpy as np

from playground.constraints.dfa import DEAD, ByteDFA, trimmed
from playground.errors import BudgetExceeded, EmptyLanguage, InvalidInput

WRAP = r"\x00\x00(?:{})\x00\z|\x00\x00\z|\x00"
r"""How a regex R is handed to outlines_core, so that its Index is exact and small.

- `\x00\z` at the end: matches are seen at the end only, so no alternative is dropped for an
  earlier one, and no transition for a match before it. A text is in R exactly where one more
  \x00 leads to a final state, whether or not R itself can match \x00.
- The last alternative `\x00` matches after one byte and ranks below R. Leftmost-first, it ends
  the search for later starts, which outlines_core determinises too, never uses, and which is what
  explodes (a root string of at most 18 characters would not compile in 40 s).
- `\x00\x00\z` keeps the second byte's transition, which the Index would drop as one past a match.
"""


_NO_WAY_ON = "no transitions from state"
"""In outlines_core's complaint that a state has no way on, here: the language is empty."""


def byte_vocabulary() -> Any:
    """outlines_core's vocabulary of the 256 bytes, each under its own number."""
    from outlines_core import Vocabulary

    return Vocabulary(256, {bytes([byte]): [byte] for byte in range(256)})


def readable(regex: str) -> bool:
    """outlines_core can read `regex`, whether or not any text matches it."""
    from outlines_core import Index

    try:
        Index(WRAP.format(regex), byte_vocabulary())
    except ValueError as error:
        return _NO_WAY_ON in str(error)
    return True


def build(regex: str, max_states: int) -> ByteDFA:
    """The byte automaton of `regex`, which the whole text must match.

    Raises:
        InvalidInput: outlines_core can't read the regex.
        EmptyLanguage: no text matches.
        BudgetExceeded: it has more than `max_states` states.
    """
    from outlines_core import Index

    try:
        index = Index(WRAP.format(regex), byte_vocabulary())
    except ValueError as error:
        if _NO_WAY_ON in str(error):
            raise _empty() from error
        raise InvalidInput(
            "The regex engine refuses this regex.", "Simplify it, or write it another way."
        ) from error
    edges: dict[int, dict[int, int]] = index.get_transitions()
    if len(edges) > 2 * max_states:
        raise _too_many(max_states)
    names = np.fromiter(edges, np.int64, len(edges))
    order = np.argsort(names)
    widths = np.fromiter(map(len, edges.values()), np.int64, len(edges))
    total = int(widths.sum())
    sources = np.repeat(np.arange(len(edges)), widths)
    labels = np.fromiter(chain.from_iterable(edges.values()), np.int64, total)
    targets = np.fromiter(chain.from_iterable(map(dict.values, edges.values())), np.int64, total)
    del edges
    # Column 256 is outlines_core's end of text, which leads back to the same state.
    table = np.full((len(names), 257), DEAD, dtype=np.int32)
    table[sources, labels] = order[np.searchsorted(names[order], targets)]
    ends = np.append(np.isin(names, list(index.get_final_states())), False)
    initial = int(order[np.searchsorted(names[order], index.get_initial_state())])
    for _ in range(2):
        initial = int(table[initial, 0])
    dfa = trimmed(table[:, :256], initial, ends[table[:, 0]])
    if dfa is None:
        raise _empty()
    if len(dfa) > max_states:
        raise _too_many(max_states)
    return dfa


def _empty() -> EmptyLanguage:
    return EmptyLanguage(
        "No text satisfies this constraint.",
        "Look for parts that exclude each other, such as an empty class or empty bounds.",
    )


def _too_many(max_states: int) -> BudgetExceeded:
    return BudgetExceeded(
        f"The automaton has more than {max_states:,} byte states.",
        "Lower the bounds of repeats and lengths, use ASCII classes such as [a-z] instead of \\w, "
        "or drop a bound altogether: * needs far fewer states than {0,1000}.",
    )
