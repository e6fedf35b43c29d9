"""The smallest part of a schema that already has no value: keywords are left out one by one.

Only what makes a schema wider is left out, so that what remains is a part of the schema and not
another one: `not`, `if` and what is counted stay whole, and `properties` stays while a keyword beside
it speaks of all other keys.
"""

import json
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from urllib.parse import unquote

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
_DATA = frozenset({"const", "default", "enum", "examples"})
_REST = {
    **dict.fromkeys(("properties", "patternProperties"), frozenset({"additionalProperties"})),
    "prefixItems": frozenset({"items"}),
    "items": frozenset({"additionalItems"}),
    "minContains": frozenset({"contains"}),
}
"""Keywords without which one of these beside them forbids more."""


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
        every piece that is left was tried in vain. No pieces where the schema has values after all.
    """
    schema = json.loads(text.removeprefix(BOM))
    empty, loose = _tester(schema, whitespace, limits)
    if not empty(schema):
        return {"pieces": [], "context": [], "complete": True}
    until = time.monotonic() + seconds  # now that all that is slow to import has been used once
    whole = _kept_whole(schema, loose)
    pieces = [piece for piece in _pieces(schema) if not _is_in(piece, whole)]
    out: set[Piece] = set()
    complete = True
    while complete:  # a piece may be spared once another is: until none is any more
        before = len(out)
        complete = _leave_out(schema, pieces, out, empty, until)
        if len(out) == before:
            break
    kept = [piece for piece in pieces if piece not in out]
    told = [piece for piece in kept if not _is_context(piece, kept, schema, out, empty, complete)]
    return {
        "pieces": [[piece.pointer, piece.keyword] for piece in told],
        "context": [[piece.pointer, piece.keyword] for piece in kept if piece not in told],
        "complete": complete,
    }


def _leave_out(
    schema: Any,
    pieces: list[Piece],
    out: set[Piece],
    empty: Callable[[Any], bool],
    until: float,
) -> bool:
    """One pass: add to `out` what can be spared; False where the time was up before its end."""
    for piece in pieces:
        if piece in out:
            continue
        if time.monotonic() > until:
            return False
        spare = any(_inside(piece, gone) for gone in out)
        if not spare and not _widens(piece, pieces, out):
            spare = empty(reduced(schema, {*out, piece}))
        if spare:
            out.add(piece)
    return True


def _tester(
    schema: Any, whitespace: Whitespace, limits: Limits
) -> tuple[Callable[[Any], bool], bool]:
    """Whether a schema has no value, by lowering alone where that tells, which is quick; and
    whether `oneOf` is read as `anyOf` for it, which allows more and is empty too."""
    how = None if _is_empty(schema, whitespace, None) else limits
    loose = _is_empty(_any_of(schema), whitespace, how)
    if loose:
        return lambda candidate: _is_empty(_any_of(candidate), whitespace, how), True
    return lambda candidate: _is_empty(candidate, whitespace, how), False


def _any_of(schema: Any) -> Any:
    """The schema with `anyOf` for `oneOf`."""
    if isinstance(schema, list):
        return [_any_of(inner) for inner in schema]
    if not isinstance(schema, dict):
        return schema
    out = {key: inner if key in _DATA else _any_of(inner) for key, inner in schema.items()}
    parts = out.get("allOf", [])
    if isinstance(out.get("oneOf"), list) and isinstance(parts, list):
        out["allOf"] = [*parts, {"anyOf": out.pop("oneOf")}]
    return out


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


def _kept_whole(schema: Any, loose: bool) -> set[str]:
    """Pointers of schemas that nothing is left out of, since the whole might become narrower:
    what is negated, asked or counted, and what such a part refers to."""
    found = list(subschemas(schema))
    out = {
        step(pointer, keyword)
        for inner, pointer in found
        if isinstance(inner, dict)
        for keyword in inner
        if keyword in ("not", "if")
        or (keyword == "oneOf" and not loose)
        or (keyword == "contains" and "maxContains" in inner)
    }
    while True:
        targets = {
            unquote(inner["$ref"][1:])
            for inner, pointer in found
            if isinstance(inner, dict)
            and str(inner.get("$ref")).startswith("#/")
            and any(f"{pointer}/".startswith(f"{whole}/") for whole in out)
        }
        if targets <= out:
            return out
        out |= targets


def _is_in(piece: Piece, whole: set[str]) -> bool:
    return any(f"{piece.owner}/".startswith(f"{each}/") for each in whole)


def _widens(piece: Piece, pieces: list[Piece], out: set[Piece]) -> bool:
    """A keyword that is still there would forbid more without this one."""
    rest = _REST.get(piece.keyword, frozenset())
    for other in pieces:
        if other in out or other == piece:
            continue
        if other.owner == piece.owner and other.keyword in rest:
            return True
        # What was looked at further inside counts for these too.
        if other.keyword.startswith("unevaluated") and piece.keyword in HOLDERS:
            return True
    return False


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
    piece: Piece,
    kept: list[Piece],
    schema: Any,
    out: set[Piece],
    empty: Callable[[Any], bool],
    complete: bool,
) -> bool:
    """Not worth telling: it only leads to the conflict, or only names the type it is about."""
    if piece.keyword in HOLDERS:
        leads = any(_inside(other, piece) for other in kept)
        if leads or piece.keyword in REFERENCES or piece.keyword in _SHELVES:
            return True
    if complete and (piece.keyword in _REST or piece.keyword in HOLDERS):
        return empty(reduced(schema, {*out, piece}))  # it is there for another one's sake
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
