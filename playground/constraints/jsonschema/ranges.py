"""Trees of the plain decimal numbers between two bounds, digit by digit."""

from dataclasses import dataclass
from decimal import Decimal

from playground.constraints.jsonschema.charset import DIGIT, chars, normal
from playground.constraints.jsonschema.rx import EPSILON, NEVER, Chars, Rx, alt, cat, rep, text

DIGITS: Rx = rep(Chars(DIGIT), 0, None)
NONZERO = Chars(normal([(49, 57)]))
MINUS = Chars(chars("-"))
POINT = Chars(chars("."))
FRACTION: Rx = alt(EPSILON, cat(POINT, rep(Chars(DIGIT), 1, None)))
SAFE_DIGITS = 15
"""So many significant decimal digits survive the way through a double unharmed."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """An interval of numbers; None is no bound, `open_*` leaves the bound itself out."""

    low: Decimal | None = None
    open_low: bool = False
    high: Decimal | None = None
    open_high: bool = False

    def meet(self, other: "Bounds") -> "Bounds":
        """The numbers in both."""
        low = max(
            ((b.low, b.open_low) for b in (self, other) if b.low is not None),
            default=(None, False),
        )
        high = min(
            ((b.high, not b.open_high) for b in (self, other) if b.high is not None),
            default=(None, True),
        )
        return Bounds(low[0], low[1], high[0], not high[1])

    @property
    def empty(self) -> bool:
        if self.low is None or self.high is None:
            return False
        return self.low > self.high or (self.low == self.high and (self.open_low or self.open_high))

    def integers(self) -> tuple[int | None, int | None]:
        """The least and the greatest integer inside; None where there is no bound."""
        low = high = None
        if self.low is not None:
            low = int(self.low.to_integral_value("ROUND_CEILING"))
            low += low == self.low and self.open_low
        if self.high is not None:
            high = int(self.high.to_integral_value("ROUND_FLOOR"))
            high -= high == self.high and self.open_high
        return low, high


def digit(low: int, high: int) -> Rx:
    return Chars(normal([(48 + low, 48 + high)])) if low <= high else NEVER


def integers(low: int | None, high: int | None) -> Rx:
    """The integers of a range in plain spelling, without `-0` unless there is no bound at all."""
    if low is None and high is None:
        return cat(alt(EPSILON, MINUS), naturals(0, None))
    positive = naturals(max(0, low or 0), high) if high is None or high >= 0 else NEVER
    if low is None or low < 0:
        least = 1 if high is None or high >= 0 else -high
        return alt(cat(MINUS, naturals(least, None if low is None else -low)), positive)
    return positive


def naturals(low: int, high: int | None) -> Rx:
    """The integers from `low` >= 0 to `high` without leading zeros."""
    if high is None:
        length = len(str(low))
        longer = cat(NONZERO, rep(Chars(DIGIT), length, None))
        if low <= 1:
            return alt(cat(NONZERO, DIGITS), *([text("0")] if low == 0 else []))
        return alt(_same_length(str(low), "9" * length), longer)
    out: list[Rx] = []
    whole: list[int] = []
    for length in range(len(str(low)), len(str(high)) + 1):
        least = max(low, 10 ** (length - 1) if length > 1 else 0)
        most = min(high, 10**length - 1)
        if (least, most) == (10 ** (length - 1), 10**length - 1):
            whole.append(length)
        elif least <= most:
            out.append(_same_length(str(least), str(most)))
    if whole:
        out.insert(len(out) - (whole[-1] < len(str(high))), _all_of_lengths(whole[0], whole[-1]))
    return alt(*out)


def _all_of_lengths(shortest: int, longest: int) -> Rx:
    """The positive integers of so many digits."""
    return cat(NONZERO, rep(Chars(DIGIT), shortest - 1, longest - 1))


def _same_length(low: str, high: str) -> Rx:
    """The digit strings from `low` to `high`, which are equally long."""
    if not low:
        return EPSILON
    if set(low) == {"0"} and set(high) == {"9"}:
        return rep(Chars(DIGIT), len(low), len(low))
    first, last, rest = int(low[0]), int(high[0]), len(low) - 1
    if first == last:
        return cat(digit(first, last), _same_length(low[1:], high[1:]))
    out = []
    if set(low[1:]) - {"0"}:
        out.append(cat(digit(first, first), _same_length(low[1:], "9" * rest)))
        first += 1
    tail: Rx = NEVER
    if set(high[1:]) - {"9"}:
        tail = cat(digit(last, last), _same_length("0" * rest, high[1:]))
        last -= 1
    if first <= last:
        out.append(cat(digit(first, last), rep(Chars(DIGIT), rest, rest)))
    return alt(*out, tail)


def decimals(bounds: Bounds) -> Rx:
    """The numbers inside `bounds` as plain decimals: digits, then a point and digits if need be.

    Without any bound a short exponent may follow. Next to an excluded bound fractions keep to
    SAFE_DIGITS significant digits, so that a validator that reads doubles agrees.
    """
    low, high = bounds.low, bounds.high
    if low is None and high is None:
        sign, exponent = (
            alt(EPSILON, MINUS),
            cat(Chars(chars("eE")), alt(EPSILON, Chars(chars("+-"))), rep(Chars(DIGIT), 1, 2)),
        )
        return cat(sign, naturals(0, None), FRACTION, alt(EPSILON, exponent))
    out = []
    if low is None or low < 0:
        crosses = high is None or high >= 0
        least, is_open = (
            (Decimal(0), True) if crosses or high is None else (-high, bounds.open_high)
        )
        most = None if low is None else -low
        out.append(cat(MINUS, _magnitudes(Bounds(least, is_open, most, bounds.open_low))))
    if high is None or high >= 0:
        least, is_open = (
            (low, bounds.open_low) if low is not None and low >= 0 else (Decimal(0), False)
        )
        out.append(_magnitudes(Bounds(least, is_open, high, bounds.open_high)))
    return alt(*out)


def _magnitudes(bounds: Bounds) -> Rx:
    """The non-negative decimals inside `bounds`, whose lower end is given."""
    assert bounds.low is not None
    if bounds.empty:
        return NEVER
    whole, fraction = _split(bounds.low)
    top, top_fraction = _split(bounds.high) if bounds.high is not None else (None, "")
    exact = (bounds.open_low and bounds.low != 0) or bounds.open_high
    longest = max(len(str(whole)), len(str(top or 0)))
    room = max(0, SAFE_DIGITS - longest) if exact else None
    if top == whole:
        return cat(
            naturals(whole, whole),
            _fraction(fraction, bounds.open_low, top_fraction, bounds.open_high, room),
        )
    out, start = [], whole
    if fraction or bounds.open_low:
        part = _fraction(fraction, bounds.open_low, None, False, room)
        out.append(cat(naturals(whole, whole), part))
        start += 1
    if top is None or start < top:
        free = FRACTION if room is None else _fraction(None, False, None, False, room)
        out.append(cat(naturals(start, None if top is None else top - 1), free))
    if top is not None:
        part = _fraction(None, False, top_fraction, bounds.open_high, room)
        out.append(cat(naturals(top, top), part))
    return alt(*out)


def _split(value: Decimal) -> tuple[int, str]:
    """The whole part and the digits after the point, without trailing zeros."""
    whole, _, fraction = f"{value:f}".partition(".")
    return int(whole), fraction.rstrip("0")


def _fraction(
    low: str | None, open_low: bool, high: str | None, open_high: bool, room: int | None
) -> Rx:
    """An optional point and digits whose value lies between two fractions (None: no bound)."""
    nullable, rest = _digits(low, open_low, high, open_high, room)
    return alt(*([EPSILON] if nullable else []), cat(POINT, rest))


def _digits(
    low: str | None, open_low: bool, high: str | None, open_high: bool, room: int | None
) -> tuple[bool, Rx]:
    """(The empty string fits, the non-empty digit strings that fit), at most `room` digits."""
    if low == "" and not open_low:
        low = None
    if room == 0:
        return low is None and not (high == "" and open_high), NEVER
    if high == "":
        if low is not None or open_high:
            return False, NEVER
        return True, rep(Chars(chars("0")), 1, room)
    if low is None and high is None:
        return True, rep(Chars(DIGIT), 1, room)
    if low == "" and high is None:
        zeros = rep(Chars(chars("0")), 0, SAFE_DIGITS if room is None else room - 1)
        return False, cat(zeros, NONZERO, rep(Chars(DIGIT), 0, room))
    groups: dict[tuple[str | None, str | None], list[int]] = {}
    least, most = int(low[0]) if low else 0, int(high[0]) if high else 9
    for value in range(least, most + 1):
        next_low = low[1:] if low is not None and value == least else None
        next_high = high[1:] if high is not None and value == most else None
        groups.setdefault((next_low, next_high), []).append(value)
    out = []
    for (next_low, next_high), values in groups.items():
        left = None if room is None else room - 1
        nullable, rest = _digits(next_low, open_low, next_high, open_high, left)
        after = alt(*([EPSILON] if nullable else []), rest)
        out.append(cat(digit(values[0], values[-1]), after))
    return low is None, alt(*out)
