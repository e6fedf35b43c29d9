"""What a study is asked to do: the whole of it, so that equal specs give equal tables."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from playground.constraints.spec import ConstraintSpec, Markers
from playground.decoding.sampling import Sampling
from playground.study.labels import label_of
from playground.study.prompts.base import Item

MOST_ITEMS = 2_500
"""Most prompts of a study."""
MOST_DRAWS = 100
"""Most draws of a method at one prompt."""

Valid = Literal["schema", "salvaged", "language"]


class StudySpec(BaseModel):
    """Prompts, a constraint, methods and sampling."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str = Field(default="smollm2", max_length=200)
    prompts: str = Field(default="builtin:tickets", max_length=200)
    """`builtin:<set>`, or a name for `items`."""
    items: tuple[Item, ...] = Field(default=(), max_length=MOST_ITEMS)
    """A visitor's own prompts; then `prompts` only names them."""
    split: Literal["train", "test", "all"] = "test"
    """Of a built-in set."""
    n: int = Field(default=50, ge=1, le=MOST_ITEMS)
    """Prompts, the first of them in the set's order."""
    constraint: ConstraintSpec | None = None
    """None: the built-in set's own schema."""
    hints: tuple[str, ...] = Field(default=(), max_length=8)
    """Sentences of the built-in set that are added to its instruction, by name."""
    instruction: str | None = Field(default=None, max_length=8_000)
    """How an item is put to the model, with `{input}`; the set's own if None, for `items` the text
    alone."""
    show_schema: bool = False
    """Put the schema's text into the prompt as well."""
    chat: bool = True
    methods: tuple[str, ...] = Field(default=("ask", "strict", "parallel-3"), max_length=16)
    """Labels: see `labels.label_of`."""
    draws: int = Field(default=1, ge=1, le=MOST_DRAWS)
    """Of each method at each prompt."""
    valid: Valid = "schema"
    """Which V an output must be in: the whole JSON Schema; that after salvage; the mask's language."""
    salvage: bool = True
    """retry and prefill judge after salvage, as the fallback of a program does."""
    sampling: Sampling = Sampling()
    max_tokens: int = Field(default=64, ge=1, le=1024)
    attempts: int = Field(default=3, ge=1, le=10)
    markers: Markers = Markers()
    yes: bool = False
    """Ask the model of each valid answer whether it is right, and note its p(yes)."""
    exact_rows: int = Field(default=0, ge=0, le=5_000)
    """Rows that bounding Z and TV may read at each prompt; 0: not asked."""

    def judge_of(self, name: str, has_schema: bool) -> Valid:
        """Which V decides about the outputs of a label: a retry is judged after salvage where that
        is asked for and there is a schema to judge by."""
        retried = label_of(name).method.name == "retry"
        return "salvaged" if self.salvage and has_schema and retried else self.valid

    @field_validator("methods")
    @classmethod
    def _known(cls, labels: tuple[str, ...]) -> tuple[str, ...]:
        for label in labels:
            label_of(label)
        if not labels:
            raise ValueError("Name at least one method")
        return tuple(dict.fromkeys(labels))
