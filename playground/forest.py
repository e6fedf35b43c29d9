"""The mass trees of the problems in use: bounds tighten as long as a problem is looked at."""

import threading
from collections import OrderedDict

from playground.decoding.masses import MassTree
from playground.decoding.sampling import require_random
from playground.decoding.trace import Outcome
from playground.errors import InvalidInput
from playground.models.base import Prefix
from playground.opened import Opened
from playground.problem import ProblemSpec

MAX_ENTRIES = 1_000_000
"""Entries of all trees together: some 500 MB, texts and states included."""
MAX_TREES = 200
"""Each may hold `masses.KEPT_BYTES` more, and its constraint."""


_OF_METHODS = ("method", "prefill", "attempts", "markers", "watch")


def problem_key(spec: ProblemSpec) -> str:
    """What p, V and p~ depend on: not the seed, the methods and their settings, or what is watched."""
    sampling = spec.sampling.model_copy(update={"seed": 0})
    usual = {name: ProblemSpec.model_fields[name].default for name in _OF_METHODS}
    return spec.model_copy(update={**usual, "sampling": sampling}).model_dump_json()


class Forest:
    """Mass trees by problem and place, the least recently used dropped first. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._trees: OrderedDict[tuple[str, Prefix], MassTree] = OrderedDict()

    def tree(self, opened: Opened, path: Prefix = ()) -> MassTree:
        """The tree of a problem from the end of `path` on; one that is still known, grown as it is.

        Raises:
            InvalidInput: temperature 0, or a path that can't be walked.
        """
        require_random(opened.spec.sampling)
        key = (problem_key(opened.spec), path)
        with self._lock:
            held = self._trees.get(key)
            # The automaton may have been compiled anew since: its states must not be mixed.
            if held is None or held.problem.constraint is not opened.problem.constraint:
                start = opened.walk(path)
                if start.outcome is not Outcome.RUNNING:
                    raise InvalidInput(
                        f"The run has ended: {start.outcome.value}. Nothing comes next.",
                        "Step back.",
                        "path",
                    )
                held = self._trees[key] = MassTree(opened.problem, start)
            self._trees.move_to_end(key)
            self._bound(key)
            return held

    def _bound(self, current: tuple[str, Prefix]) -> None:
        size = sum(tree.size + len(tree.found) for tree in self._trees.values())
        for key in list(self._trees):
            if size <= MAX_ENTRIES and len(self._trees) <= MAX_TREES:
                break
            if key != current:
                dropped = self._trees.pop(key)
                size -= dropped.size + len(dropped.found)
