"""Gold answers that no valid answer can equal: found before a study runs, by the schema's own judge."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from playground.constraints.child import run_child
from playground.constraints.jsonschema.source import parse
from playground.constraints.limits import Limits
from playground.constraints.sources import choices, schema_text
from playground.constraints.spec import JSON_KINDS, ConstraintSpec
from playground.errors import BudgetExceeded, Busy, InvalidInput
from playground.study.gold_schema import cut, folded, of_fields, of_whole, reason, shown
from playground.study.prompts.base import Item

MOST_JUDGED = 1_000
"""Different gold values that are judged."""
MOST_TEXT = 1_000_000
"""Characters of them together."""
SHOWN = 3
"""Golds that the warning names."""

_NUMBERED = re.compile(r"row-([1-9][0-9]*)")


@dataclass(frozen=True, slots=True)
class Unmatched:
    """A field of a gold answer that no answer can have."""

    item: str
    """The id of the prompt."""
    field: str
    """Empty where the gold is no object."""
    why: str
    """A clause that begins with the value or with what refuses it."""

    def __str__(self) -> str:
        numbered = _NUMBERED.fullmatch(self.item)
        where = f"row {numbered[1]}" if numbered else f"prompt {cut(self.item)}"
        return f"{where}, {cut(self.field)}: {self.why}" if self.field else f"{where}: {self.why}"


@dataclass(frozen=True, slots=True)
class GoldCheck:
    """What was found of the golds of a study."""

    found: tuple[Unmatched, ...]
    """In the order of the prompts, then of the fields."""
    whole: bool
    """Every gold was judged; else there may be more."""
    by_schema: bool
    """The answers are JSON values that a schema judges; else they are texts."""


def check_golds(constraint: ConstraintSpec, items: Iterable[Item]) -> GoldCheck:
    """The golds that no answer the constraint allows can equal, as `row.compared` compares: a value
    of a wrong type or out of an enum, a field that a closed object lacks. What is found is certain;
    what isn't found may still be out of reach, as a gold may be partial and patterns and lengths of
    texts aren't looked at.

    Args:
        constraint: what answers must match.
        items: those without a gold are passed over.
    """
    golds = [item for item in items if item.gold is not None]
    if constraint.kind not in JSON_KINDS:
        return GoldCheck(tuple(_of_texts(constraint, golds)), True, False)
    try:
        text = schema_text(constraint)
        schema = parse(text or "true").value
    except InvalidInput:  # the study itself says what is wrong with it
        return GoldCheck((), False, True)
    asked = list(_asked(golds))
    verdicts: dict[tuple[bool, str], str] = {}
    for by_field in (True, False):
        texts = _first([text for *_, whole, text in asked if whole is not by_field])
        relaxed = json.dumps(of_fields(schema) if by_field else of_whole(schema))
        statuses = _statuses(relaxed, texts) if texts else ()
        verdicts |= {(by_field, each): said for each, said in zip(texts, statuses, strict=True)}
    found = [
        Unmatched(item.id, name, reason(schema, name, value))
        for item, name, value, whole, text in asked
        if verdicts.get((not whole, text)) == "invalid"
    ]
    known = [verdicts.get((not whole, text), "unknown") for *_, whole, text in asked]
    return GoldCheck(tuple(found), "unknown" not in known, True)


def gold_warning(check: GoldCheck) -> str:
    """The finding in words, with the first rows and what to do; empty where nothing was found."""
    count = len({each.item for each in check.found})
    if not count:
        return ""
    golds = f"{count:,} {'gold' if count == 1 else 'golds'} can never be matched"
    if not check.whole:
        golds = f"At least {golds}"
    allowed = " by an answer that the schema allows" if check.by_schema else ""
    named = [str(each) for each in check.found[:SHOWN]]
    more = len(check.found) - len(named)
    rest = f"; and {more:,} more" if more else ""
    mend = "Mend the gold or the constraint: as they stand, no answer counts as right there."
    return f"{golds}{allowed}: {'; '.join(named)}{rest}. {mend}"


def _of_texts(constraint: ConstraintSpec, golds: Sequence[Item]) -> Iterator[Unmatched]:
    """Answers are texts: what is no text, and of choices what is none of them."""
    there: set[Any] | None = None
    names: list[str] = []
    if constraint.kind == "choices":
        try:
            names = choices(constraint.source)
            there = set(map(folded, names))
        except InvalidInput:
            pass
    for item in golds:
        gold = shown(item.gold)
        if not isinstance(item.gold, str):
            kind = "an object" if isinstance(item.gold, dict) else "no text"
            mend = "" if isinstance(item.gold, (dict, list)) else ": in quotes it is"
            yield Unmatched(item.id, "", f"an answer is a text here, {gold} is {kind}{mend}")
        elif there is not None and folded(item.gold) not in there:
            listed = ", ".join(map(shown, names[:6]))
            dots = ", …" if len(names) > 6 else ""
            yield Unmatched(item.id, "", f"{gold} is not one of {listed}{dots}")


def _asked(golds: Sequence[Item]) -> Iterator[tuple[Item, str, Any, bool, str]]:
    """(item, field, its value, whether it is the whole gold, the JSON text that is judged)."""
    for item in golds:
        whole = not isinstance(item.gold, dict)
        for name, value in [("", item.gold)] if whole else item.gold.items():
            judged = folded(value) if whole else {name: folded(value)}
            try:
                text = json.dumps(judged, allow_nan=False)
            except ValueError:  # a number beyond floats
                continue
            yield item, name, value, whole, text


def _first(texts: Iterable[str]) -> tuple[str, ...]:
    """Each once, as many as are judged."""
    out, size = list[str](), 0
    for text in dict.fromkeys(texts):
        size += len(text)
        if len(out) == MOST_JUDGED or size > MOST_TEXT:
            break
        out.append(text)
    return tuple(out)


def _statuses(schema: str, texts: tuple[str, ...]) -> tuple[str, ...]:
    """The verdict of each text by a schema, `valid`, `invalid` or `unknown`, from a child process
    that bounds the time of each and of all: those that are not reached are unknown."""
    try:
        return _judged(schema, texts)
    except (BudgetExceeded, Busy):
        return ("unknown",) * len(texts)


@lru_cache(maxsize=16)
def _judged(schema: str, texts: tuple[str, ...]) -> tuple[str, ...]:
    tasks = [{"text": text} for text in texts]
    request = {"engine": "judge", "task": "schema", "schema": schema, "formats": False}
    head, _ = run_child({**request, "texts": tasks}, Limits())
    return tuple(str(verdict["status"]) for verdict in head["verdicts"])
