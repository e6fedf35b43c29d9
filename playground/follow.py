"""A given text, for example a model's output from production, walked under a constraint."""

from playground.decoding.sampler import SAMPLERS, taken
from playground.decoding.trace import Outcome, Trace
from playground.errors import InvalidInput
from playground.models.base import Prefix
from playground.opened import Opened
from playground.problem import MAX_PROMPT
from playground.record import Document, show


def follow_text(opened: Opened, text: str) -> tuple[Trace, Document]:
    """The trace of `text` as far as the constraint lets it go, and where it stopped.

    Raises:
        InvalidInput: the text is empty, too long, or can't be spelled.
    """
    problem = opened.problem
    if not text:
        raise InvalidInput("There is no text to follow.", "Paste a model's output.", "text")
    if len(text) > MAX_PROMPT:
        raise InvalidInput(
            f"The text has {len(text):,} characters; at most {MAX_PROMPT:,} can be followed.",
            "Paste a shorter part.",
            "text",
        )
    ids: Prefix = problem.model.encode(text)
    if len(ids) > problem.max_tokens:
        raise InvalidInput(
            f"The text has {len(ids):,} tokens; max tokens is {problem.max_tokens:,}.",
            "Raise max tokens or paste a shorter part.",
            "text",
        )
    trace = opened.trace(ids)
    if trace.outcome is Outcome.RUNNING and problem.constraint.is_final(trace.standing.state):
        eos = min(problem.model.vocabulary.eos_ids)
        sampler = SAMPLERS[opened.spec.method]
        trace = trace.extended(taken(trace.standing, sampler, eos, opened.spec.watch))
    return trace, follow_document(trace)


def follow_document(trace: Trace) -> Document:
    """Whether the followed text is valid, and if not the first byte that can't be there."""
    standing, problem = trace.standing, trace.problem
    view = problem.constraint.describe(standing.state, None)
    if standing.outcome is not Outcome.REJECTED:
        valid = standing.outcome is Outcome.ACCEPTED
        return {
            "verdict": "valid" if valid else "incomplete",
            "consumed": len(standing.text),
            "blocked_at": None,
            "needs": "" if valid else view.needs,
        }
    token = standing.tokens[-1]
    hops = problem.constraint.hops(standing.state, token)
    raw = problem.model.vocabulary.tokens[token] or b""
    killed = hops.killed_at or 0
    text = problem.model.vocabulary.decode(standing.tokens[:-1]) + raw[:killed]
    line, column = line_and_column(text)
    return {
        "verdict": "invalid",
        "consumed": len(text),
        "blocked_at": {
            "offset": len(text),
            "line": line,
            "column": column,
            "expected": list(hops.expected or view.expected),
            "got": show(raw[killed : killed + 1]) or problem.model.vocabulary.name(token),
        },
        "needs": view.needs,
    }


def line_and_column(text: bytes) -> tuple[int, int]:
    """Line and column, from 1, of the byte after `text`; columns count characters."""
    last = text.rpartition(b"\n")[2]
    return text.count(b"\n") + 1, len(last.decode("utf-8", errors="replace")) + 1
