"""Decided records against gold ones: worked numbers."""

import math

import numpy as np
import pytest

from playground.fields.evaluate import (
    field_accuracy,
    field_laws,
    incoherent_rate,
    mean_nll,
    seen,
    whole_record,
)
from tests.fields.random_heads import tickets

GOLD = np.array([[0, 0], [1, 1], [0, 1], [1, 1]])
DECIDED = np.array([[0, 0], [1, 0], [1, 1], [-1, -1]])


def test_accuracy_counts_each_field_and_the_whole_record() -> None:
    found = field_accuracy(DECIDED, GOLD, ("a", "b"))
    assert (found["a"].count, found["a"].n, found["a"].value) == (2, 4, 0.5)
    assert (found["b"].count, whole_record(DECIDED, GOLD).count) == (2, 1)
    assert found["a"].lower == pytest.approx(0.0676, abs=1e-4)
    assert found["a"].upper == pytest.approx(0.9324, abs=1e-4)
    with pytest.raises(ValueError, match="one shape"):
        whole_record(DECIDED[:2], GOLD)


def test_incoherence_is_the_share_outside_the_mask() -> None:
    together = np.array([[True, False], [False, True]])
    assert incoherent_rate(GOLD, together).value == 0.25
    assert incoherent_rate(GOLD[:2], together).count == 0
    assert (incoherent_rate(DECIDED, together).count, incoherent_rate(DECIDED, together).n) == (
        1,
        3,
    )


def test_the_combinations_of_the_gold_records_are_a_mask() -> None:
    mask = seen(np.array([[0, 1, 0, 2], [2, 0, 1, 1], [0, 1, 0, 2]]), tickets())
    assert mask.shape == (3, 2, 2, 3)
    assert mask.sum() == 2
    assert mask[0, 1, 0, 2]


def test_likelihood_and_marginals_of_laws() -> None:
    laws = np.array([[[0.5, 0.0], [0.0, 0.5]], [[0.1, 0.2], [0.3, 0.4]]])
    assert mean_nll(laws, np.array([[0, 0], [1, 1]])) == pytest.approx(-math.log(0.5 * 0.4) / 2)
    assert mean_nll(laws, np.array([[0, 1], [1, 1]])) == math.inf
    first, second = field_laws(laws)
    assert first == pytest.approx(np.array([[0.5, 0.5], [0.3, 0.7]]))
    assert second == pytest.approx(np.array([[0.5, 0.5], [0.4, 0.6]]))
