"""What is odd about a schema before it is lowered: unknown keywords, breaches of its metaschema."""

import difflib
import re
import time
from collections.abc import Iterator
from typing import Any

from jsonschema.validators import Draft202012Validator, validator_for
from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]

from playground.constraints.jsonschema.keywords import KNOWN, OPENAPI, subschemas
from playground.constraints.jsonschema.partners import foreign
from playground.constraints.jsonschema.source import Parsed, step
from playground.constraints.notes import Note

MAX_BREACHES = 10
OLD_DIALECTS = frozenset({"draft-03", "draft-04", "draft-06", "draft-07"})
"""Dialects in which `$ref` hides the keywords beside it."""
CHECK_SECONDS = 0.5
"""The metaschema check is abandoned, with a note, after so long."""


def dialect(schema: Any) -> Any:
    """jsonschema's validator class of `$schema`, else of draft 2020-12."""
    declared = schema.get("$schema") if isinstance(schema, dict) else None
    if not isinstance(declared, str):
        return Draft202012Validator
    return validator_for(schema, default=Draft202012Validator)


def draft(schema: Any) -> str:
    """The draft by which a schema is read: `draft-04`, `2020-12`, ..."""
    metaschema = dialect(schema).META_SCHEMA
    uri = str(metaschema.get("$schema", metaschema.get("id")))
    found = re.search(r"draft-0\d|\d{4}-\d\d", uri)
    return found.group() if found else uri


def check(parsed: Parsed) -> Iterator[Note]:
    """Warnings about the schema itself, each with the line where it stands."""
    declared = parsed.value.get("$schema") if isinstance(parsed.value, dict) else None
    if isinstance(declared, str) and validator_for(parsed.value, default=None) is None:
        yield Note(
            "warning",
            "$schema",
            "/$schema",
            f"`{declared}` is no dialect known here; the schema is read as draft 2020-12.",
        )
    yield from _unknown(parsed)
    yield from _foreign(parsed)
    yield from _breaches(parsed)


def _line(parsed: Parsed, pointer: str) -> str:
    place = parsed.places.get(pointer)
    return f"Line {place[0]}: " if place else ""


def _unknown(parsed: Parsed) -> Iterator[Note]:
    for schema, pointer in subschemas(parsed.value):
        if not isinstance(schema, dict):
            continue
        for keyword in schema:
            if keyword in KNOWN or keyword.startswith("x-"):
                continue
            here = step(pointer, keyword)
            if keyword in OPENAPI:
                yield Note(
                    "warning",
                    keyword,
                    here,
                    f"{_line(parsed, here)}`{keyword}` belongs to OpenAPI, not to JSON Schema. "
                    "It is NOT enforced."
                    + (' Write `"type": [..., "null"]`.' if keyword == "nullable" else ""),
                )
                continue
            close = difflib.get_close_matches(keyword, KNOWN, n=1, cutoff=0.7)
            guess = f" - did you mean `{close[0]}`?" if close else "."
            yield Note(
                "warning",
                keyword,
                here,
                f"{_line(parsed, here)}`{keyword}` is not a JSON Schema keyword{guess} "
                "It is NOT enforced.",
            )


def _foreign(parsed: Parsed) -> Iterator[Note]:
    """Keywords that the schema's own draft doesn't have, each once, at its first place."""
    kind = dialect(parsed.value)
    places: dict[str, list[str]] = {}
    for schema, pointer in subschemas(parsed.value):
        if isinstance(schema, dict):
            for keyword in foreign(schema, kind):
                places.setdefault(keyword, []).append(step(pointer, keyword))
    for keyword, found in places.items():
        more = f" ({len(found):,} times)" if len(found) > 1 else ""
        yield Note(
            "warning",
            keyword,
            found[0],
            f"{_line(parsed, found[0])}`{keyword}` is no keyword of draft "
            f"{draft(parsed.value).removeprefix('draft-0')}{more}: validators of that draft ignore "
            "it, the mask may not.",
        )


def _breaches(parsed: Parsed) -> Iterator[Note]:
    kind = dialect(parsed.value)
    validator = kind(kind.META_SCHEMA, registry=REGISTRY)
    until = time.monotonic() + CHECK_SECONDS
    for count, error in enumerate(validator.iter_errors(parsed.value)):
        pointer = ""
        for part in error.absolute_path:
            pointer = step(pointer, part)
        keyword = str(error.absolute_path[-1]) if error.absolute_path else "$schema"
        if count == MAX_BREACHES or time.monotonic() > until:
            message = "The schema breaks its metaschema in further places."
            yield Note("warning", keyword, pointer, message)
            return
        shown = error.message if len(error.message) < 200 else error.message[:200] + "..."
        yield Note(
            "warning",
            keyword,
            pointer,
            f"{_line(parsed, pointer)}the schema is not valid itself: {shown}.",
        )
