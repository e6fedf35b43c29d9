"""What compiling a constraint gives: the automaton and an account of it."""

from dataclasses import dataclass
from typing import Literal

from playground.constraints.automaton import TokenAutomaton
from playground.constraints.notes import Note
from playground.constraints.spec import ConstraintSpec

Cached = Literal["no", "memory", "disk"]


@dataclass(frozen=True, slots=True)
class Report:
    """An account of one compilation."""

    regex: str
    """The regex that was compiled, in Rust's syntax; empty for the free constraint."""
    states: int
    """Byte states; token states for an engine without them."""
    transitions: int
    """Pairs of a state and a byte (or token) that may follow it."""
    compile_seconds: float
    """Wall-clock seconds of this call, up to the first mask but without it."""
    cached: Cached
    notes: tuple[Note, ...] = ()
    """What the mask does not enforce, or narrows, in words."""


@dataclass(frozen=True, eq=False, slots=True)
class Compiled:
    """A constraint, ready to use with one vocabulary."""

    automaton: TokenAutomaton
    spec: ConstraintSpec
    report: Report
