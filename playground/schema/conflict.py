"""The smallest conflicting part of a constraint that nothing satisfies."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from playground.constraints.child import run_child
from playground.constraints.limits import Limits
from playground.constraints.slots import deadline
from playground.constraints.spec import ConstraintSpec
from playground.errors import BudgetExceeded, PlaygroundError
from playground.schema.json_text import JsonText
from playground.schema.reference_schema import PATIENCE, parsed_schema
from playground.schema.typed import as_typed, nearest

SECONDS = 3.0
"""Longest search."""
MAX_TOLD = 12


def conflict(
    spec: ConstraintSpec,
    schema_text: str | None,
    *,
    limits: Limits | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> dict[str, Any]:
    """The keywords that together leave no value, none of which can be spared.

    Args:
        spec: a constraint whose compilation raised EmptyLanguage.
        schema_text: its JSON Schema; None for kinds without one.
        limits: of the child process.
        cancelled: asked every 20 ms.

    Returns:
        `keywords`: keyword, pointer, line and column (in `spec.source`, None for a Pydantic model)
        of each; `complete`: False where the time was
        up before every keyword was tried, so that the set is one of at most these; `words`: it as
        a sentence; `context`: what only leads to the conflict, or names the type that it is about.
        `keywords` is empty for kinds without a schema. Keywords and context together have no value,
        and would have some without any one of the keywords.

    Raises:
        Cancelled: `cancelled` returned True.
    """
    if schema_text is None:
        return _answer([], True, _without_schema(spec))
    schema = parsed_schema(schema_text)
    if isinstance(schema, PlaygroundError):
        return _answer([], False, f"The schema can't be read: {schema.what}")
    request = {
        "engine": "judge",
        "task": "conflict",
        "schema": schema_text,
        "whitespace": spec.whitespace,
        "seconds": SECONDS,
    }
    try:
        head, _ = run_child(request, limits or Limits(), cancelled, until=deadline(PATIENCE))
    except BudgetExceeded:
        return _answer([], False, "The search for the conflicting part was stopped: it takes long.")
    text = as_typed(spec, schema_text)
    keywords = [_placed(text, *piece) for piece in head["pieces"]]
    context = [_placed(text, *piece) for piece in head["context"]]
    types = [each for each in context if each["keyword"] == "type"]
    names = _names([*keywords, *types])
    words = _words(names[: len(keywords)], head["complete"])
    if types and keywords and head["complete"]:
        it, they = ("it", "it is") if len(keywords) == 1 else ("them", "they are")
        says = "says" if len(types) == 1 else "say"
        words += f" {_listed(names[len(keywords) :])} beside {it} {says} which values {they} about."
    return {**_answer(keywords, head["complete"], words), "context": context}


def _placed(text: JsonText, pointer: str, keyword: str) -> dict[str, Any]:
    line, column = nearest(text, pointer) or (None, None)
    return {"keyword": keyword or "false", "pointer": pointer, "line": line, "column": column}


def _answer(keywords: list[dict[str, Any]], complete: bool, words: str) -> dict[str, Any]:
    return {"keywords": keywords, "complete": complete, "words": words, "context": []}


def _words(names: list[str], complete: bool) -> str:
    if not names:
        return "No conflicting part was found: the schema has values, but none that can be spelled."
    if not complete:
        return f"The time was up: the conflict lies in at most these: {_listed(names)}."
    if len(names) == 1:
        return f"{_listed(names)} alone allows no value."
    return f"{_listed(names)} can't hold together; without any one of them there are values."


def _names(keywords: list[dict[str, Any]]) -> list[str]:
    """Each keyword with its line, and with its column where another of its name is in that line; of
    a Pydantic model with its pointer."""
    lines = Counter((each["keyword"], each["line"]) for each in keywords)
    return [
        f"`{each['keyword']}`" + _at(each, lines[each["keyword"], each["line"]] > 1)
        for each in keywords
    ]


def _at(keyword: dict[str, Any], with_column: bool) -> str:
    """Its place in brackets; of a keyword that the visitor never wrote the pointer."""
    if keyword["line"] is None:
        return f" (at {keyword['pointer'] or 'the root'})"
    column = f", column {keyword['column']}" if with_column else ""
    return f" (line {keyword['line']}{column})"


def _listed(names: list[str]) -> str:
    shown = names[:MAX_TOLD]
    if len(names) > MAX_TOLD:
        shown = [*shown, f"{len(names) - MAX_TOLD} more"]
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def _without_schema(spec: ConstraintSpec) -> str:
    if spec.kind == "regex":
        return "The regex matches no text: one of its character classes is empty."
    if spec.kind == "choices":
        return "None of the choices can be spelled."
    return "No text satisfies the constraint."
