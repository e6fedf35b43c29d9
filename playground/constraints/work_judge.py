"""The child's part of judging: many texts by one constraint's reference judge, none at another's cost."""

import sys
import time
from collections.abc import Callable
from typing import Any

from playground.constraints.limits import Limits

TEXT_SECONDS = 1.0
"""Longest judging of one text."""
ALL_SECONDS = 3.0
"""All texts together; those that are not reached stay unknown."""
RECURSION = 6_000
"""Calls deep: for texts and schemas of some hundred levels."""
LATE = {
    "status": "unknown",
    "message": "The time for all texts was up before this one's turn.",
    "missing": False,
}


def work(request: dict[str, Any], limits: Limits) -> tuple[dict[str, Any], bytes]:
    """Answer one request.

    `task` names what to do: `schema` judges `texts` (see `judge_schema.SchemaJudge.judge`; None
    is passed over) by `schema`, with `formats` and, to save time, the `broken` keywords that an
    earlier answer told of; `regex` judges `texts` by `source`; `conflict`
    finds the conflicting part of `schema`. The head holds `verdicts` and `remarks`, or what
    `conflict_search.search` answers.
    """
    sys.setrecursionlimit(RECURSION)
    sys.set_int_max_str_digits(0)  # the caller bounds the length of numbers
    if request["task"] == "conflict":
        from playground.constraints.conflict_search import search

        return search(request["schema"], request["whitespace"], request["seconds"], limits), b""
    if request["task"] == "regex":
        from playground.constraints.judge_regex import RegexJudge

        judge = RegexJudge(request["source"])
        return {"verdicts": _each(request["texts"], judge.judge), "remarks": []}, b""
    from playground.constraints.judge_schema import SchemaJudge

    by_schema = SchemaJudge(request["schema"], request["formats"], request.get("broken"))
    verdicts = _each(request["texts"], by_schema.judge)
    remarks = by_schema.remarks()
    return {"verdicts": verdicts, "remarks": remarks, "broken": by_schema.broken}, b""


def _each(
    tasks: list[Any], judge: Callable[[Any, float], dict[str, Any]]
) -> list[dict[str, Any] | None]:
    """Every task's verdict, bounded each and together; the quick ones first lose nothing."""
    until = time.monotonic() + ALL_SECONDS
    out: list[dict[str, Any] | None] = []
    for task in tasks:
        left = until - time.monotonic()
        if task is None:
            out.append(None)
        elif left <= 0:
            out.append(LATE)
        else:
            out.append(judge(task, min(TEXT_SECONDS, left)))
    return out


def preload() -> None:
    """Import and use once what judging needs."""
    from playground.constraints.judge_regex import RegexJudge
    from playground.constraints.judge_schema import SchemaJudge

    schema = '{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}'
    SchemaJudge(schema, formats=True).judge({"text": '{"a":1}'}, 1.0)
    RegexJudge("a").judge("a", 1.0)
