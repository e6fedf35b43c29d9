"""Sentences about a study, each with the numbers that it rests on."""

from dataclasses import dataclass

from pydantic import Field

from playground.study.labels import MOST_ATTEMPTS, label_of
from playground.study.levels import some_valid
from playground.study.readings import Paired, Rate, Reading
from playground.study.summary import Q, Summary

THRESHOLD = 0.8
"""The rule: q above it, samples side by side; below it, constrain."""
PARALLEL = 3
"""Samples side by side."""
SIGNIFICANT = 0.05


class Reason(Reading):
    """A sentence, and the numbers behind it by name."""

    text: str
    numbers: dict[str, float] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class Contrast:
    """Who of constrained decoding (a) and draws from p_V (b) is right, where both are valid and the
    gold answer is known."""

    constrained: str
    conditional: str
    found: Paired
    tests: int
    """Contrasts of the study, for which significance allows (Bonferroni)."""

    @property
    def significant(self) -> bool:
        """The difference is more than chance would leave in one study of twenty."""
        return self.found.p is not None and self.found.p * self.tests < SIGNIFICANT

    @property
    def constrained_is_worse(self) -> bool:
        """Significantly less often right."""
        return self.significant and self.found.only_b > self.found.only_a


def contrasts(summary: Summary) -> list[Contrast]:
    """Those of a study, in the order of its disagreements."""
    by_labels = {(pair.a, pair.b): pair.right_when_valid for pair in summary.pairs}
    out = []
    for each in summary.disagreements:
        labels = (each.constrained, each.conditional)
        found = by_labels.get(labels)
        if found is None and (other := by_labels.get(labels[::-1])) is not None:
            found = other.turned()
        if found is not None and found.n:
            out.append((*labels, found))
    return [Contrast(*each, tests=len(out)) for each in out]


def of_q(q: Q | None, side: str, more: int | None) -> Reason:
    """What is known of q, and whether that decides."""
    if q is None:
        text = "q is not measured: 0 unconstrained outputs. Add ask to the methods."
        return Reason(text=text, numbers={"outputs": 0})
    says = {"above": "all above", "below": "all below"}.get(side, "on both sides of")
    text = (
        f"q: {q.rate.count} of {q.rate.n} outputs of {q.label} are valid (V: {q.judge}), 95 % "
        f"interval {ends(q.rate)}, {says} {percent(THRESHOLD)}."
    )
    if more is not None:
        text += f" About {more:,} prompts more would decide, if the share stays as it is."
    added = {} if more is None else {"more prompts": more}
    return Reason(text=text, numbers=numbers(q.rate) | added)


def of_size(summary: Summary) -> list[Reason]:
    """That there are few prompts."""
    if not summary.small:
        return []
    text = f"There are only {summary.prompts} prompts: read the intervals, not the means."
    return [Reason(text=text, numbers={"prompts": summary.prompts})]


def of_parallel(summary: Summary) -> list[Reason]:
    """What several samples give: by q if it were the same everywhere, and as measured."""
    reasons = []
    rate = summary.q.rate if summary.q else None
    if rate is not None and rate.lower is not None and rate.upper is not None:
        low, high = (some_valid(end, PARALLEL) for end in (rate.lower, rate.upper))
        text = (
            f"If q were the same at every prompt, {PARALLEL} samples would hold a valid one with a "
            f"chance of {percent(low)} to {percent(high)}; where it differs, with less."
        )
        reasons.append(
            Reason(text=text, numbers={"samples": PARALLEL, "lower": low, "upper": high})
        )
    for method in summary.methods:
        valid = method.valid
        if label_of(method.label).method.name == "first-valid" and valid.lower is not None:
            text = (
                f"Measured, {method.label} gave a valid answer in {valid.count} of {valid.n} cases "
                f"({ends(valid)})."
            )
            reasons.append(Reason(text=text, numbers=numbers(valid)))
    return reasons


def of_rejection(q: Rate) -> list[Reason]:
    """What plain rejection costs; nothing is said of an unknown q."""
    if q.lower is None or not q.upper:
        return []
    attempts = {"least attempts": 1 / q.upper}
    text = f"Plain rejection takes at least {1 / q.upper:.1f} attempts an answer in the mean"
    if q.lower:
        attempts["most attempts"] = 1 / q.lower
        text += f", and at most {1 / q.lower:,.1f} if q is the same at every prompt"
    text += ": constrain, or draw by cars where the law of the answers matters."
    return [Reason(text=text, numbers=attempts)]


