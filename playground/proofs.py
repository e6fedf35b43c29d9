"""What the screens Compare and Squeezing ask: bounds, comparisons, flows. No widgets here."""

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from playground.between import between, between_document
from playground.compare import CompareSpec, compare
from playground.compare_record import comparison_document
from playground.decoding.masses import MassTree
from playground.exact.laws import flow, next_tokens
from playground.exact.posterior import Posterior
from playground.exact.search import Budget, search
from playground.exact_record import exact_document, flow_document, interval_document, tokenisations
from playground.forest import Forest
from playground.judge import accept_of
from playground.models.base import Prefix, Provenance
from playground.models.rows import RowStore
from playground.opened import Opened
from playground.page import problem_document
from playground.problem import ProblemSpec
from playground.record import Document, provenance_document

Cancel = Callable[[], bool]
HERE = Budget(rows=160, seconds=2.5, aim="z")
"""What the Step screen spends on the exact law at one place."""
FLOW = Budget(rows=400, seconds=6.0)
"""What the picture of the mass spends before it is drawn."""
BETWEEN = Budget(rows=800, seconds=12.0)
"""What two laws side by side spend, both together."""
SWEEP = Budget(rows=120, seconds=2.0)
"""What one point of a sweep spends."""


class Proofs:
    """The mass trees of every visitor's problems, and what is read off them."""

    def __init__(self) -> None:
        self.forest = Forest()
        self._ratios: dict[tuple[Provenance, int], float] = {}
        """`parallel_time` by model and length of the prompt."""

    def _parallel(self, opened: Opened, cancelled: Cancel) -> float | None:
        key = (opened.problem.model.provenance, len(opened.problem.prompt))
        if key not in self._ratios and (ratio := parallel_time(opened, cancelled)) is not None:
            if len(self._ratios) >= MAX_RATIOS:
                self._ratios.clear()
            self._ratios[key] = ratio
        return self._ratios.get(key)

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
        if opened.toy:
            spec = spec.model_copy(update={"tolerance": 0.0})
        accept = replace(accept_of(opened.spec.constraint, spec.accept), lead=len(opened.lead))
        tree = self.forest.tree(opened)
        for state in compare(opened.problem, tree, spec, accept, cancelled):
            if state.done and not state.stopped:
                state.parallel = self._parallel(opened, cancelled)
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

    def between(
        self,
        left: Opened,
        right: Opened,
        cancelled: Cancel = lambda: False,
        budget: Budget = BETWEEN,
    ) -> Iterator[Document]:
        """The laws of two problems on one model side by side, as the search of both sees more.

        Raises:
            InvalidInput: temperature 0.
        """
        sides = [(opened, self.forest.tree(opened)) for opened in (left, right)]
        for state in between(sides[0], sides[1], _budget(left, budget), cancelled):
            yield between_document(state)

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
PARALLEL_TOKENS = 8
"""Length of these runs, tokens."""
PARALLEL_PAIRS = 3
"""Pairs that are timed."""
PARALLEL_BYTES = 64 * 2**20
"""Rows, keys and values of these runs, which nobody else reads."""
MAX_RATIOS = 256
"""Ratios that are remembered."""


def parallel_time(opened: Opened, cancelled: Cancel = lambda: False) -> float | None:
    """Time of three runs side by side over that of one, of the same length on the same prompt: the
    median of some pairs. None for a toy, whose rows cost nothing, or when cancelled."""
    problem = opened.problem
    if opened.toy:
        return None
    rows = RowStore(PARALLEL_BYTES)
    rows.get(problem.model, [problem.prompt])
    tokens = [i for i, text in enumerate(problem.model.vocabulary.tokens) if text]
    rng = np.random.default_rng(0)  # any tokens do: a row's time doesn't depend on them

    def seconds(runs: int) -> float:
        prefixes = [problem.prompt] * runs
        started = time.monotonic()
        for _ in range(min(problem.max_tokens, PARALLEL_TOKENS)):
            prefixes = [(*prefix, int(rng.choice(tokens))) for prefix in prefixes]
            rows.get(problem.model, prefixes)
        return time.monotonic() - started

    ratios: list[float] = []
    while len(ratios) < PARALLEL_PAIRS:
        if cancelled():
            return None
        one = seconds(1)
        ratios.append(seconds(PARALLEL) / one)
    return statistics.median(ratios)
