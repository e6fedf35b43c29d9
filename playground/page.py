"""The page for a run, as the document that a browser shows: the problem, every step, what is next."""

from playground.decoding.position import next_token, position
from playground.decoding.trace import Outcome, Standing, Trace
from playground.healing import healed_document
from playground.judged import judged_document, validated_answer, verdict_of
from playground.models.toy import TOYS
from playground.opened import Opened
from playground.problem import ProblemSpec
from playground.record import (
    Document,
    constraint_document,
    position_document,
    provenance_document,
    token_document,
    trace_documents,
)

VERSION = 1
"""Version of the documents."""


def page_document(opened: Opened, trace: Trace) -> Document:
    """The whole page: provenance, prompt, constraint, every step and what comes next."""
    problem, spec = opened.problem, opened.spec
    vocabulary = problem.model.vocabulary
    return {
        "v": VERSION,
        "problem": problem_document(spec),
        "toy_edited": toy_edited(spec),
        "provenance": provenance_document(problem),
        "eos": [token_document(vocabulary, i) for i in sorted(vocabulary.eos_ids)],
        "prompt": [token_document(vocabulary, i) for i in problem.prompt],
        "healed": healed_document(opened.healed),
        "constraint": constraint_document(spec.constraint, opened.compiled),
        "steps": [
            {**step, "given": opened.gives(trace.tokens[: index + 1])}
            for index, step in enumerate(trace_documents(trace, spec.watch))
        ],
        **standing_document(opened, trace.standing),
        "cursor": len(trace.steps),
        "lesson": None,
        "follow": None,
        "error": None,
    }


def standing_document(
    opened: Opened, standing: Standing, timing: dict[str, tuple[float, float]] | None = None
) -> Document:
    """How the run stands: the next position, the outcome, the verdict, the object it spells. When the
    next position's pass and mask were made is noted in `timing`, where they were."""
    frontier = None
    if standing.outcome is Outcome.RUNNING:
        watch = opened.spec.watch
        law = next_token(standing)
        if timing is not None:
            timing |= law.timing
        here = position(standing, law, watch)
        frontier = position_document(
            opened.problem, here, len(standing.tokens), standing.text, watch
        )
    return {
        "frontier": frontier,
        "outcome": standing.outcome.value,
        "verdict": verdict_of(opened, standing),
        "judged": judged_document(opened, standing),
        "validated": validated_answer(opened, standing),
    }


def problem_document(spec: ProblemSpec) -> Document:
    """The spec as the browser sends it back; a toy comes with its table, so that it can be edited."""
    name = spec.model.removeprefix("toy:")
    if spec.toy is None and name != spec.model:
        spec = spec.model_copy(update={"toy": TOYS[name]})
    return spec.model_dump(mode="json")


def toy_edited(spec: ProblemSpec) -> bool:
    """The toy's table isn't the one that its note, and the lessons about it, speak of."""
    if spec.toy is None:
        return False
    original = TOYS.get(spec.toy.name)
    return original is None or spec.toy.revision != original.revision
