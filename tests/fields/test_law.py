"""What marginals, products, chains and correlations of any table must satisfy."""

from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.special import rel_entr
from scipy.stats import binom, chisquare

from playground.errors import InvalidInput
from playground.fields.law import (
    chained,
    conditional,
    coupling,
    empirical,
    entropy,
    estimated_total_correlation,
    greedy,
    incoherent,
    margin,
    marginals,
    mean_over_rows,
    mode,
    most_total_correlation,
    onto,
    pair,
    product,
    sample,
    shift,
    tally,
    total_correlation,
)
from tests.fields.tables import CROSSED, PAIRS, masked, tables

Table = NDArray[np.float64]
COIN = np.array([[0.5, 0.0], [0.0, 0.5]])
XOR = np.array([[[0.25, 0], [0, 0.25]], [[0, 0.25], [0.25, 0]]])


def kl_bits(p: Table, q: Table) -> float:
    return float(rel_entr(p, q).sum() / np.log(2))


@given(tables(), st.data())
def test_every_way_to_sum_fields_out_agrees(law: Table, data: st.DataObject) -> None:
    fields = data.draw(
        st.permutations(range(law.ndim)).map(lambda all_: all_[: len(all_) // 2 + 1])
    )
    part = onto(law, fields)
    assert part.shape == tuple(law.shape[field] for field in fields)
    for at, field in enumerate(fields):
        assert np.allclose(marginals(part)[at], marginals(law)[field], atol=1e-15)
    for cell in np.ndindex(part.shape):
        where = dict(zip(fields, cell, strict=True))
        at_cell = tuple(where.get(field, slice(None)) for field in range(law.ndim))
        assert part[cell] == pytest.approx(law[at_cell].sum(), abs=1e-15)


@given(tables())
def test_a_pair_turned_round_is_its_transpose(law: Table) -> None:
    for a in range(law.ndim):
        assert np.array_equal(pair(law, a, a), np.diag(marginals(law)[a]))
        for b in range(law.ndim):
            assert np.array_equal(pair(law, a, b), pair(law, b, a).T)


@given(tables())
def test_total_correlation_is_the_kl_to_the_product_of_the_marginals(law: Table) -> None:
    bits = total_correlation(law)
    assert bits == pytest.approx(kl_bits(law, product(marginals(law))), abs=1e-12)
    assert 0 <= bits <= most_total_correlation(law.shape) + 1e-12


def test_one_toss_that_decides_two_fields_is_one_bit() -> None:
    assert total_correlation(COIN) == pytest.approx(1, abs=1e-12)
    assert np.array_equal(product(marginals(COIN)), np.full((2, 2), 0.25))


@given(tables())
def test_independent_fields_tell_nothing(law: Table) -> None:
    parts = marginals(law)
    apart = product(parts)
    assert apart.sum() == pytest.approx(1, abs=1e-12)
    assert total_correlation(apart) == pytest.approx(0, abs=1e-12)
    moved = coupling(apart) - np.diag(np.diag(coupling(apart)))
    assert np.abs(moved).max() <= 1e-14


@given(PAIRS)
def test_coupling_is_0_just_where_total_correlation_is(law: Table) -> None:
    nats, moved = total_correlation(law) * np.log(2), coupling(law)[0, 1]
    assert nats >= 2 * moved**2 - 1e-12  # Pinsker's inequality: no coupling without correlation
    both, apart = pair(law, 0, 1), product(marginals(law))
    seen = apart > 0
    chi2 = float(((both - apart)[seen] ** 2 / apart[seen]).sum())
    assert nats <= np.log1p(chi2) + 1e-12
    assert chi2 <= (2 * moved) ** 2 / apart[seen].min() + 1e-12  # and no correlation without it


def test_three_fields_can_be_bound_though_every_two_are_free() -> None:
    assert total_correlation(XOR) == pytest.approx(1, abs=1e-12)
    assert coupling(XOR) == pytest.approx(np.eye(3) / 2, abs=1e-15)


@given(tables())
def test_coupling_is_the_mean_shift_either_way_round(law: Table) -> None:
    moved, parts = coupling(law), marginals(law)
    for a in range(law.ndim):
        assert moved[a, a] == pytest.approx(1 - (parts[a] ** 2).sum(), abs=1e-12)
        for b in range(law.ndim):
            assert moved[a, b] == pytest.approx(parts[a] @ shift(law, a, b), abs=1e-12)


def test_a_shift_is_the_tv_of_conditional_and_marginal() -> None:
    law = np.array([[0.3, 0.1], [0.0, 0.0], [0.2, 0.4]])
    assert shift(law, 0, 1) == pytest.approx([0.25, 0, 1 / 6], abs=1e-15)
    assert shift(COIN, 0, 1) == pytest.approx([0.5, 0.5], abs=1e-15)


@given(tables())
def test_a_chain_sums_to_1_and_reaches_from_the_product_to_the_law(law: Table) -> None:
    assert chained(law, ()) == pytest.approx(product(marginals(law)), abs=1e-12)
    for order in permutations(range(law.ndim)):
        lost = []
        for k in range(law.ndim + 1):
            chain = chained(law, order[:k])
            assert chain.sum() == pytest.approx(1, abs=1e-12)
            lost.append(kl_bits(law, chain))
        assert lost[-1] == pytest.approx(0, abs=1e-12)
        assert lost[-2] == pytest.approx(0, abs=1e-12)
        assert all(later <= sooner + 1e-12 for sooner, later in pairwise(lost))
        assert chained(law, order) == pytest.approx(law, abs=1e-12)


@given(tables(), st.data())
def test_a_chain_keeps_how_its_fields_go_with_each_other_one(
    law: Table, data: st.DataObject
) -> None:
    order = data.draw(st.permutations(range(law.ndim)))[: data.draw(st.integers(0, law.ndim - 1))]
    chain = chained(law, order)
    for field in set(range(law.ndim)) - set(order):
        kept = (*order, field)
        assert onto(chain, kept) == pytest.approx(onto(law, kept), abs=1e-12)


@given(tables())
def test_a_decision_along_all_fields_can_happen_and_is_the_likeliest_at_each_step(
    law: Table,
) -> None:
    for order in permutations(range(law.ndim)):
        found = greedy(law, order)
        assert law[found] > 0
        for k, field in enumerate(order):
            before = dict.fromkeys(range(law.ndim), slice(None)) | {
                each: found[each] for each in order[:k]
            }
            steps = [
                law[tuple((before | {field: option}).values())].sum()
                for option in range(law.shape[field])
            ]
            assert steps[found[field]] == pytest.approx(max(steps), abs=1e-15)


def test_fields_decided_apart_can_give_what_never_happens() -> None:
    assert greedy(CROSSED, ()) == (0, 0)
    assert CROSSED[greedy(CROSSED, ())] == 0
    assert greedy(CROSSED, (0,)) == greedy(CROSSED, (0, 1)) == (0, 1)
    assert greedy(CROSSED, (1,)) == greedy(CROSSED, (1, 0)) == (1, 0)
    assert mode(CROSSED) == (1, 0)


@given(masked())
def test_the_conditional_is_the_law_renormalised_on_the_allowed(
    given_: tuple[Table, NDArray[np.bool_]],
) -> None:
    law, allowed = given_
    found = conditional(law, allowed)
    assert found.sum() == pytest.approx(1, abs=1e-12)
    assert not found[~allowed].any()
    assert found == pytest.approx(np.where(allowed, law, 0) / law[allowed].sum(), abs=1e-12)
    assert incoherent(found, allowed) == 0
    assert incoherent(law, allowed) == pytest.approx(1 - law[allowed].sum(), abs=1e-12)


def test_tiny_masses_keep_their_ratio_and_none_is_refused() -> None:
    law = np.array([1.0, 3e-300, 1e-300])
    allowed = np.array([False, True, True])
    assert conditional(law, allowed) == pytest.approx([0, 0.75, 0.25], abs=1e-12)
    for none in (np.zeros(3, dtype=bool), np.array([False, False, True])):
        with pytest.raises(InvalidInput, match="no probability at all"):
            conditional(np.array([0.5, 0.5, 0.0]), none)


def test_entropy_and_margin_of_laws_worked_by_hand() -> None:
    assert entropy(np.full((2, 4), 1 / 8)) == pytest.approx(3, abs=1e-12)
    assert entropy(np.array([1.0, 0.0])) == 0
    assert margin(np.array([0.2, 0.5, 0.3])) == pytest.approx(0.2, abs=1e-15)
    assert margin(np.array([0.5, 0.5])) == 0
    assert margin(np.array([1.0])) == 1


@given(tables(), st.integers(0, 2**32))
def test_a_sample_is_of_the_law_and_replays(law: Table, seed: int) -> None:
    drawn = sample(law, np.random.default_rng(seed), 50)
    assert drawn.shape == (50, law.ndim)
    assert all(law[tuple(row)] > 0 for row in drawn)
    assert np.array_equal(drawn, sample(law, np.random.default_rng(seed), 50))
    shares = empirical(drawn, law.shape)
    assert shares.sum() == pytest.approx(1)
    assert shares[tuple(drawn[0])] == pytest.approx((drawn == drawn[0]).all(axis=1).mean())


@pytest.mark.parametrize("seed", range(5))
def test_many_draws_have_the_shares_of_the_law(seed: int) -> None:
    law = np.arange(1.0, 13).reshape(2, 3, 2) / 78
    n = 20_000
    seen = tally(sample(law, np.random.default_rng(seed), n), law.shape)
    assert chisquare(seen.ravel(), law.ravel() * n).pvalue > 1e-9


def test_records_outside_the_fields_or_none_at_all_are_refused() -> None:
    with pytest.raises(ValueError, match="invalid entry"):
        tally(np.array([[0, 2]]), (2, 2))
    with pytest.raises(InvalidInput, match="no records"):
        empirical(np.zeros((0, 2), dtype=np.int64), (2, 2))
    for wrong in ((0, 0), (2,), (-1,)):
        with pytest.raises(ValueError, match="not different fields"):
            chained(COIN, wrong)


@given(st.lists(PAIRS, min_size=2, max_size=6), st.integers(0, 2**32))
def test_the_mean_over_rows_is_exact_and_its_interval_is_within_the_rows(
    rows: list[Table], seed: int
) -> None:
    bits = [total_correlation(law) for law in rows]
    found = estimated_total_correlation(rows, seed)
    assert found.n == len(rows)
    assert found.value == pytest.approx(np.mean(bits), abs=1e-12)
    assert min(bits) - 1e-12 <= found.interval.lower <= found.value
    assert found.value <= found.interval.upper <= max(bits) + 1e-12
    assert found == estimated_total_correlation(rows, seed)
    assert f"seed {seed}" in found.how


def test_one_row_says_nothing_of_others_and_none_is_refused() -> None:
    found = estimated_total_correlation(COIN[None])
    assert (found.value, found.interval.lower, found.interval.upper) == (1, 0, 1)
    with pytest.raises(InvalidInput, match="no rows"):
        estimated_total_correlation([])


def test_the_interval_covers_about_as_often_as_it_says() -> None:
    trials, n = 100, 150
    covered = 0
    for seed in range(trials):
        values = np.random.default_rng((7, seed)).beta(2, 3, size=n)
        interval = mean_over_rows(list(values), 1.0, seed).interval
        covered += 0.4 in interval
        normal = 2 * 1.96 * values.std() / n**0.5
        assert interval.width == pytest.approx(normal, rel=0.15)  # 2,000 resamples tell 2 %
    assert binom.cdf(covered, trials, 0.93) > 1e-6
