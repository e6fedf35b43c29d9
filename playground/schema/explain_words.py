"""The keywords of JSON Schema as sentences, one a keyword."""

from collections.abc import Callable
from typing import Any

from playground.schema.explain_node import joined, shortened
from playground.schema.json_text import dumps
from playground.schema.lint.options import is_type

NOUNS = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "a whole number",
    "null": "null",
    "number": "a number",
    "object": "an object",
    "string": "a text",
}
MAX_VALUES = 8


def values(listed: list[Any], most: int = MAX_VALUES, link: str = "or") -> str:
    """`"a", "b" or "c"`, the first ones."""
    shown = [shortened(dumps(value), 40) for value in listed[:most]]
    rest = len(listed) - most
    return joined([*shown, f"{rest:,} others"] if rest > 0 else shown, link)


def headline(schema: Any) -> str:
    """What a value is, in a few words without a full stop."""
    if schema is True or schema == {}:
        return "any JSON value"
    if schema is False:
        return "nothing: no value is valid here"
    if not isinstance(schema, dict):
        return "no schema: neither an object nor true or false"
    named = schema.get("type")
    types = [name for name in (named if isinstance(named, list) else [named]) if name is not None]
    if "const" in schema:
        return f"exactly {shortened(dumps(schema['const']), 60)}"
    listed = schema.get("enum")
    if isinstance(listed, list):
        return f"one of {len(listed):,} values" if len(listed) > 1 else "a single value"
    if types:
        return joined(
            [NOUNS.get(str(name), f"`{shortened(str(name), 40)}`") for name in types[:10]]
        )
    for keyword, phrase in _SHAPES.items():
        inner = schema.get(keyword)
        if isinstance(inner, list):
            return phrase.format(len(inner))
    if isinstance(schema.get("$ref"), str):
        return f"as {target_name(schema['$ref'])} is defined"
    if isinstance(schema.get("properties"), dict):
        return "any JSON value; an object as follows"
    return "any JSON value" if not schema else "any JSON value that meets what follows"


_SHAPES = {
    "oneOf": "exactly one of {} shapes",
    "anyOf": "at least one of {} shapes",
    "allOf": "all of {} shapes at once",
}


def target_name(ref: str) -> str:
    """What a reference calls its target."""
    if ref in ("#", ""):
        return "the whole schema"
    return f"`{shortened(ref.rpartition('/')[2].lstrip('#') or ref, 60)}`"


def _count(noun: str, plural: str, phrase: str) -> Callable[[Any], str]:
    def said(value: Any) -> str:
        return f"{phrase} {shortened(dumps(value), 30)} {noun if value == 1 else plural}."

    return said


def _value(phrase: str) -> Callable[[Any], str]:
    return lambda value: f"{phrase} {shortened(dumps(value), 60)}."


def _pattern(value: Any) -> str:
    shown = shortened(str(value), 100)
    if str(value).startswith("^") and str(value).endswith("$"):
        return f"The whole text matches `{shown}`."
    return f"A part of the text matches `{shown}`."


def _exclusive(word: str) -> Callable[[Any], str]:
    def said(value: Any) -> str:
        if isinstance(value, bool):  # draft 4: a part of the bound
            return f"The bound itself is {'not ' if value else ''}allowed."
        return f"{word} {shortened(dumps(value), 60)}."

    return said


def _quoted(name: str) -> Callable[[Any], str]:
    return lambda value: f"{name}: “{shortened(str(value), 160)}”"


def _unique(value: Any) -> str:
    return "No item stands twice." if value is True else "Items may stand twice."


def _enum(value: Any) -> str:
    if not isinstance(value, list):
        return "A list of values should stand here."
    return f"{'One of' if len(value) > 1 else 'Exactly'} {values(value)}." if value else "No value."


def forbidden(listed: Any, schema: dict[str, Any]) -> str:
    """Which of the listed values the `type` beside them forbids, as a sentence; empty if none."""
    named = schema.get("type")
    kinds = named if isinstance(named, list) else [named]
    if not isinstance(listed, list) or not all(isinstance(kind, str) for kind in kinds):
        return ""
    out = [value for value in listed if not any(is_type(value, str(kind)) for kind in kinds)]
    if not out:
        return ""
    if len(out) == len(listed):
        return " But the `type` beside it forbids that: no value is left."
    return f" But the `type` beside it forbids {values(out, link='and')}."


