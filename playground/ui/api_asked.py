"""What a program may ask by name: the arguments of each endpoint, with type, default and words."""

from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from playground.compare import CompareSpec
from playground.constraints.spec import MAX_SOURCE, ConstraintSpec, Kind, Whitespace
from playground.decisions import LONGEST
from playground.decoding.sampling import MaskOrder
from playground.exact.search import Aim, Budget
from playground.fields.scores import Mode
from playground.problem import MAX_PROMPT, invalid
from playground.record import Document

MOST_DRAWS = 1_000
"""Most draws of a method in one call."""
MOST_ROWS = 4_000
"""Most rows that one call's search may read."""
MOST_SECONDS = 60.0
"""Longest search of one call."""


class Arguments(BaseModel):
    """Of one endpoint. A field's description is what the caller reads of it."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


A = TypeVar("A", bound=Arguments)


class Constrained(Arguments):
    """Names a constraint."""

    kind: Kind = Field(default="free", description="what the constraint is; free: there is none")
    source: str = Field(
        default="",
        max_length=MAX_SOURCE,
        description="the regex; the choices, one a line; the JSON Schema; the Pydantic source, never "
        "run; the grammar; the tool's definition; or the type's name",
    )
    engine: str = Field(
        default="",
        max_length=80,
        description="what compiles it, as bytes, xgrammar or llguidance; empty: bytes, for a grammar auto",
    )
    whitespace: Whitespace = Field(default="one", description="blanks between JSON tokens")

    def constraint(self, source: str | None = None) -> Document:
        """The constraint as a document, or the same of another source."""
        engine = self.engine or ("auto" if self.kind == "grammar" else "bytes")
        return {
            "kind": self.kind,
            "source": self.source if source is None else source,
            "engine": engine,
            "whitespace": self.whitespace,
        }

    def constraint_spec(self, source: str | None = None) -> ConstraintSpec:
        """The constraint, checked.

        Raises:
            InvalidInput: naming the field and what is wrong with it.
        """
        try:
            return ConstraintSpec.model_validate(self.constraint(source))
        except ValidationError as error:
            raise invalid(error) from None


class Posed(Constrained):
    """A problem: model, prompt, constraint and sampling, as the flags of the command line name it.
    Ranges are checked where the problem is."""

    model: str = Field(
        default="toy:sky", description="toy:NAME, or a name of the operator's list, as smollm2"
    )
    prompt: str = Field(default="", description="one user message, or the bare text")
    chat: bool = Field(default=True, description="put the prompt through the chat template")
    temperature: float = Field(default=1.0, description="0 is greedy, else 0.01 to 10")
    top_k: int = Field(default=0, description="keep the k likeliest tokens; 0: off")
    top_p: float = Field(
        default=1.0, description="keep the likeliest tokens up to this mass; 1: off"
    )
    mask_order: MaskOrder = Field(
        default="after-filters", description="where the mask comes in; engines mask before"
    )
    seed: int = Field(default=0, description="equal seeds give equal draws")
    max_tokens: int = Field(default=64, description="longest answer, 1 to 1024, the end counted")
    prefill: str = Field(default="", description="what a free answer begins with")
    attempts: int = Field(
        default=3, description="most runs of the method retry at one answer, 1 to 10"
    )

    def problem(self, **more: Any) -> Document:
        """The problem as a document, with what else the endpoint says of it."""
        plain = ("model", "prompt", "chat", "max_tokens", "prefill", "attempts")
        drawn = ("temperature", "top_k", "top_p", "mask_order", "seed")
        return {
            **{name: getattr(self, name) for name in plain},
            "constraint": self.constraint(),
            "sampling": {name: getattr(self, name) for name in drawn},
            **more,
        }


class Searched(Posed):
    """A problem, and how far the search for its exact law may go."""

    rows: int = Field(
        default=2000, ge=1, le=MOST_ROWS, description="rows of the model that are read at most"
    )
    seconds: float = Field(
        default=30.0, gt=0, le=MOST_SECONDS, description="the search ends then, with what it has"
    )
    tolerance: float = Field(
        default=0.01, ge=0, le=1, description="it ends when the doubt is below; 0: go to the end"
    )


class StepAsked(Posed):
    """Of /step."""

    method: Literal["masked", "unconstrained", "json-mode", "think"] = Field(
        default="masked", description="how the run is drawn"
    )
    run: int = Field(default=0, ge=0, lt=2**31, description="number of the run within the seed")


class FollowAsked(Posed):
    """Of /follow."""

    text: str = Field(
        max_length=MAX_PROMPT, description="taken instead of a draw, up to the first blocked token"
    )


class ExactAsked(Searched):
    """Of /exact."""

    aim: Aim = Field(default="both", description="bound p_V and p~, or Z alone")

    def budget(self) -> Budget:
        """How far the search goes."""
        return Budget(self.rows, self.seconds, self.tolerance, self.aim)


class CompareAsked(Searched):
    """Of /compare."""

    methods: list[str] = Field(
        default=["unconstrained", "masked", "rejection"],
        max_length=32,
        description="names of methods, as masked, rejection, smc or conditional",
    )
    n: int = Field(default=200, ge=1, le=MOST_DRAWS, description="draws of each method")
    accept: Literal["language", "schema", "salvaged", "syntax"] = Field(
        default="language", description="what counts as valid"
    )

    def compare_spec(self) -> CompareSpec:
        """What is compared, checked.

        Raises:
            InvalidInput: naming the field and what is wrong with it.
        """
        own = ("n", "accept", "rows", "seconds", "tolerance")
        asked = {name: getattr(self, name) for name in own}
        try:
            return CompareSpec.model_validate({"methods": tuple(self.methods), **asked})
        except ValidationError as error:
            raise invalid(error) from None


class SchemaAsked(Constrained):
    """Of /schema."""

    source: str = Field(
        max_length=MAX_SOURCE,
        description="the JSON Schema; or, by its kind, the regex, the choices, one a line, the Pydantic "
        "source, never run, the grammar, the tool's definition, or the type's name",
    )
    kind: Kind = Field(default="schema", description="what the constraint is")
    text: str | None = Field(default=None, description="judge this text too")
    formats: bool = Field(default=False, description="the reference judge asserts `format` too")
    against: str | None = Field(
        default=None,
        max_length=MAX_SOURCE,
        description="the source of another constraint of the same kind: what differs",
    )


class LessonsAsked(Arguments):
    """Of /lessons."""


class LessonAsked(Arguments):
    """Of /lesson."""

    slug: str = Field(max_length=100, description="the lesson's, as /lessons lists it")


class DecideAsked(Arguments):
    """Of /decide."""

    text: str = Field(max_length=LONGEST, description="what is decided")
    by: Literal["head", "scores"] = Field(
        default="head",
        description="the recorded head, or the model's own scores of the options, without training",
    )
    schema_text: str = Field(
        default="",
        max_length=MAX_SOURCE,
        description="a JSON Schema of closed fields; empty: the built-in support ticket",
    )
    mode: Mode = Field(
        default="parallel",
        description="by scores: each field from the same prompt, or after the others",
    )
    order: list[str] = Field(
        default=[], max_length=64, description="by scores: the fields that are asked first"
    )


def read(kind: type[A], given: Document) -> A:
    """The arguments of a call, trusted in nothing.

    Raises:
        InvalidInput: naming the argument, what is wrong with it and its value.
    """
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        raise invalid(error) from None
