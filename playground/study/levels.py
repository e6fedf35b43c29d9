"""The three levels of guarantee as arithmetic: failures, attempts, milliseconds, calls. Exact formulas."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from playground.exact.estimates import draws_for, none_valid
from playground.exact.interval import Interval

LADDER = (0.91, 0.99, 1.0)
"""Valid rates of asking, of asking again and of constraining, for the calculator to begin with."""
MS_PER_STEP = 25.0
"""Milliseconds a decoding step, for the calculator to begin with: 40 steps take a second."""


def fewer_failures(before: float, after: float) -> float:
    """How many times fewer outputs fail at the valid rate `after` than at `before`, both in [0, 1]:
    (1 - before) / (1 - after). inf where none fails any more, 1 where none did before either."""
    _check_rate(before)
    _check_rate(after)
    if after == 1:
        return 1.0 if before == 1 else math.inf
    return (1 - before) / (1 - after)


@dataclass(frozen=True, slots=True)
class Rung:
    """One rate of a ladder."""

    valid: float
    failing: float
    """1 - valid."""
    fewer: float | None
    """Times fewer failures than one rung below; inf: none fails any more; None for the first."""


def ladder(rates: Sequence[float] = LADDER) -> tuple[Rung, ...]:
    """The rates, each in [0, 1], and how many times fewer failures each has than that before it."""
    for each in rates:
        _check_rate(each)
    below = [None, *rates]
    return tuple(
        Rung(each, 1 - each, None if before is None else fewer_failures(before, each))
        for before, each in zip(below, rates, strict=False)
    )


def latency(steps: float, ms_per_step: float = MS_PER_STEP, prefill_ms: float = 0.0) -> float:
    """Milliseconds of one attempt: the prompt is read, then so many steps one after another."""
    if min(steps, ms_per_step, prefill_ms) < 0:
        raise ValueError("steps and milliseconds are at least 0")
    return prefill_ms + steps * ms_per_step


def expected_attempts(q: float) -> float:
    """1 / q: attempts up to the first valid one, in the mean, if they are independent; inf at 0."""
    _check_rate(q)
    return 1 / q if q else math.inf


def some_valid(q: float, n: int) -> float:
    """1 - (1 - q)^n: the chance of at least one valid in `n` independent attempts."""
    return _complement(q, n)


def attempts_for(q: float, chance: float) -> float:
    """The fewest attempts with a valid one at a chance of at least `chance`, below 1; inf at q = 0.

    Raises:
        ValueError: `chance` is not in [0, 1).
    """
    _check_rate(q)
    if not 0 <= chance < 1:
        raise ValueError(f"a chance in [0, 1) is needed, not {chance!r}")
    return draws_for(Interval.point(q), 1 - chance).upper if chance else 0.0


def mean_attempts(q: float, n: int) -> float:
    """(1 - (1 - q)^n) / q: attempts in the mean where the first valid one ends them and the `n`-th
    does so in any case; n at q = 0."""
    valid = _complement(q, n)
    return min(float(n), valid / q) if q else float(n)


def retry_latency(q: float, n: int, attempt_ms: float) -> float:
    """Milliseconds in the mean of up to `n` attempts one after another, each of `attempt_ms`."""
    return mean_attempts(q, n) * attempt_ms


def attempts_that_fit(
    attempt_ms: float, budget_ms: float | None = None, budget_calls: int | None = None
) -> int | None:
    """Most attempts one after another within both budgets; None where neither limits them."""
    limits = list[int]()
    if budget_ms is not None and attempt_ms > 0:
        # 40 x 0.1 ms are 4 ms, not more than 4 ms: floats get a last digit of grace.
        limits.append(math.floor(budget_ms / attempt_ms * (1 + 1e-12)))
    if budget_calls is not None:
        limits.append(budget_calls)
    return min(limits) if limits else None


def reliability(r: Interval, n: int) -> Interval:
    """r^n: the chance that all of `n` independent steps succeed, each with a chance in `r`."""
    return Interval(_all(r.lower, n), _all(r.upper, n))


@dataclass(frozen=True, slots=True)
class Budget:
    """What one answer may take, and how it is reckoned."""

    ms: float | None = None
    """None: as long as it takes."""
    calls: int | None = None
    """Model calls; None: as many as it takes."""
    ms_per_step: float = MS_PER_STEP
    prefill_ms: float = 0.0

    def attempt_ms(self, steps: float) -> float:
        """Milliseconds of one attempt of `steps` steps."""
        return latency(steps, self.ms_per_step, self.prefill_ms)


@dataclass(frozen=True, slots=True)
class Plan:
    """A level within a budget."""

    level: str
    """`1`, `1.5`, `2`, `3`, or `parallel` for runs side by side."""
    valid: Interval
    """The chance of a valid answer."""
    mean_calls: Interval
    most_calls: int
    mean_ms: Interval
    most_ms: float
    fits: bool
    """Even where it needs the most."""
    why: str
    """Why it does or doesn't, with the numbers."""


