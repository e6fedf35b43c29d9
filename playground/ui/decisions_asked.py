"""What the Decisions screen may ask for, read strictly."""

import base64
import binascii
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from playground.constraints.spec import MAX_SOURCE, ConstraintSpec
from playground.decisions import LONGEST
from playground.errors import InvalidInput
from playground.fields.head_spec import TrainingSpec
from playground.fields.record_type import RecordType
from playground.fields.ticket import country_currency, ticket

MOST_HEAD = 2_000_000
"""Longest head file that a browser may send, base64 characters: the body's limit leaves no more."""
MOST_TABLE = 100
"""Most tickets of a comparison in the browser."""
TYPES = ("ticket", "country-currency", "own")

Name = Literal["ticket", "country-currency", "own"]
Names = Annotated[tuple[Annotated[str, Field(max_length=500)], ...], Field(max_length=64)]


class _Asked(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class FieldCosts(_Asked):
    """What mistakes in one field cost."""

    costs: list[Annotated[list[float], Field(max_length=64)]] = Field(max_length=64)
    """Row the true option, column the decided one."""
    abstain: float = Field(default=0.3, ge=-1e6, le=1e6)


class _Typed(_Asked):
    """A task about records of a built-in type, or of a visitor's own schema."""

    type: Name = "own"
    schema_text: str = Field(default="", alias="schema", max_length=MAX_SOURCE)

    def record_type(self) -> RecordType:
        """What its records are.

        Raises:
            InvalidInput: the visitor's own schema isn't one of closed fields.
        """
        from playground.fields.schema import record_type_of  # jsonschema is slow to import

        if self.type == "own":
            return record_type_of(ConstraintSpec(kind="schema", source=self.schema_text))
        return ticket() if self.type == "ticket" else country_currency()


class Check(_Asked):
    """Is this schema one of closed fields?"""

    task: Literal["check"]
    schema_text: str = Field(alias="schema", max_length=MAX_SOURCE)


class Train(_Typed):
    """Train a head on the built-in tickets, or widen one and fine-tune it."""

    task: Literal["train"]
    size: int = Field(default=500, ge=10, le=2_000)
    """Training tickets that are used, a fifth of them as dev."""
    spec: TrainingSpec = TrainingSpec()
    widen: str | None = Field(default=None, max_length=MOST_HEAD)
    """Base64 of a head whose type had only fewer options."""

    def sized(self) -> TrainingSpec:
        """The spec with `size`."""
        return _sized(self.spec, self.size)


class Decide(_Typed):
    """Decide one text by a head."""

    task: Literal["decide"]
    text: str = Field(max_length=LONGEST)
    head: str | None = Field(default=None, max_length=MOST_HEAD)
    """Base64 of a file; None: the recorded head."""


class Score(_Typed):
    """Have the language model score the options of every field."""

    task: Literal["score"]
    text: str = Field(max_length=LONGEST)
    mode: Literal["parallel", "autoregressive"] = "parallel"
    order: Names = ()
    normalised: bool = False


class Explain(_Asked):
    """Generate the free texts of an own schema after its typed fields were decided."""

    task: Literal["explain"]
    schema_text: str = Field(alias="schema", max_length=MAX_SOURCE)
    """The whole schema, free texts included."""
    text: str = Field(max_length=LONGEST)
    choices: Annotated[tuple[int, ...], Field(max_length=64)]
    """The option that was decided for each typed field."""


class Evaluate(_Typed):
    """Measure a head on the test tickets."""

    task: Literal["evaluate"]
    head: str | None = Field(default=None, max_length=MOST_HEAD)
    n: int = Field(default=100, ge=1, le=500)
    """Test tickets, and at most as many of the head's dev."""
    costs: dict[Annotated[str, Field(max_length=100)], FieldCosts] | None = Field(
        default=None, max_length=16
    )
    """By field; one unit for any mistake where there is none."""


class Table(_Asked):
    """Compare heads with generation on the first test tickets."""

    task: Literal["table"]
    n: int = Field(default=12, ge=1, le=MOST_TABLE)
    size: int = Field(default=500, ge=10, le=2_000)
    """Training tickets that its heads read, a fifth of them as dev."""

    def sized(self) -> TrainingSpec:
        """How its heads are trained."""
        return _sized(TrainingSpec(), self.size)


Asked = Check | Train | Decide | Score | Explain | Evaluate | Table
_ADAPTER: TypeAdapter[Asked] = TypeAdapter(Annotated[Asked, Field(discriminator="task")])


def _sized(spec: TrainingSpec, size: int) -> TrainingSpec:
    dev = size // 5
    return spec.model_copy(update={"train": size - dev, "dev": dev})


def asked_task(document: Any) -> Asked:
    """The task of a request.

    Raises:
        InvalidInput: naming the field, what is wrong with it and its value.
    """
    try:
        return _ADAPTER.validate_python(document)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        where = ".".join(map(str, first["loc"][1:] or first["loc"] or ("task",)))[:100]
        raise InvalidInput(
            f"The request can't be read: {first['msg']}.", "Reload the page.", where
        ) from None


def file_of(text: str) -> bytes:
    """The bytes of a head file that a browser sends.

    Raises:
        InvalidInput: they aren't base64.
    """
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise InvalidInput(
            "The head's file can't be read.", "Choose a .safetensors file saved here.", "head"
        ) from None
