"""Number ranges, digit by digit, against arithmetic."""

import re
from decimal import Decimal
from itertools import product

import pytest

from playground.constraints.jsonschema import numbers
from playground.constraints.jsonschema.charset import raw
from playground.constraints.jsonschema.ranges import Bounds, decimals, integers
from playground.constraints.jsonschema.rx import NEVER, Rx, spell
from playground.constraints.judge_numbers import Written, is_multiple

ENDS = [None, "-123.5", "-18", "-0.05", "0", "0.1", "0.5", "2.5", "9", "17.999", "18", "99", "100"]
WHOLE = [
    "0",
    "1",
    "2",
    "4",
    "5",
    "9",
    "10",
    "17",
    "18",
    "19",
    "98",
    "99",
    "100",
    "101",
    "123",
    "124",
]
FRACTIONS = ["", ".0", ".1", ".10", ".05", ".050", ".5", ".500001", ".49", ".51", ".999", ".9989"]
PROBES = [sign + i + f for sign in ("", "-") for i in WHOLE for f in FRACTIONS]


def matcher(tree: Rx) -> re.Pattern[str]:
    return re.compile("(?!)" if tree == NEVER else spell(tree, raw).text)


def inside(value: Decimal, bounds: Bounds) -> bool:
    above = (
        bounds.low is None or value > bounds.low or (value == bounds.low and not bounds.open_low)
    )
    below = (
        bounds.high is None
        or value < bounds.high
        or (value == bounds.high and not bounds.open_high)
    )
    return above and below


def interval(low: str | None, open_low: bool, high: str | None, open_high: bool) -> Bounds:
    return Bounds(
        None if low is None else Decimal(low),
        open_low,
        None if high is None else Decimal(high),
        open_high,
    )


@pytest.mark.parametrize("is_open", [False, True])
def test_decimals_are_exactly_those_between_the_bounds(is_open: bool) -> None:
    wrong = []
    for low, high in product(ENDS, ENDS):
        bounds = interval(low, is_open, high, is_open)
        found = matcher(NEVER if bounds.empty else decimals(bounds))
        for probe in PROBES:
            value = Decimal(probe)
            if value == 0 and probe.startswith("-"):
                continue  # zero is spelled without a sign beside a bound
            if bool(found.fullmatch(probe)) != inside(value, bounds):
                wrong.append((probe, bounds))
    assert not wrong


def test_integers_are_exactly_those_between_the_bounds() -> None:
    ends = [None, -1000, -101, -18, -7, -1, 0, 1, 5, 9, 10, 18, 99, 100, 999, 1000]
    for low, high in product(ends, ends):
        if low is not None and high is not None and low > high:
            continue
        found = matcher(integers(low, high))
        for value in [*range(-130, 130), -1001, -1000, -999, 998, 999, 1000, 1001, 5000]:
            expected = (low is None or value >= low) and (high is None or value <= high)
            assert bool(found.fullmatch(str(value))) == expected, (value, low, high)
        assert not found.fullmatch("007")
        assert not found.fullmatch("")


@pytest.mark.parametrize("step", [1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 25, 30, 60, 100, 125, 500])
@pytest.mark.parametrize("low", [None, 0, 3])
def test_multiples_are_exactly_the_multiples(step: int, low: int | None) -> None:
    asked = numbers.NumberRange(
        True, Bounds(None if low is None else Decimal(low)), (Decimal(step),)
    )
    tree, enforced = numbers.language(asked)
    found = matcher(tree)
    assert enforced
    for value in range(-260, 1300):
        expected = value % step == 0 and (low is None or value >= low)
        assert bool(found.fullmatch(str(value))) == expected


@pytest.mark.parametrize("step", [7, 9, 64, 365])
def test_a_step_without_a_small_automaton_is_reported_and_listed_in_a_range(step: int) -> None:
    free = numbers.NumberRange(True, Bounds(), (Decimal(step),))
    assert not numbers.language(free)[1]
    bounded = numbers.NumberRange(True, Bounds(Decimal(0), high=Decimal(2000)), (Decimal(step),))
    tree, enforced = numbers.language(bounded)
    found = matcher(tree)
    assert enforced
    assert [n for n in range(3000) if found.fullmatch(str(n))] == list(range(0, 2001, step))


@pytest.mark.parametrize("step", ["0.5", "0.25", "0.1", "0.01", "0.05"])
def test_decimal_steps_are_exact_in_decimal_arithmetic(step: str) -> None:
    asked = numbers.NumberRange(False, Bounds(Decimal("-2"), high=Decimal(3)), (Decimal(step),))
    tree, enforced = numbers.language(asked)
    found = matcher(tree)
    assert enforced
    for hundredths in range(-300, 400):
        value = (Decimal(hundredths) / 100).normalize()
        if value == 0:
            continue
        expected = value % Decimal(step) == 0 and -2 <= value <= 3
        assert bool(found.fullmatch(f"{value:f}")) == expected, value


def test_a_bound_far_out_costs_few_states() -> None:
    asked = numbers.NumberRange(False, Bounds(Decimal(0), high=Decimal("1.7976931348623157e308")))
    assert spell(numbers.language(asked)[0], raw).cost < 200


@pytest.mark.parametrize("step", ["0.5", "0.01", "0.05", "1e-11", "1e-13", "1e-20"])
@pytest.mark.parametrize("high", [None, "99"])
def test_how_long_multiples_with_a_point_may_be_is_told(step: str, high: str | None) -> None:
    low = None if high is None else Decimal(0)
    bounds = Bounds(low, high=None if high is None else Decimal(high))
    asked = numbers.NumberRange(False, bounds, (Decimal(step),))
    tree, enforced = numbers.language(asked)
    assert enforced
    found, told = matcher(tree), numbers.left_out(asked)
    places = -int(Decimal(step).as_tuple().exponent)
    offered = 0
    for before, after in product(range(1, 16), range(1, places + 2)):
        text = "3" * before + "." + "4" * (after - 1) + "5"
        fits = inside(Decimal(text), bounds) and is_multiple(Written(text), Written(step))
        short = told is None or (before <= told[0] and after <= told[1])
        assert bool(found.fullmatch(text)) == (fits and short), (text, told)
        offered += fits and short
    assert offered
    assert (told is None) == (high is not None and places < 11), "a range this small is whole"
