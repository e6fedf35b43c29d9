"""The reference judge of JSON Schema, asked in one child for many texts, its answers with their places."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from playground.constraints.child import run_child
from playground.constraints.jsonschema.place import written
from playground.constraints.jsonschema.source import Parsed, parse
from playground.constraints.limits import Limits
from playground.constraints.slots import deadline
from playground.errors import BudgetExceeded, InvalidInput, PlaygroundError
from playground.schema.certain import closed_parts
from playground.schema.parts import Part, Reading, byte_offset
from playground.schema.verdict import Document, verdict

SECONDS = 5.0
"""Longest life of the judging child."""
PATIENCE = 3.0
"""Longest wait for its turn."""
VALIDATOR = "jsonschema"

Cancelled = Callable[[], bool] | None


@lru_cache(maxsize=16)
def parsed_schema(text: str) -> Parsed | PlaygroundError:
    """The schema with the places of its parts, or why it can't be read."""
    try:
        parsed = parse(text)
    except InvalidInput as error:
        return error
    if not isinstance(parsed.value, dict | bool):
        return InvalidInput("A JSON Schema is an object or a boolean.")
    return parsed


@lru_cache(maxsize=64)
def broken_in(schema_text: str) -> dict[str, list[str]]:
    """Where what a child has found broken in a schema is kept, so that the next need not look."""
    return {}


def by_schema(
    schema_text: str,
    readings: Sequence[Reading],
    formats: bool,
    limits: Limits,
    cancelled: Cancelled,
) -> tuple[list[Document], list[str]]:
    schema = parsed_schema(schema_text)
    if isinstance(schema, PlaygroundError):
        message = f"The schema can't be read: {schema.what}"
        return [verdict("unknown", VALIDATOR, message) for _ in readings], []
    early = [_without_schema(reading) for reading in readings]
    tasks = [
        None if known is not None else _task(reading)
        for reading, known in zip(readings, early, strict=True)
    ]
    raw: list[Any] = [None] * len(tasks)
    remarks: list[str] = []
    if any(task is not None for task in tasks):
        request = {
            "task": "schema",
            "schema": schema_text,
            "formats": formats,
            "texts": tasks,
            "broken": broken_in(schema_text).get("broken"),
        }
        answer = ask(request, limits, cancelled)
        if "broken" in answer:
            broken_in(schema_text)["broken"] = answer["broken"]
        raw, remarks = answer["verdicts"] or [answer["late"]] * len(tasks), answer["remarks"]
    out = []
    for reading, known, found in zip(readings, early, raw, strict=True):
        out.append(_placed(reading, found, schema) if known is None else known)
    return out, remarks


def _without_schema(reading: Reading) -> Document | None:
    """The verdict of a text for which no schema is needed; None where one is."""
    text = reading.text
    if reading.status == "deep" or any(problem.kind == "digits" for problem in reading.problems):
        return verdict("unknown", VALIDATOR, f"It is not judged: {reading.remarks()[-1]}")
    if reading.status == "broken":
        assert reading.at is not None
        odd = [problem for problem in reading.problems if problem.at == reading.at]
        what = odd[0].words if odd else "it is no JSON here."
        offset = byte_offset(text, reading.at)
        out = verdict("invalid", VALIDATOR, "", text=text, offset=offset, expected=reading.expected)
        out["message"] = f"Line {out['line']}, column {out['column']}: {what}"
        return out
    if reading.status == "cut" and not closed_parts(reading):
        return _incomplete(reading)
    return None


def _incomplete(reading: Reading) -> Document:
    text = reading.text
    return verdict(
        "incomplete",
        VALIDATOR,
        "The JSON is cut off; nothing that is closed is wrong so far.",
        text=text,
        offset=byte_offset(text, len(text)),
        expected=reading.expected,
    )


def _task(reading: Reading) -> Document:
    if reading.status == "whole":
        return {"text": reading.text}
    closed = [
        (list(part.path), reading.text[part.start : part.end]) for part in closed_parts(reading)
    ]
    return {"text": "", "closed": closed}


def ask(request: Document, limits: Limits, cancelled: Cancelled) -> Document:
    """The child's answer; with `late` and no verdicts where it was stopped."""
    try:
        head, _ = run_child(
            {"engine": "judge", **request}, limits, cancelled, until=deadline(PATIENCE)
        )
    except BudgetExceeded as error:
        reason = error.what.replace("Compiling the constraint was stopped", "Judging was stopped")
        late = {"status": "unknown", "message": reason}
        return {"verdicts": None, "remarks": [], "late": late}
    return head


def _placed(reading: Reading, raw: Document, schema: Parsed) -> Document:
    """The child's verdict with places in the text and in the schema; of a valid text also
    `formats`, the errors that it would have if `format` were asserted; with `remarks` where a
    validator that divides floats would judge it otherwise."""
    if raw["status"] == "unknown":
        return verdict("unknown", VALIDATOR, raw["message"])
    if raw["status"] == "incomplete":
        return _incomplete(reading)
    parts = reading.parts()
    remarks = {"remarks": raw["remarks"]} if raw["remarks"] else {}
    if raw["status"] == "valid":
        out = {**verdict("valid", VALIDATOR, "The value satisfies the schema."), **remarks}
        formats = [_error(error, reading, parts, schema) for error in raw["formats"]]
        return {**out, "formats": formats} if formats else out
    errors = [_error(error, reading, parts, schema) for error in raw["errors"]]
    errors.sort(key=lambda error: error["offset"])
    out = verdict(
        "invalid", VALIDATOR, "", text=reading.text, offset=errors[0]["offset"], errors=errors
    )
    where = f"Line {out['line']}, column {out['column']}"
    out["message"] = f"{where}: {errors[0]['message']}"
    return {**out, **remarks}


def _error(raw: Document, reading: Reading, parts: dict[Any, Part], schema: Parsed) -> Document:
    """A JudgeError: places looked up, branches inside; `through` lists the keywords on the way."""
    path = tuple(raw["path"])
    part = parts.get(path)
    shorter = path
    while part is None and shorter:
        shorter = shorter[:-1]
        part = parts.get(shorter)
    at = 0 if part is None else part.start
    if part is not None and part.key and raw["keyword"] in _ABOUT_KEYS:
        at = part.key[0]
    line, column = schema_place(schema, raw["schema_pointer"])
    return {
        "keyword": raw["keyword"],
        "schema_pointer": raw["schema_pointer"],
        "instance_path": written(path),
        "offset": byte_offset(reading.text, at),
        "line": line,
        "column": column,
        "message": raw["message"],
        "through": raw["through"],
        "branches": [
            {
                "title": branch["title"],
                "pointer": branch["pointer"],
                "errors": [_error(inner, reading, parts, schema) for inner in branch["errors"]],
            }
            for branch in raw["branches"]
        ],
    }


_ABOUT_KEYS = frozenset({"additionalProperties", "properties", "patternProperties"})
"""Their errors stand at the key: the key itself is not allowed."""


def schema_place(schema: Parsed, pointer: str) -> tuple[int, int]:
    """Line and column of a part of the schema, or of the nearest one around it."""
    while pointer not in schema.places and pointer:
        pointer = pointer.rpartition("/")[0]
    return schema.places.get(pointer, (1, 1))
