"""Intervals, tests and sentences of experiments, by hand-made counts."""

import numpy as np
import pytest

from playground.experiments.finding import difference, number, seen
from playground.experiments.statistics import distances, paired_means, paired_rates, proved, rate


def hits(both: int, first: int, second: int, neither: int) -> tuple[list[bool], list[bool]]:
    counts = (
        (True, True, both),
        (True, False, first),
        (False, True, second),
        (False, False, neither),
    )
    rows = [(a, b) for a, b, count in counts for _ in range(count)]
    return [a for a, _ in rows], [b for _, b in rows]


@pytest.mark.parametrize(
    ("table", "p", "significant"),
    [
        ((5, 8, 0, 7), 2 / 2**8, True),
        ((5, 0, 8, 7), 2 / 2**8, True),
        ((5, 5, 0, 10), 2 / 2**5, False),
        ((9, 4, 4, 3), 1.0, False),
        ((10, 0, 0, 10), 1.0, False),
    ],
)
def test_mcnemar_by_hand(table, p, significant) -> None:
    effect = paired_rates("x", *hits(*table))
    assert effect.p_value == pytest.approx(p)
    assert effect.value == pytest.approx((table[1] - table[2]) / sum(table))
    assert effect.significant is significant
    assert effect.lower <= effect.value <= effect.upper
    assert not (significant and effect.lower <= 0 <= effect.upper)


def test_nothing_that_differs_at_few_prompts_still_leaves_much_open() -> None:
    effect = paired_rates("x", *hits(2, 0, 0, 3))
    assert effect.upper == pytest.approx(-effect.lower)
    assert effect.upper > 0.4


def test_the_permutation_test_by_hand_and_the_seed_of_the_bootstrap() -> None:
    first, second = [1.0, 2, 3, 4, 5, 6, 7, 7], [0.0, 1, 2, 3, 4, 5, 6, 7]
    effect = paired_means("x", first, second, "tokens", "estimated", 4)
    assert effect.p_value == pytest.approx(2 / 2**7), "a prompt without a difference tells nothing"
    assert effect.significant
    assert effect == paired_means("x", first, second, "tokens", "estimated", 4)
    assert "seed 4" in effect.interval
    few = paired_means("x", first[:5], second[:5], "tokens", "estimated", 0)
    assert few.lower > 0
    assert few.p_value == pytest.approx(2 / 2**5)
    assert not few.significant, "five prompts of one sign may be chance: 1 in 16"
    # 1 + 2 + 4 - 3: of the 16 sums of +-1 +-2 +-3 +-4 ten are at least 4 away from 0.
    mixed = paired_means("x", [1.0, 2, 4, 0], [0.0, 0, 0, 3], "tokens", "estimated", 0)
    assert mixed.p_value == pytest.approx(10 / 16)
    assert paired_means("x", [1.0] * 9, [1.0] * 9, "tokens", "estimated", 0).p_value == 1


def test_many_prompts_are_tested_by_sampled_swaps_that_agree_with_all_of_them() -> None:
    rng = np.random.default_rng(3)
    values = rng.integers(-3, 5, size=40).astype(float)
    sampled = paired_means("x", values, np.zeros(40), "tokens", "estimated", 0)
    law = np.array([1.0])  # of the sum of swapped values: a convolution of two-point laws
    for value in np.abs(values[values != 0]).astype(int):
        step = np.zeros(2 * value + 1)
        step[[0, -1]] = 0.5
        law = np.convolve(law, step)
    sums = np.arange(len(law)) - len(law) // 2
    exact = law[np.abs(sums) >= abs(values.sum())].sum()
    assert 0.001 < exact < 0.5
    assert sampled.p_value == pytest.approx(exact, abs=4 * np.sqrt(exact / 10_000))


def test_arms_of_different_prompts_are_refused() -> None:
    with pytest.raises(ValueError, match="paired"):
        paired_rates("x", [True], [True, False])
    with pytest.raises(ValueError, match="paired"):
        paired_means("x", [], [], "share", "exact", 0)
    with pytest.raises(ValueError, match="no prompts"):
        distances("x", [], 0.0, 0)


def test_a_distance_is_told_from_the_error_of_the_arithmetic() -> None:
    assert not distances("x", [1e-4, 2e-4], 1e-3, 0).significant
    assert distances("x", [1e-4, 0.02], 1e-3, 0).significant


def test_a_sentence_says_plainly_that_nothing_was_seen() -> None:
    nothing = paired_rates("Right answers", *hits(10, 2, 1, 7))
    assert "no effect was seen with n = 20" in seen(nothing, 20, "smollm2")
    assert "135M" in seen(nothing, 20, "smollm2")
    assert "135M" not in seen(nothing, 20, "other")
    something = paired_rates("Right answers", *hits(10, 9, 0, 1))
    assert "+45.0 points" in seen(something, 20, "smollm2")
    assert "no effect" not in seen(something, 20, "smollm2")
    assert "every model, as it is a set" in seen(proved("TV", [0.0, 0.0], "it is a set"), 2, "x")
    assert "every model" not in seen(proved("TV", [0.0, 0.1], "it is a set"), 2, "x")
    assert rate("x", []).value is None


def test_prompts_too_few_for_the_test_are_said_to_be_too_few() -> None:
    few = paired_means("Tokens", [3.0, 7.0, 9.0, 9.0], [0.0] * 4, "tokens", "estimated", 0)
    assert few.lower > 0
    assert few.p_value == 0.125, "of 4 prompts no p-value is below 1/8"
    said = seen(few, 4, "smollm2")
    assert "too few prompts to tell with n = 4" in said
    assert "p = 0.12" in said
    assert "no effect" not in said


def test_small_numbers_are_not_shown_as_nothing() -> None:
    tiny = paired_means("x", [0.00002] * 8, [0.0] * 8, "share", "exact", 0)
    assert difference(tiny) == "+0.002 points (interval +0.002 to +0.002)"
    assert number(0.00004, "share") == "0.004 %"
    assert number(0.0004, "TV") == "4.0e-04"
    assert number(0.0, "TV") == "0.000"
