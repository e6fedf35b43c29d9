"""The smallest conflicting part of a constraint that nothing satisfies."""

from collections.abc import Callable
from typing import Any

from playground.constraints.child import run_child
from playground.constraints.limits import Limits
from playground.constraints.slots import deadline
from playground.constraints.spec import ConstraintSpec
from playground.errors import BudgetExceeded, PlaygroundError
from playground.schema.reference_schema import PATIENCE, parsed_schema, schema_place

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
        `keywords`: keyword, pointer, line and column of each; `complete`: False where the time was
        up before every keyword was tried, so that the set is one of at most these; `words`: it as
        a sentence. `keywords` is empty for kinds without a schema.

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
    keywords = []
    for pointer, keyword in head["pieces"]:
        line, column = schema_place(schema, pointer)
        keywords.append(
            {"keyword": keyword or "false", "pointer": pointer, "line": line, "column": column}
        )
    return _answer(keywords, head["complete"], _words(keywords, head["complete"]))


def _answer(keywords: list[dict[str, Any]], complete: bool, words: str) -> dict[str, Any]:
    return {"keywords": keywords, "complete": complete, "words": words}


def _words(keywords: list[dict[str, Any]], complete: bool) -> str:
    if not keywords:
        return "No conflicting part was found: the schema has values, but none that can be spelled."
    shown = [f"`{each['keyword']}` (line {each['line']})" for each in keywords[:MAX_TOLD]]
    if len(keywords) > MAX_TOLD:
        shown.append(f"{len(keywords) - MAX_TOLD} more")
    listed = " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)
    if not complete:
        return f"The time was up: the conflict lies in at most these: {listed}."
    if len(keywords) == 1:
        return f"{listed} alone allows no value."
    return f"{listed} can't hold together; without any one of them there are values."


def _without_schema(spec: ConstraintSpec) -> str:
    if spec.kind == "regex":
        return "The regex matches no text: one of its character classes is empty."
    if spec.kind == "choices":
        return "None of the choices can be spelled."
    return "No text satisfies the constraint."
