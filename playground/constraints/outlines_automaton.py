"""A token Index of outlines_core behind the protocol of automata."""

import json
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from playground.constraints.automaton import Hops, State, StateView
from playground.constraints.byte_automaton import located
from playground.constraints.dfa import DEAD
from playground.constraints.masks import MaskStore
from playground.constraints.words import classes_of, sentence
from playground.logspace import Mask
from playground.vocabulary import Vocabulary


class OutlinesAutomaton:
    """States are the Index's own ids. The byte automaton of the same regex, built raw as well,
    shows a token's way where there is one: the Index lacks transitions, single bytes more so."""

    engine = "outlines"

    def __init__(
        self,
        index: Any,
        nbytes: int,
        names: NDArray[np.int64],
        table: NDArray[np.int32],
        vocabulary: Vocabulary,
        schema: str | None = None,
    ) -> None:
        """`names` are the ids of the m byte states, `table` (m, 256) their next positions."""
        self.vocabulary = vocabulary
        self.nbytes = nbytes
        self._index = index
        self._names = names
        self._table = table
        self._place = {int(name): place for place, name in enumerate(names)}
        self._schema_text = schema
        self._masks = MaskStore(len(vocabulary))

    @cached_property
    def _schema(self) -> Any:
        return None if self._schema_text is None else json.loads(self._schema_text)

    @property
    def initial(self) -> int:
        """The Index's initial state."""
        return int(self._index.get_initial_state())

    def mask(self, state: State) -> Mask:
        """(V,) bool, read-only: what outlines would allow."""
        return self._masks.get(state, lambda: self.walk_mask(state))

    def walk_mask(self, state: State) -> Mask:
        """(V,) bool: `mask`, computed anew."""
        mask = np.zeros(len(self.vocabulary), dtype=bool)
        mask[self._index.get_allowed_tokens(state) or []] = True
        mask[sorted(self.vocabulary.eos_ids)] = self.is_final(state)
        return mask

    def advance(self, state: State, token: int) -> int:
        """The Index's next state.

        Raises:
            ValueError: the Index does not allow the token, or it ends the run.
        """
        after = None
        if token not in self.vocabulary.eos_ids:
            after = self._index.get_next_state(state, token)
        if after is None:
            raise ValueError(f"token {token} can't follow state {self._name(state)}")
        return int(after)

    def is_final(self, state: State) -> bool:
        """The Index calls the state final."""
        return bool(self._index.is_final_state(state))

    def hops(self, state: State, token: int) -> Hops:
        """The byte states on the token's way, where they exist; else its two ends."""
        start = self._name(state)
        if token in self.vocabulary.eos_ids:
            may = self.is_final(state)
            return Hops((start,), None if may else 0, () if may else self._expected(state))
        after = self._index.get_next_state(state, token)
        text = self.vocabulary.tokens[token] or b""
        states = self._walk(state, text)
        if after is not None:
            whole = len(states) == len(text) + 1 and self._names[states[-1]] == after
            crossed = [f"q{place}" for place in states] if whole else [start, self._name(after)]
            return Hops(tuple(crossed), None, ())
        if not states:
            return Hops((start,), 0, self._expected(state))
        # The bytes may all have a way and the token none: then its last byte is to blame.
        states = states[: max(1, len(text))]
        row = self._table[states[-1]]
        return Hops(tuple(f"q{place}" for place in states), len(states) - 1, classes_of(row))

    def describe(self, state: State, text: bytes | None = None) -> StateView:
        """The state in words, from the tokens that it allows. What would complete the text is
        not known here, so `needs` is empty."""
        classes = self._expected(state)
        words = sentence(classes, self.is_final(state))
        pointer = None
        if self._schema is not None and text is not None:
            from playground.constraints.jsonschema.place import locate

            place = locate(self._schema, text)
            pointer, words = place.pointer, located(place.words, words)
        return StateView(self._name(state), words, classes, self.is_final(state), pointer)

    def _name(self, state: State) -> str:
        place = self._place.get(state) if isinstance(state, int) else None
        return f"s{state}" if place is None else f"q{place}"

    def _walk(self, state: State, text: bytes) -> list[int]:
        """Positions of the byte states that `text` crosses; empty where the start is unknown."""
        place = self._place.get(state) if isinstance(state, int) else None
        if place is None:
            return []
        states = [place]
        for byte in text:
            place = int(self._table[place, byte])
            if place == DEAD:
                break
            states.append(place)
        return states

    def _expected(self, state: State) -> tuple[str, ...]:
        """Classes of the first bytes of the allowed tokens."""
        row = np.full(256, DEAD, dtype=np.int32)
        place = self._place.get(state) if isinstance(state, int) else None
        for token in self._index.get_allowed_tokens(state) or []:
            spelled = self.vocabulary.tokens[token]
            if spelled:
                row[spelled[0]] = 0 if place is None else self._table[place, spelled[0]] + 1
        return classes_of(row)
