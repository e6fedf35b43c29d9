"""Rates of combinations that don't go together, against sums by hand and over every combination."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from playground.errors import InvalidInput
from playground.fields.coherence import (
    correlation,
    correlations,
    counted,
    country_currency,
    incoherence,
    multimodality,
    restricted,
    unseen,
)
from playground.fields.law import chained, conditional, marginals, onto, product, total_correlation
from playground.models.toys import TOYS
from tests.fields.tables import CROSSED, masked, tables

Table = NDArray[np.float64]
BOTH = np.array([[True, False], [False, True]])
THREE = st.just((2, 3, 2))


def test_country_and_currency_share_one_bit_that_independent_fields_lose() -> None:
    found = multimodality(country_currency(), BOTH, order=(0,))
    assert found.total_correlation == pytest.approx(1, abs=1e-12)
    assert found.factorised == pytest.approx(np.full((2, 2), 0.25), abs=1e-12)
    assert [list(part) for part in found.marginals] == [[0.5, 0.5], [0.5, 0.5]]
    assert np.array_equal(found.chained, found.law)
    assert found.incoherent == {"factorised": 0.5, "chained": 0, "joint": 0}


def test_the_numbers_are_those_of_the_toy_of_that_name() -> None:
    spec = TOYS["country-currency"]
    rules = {rule.prefix: rule.p for rule in spec.rules if rule.prefix is not None}
    law = [
        [rules[()][country] * rules[(country, "/")].get(currency, 0) for currency in ("USD", "EUR")]
        for country in ("US", "DE")
    ]
    assert np.array_equal(country_currency(), law)


@given(masked(), st.data())
def test_rates_of_one_law_are_sums_over_what_is_not_allowed(
    given_: tuple[Table, NDArray[np.bool_]], data: st.DataObject
) -> None:
    law, allowed = given_
    order = data.draw(st.permutations(range(law.ndim)))[: data.draw(st.integers(0, law.ndim))]
    found = multimodality(law, allowed, order)
    parts = marginals(law)
    apart = sum(
        float(np.prod([part[i] for part, i in zip(parts, cell, strict=True)]))
        for cell in np.ndindex(law.shape)
        if not allowed[cell]
    )
    assert found.incoherent["factorised"] == pytest.approx(apart, abs=1e-12)
    assert found.incoherent["joint"] == pytest.approx(law[~allowed].sum(), abs=1e-12)
    if len(order) >= law.ndim - 1:
        assert found.incoherent["chained"] == pytest.approx(found.incoherent["joint"], abs=1e-12)
    if not order:
        assert found.incoherent["chained"] == pytest.approx(apart, abs=1e-12)


@given(st.lists(tables(THREE), min_size=2, max_size=5), st.data())
def test_rates_of_many_laws_are_the_means_of_each(rows: list[Table], data: st.DataObject) -> None:
    kept = data.draw(st.lists(st.booleans(), min_size=12, max_size=12))
    allowed = np.array(kept).reshape(2, 3, 2)
    found = {each.method: each for each in incoherence(np.stack(rows), allowed, (1,))}
    assert list(found) == ["factorised", "chained", "joint"]
    single = [multimodality(law, allowed, (1,)).incoherent for law in rows]
    for method, each in found.items():
        assert each.drawn.value == pytest.approx(
            np.mean([one[method] for one in single]), abs=1e-12
        )
        assert each.drawn.value in each.drawn.interval
        assert each.decided.value in each.decided.interval
        assert each.decided.n == len(rows)


@given(st.lists(masked(), min_size=1, max_size=1))
def test_a_masked_joint_is_never_incoherent(
    given_: list[tuple[Table, NDArray[np.bool_]]],
) -> None:
    [(law, allowed)] = given_
    rows = [conditional(law, allowed)] * 3
    *_, joint = incoherence(rows, allowed, (0,))
    assert joint.drawn.value == joint.decided.value == 0
    assert joint.drawn.interval.upper == 0


@given(st.lists(tables(THREE), min_size=1, max_size=3))
def test_to_a_factorised_head_the_three_ways_are_one(rows: list[Table]) -> None:
    allowed = np.arange(12).reshape(2, 3, 2) % 3 > 0
    heads = [product(marginals(law)) for law in rows]
    rates = [each.drawn.value for each in incoherence(heads, allowed, (0, 2, 1))]
    assert rates == pytest.approx([rates[0]] * 3, abs=1e-12)


def test_likeliest_fields_apart_make_a_record_that_never_happens() -> None:
    apart, chain, joint = incoherence(np.stack([CROSSED] * 4), CROSSED > 0, (0,))
    assert (apart.decided.value, chain.decided.value, joint.decided.value) == (1, 0, 0)
    assert apart.drawn.value == pytest.approx(0.4 * 0.6 + 0.6 * 0.4, abs=1e-12)
    assert (chain.drawn.value, joint.drawn.value) == (0, 0)


def test_counted_records_have_a_clopper_pearson_interval() -> None:
    none = counted(np.array([[0, 0]] * 20), BOTH)
    assert none.value == none.interval.lower == 0
    assert none.interval.upper == pytest.approx(1 - 0.025 ** (1 / 20), abs=1e-9)
    some = counted(np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), BOTH)
    assert (some.value, some.n) == (0.5, 4)
    assert some.interval.lower == pytest.approx(1 - some.interval.upper, abs=1e-9)
    with pytest.raises(InvalidInput, match="no records"):
        counted(np.zeros((0, 2), dtype=np.int64), BOTH)


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 2)), min_size=1, max_size=8))
def test_unseen_is_all_but_the_combinations_of_the_labels(labels: list[tuple[int, int]]) -> None:
    mask = unseen(np.array(labels), (2, 3))
    assert {cell for cell in np.ndindex(2, 3) if not mask[cell]} == set(labels)
    assert counted(np.array(labels), ~mask).value == 0


def test_without_labels_nothing_can_be_called_unseen() -> None:
    with pytest.raises(InvalidInput, match="no training labels"):
        unseen(np.zeros((0, 2), dtype=np.int64), (2, 3))


@given(st.lists(tables(THREE), min_size=1, max_size=4))
def test_a_correlation_is_that_of_each_rows_pair(rows: list[Table]) -> None:
    found = list(correlations(np.stack(rows)))
    assert [each.fields for each in found] == [(0, 1), (0, 2), (1, 2)]
    for each in found:
        pairs = restricted(np.stack(rows), each.fields)
        assert np.array_equal(pairs, [onto(law, each.fields) for law in rows])
        assert each.rows == pytest.approx([total_correlation(law) for law in pairs], abs=1e-12)
        assert each.mean.value == pytest.approx(each.rows.mean(), abs=1e-12)
        assert each.mixed == pytest.approx(total_correlation(pairs.mean(axis=0)), abs=1e-12)
        tvs = [np.abs(law - chained(law, ())).sum() / 2 for law in pairs]
        assert each.moved == pytest.approx(np.mean(tvs), abs=1e-12)


def test_what_the_input_explains_is_in_the_mean_law_and_in_no_row() -> None:
    sure = np.zeros((2, 2, 2))
    sure[0, 0, 0] = sure[1, 1, 1] = 1  # one row is surely the first pair, the other the second
    found = correlation(sure, 0, 1)
    assert (list(found.rows), found.mean.value, found.moved) == ([0, 0], 0, 0)
    assert found.mixed == pytest.approx(1, abs=1e-12)


def test_without_rows_there_is_no_rate_and_no_correlation() -> None:
    with pytest.raises(InvalidInput, match="no rows"):
        incoherence([], BOTH, (0,))
    with pytest.raises(InvalidInput, match="no rows"):
        list(correlations([]))
