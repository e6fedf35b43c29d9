"""Laws that a search has bounded: what comes next from here, and where the mass flows."""

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from playground.decoding.masses import MassTree
from playground.exact.interval import TINY, Interval
from playground.exact.posterior import others, portion
from playground.logspace import logsumexp


@dataclass(frozen=True, slots=True)
class NextToken:
    """One token that can follow the start of a tree."""

    token: int
    future: Interval
    """F(prefix a): the chance that the model, left alone after it, ends valid."""
    conditional: Interval
    """p(a) F(prefix a) / F(prefix): the exact law's next-token chance."""


def next_tokens(tree: MassTree) -> tuple[NextToken, ...]:
    """The tokens after the start that have an entry of their own, ends included, unordered."""
    with tree.lock:
        least, most = tree.futures()
        links, found, frontier = tree.links.rows, tree.found.rows, tree.frontier.rows
        slack = tree.delta * tree.deepest
        children = np.flatnonzero(links["parent"] == 0)
        ends = found[found["node"] == 0]
        tokens = [*links["token"][children].tolist(), *ends["eos"].tolist()]
        own = np.concatenate([links["log_p"][children], ends["log_p"]])
        log_low = np.concatenate([least[children], ends["log_p"]]) - slack
        log_high = np.concatenate([most[children], ends["log_p"]]) + slack
        rest = frontier["log_p"][frontier["rest"] & (frontier["node"] == 0)]
        scale = float(most[0]) if most[0] > -np.inf else 0.0
        low, high = np.exp(log_low - scale), np.exp(log_high - scale)
        rest_low = others(low)
        rest_high = others(high) + math.exp(logsumexp(rest) + slack - scale)
    listed = []
    for i, token in enumerate(tokens):
        possible = bool(log_high[i] > -np.inf)
        future = Interval(0.0, 1.0)
        if own[i] > -np.inf:
            future = Interval.from_logs(float(log_low[i] - own[i]), float(log_high[i] - own[i]))
        listed.append(
            NextToken(
                token,
                future,
                Interval.around(
                    portion(float(low[i]), float(rest_high[i]) + TINY),
                    portion(max(float(high[i]), TINY) if possible else 0.0, float(rest_low[i])),
                    possible,
                ),
            )
        )
    return tuple(listed)


@dataclass(frozen=True, slots=True)
class FlowNode:
    """A prefix in the picture of where mass goes. Masses are of everything below it."""

    id: int
    parent: int
    """Id of the node before it; -1 for the start."""
    kind: Literal["inner", "end", "open", "rest"]
    """Opened; a finished run; not looked into; siblings that are drawn as one."""
    token: int
    """-1 for the start and a rest."""
    text: bytes
    p: float
    masked: float
    log_z: float | None
    """log Z_t, nats, where it was opened."""
    blocked: float
    """p mass that the mask takes here."""
    valid: Interval
    """p mass that ends valid."""
    share: Interval
    """The same over Z: its mass under p_V."""
    count: int
    """Nodes that a rest stands for; 1 else."""


def flow(tree: MassTree, most: int = 120) -> tuple[FlowNode, ...]:
    """The `most` weightiest prefixes and ends by p_V or p~, and what is left at each as a rest."""
    with tree.lock:
        return _Flow(tree).nodes(most)


