"""The upper bounds of the future mass that a mass tree proves, as `conditional` wants them."""

import math
from collections.abc import Iterable

from playground.decoding.masses import MassTree
from playground.models.base import Prefix


class TreeBounds:
    """A `FutureMass`: one snapshot of a mass tree. A prefix that was opened has a bound; a prefix
    in the frontier has none, as all of its mass may be valid."""

    def __init__(self, tree: MassTree) -> None:
        """
        Args:
            tree: of the problem to draw from, grown from the empty output on.

        Raises:
            ValueError: it was grown from a longer output.
        """
        if tree.start.tokens:
            raise ValueError("the bounds of a tree that starts inside a run don't bound Z")
        self._upper: dict[Prefix, float] = {}
        self._children: dict[Prefix, list[int]] = {}
        with tree.lock:
            _, most = tree.futures()
            mass = tree.links.rows["log_p"]
            for number, node in enumerate(tree.nodes):
                # Without mass under p it is never drawn, and nothing bounds its future.
                if node.taken is None or mass[number] == -math.inf:
                    continue
                tokens = tree.tokens(number)
                self._upper[tokens] = math.exp(min(0.0, float(most[number] - mass[number])))
                if tokens:
                    self._children.setdefault(tokens[:-1], []).append(tokens[-1])

    def upper(self, tokens: Prefix) -> float | None:
        """F(tokens) is at most this; None for a prefix that was not opened."""
        return self._upper.get(tokens)

    def children(self, tokens: Prefix) -> Iterable[int]:
        """The tokens after `tokens` that lead to an opened prefix."""
        return self._children.get(tokens, ())
