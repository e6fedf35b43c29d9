"""The study that the levels of guarantee are: its spec, read from a browser, and made ready to run."""

import shlex
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from playground.constraints.automaton import TokenAutomaton
from playground.constraints.bytes_vocabulary import BYTES
from playground.constraints.compile import compile_constraint
from playground.constraints.sources import schema_text
from playground.constraints.spec import ConstraintSpec
from playground.decoding.run import Cancelled
from playground.decoding.sampling import require_random
from playground.errors import InvalidInput, ModelUnavailable
from playground.healing import OFF
from playground.judge import accept_of
from playground.models.server import is_served
from playground.opened import Opened
from playground.posed import accepts_of, items_of, problem_of, question
from playground.posed import constraint_of as constraint_of_study
from playground.problem import ProblemSpec, invalid
from playground.schema.verdict import follow, mask_verdict
from playground.session import Playground
from playground.studies import Studies, Study, schema_of
from playground.studies_server import LABELS
from playground.study.command import BUILTIN
from playground.study.items import SETS, Item
from playground.study.labels import NAMED, PREFILL, Label
from playground.study.row import Judges
from playground.study.spec import StudySpec

RAIL = "rail"
"""The source of prompts that is the problem on the left."""
MOST = 200
"""Most prompts, or draws at one prompt."""
LEVELS = tuple(label for label in NAMED if label.name in ("ask", "prefill", "retry", "strict"))


class LevelsSpec(BaseModel):
    """What a browser asks for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: str = Field(default=RAIL, max_length=40)
    """`rail`, or the name of a built-in set."""
    n: int = Field(default=12, ge=1, le=MOST)
    """Prompts of a set; draws at the rail's one prompt."""
    attempts: int = Field(default=3, ge=1, le=10)
    """Most of level 2 at one output."""
    show_schema: bool = False
    """Put the schema's text into the prompts of a set."""


def levels_spec(document: Any) -> LevelsSpec:
    """What to run, as a browser says it.

    Raises:
        InvalidInput: naming the field, what is wrong with it and its value; or there is no such set.
    """
    try:
        spec = LevelsSpec.model_validate(document)
    except ValidationError as error:
        raise invalid(error) from None
    if spec.source != RAIL and spec.source not in SETS:
        raise InvalidInput(f"There are no prompts called {spec.source!r}.", "Reload.", "source")
    return spec


def study_spec(playground: Playground, spec: LevelsSpec, rail: ProblemSpec) -> StudySpec:
    """The study that the levels are. A toy has no prompt: a set is asked of the first model that
    is none.

    Raises:
        ModelUnavailable: a server's model; or a set, and no model but toys.
        InvalidInput: temperature 0, no constraint, or a prompt whose last token is rewritten.
    """
    require_random(rail.sampling)
    if not rail.on_toy and is_served(rail.model):
        raise served_refused(rail.model[:80])
    if spec.source == RAIL and rail.constraint.kind == "free":
        raise InvalidInput(
            "There is no constraint: every text would be valid at every level.",
            "Choose a JSON Schema or another constraint on the left, or a set of prompts.",
            "constraint",
        )
    if spec.source == RAIL and rail.heal:
        raise InvalidInput("The levels can't rewrite the prompt's last token.", OFF, "heal")
    common = StudySpec(
        n=spec.n,
        methods=tuple(label.name for label in LEVELS),
        sampling=rail.sampling,
        max_tokens=rail.max_tokens,
        attempts=spec.attempts,
    )
    if spec.source != RAIL:
        live = [
            name
            for name in playground.hub.names()
            if not name.startswith("toy:") and not is_served(name)
        ]
        if rail.on_toy and not live:
            raise ModelUnavailable(
                "No model on this machine is offered but toys, which have no prompt.",
                "Choose the prompt on the left, or have PLAYGROUND_MODELS offer a model.",
                "source",
            )
        return common.model_copy(
            update={
                "model": live[0] if rail.on_toy else rail.model,
                "prompts": f"{BUILTIN}{spec.source}",
                "chat": rail.on_toy or rail.chat,
                "show_schema": spec.show_schema,
            }
        )
    schema = schema_text(rail.constraint) is not None
    return common.model_copy(
        update={
            "model": rail.model,
            "prompts": RAIL,
            "items": tuple(
                Item(id=f"draw-{at}", prompt=rail.prompt) for at in range(1, spec.n + 1)
            ),
            "constraint": rail.constraint,
            "chat": rail.chat,
            "valid": "schema" if schema else "language",
        }
    )


