"""Laws that a search has bounded: what comes next from here, and where the mass flows."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from playground.decoding.masses import MassTree
from playground.exact.interval import Interval
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
        links, found = tree.links.rows, tree.found.rows
        slack = tree.delta * tree.deepest
        children = np.flatnonzero(links["parent"] == 0)
        tokens = [int(token) for token in links["token"][children]]
        own = [float(log_p) for log_p in links["log_p"][children]]
        bounds = [(float(least[i]), float(most[i])) for i in children]
        for run in found[found["node"] == 0]:
            tokens.append(int(run["eos"]))
            own.append(float(run["log_p"]))
            bounds.append((own[-1], own[-1]))
        low_all, high_all = float(least[0]), float(most[0])
    listed = []
    wider = math.exp(slack)
    low_total, high_total = math.exp(low_all), math.exp(high_all)
    for token, log_p, (log_low, log_high) in zip(tokens, own, bounds, strict=True):
        low, high = math.exp(log_low), math.exp(log_high)
        others_low = max(0.0, low_total - low) / wider
        others_high = max(0.0, high_total - high) * wider
        lower = _share(low / wider, others_high)
        future = Interval(0.0, 1.0)
        if log_p > -math.inf:
            reached = Interval(log_low - log_p - slack, log_high - log_p + slack)
            future = Interval.from_logs(reached.lower, reached.upper)
        listed.append(
            NextToken(
                token,
                future,
                Interval(lower, max(lower, _share(high * wider, others_low))),
            )
        )
    return tuple(listed)


def _share(part: float, rest: float) -> float:
    return part / (part + rest) if part > 0 else 0.0


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
                    sum(node.masked for node in nodes) + math.exp(logsumexp(rest["log_q"])),
                    None,
                    0.0,
                    valid,
                    valid.over(total).clipped(0.0, 1.0),
                    len(members) + int(len(rest) > 0),
                )
            )
        return listed
