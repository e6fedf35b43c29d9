"""What the screens Compare and Squeezing ask: bounds, comparisons, flows. No widgets here."""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from playground.compare import CompareSpec, compare
from playground.compare_record import comparison_document
from playground.decoding.masses import MassTree
from playground.decoding.stepwise import Ask
from playground.exact.laws import flow, next_tokens
from playground.exact.posterior import Posterior
from playground.exact.search import Budget, search
from playground.exact_record import exact_document, flow_document, interval_document, tokenisations
from playground.forest import Forest, require_law
from playground.judge import accept_of
from playground.models.base import Prefix, Provenance
from playground.opened import Opened
from playground.page import problem_document
from playground.problem import ProblemSpec
from playground.record import Document, provenance_document

Cancel = Callable[[], bool]
HERE = Budget(rows=160, seconds=2.5, aim="z")
"""What the Step screen spends on the exact law at one place."""
FLOW = Budget(rows=400, seconds=6.0)
"""What the picture of the mass spends before it is drawn."""
SWEEP = Budget(rows=120, seconds=2.0)
"""What one point of a sweep spends."""


class Proofs:
    """The mass trees of every visitor's problems, and what is read off them."""

    def __init__(self) -> None:
        self.forest = Forest()
        self.parallel: dict[Provenance, float | None] = {}
        """`parallel_time` by model: asked again, the rows of its runs would be stored."""

    def here(self, opened: Opened, path: Prefix) -> Document:
        """The exact law of the next token after `path`: F of each, and p(a) F(a) / F.

        Raises:
            InvalidInput: temperature 0, or the run has ended there.
        """
        tree = self.forest.tree(opened, path)
        posterior = _searched(tree, _budget(opened, HERE))
        return {
            "future": interval_document(posterior.Z),
            "status": posterior.status,
            "rows_used": posterior.rows_used,
            "tokens": [
                {
                    "token_id": found.token,
                    "F": interval_document(found.future),
                    "exact": interval_document(found.conditional),
                }
                for found in next_tokens(tree)
            ],
        }

    def compare(
        self, opened: Opened, spec: CompareSpec, cancelled: Cancel = lambda: False
    ) -> Iterator[Document]:
        """The comparison as it grows.

        Raises:
            InvalidInput: temperature 0, or a judge that the constraint doesn't have.
        """
        require_law(opened.spec)
        if opened.toy:
            spec = spec.model_copy(update={"tolerance": 0.0})
        accept = accept_of(opened.spec.constraint, spec.accept)
        tree = self.forest.tree(opened)
        for state in compare(opened.problem, tree, spec, accept, cancelled):
            if state.done and not state.stopped:
                model = opened.problem.model.provenance
                if not opened.toy and model not in self.parallel:
                    self.parallel[model] = parallel_time(opened)
                state.parallel = self.parallel.get(model)
            yield {
                **comparison_document(state),
                "problem": problem_document(opened.spec),
                "provenance": provenance_document(opened.problem),
            }

    def squeezing(
        self, opened: Opened, cancelled: Cancel = lambda: False, budget: Budget = FLOW
    ) -> Iterator[Document]:
        """Where the mass goes, as the search sees more of it."""
        tree = self.forest.tree(opened)
        before = opened.problem.rows.computed_here
        for posterior in search(tree, _budget(opened, budget), cancelled):
            yield {
                "v": 1,
                "done": posterior.stopped is not None,
                "problem": problem_document(opened.spec),
                "provenance": provenance_document(opened.problem),
                "exact": exact_document(
                    posterior, opened.problem, opened.problem.rows.computed_here - before
                ),
                "nodes": flow_document(flow(tree), opened.problem),
            }

    def tokenisations(self, opened: Opened, text: str) -> Document:
        """The runs found so far that spell `text`."""
        return tokenisations(self.forest.tree(opened), text.encode())

    def sweep(
        self,
        open_: Callable[[ProblemSpec], Opened],
        spec: ProblemSpec,
        parameter: str,
        values: Sequence[float],
        cancelled: Cancel = lambda: False,
    ) -> Iterator[Document]:
        """q and TV as a sampling parameter moves: one point a value, each bounded.

        Args:
            open_: opens a problem.
            spec: the problem; its own value of the parameter is left out of account.
            parameter: `temperature` or `top_p`.
            values: where to look.
            cancelled: asked between points; True ends the sweep.
        """
        points: list[Document] = []
        for value in values:
            if cancelled():
                break
            sampling = spec.sampling.model_copy(update={parameter: value})
            opened = open_(spec.model_copy(update={"sampling": sampling}))
            tree, budget = self.forest.tree(opened), _budget(opened, SWEEP)
            posterior = _searched(tree, budget, cancelled)
            points.append(
                {
                    "value": value,
                    "q": interval_document(posterior.Z),
                    "tv": interval_document(posterior.tv),
                    "status": posterior.status,
                }
            )
            yield {"parameter": parameter, "points": list(points), "done": False}
        yield {"parameter": parameter, "points": points, "done": True}


def _budget(opened: Opened, budget: Budget) -> Budget:
    """`budget`, but a toy is searched to its end: its rows cost nothing."""
    return replace(budget, tolerance=0.0) if opened.toy else budget


def _searched(tree: MassTree, budget: Budget, cancelled: Cancel = lambda: False) -> Posterior:
    *_, last = search(tree, budget, cancelled)
    return last


PARALLEL = 3
"""Runs side by side whose time is compared with that of one."""
PARALLEL_TOKENS = 16
"""Longest of these runs, tokens."""


def parallel_time(opened: Opened) -> float | None:
    """Time of three runs side by side over that of one, on streams that nothing drew yet; None for
    a toy, whose rows cost nothing."""
    problem = opened.problem
    if opened.toy:
        return None
    times = []
    for count, seed in ((1, 2**52 + 1), (PARALLEL, 2**52 + 2)):
        sampling = problem.sampling.model_copy(update={"seed": seed})
        fresh = type(problem)(
            problem.model, problem.constraint, problem.rows, problem.prompt, sampling,
            min(problem.max_tokens, PARALLEL_TOKENS),
        )  # fmt: skip
        started = time.monotonic()
        # Left alone they go on: a run that ends at its first token would time nothing.
        for _ in Ask().draws(fresh, count):
            pass
        times.append(time.monotonic() - started)
    return times[1] / times[0] if times[0] > 0 else math.nan
