"""The numbers and days that a schema allows, as options: one each where they are few, else bins."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import pairwise
from typing import Any, Final

from playground.errors import InvalidInput
from playground.fields.record_type import ordinal

MOST_EACH: Final = 64
"""So many numbers or days are an option each; more are put in bins or months."""
BINS: Final = 8
"""Equal bins of a number for which no edges are given."""
MOST_EXACT: Final = 2**53
"""Largest bound of a bin: floats are exact up to it."""
_LARGEST: Final = 1e300
TRIES: Final = 16
"""So many values of a bin are tried until the schema allows one."""


class Endless(Exception):
    """A field has no list of options."""

    def __init__(self, why: str, hint: str) -> None:
        """`why` follows the field's name; `hint` is what would give it one, without a full stop."""
        super().__init__(why)
        self.why = why
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Candidate:
    """An option as read, before the schema's judge has seen its value."""

    tries: tuple[Any, ...]
    """JSON values; the first that the schema allows stands for the option."""
    lower: float | None = None
    """Of a bin or a span of days, as in `Option`."""
    upper: float | None = None
    label: str | None = None


@dataclass(frozen=True, slots=True)
class Bounds:
    """Where the numbers of a field lie, and on which grid."""

    low: Fraction
    high: Fraction
    step: Fraction | None
    """All are multiples of it; None: any number."""
    low_open: bool = False
    high_open: bool = False

    def grid(
        self, low: Fraction, high: Fraction, low_open: bool, high_open: bool
    ) -> tuple[int, int]:
        """The least and the largest multiple of the step between two bounds; crossed if none."""
        assert self.step
        first, last = math.ceil(low / self.step), math.floor(high / self.step)
        first += low_open and first * self.step == low
        last -= high_open and last * self.step == high
        return first, last


def bounds(schemas: Sequence[Any], whole: bool, boolean_bounds: bool) -> Bounds | tuple[bool, bool]:
    """What all of `schemas` together say of a number; where a bound is missing, which ones are there.

    Args:
        schemas: JSON Schemas that all judge the number.
        whole: it is an integer.
        boolean_bounds: `exclusiveMinimum` is true or false, as in draft 4.
    """
    lows: list[tuple[Fraction, bool]] = []
    highs: list[tuple[Fraction, bool]] = []
    step = Fraction(1) if whole else None
    for schema in schemas:
        for name, found in (("inimum", lows), ("aximum", highs)):
            bound, exclusive = schema.get(f"m{name}"), schema.get(f"exclusiveM{name}")
            if _is_number(bound):
                found.append((_exact(bound), boolean_bounds and exclusive is True))
            if _is_number(exclusive):
                found.append((_exact(exclusive), True))
        unit = schema.get("multipleOf", schema.get("divisibleBy"))
        if _is_number(unit) and unit > 0:
            step = _common(step, _exact(unit)) if step else _exact(unit)
    if not lows or not highs:
        return bool(lows), bool(highs)
    low, low_open = max(lows)
    high, high_open = min(highs, key=lambda bound: (bound[0], not bound[1]))
    out = Bounds(low, high, step, low_open, high_open)
    if step is None:
        return out
    first, last = out.grid(low, high, low_open, high_open)
    return Bounds(first * step, last * step, step)


def numbers(
    within: Bounds, edges: Sequence[float] | None, name: str
) -> tuple[list[Candidate], str]:
    """The options of a number, and a note on the bins; none where no number lies in the bounds.

    Args:
        within: as `bounds` found.
        edges: of the bins, increasing; the first and the last bin reach just to the bounds.
        name: of the field.

    Raises:
        InvalidInput: edges that don't fit the bounds, a bin that no number is in.
    """
    if within.low > within.high:
        return [], ""
    if within.low == within.high:
        empty = within.low_open or within.high_open
        return ([] if empty else [Candidate((_number(within.low),))]), ""
    if within.step and edges is None:
        first, last = within.grid(within.low, within.high, within.low_open, within.high_open)
        if last - first < MOST_EACH:
            return [Candidate((_number(at * within.step),)) for at in range(first, last + 1)], ""
    if max(abs(within.low), abs(within.high)) > MOST_EXACT:
        raise InvalidInput(
            f"The bounds of `{name}` are too large to put its numbers in bins.",
            f"Keep them between -{MOST_EXACT:,} and {MOST_EXACT:,}.",
            name,
        )
    note = ""
    if edges is None:
        edges = _equal(within)
        note = (
            f"`{name}` is put in {BINS} equal bins: neither the schema (`x-edges`) nor anyone "
            "else gives their edges."
        )
    cut = _fitting(within, edges, name)
    last_at = len(cut) - 2
    return [
        _bin(within, low, high, at == 0, at == last_at, name)
        for at, (low, high) in enumerate(pairwise(cut))
    ], note


def _equal(within: Bounds) -> list[float]:
    """Edges of BINS bins of one width, of whole numbers where only those are allowed."""
    width = (within.high - within.low) / BINS
    found = [within.low + at * width for at in range(BINS + 1)]
    if within.step is not None and within.step.denominator == 1:
        found = [Fraction(round(edge)) for edge in found]
    return [float(edge) for edge in found]


