"""A constraint as typed -> the regex of its texts, with remarks."""

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from playground.constraints.limits import Limits
from playground.constraints.notes import Note
from playground.constraints.regex import escape, prepare
from playground.constraints.types import type_named
from playground.errors import BudgetExceeded, InvalidInput, PlaygroundError

if TYPE_CHECKING:  # the child process starts faster without pydantic
    from playground.constraints.spec import Kind, Whitespace


@dataclass(frozen=True, slots=True)
class Resolved:
    """What is compiled."""

    regex: str
    """In Rust's syntax, without anchors: the whole text must match."""
    notes: tuple[Note, ...] = ()
    schema_text: str | None = None
    """The JSON Schema; None for the other kinds."""


def resolve(kind: "Kind", source: str, whitespace: "Whitespace", limits: Limits) -> Resolved:
    """The regex of a constraint of any kind but `free`.

    Raises:
        InvalidInput: the source is malformed, with its place.
        EmptyLanguage: a schema that nothing satisfies.
        BudgetExceeded: the regex is too large to compile.
    """
    if kind == "regex":
        prepared = prepare(source, limits.repeats)
        return Resolved(prepared.regex, prepared.notes)
    if kind == "choices":
        return _choices(source)
    if kind == "type":
        rule = type_named(source.strip())
        return Resolved(rule.regex, (Note("info", source.strip(), "", rule.accepts),))
    text = source.removeprefix("\ufeff")
    if kind == "pydantic":
        from playground.constraints.pydantic_source import to_schema

        text = json.dumps(to_schema(source), ensure_ascii=False)
    from playground.constraints.jsonschema import lower

    try:
        lowered = lower(text, whitespace)
    except PlaygroundError as error:
        if kind == "pydantic" and error.line is not None:  # of a text that the visitor never saw
            error.line = error.column = None
            if error.where.startswith("line "):
                error.where = "the JSON Schema of the model"
        raise
    if len(lowered.regex) > limits.regex:
        raise BudgetExceeded(
            f"The schema becomes a regex of {len(lowered.regex):,} characters; at most "
            f"{limits.regex:,} are compiled.",
            "Use fewer optional properties, shallower nesting, or shorter enums.",
        )
    return Resolved(lowered.regex, tuple(lowered.notes), text)


def choices(source: str) -> list[str]:
    """One choice a line; empty lines don't count, blanks at the ends of a line do.

    Raises:
        InvalidInput: there is none.
    """
    lines = [line for line in source.replace("\r\n", "\n").split("\n") if line]
    if not lines:
        raise InvalidInput("There are no choices.", "Write one choice a line.", "line 1", 1, 1)
    return lines


def _choices(source: str) -> Resolved:
    lines = choices(source)
    distinct = list(dict.fromkeys(lines))
    notes = []
    if len(distinct) < len(lines):
        counted = Counter(lines)
        twice = next(line for line in distinct if counted[line] > 1)
        notes.append(
            Note("info", "choices", "", f"{twice!r} is listed more than once and counts once.")
        )
    padded = next((line for line in distinct if line != line.strip()), None)
    if padded is not None:
        notes.append(
            Note("info", "choices", "", f"{padded!r} begins or ends with a blank, which counts.")
        )
    return Resolved("|".join(map(escape, distinct)), tuple(notes))
