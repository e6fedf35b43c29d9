"""A constraint as a tree of plain sentences, each with its place."""

from typing import Any

from playground.constraints.regex_syntax import parse
from playground.constraints.sources import choices
from playground.constraints.spec import ConstraintSpec
from playground.constraints.types import type_named
from playground.errors import BudgetExceeded
from playground.schema.explain_grammar import explain_grammar
from playground.schema.explain_node import leaf, more
from playground.schema.explain_regex import explain_regex
from playground.schema.explain_schema import explain_schema
from playground.schema.typed import as_typed

MAX_CHARACTERS = 500_000
"""Longest text explained."""
MAX_CHOICES = 100


def explain(spec: ConstraintSpec, schema_text: str | None) -> dict[str, Any]:
    """The constraint as a tree of sentences.

    Args:
        spec: the constraint as typed.
        schema_text: its JSON Schema; None for the kinds without one.

    Returns:
        A node: `pointer` (JSON pointer; empty outside JSON), `keyword`, `line` and `column` in
        `spec.source` (None for a Pydantic model), `words`, `children`.
        Nodes of a regex have `start` and `end` too, characters from 0. A few hundred nodes at
        most: what is left out is counted in words.

    Raises:
        InvalidInput: the source can't be read, with its place.
        BudgetExceeded: it is longer than MAX_CHARACTERS.
    """
    source = spec.source if schema_text is None else schema_text
    if len(source) > MAX_CHARACTERS:
        raise BudgetExceeded(
            f"The text has {len(source):,} characters; at most {MAX_CHARACTERS:,} are explained.",
            "Explain a part of it.",
        )
    if schema_text is not None:
        return explain_schema(as_typed(spec, schema_text))
    if spec.kind == "regex":
        return explain_regex(source, parse(source))
    if spec.kind == "choices":
        return _choices(source)
    if spec.kind == "type":
        rule = type_named(source.strip())
        node = leaf("type", f"{rule.accepts} For example {rule.example}.", (1, 1))
        node["children"] = [leaf("regex", f"As a regex: `{rule.regex}`", None)]
        return node
    if spec.kind == "grammar":
        return explain_grammar(source)
    return leaf("free", "Any text: nothing is masked.", (1, 1))


def _choices(source: str) -> dict[str, Any]:
    listed = choices(source)
    distinct = list(dict.fromkeys(listed))
    lines: dict[str, int] = {}
    for number, line in enumerate(source.replace("\r\n", "\n").split("\n"), 1):
        lines.setdefault(line, number)
    many = f"Exactly one of {len(distinct):,} texts." if len(distinct) > 1 else "Exactly one text."
    node = leaf("choices", many, (1, 1))
    node["children"] = [
        leaf("choice", f"The text “{_shown(line)}”.", (lines[line], 1))
        for line in distinct[:MAX_CHOICES]
    ]
    if len(distinct) > MAX_CHOICES:
        node["children"].append(more(len(distinct) - MAX_CHOICES, "texts"))
    return node


def _shown(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:79]}…"
