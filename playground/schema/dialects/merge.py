"""Several schemas that must all hold, written as one, where that is mechanical."""

from typing import Any

from playground.constraints.jsonschema.keywords import ANNOTATIONS

LOWEST = frozenset({"exclusiveMinimum", "minItems", "minLength", "minProperties", "minimum"})
HIGHEST = frozenset({"exclusiveMaximum", "maxItems", "maxLength", "maxProperties", "maximum"})
_TOGETHER = frozenset(
    {
        "$ref",
        "additionalItems",
        "contains",
        "else",
        "if",
        "items",
        "maxContains",
        "minContains",
        "patternProperties",
        "prefixItems",
        "then",
        "unevaluatedItems",
        "unevaluatedProperties",
    }
)
"""Keywords whose meaning depends on those beside them."""


class NoWay(Exception):
    """There is no mechanical rewriting; the message says what stands in the way."""


def merged(schemas: list[dict[str, Any]]) -> dict[str, Any]:
    """One schema that holds exactly where all of them hold.

    Raises:
        NoWay: they say different things under one keyword that doesn't simply add up.
    """
    speaking = [schema for schema in schemas if schema.keys() - ANNOTATIONS]
    closing = [one for one in speaking if one.get("additionalProperties", True) is not True]
    if closing and sum("properties" in one or one in closing for one in speaking) > 1:
        raise NoWay("allOf joins an object with additionalProperties and another one")
    if len(speaking) > 1 and any(_TOGETHER & schema.keys() for schema in speaking):
        raise NoWay("allOf joins keywords that depend on their neighbours")
    out: dict[str, Any] = {}
    for schema in schemas:
        for keyword, value in schema.items():
            out[keyword] = _joined(keyword, out[keyword], value) if keyword in out else value
    return out


def _joined(keyword: str, one: Any, other: Any) -> Any:
    if one == other or keyword in ANNOTATIONS:
        return one
    if keyword == "properties" and not one.keys() & other.keys():
        return {**one, **other}
    if keyword == "required":
        return list(dict.fromkeys([*one, *other]))
    if keyword in LOWEST:
        return max(one, other)
    if keyword in HIGHEST:
        return min(one, other)
    raise NoWay(f"allOf says two things about `{keyword}`")
