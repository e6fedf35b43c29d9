"""What a visitor asks for, whole: the one document that a page, a link and the command line share."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from playground.constraints.spec import ConstraintSpec, Markers
from playground.decoding.sampling import Sampling
from playground.errors import InvalidInput
from playground.models.toy import ToySpec

MAX_PROMPT = 20_000
"""Longest prompt accepted, characters."""
MAX_PREFILL = 100
"""Longest beginning of an answer that is given, characters."""
MAX_TOKENS = 1024
"""Longest run accepted, tokens."""


class ProblemSpec(BaseModel):
    """Model, prompt, constraint and sampling, as typed. Equal specs give equal numbers."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str = Field(default="toy:sky", max_length=200)
    """`toy:<name>` or a name of the operator's list."""
    toy: ToySpec | None = None
    """An edited toy; it then takes the place of `model`."""
    prompt: str = Field(default="", max_length=MAX_PROMPT)
    chat: bool = True
    """One user message through the chat template; else the bare text."""
    heal: bool = False
    """The bare prompt's last token is taken off and its bytes are put before every valid text, so
    that the model may cut that boundary in its own way."""
    constraint: ConstraintSpec = ConstraintSpec()
    sampling: Sampling = Sampling()
    method: Literal["masked", "unconstrained", "json-mode", "think"] = "masked"
    """How the Step screen draws; other screens name their methods themselves."""
    prefill: str = Field(default="", max_length=MAX_PREFILL)
    """What a free answer begins with, unasked; retry gives it to its first attempt."""
    attempts: int = Field(default=3, ge=1, le=10)
    """Most runs of retry at one answer."""
    markers: Markers = Markers()
    """Between which think-then-constrain masks."""
    max_tokens: int = Field(default=64, ge=1, le=MAX_TOKENS)
    watch: tuple[int, ...] = Field(default=(), max_length=16)
    """Token ids that are always shown."""

    @property
    def on_toy(self) -> bool:
        """Its model is a toy's table, edited or not: exact, and its rows cost nothing."""
        return self.toy is not None or self.model.startswith("toy:")


def parse_problem(document: Any) -> ProblemSpec:
    """The spec in `document`, which comes from a browser and is trusted in nothing.

    Raises:
        InvalidInput: naming the field, what is wrong with it and its value.
    """
    if isinstance(document, dict) and document.get("toy") is not None:
        document = {**document, "toy": ToySpec.read(document["toy"])}
    try:
        return ProblemSpec.model_validate(document)
    except ValidationError as error:
        raise invalid(error) from None


LABELS = {
    "methods": "list of methods",
    "sampling.temperature": "temperature",
    "sampling.top_k": "top-k",
    "sampling.top_p": "top-p",
    "sampling.seed": "seed",
    "max_tokens": "max tokens",
    "constraint.source": "constraint",
    "source": "constraint",
}


def invalid(error: ValidationError) -> InvalidInput:
    """The first problem of a pydantic error, as a sentence with its place and what to do."""
    first = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    label = LABELS.get(place, place or "input")
    value, context = first.get("input"), first.get("ctx", {})
    shown = ", ".join(map(str, value)) if isinstance(value, tuple | list) else repr(value)
    shown = shown if len(shown) <= 60 else shown[:57] + "..."
    match first["type"]:
        case "string_too_long":
            what = f"The {label} has {len(str(value)):,} characters"
            hint = f"At most {context['max_length']:,} are accepted: shorten it."
        case "too_long":
            what = f"There are {context['actual_length']} entries in {label}"
            hint = f"At most {context['max_length']} are accepted: take some out."
        case "greater_than_equal" | "greater_than" | "less_than_equal" | "less_than" as bound:
            ((_, limit),) = context.items()
            side = "at most" if bound.startswith("less") else "at least"
            side = side if bound.endswith("equal") else {"at most": "below"}.get(side, "above")
            what, hint = f"The {label} is {shown}", f"It must be {side} {limit:,}."
        case "extra_forbidden":
            what, hint = f"There is no setting called {label}", "Leave it out."
        case "literal_error":
            what, hint = f"The {label} is {shown}", f"It must be {context['expected']}."
        case "string_unicode":
            what, hint = f"The {label} has half a character in it", "Take the lone surrogate out."
        case "missing":
            what, hint = f"The {label} is missing", "Give it a value."
        case _:
            message = first["msg"].removeprefix("Value error, ").rstrip(".")
            what, hint = f"The {label} is {shown}", f"{message}."
    return InvalidInput(f"{what}.", hint, label)
