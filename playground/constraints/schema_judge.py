"""A JSON Schema's own validator as a judge of values: no fetching, and no pattern that runs away."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import regex
from jsonschema import ValidationError
from jsonschema.validators import extend
from referencing import Registry

from playground.constraints.jsonschema.check import dialect
from playground.constraints.jsonschema.keywords import subschemas
from playground.errors import BudgetExceeded, UnsupportedSchema

PATTERN_SECONDS = 0.2
"""Longest search of one pattern in one string."""


def schema_judge(text: str) -> Callable[[Any], bool]:
    """A judge of JSON values by the JSON Schema in `text`, its dialect by `$schema`.

    A remote `$ref` is never fetched: a value that comes to one is not valid.

    Raises:
        UnsupportedSchema: it uses `patternProperties`, whose patterns can't be stopped here.
    """
    schema = json.loads(text)
    for inner, pointer in subschemas(schema):
        if isinstance(inner, dict) and "patternProperties" in inner:
            raise UnsupportedSchema(
                "A schema with `patternProperties` can't be the judge here.",
                "Accept by the mask's language or by syntax, or leave the keyword out.",
                f"{pointer}/patternProperties",
            )
    kind = extend(dialect(schema), {"pattern": _pattern})
    validator = kind(schema, registry=Registry())

    def valid(value: Any) -> bool:
        from referencing.exceptions import Unresolvable

        try:
            return bool(validator.is_valid(value))
        except (Unresolvable, RecursionError):
            return False

    return valid


def _pattern(validator: Any, pattern: str, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if not validator.is_type(instance, "string"):
        return
    try:
        found = regex.search(pattern, instance, timeout=PATTERN_SECONDS)
    except TimeoutError:
        raise BudgetExceeded(
            f"The pattern {pattern[:60]!r} took too long on a string of {len(instance)} characters.",
            "Write it without nested repetition, or accept by the mask's language.",
            "pattern",
        ) from None
    if found is None:
        yield ValidationError(f"{instance!r} does not match {pattern!r}")
