"""What a method has proved of the future mass F of prefixes: its own memory, never shared.

A node whose row was read once bounds F(u) by the sum of p(a|u)·bound(ua) over the allowed tokens,
where a child that is not known counts 1. Rows are not kept: a node holds one number for the
children without a node, and the row store gives the row when it is needed again.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import exp, inf, log
from typing import Protocol

import numpy as np

from playground.decoding.chance import Categorical, Choose, proportional
from playground.decoding.laws import Law, Laws
from playground.decoding.run import Course, Walk
from playground.decoding.trace import Outcome, Problem
from playground.logspace import LogProbs, Mask, logsumexp
from playground.models.base import Prefix

SLACK = 1e-3
"""How far, relatively, bounds of one tree may contradict each other: rows that were evicted and
computed again differ by about 1e-4."""


class FutureMass(Protocol):
    """Proved upper bounds of F by output prefix, as a search of the tree of valid prefixes has them.

    They belong together: wherever `upper(u)` is not None, it is at least the sum over the allowed
    tokens a of p(a|u)·upper(ua), None counting 1. Bounds may only become tighter while draws run.
    """

    def upper(self, tokens: Prefix) -> float | None:
        """F(tokens) is at most this: 0 for what is proved invalid, None where nothing is known."""
        ...

    def children(self, tokens: Prefix) -> Iterable[int]:
        """The tokens a for which `upper(tokens + (a,))` is not None."""
        ...


@dataclass(eq=False, slots=True)
class Node:
    """What is known of one prefix."""

    log_bound: float = 0.0
    """log of an upper bound of F, nats."""
    read: bool = False
    """Its row was read, so its bound is that of its children put together."""
    log_rest: float = -inf
    """log of the mass of the allowed tokens that have no node, nats."""
    children: dict[int, "Node"] = field(default_factory=dict)
    log_p: dict[int, float] = field(default_factory=dict)
    """log p of the children."""


class Learnt:
    """A tree of bounds, grown by runs. An attempt only reads it; runs are learnt between attempts,
    so that an attempt sees one snapshot from start to end."""

    def __init__(self, problem: Problem, tree: FutureMass | None = None) -> None:
        """`tree` has bounds to start from."""
        self.problem = problem
        self._tree = tree
        self.root: Node | None = self.bounded(())

    @property
    def log_bound(self) -> float:
        """log of the upper bound of Z, nats; it never increases."""
        return 0.0 if self.root is None else self.root.log_bound

    def bounded(self, tokens: Prefix) -> Node | None:
        """A node with the tree's bound on it; None where the tree has none."""
        upper = None if self._tree is None else self._tree.upper(tokens)
        return None if upper is None else Node(log(upper) if upper > 0 else -inf)

    def alive(self, law: Law, depth: int) -> Mask:
        """(V,) bool: the tokens that may still lead to a valid run, of which token `depth` is next.
        The last token that max_tokens leaves can only be EOS."""
        assert law.mask is not None
        if depth < self.problem.max_tokens - 1:
            return law.mask
        last = np.zeros_like(law.mask)
        eos = list(self.problem.model.vocabulary.eos_ids)
        last[eos] = law.mask[eos]
        return last

    def children(self, node: Node, tokens: Prefix, alive: Mask) -> dict[int, Node]:
        """The children whose bound may be below 1."""
        if node.read or self._tree is None:
            return node.children
        eos = self.problem.model.vocabulary.eos_ids
        found = {}
        for token in self._tree.children(tokens):
            child = self.bounded((*tokens, token)) if alive[token] and token not in eos else None
            if child is not None:
                found[token] = child
        return found

    def weights(self, law: Law, depth: int, children: dict[int, Node]) -> LogProbs:
        """(V,) log of p(a|u)·bound(ua), nats."""
        weights = np.where(self.alive(law, depth), law.logprobs, -np.inf)
        for token, child in children.items():
            weights[token] += child.log_bound
        return weights

    def learn(self, laws: Laws, course: Course) -> None:
        """Add the prefixes whose rows `course` read, and pass what they prove up to the root."""
        if self.root is None:
            self.root = Node()
        node, path = self.root, [self.root]
        for depth in range(course.asked):
            token = course.tokens[depth] if depth + 1 < course.asked else None
            if not node.read or (token is not None and token not in node.children):
                self._read(laws, course.cut(depth), node, token)
            if token is not None:
                node = node.children[token]
                path.append(node)
        for node in reversed(path):
            parts = [node.log_p[token] + child.log_bound for token, child in node.children.items()]
            # Rounding alone could raise it.
            node.log_bound = min(node.log_bound, logsumexp(np.array([node.log_rest, *parts])))

    def _read(self, laws: Laws, course: Course, node: Node, token: int | None) -> None:
        """Put the row of the prefix `course` into `node`, which gets a child at `token`."""
        law = laws.at([course])[0]
        rest = self.alive(law, len(course.tokens)).copy()
        node.children = self.children(node, course.tokens, rest)
        node.read = True
        if token is not None:
            node.children.setdefault(token, Node())
        tokens = list(node.children)
        node.log_p = dict(zip(tokens, law.logprobs[tokens].tolist(), strict=True))
        # Summed anew without the children, as subtracting them would cancel.
        rest[tokens] = False
        node.log_rest = logsumexp(law.logprobs[rest])


def attempt(memory: Learnt, run: int, choose: Choose, masked: bool = False) -> Walk[Course]:
    """One run led by `memory`, which must not change until it ends.

    Where the row was read before the attempt, tokens are drawn in proportion to p·bound. Elsewhere
    from p, unmasked, and the run ends at its first invalid token (`masked`: from p·m/Z_t instead).
    Where only a bound is known, what its children leave of it rejects the run without a token.
    So, unless `masked`, each valid run y is drawn with chance p(y) / bound of the root, exactly.
    """
    course = Course.start(memory.problem)
    node = memory.root
    while course.outcome is Outcome.RUNNING:
        law = yield course
        depth = len(course.tokens)
        children: dict[int, Node] = {}
        proposal: Categorical | None
        if node is None:
            proposal = law.masked if masked else law.model
        else:
            children = memory.children(node, course.tokens, memory.alive(law, depth))
            weights = memory.weights(law, depth, children)
            if not node.read:
                weights = np.append(weights, surplus(node.log_bound, logsumexp(weights)))
            proposal = proportional(weights) if np.max(weights) > -inf else None
        if proposal is None:
            return course.stopped(Outcome.DEAD_END)
        token = choose(proposal, run, depth)
        if token == len(law.logprobs):
            return course.stopped(Outcome.REJECTED)
        course = course.after(token, law, float(proposal.logprobs[token]))
        node = children.get(token)
    return course


def surplus(log_bound: float, log_children: float) -> float:
    """log of (a bound - its children's mass), nats.

    Raises:
        ValueError: the children have more, so the bounds don't belong together.
    """
    if log_children > log_bound + SLACK:
        raise ValueError(
            f"a bound of {exp(log_bound):.6g} on prefixes that may hold {exp(log_children):.6g}"
        )
    if log_children >= log_bound:
        return -inf
    return log_bound + log(-np.expm1(log_children - log_bound))
