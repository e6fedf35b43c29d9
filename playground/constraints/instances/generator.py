"""A seeded generator of values by the keywords of one schema, which remembers what it followed."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from playground.constraints.instances import texts
from playground.constraints.instances.likely import likely
from playground.constraints.jsonschema.expand import Expander
from playground.constraints.jsonschema.facts import Facts
from playground.constraints.jsonschema.refs import References, Sub
from playground.constraints.jsonschema.scan import Path
from playground.errors import UnsupportedSchema

MAX_STEPS = 600
"""So many values are begun for one instance."""
MAX_DEPTH = 24
SHALLOW = 5
"""Below so many levels only what must be there is made."""
LONGEST = 5_000
"""A string that must be longer is not made."""
FAR = 10**6
"""Steps to a place that can't be come to."""
TRIES = 6
"""So many ways of one choice are tried before it is given up."""


@dataclass(frozen=True, slots=True)
class Style:
    """What an instance is like."""

    optional: float = 0.5
    """Chance of an optional property."""
    extra: float = 0.0
    """Chance of a key beside the named ones, where they are open."""
    odd: float = 0.0
    """Chance of a string that JSON spells in special ways."""
    items: int = 2
    """So many items beyond the fewest."""
    shortest: bool = False
    likely: bool = False
    """Values as a person would write them, where some can be guessed."""


LEAST = Style(0.0, items=0, shortest=True)
TYPICAL = Style(0.6)
NATURAL = Style(0.8, likely=True)
FULL = Style(1.0)
WILD = Style(0.5, 0.5, 0.5, 3)


@dataclass(slots=True)
class Made:
    """An instance and the subschemas that judged its parts."""

    value: Any = None
    trace: list[tuple[Path, str]] = field(default_factory=list)
    """(path in the instance, pointer of a subschema that judges the value there)."""


class Exhausted(Exception):
    """The instance grew beyond its steps."""


class Generator:
    """Makes values for the schemas of one document; not every one is valid: a judge decides."""

    def __init__(self, schema: Any, rng: random.Random) -> None:
        """
        Raises:
            UnsupportedSchema: the root leads outside the document.
        """
        self.references = References(schema)
        self.expander = Expander(self.references, lambda note: None)
        self.rng = rng
        self.style = TYPICAL
        self.goal: Mapping[str, int] = {}
        self.wanted = ""
        self._left = 0
        self._reached = False  # once is enough: a recursive schema would lead there without end
        self._within = FAR  # steps from the value around; nothing is nearer than 0
        self._trace: list[tuple[Path, str]] = []

    def instance(
        self, style: Style = TYPICAL, goal: Mapping[str, int] | None = None, wanted: str = ""
    ) -> Made | None:
        """One instance of the root; None where none was found.

        Args:
            style: what it is like.
            goal: pointer of a subschema -> steps from there to one that the instance should come
                to (see `goals.distances`).
            wanted: the type that the value there should have, if it may.
        """
        found = self.value_of([self.references.root], style, goal, wanted)
        return None if found is None else Made(found[0], self._trace)

    def value_of(
        self,
        conjunction: Sequence[Sub],
        style: Style = TYPICAL,
        goal: Mapping[str, int] | None = None,
        wanted: str = "",
    ) -> tuple[Any] | None:
        """A value of a conjunction in a tuple; None where none was found."""
        self.style, self.goal, self.wanted = style, goal or {}, wanted
        self._left, self._trace, self._reached, self._within = MAX_STEPS, [], False, FAR
        try:
            return self.value(conjunction, ())
        except (Exhausted, UnsupportedSchema, RecursionError):
            return None

    def value(self, conjunction: Sequence[Sub], path: Path) -> tuple[Any] | None:
        """A value for one place, in a tuple; None where none was found."""
        self._left -= 1
        if self._left < 0:
            raise Exhausted
        if len(path) > MAX_DEPTH:
            return None
        branches = list(self.expander.branches(conjunction))
        self.rng.shuffle(branches)
        if len(path) > SHALLOW or self.style.shortest:
            branches.sort(key=lambda facts: _size(facts))
        around = self._within
        nearer = not self._reached and min(map(self._distance, branches), default=FAR) < around
        if nearer:
            branches.sort(key=self._distance)
        for facts in branches[:TRIES]:
            mark, before = len(self._trace), self._reached
            self._within = self._distance(facts) if nearer else 0
            self._reached |= self._distance(facts) == 0
            self._trace.extend((path, sub.pointer) for sub in facts.visited.values())
            found = self._of(facts, conjunction, path)
            self._within = around
            if found is not None:
                return found
            del self._trace[mark:]
            self._reached = before
        return None

    def steers(self, subs: Sequence[Sub], facts: Facts) -> bool:
        """The way to the goal leads through these schemas, from a value with these facts."""
        here = min(self._distance(facts), self._within)
        return not self._reached and any(self.goal.get(sub.pointer, here) < here for sub in subs)

    def _distance(self, facts: Facts) -> int:
        known = [self.goal[s.pointer] for s in facts.visited.values() if s.pointer in self.goal]
        return min(known, default=FAR)

    def _of(self, facts: Facts, conjunction: Sequence[Sub], path: Path) -> tuple[Any] | None:
        if facts.enums:
            subs = [*conjunction, *facts.visited.values()]
            values = min((values for values, _ in facts.enums), key=len)
            fits = self.expander.fitting(values, subs)
            return (self.rng.choice(fits[:1] if self.style.shortest else fits),) if fits else None
        guess = bool(path) and path[-1] != "?"  # not a key, which must differ
        found = self._guessed(facts, conjunction, path) if guess and self.style.likely else None
        if found is not None:
            return found
        unread = texts.unread(sub.schema for sub in (*conjunction, *facts.visited.values()))
        for kind in self._kinds(facts, path):
            found = self._of_kind(kind, facts, path)
            if found is not None and texts.fits(unread, found[0]):
                return found
        # A pattern that is too large, or of a kind unknown here: an example or a word may fit.
        hard = guess and (unread or facts.demands)
        return self._guessed(facts, conjunction, path, unread) if hard else None

    def _guessed(
        self, facts: Facts, conjunction: Sequence[Sub], path: Path, unread: Sequence[str] = ()
    ) -> tuple[Any] | None:
        """A value that a person might write here, if one of the guesses fits."""
        shaped = bool(facts.objects or facts.required or facts.arrays)
        if not shaped and not facts.types & {"string", "number"}:
            return None
        accepts = self.references.accepts
        subs = [*conjunction, *facts.visited.values()]
        name = next((part for part in reversed(path) if isinstance(part, str)), "")
        schemas = [sub.schema for sub in subs if isinstance(sub.schema, dict)]
        for value in likely(name, schemas, self.rng):
            if shaped and not isinstance(value, dict | list):
                continue
            if _kind(value) not in facts.types or not texts.fits(unread, value):
                continue
            if all(accepts(sub, value) for sub in subs):
                return (value,)
        return None

    def _kinds(self, facts: Facts, path: Path) -> list[str]:
        """The types to try, the likeliest first."""
        kinds = sorted(facts.types)
        if len(kinds) == 6 and not (facts.objects or facts.required or facts.arrays):
            kinds = ["string", "number", "boolean", "null", "array", "object"]
        else:
            self.rng.shuffle(kinds)
            holds = ("object", bool(facts.objects or facts.required)), ("array", bool(facts.arrays))
            for kind, present in holds:
                if present and kind in kinds:
                    kinds.remove(kind)
                    kinds.insert(0, kind)
        if self._distance(facts) == 0 and self.wanted in kinds:
            kinds.remove(self.wanted)
            kinds.insert(0, self.wanted)
        elif self._distance(facts) < FAR:
            subs = [sub for layer in facts.arrays for sub in (*layer.prefix, layer.rest) if sub]
            subs += [each.sub for each in facts.contains]
            if "array" in kinds and self.steers(subs, facts):
                kinds.remove("array")
                kinds.insert(0, "array")
        return kinds

    def _of_kind(self, kind: str, facts: Facts, path: Path) -> tuple[Any] | None:
        from playground.constraints.instances import containers

        if kind == "null":
            return (None,)
        if kind == "boolean":
            return (self.rng.random() < 0.5,)
        if kind == "number":
            found = number(facts, self.rng, self.style)
            return None if found is None else (found,)
        if kind == "string":
            text = self._string(facts)
            return None if text is None else (text,)
        if kind == "array":
            return containers.array(self, facts, path)
        return containers.object_(self, facts, path)

    def _string(self, facts: Facts) -> str | None:
        low, high = facts.min_length, facts.max_length
        if low > LONGEST or (high is not None and high < low):
            return None
        languages = [each for demand in facts.demands for each in demand.languages]
        if not languages:
            if self.style.shortest:
                return "x" * low if low else ""
            return texts.plain(self.rng, low, high, self.style.odd)
        found = texts.sampled(languages, low, high, self.rng, self.style.shortest)
        if found is not None:
            return found
        for demand in facts.demands:  # too large together: perhaps one alone is enough
            found = texts.sampled(demand.languages, 0, None, self.rng, self.style.shortest)
            if found is not None and low <= len(found) <= (high or 10**9):
                return found
        return None


