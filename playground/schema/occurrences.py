"""Every keyword of a JSON Schema where it stands, and what is known of it without asking."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from playground.constraints.instances.idle import ALLOWS_ALL
from playground.constraints.jsonschema.keywords import (
    ANNOTATIONS,
    KNOWN,
    OPENAPI,
    TYPES,
    subschemas,
)
from playground.constraints.jsonschema.partners import lacks
from playground.constraints.jsonschema.source import step


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One keyword at one place."""

    keyword: str
    pointer: str
    owner: dict[str, Any]
    """The schema that holds it."""


def occurrences(schema: Any) -> Iterator[Occurrence]:
    """Every keyword of the schema and of all schemas inside it, outer ones first."""
    for found, pointer in subschemas(schema):
        if isinstance(found, dict):
            for keyword in found:
                yield Occurrence(keyword, step(pointer, keyword), found)


def plain(found: Occurrence, old: bool) -> tuple[str, str] | None:
    """(status, how) where the keyword asserts nothing by its nature; None where it must be asked.

    `old`: `$ref` hides the keywords beside it (up to draft-07).
    """
    keyword, owner = found.keyword, found.owner
    value = owner[keyword]
    if keyword in ("$defs", "definitions"):
        return "annotation", "It only holds schemas that others refer to."
    if keyword in ANNOTATIONS or keyword == "contentSchema" or keyword.startswith("x-"):
        return "annotation", "It describes and forbids nothing."
    if keyword in OPENAPI:
        return "unknown keyword", "It belongs to OpenAPI; JSON Schema and the mask ignore it."
    if keyword not in KNOWN:
        return "unknown keyword", "It is no keyword of JSON Schema: the mask ignores it."
    if old and "$ref" in owner and keyword != "$ref":
        return "annotation", "Up to draft-07, `$ref` hides the keywords beside it."
    if any(value == all_ and type(value) is type(all_) for all_ in ALLOWS_ALL.get(keyword, ())):
        return "annotation", "With this value it forbids nothing."
    if keyword == "type" and isinstance(value, list) and set(TYPES) <= set(map(str, value)):
        return "annotation", "Every type is listed, so it forbids nothing."
    if lacking := lacks(keyword, owner):
        return "annotation", f"It means nothing without {lacking} beside it."
    return None
