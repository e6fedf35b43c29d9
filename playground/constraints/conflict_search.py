"""The smallest part of a schema that already has no value: keywords are left out one by one."""

import json
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from playground.constraints.build import build
from playground.constraints.jsonschema import lower
from playground.constraints.jsonschema.keywords import (
    ANNOTATIONS,
    HOLD_ONE,
    HOLDERS,
    REFERENCES,
    TYPES,
    subschemas,
)
from playground.constraints.jsonschema.source import BOM, step
from playground.constraints.limits import Limits
from playground.constraints.spec import Whitespace
from playground.errors import EmptyLanguage, PlaygroundError

_SHELVES = frozenset({"$defs", "definitions"})
_ONE_TYPE = {
    "number": {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"},
    "string": {"minLength", "maxLength", "pattern", "format"},
    "array": {
        *("items", "prefixItems", "additionalItems", "unevaluatedItems", "contains"),
        *("minItems", "maxItems", "uniqueItems", "minContains", "maxContains"),
    },
    "object": {
        *("properties", "patternProperties", "additionalProperties", "unevaluatedProperties"),
        *("required", "minProperties", "maxProperties", "propertyNames"),
        *("dependentRequired", "dependentSchemas", "dependencies"),
    },
}
"""Keywords that speak of values of one type only."""


class Piece(NamedTuple):
    """A keyword, or a schema `false`, that can be left out."""

    owner: str
    """Pointer of the schema that holds the keyword, or of the `false` itself."""
    keyword: str
    """Empty for a `false`."""

    @property
    def pointer(self) -> str:
        return step(self.owner, self.keyword) if self.keyword else self.owner


def search(text: str, whitespace: Whitespace, seconds: float, limits: Limits) -> dict[str, Any]:
    """The pieces of the schema `text` that together have no value, none of which can be spared.

    Returns:
        `pieces`: pairs of a pointer and a keyword; `context`: those that only lead to them or
        name the type they are about; `complete`: False where the time was up before
        every piece was tried. No pieces where the schema has values after all.
    """
    schema = json.loads(text.removeprefix(BOM))
    empty = _tester(schema, whitespace, limits)
    kept = list(_pieces(schema))
    if not empty(schema):
        return {"pieces": [], "context": [], "complete": True}
    until = time.monotonic() + seconds  # now that all that is slow to import has been used once
    out: set[Piece] = set()
    complete = True
    for piece in list(kept):
        if time.monotonic() > until:
            complete = False
            break
        if any(_inside(piece, gone) for gone in out) or empty(reduced(schema, {*out, piece})):
            out.add(piece)
    kept = [piece for piece in kept if piece not in out]
    told = [piece for piece in kept if not _is_context(piece, kept, schema, out, empty)]
    return {
        "pieces": [[piece.pointer, piece.keyword] for piece in told],
        "context": [[piece.pointer, piece.keyword] for piece in kept if piece not in told],
        "complete": complete,
    }


def _tester(schema: Any, whitespace: Whitespace, limits: Limits) -> Callable[[Any], bool]:
    """Whether a schema has no value: by lowering alone where that tells, which is quick."""
    whole = _is_empty(schema, whitespace, None)
    return lambda candidate: _is_empty(candidate, whitespace, None if whole else limits)


def _is_empty(schema: Any, whitespace: Whitespace, limits: Limits | None) -> bool:
    try:
        lowered = lower(json.dumps(schema), whitespace)
        if limits is not None:
            build(lowered.regex, limits.states)
    except EmptyLanguage:
        return True
    except PlaygroundError:  # a reference that leads nowhere now, or too large: not proved empty
        return False
    return False


def _pieces(schema: Any) -> Iterator[Piece]:
    """Everything that can be left out, outer pieces first: what has no say first of all."""
    found = list(subschemas(schema))
    for inner, pointer in found:
        if isinstance(inner, dict):
            yield from (Piece(pointer, keyword) for keyword in inner if keyword in ANNOTATIONS)
    for inner, pointer in found:
        if isinstance(inner, dict):
            yield from (Piece(pointer, keyword) for keyword in inner if keyword not in ANNOTATIONS)
        elif inner is False and pointer.rpartition("/")[2] not in HOLD_ONE:
            yield Piece(pointer, "")


def _inside(piece: Piece, gone: Piece) -> bool:
    return piece.pointer.startswith(f"{gone.pointer}/")


def reduced(schema: Any, out: set[Piece], at: str = "") -> Any:
    """The schema without these pieces."""
    if isinstance(schema, list):
        return [reduced(inner, out, step(at, index)) for index, inner in enumerate(schema)]
    if schema is False and Piece(at, "") in out:
        return True
    if not isinstance(schema, dict):
        return schema
    return {
        key: reduced(inner, out, step(at, key))
        for key, inner in schema.items()
        if Piece(at, key) not in out
    }


def _is_context(
    piece: Piece, kept: list[Piece], schema: Any, out: set[Piece], empty: Callable[[Any], bool]
) -> bool:
    """Not worth telling: it only leads to the conflict, or only names the type it is about."""
    if piece.keyword in HOLDERS:
        return any(_inside(other, piece) for other in kept) or piece.keyword in REFERENCES
    if piece.keyword != "type":
        return False
    beside = [
        other.keyword
        for other in kept
        if other.owner == piece.owner and other != piece and other.keyword not in _SHELVES
    ]
    for kind in TYPES:
        told = _ONE_TYPE.get(kind, set())
        if beside and set(beside) <= told:
            return empty(_with_type(reduced(schema, out), piece.owner, kind))
    return False


def _with_type(schema: Any, owner: str, kind: str, at: str = "") -> Any:
    if isinstance(schema, list):
        return [_with_type(inner, owner, kind, step(at, i)) for i, inner in enumerate(schema)]
    if not isinstance(schema, dict):
        return schema
    out = {key: _with_type(inner, owner, kind, step(at, key)) for key, inner in schema.items()}
    return {**out, "type": kind} if at == owner else out
