"""A constraint as typed -> the regex of its texts, with remarks."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from playground.constraints.limits import Limits
from playground.constraints.notes import Note, without_lines
from playground.constraints.regex import escape, prepare
from playground.constraints.types import type_named
from playground.errors import BudgetExceeded, InvalidInput, PlaygroundError

if TYPE_CHECKING:  # the child process starts faster without pydantic
    from playground.constraints.spec import ConstraintSpec, Kind, Whitespace


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
    if kind == "grammar":
        raise no_grammar()
    text = text_of_schema(kind, source)
    assert text is not None, kind
    from playground.constraints.jsonschema import lower

    with placed(kind, source, text):
        lowered = lower(text, whitespace)
    if len(lowered.regex) > limits.regex:
        raise BudgetExceeded(
            f"The schema becomes a regex of {len(lowered.regex):,} characters; at most "
            f"{limits.regex:,} are compiled.",
            "Use fewer optional properties, shallower nesting, or shorter enums.",
        )
    notes = tuple(lowered.notes) if kind == "schema" else without_lines(lowered.notes)
    return Resolved(lowered.regex, notes, text)


def schema_text(spec: "ConstraintSpec") -> str | None:
    """The JSON Schema of a constraint as JSON text; None for a kind without one.

    Raises:
        InvalidInput: the source of a `pydantic` or `tool` constraint is malformed.
    """
    return text_of_schema(spec.kind, spec.source)


def text_of_schema(kind: "Kind", source: str) -> str | None:
    """`schema_text` of a constraint of this kind."""
    if kind == "schema":
        return source.removeprefix("\ufeff")
    if kind == "pydantic":
        from playground.constraints.pydantic_source import to_schema

        return json.dumps(to_schema(source), indent=2, ensure_ascii=False)
    if kind == "tool":
        from playground.constraints import tool_source

        return json.dumps(tool_source.to_schema(source), indent=2, ensure_ascii=False)
    return None


@contextmanager
def placed(kind: "Kind", source: str, text: str) -> Iterator[None]:
    """Let an error about `text`, the schema that `source` becomes, name a place in the source, or
    none where the visitor never saw the schema."""
    try:
        yield
    except PlaygroundError as error:
        if kind in ("schema", "regex", "choices", "type", "grammar") or error.line is None:
            raise
        place = _in_tool(source, text, error.line, error.column or 1) if kind == "tool" else None
        error.line, error.column = place or (None, None)
        if error.where.startswith("line "):
            error.where = f"line {place[0]}, column {place[1]}" if place else _SEEN_NOWHERE[kind]
        raise


_SEEN_NOWHERE = {
    "pydantic": "the JSON Schema of the model",
    "tool": "the JSON Schema of the calls",
}


def _in_tool(source: str, text: str, line: int, column: int) -> tuple[int, int] | None:
    """The place in a tool definition of what stands at a place of its schema."""
    from playground.constraints import tool_source
    from playground.constraints.jsonschema.source import parse

    for pointer, place in parse(text).places.items():
        if place == (line, column):
            return tool_source.place(source, pointer)
    return None


def no_grammar() -> InvalidInput:
    """What an engine of finite automata says to a grammar."""
    return InvalidInput(
        "This engine can't run a grammar: it is a finite automaton, which can't count brackets.",
        'Choose the engine "llguidance" or "xgrammar", or "auto", which picks one that can.',
    )


def choices(source: str) -> list[str]:
    """One choice a line; empty lines don't count, blanks at the ends of a line do.

    Raises:
        InvalidInput: there is none.
    """
    lines = [line for line in source.replace("\r\n", "\n").split("\n") if line]
    if not lines:
        raise InvalidInput(
            "There are no choices.", "Write one choice a line.", "line 1, column 1", 1, 1
        )
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