def of_given_up(summary: Summary) -> list[Reason]:
    """Where a method that goes on until it has a valid answer gave up."""
    return [
        Reason(
            text=f"{method.label} gave up at {gave_up.count} of {gave_up.n} draws, each after "
            f"{MOST_ATTEMPTS} attempts without a valid answer: its answers are those where it did not.",
            numbers={"count": gave_up.count, "n": gave_up.n, "attempts": MOST_ATTEMPTS},
        )
        for method in summary.methods
        if (gave_up := method.categories.get("gave_up")) and gave_up.count
    ]


def of_json_mode(summary: Summary) -> list[Reason]:
    """That JSON is not yet the schema's."""
    reasons = []
    for method in summary.methods:
        syntax, schema = method.by_judge["syntax"], method.by_judge["schema"]
        json_mode = label_of(method.label).method.name == "json-mode"
        if json_mode and syntax is not None and schema is not None and syntax.n:
            text = (
                f"JSON mode gave JSON in {syntax.count} of {syntax.n} outputs, and what the schema "
                f"accepts in {schema.count}: add the schema check."
            )
            said: dict[str, float] = {"JSON": syntax.count, "schema": schema.count, "n": syntax.n}
            reasons.append(Reason(text=text, numbers=said))
    return reasons


def of_right(summary: Summary) -> list[Reason]:
    """That valid is not right."""
    if not summary.gold:
        text = "Whether valid answers are right isn't known: 0 prompts have a gold answer."
        return [Reason(text=text, numbers={"gold": 0})]
    reasons = [
        Reason(
            text=f"Valid is not right: of the valid answers of {method.label}, {rate.count} of "
            f"{rate.n} are right{f' ({ends(rate)})' if rate.lower is not None else ''}.",
            numbers=numbers(rate),
        )
        for method in summary.methods
        if (rate := method.right_when_valid).n
    ]
    return [*reasons, *(of_contrast(each) for each in contrasts(summary))]


def of_contrast(contrast: Contrast) -> Reason:
    """Whether constrained decoding is right less often or more often than draws from p_V."""
    found, a, b = contrast.found, contrast.constrained, contrast.conditional
    among = f", one of {contrast.tests} tests" if contrast.tests > 1 else ""
    verdict = "how often they are right differs" if contrast.significant else "not significant"
    text = (
        f"At the {found.n} prompts where {a} and {b} are both valid, {a} alone is right at "
        f"{found.only_a} and {b} alone at {found.only_b} (p = {found.p:.2g}{among}): {verdict}."
    )
    said = {"n": found.n, "only constrained": found.only_a, "only conditional": found.only_b}
    return Reason(text=text, numbers=said | {"p": found.p or 0.0, "tests": contrast.tests})


def of_alarms(summary: Summary) -> list[Reason]:
    """Where the model finds its constrained outputs unlikely."""
    return [
        Reason(
            text=f"The model finds the outputs of {alarm.constrained} {alarm.drop.mean:.2f} nats a "
            f"token less likely than those of {alarm.free}, over {alarm.drop.n} prompts: a sign of "
            "answers that it didn't want to give.",
            numbers={"nats a token": alarm.drop.mean, "n": alarm.drop.n},
        )
        for alarm in summary.alarms
        if alarm.raised and alarm.drop.mean is not None
    ]


def percent(share: float) -> str:
    """`87.3 %`; digits enough that only 0 and 1 read as 0 and 100, down to 1e-9."""
    away, digits = min(share, 1 - share), 1
    if away == 0:
        return f"{100 * share:.0f} %"
    while digits < 7 and 100 * away < 0.95 * 10**-digits:
        digits += 1
    return f"{100 * share:.{digits}f} %"


def ends(rate: Rate) -> str:
    """The interval of a rate in words; all of [0, 1] where there is none."""
    lower, upper = (
        (0.0, 1.0) if rate.lower is None or rate.upper is None else (rate.lower, rate.upper)
    )
    return f"{percent(lower)} to {percent(upper)}"


def numbers(rate: Rate) -> dict[str, float]:
    """What there is of a rate."""
    bounds = {"lower": rate.lower, "upper": rate.upper}
    known = {name: value for name, value in bounds.items() if value is not None}
    return {"count": rate.count, "n": rate.n, **known}
