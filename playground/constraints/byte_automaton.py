"""The exact token automaton: a byte automaton walked over the vocabulary's trie, state by state."""

import json
from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache, partial
from typing import Any

import numpy as np

from playground.constraints.automaton import Hops, State, StateView
from playground.constraints.dfa import DEAD, ByteDFA
from playground.constraints.graph import Drawing, Graph
from playground.constraints.masks import MaskStore
from playground.constraints.trie import Walker, trie_of
from playground.constraints.words import MAX_SHOWN, expected, sentence, shortened
from playground.logspace import Mask
from playground.vocabulary import Vocabulary

WORDED = 1024
"""States whose next characters are kept in words."""
MAX_FORCED = 200
"""Longest forced text that is spelled out, bytes."""


class ByteAutomaton:
    """A constraint over one vocabulary, exactly: a token is allowed if and only if the text with
    it is a prefix of a valid text. States are the numbers of byte states, 0 the initial one."""

    engine = "bytes"
    initial = 0

    def __init__(self, dfa: ByteDFA, vocabulary: Vocabulary, schema: str | None = None) -> None:
        """`schema` is the text of the JSON Schema that `dfa` was lowered from, if it was."""
        self.dfa = dfa
        self.vocabulary = vocabulary
        self._schema_text = schema
        self._masks = MaskStore(len(vocabulary))
        self._eos = sorted(vocabulary.eos_ids)

    @cached_property
    def _walker(self) -> Walker:
        return Walker(self.dfa, trie_of(self.vocabulary))

    @cached_property
    def _drawing(self) -> Drawing:
        return Drawing(self.dfa)

    @cached_property
    def _expected(self) -> Callable[[int], tuple[str, ...]]:
        return lru_cache(maxsize=WORDED)(partial(expected, self.dfa))

    @cached_property
    def _schema(self) -> Any:
        return None if self._schema_text is None else json.loads(self._schema_text)

    def mask(self, state: State) -> Mask:
        """(V,) bool, read-only: the tokens that keep the text a prefix of a valid one."""
        return self._masks.get(state, lambda: self.walk_mask(state))

    def walk_mask(self, state: State) -> Mask:
        """(V,) bool: `mask`, computed anew."""
        number = self._number(state)
        mask = self._walker.alive(number)
        mask[self._eos] = self.dfa.final[number]
        return mask

    def advance(self, state: State, token: int) -> int:
        """The byte state after `token`.

        Raises:
            ValueError: the token can't follow, has no bytes, or ends the run.
        """
        text = self.vocabulary.tokens[token]
        if text is not None:
            states = self.dfa.walk(self._number(state), text)
            if len(states) == len(text) + 1:
                return states[-1]
        raise ValueError(f"token {token} can't follow state q{state}")

    def is_final(self, state: State) -> bool:
        """The text may stop here."""
        return bool(self.dfa.final[self._number(state)])

    def hops(self, state: State, token: int) -> Hops:
        """The byte states that `token` crosses; a token without bytes crosses none."""
        number = self._number(state)
        text = self.vocabulary.tokens[token]
        if text is None:
            allowed = token in self.vocabulary.eos_ids and bool(self.dfa.final[number])
            return Hops(
                (f"q{number}",),
                None if allowed else 0,
                () if allowed else self._expected(number),
            )
        states = self.dfa.walk(number, text)
        killed = len(states) - 1 if len(states) <= len(text) else None
        return Hops(
            tuple(f"q{crossed}" for crossed in states),
            killed,
            () if killed is None else self._expected(states[-1]),
        )

    def describe(self, state: State, text: bytes | None = None) -> StateView:
        """The state in words. Without `text`, the place in a schema is that of a shortest text
        which leads here."""
        number = self._number(state)
        final = bool(self.dfa.final[number])
        classes = self._expected(number)
        words = sentence(classes, final, forced_text(self.dfa, number))
        pointer = None
        if self._schema is not None:
            from playground.constraints.jsonschema.place import FAR, MAX_TEXT, Place, locate

            written = self.dfa.witness(number, MAX_TEXT) if text is None else text
            place = Place("", FAR) if written is None else locate(self._schema, written)
            pointer = place.pointer
            words = located(place.words, words)
        needed = self.dfa.completion(number, MAX_SHOWN)
        needs = shortened(needed, int(self.dfa.to_final[number]))
        return StateView(f"q{number}", words, classes, final, pointer, needs)

    def graph(self, state: State, path_states: Iterable[State] = (), full: bool = False) -> Graph:
        """The automaton around `state`, or all of it if small: see `graph.Drawing.around`."""
        return self._drawing.around(
            self._number(state), [self._number(visited) for visited in path_states], full
        )

    def _number(self, state: State) -> int:
        assert isinstance(state, int | np.integer), state
        return int(state)


def forced_text(dfa: ByteDFA, state: int) -> bytes:
    """The bytes that every valid text has after `state`, up to the next choice or possible end."""
    text = bytearray()
    while not dfa.final[state]:
        row = dfa.row(state)
        alive = np.flatnonzero(row != DEAD)
        if len(alive) != 1 or len(text) >= MAX_FORCED:
            break
        text.append(int(alive[0]))
        state = int(row[alive[0]])
    return bytes(text)


def located(place: str, words: str) -> str:
    """The place in the schema, as a sentence, before what is expected there."""
    if not place:
        return words
    place = place[:1].upper() + place[1:]
    return f"{place if place.endswith(('.', ':', ';')) else place + '.'} {words}"
