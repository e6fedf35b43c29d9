"""What a subschema expects, in a few plain words."""

import json
from typing import Any

from playground.constraints.jsonschema.navigate import Navigator, Node

_NOUNS = {
    "string": "a string",
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
    "array": "an array",
    "object": "an object",
}
_LIMITS = (
    ("minimum", "at least {}"),
    ("exclusiveMinimum", "above {}"),
    ("maximum", "at most {}"),
    ("exclusiveMaximum", "below {}"),
    ("multipleOf", "a multiple of {}"),
    ("minLength", "{} or more characters"),
    ("maxLength", "at most {} characters"),
    ("pattern", "matching {}"),
    ("format", "in the form of a {}"),
    ("minItems", "{} or more items"),
    ("maxItems", "at most {} items"),
)
MAX_LISTED = 6


def expectation(navigator: Navigator, node: Node) -> str:
    """For example `an integer, at least 0` or `one of "low", "high"`."""
    kinds: list[str] = []
    limits: list[str] = []
    for each in navigator.in_place(node, None):
        schema = each.schema
        listed = [schema["const"]] if "const" in schema else schema.get("enum")
        if isinstance(listed, list):
            return _listed(listed)
        named = schema.get("type", [])
        for name in named if isinstance(named, list) else [named]:
            if name in _NOUNS and _NOUNS[name] not in kinds:
                kinds.append(_NOUNS[name])
        for keyword, phrase in _LIMITS:
            value = schema.get(keyword)
            if isinstance(value, int | float | str) and not isinstance(value, bool):
                limits.append(phrase.format(value))
    if not kinds:
        return ", ".join(["any JSON value", *limits]) if not limits else ", ".join(limits)
    if len(kinds) > 1:
        return " or ".join(kinds)
    return ", ".join([kinds[0], *limits])


def length_limit(navigator: Navigator, node: Node) -> str:
    """For example `, at least 2, at most 40`; empty where the schema sets no length."""
    said = ""
    for keyword, phrase in (("minLength", ", at least {}"), ("maxLength", ", at most {}")):
        for each in navigator.in_place(node, None):
            value = each.schema.get(keyword)
            if isinstance(value, int) and not isinstance(value, bool):
                said += phrase.format(value)
                break
    return said


def _listed(values: list[Any]) -> str:
    shown = [json.dumps(value, ensure_ascii=False)[:30] for value in values[:MAX_LISTED]]
    more = f" or {len(values) - MAX_LISTED} others" if len(values) > MAX_LISTED else ""
    if len(values) == 1:
        return shown[0]
    return f"one of {', '.join(shown)}{more}"
