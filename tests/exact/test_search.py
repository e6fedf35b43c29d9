"""How a search spends its budget: it stops, resumes, is cancelled, and stays true."""

import threading

import numpy as np
import pytest

from playground.decoding import masses
from playground.decoding.masses import MassTree
from playground.exact.posterior import Posterior, snapshot
from playground.exact.search import Budget, search
from playground.models.toyspec import ToySpec
from playground.vocabulary import Vocabulary
from tests.exact.checks import complaints
from tests.exact.enumerate import Law, Truth, truth_of
from tests.exact.problems import LiveDouble, finished, live_problem, toy, toy_problem

SPEC = toy(
    ["a", "b", "ab", "ba"],
    [
        {"position": 0, "p": {"a": 0.6, "b": 0.3, "ba": 0.1}},
        {"last": "a", "p": {"a": 0.1, "b": 0.2, "ba": 0.3, "<eos>": 0.4}},
        {"p": {"a": 0.3, "b": 0.2, "ab": 0.1, "ba": 0.1, "<eos>": 0.3}},
    ],
)
REGEX = "(ab|ba){1,3}b?"


def fresh(spec: ToySpec = SPEC, regex: str = REGEX) -> tuple[MassTree, Truth]:
    problem, law, pattern = toy_problem(spec, regex, max_tokens=7)
    return MassTree(problem), truth(problem.model.vocabulary, law, pattern)


def truth(vocabulary: Vocabulary, law: Law, pattern: str) -> Truth:
    return truth_of(law, vocabulary, pattern, max_tokens=7)


def numbers(result: Posterior) -> tuple[object, ...]:
    """What doesn't depend on the clock."""
    return (
        result.Z, result.log_z, result.tv, result.kl, result.inside, result.open, result.outside,
        result.found_masked, result.open_masked, result.cut, result.dead, result.rows_used,
        result.texts,
    )  # fmt: skip


@pytest.mark.parametrize("aim", ["both", "z"])
@pytest.mark.parametrize(("first", "second"), [(1, 9), (4, 6), (7, 13)])
def test_resuming_equals_one_search(aim, first, second) -> None:
    whole, _ = fresh()
    parts, _ = fresh()
    one = finished(whole, rows=first + second, batch=1, aim=aim)
    finished(parts, rows=first, batch=1, aim=aim)
    assert parts.rows_used == first
    two = finished(parts, rows=second, batch=1, aim=aim)
    assert numbers(one) == numbers(two)


@pytest.mark.parametrize("batch", [1, 2, 5, 16])
def test_whatever_the_batch_the_end_is_the_same(batch) -> None:
    one, _ = fresh()
    other, right = fresh()
    reference, result = finished(one, batch=1), finished(other, batch=batch)
    assert result.status == "exact"
    assert complaints(other, result, right) == []
    assert result.rows_used == reference.rows_used
    assert result.log_z.middle == pytest.approx(reference.log_z.middle, abs=1e-12)
    assert result.tv.middle == pytest.approx(reference.tv.middle, abs=1e-9)


@pytest.mark.parametrize("rows", [1, 2, 3, 5, 11])
def test_no_more_rows_are_used_than_the_budget_allows(rows) -> None:
    tree, right = fresh()
    result = finished(tree, rows=rows, batch=4)
    assert result.stopped == "rows"
    assert result.rows_used == tree.rows_used == rows
    assert complaints(tree, result, right) == []


@pytest.mark.parametrize("after", range(6))
def test_a_cancelled_search_leaves_what_is_true_and_can_go_on(after) -> None:
    tree, right = fresh()
    asked = iter([False] * after)
    *_, result = search(tree, Budget(tolerance=0.0, batch=2), lambda: next(asked, True))
    assert result.stopped == "cancelled"
    assert complaints(tree, result, right) == []
    assert finished(tree).status == "exact"


def test_a_search_that_is_dropped_half_way_leaves_the_tree_usable(monkeypatch) -> None:
    monkeypatch.setattr("playground.exact.search.SHOW_EVERY", 0.0)
    tree, right = fresh()
    stream = search(tree, Budget(tolerance=0.0, batch=1))
    for _ in range(3):
        assert complaints(tree, next(stream), right) == []
    stream.close()
    result = finished(tree)
    assert result.status == "exact"
    assert complaints(tree, result, right) == []


