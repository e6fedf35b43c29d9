"""The same JSON value spelled another way that the mask allows: to learn what about a text it refuses."""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal, InvalidOperation
from itertools import combinations
from typing import Literal, NamedTuple

from playground.constraints.automaton import State, TokenAutomaton
from playground.constraints.jsonschema.scan import Path
from playground.schema.parts import Part, Reading, unquoted
from playground.schema.verdict import follow, spelled

Change = Literal["whitespace", "order", "escapes", "spelling", "twice"]
"""Blanks between tokens; the order of keys; the spelling of strings; of numbers; a key twice."""
CHANGES: tuple[Change, ...] = ("whitespace", "order", "escapes", "spelling", "twice")
MAX_WALKS = 4_000
"""So many pieces are tried for one set of changes."""
MAX_SECONDS = 0.3
MAX_LEVELS = 40
MAX_MEMBERS = 60
MAX_ITEMS = 300
"""Deeper values, wider objects and longer arrays are not rewritten."""
MAX_EXPONENT = 400

Order = Callable[[Path], Sequence[str]]
"""The names that the schema knows of the object at a path, in its order."""


class Rewritten(NamedTuple):
    """What rewriting found."""

    changes: frozenset[Change]
    text: bytes
    """Allowed by the mask."""


class _GaveUp(Exception):
    """Too many tries."""


