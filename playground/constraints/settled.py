"""Where a constraint leaves no choice: the one text that can still follow a state."""

from functools import lru_cache

import numpy as np

from playground.constraints.automaton import State, TokenAutomaton
from playground.constraints.byte_automaton import ByteAutomaton
from playground.constraints.dfa import DEAD, ByteDFA


def spells_bytes(constraint: TokenAutomaton) -> bool:
    """Every byte that the constraint can ask for is a token of its own, and no token is empty: then
    an allowed text of n bytes can always be finished, in at most n tokens."""
    if not isinstance(constraint, ByteAutomaton):
        return False
    dfa, single = constraint.dfa, np.zeros(256, dtype=bool)
    for text in constraint.vocabulary.tokens:
        if text == b"":
            return False
        if text is not None and len(text) == 1:
            single[text[0]] = True
    asked = np.any(dfa.moves != DEAD, axis=0)[dfa.classes]
    return bool(np.all(single[asked]))


class Settled:
    """The states of one constraint that a single text can follow. Values are cached."""

    def __init__(self, constraint: TokenAutomaton) -> None:
        self._dfa: ByteDFA | None = None
        if isinstance(constraint, ByteAutomaton) and spells_bytes(constraint):
            self._dfa = constraint.dfa
        self.text = lru_cache(maxsize=65536)(self._text)

    def _text(self, state: State) -> bytes | None:
        """The only text that completes `state`, None where there are several or it isn't known."""
        dfa = self._dfa
        if dfa is None or not isinstance(state, int | np.integer):
            return None
        text, here, seen = bytearray(), int(state), set[int]()
        while True:
            row = dfa.row(here)
            alive = np.flatnonzero(row != DEAD)
            if dfa.final[here]:
                return bytes(text) if not len(alive) else None
            if len(alive) != 1 or here in seen:
                return None
            seen.add(here)
            text.append(int(alive[0]))
            here = int(row[alive[0]])
