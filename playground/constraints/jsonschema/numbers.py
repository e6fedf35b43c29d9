"""The numbers that a schema's bounds and `multipleOf` allow, as a tree of their spellings."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from playground.constraints.jsonschema.charset import DIGIT, Ranges, chars
from playground.constraints.jsonschema.dfa import Language, TooComplex, intersection
from playground.constraints.jsonschema.eliminate import to_tree
from playground.constraints.jsonschema.ranges import (
    FRACTION,
    MINUS,
    POINT,
    SAFE_DIGITS,
    Bounds,
    decimals,
    integers,
    naturals,
)
from playground.constraints.jsonschema.rx import EPSILON, NEVER, Chars, Rx, alt, cat, one_of, rep

MAX_LISTED = 640
"""A range with at most so many multiples is written out as a list; so are last digits."""
MAX_WEIGHT = 700
"""Largest tree, in character sets, that a divisor may cost."""
_HUGE = Decimal(10) ** 25


@dataclass(frozen=True, slots=True)
class Multiple:
    """Numbers x with x * 10**places a multiple of `divisor`, read digit by digit.

    A state is (remainder, digits after the point so far, -1 before the point).
    """

    divisor: int
    places: int
    start: tuple[int, int] = (0, -1)

    def sets(self) -> list[Ranges]:
        return [((code, code),) for code in range(48, 58)] + [chars("-"), chars(".")]

    def step(self, state: Hashable, code: int) -> Hashable | None:
        assert isinstance(state, tuple)
        rest, after = state
        if code == 45:
            return state if state == self.start else None
        if code == 46:
            return (rest, 0) if after == -1 else None
        if not 48 <= code <= 57:
            return None
        if after == self.places:
            return state if code == 48 else None
        return (rest * 10 + code - 48) % self.divisor, after if after == -1 else after + 1

    def final(self, state: Hashable) -> bool:
        assert isinstance(state, tuple)
        rest, after = state
        return bool(rest * 10 ** (self.places - max(0, after)) % self.divisor == 0)


@dataclass(frozen=True, slots=True)
class NumberRange:
    """What is asked of a number."""

    integer: bool
    bounds: Bounds
    multiples: tuple[Decimal, ...] = ()


def language(asked: NumberRange) -> tuple[Rx, bool]:
    """(The spellings, whether `multiples` are enforced); NEVER when no number fits."""
    bounds = _narrowed(asked.bounds)
    if bounds.empty:
        return NEVER, True
    low, high = bounds.integers()
    if asked.integer:
        if low is not None and high is not None and low > high:
            return NEVER, True
        base = integers(low, high)
    else:
        base = decimals(bounds)
    if not asked.multiples:
        return base, True
    steps = [_scaled(value) for value in asked.multiples]
    if asked.integer:
        steps = [(divisor, places) for divisor, places in steps if 10**places % divisor]
        return _listed_or_divided(base, low, high, steps)
    whole = integers(low, high) if low is None or high is None or low <= high else NEVER
    places = max(places for _, places in steps)
    if places == 0:
        return _listed_or_divided(whole, low, high, [step for step in steps if step[0] > 1])
    base = cat(integers(None, None), FRACTION) if bounds == Bounds() else base
    return _divided(base, steps, [Language(alt(whole, _short(places)))])


def _short(places: int) -> Rx:
    """Decimals with a point that a double holds exactly enough: few digits in all."""
    before, after = _room(places)
    whole = cat(alt(EPSILON, MINUS), naturals(0, 10**before - 1))
    return cat(whole, POINT, rep(Chars(DIGIT), 1, after))


def _room(places: int) -> tuple[int, int]:
    """Most digits before and after the point of a multiple of something with `places`."""
    return max(1, SAFE_DIGITS - 3 - places), min(SAFE_DIGITS - 1, places)


def left_out(asked: NumberRange) -> tuple[int, int] | None:
    """Where multiples are left out for their length: the most digits before and after the point of
    those with a point that are not."""
    places = max((_scaled(value)[1] for value in asked.multiples), default=0)
    if asked.integer or places == 0:
        return None
    before, after = _room(places)
    low, high, edge = asked.bounds.low, asked.bounds.high, Decimal(10) ** before
    fits = low is not None and high is not None and -edge < low and high < edge
    return None if fits and after == places else (before, after)


def drawn_in(bounds: Bounds) -> tuple[bool, bool]:
    """Whether the lower and the upper bound are drawn in: beyond 10**25, if that leaves most of the
    interval, for fewer states."""
    low, high = bounds.low, bounds.high
    upper = high is not None and high > _HUGE and (low is None or low < _HUGE / 10)
    lower = low is not None and low < -_HUGE and (high is None or high > -_HUGE / 10)
    return lower, upper


def _narrowed(bounds: Bounds) -> Bounds:
    lower, upper = drawn_in(bounds)
    return bounds.meet(Bounds(low=-_HUGE if lower else None, high=_HUGE if upper else None))


def _scaled(value: Decimal) -> tuple[int, int]:
    """(divisor, places): a multiple of `value` times 10**places is a multiple of the divisor."""
    places = max(0, -int(value.normalize().as_tuple().exponent))
    return int(value.scaleb(places)), places


def _listed_or_divided(
    base: Rx, low: int | None, high: int | None, steps: Sequence[tuple[int, int]]
) -> tuple[Rx, bool]:
    if not steps or base == NEVER:
        return base, True
    if low is not None and high is not None:
        widest = max(max(1, divisor // 10**places) for divisor, places in steps)
        if (high - low) // widest <= MAX_LISTED * 20:
            first = -(-low // widest) * widest
            whole = [d for d, p in steps if p == 0 and d == widest]
            fits = [
                value
                for value in range(first if whole else low, high + 1, widest if whole else 1)
                if all(value * 10**places % divisor == 0 for divisor, places in steps)
            ]
            if len(fits) <= MAX_LISTED:
                return one_of(map(str, fits)), True
    elif high is None and (tree := _last_digits(low, steps)) is not None:
        return tree, True
    return _divided(base, steps)


def _last_digits(low: int | None, steps: Sequence[tuple[int, int]]) -> Rx | None:
    """Multiples that the last few digits decide, for a range without an upper bound."""
    divisor, places = steps[0]
    count = next((n for n in range(1, 7) if 10**n % divisor == 0), None)
    if len(steps) > 1 or places or count is None or 10**count // divisor > MAX_LISTED:
        return None
    if low is not None and not 0 <= low <= 10**count:
        return None
    short = [str(n) for n in range(0, 10**count, divisor) if n >= (low or 0)]
    ends = [f"{n:0{count}d}" for n in range(0, 10**count, divisor)]
    positive = alt(cat(naturals(1, None), one_of(ends)), one_of(short))
    return positive if low is not None else cat(alt(EPSILON, MINUS), positive)


def _is_tame(divisor: int) -> bool:
    """The automaton of remainders reads back as a short tree (found by trying)."""
    twos = 0
    while divisor % 2 == 0:
        divisor, twos = divisor // 2, twos + 1
    while divisor % 5 == 0:
        divisor //= 5
    return twos <= {1: 4, 3: 2}.get(divisor, -1)


def _divided(
    base: Rx, steps: Sequence[tuple[int, int]], also: Sequence[Language] = ()
) -> tuple[Rx, bool]:
    if any(not _is_tame(divisor) for divisor, _ in steps):
        return base, False
    try:
        dfa = intersection([Language(base), *also, *(Multiple(*step) for step in steps)])
        return to_tree(dfa, MAX_WEIGHT), True
    except TooComplex:
        return base, False
