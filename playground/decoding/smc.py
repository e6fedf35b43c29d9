"""Sequential Monte Carlo: weighted masked runs that are resampled as they grow."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import exp, inf, log
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from playground.decoding.chance import RESAMPLE, Categorical, stream
from playground.decoding.drawing import Asked, Drawing
from playground.decoding.laws import Laws
from playground.decoding.run import (
    Course,
    Draw,
    Needed,
    drawn,
)
from playground.decoding.trace import Outcome, Problem
from playground.logspace import LogProbs, logsumexp


def ess(log_weights: Sequence[float]) -> float:
    """(sum w)^2 / sum w^2, from 0 (no weight at all) to the number of weights.

    It can be silently wrong: particles that all took one branch know nothing of the others.
    """
    weights = np.asarray(log_weights, dtype=np.float64)
    total = logsumexp(weights)
    return 0.0 if total == -inf else exp(2 * total - logsumexp(2 * weights))


@dataclass(frozen=True, slots=True)
class Smc(Drawing):
    """Particles draw from p·m/Z_t and are weighted by Z_t; where their ESS falls below a share of
    their number, they are resampled (systematic) and weigh the same again. Runs that don't end
    weigh nothing. The mean weight is Z in expectation at any number of particles; the weighted
    texts tend to p_V only as particles grow, and one run may be far off: hence `repeats`."""

    name: str = "smc"
    title: str = "Sequential Monte Carlo"
    law: str = "weighted and resampled masked runs; tends to p_V as particles grow"
    target: Literal["conditional"] = "conditional"
    exact: bool = False
    weighted: bool = True
    threshold: float = 0.5
    """Resample where ESS is below this share of the particles; 0 never does."""
    repeats: int = 1
    """Independent populations, one after another."""

    def _draws(self, problem: Problem, n: int, asked: Asked) -> Iterator[Draw]:
        """`n` particles of each repeat; particle i of repeat k is run k·n + i and draw k·n + i. A
        population is handed out when all of it has ended.
        """
        laws, needed, start = Laws(), Needed(), Course.start(problem)
        for repeat in range(self.repeats):
            population = self._population(laws, [start] * n, repeat * n, needed, asked)
            if population is None:
                return
            for index, (course, weight) in enumerate(zip(*population, strict=True), repeat * n):
                yield drawn(course, index, asked.accept, needed, weight)

    def _population(
        self,
        laws: Laws,
        courses: list[Course],
        first: int,
        needed: Needed,
        asked: Asked,
    ) -> tuple[list[Course], list[float]] | None:
        """`courses` (n,), led to their ends as particles, and their log weights; None when
        cancelled."""
        n, choose = len(courses), asked.choose
        places = [0] * n
        weights = [0.0] * n
        t = 0
        while live := [i for i, course in enumerate(courses) if running(course)]:
            if asked.cancelled():
                return None
            for i, law in zip(live, laws.at([courses[i] for i in live]), strict=True):
                needed.ask(places[i])
                if law.masked is None:
                    courses[i] = courses[i].stopped(Outcome.DEAD_END)
                else:
                    token = choose(law.masked, first + i, t)
                    log_proposal = float(law.masked.logprobs[token])
                    courses[i] = courses[i].after(token, law, log_proposal)
                    places[i] = needed.after(places[i], token)
                    weights[i] += law.log_z
                if courses[i].outcome in (Outcome.DEAD_END, Outcome.TRUNCATED):
                    weights[i] = -inf
            t += 1
            going_on = any(running(course) for course in courses)
            if going_on and 0 < ess(weights) < self.threshold * n:
                law_of_parents, parents = systematic(np.array(weights))
                chosen = parents(choose(law_of_parents, first, stream(RESAMPLE, t)))
                courses, places = [courses[i] for i in chosen], [places[i] for i in chosen]
                weights = [logsumexp(np.array(weights)) - log(n)] * n
        return courses, weights


def running(course: Course) -> bool:
    """It has no outcome yet."""
    return course.outcome is Outcome.RUNNING


def systematic(log_weights: LogProbs) -> tuple[Categorical, Callable[[int], list[int]]]:
    """Systematic resampling of n particles as a law over finitely many outcomes.

    Offspring i has the parent in whose share of the normalised weights (i + u)/n falls, for one u
    in [0, 1): the parents are the same for all u between two breakpoints.

    Returns:
        The law over those stretches of u, and what gives the parents (n,) of one of them.
    """
    n = len(log_weights)
    shares = np.cumsum(np.exp(log_weights - logsumexp(log_weights)))
    shares /= shares[-1]
    breaks = np.unique(np.concatenate(([0.0], (shares * n) % 1.0, [1.0])))

    def parents(stretch: int) -> list[int]:
        u = (breaks[stretch] + breaks[stretch + 1]) / 2
        points: NDArray[np.float64] = (np.arange(n) + u) / n
        found: list[int] = np.searchsorted(shares, points, side="right").tolist()
        return found

    return Categorical(np.log(np.diff(breaks))), parents
