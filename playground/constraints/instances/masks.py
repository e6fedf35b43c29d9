"""Masks of one schema with and without a keyword: where both are equal, it forbids nothing more."""

import json
import time
from collections import deque
from typing import Any

from playground.constraints.build import build
from playground.constraints.dfa import DEAD, READABLE, ByteDFA
from playground.constraints.instances.goals import Map, outer
from playground.constraints.jsonschema import lower
from playground.constraints.jsonschema.entry import Lowered
from playground.constraints.jsonschema.keywords import HOLDERS, REFERENCES
from playground.constraints.jsonschema.source import keys
from playground.constraints.limits import Limits
from playground.constraints.notes import Note
from playground.constraints.spec import Whitespace
from playground.errors import PlaygroundError

STATES = 20_000
"""An automaton of more states is not compared."""
MAX_PAIRS = 20_000
"""So many pairs of states are compared."""
LONGEST_REGEX = 300_000
"""A longer regex is compared as a text only."""
_LOOSE = frozenset({"not-enforced", "partly"})


class Masks:
    """The exact mask of one schema, and those of schemas that differ from it in one place."""

    def __init__(self, schema: Any, places: Map, whitespace: Whitespace, until: float) -> None:
        """`until` is the time.monotonic() at which no further mask is begun."""
        self._schema = schema
        self._places = places
        self._whitespace = whitespace
        self._until = until
        self._own = self._lowered(schema)
        self._automaton: ByteDFA | None = None
        self._longest = 0.0
        self._closed: dict[str, bool] = {}

    def may_tell(self, pointer: str) -> bool:
        """What is not enforced, if anything, does not hide what the keyword there does."""
        if self._own is None:
            return False
        loose = [note for note in self._own.notes if note.level in _LOOSE]
        return not any(note.pointer in (pointer, "") or _hides(note) for note in loose)

    def same(self, changed: Any) -> tuple[bool | None, str]:
        """Whether the mask of `changed` is the same, None where that was not found out; where it
        is not, the shortest text that only one of both allows."""
        other = self._lowered(changed)
        if self._own is None or other is None:
            return None, ""
        if other.regex == self._own.regex:
            return True, ""
        if max(len(other.regex), len(self._own.regex)) > LONGEST_REGEX:
            return None, ""
        if time.monotonic() + 2 * self._longest > self._until:
            return None, ""
        if self._automaton is None:
            self._automaton = self._built(self._own)
        built = None if self._automaton is None else self._built(other)
        if self._automaton is None or built is None:
            return None, ""
        return compared(self._automaton, built, self._until)

    def shortest(self) -> str:
        """A shortest text of the mask; empty where no automaton was built."""
        if self._automaton is None:
            return ""
        return self._automaton.completion(0).decode("utf-8", "backslashreplace")

    def never_here(self, where: str) -> bool:
        """The mask leads to no value that the schema at `where` judges, as it is the same with
        `false` there."""
        if where not in self._closed:
            around = outer(where)
            known = any(
                self._closed.get(part, False)
                for part in _within(around)
                if not any(key in ("$defs", "definitions") for key in keys(where[len(part) :]))
            )
            if known and not self._referred(where):
                self._closed[where] = True
            elif time.monotonic() > self._until or self._own is None:
                return False
            else:
                changed = placed(self._schema, self._places.path(where), {"not": {}})
                self._closed[where] = self.same(changed)[0] is True
        return self._closed[where]

    def _referred(self, where: str) -> bool:
        """A reference leads to the place, or to one around it."""
        around = {*_within(where)} - {""}
        for schema in self._places.subschemas.values():
            for keyword in REFERENCES:
                ref = schema.get(keyword) if isinstance(schema, dict) else None
                if isinstance(ref, str) and self._places.target(ref) in around:
                    return True
        return False

    def _lowered(self, schema: Any) -> Lowered | None:
        if time.monotonic() > self._until:
            return None
        try:
            return lower(json.dumps(schema), self._whitespace)
        except (PlaygroundError, RecursionError):
            return None

    def _built(self, lowered: Lowered) -> ByteDFA | None:
        began = time.monotonic()
        try:
            return build(lowered.regex, min(STATES, Limits().states))
        except PlaygroundError:
            return None
        finally:
            self._longest = max(self._longest, time.monotonic() - began)


def placed(schema: Any, path: tuple[str | int, ...], new: Any) -> Any:
    """The schema with another part at a path; the rest is shared."""
    if not path:
        return new
    if isinstance(schema, list):
        index = int(path[0])
        return [*schema[:index], placed(schema[index], path[1:], new), *schema[index + 1 :]]
    return {**schema, path[0]: placed(schema[path[0]], path[1:], new)}


def _within(pointer: str) -> list[str]:
    """The pointer and all around it, the outermost first."""
    out, parts = [""], pointer.split("/")
    for count in range(2, len(parts) + 1):
        out.append("/".join(parts[:count]))
    return out


def _hides(note: Note) -> bool:
    """What the note says is not enforced may hold the keyword: all but that keys may stand twice."""
    return note.keyword in HOLDERS and (note.level, note.keyword) != ("partly", "properties")


def compared(one: ByteDFA, other: ByteDFA, until: float) -> tuple[bool | None, str]:
    """Whether two automata allow the same texts, None where the time or the pairs ran out; where
    they don't, a shortest text that one alone allows, readable where it can be."""
    letters: dict[tuple[int, int], int] = {}
    for byte in READABLE:
        letters.setdefault((int(one.classes[byte]), int(other.classes[byte])), byte)
    columns = [pair[0] for pair in letters], [pair[1] for pair in letters]
    labels = list(letters.values())
    start = (0, 0)
    came: dict[tuple[int, int], tuple[tuple[int, int], int] | None] = {start: None}
    todo = deque([start])
    while todo:
        here = todo.popleft()
        left, right = here
        if DEAD in here:
            alive = other if left == DEAD else one
            end = alive.completion(right if left == DEAD else left)
            return False, (_way(came, here) + end).decode("utf-8", "backslashreplace")
        if bool(one.final[left]) != bool(other.final[right]):
            return False, _way(came, here).decode("utf-8", "backslashreplace")
        if len(came) > MAX_PAIRS or time.monotonic() > until:
            return None, ""
        after = one.moves[left, columns[0]].tolist(), other.moves[right, columns[1]].tolist()
        for label, to in zip(labels, zip(*after, strict=True), strict=True):
            if to != (DEAD, DEAD) and to not in came:
                came[to] = here, label
                todo.append(to)
    return True, ""


def _way(
    came: dict[tuple[int, int], tuple[tuple[int, int], int] | None], pair: tuple[int, int]
) -> bytes:
    out = bytearray()
    step = came[pair]
    while step is not None:
        pair, byte = step
        out.append(byte)
        step = came[pair]
    return bytes(reversed(out))
