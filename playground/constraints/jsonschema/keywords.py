"""The keywords of JSON Schema, which of them hold schemas, and a walk over all subschemas."""

from collections.abc import Iterator
from typing import Any

from playground.constraints.jsonschema.source import step

TYPES = ("null", "boolean", "number", "string", "array", "object")
"""The types of JSON; `integer` is a kind of number."""

HOLD_ONE = frozenset(
    {
        "additionalItems",
        "additionalProperties",
        "contains",
        "contentSchema",
        "else",
        "if",
        "items",
        "not",
        "propertyNames",
        "then",
        "unevaluatedItems",
        "unevaluatedProperties",
    }
)
HOLD_LIST = frozenset({"allOf", "anyOf", "items", "oneOf", "prefixItems"})
HOLD_MAP = frozenset(
    {
        "$defs",
        "definitions",
        "dependencies",
        "dependentSchemas",
        "patternProperties",
        "properties",
    }
)
NUMBERS = frozenset({"exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum", "multipleOf"})
COUNTS = frozenset(
    {
        "maxContains",
        "maxItems",
        "maxLength",
        "maxProperties",
        "minContains",
        "minItems",
        "minLength",
        "minProperties",
    }
)
REFERENCES = frozenset({"$dynamicRef", "$recursiveRef", "$ref"})
HOLDERS = HOLD_ONE | HOLD_LIST | HOLD_MAP | REFERENCES
"""Keywords that hold schemas, or lead to one."""
OTHERS = frozenset(
    {"const", "dependentRequired", "enum", "format", "pattern", "required", "type", "uniqueItems"}
)
ANNOTATIONS = frozenset(
    {
        "$anchor",
        "$comment",
        "$dynamicAnchor",
        "$id",
        "$recursiveAnchor",
        "$schema",
        "$vocabulary",
        "contentEncoding",
        "contentMediaType",
        "default",
        "deprecated",
        "description",
        "examples",
        "id",
        "readOnly",
        "title",
        "writeOnly",
    }
)
KNOWN = HOLD_ONE | HOLD_LIST | HOLD_MAP | NUMBERS | COUNTS | REFERENCES | OTHERS | ANNOTATIONS
OPENAPI = frozenset({"discriminator", "example", "externalDocs", "nullable", "xml"})
"""Keywords of OpenAPI, which JSON Schema does not know."""


def children(schema: Any, pointer: str) -> Iterator[tuple[Any, str]]:
    """The subschemas one level down with their pointers; `schema` may be anything."""
    if not isinstance(schema, dict):
        return
    for keyword, value in schema.items():
        here = step(pointer, keyword)
        if keyword in HOLD_MAP and isinstance(value, dict):
            for name, inner in value.items():
                if not isinstance(inner, list):
                    yield inner, step(here, name)
        elif keyword in HOLD_LIST and isinstance(value, list):
            for index, inner in enumerate(value):
                yield inner, step(here, index)
        elif keyword in HOLD_ONE:
            yield value, here


def subschemas(schema: Any) -> Iterator[tuple[Any, str]]:
    """The schema and all schemas inside it, with their pointers, outer ones first."""
    todo = [(schema, "")]
    while todo:
        found, pointer = todo.pop()
        yield found, pointer
        todo.extend(reversed(list(children(found, pointer))))
