"""The keywords of JSON Schema, which of them hold schemas, and a walk over all subschemas."""

from collections.abc import Iterator
from typing import Any

from playground.constraints.jsonschema.source import step

TYPES = ("null", "boolean", "number", "string", "array", "object")
"""The types of JSON; `integer` is a kind of number."""

HOLD_ONE = frozenset(
    "additionalItems additionalProperties contains contentSchema else if items not propertyNames "
    "then unevaluatedItems unevaluatedProperties".split()
)
HOLD_LIST = frozenset("allOf anyOf items oneOf prefixItems".split())
HOLD_MAP = frozenset(
    "$defs definitions dependencies dependentSchemas patternProperties properties".split()
)
CONSTRAINTS = frozenset(
    "type enum const multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength "
    "minLength pattern format maxItems minItems uniqueItems maxContains minContains "
    "maxProperties minProperties required dependentRequired $ref $dynamicRef $recursiveRef".split()
)
ANNOTATIONS = frozenset(
    "$schema $id id $anchor $dynamicAnchor $recursiveAnchor $comment $vocabulary title "
    "description default examples readOnly writeOnly deprecated contentEncoding "
    "contentMediaType".split()
)
KNOWN = HOLD_ONE | HOLD_LIST | HOLD_MAP | CONSTRAINTS | ANNOTATIONS
OPENAPI = frozenset("nullable discriminator xml externalDocs example".split())
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
