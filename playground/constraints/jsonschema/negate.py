"""The complement of a schema as alternatives, where that can be said in schemas."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from playground.constraints.jsonschema import remarks
from playground.constraints.jsonschema.gather import NOT_PATTERN, NOT_VALUES, Report
from playground.constraints.jsonschema.keywords import ANNOTATIONS, KNOWN, TYPES
from playground.constraints.jsonschema.pattern import Untranslatable, parse
from playground.constraints.jsonschema.refs import References, Sub

Ways = list[tuple[Sub, ...]]
"""Alternatives; each is a conjunction."""

MAX_WAYS = 32
_MIRROR = {
    "minimum": ("number", "exclusiveMaximum", 0),
    "maximum": ("number", "exclusiveMinimum", 0),
    "exclusiveMinimum": ("number", "maximum", 0),
    "exclusiveMaximum": ("number", "minimum", 0),
    "minLength": ("string", "maxLength", -1),
    "maxLength": ("string", "minLength", 1),
    "minItems": ("array", "maxItems", -1),
    "maxItems": ("array", "minItems", 1),
    "minProperties": ("object", "maxProperties", -1),
    "maxProperties": ("object", "minProperties", 1),
}
_HARMLESS = ANNOTATIONS | {"format", "$defs", "definitions", "then", "else"}
"""Keywords that add no way to fail. `format` is an annotation: leaving it out only narrows."""


class Negator:
    """Negates schemas of one document; results are kept, so made-up schemas keep their identity."""

    def __init__(self, references: References, report: Report) -> None:
        self._refs = references
        self._report = report
        self._known: dict[int, Ways | None] = {}

    def negate(self, sub: Sub) -> Ways | None:
        """Alternatives none of whose values satisfies `sub`; None where that can't be said.

        They may miss a few values that fail `sub` (a fraction fails `integer`): never the reverse.
        """
        if sub.schema is True:
            return []
        if sub.schema is False:
            return [()]
        if not isinstance(sub.schema, dict):
            return None
        key = id(sub.schema)
        if key not in self._known:
            self._known[key] = None  # a schema that negates itself through `$ref` can't be negated
            self._known[key] = self._ways(self._refs.entered(sub))
        return self._known[key]

    def _ways(self, sub: Sub) -> Ways | None:
        ways: Ways = []
        for keyword, value in sub.schema.items():
            if keyword in _HARMLESS or keyword not in KNOWN:
                continue
            found = self._keyword(sub, keyword, value)
            if found is None or len(ways) + len(found) > MAX_WAYS:
                return None
            ways.extend(found)
        return ways

    def _keyword(self, sub: Sub, keyword: str, value: Any) -> Ways | None:
        def way(schema: dict[str, Any]) -> tuple[Sub, ...]:
            return (sub.invented(schema),)

        if keyword in _MIRROR:
            kind, other, shift = _MIRROR[keyword]
            if isinstance(value, bool) or not isinstance(value, int | float):
                return None
            return (
                [way({"type": kind, other: value + shift})]
                if value + shift >= 0 or not shift
                else []
            )
        if keyword == "type":
            names = {value} if isinstance(value, str) else set(value)
            if "integer" in names - {"number"}:
                self._report(remarks.NOT_INTEGER)
                names.add("number")
            others = [name for name in TYPES if name not in names]
            return [way({"type": others})] if others else []
        if keyword in ("enum", "const"):
            return _not_values(value if keyword == "enum" else [value], sub)
        if keyword == "pattern":
            return [way({"type": "string", NOT_PATTERN: value})] if _negatable(value) else None
        if keyword == "required" and isinstance(value, list):
            return [way({"type": "object", "properties": {name: False}}) for name in value]
        if keyword == "properties" and isinstance(value, dict):
            return self._not_properties(sub, value)
        if keyword in ("items", "contains"):
            return self._not_items(sub, keyword, value)
        return self._combined(sub, keyword, value)

    def _not_properties(self, sub: Sub, properties: dict[str, Any]) -> Ways | None:
        ways: Ways = []
        for name, inner in properties.items():
            found = self.negate(sub.inner(inner, "properties", name))
            if found is None:
                return None
            if found:
                schema = {
                    "type": "object",
                    "required": [name],
                    "properties": {name: {"not": inner}},
                }
                ways.append((sub.invented(schema),))
        return ways

    def _not_items(self, sub: Sub, keyword: str, value: Any) -> Ways | None:
        simple = not {"prefixItems", "minContains", "maxContains"} & set(sub.schema)
        if not simple or isinstance(value, list):
            return None
        found = self.negate(sub.inner(value, keyword))
        if found is None:
            return None
        other = "contains" if keyword == "items" else "items"
        return (
            [(sub.invented({"type": "array", other: {"not": value}}),)]
            if found or other == "items"
            else []
        )

    def _combined(self, sub: Sub, keyword: str, value: Any) -> Ways | None:
        if keyword in ("$ref", "$recursiveRef"):
            return self.negate(self._refs.follow(sub, keyword))
        if keyword == "not":
            return [(sub.inner(value, "not"),)]
        if keyword in ("additionalProperties", "unevaluatedProperties", "unevaluatedItems"):
            return [] if value is True else None
        if keyword == "uniqueItems":
            return [] if value is False else None
        if keyword == "if":
            return [] if not {"then", "else"} & set(sub.schema) else None
        if keyword not in ("allOf", "anyOf", "oneOf") or not isinstance(value, list):
            return None
        parts = [self.negate(sub.inner(each, keyword, i)) for i, each in enumerate(value)]
        if any(part is None for part in parts) or (keyword == "oneOf" and len(parts) > 1):
            return None
        known = [part for part in parts if part is not None]
        if keyword == "allOf":
            return [way for part in known for way in part]
        return product(known)


def product(parts: Sequence[Ways]) -> Ways | None:
    """One alternative of each part, in all combinations; None when there are too many."""
    ways: Ways = [()]
    for part in parts:
        ways = [(*way, *more) for way in ways for more in part]
        if len(ways) > MAX_WAYS:
            return None
    return ways


def _negatable(pattern: Any) -> bool:
    try:
        return len(parse(str(pattern), True)) == 1
    except Untranslatable:
        return False


def _not_values(values: Any, sub: Sub) -> Ways | None:
    if not isinstance(values, list):
        return None
    if any(isinstance(value, list | dict) for value in values):
        return None
    numbers = sorted({v for v in values if isinstance(v, int | float) and not isinstance(v, bool)})
    if len(numbers) > 8:
        return None
    schemas: list[dict[str, Any]] = [{"type": ["array", "object"]}]
    if None not in values:
        schemas.append({"type": "null"})
    booleans = [flag for flag in (True, False) if not any(value is flag for value in values)]
    if booleans:
        listed = {} if len(booleans) == 2 else {"enum": booleans}
        schemas.append({"type": "boolean", **listed})
    strings = [value for value in values if isinstance(value, str)]
    schemas.append({"type": "string", NOT_VALUES: strings} if strings else {"type": "string"})
    edges = [None, *numbers, None]
    for low, high in pairwise(edges):
        schema: dict[str, Any] = {"type": "number"}
        if low is not None:
            schema["exclusiveMinimum"] = low
        if high is not None:
            schema["exclusiveMaximum"] = high
        schemas.append(schema)
    return [(sub.invented(schema),) for schema in schemas]
