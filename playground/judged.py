"""What a run comes to where its method masks by something else than the constraint."""

from dataclasses import replace
from typing import Any

from playground.decoding.accept import LANGUAGE
from playground.decoding.refusal import refused, sentence
from playground.decoding.trace import Outcome, Standing
from playground.judge import validated, verdict
from playground.opened import Opened
from playground.record import Document, show


def judged_document(opened: Opened, standing: Standing) -> Document | None:
    """In JSON mode what the visitor's own constraint says of the text; in think, then constrain, the
    spans and the answer, which is the last closed one. None for the other methods: there the mask
    is the constraint's."""
    match opened.spec.method:
        case "json-mode":
            return by_constraint(opened, standing)
        case "think":
            return by_spans(opened, standing)
    return None


def by_constraint(opened: Opened, standing: Standing) -> Document:
    """`{"status": "valid|incomplete|refused", "offset", "got", "expected", "message"}`; the offset is
    in bytes from 0, of the first place that the constraint refuses, None without one."""
    problem, lead = opened.problem, len(opened.lead)
    strict = problem.companion().strict()
    place = refused(strict, standing.tokens)
    if place is not None:
        accept = replace(LANGUAGE, lead=lead)
        return {
            "status": "refused",
            "offset": place.offset - lead,
            "got": show(place.got),
            "expected": list(place.expected),
            "message": sentence(replace(problem, constraint=strict), standing.tokens, accept),
        }
    state = strict.initial
    for token in standing.tokens:
        if token not in strict.vocabulary.eos_ids:
            state = strict.advance(state, token)
    view = strict.describe(state, standing.text)
    needs = f" It still needs {view.needs!r}." if view.needs else ""
    message = "It accepts the text." if view.may_stop else f"It refuses nothing so far.{needs}"
    status = "valid" if view.may_stop else "incomplete"
    return {"status": status, "offset": None, "got": "", "expected": [], "message": message}


def by_spans(opened: Opened, standing: Standing) -> Document:
    """`{"status": "valid|none|open|running", "spans": [{"start", "end"}], "answer", "message"}`;
    offsets in bytes, `end` None of a span that is open. Only a run that has ended has an answer."""
    marked = opened.problem.companion().marked()
    spans = marked.spans(standing.text)
    last = marked.answer(standing.text)
    closed = sum(span.end is not None for span in spans)
    status, message = "running", ""
    if standing.outcome is Outcome.ACCEPTED and last is not None:
        status = "valid"
        which = "the only span" if closed == 1 else f"the last of {closed} spans"
        message = f"The answer is {which}; inside it the mask let nothing invalid through."
    elif standing.outcome is not Outcome.RUNNING:
        status = "open" if len(spans) > closed else "none"
        message = {
            "open": "The run ended inside a span that was not closed: no answer.",
            "none": "No span was opened: no answer."
            if not spans
            else "The run was cut off before its end: no answer counts.",
        }[status]
    return {
        "status": status,
        "spans": [{"start": span.start, "end": span.end} for span in spans],
        "answer": None if last is None else show(last),
        "message": message,
    }


def validated_answer(opened: Opened, standing: Standing) -> Any:
    """The object that a finished run spells: of the Pydantic model; None where there is none."""
    constraint = opened.spec.constraint
    if opened.spec.method != "think":
        return validated(constraint, standing, opened.lead)
    answer = opened.problem.companion().marked().answer(standing.text)
    if answer is None or standing.outcome is not Outcome.ACCEPTED or constraint.kind != "pydantic":
        return None
    from playground.constraints.pydantic_source import validate

    return validate(constraint.source, show(answer))


def verdict_of(opened: Opened, standing: Standing) -> Document:
    """`judge.verdict`, except that a run that thinks is worth its answer: without one a finished run
    is invalid, and of an unfinished one outside the spans nothing is said."""
    plain = verdict(standing)
    if opened.spec.method != "think" or plain["status"] != "valid":
        return plain
    spans = by_spans(opened, standing)
    if standing.outcome is Outcome.RUNNING:
        if spans["answer"] is None:
            return {"status": "none", "message": "No span has been closed yet."}
        return {"status": "valid", "message": "The last span is closed: the run may end here."}
    worth = {"valid": "valid", "none": "invalid"}.get(spans["status"], "incomplete")
    if standing.outcome is not Outcome.ACCEPTED:
        worth = "incomplete"
    return {"status": worth, "message": spans["message"]}
