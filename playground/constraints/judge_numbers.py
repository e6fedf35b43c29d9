"""JSON numbers as they are written: read without rounding, compared and divided exactly."""

import json
import math
from typing import Any


class Written(float):
    """A JSON number with a point or an exponent. It is the nearest float in arithmetic, but keeps
    its text, by which it is compared and told whether it is an integer."""

    text: str

    def __new__(cls, text: str) -> "Written":
        made = super().__new__(cls, text)
        made.text = text
        return made

    def is_integer(self) -> bool:
        """Whether the number as written is whole: 1.0 and 1e400 are, 1e-400 is not."""
        return is_multiple(self, 1)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, int | float) and compare(self, other) == 0

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __lt__(self, other: float) -> bool:
        return compare(self, other) < 0

    def __le__(self, other: float) -> bool:
        return compare(self, other) <= 0

    def __gt__(self, other: float) -> bool:
        return compare(self, other) > 0

    def __ge__(self, other: float) -> bool:
        return compare(self, other) >= 0

    __hash__ = None  # type: ignore[assignment]  # equal numbers would need the same one


def loads(text: str) -> Any:
    """The value of a JSON text, its numbers with a point or an exponent as `Written`.

    Raises:
        json.JSONDecodeError: it is no JSON.
    """
    return json.loads(text, parse_float=Written)


def is_multiple(value: float, of: float) -> bool:
    """Whether `value / of` is an integer, in exact decimal arithmetic.

    Args:
        value: an int, a `Written` or a float; a float stands for the shortest decimal that is
            read as it, as `repr` writes it.
        of: likewise.

    Time and memory are bounded by the number of digits; exponents may be of any size.
    An infinite float is a multiple of nothing.

    Raises:
        ZeroDivisionError: `of` is zero.
        ValueError: `of` is infinite.
    """
    if _is_endless(value):
        return False
    (_, digits, exponent), (_, divisor, unit) = _decimal(value), _decimal(of)
    if divisor == 0:
        raise ZeroDivisionError("nothing is a multiple of zero")
    shift = exponent - unit
    if digits == 0:
        return True
    if shift >= 0:
        # From so many zeros on, more of them bring no new factor of the divisor.
        zeros = min(shift, divisor.bit_length())
        return digits * pow(10, zeros, divisor) % divisor == 0
    if -shift > digits.bit_length():  # then 10 to that power is larger than the digits
        return False
    return bool(digits % (divisor * 10**-shift) == 0)


def compare(one: float, other: float) -> int:
    """-1, 0 or 1: whether `one` is less than, equal to or greater than `other`, both as in
    `is_multiple`, within the same bounds; an infinite float is beyond every number."""
    for number, sign in ((one, 1), (other, -1)):
        if _is_endless(number):
            return sign if number > 0 else -sign
    (sign, digits, exponent), (other_sign, other_digits, other_exponent) = map(
        _decimal, (one, other)
    )
    if sign != other_sign or not sign:
        return (sign > other_sign) - (sign < other_sign)
    shift = exponent - other_exponent
    # Beyond this the one with the larger exponent is larger, whatever its digits.
    most = max(digits.bit_length(), other_digits.bit_length())
    shift = max(-most, min(shift, most))
    digits *= int(10 ** max(shift, 0))
    other_digits *= int(10 ** max(-shift, 0))
    return sign * ((digits > other_digits) - (digits < other_digits))


def _is_endless(number: float) -> bool:
    """It is an infinite float; a `Written` that is too large for a float has a value all the same."""
    return (
        isinstance(number, float) and not isinstance(number, Written) and not math.isfinite(number)
    )


def _decimal(number: float) -> tuple[int, int, int]:
    """The sign, 0 of zero; the absolute value as digits and a power of ten."""
    if isinstance(number, int):
        return (number > 0) - (number < 0), abs(number), 0
    text = number.text if isinstance(number, Written) else repr(number)
    mantissa, _, exponent = text.lower().lstrip("-").partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = int(whole + fraction)
    sign = -1 if text.startswith("-") else 1
    return sign if digits else 0, digits, int(exponent or 0) - len(fraction)
