"""The mass tree: every unit of mass is in one place, and the identities hold in its entries."""

import math

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from playground.decoding import masses
from playground.decoding.masses import MassTree
from playground.decoding.trace import Problem, Standing
from playground.logspace import logsumexp
from playground.models.toys import TOYS
from playground.vocabulary import Vocabulary
from tests.exact.enumerate import truth_of
from tests.exact.problems import LiveDouble, finished, live_problem, toy, toy_problem
from tests.exact.strategies import CONSTRAINTS, toys

few = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
VOCABULARY = Vocabulary((b"a", b"b", b"ab", b"ba", None), frozenset({4}))


def opened(tree: MassTree, count: int) -> None:
    """Open the first entries of the frontier, whatever they weigh."""
    entries = np.arange(min(count, len(tree.frontier)), dtype=np.intp)
    nodes = tree.frontier.rows["node"][entries].tolist()
    problem = tree.problem
    tree.open(entries, problem.rows.get(problem.model, [tree.prefix(node) for node in nodes]))


def grown(problem: Problem, top: int, count: int, most: int = 40) -> MassTree:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(masses, "TOP", top)
        tree = MassTree(problem)
        for _ in range(most):
            if len(tree.frontier):
                opened(tree, count)
    return tree


@few
@given(toys(), CONSTRAINTS, st.integers(1, 7), st.sampled_from([1, 2, 32]), st.integers(1, 6))
def test_every_unit_of_mass_is_in_one_place(spec, constraint, max_tokens, top, count) -> None:
    kind, source = constraint
    problem, _, _ = toy_problem(spec, source, kind, max_tokens)
    tree = grown(problem, top, count)
    p = [tree.found.rows["log_p"], tree.frontier.rows["log_p"], tree.outside.rows["log_p"]]
    q = [
        tree.found.rows["log_q"],
        tree.frontier.rows["log_q"],
        tree.cut.rows["log_q"],
        tree.dead.rows["log_q"],
    ]
    assert math.exp(logsumexp(np.concatenate(p))) == pytest.approx(1.0, abs=1e-12)
    assert math.exp(logsumexp(np.concatenate(q))) == pytest.approx(1.0, abs=1e-12)


@few
@given(st.integers(0, 2**32), CONSTRAINTS, st.integers(1, 7), st.sampled_from([1, 2, 32]))
def test_settled_mass_is_counted_once(seed, constraint, max_tokens, top) -> None:
    kind, source = constraint
    problem, _, _ = live_problem(LiveDouble(VOCABULARY, seed), source, kind, max_tokens)
    tree = grown(problem, top, 2)
    apart = tree.found.rows[~tree.found.rows["settled"]]
    q = [
        apart["log_q"],
        tree.sure.rows["log_q"],
        tree.frontier.rows["log_q"],
        tree.cut.rows["log_q"],
        tree.dead.rows["log_q"],
    ]
    assert math.exp(logsumexp(np.concatenate(q))) == pytest.approx(1.0, abs=1e-12)
    assert not len(tree.dead)
    # What was settled is found again below, run by run, as long as all of it is looked into.
    finished(tree)
    below = tree.found.rows[tree.found.rows["settled"]]
    assert logsumexp(below["log_q"]) == pytest.approx(
        logsumexp(tree.sure.rows["log_q"]), abs=1e-9, nan_ok=True
    )


@few
@given(toys(), CONSTRAINTS, st.integers(1, 7))
def test_masked_chance_times_the_product_of_z_is_the_models(spec, constraint, max_tokens) -> None:
    kind, source = constraint
    problem, _, _ = toy_problem(spec, source, kind, max_tokens)
    tree = grown(problem, 32, 3)
    for run in tree.found.rows:
        log_zs = tree.log_zs(int(run["node"]))
        assert len(log_zs) == run["depth"]
        assert run["log_q"] + sum(log_zs) == pytest.approx(run["log_p"], abs=1e-9)


@few
@given(toys(), CONSTRAINTS, st.integers(1, 6))
def test_the_mean_weight_of_constrained_runs_is_z(spec, constraint, max_tokens) -> None:
    kind, source = constraint
    problem, law, pattern = toy_problem(spec, source, kind, max_tokens)
    tree = MassTree(problem)
    finished(tree)
    truth = truth_of(law, problem.model.vocabulary, pattern, max_tokens=max_tokens)
    mean = sum(
        math.exp(run["log_q"] + sum(tree.log_zs(int(run["node"])))) for run in tree.found.rows
    )
    assert mean == pytest.approx(float(truth.z), rel=1e-9)


@few
@given(toys(), CONSTRAINTS, st.integers(1, 6))
def test_the_next_token_law_of_p_v_is_p_times_f_of_the_child_over_f(
    spec, constraint, max_tokens
) -> None:
    kind, source = constraint
    problem, law, pattern = toy_problem(spec, source, kind, max_tokens)
    tree = MassTree(problem)
    finished(tree)
    least, most = tree.futures()
    np.testing.assert_array_equal(least, most)
    assert least[0] == pytest.approx(logsumexp(tree.found.rows["log_p"]), abs=1e-12)
    truth = truth_of(law, problem.model.vocabulary, pattern, max_tokens=max_tokens)
    for node in range(len(tree.nodes)):
        through = truth.through[tree.tokens(node)]
        assert math.exp(least[node]) == pytest.approx(float(through), rel=1e-9)
    # Its children's shares and that of stopping here add up to 1.
    links = tree.links.rows
    for node in range(len(tree.nodes)):
        if least[node] > -np.inf:
            ends = tree.found.rows["log_p"][tree.found.rows["node"] == node]
            parts = np.concatenate([least[links["parent"] == node], ends])
            assert logsumexp(parts) == pytest.approx(least[node], abs=1e-12)


