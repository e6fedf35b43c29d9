"""Mixed sentences: shares worked by hand, passes against the whole transition matrix."""

from itertools import pairwise
from itertools import product as every

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import binomtest, chisquare

from playground.errors import InvalidInput
from playground.fields.law import incoherent, total_correlation
from playground.fields.modes import MOST_OUTPUTS, Toy, toy
from playground.fields.positions import (
    METHODS,
    Way,
    autoregressive,
    draw,
    exact,
    factorised,
    law_of,
    mixing,
    next_word,
    outputs,
    refined,
    smoothed,
)

Table = NDArray[np.float64]
WAYS: tuple[Way, ...] = ("one-by-one", "at-once")


@st.composite
def toys(draw: st.DrawFn) -> Toy:
    length = draw(st.integers(1, 4))
    sentence = st.lists(st.sampled_from("abc"), min_size=length, max_size=length).map(" ".join)
    sentences = draw(st.lists(sentence, min_size=2, max_size=3, unique=True))
    weights = st.lists(
        st.sampled_from([1.0, 2.0, 7.0]), min_size=len(sentences), max_size=len(sentences)
    )
    return toy(sentences, draw(weights))


def test_two_sentences_of_four_words_drawn_at_once_are_mixed_seven_times_in_eight() -> None:
    said = toy()
    law = factorised(said)
    assert law == pytest.approx(np.full((2, 2, 2, 2), 1 / 16), abs=1e-12)
    assert incoherent(law, said.coherent) == pytest.approx(7 / 8, abs=1e-12)
    assert total_correlation(exact(said)) == pytest.approx(3, abs=1e-12)
    assert incoherent(exact(said), said.coherent) == 0


def test_a_rare_sentence_mixes_less_and_a_shared_word_costs_nothing() -> None:
    rare = toy(("hot tea", "cold milk"), (9, 1))
    assert incoherent(factorised(rare), rare.coherent) == pytest.approx(2 * 0.9 * 0.1, abs=1e-12)
    shared = toy(("hot black tea", "cold black milk"))
    assert shared.sizes == (2, 1, 2)
    assert incoherent(factorised(shared), shared.coherent) == pytest.approx(0.5, abs=1e-12)


@given(toys())
def test_word_by_word_is_the_exact_law_and_each_next_word_a_law(said: Toy) -> None:
    assert autoregressive(said) == pytest.approx(exact(said), abs=1e-12)
    assert not autoregressive(said)[~said.coherent].any()
    for mode in said.indices:
        for t in range(len(mode)):
            law = next_word(said, mode[:t])
            assert law.sum() == pytest.approx(1, abs=1e-12)
            assert law[mode[t]] > 0


def test_no_word_follows_what_no_sentence_begins_with() -> None:
    with pytest.raises(ValueError, match="no mode goes on"):
        next_word(toy(("a a", "b b")), (0, 1))
    with pytest.raises(ValueError, match="no mode goes on"):
        next_word(toy(("a a b", "b b a")), (0, 1))


def slipped(said: Toy, cell: tuple[int, ...], slip: float) -> float:
    """The chance of an output when words slip, from the definition."""
    total = 0.0
    for mode, weight in zip(said.indices, said.weights, strict=True):
        for t, n in enumerate(said.sizes):
            weight *= slip / n + (1 - slip if mode[t] == cell[t] else 0)
        total += weight
    return total


@given(toys(), st.sampled_from([0.01, 0.3, 1.0]))
def test_the_smoothed_law_slips_word_by_word(said: Toy, slip: float) -> None:
    law = smoothed(said, slip)
    assert law.sum() == pytest.approx(1, abs=1e-12)
    for cell in np.ndindex(law.shape):
        assert law[cell] == pytest.approx(slipped(said, cell, slip), abs=1e-12)


def redraw(said: Toy, cell: tuple[int, ...], t: int, slip: float) -> Table:
    """(n_t,) the law of word t given the other words of `cell`."""
    rows = [slipped(said, (*cell[:t], word, *cell[t + 1 :]), slip) for word in range(said.sizes[t])]
    return np.array(rows) / sum(rows)


