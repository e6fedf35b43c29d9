"""What a search proves, as a JSON document: the same for the screens and the command line."""

import math
from collections.abc import Sequence

from playground.decoding.masses import MassTree
from playground.decoding.trace import Problem
from playground.exact.interval import Interval
from playground.exact.laws import FlowNode
from playground.exact.posterior import Posterior, RunMass, TextMass, snapshot
from playground.models.base import Prefix
from playground.record import Document, number, show


def interval_document(interval: Interval) -> Document:
    """Both bounds; null where one is infinite."""
    return {"lower": number(interval.lower), "upper": number(interval.upper)}


def exact_document(posterior: Posterior, problem: Problem, rows_computed: int) -> Document:
    """A posterior: masses under p and p~, and the texts by size."""
    toy = (
        problem.model.provenance.kind == "toy"
        and posterior.status == "exact"
        and posterior.Z.lower > 0.0
    )
    return {
        "Z": interval_document(posterior.Z),
        "log_z": interval_document(posterior.log_z),
        "status": posterior.status,
        "inside": posterior.inside,
        "outside": posterior.outside,
        "open": posterior.open,
        "open_masked": posterior.open_masked,
        "cut": posterior.cut,
        "dead": posterior.dead,
        "rows_used": posterior.rows_used,
        "rows_computed": rows_computed,
        "seconds": posterior.seconds,
        "stopped": posterior.stopped,
        "texts": [text_document(text, posterior, problem, toy) for text in posterior.texts],
        "others": posterior.others,
        "tv": interval_document(posterior.tv),
        "kl": interval_document(posterior.kl),
    }


def text_document(
    text: TextMass, posterior: Posterior, problem: Problem, fraction: bool
) -> Document:
    """One text of a posterior; `fraction` shows p over Z, which a toy's reader can check by hand."""
    return {
        "text": show(text.text),
        "p": interval_document(text.p),
        "p_V": interval_document(text.conditional),
        "masked": interval_document(text.masked),
        "squeeze": interval_document(text.squeeze),
        "runs": text.runs,
        "path": list(text.path),
        "tokens": [problem.model.vocabulary.name(token) for token in text.path],
        "log_p": number(text.log_p),
        "bits": bits(text.log_zs),
        "drawn": None if text.drawn is None else run_document(text.drawn, posterior, problem),
        "fraction": f"{text.p.middle:.4g}/{posterior.Z.middle:.4g}" if fraction else None,
    }


def run_document(run: RunMass, posterior: Posterior, problem: Problem) -> Document:
    """One run: its tokens, p, p~ and the bits of its steps, and s = Z / prod Z_t of it alone."""
    paid = sum(run.log_zs)
    squeeze = Interval(
        math.exp(min(700.0, posterior.log_z.lower - paid)),
        math.exp(min(700.0, posterior.log_z.upper - paid)),
    )
    return {
        "path": list(run.path),
        "tokens": [problem.model.vocabulary.name(token) for token in run.path],
        "log_p": number(run.log_p),
        "log_masked": number(run.log_q),
        "bits": bits(run.log_zs),
        "squeeze": interval_document(squeeze),
    }


def bits(log_zs: Sequence[float]) -> list[float | None]:
    """-log2 Z_t of each step; None where Z_t is 0."""
    return [number(-log_z / math.log(2) + 0.0) for log_z in log_zs]


MAX_RUNS = 200
"""Tokenisations listed of one text."""


def tokenisations(tree: MassTree, text: bytes) -> Document:
    """The runs found that spell `text`, the likeliest first, each with its own bounds."""
    number_ = tree.seen(text)
    log_z = snapshot(tree).log_z
    with tree.lock:
        found = tree.found.rows
        runs = found[found["text"] == (-1 if number_ is None else number_)].copy()
    order = runs["log_p"].argsort(kind="stable")[::-1]
    model = tree.problem.model
    usual = canonical(tree.problem, text)
    listed = []
    for run in runs[order[:MAX_RUNS]]:
        path = tree.tokens(int(run["node"]))
        log_p, slack = float(run["log_p"]), tree.delta * int(run["depth"])
        known = math.isfinite(log_p) and math.isfinite(log_z.lower)
        conditional = (
            Interval.from_logs(log_p - slack - log_z.upper, log_p + slack - log_z.lower)
            if known
            else Interval(0.0, 0.0 if log_p == -math.inf else 1.0)
        )
        listed.append(
            {
                "tokens": [model.vocabulary.name(token) for token in path],
                "path": [*path, int(run["eos"])],
                "log_p": number(log_p),
                "p_V": interval_document(conditional),
                "log_masked": number(float(run["log_q"])),
                "canonical": path == usual,
            }
        )
    return {"text": show(text), "total": len(runs), "runs": listed}


def canonical(problem: Problem, text: bytes) -> Prefix | None:
    """The tokens that the tokenizer itself makes of `text`; None where it is no UTF-8."""
    try:
        return problem.model.encode(text.decode("utf-8"))
    except UnicodeDecodeError:
        return None


def flow_document(nodes: Sequence[FlowNode], problem: Problem) -> list[Document]:
    """The nodes of the picture of the mass, for a browser."""
    vocabulary = problem.model.vocabulary
    return [
        {
            "id": node.id,
            "parent": node.parent,
            "kind": node.kind,
            "token": "" if node.token < 0 else vocabulary.name(node.token),
            "text": show(node.text),
            "p": node.p,
            "masked": node.masked,
            "log_z": None if node.log_z is None else number(node.log_z),
            "blocked": node.blocked,
            "valid": interval_document(node.valid),
            "share": interval_document(node.share),
            "count": node.count,
        }
        for node in nodes
    ]