@few
@given(toys(), CONSTRAINTS, st.integers(1, 6), st.sampled_from([1, 2, 3]))
def test_the_rest_weighs_what_its_members_do(spec, constraint, max_tokens, top) -> None:
    kind, source = constraint
    problem, _, _ = toy_problem(spec, source, kind, max_tokens)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(masses, "TOP", top)
        tree = MassTree(problem)
        opened(tree, 1)
    whole = MassTree(problem)
    opened(whole, 1)
    (rest,) = [e for e in tree.frontier.rows if e["rest"]] or [None]
    own = tree.frontier.rows[~tree.frontier.rows["rest"]]
    every = whole.frontier.rows
    assert len(own) == min(top, len(every))
    if rest is None:
        assert len(every) <= top
        return
    outside = np.sort(every["log_p"])[: len(every) - len(own)] if top else every["log_p"]
    assert rest["depth"] == 1
    assert rest["best_p"] <= own["log_p"].min() + 1e-12 or rest["best_q"] <= own["log_q"].min()
    total = np.logaddexp(logsumexp(own["log_p"]), rest["log_p"])
    assert total == pytest.approx(logsumexp(every["log_p"]), abs=1e-12)
    assert rest["log_p"] == pytest.approx(logsumexp(outside), abs=1e-9)
    assert rest["best_p"] == pytest.approx(outside.max(), abs=1e-12)


def test_opening_in_another_order_gives_the_same_tree() -> None:
    problem, _, _ = toy_problem(TOYS["mars"], r"0(\+0)*", max_tokens=8)
    trees = [grown(problem, 32, count, 100) for count in (1, 4)]
    for name in ("log_p", "log_q"):
        one, other = (np.sort(tree.found.rows[name]) for tree in trees)
        np.testing.assert_allclose(one, other, atol=1e-12)
    assert trees[0].rows_used == trees[1].rows_used


def test_tokens_and_prefixes_lead_back_to_the_start() -> None:
    problem, _, _ = live_problem(
        LiveDouble(VOCABULARY, 3), "(ab|ba){1,2}", max_tokens=6, prompt=(3, 1, 2)
    )
    start = Standing.start(problem).after(0)
    tree = MassTree(problem, start)
    finished(tree)
    for node in range(len(tree.nodes)):
        tokens = tree.tokens(node)
        assert len(tokens) == tree.links.rows["depth"][node]
        assert tree.prefix(node) == (3, 1, 2, 0, *tokens)
        spelled = VOCABULARY.decode(tokens)
        assert tree.texts[tree.nodes[node].text] == spelled
        assert tree.seen(spelled) == tree.nodes[node].text
    assert tree.seen(b"never") is None


def test_a_prefix_is_read_once_and_counted_once() -> None:
    problem, _, _ = live_problem(LiveDouble(VOCABULARY, 5), "(ab|ba){1,3}", max_tokens=7)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(masses, "TOP", 1)
        patch.setattr(masses, "MORE", 1)
        tree = MassTree(problem)
        finished(tree)
    assert tree.rows_used == problem.rows.computed == len(tree.nodes)


def test_a_toy_never_settles_as_it_may_give_a_forced_token_no_mass() -> None:
    spec = toy("ab", [{"prefix": [], "p": {"a": 0.5, "b": 0.5}}, {"p": {"a": 1}}])
    problem, _, _ = toy_problem(spec, "ab|b")
    tree = MassTree(problem)
    finished(tree)
    assert not len(tree.sure)
    assert math.exp(logsumexp(tree.dead.rows["log_q"])) == pytest.approx(1.0)


def test_filters_never_settle_as_they_may_remove_a_forced_token() -> None:
    problem, _, _ = live_problem(LiveDouble(VOCABULARY, 1), "aba|bb", top_k=2)
    tree = MassTree(problem)
    finished(tree)
    assert not len(tree.sure)


@pytest.mark.parametrize("max_tokens", range(1, 7))
def test_a_text_settles_only_where_its_slowest_spelling_still_fits(max_tokens) -> None:
    model = LiveDouble(VOCABULARY, 2)
    problem, law, pattern = live_problem(model, "abab|b", max_tokens=max_tokens)
    truth = truth_of(law, VOCABULARY, pattern, max_tokens=max_tokens)
    tree = MassTree(problem)
    claims = finished(tree)
    for sure in tree.sure.rows:
        node = int(sure["node"])
        left = len(tree.texts[int(sure["text"])]) - len(VOCABULARY.decode(tree.tokens(node)))
        assert sure["depth"] + left + 1 <= max_tokens
    assert claims.cut == pytest.approx(float(truth.cut), abs=1e-9)
    for mass in claims.texts:
        assert mass.masked.lower <= float(truth.masked(mass.text)) <= mass.masked.upper
