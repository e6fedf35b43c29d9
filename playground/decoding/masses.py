"""The mass tree of a problem: what is proved about the valid prefixes, under p and under p~.

Every unit of mass is in one place. Under p: in a found run (valid, ended), open (a prefix, or a
group of siblings, not looked into) or outside (proved invalid). Under p~: in a found run, settled
(a prefix that one text alone can follow), open, cut (reached max_tokens) or dead. Opening a prefix
reads one row and moves its mass to its children.
"""

import math
import threading
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from playground.constraints.automaton import State
from playground.constraints.settled import Settled
from playground.decoding.sampling import masked_law, model_law
from playground.decoding.tables import ENTRY, FOUND, LINK, LOST, MASS, SURE, Table
from playground.decoding.trace import Problem, Standing
from playground.logspace import Logits, LogProbs, logsumexp
from playground.models.base import Prefix

TOP = 32
"""Children of a node that become entries of their own at first; the rest stay together."""
MORE = 4
"""How many times more at each further opening of the rest."""
KEPT_BYTES = 2 * 2**20
"""Lists of allowed tokens that a tree keeps; they are made anew from the masks else."""
FLOAT32_DELTA = 2e-4
"""What batching and caching may move a float32 logit by (1.1e-4 was seen)."""
TOY_DELTA = 4e-12
"""The same for a toy's float64 table, where only the arithmetic rounds."""


@dataclass(slots=True)
class Node:
    """A valid prefix that has an entry of its own."""

    state: State
    text: int
    """Id of its text."""
    settled: int
    """Id of the one text that it can end as, or -1."""
    log_q: float
    """log p~ of the prefix, nats."""
    log_z: float = math.nan
    """log Z_t, once opened."""
    blocked: float = -math.inf
    """log of the p mass that the mask takes here, nats, once opened."""
    taken: NDArray[np.intp] | None = None
    """Children that have entries of their own; None until opened."""