def _kind(value: Any) -> str:
    kinds = {str: "string", int: "number", float: "number", list: "array", dict: "object"}
    return kinds.get(type(value), "boolean" if isinstance(value, bool) else "null")


def number(facts: Facts, rng: random.Random, style: Style) -> int | float | None:
    """A number within the bounds and a multiple of what is asked; None where none was found."""
    low, high = facts.bounds.low, facts.bounds.high
    base = low if low is not None else (high - 20 if high is not None else Decimal(0))
    top = high if high is not None else base + 100
    tried = [base, top, Decimal(0), Decimal(1), base + 1, top - 1, (base + top) / 2]
    whole = base.to_integral_value("ROUND_CEILING")
    tried += [whole + rng.randint(0, 100) for _ in range(4)]
    if not facts.integer:
        tried.append(base + (top - base) * Decimal(rng.randint(1, 99)) / 100)
    if not style.shortest:
        rng.shuffle(tried)
    for multiple in facts.multiples:
        count = (base / multiple).to_integral_value("ROUND_CEILING")
        tried = [multiple * (count + extra) for extra in (0, 1, 2, 7)] + tried
    for value in tried:
        if facts.integer:
            value = value.to_integral_value("ROUND_CEILING")
        if _fits(value, facts):
            return int(value) if value == value.to_integral_value() else float(value)
    return None


def _fits(value: Decimal, facts: Facts) -> bool:
    low, high = facts.bounds.low, facts.bounds.high
    if low is not None and (value < low or (facts.bounds.open_low and value == low)):
        return False
    if high is not None and (value > high or (facts.bounds.open_high and value == high)):
        return False
    return all(abs(value) < 10**20 and value % multiple == 0 for multiple in facts.multiples)


def _size(facts: Facts) -> int:
    """How large values with these facts are at least, roughly: what holds others is larger."""
    holds = ("object" in facts.types) + ("array" in facts.types and facts.min_items > 0)
    return len(facts.required) + 2 * holds
