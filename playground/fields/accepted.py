"""Which values and records a JSON Schema allows: its reference judge, in a bounded child process where
the schema could make it run long."""

import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from playground.constraints.child import run_child
from playground.constraints.jsonschema.keywords import (
    ANNOTATIONS,
    COUNTS,
    KNOWN,
    NUMBERS,
    subschemas,
)
from playground.constraints.judge_paths import must_hold
from playground.constraints.limits import Limits
from playground.constraints.work_judge import LATE
from playground.errors import BudgetExceeded, InvalidInput

SECONDS: Final = 20.0
"""Longest judging of all values together."""
QUICK: Final = 3_000_000
"""Judged here, not in a child: so many characters of schema, over all values together."""
TAME: Final = (ANNOTATIONS | COUNTS | NUMBERS) | {
    "$defs",
    "additionalProperties",
    "allOf",
    "anyOf",
    "const",
    "definitions",
    "dependentRequired",
    "dependentSchemas",
    "else",
    "enum",
    "format",
    "if",
    "not",
    "oneOf",
    "properties",
    "required",
    "then",
    "type",
}
"""Keywords that are judged in a time linear in the size of the schema."""

Cancelled = Callable[[], bool] | None


def records_accepted(
    schema: str, records: Iterable[Any], cancelled: Cancelled = None
) -> list[bool]:
    """For each record whether the JSON Schema `schema` allows it; `format` is not asserted.

    Raises:
        BudgetExceeded: the judge takes too long, or too much memory.
        InvalidInput: a reference leads out of the schema.
        Cancelled: `cancelled` said so.
    """
    every = list(records)
    if _is_quick(schema, len(every)):
        from playground.constraints.schema_judge import schema_judge  # jsonschema is slow to import

        return list(map(schema_judge(schema), every))
    return _accepted(schema, [{"text": json.dumps(record)} for record in every], cancelled)


def values_accepted(
    schema: str, values: Iterable[tuple[Sequence[str], Any]], cancelled: Cancelled = None
) -> list[bool]:
    """For each value, at the end of a path of keys, whether the schema may allow it there: False
    where it never does, whatever stands beside it.

    Raises:
        As `records_accepted`.
    """
    every = [(tuple(path), value) for path, value in values]
    if _is_quick(schema, len(every)):
        judges = {path: _judge_at(schema, path) for path in {path for path, _ in every}}
        return [judges[path](value) for path, value in every]
    tasks = [{"text": "", "closed": [[list(path), json.dumps(value)]]} for path, value in every]
    return _accepted(schema, tasks, cancelled)


def _is_quick(schema: str, count: int) -> bool:
    """The schema has no keyword with which judging could take longer than reading."""
    if len(schema) * count > QUICK:
        return False
    return all(
        keyword in TAME or keyword not in KNOWN
        for inner, _ in subschemas(json.loads(schema))
        if isinstance(inner, dict)
        for keyword in inner
    )


def _judge_at(schema: str, path: Sequence[str]) -> Callable[[Any], bool]:
    from playground.constraints.schema_judge import schema_judge

    root = json.loads(schema)
    dialect = {"$schema": root["$schema"]} if "$schema" in root else {}
    judges = [schema_judge(json.dumps({**each, **dialect})) for each in must_hold(root, path)]
    return lambda value: all(judge(value) for judge in judges)


def _accepted(schema: str, tasks: Sequence[Mapping[str, Any]], cancelled: Cancelled) -> list[bool]:
    out: list[bool] = []
    until = time.monotonic() + SECONDS
    broken: list[str] | None = None
    while len(out) < len(tasks):
        if time.monotonic() > until:
            raise _too_long(f"Judging {len(tasks):,} records takes more than {SECONDS:g} seconds.")
        request = {
            "engine": "judge",
            "task": "schema",
            "schema": schema,
            "formats": False,
            "texts": tasks[len(out) :],
            "broken": broken,
        }
        try:
            head, _ = run_child(request, Limits(seconds=SECONDS), cancelled)
        except BudgetExceeded as error:
            error.what = error.what.replace("Compiling the constraint", "Judging records")
            raise
        broken = head["broken"]
        for found in head["verdicts"]:
            if found == LATE:  # the child's own time is up: another one goes on here
                break
            if found["status"] == "unknown" and found["missing"]:
                raise InvalidInput(
                    found["message"], "Copy the definition under `$defs`.", "the schema"
                )
            if found["status"] == "unknown":
                raise _too_long(found["message"])
            out.append(found["status"] != "invalid")
    return out


def _too_long(what: str) -> BudgetExceeded:
    return BudgetExceeded(what, "Use fewer options, or simpler rules.", "the schema")