def one_by_one(said: Toy, law: Table, slip: float) -> Table:
    for t in range(law.ndim):
        moved = np.zeros(law.shape)
        for cell in np.ndindex(law.shape):
            for word, p in enumerate(redraw(said, cell, t, slip)):
                moved[(*cell[:t], word, *cell[t + 1 :])] += law[cell] * p
        law = moved
    return law


def at_once(said: Toy, law: Table, slip: float) -> Table:
    moved = np.zeros(law.shape)
    for cell in np.ndindex(law.shape):
        rows = [redraw(said, cell, t, slip) for t in range(law.ndim)]
        for after in every(*map(range, law.shape)):
            moved[after] += law[cell] * np.prod(
                [row[i] for row, i in zip(rows, after, strict=True)]
            )
    return moved


@given(toys().filter(lambda said: np.prod(said.sizes) <= 16), st.sampled_from([0.01, 0.3]))
@settings(max_examples=25, deadline=None)
def test_a_pass_is_the_product_of_its_transitions(said: Toy, slip: float) -> None:
    for way, transition in (("one-by-one", one_by_one), ("at-once", at_once)):
        before, after, later = refined(said, 2, way, slip)
        assert before == pytest.approx(factorised(said), abs=1e-12)
        assert after == pytest.approx(transition(said, before, slip), abs=1e-12)
        assert later == pytest.approx(transition(said, after, slip), abs=1e-12)


@given(toys(), st.sampled_from([0.01, 0.3]))
@settings(deadline=None)
def test_one_by_one_never_leaves_the_smoothed_law_and_only_comes_closer(
    said: Toy, slip: float
) -> None:
    target = smoothed(said, slip)
    assert one_by_one(said, target, slip) == pytest.approx(target, abs=1e-12)
    apart = [np.abs(law - target).sum() / 2 for law in refined(said, 6, "one-by-one", slip)]
    assert all(b <= a + 1e-12 for a, b in pairwise(apart))


@given(toys(), st.sampled_from(METHODS), st.integers(0, 3))
@settings(deadline=None)
def test_every_law_sums_to_1(said: Toy, method: str, passes: int) -> None:
    law = law_of(said, method, passes)  # type: ignore[arg-type]
    assert law.min() >= 0
    assert law.sum() == pytest.approx(1, abs=1e-12)


def test_two_words_redrawn_one_by_one_are_mended_and_at_once_they_swap_for_ever() -> None:
    said, slip = toy(("hot tea", "cold milk")), 0.1
    keeps = 1 - slip / 2
    floor = 2 * keeps * (1 - keeps)  # one of two words slipped
    assert incoherent(smoothed(said, slip), said.coherent) == pytest.approx(floor, abs=1e-12)
    shares = {
        way: [incoherent(law, said.coherent) for law in refined(said, 3, way, slip)] for way in WAYS
    }
    assert shares["one-by-one"] == pytest.approx([0.5, floor, floor, floor], abs=1e-12)
    assert shares["at-once"] == pytest.approx([0.5] * 4, abs=1e-12)


def test_four_words_are_mended_one_by_one_and_at_once_only_where_a_majority_leads() -> None:
    said = toy()
    slow = [incoherent(law, said.coherent) for law in refined(said, 3, "one-by-one", 1e-9)]
    fast = [incoherent(law, said.coherent) for law in refined(said, 3, "at-once", 1e-9)]
    assert slow == pytest.approx([7 / 8, 0, 0, 0], abs=1e-6)
    assert fast == pytest.approx([7 / 8, 6 / 16, 6 / 16, 6 / 16], abs=1e-6)  # two words of each


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(3))
def test_draws_made_position_by_position_have_the_shares_of_the_law(method: str, seed: int) -> None:
    said, n = toy(("a b c", "a c a", "b a b"), (1, 2, 3)), 20_000
    law = law_of(said, method, 2, 0.2)  # type: ignore[arg-type]
    drawn = draw(said, method, np.random.default_rng(seed), n, 2, 0.2)  # type: ignore[arg-type]
    seen = np.zeros(law.shape)
    np.add.at(seen, tuple(drawn.T), 1)
    assert not seen[law == 0].any()
    kept = law > 0
    assert chisquare(seen[kept], law[kept] / law.sum() * n).pvalue > 1e-9
    again = draw(said, method, np.random.default_rng(seed), n, 2, 0.2)  # type: ignore[arg-type]
    assert np.array_equal(drawn, again)