def _fitting(within: Bounds, edges: Sequence[float], name: str) -> list[float]:
    """The edges with the outermost moved inward to the bounds."""
    shown = ", ".join(str(edge)[:20] for edge in edges[:12])
    low, high = float(within.low), float(within.high)
    problem = ""
    if len(edges) < 2 or not all(abs(edge) <= _LARGEST for edge in edges):
        problem = "are no list of at least two numbers"
    elif any(one >= other for one, other in pairwise(edges)):
        problem = "do not increase"
    elif edges[0] > low or edges[-1] < high:
        problem = f"leave out a part of {low:g} to {high:g}, which the schema allows"
    elif edges[1] <= low or (edges[-2] > high):
        problem = f"make a bin outside {low:g} to {high:g}, which is all that the schema allows"
    if problem:
        raise InvalidInput(
            f"The edges of `{name}` ({shown}) {problem}.",
            f"Write increasing numbers from {low:g} to {high:g}.",
            name,
        )
    return [low, *map(float, edges[1:-1]), high]


def _bin(
    within: Bounds, lower: float, upper: float, first: bool, last: bool, name: str
) -> Candidate:
    low, high = Fraction(lower), Fraction(upper)
    low_open, high_open = first and within.low_open, not last or within.high_open
    if within.step is None:
        tries = list(_between(lower, upper))
        if not low_open:
            tries.append(lower)
    else:
        least, most = within.grid(low, high, low_open, high_open)
        if least > most:
            raise InvalidInput(
                f"No number that the schema allows for `{name}` lies in the bin from {lower:g} to "
                f"{upper:g}.",
                "Leave out one of the two edges.",
                name,
            )
        chosen = _spread(least, most)
        tries = [_number(at * within.step) for at in chosen]
        if within.step == 1:
            label = str(least) if least == most else f"{least} to {most}"
            return Candidate(tuple(tries), lower, upper, label)
    left, right = "(" if low_open else "[", ")" if high_open else "]"
    return Candidate(tuple(tries), lower, upper, f"{left}{_shown(lower)}, {_shown(upper)}{right}")


def _between(lower: float, upper: float) -> Iterator[float]:
    """Numbers inside, the middle first, each with few digits."""
    for part in (8, 4, 12, 2, 6, 10, 14, 1, 3, 5, 7, 9, 11, 13, 15):
        exact = lower + (upper - lower) * part / 16
        near = (upper - lower) / 32
        rounded = (round(exact, digits) for digits in range(18))
        yield next(
            (each for each in rounded if abs(each - exact) <= near and lower < each < upper), exact
        )


def _spread(least: int, most: int) -> list[int]:
    """Up to TRIES whole numbers from `least` to `most`, the middle one first."""
    count = most - least + 1
    some = {least + at * count // TRIES for at in range(TRIES)} | {most}
    middle = (least + most) // 2
    return [middle, *sorted(some - {middle}, key=lambda at: abs(at - middle))]


def days(schemas: Sequence[Any], name: str) -> list[Candidate]:
    """The options of a date: its days, or its months where they are more than MOST_EACH.

    The bounds are `formatMinimum` and `formatMaximum`, or `x-from` and `x-to`: ISO dates, both
    allowed themselves.

    Raises:
        Endless: a bound is missing.
        InvalidInput: a bound is no date.
    """
    ends = []
    for keywords in (("formatMinimum", "x-from"), ("formatMaximum", "x-to")):
        written = [schema[key] for schema in schemas for key in keywords if key in schema]
        if not written:
            raise Endless("is a date without both bounds", 'Add "x-from" and "x-to"')
        found = [day for day in map(ordinal, written) if day is not None]
        if len(found) < len(written):
            raise InvalidInput(
                f"A bound of the date `{name}` is no day.",
                'Write it as "2024-01-31".',
                name,
            )
        ends.append(found)
    first, last = max(ends[0]), min(ends[1])
    if last - first < MOST_EACH:
        return [Candidate((_iso(day),)) for day in range(first, last + 1)]
    return list(_months(first, last))


def _months(first: int, last: int) -> Iterator[Candidate]:
    start = first
    while start <= last:
        day = date.fromordinal(start)
        following = (
            date(day.year + day.month // 12, day.month % 12 + 1, 1).toordinal()
            if (day.year, day.month) < (9999, 12)
            else last + 1
        )
        end = min(following, last + 1)
        value = _iso((start + end - 1) // 2)
        # The last bin holds its upper end.
        yield Candidate((value,), float(start), float(end - (end > last)), value[:7])
        start = end


def _iso(day: int) -> str:
    return date.fromordinal(day).isoformat()


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _exact(value: float) -> Fraction:
    """The number as written: 0.1 is a tenth."""
    return Fraction(value) if isinstance(value, int) else Fraction(repr(value))


def _common(one: Fraction, other: Fraction) -> Fraction:
    """The least number that is a multiple of both."""
    crossed = math.lcm(one.numerator * other.denominator, other.numerator * one.denominator)
    return Fraction(crossed, one.denominator * other.denominator)


def _number(value: Fraction) -> int | float:
    return int(value) if value.denominator == 1 else float(value)


def _shown(value: float) -> str:
    return str(int(value)) if value.is_integer() else repr(value)
