"""JSON numbers compared and divided exactly, however they are written, in bounded time."""

import time
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.constraints.judge_numbers import Written, compare, is_multiple, loads


@st.composite
def numbers(draw):
    """An int, a float or a number as it is written, and what it is exactly."""
    text = draw(st.sampled_from(["", "-"])) + str(draw(st.integers(0, 10**20)))
    text += draw(st.sampled_from(["", ".0", ".5", ".01", ".3000"]))
    text += draw(st.sampled_from(["", "e0", "E+2", "e-2", "e21", "E-21"]))
    value = loads(text)
    if isinstance(value, Written) and draw(st.booleans()):
        value = float(text)
        text = repr(value)
    return value, Fraction(Decimal(text))


@given(numbers(), numbers())
def test_it_agrees_with_fractions(one, other) -> None:
    (a, exact_a), (b, exact_b) = one, other
    assert compare(a, b) == (exact_a > exact_b) - (exact_a < exact_b)
    if exact_b:
        assert is_multiple(a, b) == ((exact_a / exact_b).denominator == 1)
    if isinstance(a, Written) or isinstance(b, Written):
        assert (a == b, a != b) == (exact_a == exact_b, exact_a != exact_b)
        assert (a < b, a <= b) == (exact_a < exact_b, exact_a <= exact_b)
        assert (a > b, a >= b) == (exact_a > exact_b, exact_a >= exact_b)
    if isinstance(a, Written):
        assert a.is_integer() == (exact_a.denominator == 1)


@pytest.mark.parametrize(
    ("value", "of", "expected"),
    [
        ("19.99", "0.01", True),
        ("4.35", "0.01", True),
        ("4.355", "0.01", False),
        ("1e400", "3", False),
        ("1e400", "2", True),
        ("1e-400", "1e-400", True),
        ("1", "1e-400", True),
        ("1e-400", "0.1", False),
        (f"1e{'9' * 4_000}", "7", False),
        (f"1e{'9' * 4_000}", "1024", True),
        (f"1e-{'9' * 4_000}", "0.5", False),
        (f"0e{'9' * 4_000}", "3", True),
        (f"{'7' * 4_000}e{'9' * 4_000}", f"{'3' * 4_000}", False),
    ],
)
def test_multiples_of_any_size_are_told_at_once(value, of, expected) -> None:
    started = time.perf_counter()
    assert is_multiple(loads(value), loads(of)) is expected
    assert time.perf_counter() - started < 1.0


def test_numbers_of_any_size_are_compared_at_once() -> None:
    started = time.perf_counter()
    large = loads(f"1e{'9' * 4_000}")
    assert large > 10**4_000
    assert loads(f"2e{'9' * 4_000}") > large
    assert 0 < loads(f"1e-{'9' * 4_000}") < loads("1e-400")
    assert time.perf_counter() - started < 1.0


def test_what_is_no_number_of_json() -> None:
    with pytest.raises(ZeroDivisionError):
        is_multiple(3, loads("0.0"))
    assert not is_multiple(float("inf"), 3)
    assert compare(float("-inf"), loads("-1e400")) == -1
    assert loads("1.5") != "1.5"
