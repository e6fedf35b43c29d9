"""The protocol of a compiled constraint: an automaton over tokens whose states are values."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from playground.constraints.graph import Graph
from playground.logspace import Mask
from playground.vocabulary import Vocabulary

State = Hashable
"""An automaton state: an int for finite automata; opaque, hashable and immutable."""


@dataclass(frozen=True, slots=True)
class StateView:
    """A state in words, for people."""

    name: str
    """A short stable name, for example `q17`."""
    words: str
    """One plain sentence: what is expected here."""
    expected: tuple[str, ...]
    """Merged byte classes that may follow, in words: `0-9`, `"`, `any letter`, ..."""
    may_stop: bool
    """The text is valid if it stops here."""
    pointer: str | None = None
    """JSON pointer into the schema of the part being written; None where there is no schema."""
    needs: str = ""
    """A shortest text that would complete it, its beginning where it is long; empty when it may
    stop. Pushdown engines give a short one, and nothing where none is found soon."""
    stack: tuple[str, ...] = ()
    """What is open here, as phrases, the outermost first; empty for a finite automaton."""
    stack_of: str = ""
    """Where the stack was read: `the grammar's rules`, `the nesting of the text`; empty without."""


@dataclass(frozen=True, slots=True)
class Hops:
    """The way of one token through the byte states."""

    states: tuple[str, ...]
    """Names of the states visited, the start first: one more than the bytes that were read."""
    killed_at: int | None
    """Index in the token of the byte that can't follow; None when the whole token is allowed."""
    expected: tuple[str, ...]
    """Where it was killed: the byte classes expected instead."""


class TokenAutomaton(Protocol):
    """A compiled constraint over one vocabulary. Shared and immutable; `mask` may cache."""

    @property
    def vocabulary(self) -> Vocabulary: ...

    @property
    def engine(self) -> str:
        """The engine's registry name: `bytes`, `outlines`, ..."""
        ...

    @property
    def initial(self) -> State: ...

    def mask(self, state: State) -> Mask:
        """(V,) bool, EOS included: the token keeps the text a prefix of a valid text; every EOS
        id is True exactly where `is_final`. Read-only, cached per state."""
        ...

    def advance(self, state: State, token: int) -> State:
        """The state after `token`, an allowed token that is no EOS.

        Raises:
            ValueError: the mask does not allow the token.
        """
        ...

    def is_final(self, state: State) -> bool:
        """The text may stop here."""
        ...

    def describe(self, state: State, text: bytes | None = None) -> StateView:
        """The state in words; `text`, the output so far, sharpens the place in the schema."""
        ...

    def hops(self, state: State, token: int) -> Hops:
        """The byte states that `token` crosses, and the byte that kills a blocked one."""
        ...


@runtime_checkable
class Drawable(Protocol):
    """An automaton that can be drawn."""

    def graph(self, state: State, path_states: Iterable[State] = (), full: bool = False) -> Graph:
        """The automaton around `state`, or all of it where it is small; `path_states` are kept as
        nodes."""
        ...