def served_refused(model: str) -> ModelUnavailable:
    """Why the levels don't run on the server's `model`, and what does."""
    methods = ",".join(LABELS)
    return ModelUnavailable(
        f"The levels can't be run on {model!r}: its server sends texts alone. It can't be given the "
        "first token (level 1.5), and what a mask takes from it isn't known (level 3).",
        "Choose a model on this machine on the left. This one can be asked on the Study screen, or by "
        f"python -m playground study --model {shlex.quote(model)} --methods {methods}",
        "model",
    )


def first_problem(spec: StudySpec, rail: ProblemSpec) -> ProblemSpec:
    """The problem of the first prompt, as the other screens open it."""
    if spec.items:
        return rail
    builtin, items = items_of(spec)
    constraint = constraint_of_study(spec, builtin)
    return problem_of(spec, constraint, question(spec, builtin, constraint, items[0]), 0)


@dataclass(frozen=True, eq=False, slots=True)
class Levels:
    """The levels, ready to run."""

    study: Study
    automaton: TokenAutomaton
    """The mask's language, byte by byte."""
    why: Callable[[str], str] | None
    """What the schema has against a text; None without a schema."""
    off: dict[str, str]
    """Labels that can't run here, and why."""

    @property
    def labels(self) -> tuple[Label, ...]:
        """Those that run."""
        return tuple(label for label in LEVELS if label.name not in self.off)


def prepared(
    playground: Playground, spec: StudySpec, opened: Opened, cancelled: Cancelled
) -> Levels:
    """The levels for `spec`, whose first problem is `opened`.

    Raises:
        PlaygroundError: what is wrong with the prompts, the model or the constraint.
    """
    constraint = opened.spec.constraint
    automaton = compile_constraint(
        constraint, BYTES, cache=playground.cache, limits=playground.limits
    ).automaton
    why_off = no_prefill(opened, automaton)
    off = {"prefill": why_off} if why_off else {}
    run = spec.model_copy(
        update={"methods": tuple(name for name in spec.methods if name not in off)}
    )
    study = (
        own_study(run, constraint, opened, automaton)
        if spec.items
        else Studies(playground).prepare(run, cancelled)
    )
    why = accept_of(constraint, spec.valid).why if spec.valid != "language" else None
    return Levels(study, automaton, why, off)


def no_prefill(opened: Opened, automaton: TokenAutomaton) -> str:
    """Why level 1.5 can't run here; empty where it can."""
    if follow(automaton, automaton.initial, PREFILL.encode())[1] == 0:
        return f"No valid answer begins with {PREFILL} here, so there is nothing to give."
    try:
        opened.problem.model.encode(PREFILL)
    except InvalidInput:
        return f"This model has no token that is {PREFILL} alone, so it can't be given."
    return ""


def own_study(
    spec: StudySpec, constraint: ConstraintSpec, opened: Opened, automaton: TokenAutomaton
) -> Study:
    """The rail's own problem, over and over: draw i is run 0 of the seed that is i further."""
    judges = Judges(
        lambda output: mask_verdict(automaton, output)["status"] == "valid",
        schema_of(constraint, schema_text(constraint)),
    )

    def reseeded(index: int) -> Opened:
        sampling = opened.problem.sampling
        seed = (sampling.seed + index) % 2**53
        own = sampling.model_copy(update={"seed": seed})
        problem = replace(opened.problem, sampling=own, attempts=spec.attempts)
        return replace(opened, problem=problem)

    prompts = tuple(item.prompt for item in spec.items)
    accepts = accepts_of(spec, constraint)
    return Study(spec, spec.items, constraint, prompts, judges, accepts, reseeded)
