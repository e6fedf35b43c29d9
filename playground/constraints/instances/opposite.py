"""A schema with one keyword turned into its opposite: its values break that keyword alone."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

EACH = 6
"""So many names of one keyword are turned, one by one."""
LARGEST = 3_000
"""No more items or characters are asked for."""
TYPES = ("string", "number", "boolean", "null", "array", "object")
_COUNTS = {
    "minItems": "maxItems",
    "minLength": "maxLength",
    "minProperties": "maxProperties",
    "maxItems": "minItems",
    "maxLength": "minLength",
    "maxProperties": "minProperties",
}

Turned = tuple[str, dict[str, Any]]
"""What was turned, in a few words, and the schema after it."""


def opposites(schema: dict[str, Any], keyword: str) -> Iterator[Turned]:
    """Schemas like `schema` in all but `keyword`, which their values break.

    They need not be schemas that a generator can follow, and a judge decides over what comes out.
    """
    asked = schema[keyword]
    rest = {name: value for name, value in schema.items() if name != keyword}
    if keyword in _COUNTS and isinstance(asked, int) and not isinstance(asked, bool):
        yield from _counted(rest, keyword, asked)
    elif keyword in ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"):
        yield from _bounded(rest, keyword, asked)
    elif keyword == "type":
        names = [asked] if isinstance(asked, str) else list(asked)
        others = [name for name in TYPES if name not in names]
        if "integer" in names and "number" not in names:
            yield "a fraction", {**rest, "type": "number", "not": {"type": "integer"}}
        for other in others:
            yield f"of the type {other}", {**rest, "type": other}
    elif keyword == "required" and isinstance(asked, list):
        for name in islice((name for name in asked if isinstance(name, str)), EACH):
            yield f'without "{name}"', {**_lacking(rest, name), "required": _but(asked, name)}
    elif keyword == "properties" and isinstance(asked, dict):
        for name, inner in list(asked.items())[:EACH]:
            if inner is not True and inner != {}:
                turned = {**asked, name: {"not": inner}}
                yield f'"{name}" against its schema', _needing({**rest, keyword: turned}, name)
    elif keyword in ("additionalProperties", "unevaluatedProperties"):
        for name in ("zz", "note"):
            turned = {**rest, keyword: True if asked is False else {"not": asked}}
            yield f'the key "{name}" more', _needing(turned, name)
    elif keyword in ("items", "additionalItems", "unevaluatedItems") and isinstance(asked, dict):
        least = rest.get("minItems", 0)
        least = least if isinstance(least, int) else 0
        yield (
            "items against their schema",
            {**rest, keyword: {"not": asked}, "minItems": least or 1},
        )
    elif keyword == "patternProperties" and isinstance(asked, dict):
        for pattern, inner in list(asked.items())[:EACH]:
            turned = {**asked, pattern: {"not": inner}}
            yield "a key of the pattern against its schema", {**rest, keyword: turned}
    yield "the opposite", _refusing(rest, {keyword: asked})


def _counted(rest: dict[str, Any], keyword: str, asked: int) -> Iterator[Turned]:
    other, least = _COUNTS[keyword], keyword.startswith("min")
    unit = {"Length": "characters", "Items": "items", "Properties": "keys"}[keyword[3:]]
    for beyond in (1, 2, 5):
        count = asked - beyond if least else asked + beyond
        if 0 <= count <= LARGEST:
            yield f"{count} {unit}", {**rest, other: count, keyword: count}


def _bounded(rest: dict[str, Any], keyword: str, asked: Any) -> Iterator[Turned]:
    if isinstance(asked, bool) or not isinstance(asked, int | float):
        return
    low = keyword.lower().endswith("minimum")
    for beyond in (1, 10, 0.5):
        edge = asked - beyond if low else asked + beyond
        other = "maximum" if low else "minimum"
        yield "beyond the bound", {**rest, other: edge}


def _lacking(schema: dict[str, Any], name: str) -> dict[str, Any]:
    properties = schema.get("properties")
    known = properties if isinstance(properties, dict) else {}
    return {**schema, "properties": {**known, name: {"not": {}}}}


def _needing(schema: dict[str, Any], name: str) -> dict[str, Any]:
    asked = schema.get("required")
    names = asked if isinstance(asked, list) else []
    return {**schema, "required": list(dict.fromkeys([*names, name]))}


def _but(names: list[Any], name: str) -> list[Any]:
    return [each for each in names if each != name]


def _refusing(rest: dict[str, Any], what: dict[str, Any]) -> dict[str, Any]:
    beside = rest.get("allOf")
    return {**rest, "allOf": [*(beside if isinstance(beside, list) else []), {"not": what}]}
