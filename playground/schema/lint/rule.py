"""What a rule of the lint is, and what it finds."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from playground.constraints.jsonschema.source import keys

if TYPE_CHECKING:
    from playground.schema.lint.scene import Scene

Level = Literal["error", "warning", "info"]
LEVELS: tuple[Level, ...] = ("error", "warning", "info")


@dataclass(frozen=True, slots=True)
class Fix:
    """A change that can be applied with one click."""

    title: str
    source: str
    """The whole new source text."""
    keeps: bool = False
    """It claims to accept the same instances as before."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One row of the lint, before it is numbered."""

    pointer: str
    """JSON pointer of the (first) place; empty for the root and for texts that aren't JSON."""
    message: str
    fix: Fix | None = None
    level: Level | None = None
    """Where it differs from the rule's."""
    place: tuple[int, int] | None = None
    """(line, column), from 1; None: that of the pointer."""
    demo: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of mistake or risk."""

    code: str
    """`L001`, ...: never used again for another rule."""
    name: str
    level: Level
    why: str
    """One or two sentences: why it matters, and on what ground that is said."""
    find: Callable[["Scene"], Iterable[Finding]]
    advice: bool = False
    """It says how a sound schema might be better; other rules find what is probably a mistake."""


ROOT, ITEMS = "the root", "the items"
_KEYWORDS = frozenset(
    {"properties", "$defs", "definitions", "patternProperties", "additionalProperties"}
    | {"anyOf", "oneOf", "allOf", "prefixItems", "then", "else", "dependentSchemas"}
)
"""Steps of a pointer that a reader need not see."""


def friendly(pointer: str) -> str:
    """The place as a reader calls it: `/properties/a/items/properties/b` is a[].b."""
    said = ""
    named = False
    for part in keys(pointer):
        if not named and (part in _KEYWORDS or part.isdecimal()):
            named = part in ("properties", "$defs", "definitions")
        elif not named and part == "items":
            said += "[]"
        else:
            said, named = f"{said}.{part}" if said else part, False
    return ITEMS if said == "[]" else said or ROOT


def listing(names: Iterable[str], most: int = 3) -> str:
    """`a`, `b`, `c` and 4 more."""
    listed = list(names)
    shown = [
        name if name in (ROOT, ITEMS) else f"`{name[:40]}{'…' if len(name) > 40 else ''}`"
        for name in listed[:most]
    ]
    more = len(listed) - most
    if more > 0:
        return f"{', '.join(shown)} and {more} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else "".join(shown)


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 field`, `2 fields`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
