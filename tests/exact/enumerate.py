"""The truth about a small problem, by writing down every run: it shares nothing with the search.

Token sequences are enumerated one by one, texts are matched by the package `regex`, masses are
decimals of 40 digits that can't underflow. No numpy, no automaton, no log domain.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from functools import cached_property
from math import inf
from typing import Any

import regex

from playground.models.toyspec import EOS, ToySpec

DIGITS = Context(prec=40, Emax=MAX_EMAX, Emin=MIN_EMIN)
INFINITE = Decimal("inf")
NOTHING = Decimal(0)
Run = tuple[int, ...]
Scores = list[Decimal | None]
"""Log weights of the next token, nats, not normalised; None where it can't come."""
Law = Callable[[Run], tuple[object, Scores]]
"""A name for the row after some tokens (equal names, equal rows), and the row."""


SECONDS = 2.0
"""Longest match of one text by the reference matcher."""


class Ambiguous(Exception):
    """A filter's edge falls so near a token that rounding decides."""


class TooLarge(Exception):
    """More prefixes than asked for, or a pattern that the reference matcher can't match in time."""


class Matcher:
    """Which texts are prefixes of matches of a pattern, and which are matches."""

    def __init__(self, pattern: str) -> None:
        self._pattern = regex.compile(pattern.encode())
        self._known: dict[bytes, tuple[bool, bool]] = {}

    def __call__(self, text: bytes) -> tuple[bool, bool]:
        """Whether `text` is a prefix of a match, and whether it is one."""
        found = self._known.get(text)
        if found is None:
            try:
                alive = self._pattern.fullmatch(text, partial=True, timeout=SECONDS) is not None
                whole = alive and self._pattern.fullmatch(text, timeout=SECONDS) is not None
            except TimeoutError:  # it backtracks: such a pattern is left out, not waited for
                raise TooLarge from None
            found = (alive, whole)
            self._known[text] = found
        return found


@dataclass
class Truth:
    """Exact laws of one problem. Pairs are masses under p and under p~."""

    runs: dict[Run, tuple[Decimal, Decimal]] = field(default_factory=dict)
    """By tokens after the start, EOS included."""
    spelled: dict[Run, bytes] = field(default_factory=dict)
    texts: dict[bytes, tuple[Decimal, Decimal]] = field(default_factory=dict)
    tokenisations: dict[bytes, int] = field(default_factory=dict)
    through: dict[Run, Decimal] = field(default_factory=dict)
    """Valid mass of the runs that begin with some tokens."""
    reached: dict[Run, Decimal] = field(default_factory=dict)
    """p of every valid prefix."""
    steps: dict[Run, Decimal] = field(default_factory=dict)
    """Z_t after every valid prefix."""
    z: Decimal = NOTHING
    cut: Decimal = NOTHING
    dead: Decimal = NOTHING
    _logs: dict[Decimal, float] = field(default_factory=dict)

    def log(self, mass: Decimal) -> float:
        """Natural logarithm as a float, -inf of 0; kept."""
        if mass not in self._logs:
            self._logs[mass] = float(DIGITS.ln(mass)) if mass else -inf
        return self._logs[mass]

    def log_through(self, run: Run) -> float | None:
        """log of the valid mass through `run`, nats; None where it is no valid prefix."""
        return self.log(self.through[run]) if run in self.through else None

    def log_p(self, run: Run) -> float:
        """log p of a valid run."""
        return self.log(self.runs[run][0])

    def log_step(self, run: Run) -> float:
        """log Z_t after `run`."""
        return self.log(self.steps[run])

    def conditional(self, text: bytes) -> Decimal:
        """p_V."""
        return DIGITS.divide(self.texts[text][0], self.z)

    def masked(self, text: bytes) -> Decimal:
        """p~."""
        return self.texts[text][1]

    def squeeze(self, text: bytes) -> Decimal:
        """p~ / p_V."""
        p = self.conditional(text)
        return DIGITS.divide(self.masked(text), p) if p else INFINITE

    @cached_property
    def tv(self) -> Decimal:
        """Total variation over texts, "not finished" an outcome of p~."""
        with localcontext(DIGITS):
            far = sum((abs(p / self.z - q) for p, q in self.texts.values()), NOTHING)
            return (far + self.cut + self.dead) / 2

    @cached_property
    def kl(self) -> Decimal:
        """KL(p_V || p~) over texts, nats."""
        with localcontext(DIGITS):
            total = NOTHING
            for p, q in self.texts.values():
                if p and not q:
                    return INFINITE
                if p:
                    total += p / self.z * (p / self.z / q).ln()
            return total


def toy_law(spec: ToySpec) -> Law:
    """The rows of a toy as its table says, without its model."""
    names = (*spec.tokens, EOS)

    def law(run: Run) -> tuple[object, Scores]:
        before = tuple(names[token] for token in run)
        for number, rule in enumerate(spec.rules):
            if rule.prefix is not None and rule.prefix != before:
                continue
            if rule.last is not None and before[-1:] != (rule.last,):
                continue
            if rule.position is not None and rule.position != len(before):
                continue
            if rule.p is not None:
                weights = [Decimal(rule.p.get(name, 0.0)) for name in names]
                return number, [DIGITS.ln(w) if w else None for w in weights]
            scores = [(rule.logits or {}).get(name) for name in names]
            return number, [None if s is None else Decimal(s) for s in scores]
        raise AssertionError("the last rule always holds")

    return law


