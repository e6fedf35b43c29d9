"""How far a lowering goes before it is cut: a ladder of limits, tried from the widest down."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Where to cut what a finite automaton can't hold."""

    levels: int
    """So many levels of a recursive schema are unrolled."""
    any_depth: int
    """Levels of arrays and objects inside a value without a schema."""
    extra_depth: int
    """The same inside the values of extra keys of an object with named ones."""
    count: int
    """Largest `minLength`, `maxLength`, `minItems`, `maxItems` that is counted."""
    pattern: int
    """Largest string, in estimated byte states, that a pattern or format may cost."""
    ordered: bool
    """Wide objects of optional properties keep the schema's order and never repeat a key."""
    nesting: int
    """Deeper than this, optional properties and items are left out."""
    states: int
    """Estimated byte states up to which this rung is taken."""


LADDER = (
    Limits(8, 4, 3, 2_000, 6_000, True, 60, 8_000),
    Limits(8, 3, 2, 2_000, 6_000, True, 60, 8_000),
    Limits(5, 3, 1, 2_000, 20_000, True, 60, 25_000),
    Limits(5, 2, 1, 2_000, 20_000, True, 60, 30_000),
    Limits(3, 2, 0, 2_000, 6_000, True, 60, 40_000),
    Limits(2, 1, 0, 500, 2_000, True, 60, 50_000),
    Limits(2, 1, 0, 200, 1_000, False, 60, 60_000),
    Limits(1, 0, 0, 50, 300, False, 12, 70_000),
    Limits(1, 0, 0, 50, 300, False, 8, 70_000),
    Limits(1, 0, 0, 50, 300, False, 6, 70_000),
    Limits(1, 0, 0, 50, 300, False, 4, 70_000),
    Limits(1, 0, 0, 50, 300, False, 3, 90_000),
)
