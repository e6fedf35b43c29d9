"""A number known to lie between two bounds."""

import math
from dataclasses import dataclass

TINY = 1e-290
"""Below it a float64 is about to lose digits."""


@dataclass(frozen=True, slots=True)
class Interval:
    """lower <= truth <= upper; both may be infinite, neither is nan."""

    lower: float
    upper: float

    def __post_init__(self) -> None:
        if not self.lower <= self.upper:
            raise ValueError(f"no interval: {self.lower!r} > {self.upper!r}")

    @classmethod
    def point(cls, value: float) -> "Interval":
        """A value without doubt."""
        return cls(value, value)

    @classmethod
    def from_logs(cls, lower: float, upper: float) -> "Interval":
        """exp of two natural logs of probabilities: within [0, 1]."""
        return cls.around(math.exp(min(lower, 0.0)), math.exp(min(upper, 0.0)), upper > -math.inf)

    @classmethod
    def around(cls, lower: float, upper: float, possible: bool = True) -> "Interval":
        """Two bounds of a probability as computed. What is below `TINY` may have lost its digits,
        or all of itself; `possible`: the truth isn't 0 for sure."""
        low, high = float(lower), float(upper)
        low = low if low >= TINY else 0.0
        high = min(1.0, max(high, TINY if possible else 0.0))
        return cls(min(low, high), high)

    @property
    def width(self) -> float:
        """upper - lower."""
        return self.upper - self.lower

    @property
    def middle(self) -> float:
        """Half-way."""
        return (self.lower + self.upper) / 2

    def __contains__(self, value: float) -> bool:
        return self.lower <= value <= self.upper

    def clipped(self, lower: float, upper: float) -> "Interval":
        """What is left of it between two bounds that are known to hold."""
        low = min(max(self.lower, lower), upper)
        return Interval(low, max(low, min(self.upper, upper)))

    def over(self, other: "Interval") -> "Interval":
        """The quotient of two non-negative intervals; inf where the divisor may be 0."""
        low = 0.0 if self.lower == 0 else self.lower / other.upper if other.upper else math.inf
        return Interval(low, self.upper / other.lower if other.lower else math.inf)
