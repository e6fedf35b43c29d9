"""What the language model's own scores of a record's fields come to."""

import math
from dataclasses import dataclass
from typing import Final, Literal

from playground.exact.interval import Interval
from playground.fields.option_tree import OptionMass

Mode = Literal["parallel", "autoregressive"]
LENGTH_WARNING: Final = (
    "The mean log p of a token is no probability: it rewards a long option whose later tokens "
    "follow by themselves. The sum is what the model says."
)


@dataclass(frozen=True, slots=True)
class FieldScore:
    """What is proved about one field, now."""

    name: str
    position: int
    """In the record type."""
    beginning: str
    """The answer before the value, as it was given to the model."""
    options: tuple[OptionMass, ...]
    """In the field's order; those that earlier decisions rule out are left out."""
    none_of_these: Interval
    """1 - Z: mass of everything else."""
    entropy: Interval
    """Of p_V, bits."""
    margin: Interval
    """p_V of the likeliest option less the next."""
    status: Literal["exact", "bounded"]
    """exact: nothing is open, the intervals hold rounding alone."""
    stopped: str | None
    """Why the search ended; None while it goes on."""
    rows: int
    """Distinct prefixes read."""
    passes: int
    """Batches of them, one after another."""
    seconds: float
    note: str
    """How ranges and absent values were asked for; empty else."""

    @property
    def law(self) -> tuple[Interval, ...]:
        """p_V of `options`."""
        return tuple(option.conditional for option in self.options)

    @property
    def best(self) -> OptionMass:
        """The option with the largest p_V, by the middle of its bounds."""
        return max(self.options, key=lambda option: option.conditional.middle)

    @property
    def proved(self) -> bool:
        """No other option can be likelier than `best`."""
        best = self.best
        return all(x is best or x.conditional.upper <= best.conditional.lower for x in self.options)

    @property
    def length_normalised(self) -> tuple[float, ...] | None:
        """exp of the mean log p per token of each option, normalised; None while an option has no
        spelling found. See LENGTH_WARNING."""
        scores = [math.exp(option.per_token) for option in self.options]
        if not all(option.tokens for option in self.options) or not sum(scores):
            return None
        return tuple(score / sum(scores) for score in scores)

    @property
    def flipped(self) -> OptionMass | None:
        """The option that length normalisation would choose instead of `best`, if any."""
        scores = self.length_normalised
        if scores is None:
            return None
        chosen = self.options[max(range(len(scores)), key=scores.__getitem__)]
        return None if chosen is self.best else chosen


@dataclass(frozen=True, slots=True)
class RecordScore:
    """The fields scored so far; the last one may be under way."""

    mode: Mode
    fields: tuple[FieldScore, ...]
    """In the order in which they were asked."""
    indices: tuple[int, ...] | None
    """(F,) the likeliest options in the type's order; None until all fields are there."""
    allowed: bool | None
    """The type allows them together: parallel fields don't see each other. None until then."""
    decoding_steps: int | None
    """Tokens of the decided record as JSON and its end: what generating it takes, one after
    another. None until then, and where the model can't spell it."""
    finished: bool

    @property
    def passes(self) -> int:
        """Batches read one after another."""
        return sum(field.passes for field in self.fields)

    @property
    def rows(self) -> int:
        """Distinct prefixes read, summed over the fields."""
        return sum(field.rows for field in self.fields)

    @property
    def counted(self) -> str:
        """The work in words."""
        options = sum(len(field.options) for field in self.fields)
        said = f"Scored {options} options in {self.passes} passes"
        if self.decoding_steps is None:
            return f"{said}."
        return f"{said}; writing the record takes {self.decoding_steps} decoding steps."


@dataclass(frozen=True, slots=True)
class Moved:
    """How far setting field `a` moves the law of field `b`."""

    a: str
    b: str
    given: FieldScore
    """Of `a`."""
    laws: tuple[FieldScore, ...]
    """Of `b` after each option of `a` so far, in order."""
    marginal: tuple[Interval, ...] | None
    """p_V of b's options after a: its laws, mixed by p_V of a. None until all are there."""
    tv: tuple[Interval, ...] | None
    """For each option of a: total variation of b's law from `marginal`."""
    mean: Interval | None
    """Of `tv` under p_V of a."""
