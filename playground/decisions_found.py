"""What a training, a decision and an evaluation of a head come to."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from playground.fields.calibration import Measured, Scored
from playground.fields.coherence import UNSEEN, Correlation, Incoherence
from playground.fields.law import Estimate
from playground.fields.record_type import Law
from playground.study.readings import Rate

if TYPE_CHECKING:  # torch is slow to import
    from playground.fields.heads import Decision, Head
    from playground.fields.training import Epoch


@dataclass(frozen=True, eq=False, slots=True)
class Trained:
    """How far a training has come."""

    reading: tuple[int, int]
    """Texts read by the model, and of how many."""
    sizes: tuple[int, int]
    """Tickets trained on, and of dev."""
    epochs: tuple["Epoch", ...] = ()
    head: "Head | None" = None
    """The best one, its temperatures fitted on dev: at the end."""
    stopped: bool = False
    seconds: float = 0.0
    """Of training alone."""


@dataclass(frozen=True, eq=False, slots=True)
class Decided:
    """One text, decided."""

    record: dict[str, object]
    decision: "Decision"
    law: Law
    """Over all records."""
    tokens: int
    """That the head has read."""
    truncated: bool
    read_ms: float
    """The pass over the text."""
    head_ms: float
    """The decision, the law left out."""


@dataclass(frozen=True, eq=False, slots=True)
class FieldMeasured:
    """One field on the test tickets."""

    name: str
    accuracy: Rate
    majority: float
    """The share of the option that is commonest among these rows: what always saying it would reach."""
    temperature: float
    before: Measured
    """At temperature 1."""
    after: Measured
    """At the head's own, fitted on dev."""
    scored: Scored
    """Its laws on test at the head's own temperature."""
    dev: Scored | None
    """The same on dev, where it is known which tickets those were."""


@dataclass(frozen=True, eq=False, slots=True)
class Evaluated:
    """A head on the test tickets, whose labels it has never met."""

    n: int
    fields: tuple[FieldMeasured, ...]
    record: Rate
    """All fields right."""
    incoherent: tuple[Incoherence, ...]
    """Of the head's law, used in three ways."""
    dev: int | None = field(kw_only=True)
    """Tickets of the head's dev on which thresholds are chosen; None where it isn't known which."""
    incoherent_means: str = field(default=UNSEEN, kw_only=True)
    decided_incoherent: Estimate = field(kw_only=True)
    """Of what the head decides."""
    gold_incoherent: Estimate = field(kw_only=True)
    """Of the test labels themselves: no method can be asked for less."""
    correlations: tuple[Correlation, ...] = field(kw_only=True)
    """Of every two fields under the head."""
    gold_correlations: tuple[Correlation, ...] = field(kw_only=True)
    """Of the joint laws that the labels were drawn from."""
