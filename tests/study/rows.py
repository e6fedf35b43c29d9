"""Rows and specs for the tests of what is read off a study."""

from typing import Any

from playground.study.prompts.base import Item
from playground.study.row import Category, Row
from playground.study.spec import StudySpec


def spec(golds: list[Any], *methods: str, **fields: Any) -> StudySpec:
    """A study of a prompt for each gold answer, None where there is none."""
    items = tuple(Item(id=f"i{at}", prompt=f"p{at}", gold=gold) for at, gold in enumerate(golds))
    return StudySpec(items=items, n=max(1, len(items)), methods=methods, **fields)


def row(index: int, method: str, category: Category, draw: int = 0, **fields: Any) -> Row:
    """A row whose other fields fit its category: valid is JSON that the schema accepts."""
    valid = category in ("right", "wrong", "valid")
    gold = {"right": {"a": True}, "wrong": {"a": False}}.get(category)
    made: dict[str, Any] = {
        "index": index,
        "item": f"i{index}",
        "method": method,
        "draw": draw,
        "text": '{"a": 1}' if valid else "no",
        "category": category,
        "valid": valid,
        "failure": None if valid else "truncated" if category == "truncated" else "other",
        "in_language": valid,
        "in_schema": valid,
        "in_salvaged": valid,
        "in_syntax": valid,
        "fields": gold,
        "ungrounded": () if valid else None,
        "tokens": 10,
        "steps": 10,
        "attempts": 1,
        "rows": 10,
        "log_p": -20.0,
        "length": 10,
        "bits": 3.0 if method == "strict" else None,
    }
    return Row(**(made | fields))
