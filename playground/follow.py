"""A given text, for example a model's output from production, walked under a constraint."""

from dataclasses import replace

from playground.constraints.position import line_column
from playground.constraints.pushdown import PushdownAutomaton
from playground.decoding.sampler import SAMPLERS, taken
from playground.decoding.trace import Outcome, Trace
from playground.errors import InvalidInput
from playground.judge import refuses_cut
from playground.opened import Opened
from playground.problem import MAX_PROMPT
from playground.record import Document, show

MAX_FOLLOWED = 512
"""Most tokens of a followed text, the end included: a record of some 4 MB."""


def follow_text(opened: Opened, text: str) -> tuple[Opened, Trace, Document]:
    """Walk `text` as far as the constraint lets it go.

    Returns:
        The problem, its max tokens raised where the text needs it (the limit is on sampling); the
        trace; and where it stopped.

    Raises:
        InvalidInput: the text is empty, too long, or can't be spelled.
    """
    if not text:
        raise InvalidInput("There is no text to follow.", "Paste a model's output.", "text")
    if len(text) > MAX_PROMPT:
        raise InvalidInput(
            f"The text has {len(text):,} characters; at most {MAX_PROMPT:,} can be followed.",
            "Paste a shorter part.",
            "text",
        )
    ids = opened.spelled(text)
    opened = with_room(opened, len(ids) + 1)
    problem = opened.problem
    trace = opened.trace(ids)
    if trace.outcome is Outcome.RUNNING and problem.constraint.is_final(trace.standing.state):
        eos = min(problem.model.vocabulary.eos_ids)
        sampler = SAMPLERS[opened.spec.method]
        trace = trace.extended(taken(trace.standing, sampler, eos, opened.spec.watch))
    document = follow_document(trace, len(opened.lead))
    if trace.outcome is Outcome.REJECTED:
        document |= _refused_cut(trace, problem.model.vocabulary.decode(ids))
    return opened, trace, document


def with_room(opened: Opened, tokens: int) -> Opened:
    """The same problem with max tokens at least `tokens`.

    Raises:
        InvalidInput: so many are more than a run, or the model, may have.
    """
    problem = opened.problem
    if tokens <= problem.max_tokens:
        return opened
    most = min(MAX_FOLLOWED, problem.model.context - len(problem.prompt))
    if tokens > most:
        raise InvalidInput(
            f"The text has {tokens - 1:,} tokens; at most {most - 1:,} can be followed here.",
            "Paste a shorter part.",
            "text",
        )
    return replace(
        opened,
        spec=opened.spec.model_copy(update={"max_tokens": tokens}),
        problem=replace(problem, max_tokens=tokens),
    )


def _refused_cut(trace: Trace, text: bytes) -> Document:
    """What to say instead where only the cutting of `text` into tokens was refused: an engine may
    force longer tokens than the model's tokenizer makes. Empty where the text itself is at fault."""
    constraint = trace.problem.constraint
    if not isinstance(constraint, PushdownAutomaton) or not refuses_cut(trace.standing):
        return {}
    matcher = constraint.bytes_twin.matcher(constraint.initial)
    if not matcher.feed(text):
        return {}
    worth = "valid" if matcher.final() else "a valid beginning"
    said = f"{constraint.engine} refuses this way of cutting it into tokens; the text itself is"
    return {"verdict": "refused", "message": f"{said} {worth}."}


def follow_document(trace: Trace, lead: int = 0) -> Document:
    """Whether the followed text is valid, and if not the first byte that can't be there. The run
    begins with `lead` bytes that aren't the text's. `message` says what the verdict doesn't."""
    standing, problem = trace.standing, trace.problem
    view = problem.constraint.describe(standing.state, None)
    if standing.outcome is not Outcome.REJECTED:
        valid = view.may_stop
        return {
            "verdict": "valid" if valid else "incomplete",
            "consumed": len(standing.text) - lead,
            "blocked_at": None,
            "needs": "" if valid else view.needs,
            "message": "",
        }
    token = standing.tokens[-1]
    hops = problem.constraint.hops(standing.state, token)
    raw = problem.model.vocabulary.tokens[token] or b""
    killed = hops.killed_at or 0
    text = (problem.model.vocabulary.decode(standing.tokens[:-1]) + raw[:killed])[lead:]
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
        "message": "",
    }


def line_and_column(text: bytes) -> tuple[int, int]:
    """Line and column, from 1, of the character after `text`."""
    read = text.decode("utf-8", errors="replace")
    return line_column(read, len(read))
