"""Stepwise samplers, and the one place of decoding where chance enters."""

from collections.abc import Iterator, Mapping
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from playground.decoding.masked import Masked
from playground.decoding.position import NextToken, next_token, position
from playground.decoding.trace import Outcome, Problem, Standing, Step, Trace
from playground.decoding.unconstrained import Unconstrained
from playground.logspace import LogProbs


class Sampler(Protocol):
    """A rule from the next-token law to the law to draw from. Pure: chance enters in `draw`."""

    @property
    def law(self) -> str:
        """The law over runs that it targets, in words."""
        ...

    def proposal(self, problem: Problem, law: NextToken) -> LogProbs | None:
        """(V,) logprobs to draw from; None when nothing can be drawn (a dead end)."""
        ...


SAMPLERS: Mapping[str, Sampler] = {
    "masked": Masked(),
    "unconstrained": Unconstrained(),
    "json-mode": Masked("p masked by any JSON object"),
    "think": Masked("p outside the markers, masked and renormalised inside them"),
}
"""The stepwise methods by name; the last two mask by another constraint than the problem's own."""


def draw(proposal: LogProbs, seed: int, run: int, t: int) -> int:
    """A token id by inverse CDF from stream (seed, run, t): one uniform a token.

    The stream depends on nothing else, so undo then next redraws the same token, and every
    method sees common random numbers.
    """
    return pick(cumulative(proposal), uniform(seed, run, t))


def cumulative(proposal: LogProbs) -> NDArray[np.float64]:
    """(K,) running sums of the probabilities of `proposal` (K,)."""
    sums: NDArray[np.float64] = np.cumsum(np.exp(proposal))
    return sums


def uniform(seed: int, run: int, t: int) -> float:
    """The number in [0, 1) of stream (seed, run, t)."""
    return float(np.random.default_rng((seed, run, t)).random())


def pick(cdf: NDArray[np.float64], u: float) -> int:
    """The outcome whose share of the running sums (K,) holds `u` in [0, 1)."""
    found = int(np.searchsorted(cdf, u * cdf[-1], side="right"))
    # u * cdf[-1] can round up to cdf[-1]: then the last outcome with mass is meant.
    return min(found, int(np.searchsorted(cdf, cdf[-1], side="left")))


def record(
    standing: Standing,
    token: int,
    law: NextToken,
    proposal: LogProbs | None,
    watched: tuple[int, ...] = (),
) -> Step:
    """The record of taking `token`, drawn or forced, from `law` where the run stands."""
    constraint = standing.problem.constraint
    goes_on = law.mask[token] and token not in constraint.vocabulary.eos_ids
    return Step(
        position=position(standing, law, (token, *watched)),
        token=token,
        next_state=constraint.advance(standing.state, token) if goes_on else None,
        log_p=float(law.logprobs[token]),
        log_proposal=-np.inf if proposal is None else float(proposal[token]),
    )


def drawn(
    standing: Standing, sampler: Sampler, run: int = 0, watched: tuple[int, ...] = ()
) -> Step | None:
    """One step drawn by `sampler`; None at a dead end.

    Raises:
        ValueError: the run has already ended.
    """
    if standing.outcome is not Outcome.RUNNING:
        raise ValueError(f"the run has ended: {standing.outcome.value}")
    law = next_token(standing)
    proposal = sampler.proposal(standing.problem, law)
    if proposal is None:
        return None
    token = draw(proposal, standing.problem.sampling.seed, run, len(standing.tokens))
    return record(standing, token, law, proposal, watched)


def taken(standing: Standing, sampler: Sampler, token: int, watched: tuple[int, ...] = ()) -> Step:
    """One step with a chosen token; its log_proposal is the chance that `sampler` had to draw it."""
    law = next_token(standing)
    return record(standing, token, law, sampler.proposal(standing.problem, law), watched)


def stepped(trace: Trace, sampler: Sampler, run: int = 0) -> Trace:
    """`trace` with one more drawn token, or stopped at a dead end."""
    step = drawn(trace.standing, sampler, run)
    return Trace(trace.standing.stopped(), trace.steps) if step is None else trace.extended(step)


def run(trace: Trace, sampler: Sampler, number: int = 0) -> Iterator[Trace]:
    """Go on with `trace` until it has an outcome; yield it after every token."""
    while trace.outcome is Outcome.RUNNING:
        trace = stepped(trace, sampler, number)
        yield trace
