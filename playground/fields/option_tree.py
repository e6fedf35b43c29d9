"""A mass tree whose runs end where an option is spelled, and what it proves about the options."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from playground.decoding.masses import MassTree, Node
from playground.decoding.trace import Problem
from playground.exact.interval import TINY, Interval
from playground.exact.posterior import ROUNDING, others, portion
from playground.fields.wording import OptionWording
from playground.logspace import Logits, LogProbs, logsumexp

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class OptionMass:
    """One option of a field, as the model would write it."""

    index: int
    """In the field."""
    label: str
    text: str
    """The JSON that is scored; the likeliest of several."""
    p: Interval
    """Mass under p: the model goes on with this option, in any tokens, whatever comes after it."""
    conditional: Interval
    """p_V: its share of all options' mass."""
    log_p: float
    """nats, of its likeliest tokens alone, all that may end the last one together; -inf where
    none were found."""
    tokens: int
    """How many these are; 0 where none were found."""

    @property
    def per_token(self) -> float:
        """Mean log p of a token of the likeliest spelling, nats; -inf where none was found."""
        return self.log_p / self.tokens if self.tokens else -math.inf


class OptionTree(MassTree):
    """A mass tree over `wording.regex`: a run ends with the token that completes an option, so
    that what the model would write after it is summed over."""

    def __init__(self, problem: Problem, wording: OptionWording) -> None:
        self.wording = wording
        self.passes = 0
        """Batches of rows that were read one after another."""
        super().__init__(problem)

    def open(self, entries: NDArray[np.intp], rows: Logits) -> None:
        """As in a mass tree; a batch with a new row counts as a pass."""
        before = self.rows_used
        super().open(entries, rows)
        self.passes += self.rows_used > before

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
        """Record the options that end here, a text once; what is left are the children."""
        tokens, text = self.problem.constraint.vocabulary.tokens, self.texts[node.text]
        ends = np.zeros(len(ids), dtype=bool)
        ending: dict[bytes, list[int]] = {}
        for i, token in enumerate(ids.tolist()):
            found = self.wording.decided(text + (tokens[token] or b""))
            if found is not None:
                ends[i] = True
                ending.setdefault(found[0], []).append(i)
        for whole, places in ending.items():
            p, q = log_p + logsumexp(logp[places]), node.log_q + logsumexp(logq[places])
            if p > -np.inf or q > -np.inf:
                token = int(ids[places[int(np.argmax(logp[places]))]])
                self.found.add_one(p, q, depth + 1, node_id, token, self.text_id(whole), False)
        node.taken = ids[ends]  # so that the rest, opened later, doesn't hold them again
        return ids[~ends], logp[~ends], logq[~ends]


def option_masses(
    tree: OptionTree, labels: tuple[str, ...], places: tuple[int, ...]
) -> tuple[OptionMass, ...]:
    """What `tree` proves of each option now.

    Args:
        tree: of the options' wording.
        labels: of these options.
        places: their indices in the field.
    """
    n = len(labels)
    with tree.lock:
        found, open_ = tree.found.rows.copy(), tree.frontier.rows.copy()
        texts = list(tree.texts)
        top = float(np.logaddexp(logsumexp(found["log_p"]), logsumexp(open_["log_p"])))
    shift = top if top > -math.inf else 0.0
    decided = (tree.wording.decided(texts[text]) for text in found["text"].tolist())
    option = np.array([each[1] for each in decided if each is not None], dtype=np.intp)

    def masses(rows: NDArray[Any], side: int) -> Values:
        possible = rows["log_p"] > -np.inf
        size = np.abs(np.where(possible, rows["log_p"], 0.0))
        doubt = rows["depth"] * (tree.delta + ROUNDING * size)
        out: Values = np.exp(rows["log_p"] + side * doubt - shift)
        # A mass that underflows isn't 0.
        return np.maximum(out, TINY, where=possible, out=out) if side > 0 else out

    low = np.bincount(option, masses(found, -1), n).astype(np.float64)
    high = np.bincount(option, masses(found, 1), n).astype(np.float64)
    reach, own, shared = _still_open(tree, open_["text"], masses(open_, 1), texts, n)
    most_others = others(high) + others(own) + shared
    least_others = others(low)
    scale = math.exp(shift)
    out = []
    for at in range(n):
        most = float(high[at] + reach[at])
        may = most > 0
        mine = np.flatnonzero(option == at)
        best = mine[int(np.argmax(found["log_p"][mine]))] if len(mine) else None
        spelled = tree.wording.spellings[at][0]
        if best is not None:
            whole = texts[int(found["text"][best])].decode("utf-8", "replace").lstrip(" ")
            spelled = next(x for x in tree.wording.spellings[at] if x in (whole, whole[:-1]))
        out.append(
            OptionMass(
                index=places[at],
                label=labels[at],
                text=spelled,
                p=Interval.around(float(low[at]) * scale, most * scale, may),
                conditional=Interval.around(
                    portion(float(low[at]), float(most_others[at]) + TINY),
                    portion(most, float(least_others[at])),
                    may,
                ),
                log_p=-math.inf if best is None else float(found["log_p"][best]),
                tokens=0 if best is None else int(found["depth"][best]),
            )
        )
    return tuple(out)


def _still_open(
    tree: OptionTree, texts: NDArray[np.int32], masses: Values, known: list[bytes], n: int
) -> tuple[Values, Values, float]:
    """(n,) open mass that may become each option, (n,) that can become no other, and what can
    become several."""
    reach, own, shared = np.zeros(n), np.zeros(n), 0.0
    by_text = np.bincount(texts, masses, len(known))
    for text in np.flatnonzero(by_text > 0).tolist():
        options, mass = list(tree.wording.reach(known[text])), float(by_text[text])
        reach[options] += mass
        if len(options) == 1:
            own[options] += mass
        elif options:
            shared += mass
    return reach, own, shared