def rows_law(row: Callable[[Run], Iterable[float]]) -> Law:
    """A law from float logits, which are taken as exact."""

    def law(run: Run) -> tuple[object, Scores]:
        scores = [float(score) for score in row(run)]
        return run, [None if score == -float("inf") else Decimal(score) for score in scores]

    return law


def truth_of(
    law: Law,
    vocabulary: Any,
    pattern: str | Matcher,
    *,
    max_tokens: int,
    sampling: Any = None,
    start: Run = (),
    most: int = 20_000,
) -> Truth:
    """Every run that a mask allows from `start` on.

    Args:
        law: the model after the prompt.
        vocabulary: has `tokens`, bytes or None, and `eos_ids`.
        pattern: what the whole text must match.
        max_tokens: longest run, EOS and `start` included.
        sampling: has `temperature`, `top_k`, `top_p` and `mask_order`; None for the plain law.
        start: tokens already taken; masses are those given that they were.
        most: prefixes to enumerate.

    Raises:
        TooLarge: there are more.
        Ambiguous: a filter cuts too near a token's mass.
    """
    tokens: tuple[bytes | None, ...] = vocabulary.tokens
    eos: frozenset[int] = vocabulary.eos_ids
    match = pattern if isinstance(pattern, Matcher) else Matcher(pattern)
    truth, laws = Truth(), {}
    room = max_tokens - len(start)

    def visit(run: Run, text: bytes, p: Decimal, q: Decimal) -> Decimal:
        truth.reached[run] = p
        if len(truth.reached) > most:
            raise TooLarge
        fits = match(text)[1]
        allowed = tuple(
            fits if token in eos else piece is not None and match(text + piece)[0]
            for token, piece in enumerate(tokens)
        )
        name, scores = law(start + run)
        if (name, allowed) not in laws:
            laws[name, allowed] = _two_laws(scores, allowed, sampling)
        plain, masked = laws[name, allowed]
        truth.steps[run] = sum((plain[t] for t, ok in enumerate(allowed) if ok), NOTHING)
        if not any(masked):
            truth.dead += q
        inside = NOTHING
        for token, ok in enumerate(allowed):
            here, there = p * plain[token], q * masked[token]
            if not ok or not (here or there):
                continue
            if token in eos:
                _add(truth, (*run, token), text, here, there)
                inside += here
            elif len(run) + 1 >= room:
                truth.cut += there
            else:
                inside += visit((*run, token), text + (tokens[token] or b""), here, there)
        truth.through[run] = inside
        return inside

    with localcontext(DIGITS):
        beginning = b"".join(tokens[token] or b"" for token in start)
        shortened = _Beginning(match, beginning)
        match = shortened
        truth.z = visit((), b"", Decimal(1), Decimal(1))
    return truth


class _Beginning:
    """A matcher of what follows some text."""

    def __init__(self, match: Callable[[bytes], tuple[bool, bool]], before: bytes) -> None:
        self._match, self._before = match, before

    def __call__(self, text: bytes) -> tuple[bool, bool]:
        return self._match(self._before + text)


def _add(truth: Truth, run: Run, text: bytes, p: Decimal, q: Decimal) -> None:
    truth.runs[run] = (p, q)
    truth.spelled[run] = text
    old = truth.texts.get(text, (NOTHING, NOTHING))
    truth.texts[text] = (old[0] + p, old[1] + q)
    truth.tokenisations[text] = truth.tokenisations.get(text, 0) + 1


def _two_laws(
    scores: Scores, allowed: tuple[bool, ...], sampling: Any
) -> tuple[list[Decimal], list[Decimal]]:
    """p, and what constrained decoding draws from: all zeros where it can't."""
    temperature = Decimal(sampling.temperature) if sampling else Decimal(1)
    cold = [None if score is None else score / temperature for score in scores]
    top = max((score for score in cold if score is not None), default=NOTHING)
    tempered = _shares([NOTHING if score is None else (score - top).exp() for score in cold])
    plain = _kept(tempered, sampling)
    if sampling and sampling.mask_order == "before-filters":
        masked = _shares([x if ok else NOTHING for x, ok in zip(tempered, allowed, strict=True)])
        return plain, _kept(masked, sampling) if any(masked) else masked
    return plain, _shares([x if ok else NOTHING for x, ok in zip(plain, allowed, strict=True)])


def _shares(weights: list[Decimal]) -> list[Decimal]:
    total = sum(weights, NOTHING)
    return [weight / total for weight in weights] if total else weights


def _kept(law: list[Decimal], sampling: Any) -> list[Decimal]:
    """`law` after top-k, then top-p."""
    if sampling and 0 < sampling.top_k < len(law):
        edge = sorted(law, reverse=True)[sampling.top_k - 1]
        if any(weight != edge and abs(weight - edge) < edge * Decimal("1e-9") for weight in law):
            raise Ambiguous
        law = _shares([weight if weight >= edge else NOTHING for weight in law])
    if sampling and sampling.top_p < 1:
        most, before, kept = Decimal(sampling.top_p), NOTHING, [NOTHING] * len(law)
        for i in sorted(range(len(law)), key=lambda i: (-law[i], i)):
            if law[i] and abs(before - most) < Decimal("1e-9"):
                raise Ambiguous
            if before < most:
                kept[i] = law[i]
            before += law[i]
        law = _shares(kept)
    return law