class Told(np.random.Generator):
    """Gives the uniform numbers it was told to."""

    def __init__(self, *numbers: float) -> None:
        super().__init__(np.random.PCG64(0))
        self.numbers = list(numbers)

    def random(self, size: int) -> Table:  # type: ignore[override]
        return np.full(size, self.numbers.pop(0))


def test_the_least_number_that_chance_can_give_draws_no_word_without_mass() -> None:
    said = toy(("a b", "b a"))
    assert draw(said, "autoregressive", Told(0.75, 0.0), 2).tolist() == [[1, 1], [1, 1]]


def test_each_row_of_the_table_counts_what_it_proves() -> None:
    said, n = toy(), 5000
    rows = mixing(said, np.random.default_rng(0), n, passes=2)
    assert [(row.method, row.passes, row.calls) for row in rows] == [
        ("exact", 0, 4), ("autoregressive", 0, 4), ("factorised", 0, 1),
        ("one-by-one", 1, 5), ("one-by-one", 2, 9), ("at-once", 1, 2), ("at-once", 2, 3),
    ]  # fmt: skip
    for row in rows:
        assert row.mixed == pytest.approx(incoherent(row.law, said.coherent), abs=1e-12)
        assert row.total_correlation == pytest.approx(total_correlation(row.law), abs=1e-12)
        assert binomtest(round(row.drawn.value * n), n, row.mixed).pvalue > 1e-9


def test_outputs_come_likeliest_first_without_those_that_cannot_be() -> None:
    said = toy(("hot tea", "cold milk"), (3, 1))
    found = outputs(said, factorised(said))
    assert [(each.text, each.mixed) for each in found] == [
        ("hot tea", False), ("hot milk", True), ("cold tea", True), ("cold milk", False),
    ]  # fmt: skip
    assert [each.p for each in found] == pytest.approx([9 / 16, 3 / 16, 3 / 16, 1 / 16], abs=1e-12)
    assert [each.text for each in outputs(said, exact(said))] == ["hot tea", "cold milk"]
    assert len(outputs(said, factorised(said), most=1)) == 1


@pytest.mark.parametrize(
    ("sentences", "weights", "said"),
    [
        (("one",), None, "1 sentences"),
        (("a", "b", "c", "d", "e"), None, "5 sentences"),
        (("a b", "c"), None, "2, 1 words"),
        (("", " "), None, "0, 0 words"),
        (("a b", "a  b"), None, "twice"),
        (("a", "b" * 41), None, "too long"),
        (("a " * 13, "b " * 13), None, "too long"),
        (("a " * 10, "b " * 10), None, f"more than {MOST_OUTPUTS}"),
        (("a", "b"), (1,), "weights are 1"),
        (("a", "b"), (1, 0), "weights are 1, 0"),
        (("a", "b"), (1, float("nan")), "weights are 1, nan"),
    ],
)
def test_sentences_that_make_no_toy_are_refused_in_words(
    sentences: tuple[str, ...], weights: tuple[float, ...] | None, said: str
) -> None:
    with pytest.raises(InvalidInput, match=said) as caught:
        toy(sentences, weights)
    assert caught.value.hint


def test_numbers_out_of_range_are_refused_in_words() -> None:
    rng = np.random.default_rng(0)
    for wrong in (0.0, -1.0, 1.5, float("nan")):
        with pytest.raises(InvalidInput, match="slip"):
            smoothed(toy(), wrong)
    for passes in (-1, 21):
        with pytest.raises(InvalidInput, match="passes"):
            next(refined(toy(), passes))
        with pytest.raises(InvalidInput, match="passes"):
            draw(toy(), "at-once", rng, 1, passes)
    for n in (0, 100_001):
        with pytest.raises(InvalidInput, match="draws"):
            draw(toy(), "factorised", rng, n)