def test_every_snapshot_that_is_streamed_is_true_and_the_last_says_why_it_stopped(
    monkeypatch,
) -> None:
    monkeypatch.setattr("playground.exact.search.SHOW_EVERY", 0.0)
    tree, right = fresh()
    shown = list(search(tree, Budget(tolerance=0.0, batch=2)))
    assert [result.stopped for result in shown[:-1]] == [None] * (len(shown) - 1)
    assert shown[-1].stopped == "complete"
    assert complaints(tree, shown[-1], right) == []
    rows = [result.rows_used for result in shown]
    assert rows == sorted(rows)


@pytest.mark.parametrize("tolerance", [0.5, 0.1, 0.01])
def test_the_tolerance_holds_for_what_is_aimed_at(tolerance) -> None:
    tree, _ = fresh()
    z = finished(tree, tolerance=tolerance, aim="z", batch=1)
    assert z.stopped == "tolerance"
    assert z.open <= tolerance * z.inside * (1 + 1e-12)
    both = finished(tree, tolerance=tolerance, aim="both", batch=1)
    assert both.rows_used >= z.rows_used
    assert both.open <= tolerance * both.inside * (1 + 1e-12)
    assert both.open_masked <= tolerance * (1 + 1e-12)


def test_no_time_means_no_rows() -> None:
    tree, right = fresh()
    result = finished(tree, seconds=0.0)
    assert result.stopped == "seconds"
    assert result.rows_used == 0
    assert complaints(tree, result, right) == []


def test_memory_is_bounded(monkeypatch) -> None:
    monkeypatch.setattr("playground.exact.search.MAX_SIZE", 20)
    tree, right = fresh()
    result = finished(tree, batch=1)
    assert result.stopped == "memory"
    assert result.status == "bounded"
    assert complaints(tree, result, right) == []


def test_more_rows_only_tighten_the_bracket_of_a_toy() -> None:
    tree, _ = fresh()
    low, high = -np.inf, np.inf
    while len(tree.frontier):
        claims = finished(tree, rows=1, batch=1)
        assert claims.log_z.lower >= low - 1e-15
        assert claims.log_z.upper <= high + tree.delta * 7 + 1e-15
        low, high = claims.log_z.lower, claims.log_z.upper


def test_searches_of_one_tree_at_once_add_up_and_readers_see_only_what_is_true() -> None:
    vocabulary = Vocabulary((b"a", b"b", b"ab", b"ba", None), frozenset({4}))
    model = LiveDouble(vocabulary, 7)
    problem, law, pattern = live_problem(model, REGEX, max_tokens=7)
    right = truth(vocabulary, law, pattern)
    tree = MassTree(problem)
    wrong: list[str] = []

    def grow() -> None:
        for _ in range(20):
            result = finished(tree, rows=3, batch=1)
            p = result.inside + result.open + result.outside
            if not abs(p - 1) < 1e-9:
                wrong.append(f"{p}")

    workers = [threading.Thread(target=grow) for _ in range(3)]
    for worker in workers:
        worker.start()
    while any(worker.is_alive() for worker in workers):
        result = snapshot(tree)
        if not right.z.is_finite() or not result.Z.lower <= float(right.z) <= result.Z.upper:
            wrong.append(f"{right.z} not in {result.Z}")
    for worker in workers:
        worker.join()
    assert wrong == []
    assert complaints(tree, finished(tree), right) == []


@pytest.mark.parametrize("top", [1, 2, 3])
def test_what_stays_together_at_first_changes_nothing_at_the_end(monkeypatch, top) -> None:
    plain, _ = fresh()
    reference = finished(plain)
    monkeypatch.setattr(masses, "TOP", top)
    monkeypatch.setattr(masses, "MORE", 1)
    tree, right = fresh()
    result = finished(tree, batch=1)
    assert complaints(tree, result, right) == []
    assert result.rows_used == reference.rows_used
    assert {mass.text: mass.runs for mass in result.texts} == {
        mass.text: mass.runs for mass in reference.texts
    }