def plans(
    q: Interval,
    steps: float,
    budget: Budget,
    *,
    attempts: int = 3,
    prefilled: Interval | None = None,
    constrained: Interval | None = None,
) -> tuple[Plan, ...]:
    """The levels side by side, reckoned on attempts that are independent and have the same q.

    A retry is told its error and prompts differ, so what was measured goes before what this says.

    Args:
        q: valid rate of one unconstrained output.
        steps: of one output.
        budget: what one answer may take.
        attempts: most of a retry, and the runs side by side.
        prefilled: valid rate with the first token given; None leaves level 1.5 out.
        constrained: valid rate of constrained decoding, below 1 only for outputs that max_tokens
            cuts; None: all end.
    """
    once = Interval.point(1.0)
    retries = Interval(mean_attempts(q.upper, attempts), mean_attempts(q.lower, attempts))
    missed = none_valid(q, attempts)
    several = Interval(1 - missed.upper, 1 - missed.lower)
    rows = [("1", q, once, 1, 1)]
    if prefilled is not None:
        rows.append(("1.5", prefilled, once, 1, 1))
    rows.append(("2", several, retries, attempts, attempts))
    rows.append(("parallel", several, Interval.point(float(attempts)), attempts, 1))
    rows.append(("3", constrained or once, once, 1, 1))
    return tuple(_plan(*row, budget.attempt_ms(steps), budget) for row in rows)


def _plan(
    level: str,
    valid: Interval,
    calls: Interval,
    most: int,
    in_a_row: int,
    attempt_ms: float,
    budget: Budget,
) -> Plan:
    mean = calls if in_a_row > 1 else Interval.point(1.0)
    most_ms = in_a_row * attempt_ms
    why = _why(most, in_a_row, attempt_ms, budget)
    return Plan(
        level,
        valid,
        calls,
        most,
        Interval(mean.lower * attempt_ms, mean.upper * attempt_ms),
        most_ms,
        not why,
        why or f"At most {most_ms:,.0f} ms and {most} calls.",
    )


def _why(most: int, in_a_row: int, attempt_ms: float, budget: Budget) -> str:
    """Which budget is too small; empty where none is."""
    if budget.calls is not None and most > budget.calls:
        return f"It may need {most} calls; the budget has {budget.calls}."
    fit = attempts_that_fit(attempt_ms, budget.ms)
    if fit is None or in_a_row <= fit:
        return ""
    if fit == 0:
        return f"One attempt takes {attempt_ms:,.0f} ms; the budget has {budget.ms:,.0f} ms."
    ruled = "Latency rules out retries: " if fit < 2 else ""
    needed = f"{in_a_row} attempts may take {in_a_row * attempt_ms:,.0f} ms"
    return f"{ruled}{needed}; in {budget.ms:,.0f} ms {fit} would fit."


def _complement(q: float, n: int) -> float:
    """1 - (1 - q)^n, with all its digits for small q."""
    _check_rate(q)
    _check_count(n)
    if q == 1:
        return 1.0 if n else 0.0
    return -math.expm1(n * math.log1p(-q))


def _all(r: float, n: int) -> float:
    _check_rate(r)
    _check_count(n)
    return float(r**n)


def _check_rate(q: float) -> None:
    if not 0 <= q <= 1:
        raise ValueError(f"a rate in [0, 1] is needed, not {q!r}")


def _check_count(n: int) -> None:
    if n < 0:
        raise ValueError(f"a count of at least 0 is needed, not {n!r}")
