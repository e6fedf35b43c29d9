"""What a head decides, and the laws that its calibration sees."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False, slots=True)
class Decision:
    """One record for each of B texts."""

    indices: NDArray[np.int64]
    """(B, F) the options decided."""
    confidence: NDArray[np.float64]
    """(B, F) what the head had in view when it decided: of a chained field p(option | the options
    decided before it), of any other its marginal."""
    marginal: NDArray[np.float64]
    """(B, F) p(option), summed over all that may have been decided before it: exact."""
    record: NDArray[np.float64]
    """(B,) p(the whole record)."""


@dataclass(frozen=True, eq=False, slots=True)
class BlockLaws:
    """What calibration fits one temperature to."""

    fields: tuple[str, ...]
    """One name, or those of a joint block."""
    laws: NDArray[np.float64]
    """(B, n) p(option | the gold options decided before) at temperature 1."""
    labels: NDArray[np.int64]
    """(B,) of the n."""