class _Flow:
    def __init__(self, tree: MassTree) -> None:
        self.tree = tree
        self.least, self.upper = tree.futures()
        self.slack = tree.delta * tree.deepest
        self.ends = len(tree.nodes)
        """Ids from here on are finished runs."""

    def nodes(self, most: int) -> tuple[FlowNode, ...]:
        tree, links, found = self.tree, self.tree.links.rows, self.tree.found.rows
        known = max(float(self.upper[0]), -1e300)
        log_q = np.array([node.log_q for node in tree.nodes])
        weight = np.concatenate(
            [
                np.maximum(self.upper - known, log_q),
                np.maximum(found["log_p"] - known, found["log_q"]),
            ]
        )
        order = np.argsort(-weight, kind="stable")
        shown = {0}
        parents = np.concatenate([links["parent"], found["node"]])
        for i in order.tolist():  # a parent weighs no less than its child, but may tie with it
            if len(shown) >= most:
                break
            if i and int(parents[i]) in shown:
                shown.add(i)
        listed = [self._node(i) for i in sorted(shown)]
        return (*listed, *self._rests(shown, parents))

    def _share(self, low: float, high: float) -> tuple[Interval, Interval]:
        low_log, high_log = low - self.slack, high + self.slack
        valid = Interval.from_logs(min(low_log, high_log), high_log)
        total = Interval.from_logs(
            float(self.least[0]) - self.slack, float(self.upper[0]) + self.slack
        )
        return valid, valid.over(total).clipped(0.0, 1.0)

    def _node(self, i: int) -> FlowNode:
        tree = self.tree
        if i >= self.ends:
            run = tree.found.rows[i - self.ends]
            valid, share = self._share(float(run["log_p"]), float(run["log_p"]))
            text, p, q = tree.texts[int(run["text"])], float(run["log_p"]), float(run["log_q"])
            parent, token = int(run["node"]), int(run["eos"])
            return FlowNode(
                i, parent, "end", token, text, math.exp(p), math.exp(q), None, 0.0, valid, share, 1
            )
        node, link = tree.nodes[i], tree.links.rows[i]
        valid, share = self._share(float(self.least[i]), float(self.upper[i]))
        opened = node.taken is not None
        return FlowNode(
            i,
            int(link["parent"]),
            "inner" if opened else "open",
            int(link["token"]),
            tree.texts[node.text],
            math.exp(float(link["log_p"])),
            math.exp(node.log_q),
            node.log_z if opened else None,
            math.exp(node.blocked),
            valid,
            share,
            1,
        )

    def _masked_rest(self, parent: int, rest: NDArray[Any]) -> float:
        """p~ of the siblings without an entry. Where it is settled the frontier holds none of it:
        p~ is then p / Z_t below the parent."""
        if not len(rest) or rest["settled"][0] < 0:
            return math.exp(logsumexp(rest["log_q"]))
        node, log_p = self.tree.nodes[parent], float(self.tree.links.rows["log_p"][parent])
        return math.exp(logsumexp(rest["log_p"]) - log_p + node.log_q - node.log_z)

    def _rests(self, shown: set[int], parents: NDArray[np.int32]) -> list[FlowNode]:
        """For each shown node, its children that aren't shown, as one."""
        tree = self.tree
        frontier = tree.frontier.rows
        hidden = np.array([i for i in range(1, len(parents)) if i not in shown], dtype=np.int64)
        groups: dict[int, list[int]] = {}
        for i in hidden.tolist():
            if int(parents[i]) in shown:
                groups.setdefault(int(parents[i]), []).append(i)
        for node in frontier["node"][frontier["rest"]].tolist():
            if node in shown:
                groups.setdefault(int(node), [])
        listed: list[FlowNode] = []
        for parent, members in sorted(groups.items()):
            nodes = [self._node(i) for i in members]
            rest = frontier[frontier["rest"] & (frontier["node"] == parent)]
            p = sum(node.p for node in nodes) + math.exp(logsumexp(rest["log_p"]))
            low = sum(node.valid.lower for node in nodes)
            high = sum(node.valid.upper for node in nodes) + math.exp(
                logsumexp(rest["log_p"]) + self.slack
            )
            total = Interval.from_logs(
                float(self.least[0]) - self.slack, float(self.upper[0]) + self.slack
            )
            valid = Interval(low, min(1.0, max(low, high)))
            listed.append(
                FlowNode(
                    -1 - len(listed),
                    parent,
                    "rest",
                    -1,
                    tree.texts[tree.nodes[parent].text],
                    p,
                    sum(node.masked for node in nodes) + self._masked_rest(parent, rest),
                    None,
                    0.0,
                    valid,
                    valid.over(total).clipped(0.0, 1.0),
                    len(members) + int(len(rest) > 0),
                )
            )
        return listed
