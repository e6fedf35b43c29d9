"""What a mass tree proves: bounds on Z, on p_V and p~ of texts, and on their distance."""

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from playground.decoding.masses import MassTree
from playground.exact.distances import Cells, kl_bounds, tv_bounds
from playground.exact.interval import TINY, Interval
from playground.logspace import logsumexp
from playground.models.base import Prefix

Values = NDArray[np.float64]
SHOWN = 60
"""Texts listed in a posterior; the rest are counted."""

ROUNDING = 2.3e-16
"""Relative error of adding two logs, or of a log itself, float64."""


@dataclass(frozen=True, slots=True)
class RunMass:
    """One run that was found."""

    path: Prefix
    """Tokens after the start, EOS included."""
    log_p: float
    """nats."""
    log_q: float
    """log p~, nats."""
    log_zs: tuple[float, ...]
    """log Z_t of its steps, nats."""


NO_RUN = RunMass((), -math.inf, -math.inf, ())


@dataclass(frozen=True, slots=True)
class TextMass:
    """One text: the sum over its tokenisations, those not found included in the bounds."""

    text: bytes
    p: Interval
    conditional: Interval
    """p_V."""
    masked: Interval
    """p~."""
    squeeze: Interval
    """s = p~ / p_V: how many times too often masking gives it."""
    runs: int
    """Tokenisations found."""
    path: Prefix
    """Tokens of the likeliest of them after the start, EOS included; empty where none was found."""
    log_p: float
    """log p of that run, nats; -inf where none was found."""
    log_zs: tuple[float, ...]
    """log Z_t of its steps, nats."""
    drawn: "RunMass | None"
    """The run found that masking gives most often: often another one."""


@dataclass(frozen=True, slots=True)
class Posterior:
    """A snapshot of the search. Masses are probabilities under p, or under p~ where said."""

    Z: Interval
    log_z: Interval
    """The same as natural logs: finite where Z underflows."""
    status: Literal["exact", "bounded"]
    inside: float
    outside: float
    open: float
    found_masked: float
    """p~ of the texts known: found or settled."""
    open_masked: float
    cut: float
    """p~ of the runs that reach max_tokens."""
    dead: float
    """p~ of the runs that no token can continue."""
    rows_used: int
    seconds: float
    stopped: str | None
    """Why the search ended; None while it goes on."""
    texts: tuple[TextMass, ...]
    """By p_V or p~, the largest first; at most `SHOWN`."""
    others: int
    """Further texts found."""
    tv: Interval
    """Total variation between p_V and p~ over texts, "not finished" an atom of p~."""
    kl: Interval
    """KL(p_V || p~) over texts, nats."""


def snapshot(tree: MassTree, seconds: float = 0.0, stopped: str | None = None) -> Posterior:
    """All that `tree` proves now."""
    with tree.lock:
        return _Reading(tree).posterior(seconds, stopped)


def known_cells(tree: MassTree) -> tuple[tuple[bytes, ...], Cells]:
    """Every text that `tree` knows, and the two laws over them as far as they are known."""
    with tree.lock:
        reading = _Reading(tree)
        known = np.flatnonzero(reading.possible | reading.possible_q)
        return tuple(tree.texts[i] for i in known.tolist()), reading.cells(known)


