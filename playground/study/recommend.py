"""What to use, by the rule of thumb on q, within a budget."""

from typing import Literal

from playground.exact.estimates import LEVEL
from playground.study.labels import label_of
from playground.study.levels import Budget, attempts_that_fit
from playground.study.method_summary import MethodSummary
from playground.study.readings import Rate, Reading
from playground.study.reasons import (
    PARALLEL,
    THRESHOLD,
    Reason,
    contrasts,
    of_alarms,
    of_given_up,
    of_json_mode,
    of_parallel,
    of_q,
    of_rejection,
    of_right,
    of_size,
)
from playground.study.summary import Summary

MOST_PROMPTS = 1_000_000
"""Prompts beyond which no study is planned."""

Side = Literal["above", "below", "undecided"]
Choice = Literal["parallel", "constrain", "cars", "undecided", "none"]
CHOICES: dict[Choice, str] = {
    "parallel": f"{PARALLEL} samples side by side, each validated in full",
    "constrain": "Constrained decoding",
    "cars": "cars: exact draws from p_V by rejection that learns",
    "undecided": "Not decided yet; constrain until it is",
    "none": "No method that writes token by token fits the budget",
}


class Recommendation(Reading):
    """A choice with its reasons: a rule of thumb, not a proof."""

    choice: Choice
    title: str
    reasons: tuple[Reason, ...]
    q: Rate | None
    judge: str | None
    """The V that q is about."""
    more_prompts: int | None
    """Prompts that would have to be added for q's interval to leave the threshold, if its share
    stayed as it is; None where it has left it, or none would do."""


def recommend(summary: Summary, budget: Budget | None = None) -> Recommendation:
    """The choice for a study's schema and model.

    q's interval wholly above the threshold: samples side by side. Wholly below: constrain, or cars
    where constrained answers are significantly less often right. A choice that doesn't fit the
    budget gives way to constrained decoding, that to none.

    Args:
        budget: what one answer may take; None: all it needs.
    """
    budget = budget or Budget()
    q = summary.q
    side = side_of(q.rate) if q else "undecided"
    more = more_prompts(q.rate) if q else None
    choice, why = _choice(side, summary, budget)
    reasons = [of_q(q, side, more), *of_size(summary), *of_parallel(summary)]
    reasons += of_rejection(q.rate) if q and side == "below" else []
    reasons += [*of_given_up(summary), *_of_retries(summary, budget), *why]
    reasons += [*of_json_mode(summary), *of_right(summary), *of_alarms(summary)]
    return Recommendation(
        choice=choice,
        title=CHOICES[choice],
        reasons=tuple(reasons),
        q=q.rate if q else None,
        judge=q.judge if q else None,
        more_prompts=more,
    )


def side_of(rate: Rate) -> Side:
    """Where the whole interval lies of THRESHOLD."""
    if rate.lower is not None and rate.lower > THRESHOLD:
        return "above"
    return "below" if rate.upper is not None and rate.upper < THRESHOLD else "undecided"


def more_prompts(rate: Rate) -> int | None:
    """The fewest prompts more with which the interval would leave THRESHOLD if the share stayed the
    same; None if it has left it, if the share is THRESHOLD itself, or beyond MOST_PROMPTS in all.
    A share that n prompts can't have exactly is taken as it is, between two counts."""
    if rate.value is None or side_of(rate) != "undecided" or not _decides(rate.value, MOST_PROMPTS):
        return None
    low, high = rate.n, MOST_PROMPTS
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _decides(rate.value, middle) else (middle, high)
    return high - rate.n


def _decides(share: float, n: int) -> bool:
    """Clopper-Pearson's interval for share·n of n leaves THRESHOLD out."""
    from scipy.special import betainc

    count = share * n
    if share > THRESHOLD:
        tail = betainc(count, n - count + 1, THRESHOLD)
    else:
        tail = betainc(n - count, count + 1, 1 - THRESHOLD)
    return bool(tail < (1 - LEVEL) / 2)


def _choice(side: Side, summary: Summary, budget: Budget) -> tuple[Choice, list[Reason]]:
    """The first choice that fits, and why those before it don't."""
    if side == "undecided":
        return "undecided", []
    wanted: list[Choice] = ["parallel"] if side == "above" else []
    if side == "below" and any(each.constrained_is_worse for each in contrasts(summary)):
        wanted = ["cars"]
    reasons = list[Reason]()
    for choice in (*wanted, "constrain"):
        too_much = _too_much(choice, summary, budget)
        if too_much is None:
            return choice, reasons
        reasons.append(too_much)
    return "none", reasons


def _needs(choice: Choice, summary: Summary, budget: Budget) -> tuple[float | None, float]:
    """Milliseconds and calls of an answer in the mean; None where the study can't tell."""
    free, calls = _measured(summary, summary.q.label if summary.q else ""), 1.0
    steps = free.steps.mean if free else None
    if choice == "parallel":
        calls = PARALLEL
    elif choice == "constrain":
        steps = next((m.steps.mean for m in summary.methods if _masks(m)), steps)
    elif choice == "cars":
        cars = _measured(summary, "cars")
        # Where it wasn't run: a retry is the least that it takes when an attempt fails.
        steps = cars.steps.per_valid if cars else steps and 2 * steps
        calls = cars.attempts.per_valid or 2 if cars else 2
    return None if steps is None else budget.attempt_ms(steps), calls


def _measured(summary: Summary, label: str) -> MethodSummary | None:
    return next((each for each in summary.methods if each.label == label and each.draws), None)


def _masks(method: MethodSummary) -> bool:
    return bool(method.draws) and label_of(method.label).method.target == "masked"


def _too_much(choice: Choice, summary: Summary, budget: Budget) -> Reason | None:
    """Why a choice doesn't fit; None where it does."""
    ms, calls = _needs(choice, summary, budget)
    if budget.ms is not None and ms is not None and ms > budget.ms:
        text = f"{CHOICES[choice]} takes about {ms:,.0f} ms; the budget has {budget.ms:,.0f} ms."
        return Reason(text=text, numbers={"ms": ms, "budget ms": budget.ms})
    if budget.calls is not None and calls > budget.calls:
        text = f"{CHOICES[choice]} takes about {calls:.3g} calls; the budget has {budget.calls}."
        return Reason(text=text, numbers={"calls": calls, "budget calls": budget.calls})
    return None


def _of_retries(summary: Summary, budget: Budget) -> list[Reason]:
    """How many attempts one after another the latency allows."""
    free = _measured(summary, summary.q.label if summary.q else "")
    if budget.ms is None or free is None or free.steps.mean is None:
        return []
    steps, one = free.steps.mean, budget.attempt_ms(free.steps.mean)
    fit = attempts_that_fit(one, budget.ms)
    if fit is None:
        return []
    says = "latency rules out retries" if fit < 2 else f"{fit} attempts fit one after another"
    text = (
        f"One attempt takes {steps:.1f} steps in the mean, {one:,.0f} ms at "
        f"{budget.ms_per_step:g} ms a step; in {budget.ms:,.0f} ms, {says}."
    )
    said = {"steps": steps, "attempt ms": one, "budget ms": budget.ms, "fit": fit}
    return [Reason(text=text, numbers=said)]
