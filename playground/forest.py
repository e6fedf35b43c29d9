"""The mass trees of the problems in use: bounds tighten as long as a problem is looked at."""

import threading
from collections import OrderedDict

from playground.decoding.masses import MassTree
from playground.errors import InvalidInput
from playground.models.base import Prefix
from playground.opened import Opened
from playground.problem import ProblemSpec

MAX_ENTRIES = 1_500_000
"""Entries of all trees together: some 500 MB."""
MAX_TREES = 400


def problem_key(spec: ProblemSpec) -> str:
    """What p, V and p~ depend on: not the seed, the method or what is watched."""
    sampling = spec.sampling.model_copy(update={"seed": 0})
    same = {"sampling": sampling, "method": "masked", "watch": ()}
    return spec.model_copy(update=same).model_dump_json()


def require_law(spec: ProblemSpec) -> None:
    """Refuse temperature 0: it has no law to compare with.

    Raises:
        InvalidInput: the temperature is 0.
    """
    if spec.sampling.greedy:
        raise InvalidInput(
            "At temperature 0 nothing is drawn, so there is no law to prove or to compare.",
            "Set the temperature above 0; 1 is the model's own law.",
            "temperature",
        )


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
        require_law(opened.spec)
        key = (problem_key(opened.spec), path)
        with self._lock:
            held = self._trees.get(key)
            # The automaton may have been compiled anew since: its states must not be mixed.
            if held is None or held.problem.constraint is not opened.problem.constraint:
                held = self._trees[key] = MassTree(opened.problem, opened.walk(path))
            self._trees.move_to_end(key)
            self._bound(key)
            return held

    def _bound(self, current: tuple[str, Prefix]) -> None:
        size = sum(tree.size for tree in self._trees.values())
        for key in list(self._trees):
            if size <= MAX_ENTRIES and len(self._trees) <= MAX_TREES:
                break
            if key != current:
                size -= self._trees.pop(key).size
