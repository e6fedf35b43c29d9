"""What a head is and how it is trained, as frozen data: nothing of torch is imported to ask."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from playground.errors import InvalidInput

Pooling = Literal["mean", "last", "attention"]
HeadKind = Literal["factorised", "chained", "joint"]
Names = Annotated[tuple[str, ...], Field(max_length=64)]


class HeadSpec(BaseModel):
    """The shape of a head over a record type.

    factorised: every field is decided from the state alone.
    chained: the fields in `order` are decided one after another, each given those before it; the
        fields outside `order` come last, each given all those in it, independently of one another.
    joint: one softmax over the allowed combinations of the fields in `joint`, renormalised once;
        the other fields are factorised.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: HeadKind = "factorised"
    pooling: Pooling = "mean"
    order: Names = ()
    """Of a chained head; empty: the first field."""
    joint: Names = ()
    """Of a joint head; empty: the first two fields."""
    hidden: int = Field(default=0, ge=0, le=1024)
    """Width of one layer of rectified units before the outputs; 0: none, every logit is linear."""
    dropout: float = Field(default=0.0, ge=0, le=0.9)
    """Share of the state's entries that are set to 0 in a training step."""


class TrainingSpec(BaseModel):
    """How a head is trained: the same spec, labels and states give the same weights."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    head: HeadSpec = HeadSpec()
    train: int = Field(default=1600, ge=1, le=100_000)
    """Examples that the weights are fitted to."""
    dev: int = Field(default=400, ge=1, le=100_000)
    """Examples, cut from the same set and never trained on, that say when to stop."""
    epochs: int = Field(default=60, ge=1, le=1000)
    """At most."""
    patience: int = Field(default=8, ge=1, le=1000)
    """Epochs without a lower dev loss before training ends."""
    rate: float = Field(default=1e-3, gt=0, le=1)
    """Learning rate of AdamW, constant."""
    decay: float = Field(default=0.01, ge=0, le=10)
    """Weight decay of AdamW, decoupled (arXiv:1711.05101)."""
    batch: int = Field(default=64, ge=1, le=4096)
    seed: int = Field(default=0, ge=0, lt=2**63)
    """Of the first weights, the order of the examples and, without a `cut_seed`, the cut."""
    cut_seed: int | None = Field(default=None, ge=0, lt=2**63)
    """Of the cut into train and dev where that is another's: of a head that is fine-tuned, the one
    that it was first trained with."""


def require_trainable(spec: TrainingSpec, n: int) -> None:
    """Refuses what training on `n` tickets can't follow.

    Raises:
        InvalidInput: the spec asks for more tickets, or for a joint softmax over one field.
    """
    if spec.train + spec.dev > n:
        raise InvalidInput(
            f"{spec.train:,} tickets to train on and {spec.dev:,} of dev are more than the {n:,} "
            "training tickets that there are.",
            f"Ask for at most {n:,}, both together.",
            "train",
        )
    if spec.head.kind == "joint" and len(spec.head.joint) == 1:
        raise InvalidInput(
            "A joint softmax is over two fields or more.", "Name another one.", "joint"
        )