class Rewriter:
    """Rewrites one text for one mask; `furthest` is the longest beginning that it allowed."""

    def __init__(self, automaton: TokenAutomaton, reading: Reading, order: Order) -> None:
        self._automaton = automaton
        self._reading = reading
        self._order = order
        self._changes: frozenset[Change] = frozenset()
        self._walks = 0
        self._until = 0.0
        self.furthest = b""

    def search(self) -> Rewritten | None:
        """The fewest kinds of changes after which the mask allows the value; None if none does."""
        root = self._reading.root
        if root is None or not _small(root):
            return None
        self._until = time.monotonic() + MAX_SECONDS
        possible = self._possible(root)
        for count in range(1, len(possible) + 1):
            for chosen in combinations(possible, count):
                found = self.with_changes(frozenset(chosen))
                if found is not None:
                    return Rewritten(frozenset(chosen), found)
        return None

    def with_changes(self, changes: frozenset[Change]) -> bytes | None:
        """A text of the same value that the mask allows, changed in these ways at most."""
        root = self._reading.root
        assert root is not None
        if not self._until:
            self._until = time.monotonic() + MAX_SECONDS
        self._changes, self._walks = changes, 0
        blank = "whitespace" in changes
        before = "" if blank else self._reading.text[: root.start]
        after = "" if blank else self._reading.text[root.end :]
        try:
            for state, text in self._go(self._automaton.initial, b"", before):
                for ended, whole in self._value(root, state, text):
                    for final, full in self._go(ended, whole, after):
                        if self._automaton.is_final(final):
                            return full
        except (_GaveUp, RecursionError):
            return None
        return None

    def _possible(self, root: Part) -> list[Change]:
        parts = list(root.walk())
        text = self._reading.text
        outside = "".join(
            text[part.start : part.end] for part in parts if part.kind in ("object", "array")
        )
        found: set[Change] = {"spelling"} if any(part.kind == "number" for part in parts) else set()
        if any(char in outside for char in " \t\r\n") or text.strip() != text:
            found.add("whitespace")
        if any(part.kind == "object" and len(part.members) > 1 for part in parts):
            found.add("order")
        if "\\" in text:
            found.add("escapes")
        if any(problem.kind == "twice" for problem in self._reading.problems):
            found.add("twice")
        return [change for change in CHANGES if change in found]

    def _go(self, state: State, text: bytes, piece: str) -> Iterator[tuple[State, bytes]]:
        """The state after `piece`, if it can follow."""
        self._walks += 1
        if self._walks > MAX_WALKS or time.monotonic() > self._until:
            raise _GaveUp
        data = spelled(piece)
        after, count = follow(self._automaton, state, data)
        if len(text) + count > len(self.furthest):
            self.furthest = text + data[:count]
        if count == len(data):
            yield after, text + data

    def _value(self, part: Part, state: State, text: bytes) -> Iterator[tuple[State, bytes]]:
        if part.kind in ("object", "array"):
            opening, closing = ("{", "}") if part.kind == "object" else ("[", "]")
            for after, written in self._go(state, text, opening + self._inside(part)):
                members = self._ordered(part)
                yield from self._members(part, members, after, written, closing, True)
            return
        for spelling in self._spellings(part):
            yield from self._go(state, text, spelling)

    def _inside(self, part: Part) -> str:
        """The blanks of an empty array or object."""
        if part.members or "whitespace" in self._changes:
            return ""
        return self._reading.text[part.start + 1 : (part.end or 0) - 1]

    def _ordered(self, part: Part) -> list[int]:
        """Which members are written, the most promising order first."""
        indices = list(range(len(part.members)))
        if part.kind == "array":
            return indices
        if "twice" in self._changes:
            last = {member.path[-1]: index for index, member in enumerate(part.members)}
            indices = sorted(last.values())
        if "order" in self._changes:
            known = {name: rank for rank, name in enumerate(self._order(part.path))}
            indices.sort(key=lambda i: known.get(str(part.members[i].path[-1]), len(known)))
        return indices

    def _members(
        self,
        part: Part,
        left: list[int],
        state: State,
        text: bytes,
        closing: str,
        first: bool,
    ) -> Iterator[tuple[State, bytes]]:
        if not left:
            yield from self._go(state, text, closing)
            return
        free = part.kind == "object" and "order" in self._changes
        for place, index in enumerate(left if free else left[:1]):
            rest = left[:place] + left[place + 1 :]
            before, after = self._around(part, index)
            for at, written in self._go(state, text, ("" if first else ",") + before):
                for ended, whole in self._value(part.members[index], at, written):
                    for final, full in self._go(ended, whole, after):
                        yield from self._members(part, rest, final, full, closing, False)

    def _around(self, part: Part, index: int) -> tuple[str, str]:
        """What stands between the comma before a member and its value, and after it."""
        text, member = self._reading.text, part.members[index]
        assert member.end is not None
        blank = "whitespace" in self._changes
        key = ""
        start = member.start
        if member.key is not None:
            start, end = member.key
            key = text[start:end]
            if "escapes" in self._changes:
                key = json.dumps(unquoted(key), ensure_ascii=False)
            key += ":" if blank else text[end : member.start]
        if blank:
            return key, ""
        before = text[:start]
        lead = before[len(before.rstrip(" \t\r\n")) :]
        rest = text[member.end :]
        trail = rest[: len(rest) - len(rest.lstrip(" \t\r\n"))]
        return lead + key, trail

    def _spellings(self, part: Part) -> list[str]:
        text = self._reading.text[part.start : part.end]
        if part.kind == "string" and "escapes" in self._changes:
            return [json.dumps(unquoted(text), ensure_ascii=False)]
        if part.kind == "number" and "spelling" in self._changes:
            return spellings(text)
        return [text]


def spellings(number: str) -> list[str]:
    """Ways to write the same number, `number` itself first."""
    out = [number]
    try:
        value = Decimal(number)
    except InvalidOperation:
        return out
    exponent = value.adjusted()
    if abs(exponent) <= MAX_EXPONENT and len(number) <= MAX_EXPONENT:
        if value == value.to_integral_value():
            digits = format(value.to_integral_value(), "f")
            digits = "0" if digits == "-0" else digits
            out += [digits, f"{digits}.0"]
        else:
            out.append(format(value.normalize(), "f"))
        sign, figures, _ = value.normalize().as_tuple()
        lead = "".join(map(str, figures))
        point = f"{lead[0]}.{lead[1:]}" if len(lead) > 1 else lead
        exponent = exponent if value else 0
        marks = ("e", "e+", "E", "E+") if exponent >= 0 else ("e", "E")
        out += [f"{'-' * sign}{point}{mark}{exponent}" for mark in marks]
    return list(dict.fromkeys(out))


def _small(root: Part) -> bool:
    return all(
        len(part.path) <= MAX_LEVELS
        and len(part.members) <= (MAX_ITEMS if part.kind == "array" else MAX_MEMBERS)
        for part in root.walk()
    )
