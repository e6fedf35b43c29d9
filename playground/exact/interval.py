"""A number known to lie between two bounds."""

import math
from dataclasses import dataclass


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
        return cls(math.exp(min(lower, 0.0)), math.exp(min(upper, 0.0)))

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
