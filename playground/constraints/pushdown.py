"""Automata with a stack: another library's matcher behind the protocol, states as plain values."""

import zlib
from collections import OrderedDict
from threading import RLock
from typing import Protocol

import numpy as np

from playground.constraints.automaton import Hops, State, StateView
from playground.constraints.masks import MaskStore
from playground.constraints.nesting import Place
from playground.constraints.pushdown_words import byte_classes, completion
from playground.constraints.words import sentence
from playground.logspace import Mask
from playground.vocabulary import Vocabulary

MAX_MATCHERS = 256
"""So many matchers of the states visited last are kept; others are read again from the text."""
MAX_LOOKED = 256
"""So many bytes before a state's end are tried for a matcher that is kept."""
MAX_VIEWS = 512
FORCED = "the longer token that is forced here"
"""What is expected instead of a token whose bytes could all follow."""


class Matcher(Protocol):
    """One run of a grammar, which moves forward only; not thread-safe."""

    def fork(self) -> "Matcher":
        """A copy that moves on its own."""
        ...

    def feed(self, text: bytes) -> bool:
        """Move over `text`. False where it can't follow; the matcher is then of no use."""
        ...

    def final(self) -> bool:
        """The text may stop here."""
        ...

    def allowed(self) -> Mask:
        """(V,) bool: what the engine allows; only tokens with bytes count."""
        ...


class PushdownAutomaton:
    """A grammar over one vocabulary. A state is the text so far, as bytes, so that it is a value:
    going back costs nothing. Matchers of the latest states are kept to fork from."""

    initial = b""

    def __init__(
        self,
        engine: str,
        root: Matcher,
        vocabulary: Vocabulary,
        twin: "PushdownAutomaton | None" = None,
        place: Place | None = None,
    ) -> None:
        """`root` has read nothing. `twin` is the same grammar over BYTES, None where this is it;
        `place` tells where a text stands."""
        self.engine = engine
        self.vocabulary = vocabulary
        self._root = root
        self._twin = twin
        self._place = place or Place()
        self._lock = RLock()
        self._matchers: OrderedDict[bytes, Matcher] = OrderedDict()
        self._views: OrderedDict[bytes, StateView] = OrderedDict()
        self._masks = MaskStore(len(vocabulary))
        self._eos = sorted(vocabulary.eos_ids)
        self._spelled = np.array([text is not None for text in vocabulary.tokens])
        self._empty = [token for token, text in enumerate(vocabulary.tokens) if text == b""]

    @property
    def bytes_twin(self) -> "PushdownAutomaton":
        """The same grammar over BYTES."""
        return self._twin or self

    def mask(self, state: State) -> Mask:
        """(V,) bool, read-only: what the engine allows; an EOS id exactly where `is_final`."""
        return self._masks.get(state, lambda: self.walk_mask(state))

    def walk_mask(self, state: State) -> Mask:
        """(V,) bool: `mask`, computed anew."""
        with self._lock:
            matcher = self._at(_text(state))
            mask: Mask = matcher.allowed() & self._spelled
            final = matcher.final()
        mask[self._empty] = True  # adds nothing, so it keeps any text
        mask[self._eos] = final
        return mask

    def advance(self, state: State, token: int) -> bytes:
        """The text with `token`.

        Raises:
            ValueError: the engine does not allow the token, or it ends the run.
        """
        text = self.vocabulary.tokens[token]
        if text is None or not self.mask(state)[token]:
            raise ValueError(f"token {token} can't follow state {_name(_text(state))}")
        return _text(state) + text

    def is_final(self, state: State) -> bool:
        """The text may stop here."""
        with self._lock:
            return self._at(_text(state)).final()

    def hops(self, state: State, token: int) -> Hops:
        """The states after each byte of `token`, asked byte by byte."""
        before, twin = _text(state), self.bytes_twin
        text = self.vocabulary.tokens[token]
        if text is None:
            allowed = token in self.vocabulary.eos_ids and self.is_final(state)
            expected = () if allowed else byte_classes(twin, before)
            return Hops((_name(before),), None if allowed else 0, expected)
        names = [_name(before)]
        for index, byte in enumerate(text):
            if not twin.mask(before)[byte]:
                return Hops(tuple(names), index, byte_classes(twin, before))
            before += bytes([byte])
            names.append(_name(before))
        if not self.mask(state)[token]:
            return Hops(tuple(names[:-1] or names), max(0, len(text) - 1), (FORCED,))
        return Hops(tuple(names), None, ())

    def describe(self, state: State, text: bytes | None = None) -> StateView:
        """The state in words. `text` is the state itself, so it need not be given."""
        written = _text(state)
        with self._lock:
            kept = self._views.get(written)
        if kept is not None:
            return kept
        twin, final = self.bytes_twin, self.is_final(state)
        classes = byte_classes(twin, written)
        pointer, words = self._place.located(written, sentence(classes, final))
        needs = "" if final else completion(twin, written)
        frames, source = self._place.stack(written)
        view = StateView(_name(written), words, classes, final, pointer, needs, frames, source)
        with self._lock:
            self._views[written] = view
            while len(self._views) > MAX_VIEWS:
                self._views.popitem(last=False)
        return view

    def matcher(self, state: State) -> Matcher:
        """A matcher that has read `state`, the caller's own."""
        with self._lock:
            return self._at(_text(state)).fork()

    def _at(self, state: bytes) -> Matcher:
        """The matcher of `state`; with the lock held, and not to be moved."""
        matcher = self._matchers.get(state)
        if matcher is None:
            start, cut = self._root, 0
            for end in range(len(state) - 1, max(0, len(state) - MAX_LOOKED), -1):
                kept = self._matchers.get(state[:end])
                if kept is not None:
                    start, cut = kept, end
                    break
            matcher = start.fork()
            if cut < len(state) and not matcher.feed(state[cut:]):
                raise ValueError(f"{_name(state)} is no state of this automaton")
            self._matchers[state] = matcher
            while len(self._matchers) > MAX_MATCHERS:
                self._matchers.popitem(last=False)
        else:
            self._matchers.move_to_end(state)
        return matcher


def _text(state: State) -> bytes:
    assert isinstance(state, bytes), state
    return state


def _name(state: bytes) -> str:
    """As `b12-3fa`: how many bytes were read, and a mark that tells such texts apart."""
    return f"b{len(state)}-{zlib.crc32(state) & 0xFFF:03x}"
