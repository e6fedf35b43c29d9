"""What an experiment finds: effects with intervals, and the table of its arms."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from playground.study.reasons import percent

How = Literal["exact", "bounded", "estimated"]
Unit = Literal["share", "TV", "tokens"]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Measure(_Frozen):
    """One number of one arm."""

    name: str
    value: float | None
    """A share is in 0..1; None where there is nothing to count."""
    lower: float | None = None
    upper: float | None = None
    unit: Unit
    how: How
    """Of the value, at the prompts that were asked."""
    interval: str = ""
    """Which interval; empty where there is none. It always speaks of further prompts of this kind."""


class Arm(_Frozen):
    """One way of asking, and what came of it."""

    name: str
    about: str
    measures: tuple[Measure, ...]


class Effect(_Frozen):
    """A difference between two arms at the same prompts."""

    name: str
    value: float
    """A difference of shares in -1..1, a TV, or tokens."""
    lower: float
    upper: float
    unit: Unit
    how: How
    interval: str
    test: str
    p_value: float | None
    """None where no chance is involved."""
    proof: str = ""
    """Why it is 0 for every prompt and every model; empty where nothing is proved."""
    significant: bool
    """The interval leaves out 0, and the p-value is below 0.05 where there is one."""


class Finding(_Frozen):
    """What an experiment ends in."""

    experiment: str
    title: str
    question: str
    model: str
    seed: int
    n: int
    """Prompts asked."""
    effect: Effect
    """What the experiment is about."""
    also: tuple[Effect, ...] = ()
    arms: tuple[Arm, ...]
    sentences: tuple[str, ...]
    command: str
    """Prints it again."""
    seconds: float

    @property
    def significant(self) -> bool:
        """Of the main effect."""
        return self.effect.significant


def number(value: float | None, unit: Unit) -> str:
    """A number for people: shares in per cent."""
    if value is None:
        return "-"
    if unit == "share":
        return percent(value)
    if unit == "TV":
        return f"{value:.3f}" if value >= 0.001 or value == 0 else f"{value:.1e}"
    return f"{value:.1f}"


def difference(effect: Effect) -> str:
    """An effect with its interval for people: differences of shares in points."""
    figures = (effect.value, effect.lower, effect.upper)
    if effect.unit == "TV":
        value, low, high = (number(each, "TV") for each in figures)
        return f"{value} (interval {low} to {high})"
    scale, unit = (100, "points") if effect.unit == "share" else (1, effect.unit)
    value, low, high = (_signed(scale * each) for each in figures)
    return f"{value} {unit} (interval {low} to {high})"


def _signed(value: float) -> str:
    """With a sign and one digit, more where it would read as 0."""
    digits = 1
    while value and digits < 6 and abs(value) < 0.5 * 10**-digits:
        digits += 1
    return f"{value + 0.0:+.{digits}f}".replace("-", "−")


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"= {value:.2g}"


def undecided(effect: Effect) -> bool:
    """Whether its interval leaves out 0 and its test still doesn't reject: neither seen nor not."""
    outside = not effect.lower <= 0 <= effect.upper
    return outside and effect.p_value is not None and not effect.significant


def seen(effect: Effect, n: int, model: str) -> str:
    """What was seen of an effect, in a sentence; where it isn't significant, that nothing was, or that
    the prompts are too few to tell."""
    if effect.proof and not effect.significant:
        return f"{effect.name}: 0, for every prompt and every model, as {effect.proof}."
    p = "" if effect.p_value is None else f", p {_p(effect.p_value)}"
    figures = difference(effect) + p
    if effect.significant:
        return f"{effect.name}: {figures}, n = {n}."
    if undecided(effect):
        return f"{effect.name}: too few prompts to tell with n = {n}: {figures}."
    small = "a 135M model may show none" if model == "smollm2" else "another model may show one"
    return f"{effect.name}: no effect was seen with n = {n}: {figures}; {small}."
