"""What each endpoint for programs does: checks what it is asked, then the work itself."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playground import programs
from playground.decisions import Decisions
from playground.errors import InvalidInput
from playground.problem import ProblemSpec
from playground.proofs import Cancel
from playground.record import Document
from playground.session import Playground
from playground.ui.api_asked import (
    Arguments,
    CompareAsked,
    DecideAsked,
    ExactAsked,
    FollowAsked,
    LessonAsked,
    LessonsAsked,
    SchemaAsked,
    StepAsked,
)
from playground.ui.decisions import MODEL
from playground.ui.decisions_asked import file_of
from playground.ui.decisions_page import page_props
from playground.ui.inputs import asked


@dataclass(frozen=True, slots=True)
class Prepared:
    """A call that was checked."""

    work: Callable[[Cancel], Document]
    """Runs in a thread; what it is given asks whether to end."""
    spec: ProblemSpec | None = None
    """Names the model that is loaded first; None: it needs none."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One name that a program can call."""

    name: str
    arguments: type[Arguments]
    about: str
    """What it is for and what it returns, for whoever never saw the page."""
    prepare: Callable[[Any], Prepared]
    """Checks the arguments, read as `arguments`, and says what is to be done; quick.

    Raises:
        PlaygroundError: they can't be used.
    """


def endpoints(playground: Playground) -> tuple[Endpoint, ...]:
    """Every endpoint, in the order in which they are listed."""

    def problem(document: Document) -> ProblemSpec:
        return asked(playground, {"problem": document})

    def step(a: StepAsked) -> Prepared:
        spec = problem(a.problem(method=a.method))
        return Prepared(lambda stop: programs.step(playground, spec, a.run, stop), spec)

    def follow(a: FollowAsked) -> Prepared:
        spec = problem(a.problem())
        return Prepared(lambda stop: programs.follow(playground, spec, a.text, stop), spec)

    def exact(a: ExactAsked) -> Prepared:
        spec = problem(a.problem())
        return Prepared(lambda stop: programs.exact(playground, spec, a.budget(), stop), spec)

    def compare(a: CompareAsked) -> Prepared:
        spec, what = problem(a.problem()), a.compare_spec()
        return Prepared(lambda stop: programs.compare(playground, spec, what, stop), spec)

    def schema(a: SchemaAsked) -> Prepared:
        spec = a.constraint_spec()
        other = None if a.against is None else a.constraint_spec(a.against)
        return Prepared(lambda _: programs.schema(playground, spec, a.text, a.formats, other))

    def lessons(_: LessonsAsked) -> Prepared:
        return Prepared(lambda _: programs.lessons(playground))

    def lesson(a: LessonAsked) -> Prepared:
        return Prepared(lambda _: programs.lesson(playground, a.slug))

    def decide(a: DecideAsked) -> Prepared:
        spec, decisions = problem({"model": MODEL}), Decisions(playground, MODEL)
        if a.by == "scores":
            return Prepared(
                lambda stop: programs.score(
                    decisions, a.text, a.schema_text, a.mode, a.order, stop
                ),
                spec,
            )
        recorded = page_props()["recorded"]
        if recorded is None:
            raise InvalidInput("There is no recorded head.", "Decide by scores.", "by")
        head = file_of(str(recorded["head"]))
        return Prepared(lambda _: programs.decide(decisions, head, a.text, a.schema_text), spec)

    return (
        Endpoint(
            "step",
            StepAsked,
            "Draws one answer of a language model under a constraint and returns it token by token: at "
            "each step the automaton's state, log Z_t (the model's own mass on what is allowed), the "
            "bits that costs, and the candidates before and after the mask. Exact for this model.",
            step,
        ),
        Endpoint(
            "follow",
            FollowAsked,
            "Walks a given text under a constraint, as step does a drawn one, to its end or to the "
            "first blocked token, with the verdict and the place where it stops being a valid prefix.",
            follow,
        ),
        Endpoint(
            "exact",
            ExactAsked,
            "Searches the valid texts and returns proved lower and upper bounds of Z (the chance that "
            "an unconstrained answer is valid), of p_V (the model's own law given that it is valid) "
            "and of p~ (what masking makes of it) for each text, and the distance between the two.",
            exact,
        ),
        Endpoint(
            "compare",
            CompareAsked,
            "Draws answers by several methods side by side and returns for each how many were valid, "
            "what it cost, and how far its law is from p_V, each number exact, bounded or estimated.",
            compare,
        ),
        Endpoint(
            "schema",
            SchemaAsked,
            "Examines a constraint without a model: whether it compiles, what it allows in words, "
            "which keywords the mask enforces (by witnesses), lint, vendors' dialects; and the verdicts "
            "of the mask and of a reference judge on a text, and what differs from another constraint.",
            schema,
        ),
        Endpoint(
            "lessons",
            LessonsAsked,
            "Lists the lessons: slug, title, question, minutes, beats, claims and how many are proved.",
            lessons,
        ),
        Endpoint(
            "lesson",
            LessonAsked,
            "Returns one lesson: its beats, the recording that they show, and its claims with the "
            "numbers that prove them.",
            lesson,
        ),
        Endpoint(
            "decide",
            DecideAsked,
            "Decides the closed fields of a record from a text without writing JSON: by a trained "
            "head, or by the model's own scores of every option.",
            decide,
        ),
    )
