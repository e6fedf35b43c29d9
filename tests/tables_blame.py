"""Which keywords the reference blames for an invalid value, and whether notes announce a verdict."""

import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from jsonschema import ValidationError
from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]
from referencing.exceptions import Unresolvable

from playground.constraints.judge_keywords import Ignored, validator_class
from playground.constraints.judge_patterns import PatternUndecided
from playground.constraints.notes import Note

NARROWER = frozenset(
    {
        "$ref",
        "contains",
        "depth",
        "escapes",
        "format",
        "not",
        "order",
        "spelling",
        "unevaluatedItems",
        "unevaluatedProperties",
    }
)
"""Topics of notes that say in what the mask is narrower than the schema."""


def blamed(schema: Any, value: Any) -> set[str]:
    """The keywords of every error, of the errors inside its alternatives, and on the way to them;
    empty where it can't tell."""
    kind = validator_class(schema, lambda: time.monotonic() + 1.0, Ignored())
    try:
        errors = list(kind(schema, registry=REGISTRY).iter_errors(value))
    except (Unresolvable, RecursionError, PatternUndecided):
        return set()
    return {
        str(part)
        for error in _inside(errors)
        for part in (error.validator, *error.absolute_schema_path)
        if isinstance(part, str)
    }


def _inside(errors: Iterable[ValidationError]) -> Iterator[ValidationError]:
    for error in errors:
        yield error
        yield from _inside(error.context or ())


def disclaims(notes: Sequence[Note], keywords: set[str]) -> bool:
    """A note says that one of the keywords is not, or not fully, enforced."""
    return any(n.level in ("not-enforced", "partly") and n.keyword in keywords for n in notes)


def narrows(notes: Sequence[Note]) -> bool:
    """A note says that the mask is narrower than the schema."""
    return any(n.keyword in NARROWER or n.level in ("not-enforced", "partly") for n in notes)
