"""From the text of a JSON Schema to a regex: parse, check, lower under a ladder of limits."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from playground.constraints.jsonschema import remarks, scalars
from playground.constraints.jsonschema.check import check
from playground.constraints.jsonschema.expand import Expander
from playground.constraints.jsonschema.items import array
from playground.constraints.jsonschema.jsontext import JsonText
from playground.constraints.jsonschema.limits import LADDER
from playground.constraints.jsonschema.lowering import TOO_DEEP, Kind, Lowering
from playground.constraints.jsonschema.members import members
from playground.constraints.jsonschema.piece import MAX_TEXT, TooLarge
from playground.constraints.jsonschema.refs import References
from playground.constraints.jsonschema.source import Parsed, whole_schema
from playground.constraints.notes import Note
from playground.constraints.spec import Whitespace
from playground.errors import BudgetExceeded, EmptyLanguage

MAX_NESTED_GROUPS = 230
"""The regex compiler refuses syntax trees deeper than 250."""

NARROWING = frozenset(
    {"contains", "depth", "format", "not", "order", "unevaluatedItems", "unevaluatedProperties"}
)
"""Topics of notes that say how the mask is narrower than the schema, beyond spelling."""
KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "null": scalars.null,
        "boolean": scalars.boolean,
        "number": scalars.number,
        "string": scalars.string,
        "array": array,
        "object": members,
    }
)
"""How the facts about each type become a piece."""


@dataclass(frozen=True, slots=True)
class Lowered:
    """A schema as a regex over UTF-8 bytes, to be matched as a whole."""

    regex: str
    """Rust syntax; every text it matches is JSON and, but for the notes, valid."""
    notes: tuple[Note, ...]
    """What is not enforced or narrower than the schema, then what is odd about the schema."""
    schema: Any
    """The parsed schema, for the judge and for `place.locate`."""


def lower(schema_text: str, whitespace: Whitespace = "one") -> Lowered:
    """Lower one JSON Schema.

    Raises:
        InvalidInput: the text isn't JSON; with line and column.
        UnsupportedSchema: an unknown type, a reference that leads outside or nowhere.
        EmptyLanguage: nothing satisfies the schema; `where` is the pointer of the reason.
        BudgetExceeded: the regex would be too large even under the narrowest limits.
    """
    parsed = whole_schema(schema_text)
    warnings = tuple(check(parsed))
    found: dict[Note, None] = {}
    expander = Expander(References(parsed.value), lambda note: found.setdefault(note))
    text = JsonText(whitespace)
    for rung, limits in enumerate(LADDER):
        lowering = Lowering(expander, text, limits, KINDS)
        try:
            piece = lowering.value([expander.references.root], limits.any_depth)
        except TooLarge:
            continue
        if piece is None:
            if rung == 0 and lowering.reasons[-1][1] != TOO_DEEP:
                narrowed = any(note.keyword in NARROWING for note in [*found, *lowering.notes])
                raise _empty(lowering, parsed, narrowed)
        elif piece.cost <= limits.states and piece.depth <= MAX_NESTED_GROUPS:
            said = [*found, *lowering.notes, *lowering.left_out(), *warnings]
            return Lowered(piece.text, _sorted(remarks.agreeing(said)), parsed.value)
    raise BudgetExceeded(
        f"The schema needs a regex of more than {MAX_TEXT:,} characters or too many states.",
        "Make properties required, close objects, or lower maxItems, maxLength and nesting.",
    )


def _empty(lowering: Lowering, parsed: Parsed, narrowed: bool) -> EmptyLanguage:
    pointer, why = lowering.reasons[-1]
    place = parsed.places.get(pointer)
    line, column = place if place else (None, None)
    subject = "No JSON value that the mask can offer" if narrowed else "No JSON value"
    return EmptyLanguage(
        f"{subject} satisfies the schema: {why}.",
        "Loosen the keywords at this place.",
        pointer or "the root",
        line,
        column,
    )


def _sorted(notes: Iterable[Note]) -> tuple[Note, ...]:
    """Without repetitions, the weightiest level first."""
    order = ("not-enforced", "partly", "warning", "info")
    return tuple(sorted(dict.fromkeys(notes), key=lambda note: order.index(note.level)))
