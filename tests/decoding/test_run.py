"""Lockstep, counts, cancelling: what all methods share."""

from dataclasses import replace

import numpy as np
import pytest

from playground.decoding.chance import streams
from playground.decoding.first_valid import FirstValid
from playground.decoding.laws import BATCH, Laws
from playground.decoding.mcmc import Mcmc
from playground.decoding.methods import METHODS
from playground.decoding.run import Course, lockstep, walk
from playground.decoding.sampler import SAMPLERS, run
from playground.decoding.sampling import Sampling
from playground.decoding.trace import Outcome, Trace
from playground.errors import InvalidInput
from playground.models.rows import RowStore
from playground.models.toys import TOYS
from tests.decoding.bruteforce import problem_of


class Watched(RowStore):
    """A row store that remembers what it was asked."""

    def __init__(self) -> None:
        super().__init__(2**24)
        self.asked: list[list[tuple[int, ...]]] = []

    def get(self, model, prefixes):
        self.asked.append([tuple(prefix) for prefix in prefixes])
        return super().get(model, prefixes)


def mars(playground, **sampling):
    return problem_of(playground, TOYS["mars"], r"0(\+0)*", 7, Sampling(**sampling))


def record(draws):
    return [
        (d.run.tokens, d.run.outcome, d.run.log_z, d.log_weight, d.accepted, d.index, d.rows_used)
        for d in draws
    ]


@pytest.mark.parametrize("name", METHODS)
def test_draws_depend_on_the_seed_alone_and_come_in_order(playground, name) -> None:
    """Not on what ran before, nor on how many are drawn."""
    problem = mars(playground, seed=3)
    some = record(METHODS[name].draws(problem, 70))
    assert [entry[5] for entry in some] == list(range(len(some)))
    assert [entry[6] for entry in some] == sorted(entry[6] for entry in some)
    for other in METHODS.values():
        list(other.draws(problem, 5))
    assert record(METHODS[name].draws(problem, 70)) == some
    if name != "smc":
        assert record(METHODS[name].draws(problem, 4))[:4] == some[:4]
    assert record(METHODS[name].draws(mars(playground, seed=4), 70)) != some


@pytest.mark.parametrize("name", ["masked", "unconstrained"])
def test_a_run_is_the_one_that_the_step_screen_draws(playground, name) -> None:
    problem = mars(playground, seed=9)
    method = METHODS["rejection" if name == "unconstrained" else name]
    for found in method.draws(problem, 20):
        *_, trace = run(Trace.start(problem), SAMPLERS[name], found.index)
        assert trace.tokens == found.run.tokens
        assert trace.outcome is found.run.outcome
        assert trace.log_z == pytest.approx(sum(found.run.log_z), abs=1e-12)
        assert sum(step.log_p for step in trace.steps) == pytest.approx(found.run.log_p)
        if found.accepted:
            assert trace.log_weight == pytest.approx(found.log_weight, abs=1e-12)


@pytest.mark.parametrize("name", METHODS)
def test_at_most_a_batch_of_different_prefixes_is_asked_at_once(playground, name) -> None:
    problem = mars(playground)
    watched = Watched()
    problem = replace(problem, rows=watched)
    draws = list(METHODS[name].draws(problem, 150))
    for prefixes in watched.asked:
        assert len(set(prefixes)) == len(prefixes) <= BATCH
    needed = {prefix for prefixes in watched.asked for prefix in prefixes}
    assert draws[-1].rows_used == len(needed) == problem.rows.computed


def test_many_rejection_draws_ask_the_row_store_a_few_times(playground) -> None:
    problem = mars(playground)
    watched = Watched()
    problem = replace(problem, rows=watched)
    list(METHODS["rejection"].draws(problem, BATCH))
    assert len(watched.asked) <= problem.max_tokens


@pytest.mark.parametrize("name", METHODS)
def test_cancelling_keeps_what_was_yielded_and_ends_the_draws(playground, name) -> None:
    problem = mars(playground)
    asked = 0

    def count() -> bool:
        nonlocal asked
        asked += 1
        return False

    whole = record(METHODS[name].draws(problem, 130, cancelled=count))
    lengths = []
    for calls in (0, 1, asked // 2, asked - 1):
        left = iter(range(calls))
        stopped = record(
            METHODS[name].draws(problem, 130, cancelled=lambda n=left: next(n, None) is None)
        )
        assert stopped == whole[: len(stopped)]
        lengths.append(len(stopped))
    assert lengths[0] == 0
    assert lengths == sorted(lengths)
    assert 0 < lengths[-1] < len(whole) or name == "smc"


@pytest.mark.parametrize("name", METHODS)
def test_temperature_zero_and_no_draws_are_refused_in_words(playground, name) -> None:
    with pytest.raises(InvalidInput, match="temperature 0"):
        METHODS[name].draws(mars(playground, temperature=0), 5)
    with pytest.raises(InvalidInput, match="at least 1"):
        METHODS[name].draws(mars(playground), 0)


@pytest.mark.parametrize("name", METHODS)
def test_a_run_that_does_not_finish_weighs_nothing(playground, name) -> None:
    problem = problem_of(playground, TOYS["mars"], r"0(\+0)*", 2)
    for found in METHODS[name].draws(problem, 20):
        if found.run.outcome in (Outcome.TRUNCATED, Outcome.DEAD_END):
            assert found.log_weight == -np.inf
            assert not found.accepted


def test_unconstrained_runs_go_on_where_rejection_has_seen_enough(playground) -> None:
    problem = problem_of(playground, TOYS["sky"], "skill|cloud")
    asked = list(METHODS["unconstrained"].draws(problem, 40))
    rejected = list(METHODS["rejection"].draws(problem, 40))
    assert {d.text for d in asked} >= {b"sky", b"other"}
    assert [d.accepted for d in asked] == [d.accepted for d in rejected]
    for whole, short in zip(asked, rejected, strict=True):
        assert whole.run.tokens[: len(short.run.tokens)] == short.run.tokens
        assert whole.run.log_z == short.run.log_z
        assert whole.accepted or len(short.run.tokens) < len(whole.run.tokens)
    assert rejected[-1].rows_used < asked[-1].rows_used


def test_a_group_is_its_first_valid_run_in_the_order_of_the_runs(playground) -> None:
    problem = mars(playground)
    runs = [d.run for d in METHODS["rejection"].draws(problem, 90)]
    groups = list(FirstValid(size=3).draws(problem, 30))
    for found, three in zip(groups, zip(*[iter(runs)] * 3, strict=True), strict=True):
        valid = [one.tokens for one in three if one.outcome is Outcome.ACCEPTED]
        assert found.accepted == bool(valid)
        assert found.run.tokens == [*valid, three[0].tokens][0]
    assert any(groups[i].accepted for i in range(30))


def test_no_more_than_a_batch_of_runs_is_started_before_the_first_has_ended(playground) -> None:
    problem = mars(playground)
    started = []

    def walks():
        for number in range(500):
            started.append(number)
            yield walk(Course.start(problem), number, streams(0), lambda law: law.masked)

    results = lockstep(Laws(), walks())
    next(results)
    assert BATCH <= len(started) < 3 * BATCH
    assert len([*results]) == 499


def test_chains_use_no_run_twice(playground) -> None:
    used = set()

    def choose(law, run, t):
        assert (run, t) not in used
        used.add((run, t))
        return streams(0)(law, run, t)

    list(Mcmc(steps=4).draws(mars(playground), 6, choose=choose))
    assert {run for run, _ in used} == set(range(30))