class MassTree:
    """What is known about one problem from one standing on. Masses are relative to its start.

    One thread grows it at a time (`growing`); reading takes `lock` for a moment.
    """

    def __init__(self, problem: Problem, start: Standing | None = None) -> None:
        self.problem = problem
        self.start = start or Standing.start(problem)
        live = problem.model.provenance.kind == "live"
        temperature = problem.sampling.temperature or 1.0
        self.delta = (FLOAT32_DELTA if live else TOY_DELTA) * 2 / temperature
        """A log mass at depth d is known to +- delta * d, nats."""
        # A toy or a filter can give an allowed token no mass: a run may die where text remains.
        settles = live and not problem.sampling.filtered
        self._settled = Settled(problem.constraint) if settles else None
        self.growing = threading.Lock()
        self.lock = threading.Lock()
        self.nodes: list[Node] = []
        self.links = Table(LINK)
        self.frontier = Table(ENTRY)
        self.found = Table(FOUND)
        self.sure = Table(SURE)
        self.cut, self.dead = Table(LOST), Table(LOST)
        self.outside = Table(MASS)
        self.texts: list[bytes] = []
        self._text_ids: dict[bytes, int] = {}
        self._child: dict[tuple[int, int], int] = {}
        self.rows_used = 0
        self._allowed: dict[State, NDArray[np.intp]] = {}
        self._kept = 0
        depth = len(self.start.tokens)
        self._room = problem.max_tokens - depth
        self._grow(-1, -1, self.start.state, b"", 0.0, 0.0, 0)

    @property
    def size(self) -> int:
        """Entries held: what bounds its memory."""
        return len(self.frontier) + len(self.links)

    @property
    def deepest(self) -> int:
        """Tokens of the longest run or prefix counted: times `delta`, what any log mass may be off."""
        tables = (self.found, self.frontier, self.cut, self.dead)
        return max(int(table.rows["depth"].max(initial=0)) for table in tables)

    def tokens(self, node: int) -> Prefix:
        """The tokens of a node after the start."""
        path, links = [], self.links.rows
        while node > 0:
            path.append(int(links["token"][node]))
            node = int(links["parent"][node])
        return tuple(reversed(path))

    def prefix(self, node: int) -> Prefix:
        """What the model conditions on at a node."""
        return self.start.prefix + self.tokens(node)

    def text_id(self, text: bytes) -> int:
        """The number of a text, given when it is first seen."""
        found = self._text_ids.setdefault(text, len(self.texts))
        if found == len(self.texts):
            self.texts.append(text)
        return found

    def child(self, node: int, token: int) -> int | None:
        """The node after `token`, where it has an entry of its own."""
        return self._child.get((node, token))

    def entry(self, node: int) -> int | None:
        """The index in `frontier.rows` of a node that was not opened; None once it was."""
        frontier = self.frontier.rows
        found = np.flatnonzero((frontier["node"] == node) & ~frontier["rest"])
        return int(found[0]) if len(found) else None

    def seen(self, text: bytes) -> int | None:
        """The number of a text that has come up, or None."""
        return self._text_ids.get(text)

    def log_zs(self, node: int) -> tuple[float, ...]:
        """log Z_t of the steps of a run that ends at an opened `node`, nats."""
        values = []
        while node >= 0:
            values.append(self.nodes[node].log_z)
            node = int(self.links.rows["parent"][node])
        return tuple(reversed(values))

    def open(self, entries: NDArray[np.intp], rows: Logits) -> None:
        """Open entries of the frontier, each by the row of its node.

        Args:
            entries: (E,) indices into `frontier.rows`.
            rows: (E, V) raw logits at their nodes.
        """
        taken = self.frontier.take(entries)
        for entry, row in zip(taken, rows, strict=True):
            self._open(entry, row)

    def _open(self, entry: Any, row: Logits) -> None:
        node_id, rest = int(entry["node"]), bool(entry["rest"])
        node = self.nodes[node_id]
        link = self.links.rows[node_id]
        depth, log_p = int(link["depth"]), float(link["log_p"])
        ids = self._ids(node.state)
        logp, logq, log_z, blocked = self._laws(row, node.state, ids)
        if not rest:
            self.rows_used += 1
            node.log_z, node.blocked = log_z, log_p + blocked
            self._lose(self.outside, node.blocked)
            if not np.any(logq > -np.inf):
                self._lose(self.dead, node.log_q if node.settled < 0 else -np.inf, depth)
            node.taken = np.empty(0, dtype=np.intp)
            ids, logp, logq = self._end(node_id, node, ids, logp, logq, depth, log_p)
        else:
            assert node.taken is not None
            left = np.isin(ids, node.taken, invert=True) & ~np.isin(ids, self._eos)
            ids, logp, logq = ids[left], logp[left], logq[left]
        if depth + 1 >= self._room:
            self._lose(self.outside, log_p + logsumexp(logp))
            self._lose(self.cut, node.log_q + logsumexp(logq), depth + 1)
            return
        self._children(node_id, node, ids, logp, logq, depth, log_p)

    @property
    def _eos(self) -> list[int]:
        return sorted(self.problem.constraint.vocabulary.eos_ids)

    def _ids(self, state: State) -> NDArray[np.intp]:
        held = self._allowed.get(state)
        if held is None:
            held = np.flatnonzero(self.problem.constraint.mask(state))
            self._kept += held.nbytes
            if self._kept > KEPT_BYTES:
                self._allowed.clear()
                self._kept = held.nbytes
            self._allowed[state] = held
        return held

    def _laws(
        self, row: Logits, state: State, ids: NDArray[np.intp]
    ) -> tuple[LogProbs, LogProbs, float, float]:
        """log p and log p~ (given the prefix) of the allowed ids, log Z_t and the log mass blocked."""
        sampling = self.problem.sampling
        mask = self.problem.constraint.mask(state)
        if sampling.filtered:
            law = model_law(row, sampling)
            masked = masked_law(row, mask, sampling, law)
            logp = law[ids]
            logq = np.full(len(ids), -np.inf) if masked is None else masked[ids]
            return logp, logq, logsumexp(logp), logsumexp(law[~mask])
        scaled = np.asarray(row, dtype=np.float64) / sampling.temperature
        top = float(scaled.max())
        mass = np.exp(scaled - top)
        total = top + math.log(float(mass.sum()))
        logp = scaled[ids] - total
        log_z = logsumexp(logp)
        logq = logp - log_z if log_z > -np.inf else logp
        cut = float(mass.sum(where=~mask))
        blocked = top + math.log(cut) - total if cut > 0 else -math.inf
        return logp, logq, log_z, blocked

    def _end(
        self,
        node_id: int,
        node: Node,
        ids: NDArray[np.intp],
        logp: LogProbs,
        logq: LogProbs,
        depth: int,
        log_p: float,
    ) -> tuple[NDArray[np.intp], LogProbs, LogProbs]:
        """Record the runs that end at a node; what is left are its children."""
        ends = np.isin(ids, self._eos)
        for i in np.flatnonzero(ends):
            p, q = log_p + float(logp[i]), node.log_q + float(logq[i])
            if p > -np.inf or q > -np.inf:
                settled = node.settled >= 0
                self.found.add_one(p, q, depth + 1, node_id, int(ids[i]), node.text, settled)
        return ids[~ends], logp[~ends], logq[~ends]

    def _children(
        self,
        node_id: int,
        node: Node,
        ids: NDArray[np.intp],
        logp: LogProbs,
        logq: LogProbs,
        depth: int,
        log_p: float,
    ) -> None:
        """Entries for the largest of `ids`, and one for the rest."""
        assert node.taken is not None
        alive = (log_p + logp > -np.inf) | (node.log_q + logq > -np.inf)
        ids, logp, logq = ids[alive], logp[alive], logq[alive]
        if not len(ids):
            return
        count = TOP if not len(node.taken) else MORE * len(node.taken)
        key = np.maximum(logp, logq)
        order = np.argsort(-key, kind="stable") if len(ids) <= count else _largest(key, count)
        constraint, text = self.problem.constraint, self.texts[node.text]
        spelled = constraint.vocabulary.tokens
        for i in order.tolist():
            token = int(ids[i])
            state = constraint.advance(node.state, token)
            self._grow(
                node_id,
                token,
                state,
                text + (spelled[token] or b""),
                log_p + float(logp[i]),
                node.log_q + float(logq[i]),
                depth + 1,
                node.settled,
            )
        node.taken = np.concatenate([node.taken, ids[order]])
        if len(order) < len(ids):
            rest = np.ones(len(ids), dtype=bool)
            rest[order] = False
            q = -np.inf if node.settled >= 0 else node.log_q
            self.frontier.add_one(
                log_p + logsumexp(logp[rest]),
                q + logsumexp(logq[rest]),
                log_p + float(np.max(logp[rest])),
                q + float(np.max(logq[rest])),
                depth + 1,
                node_id,
                node.text,
                node.settled,
                True,
            )

    def _grow(
        self,
        parent: int,
        token: int,
        state: State,
        text: bytes,
        log_p: float,
        log_q: float,
        depth: int,
        settled: int = -1,
    ) -> None:
        """A new valid prefix, not looked into yet."""
        number = len(self.nodes)
        below = settled >= 0  # its p~ mass was settled with an ancestor
        if not below and self._settled is not None and parent >= 0:
            remaining = self._settled.text(state)
            if remaining is not None and len(remaining) + 1 <= self._room - depth:
                settled = self.text_id(text + remaining)
                self.sure.add_one(log_q, depth, settled, number)
        text_id = self.text_id(text)
        self.nodes.append(Node(state, text_id, settled, log_q))
        self.links.add_one(parent, token, depth, log_p)
        self._child[parent, token] = number
        q = -np.inf if settled >= 0 else log_q
        self.frontier.add_one(log_p, q, log_p, q, depth, number, text_id, settled, False)

    @staticmethod
    def _lose(table: Table, *values: float) -> None:
        if values[0] > -np.inf:
            table.add_one(*values)

    def futures(self) -> tuple[LogProbs, LogProbs]:
        """(N,) log of the least and of the most valid mass through each node, under p, nats."""
        n = len(self.nodes)
        least, most = np.full(n, -np.inf), np.full(n, -np.inf)
        found, open_ = self.found.rows, self.frontier.rows
        np.logaddexp.at(least, found["node"], found["log_p"])
        np.logaddexp.at(most, open_["node"], open_["log_p"])
        most = np.logaddexp(most, least)
        links = self.links.rows
        by_depth = np.argsort(-links["depth"], kind="stable")
        depths = links["depth"][by_depth]
        edges = np.flatnonzero(np.diff(depths)) + 1
        for level in np.split(by_depth, edges):
            level = level[links["parent"][level] >= 0]
            np.logaddexp.at(least, links["parent"][level], least[level])
            np.logaddexp.at(most, links["parent"][level], most[level])
        return least, most


def _largest(key: LogProbs, count: int) -> NDArray[np.intp]:
    """Indices of the `count` largest, the largest first, the lowest index first on ties."""
    kept = np.argpartition(-key, count - 1)[:count]
    return kept[np.lexsort((kept, -key[kept]))]