def _named(value: Any) -> str:
    if not isinstance(value, dict):
        return "An object should stand here."
    pairs = [
        f"“{shortened(str(key), 40)}” brings {values(names, 4)}"
        for key, names in list(value.items())[:6]
        if isinstance(names, list)
    ]
    return f"{'; '.join(pairs) or 'Nothing'}."


SENTENCES: dict[str, Callable[[Any], str]] = {
    "$comment": _quoted("A remark for people"),
    "$schema": lambda value: f"Read by the rules of {shortened(str(value), 80)}.",
    "const": _value("Exactly"),
    "contentEncoding": _value("The text is encoded as"),
    "contentMediaType": _value("The text is of the media type"),
    "default": lambda value: (
        f"Where it is left out, readers take {shortened(dumps(value), 60)}; no mask writes it."
    ),
    "dependentRequired": _named,
    "deprecated": lambda value: "Not to be used any more." if value else "In use.",
    "description": _quoted("Described as"),
    "enum": _enum,
    "examples": lambda value: (
        f"For example {values(value, 3)}." if isinstance(value, list) and value else "No example."
    ),
    "exclusiveMaximum": _exclusive("Below"),
    "exclusiveMinimum": _exclusive("Above"),
    "format": lambda value: f"In the form of a {shortened(str(value), 40)}.",
    "maxContains": _count("such item", "such items", "At most"),
    "maxItems": _count("item", "items", "At most"),
    "maxLength": _count("character", "characters", "At most"),
    "maxProperties": _count("key", "keys", "At most"),
    "maximum": _value("At most"),
    "minContains": _count("such item", "such items", "At least"),
    "minItems": _count("item", "items", "At least"),
    "minLength": _count("character", "characters", "At least"),
    "minProperties": _count("key", "keys", "At least"),
    "minimum": _value("At least"),
    "multipleOf": _value("A multiple of"),
    "pattern": _pattern,
    "readOnly": lambda value: "Written by the other side only." if value else "May be written.",
    "title": _quoted("Called"),
    "uniqueItems": _unique,
    "writeOnly": lambda value: "Never read back." if value else "May be read back.",
}
"""Of the keywords that hold no schema."""
SUBSCHEMAS: dict[str, str] = {
    "additionalItems": "Every further item: {}.",
    "additionalProperties": "Under every other key: {}.",
    "contains": "At least one item: {}.",
    "contentSchema": "The decoded text: {}.",
    "else": "Otherwise also: {}.",
    "if": "If the value is {} …",
    "items": "Every item: {}.",
    "not": "But not {}.",
    "propertyNames": "Every key: {}.",
    "then": "… then also: {}.",
    "unevaluatedItems": "Every item that no part above speaks of: {}.",
    "unevaluatedProperties": "Under every key that no part above speaks of: {}.",
}
"""Of the keywords that hold one schema."""
BOUNDS = {"exclusiveMaximum": "maximum", "exclusiveMinimum": "minimum"}
"""Keyword -> the bound that it is a part of in draft 4."""
MAPS = frozenset({"dependencies", "dependentSchemas", "patternProperties"})
"""Keywords that hold schemas by name; `dependencies` lists of names as well."""
CLOSED: dict[str, str] = {
    "additionalItems": "No further items.",
    "additionalProperties": "No other keys.",
    "items": "No further items.",
    "unevaluatedItems": "No items that no part above speaks of.",
    "unevaluatedProperties": "No keys that no part above speaks of.",
}
"""Where that schema is false."""
LISTS: dict[str, str] = {
    "allOf": "All of these {} at once:",
    "anyOf": "At least one of these {} shapes:",
    "items": "The first {} items, each by its place:",
    "oneOf": "Exactly one of {} shapes:",
    "prefixItems": "The first {} items, each by its place:",
}
EMPTY = frozenset({"type", "required", "$id", "id", "$anchor", "$dynamicAnchor", "$vocabulary"})
"""Said elsewhere, or nothing to say."""