class _Reading:
    """Sums over the tables of a tree. Masses under p are scaled by exp(-shift)."""

    def __init__(self, tree: MassTree) -> None:
        self.tree = tree
        found, open_ = tree.found.rows, tree.frontier.rows
        inside, open_p = logsumexp(found["log_p"]), logsumexp(open_["log_p"])
        known = float(np.logaddexp(inside, open_p))
        self.shift = known if known > -np.inf else 0.0
        self.inside, self.open = inside, open_p
        n = len(tree.texts)
        chosen = open_["settled"] >= 0
        counted = found[~found["settled"]]
        sure = tree.sure.rows
        self.found_p = [self._sums(found["text"], found, "log_p", n, side) for side in (-1, 0, 1)]
        # Texts with a run that has mass, even where a float64 can't hold it.
        self.possible = np.zeros(n, dtype=bool)
        self.possible[found["text"][found["log_p"] > -np.inf]] = True
        self.possible[open_["settled"][chosen]] = True
        self.possible_q = np.zeros(n, dtype=bool)
        self.possible_q[counted["text"][counted["log_q"] > -np.inf]] = True
        self.possible_q[sure["text"]] = True
        self.masked = [
            self._sums(counted["text"], counted, "log_q", n, side)
            + self._sums(sure["text"], sure, "log_q", n, side)
            for side in (-1, 0, 1)
        ]
        # Open mass by what it can still spell: one text, or anything that begins with a text.
        self.settled_p = self._sums(open_["settled"][chosen], open_[chosen], "log_p", n, 1)
        self.open_p = self._sums(open_["text"][~chosen], open_[~chosen], "log_p", n, 1)
        self.open_q = self._sums(open_["text"], open_, "log_q", n, 1)

    def _doubt(self, rows: NDArray[Any], column: str) -> Values:
        """(R,) most that the logs may be off, nats: delta and a rounding for each token."""
        size = np.abs(np.where(rows[column] > -np.inf, rows[column], 0.0))
        doubt: Values = rows["depth"] * (self.tree.delta + ROUNDING * size)
        return doubt

    def _sums(
        self, keys: NDArray[Any], rows: NDArray[Any], column: str, n: int, side: int
    ) -> Values:
        """(n,) masses of `rows` by text, widened downwards (-1), not (0), or upwards (1)."""
        logs = rows[column] + side * self._doubt(rows, column)
        shift = self.shift if column == "log_p" else 0.0
        masses: Values = np.bincount(keys, np.exp(logs - shift), n).astype(np.float64)
        return masses

    def posterior(self, seconds: float, stopped: str | None) -> Posterior:
        """The snapshot."""
        tree = self.tree
        found, open_ = tree.found.rows, tree.frontier.rows
        lower = logsumexp(found["log_p"] - self._doubt(found, "log_p"))
        upper = float(
            np.logaddexp(
                logsumexp(found["log_p"] + self._doubt(found, "log_p")),
                logsumexp(open_["log_p"] + self._doubt(open_, "log_p")),
            )
        )
        log_z = Interval(min(lower, 0.0), min(upper, 0.0))
        lost = logsumexp(tree.outside.rows["log_p"])
        cut, dead = logsumexp(tree.cut.rows["log_q"]), logsumexp(tree.dead.rows["log_q"])
        known = np.flatnonzero(self.possible | self.possible_q)
        total = max(float(self.found_p[1].sum()), 1e-300)
        rank = np.maximum(self.found_p[1][known] / total, self.masked[1][known])
        known = known[np.argsort(-rank, kind="stable")]
        cells = self.cells(known)
        strict = tree.problem.sampling.mask_order == "after-filters" or not (
            tree.problem.sampling.filtered
        )
        tv = tv_bounds(cells)
        return Posterior(
            Z=Interval.from_logs(log_z.lower, log_z.upper),
            log_z=log_z,
            status="bounded" if len(open_) else "exact",
            inside=math.exp(self.inside),
            outside=math.exp(lost),
            open=math.exp(self.open),
            found_masked=float(self.masked[1].sum()),
            open_masked=math.exp(logsumexp(open_["log_q"])),
            cut=math.exp(cut),
            dead=math.exp(dead),
            rows_used=tree.rows_used,
            seconds=seconds,
            stopped=stopped,
            texts=self._texts(known[:SHOWN]),
            others=max(0, len(known) - SHOWN),
            tv=tv,
            kl=kl_bounds(cells, tv, log_z, strict),
        )

    def cells(self, known: NDArray[np.intp]) -> Cells:
        """The two laws over the known texts, as far as they are known."""
        low, plain, high = (sums[known] for sums in self.found_p)
        below, masked, above = (sums[known] for sums in self.masked)
        # A mass that underflows isn't 0: that decides whether KL is infinite.
        high = np.where(self.possible[known], np.maximum(high, TINY), high)
        above = np.where(self.possible_q[known], np.maximum(above, TINY), above)
        lost = [
            float(np.exp(table.rows["log_q"]).sum()) for table in (self.tree.cut, self.tree.dead)
        ]
        return Cells(
            found=(low, plain, high),
            settled=self.settled_p[known],
            masked=(below, masked, above),
            open_p=float(self.open_p.sum()),
            settled_p=float(self.settled_p.sum()),
            open_q=float(self.open_q.sum()),
            unfinished=sum(lost),
            doubt=self.tree.delta * self.tree.deepest,
        )

    def _texts(self, shown: NDArray[np.intp]) -> tuple[TextMass, ...]:
        scale = math.exp(self.shift)
        low, _, high = self.found_p
        others_low, others_high = others(low), others(high)
        open_all = float(self.open_p.sum() + self.settled_p.sum())
        runs = np.bincount(self.tree.found.rows["text"], minlength=len(self.tree.texts))
        likeliest, drawn = self._best(shown, "log_p"), self._best(shown, "log_q")
        listed = []
        for i in shown.tolist():
            spelled = self._spelled(self.tree.texts[i])
            still_p = float(self.settled_p[i]) + spelled[0]
            least, most = float(low[i]), float(high[i]) + still_p
            possible = bool(self.possible[i]) or still_p > 0
            most = max(most, TINY) if possible else most
            conditional = Interval.around(
                portion(least, float(others_high[i]) + open_all + TINY),
                portion(most, float(others_low[i])),
                possible,
            )
            masked = Interval.around(
                float(self.masked[0][i]),
                float(self.masked[2][i]) + spelled[1],
                bool(self.possible_q[i]) or spelled[1] > 0,
            )
            run = likeliest.get(i, NO_RUN)
            listed.append(
                TextMass(
                    text=self.tree.texts[i],
                    p=Interval.around(least * scale, most * scale, possible),
                    conditional=conditional,
                    masked=masked,
                    squeeze=masked.over(conditional),
                    runs=int(runs[i]),
                    path=run.path,
                    log_p=run.log_p,
                    log_zs=run.log_zs,
                    drawn=drawn.get(i),
                )
            )
        return tuple(listed)

    def _spelled(self, text: bytes) -> tuple[float, float]:
        """Open mass, scaled, under p and under p~, that can still become `text`."""
        ids = [
            number
            for end in range(len(text) + 1)
            if (number := self.tree.seen(text[:end])) is not None
        ]
        return float(self.open_p[ids].sum()), float(self.open_q[ids].sum())

    def _best(self, shown: NDArray[np.intp], column: str) -> dict[int, RunMass]:
        """The found run of each text in `shown` with the largest `column`."""
        tree, found = self.tree, self.tree.found.rows
        asked = np.zeros(len(tree.texts), dtype=bool)
        asked[shown] = True
        found = found[asked[found["text"]]]
        order = np.argsort(-found[column], kind="stable")
        texts, first = np.unique(found["text"][order], return_index=True)
        best = {}
        for text, place in zip(texts.tolist(), first.tolist(), strict=True):
            run = found[order[place]]
            node = int(run["node"])
            path = (*tree.tokens(node), int(run["eos"]))
            masses = float(run["log_p"]), float(run["log_q"])
            best[text] = RunMass(path, *masses, tree.log_zs(node))
        return best


def portion(part: float, rest: float) -> float:
    """part / (part + rest); 0 for nothing."""
    return part / (part + rest) if part > 0 else 0.0


def others(masses: Values) -> Values:
    """(n,) the sum of all other masses, without subtracting."""
    before = np.concatenate(([0.0], np.cumsum(masses)[:-1]))
    after = np.concatenate((np.cumsum(masses[::-1])[::-1][1:], [0.0]))
    return before + after
