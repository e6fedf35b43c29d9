"""A comparison as a JSON document: the same for the screen and the command line."""

from playground.compare import Comparison
from playground.compare_readings import (
    alarm,
    best_q,
    disagreements,
    distance,
    estimates_of_q,
    text_shares,
)
from playground.decoding.refusal import refused
from playground.decoding.run import Draw
from playground.decoding.smc import ess
from playground.decoding.trace import Problem
from playground.exact.estimates import draws_for, none_valid, share
from playground.exact.interval import Interval
from playground.exact_record import exact_document, interval_document
from playground.record import Document, number, show
from playground.tally import Tally

SHOWN = 12
"""Texts with a bar of their own; the rest are one."""
TRIES = (1, 2, 3, 5, 10, 20, 50, 100)
"""Numbers of draws in the table of P(nothing valid)."""


def comparison_document(state: Comparison) -> Document:
    """The whole comparison as it stands."""
    posterior = state.posterior
    shown = shown_texts(state)
    q = estimates_of_q(state)
    best = best_q(q)
    return {
        "v": 1,
        "n": state.spec.n,
        "accept": state.spec.accept,
        "done": state.done,
        "stopped": state.stopped,
        "exact": posterior and exact_document(posterior, state.problem, state.exact_rows),
        "outcomes": [show(text) for text in shown],
        "methods": {
            name: tally_document(state, tally, shown) for name, tally in state.tallies.items()
        },
        "q": q,
        "none_valid": [] if best is None else [_none(best, n) for n in TRIES],
        "for_one_percent": best and interval_document(draws_for(best, 0.01)),
        "parallel": state.parallel,
        "alarm": alarm(state),
        "disagreements": disagreements(posterior),
    }


def _none(q: Interval, n: int) -> Document:
    return {"n": n, **interval_document(none_valid(q, n))}


def shown_texts(state: Comparison) -> list[bytes]:
    """The texts with a bar of their own: the largest by p_V, p~ or any method's share."""
    size: dict[bytes, float] = {}
    if state.posterior is not None:
        for text in state.posterior.texts:
            size[text.text] = max(text.conditional.middle, text.masked.middle)
    for tally in state.tallies.values():
        for found, count in tally.valid.items():
            size[found] = max(size.get(found, 0.0), count / tally.accepted)
    return sorted(size, key=lambda text: (-size[text], text))[:SHOWN]


def tally_document(state: Comparison, tally: Tally, shown: list[bytes]) -> Document:
    """One method's column."""
    method = tally.method
    shares = text_shares(tally)
    known = set(shown)
    return {
        "title": method.title,
        "law": method.law,
        "target": method.target,
        "exact_law": method.exact,
        "weighted": method.weighted,
        "draws": tally.draws,
        "accepted": tally.accepted,
        "attempts": tally.attempts,
        "spent": tally.spent,
        "rows_used": tally.rows_used,
        "rows_computed": tally.rows_computed,
        "seconds": tally.seconds,
        "done": tally.done,
        "limited": tally.limited and tally.accepted < state.spec.n,
        "error": None if tally.error is None else str(tally.error),
        "ess": ess(tally.log_weights) if method.weighted else None,
        "sample": sample_document(state, tally.sample, method.name == "think"),
        "texts": [
            {"text": show(text), "count": tally.valid[text], **shares.get(text, _NOTHING)}
            for text in shown
        ],
        "other": {
            "count": sum(count for text, count in tally.valid.items() if text not in known),
            "p": sum(row["value"] for text, row in shares.items() if text not in known),
        },
        "unfinished": {
            "count": tally.unfinished,
            "p": interval_document(share(tally.unfinished, tally.draws)),
        },
        "invalid": {
            "count": tally.draws - tally.accepted - tally.unfinished,
            "p": interval_document(
                share(tally.draws - tally.accepted - tally.unfinished, tally.draws)
            ),
        },
        "curve": tally.curve,
        "tv_to_p_V": distance(state, tally),
        "mean_log_p": None if tally.mean_log_p is None else number(tally.mean_log_p),
    }


_NOTHING: Document = {"value": 0.0, "p": {"lower": 0.0, "upper": 1.0}}


def sample_document(state: Comparison, draw: Draw | None, thinks: bool) -> Document | None:
    """A draw, as a card shows it. One that `thinks` comes with the whole run around its answer, and
    isn't read as a text of the language."""
    if draw is None:
        return None
    problem = state.problem
    vocabulary = problem.model.vocabulary
    bad = None if thinks else refused(problem.constraint, draw.run.tokens)
    return {
        "text": show(draw.text),
        "path": list(draw.run.tokens),
        "tokens": [vocabulary.name(token) for token in draw.run.tokens],
        "outcome": draw.run.outcome.value,
        "accepted": draw.accepted,
        "attempts": draw.attempts,
        "thought": thought(problem, draw) if thinks else None,
        "offset": None if bad is None else bad.offset,
        "log_p": number(draw.run.log_p),
        "log_z": number(sum(draw.run.log_z)),
    }


def thought(problem: Problem, draw: Draw) -> Document:
    """A run that thinks, cut around its answer, the last closed span: `{"before", "answer",
    "after"}`; without one all of it stands before."""
    text = problem.model.vocabulary.decode(draw.run.tokens)
    spans = problem.companion().marked().spans(text)
    closed = [span for span in spans if span.end is not None]
    if not closed:
        return {"before": show(text), "answer": None, "after": ""}
    start, end = closed[-1].start, closed[-1].end
    return {
        "before": show(text[:start]),
        "answer": show(text[start:end]),
        "after": show(text[end:]),
    }
