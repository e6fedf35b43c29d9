"""Which keyword is to blame for a refusal: each near the place is left out, and the mask asked again."""

import copy
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from playground.constraints.bytes_vocabulary import BYTES
from playground.constraints.compile import compile_constraint
from playground.constraints.jsonschema.keywords import ANNOTATIONS
from playground.constraints.jsonschema.navigate import Navigator
from playground.constraints.jsonschema.scan import scan
from playground.constraints.jsonschema.source import keys, step
from playground.constraints.limits import Limits
from playground.constraints.spec import ConstraintSpec
from playground.errors import Cancelled as CancelledError
from playground.errors import PlaygroundError
from playground.schema.parts import Reading
from playground.schema.reference_schema import Cancelled
from playground.schema.rewriting import CHANGES, Order, Rewriter
from playground.schema.verdict import allows

MAX_TRIES = 14
"""So many keywords are left out, one at a time."""
ONE_SECONDS = 1.5
"""Longest compilation of a schema without one keyword."""
PATIENCE = 1.0
_HOLDERS = ("properties", "$defs", "definitions")


class OutOfTime(Exception):
    """Not every keyword could be tried."""


class Keyword(NamedTuple):
    """A keyword of the schema."""

    pointer: str
    keyword: str


def blamed(
    spec: ConstraintSpec,
    schema: Any,
    reading: Reading,
    furthest: bytes,
    order: Order,
    limits: Limits,
    cancelled: Cancelled,
    until: float,
) -> Keyword | None:
    """The first keyword without which the mask allows the text or another spelling of its value.

    Args:
        spec: the constraint, of a kind with a JSON Schema.
        schema: the parsed JSON Schema.
        reading: the refused text, whole JSON.
        furthest: the longest beginning that the mask allowed in any spelling.
        order: the names that the schema knows at a path.
        limits: of each compilation; its time is at most ONE_SECONDS.
        cancelled: asked meanwhile.
        until: the search ends at this moment of the monotonic clock.

    Returns:
        None where no single keyword is to blame.

    Raises:
        OutOfTime: the time was up before all were tried.
    """
    limits = replace(limits, seconds=min(ONE_SECONDS, limits.seconds))
    for tried, keyword in enumerate(near(schema, furthest)):
        if tried >= MAX_TRIES or time.monotonic() > until:
            raise OutOfTime
        source = json.dumps(without(schema, keyword), ensure_ascii=False)
        loose = spec.model_copy(update={"kind": "schema", "source": source})
        try:
            automaton = compile_constraint(
                loose, BYTES, limits=limits, cancelled=cancelled, patience=PATIENCE
            ).automaton
        except CancelledError:
            raise
        except PlaygroundError:  # a reference that leads nowhere now: not this keyword
            continue
        if allows(automaton, reading.text):
            return keyword
        if Rewriter(automaton, reading, order).with_changes(frozenset(CHANGES)) is not None:
            return keyword
    return None


def near(schema: Any, text: bytes) -> Iterator[Keyword]:
    """The keywords that speak of the value at the end of `text`, then of the values around it."""
    path = scan(text).path
    navigator = Navigator(schema, {})
    last: list[Keyword] = []
    seen: set[Keyword] = set()
    for depth in range(len(path), -1, -1):
        node = navigator.find(path[:depth])
        for each in navigator.in_place(node, None) if node is not None else ():
            for name in each.schema:
                keyword = Keyword(step(each.pointer, name), name)
                if name in ANNOTATIONS or keyword in seen:
                    continue
                seen.add(keyword)
                if name in _HOLDERS:
                    last.append(keyword)
                else:
                    yield keyword
    yield from (keyword for keyword in last if keyword.keyword == "properties")


def without(schema: Any, keyword: Keyword) -> Any:
    """A copy of the schema without one keyword."""
    out = copy.deepcopy(schema)
    value = out
    *way, last = keys(keyword.pointer)
    for part in way:
        value = value[int(part)] if isinstance(value, list) else value[part]
    del value[last]
    return out


def names_at(schema: Any) -> Callable[[tuple[str | int, ...]], list[str]]:
    """The names that the schema knows of the object at a path, in its order."""
    navigator = Navigator(schema, {})

    def names(path: tuple[str | int, ...]) -> list[str]:
        node = navigator.find(path)
        return [] if node is None else navigator.names(node)

    return names
