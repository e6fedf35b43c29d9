"""Arithmetic with natural logarithms of probabilities; -inf is a value, nan is a bug."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Logits = NDArray[np.floating[Any]]
"""Raw scores of a model, (V,) or (B, V): float32, and float64 from toys, whose tables are exact."""
LogProbs = NDArray[np.float64]
"""Natural logs of probabilities, (V,)."""
Mask = NDArray[np.bool_]
"""(V,) True where a token may come next."""


def logsumexp(logs: NDArray[Any]) -> float:
    """log of the sum of exp(logs): float64, nats; -inf for an empty or all -inf array."""
    if logs.size == 0:
        return -np.inf
    top = float(np.max(logs))
    if top == -np.inf:
        return -np.inf
    return top + float(np.log(np.sum(np.exp(np.asarray(logs, dtype=np.float64) - top))))


def log_normalize(logs: NDArray[Any]) -> LogProbs:
    """`logs` shifted so that their exponentials sum to 1.

    Raises:
        ValueError: all entries are -inf, so there is nothing to normalise.
    """
    total = logsumexp(logs)
    if total == -np.inf:
        raise ValueError("cannot normalise: every entry is -inf")
    return np.asarray(logs, dtype=np.float64) - total


def entropy_bits(logprobs: LogProbs, p: NDArray[np.float64] | None = None) -> float:
    """Shannon entropy of a normalised (V,) array of logprobs: bits, >= 0. `p` is their exponentials,
    where they are known already."""
    p = np.exp(logprobs) if p is None else p
    kept = p > 0
    return max(0.0, float(-(p[kept] * logprobs[kept]).sum() / np.log(2)))
