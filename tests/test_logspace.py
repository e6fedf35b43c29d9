"""Laws of logs of probabilities."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.logspace import entropy_bits, log_normalize, logsumexp

logs = st.lists(st.floats(-700, 700) | st.just(-np.inf), min_size=1, max_size=30)


@given(logs)
def test_logsumexp_is_the_log_of_the_sum(values: list[float]) -> None:
    array = np.array(values)
    with np.errstate(divide="ignore"):
        plain = np.log(np.sum(np.exp(np.longdouble(array))))
    assert logsumexp(array) == pytest.approx(float(plain), abs=1e-9)


def test_nothing_at_all_sums_to_zero() -> None:
    assert logsumexp(np.array([])) == -np.inf
    assert logsumexp(np.full(3, -np.inf)) == -np.inf


def test_huge_logits_neither_overflow_nor_become_nan() -> None:
    assert logsumexp(np.array([1e4, 1e4])) == pytest.approx(1e4 + np.log(2))
    assert logsumexp(np.array([-1e4, -np.inf])) == -1e4


@given(logs.filter(lambda values: max(values) > -np.inf))
def test_normalised_logs_sum_to_one_and_keep_their_ratios(values: list[float]) -> None:
    array = np.array(values)
    law = log_normalize(array)
    assert np.exp(law).sum() == pytest.approx(1)
    shift = array[np.isfinite(array)] - law[np.isfinite(array)]
    assert np.ptp(shift) <= 1e-9
    assert np.array_equal(np.isfinite(law), np.isfinite(array))


def test_no_mass_cannot_be_normalised() -> None:
    with pytest.raises(ValueError, match="every entry is -inf"):
        log_normalize(np.full(2, -np.inf))


def test_entropy_counts_bits() -> None:
    assert entropy_bits(np.log(np.full(8, 1 / 8))) == pytest.approx(3)
    assert entropy_bits(np.array([0.0, -np.inf])) == 0
    assert entropy_bits(log_normalize(np.log([0.9, 0.1]))) == pytest.approx(0.4689955936)
