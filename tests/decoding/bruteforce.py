"""Reference laws by walking every run of a toy's own table, and every outcome of an experiment.

Shares nothing with the code under test: probabilities come straight from the table, the mask from
another regex matcher.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import pytest
import regex
from hypothesis import strategies as st

from playground.constraints.automaton import TokenAutomaton
from playground.constraints.free import FreeAutomaton
from playground.constraints.marked import MarkedAutomaton
from playground.constraints.spec import ConstraintSpec, Markers
from playground.decoding.chance import Categorical, Choose
from playground.decoding.sampling import Sampling
from playground.decoding.trace import Problem
from playground.models.base import Prefix
from playground.models.rows import RowStore
from playground.models.toy import EOS, Rule, ToyModel, ToySpec
from playground.problem import ProblemSpec
from playground.session import Playground

T = TypeVar("T")
Tokens = tuple[int, ...]

FAMILIAR = [
    ("two-step", "(A|B)x", 8),
    ("sky", "skill|cloud", 8),
    ("binary-len-3", "000|1[01]{2}", 8),
    ("binary-len-5-0", "00000|1[01]{4}", 8),
    ("mars", r"0(\+0)*", 7),
    ("mars", r"0(\+0)*", 3),
]
"""Toys, their constraints and max_tokens."""


@dataclass(frozen=True)
class Reference:
    """What is true of one problem. Every law is by run: token ids -> probability."""

    p: Mapping[Tokens, float]
    """Of runs to EOS or max_tokens, the invalid ones too."""
    masked: Mapping[Tokens, float]
    """p~, with the runs that hit max_tokens and those that die."""
    valid: frozenset[Tokens]

    @property
    def z(self) -> float:
        return sum(self.p[tokens] for tokens in self.valid)

    @property
    def conditional(self) -> dict[Tokens, float]:
        """p_V; empty where Z is 0."""
        z = self.z
        return {tokens: self.p[tokens] / z for tokens in self.valid} if z else {}

    def future(self, prefix: Tokens) -> float:
        """F: the mass of the valid runs through `prefix` over the mass of the prefix."""
        through = [(t, m) for t, m in self.p.items() if t[: len(prefix)] == prefix]
        total = sum(m for _, m in through)
        return sum(m for t, m in through if t in self.valid) / total if total else 0.0


def reference(
    spec: ToySpec,
    pattern: str,
    max_tokens: int,
    temperature: float = 1.0,
    top_k: int = 0,
    prompt: Tokens = (),
) -> Reference:
    """The laws of a toy under a regex, by brute force; filters come before the mask."""
    model = ToyModel(spec)
    texts = [*spec.tokens, None]
    eos = len(spec.tokens)
    p: dict[Tokens, float] = {}
    masked: dict[Tokens, float] = {}
    valid: set[Tokens] = set()

    def text(tokens: Tokens) -> str:
        return "".join(texts[token] or "" for token in tokens)

    def allowed(tokens: Tokens) -> bool:
        if tokens[-1] == eos:
            return regex.fullmatch(pattern, text(tokens)) is not None
        return regex.fullmatch(pattern, text(tokens), partial=True) is not None

    def walk(tokens: Tokens, mass: float, mass_masked: float) -> None:
        if (tokens and tokens[-1] == eos) or len(tokens) == max_tokens:
            p[tokens] = mass
            if mass_masked:
                masked[tokens] = mass_masked
            if tokens[-1] == eos and allowed(tokens):
                valid.add(tokens)
            return
        row = np.exp(model.logits([prompt + tokens])[0]) ** (1 / temperature)
        if top_k:
            row[row < np.sort(row)[-top_k:][0]] = 0.0
        row /= row.sum()
        keeps = [token for token in range(len(texts)) if row[token] and allowed((*tokens, token))]
        z = sum(row[token] for token in keeps)
        if mass_masked and not keeps:
            masked[tokens] = mass_masked
        for token in np.flatnonzero(row).tolist():
            share = row[token] / z if token in keeps else 0.0
            walk((*tokens, token), mass * row[token], mass_masked * share)

    walk((), 1.0, 1.0)
    return Reference(p, masked, frozenset(valid))


def outcomes(experiment: Callable[[Choose], T]) -> Iterator[tuple[float, T]]:
    """Every outcome of `experiment` with its exact chance, whatever it chooses at random."""
    pending: list[list[int]] = [[]]
    while pending:
        script = pending.pop()
        chance, position = 1.0, 0

        def choose(law: Categorical, run: int, t: int, script: list[int] = script) -> int:
            nonlocal chance, position
            probabilities = np.exp(law.logprobs)
            possible = np.flatnonzero(probabilities > 0).tolist()
            assert probabilities.sum() == pytest.approx(1.0, abs=1e-12)
            if position == len(script):
                pending.extend([*script, other] for other in possible[1:])
                script.append(possible[0])
            token = script[position]
            position += 1
            chance *= float(probabilities[token])
            return token

        found = experiment(choose)
        yield chance, found


def law_of(experiment: Callable[[Choose], Hashable]) -> dict[Hashable, float]:
    """The exact law of what `experiment` returns."""
    law: dict[Hashable, float] = defaultdict(float)
    for chance, found in outcomes(experiment):
        law[found] += chance
    return dict(law)


def total_variation(one: Mapping[Tokens, float], other: Mapping[Tokens, float]) -> float:
    return sum(abs(one.get(key, 0.0) - other.get(key, 0.0)) for key in {*one, *other}) / 2


TOKENS = ("a", "b", "ab")
PATTERNS = ("a(b|ab)*", "[ab]{2}", "ab|b", "a*b?", "(ab)+|b", "aab|ba", "(a|b)(a|bb)")
"""Some have many tokenisations of one text, some are infinite."""


@st.composite
def random_toys(draw: st.DrawFn) -> tuple[ToySpec, str, int]:
    """A toy over a, b, ab with a law of its own after each short prefix; a regex; max_tokens."""
    weights = st.lists(st.sampled_from([0, 0, 1, 2, 5, 40]), min_size=4, max_size=4).filter(any)

    def rule(prefix: tuple[str, ...] | None) -> Rule:
        return Rule(prefix=prefix, p=dict(zip((*TOKENS, EOS), draw(weights), strict=True)))

    prefixes = [(), *((token,) for token in TOKENS), ("a", "b"), ("ab", "ab"), ("a", "a")]
    spec = ToySpec(
        name="random", tokens=TOKENS, rules=tuple(rule(prefix) for prefix in (*prefixes, None))
    )
    return spec, draw(st.sampled_from(PATTERNS)), draw(st.integers(1, 4))


def problem_of(
    playground: Playground,
    spec: ToySpec,
    pattern: str,
    max_tokens: int = 8,
    sampling: Sampling | None = None,
) -> Problem:
    """A problem with a row store of its own; the compiled constraint is shared."""
    known = ToySpec(name="alphabet", tokens=spec.tokens, rules=(Rule(p={EOS: 1}),))
    opened = playground.open(
        ProblemSpec(toy=known, constraint=ConstraintSpec(kind="regex", source=pattern))
    )
    return Problem(
        ToyModel(spec),
        opened.compiled.automaton,
        RowStore(2**24),
        (),
        sampling or Sampling(),
        max_tokens,
        Loose(opened.compiled.automaton),
    )


class Loose:
    """An opener for toys, which can't spell JSON: in its place stands any text, the markers are the
    first two tokens, and what is asked again is the same."""

    def __init__(self, strict: TokenAutomaton) -> None:
        self._strict = strict
        opening, closing = (text.decode() for text in strict.vocabulary.tokens[:2] if text)
        self._marked = MarkedAutomaton(strict, Markers(open=opening, close=closing))

    def strict(self) -> TokenAutomaton:
        return self._strict

    def json(self) -> TokenAutomaton:
        return FreeAutomaton(self._strict.vocabulary)

    def marked(self) -> MarkedAutomaton:
        return self._marked

    def again(self, output: str, error: str) -> Prefix:
        return ()
