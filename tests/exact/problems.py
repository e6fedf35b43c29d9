"""Small problems for the tests of bounds: toys, doubles of live models, and their truths."""

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from playground.constraints.build import build
from playground.constraints.byte_automaton import ByteAutomaton
from playground.constraints.limits import Limits
from playground.constraints.minimize import minimized
from playground.constraints.sources import resolve
from playground.decoding.masses import MassTree
from playground.decoding.sampling import Sampling
from playground.decoding.trace import Problem
from playground.exact.posterior import Posterior, snapshot
from playground.exact.search import Aim, Budget, search
from playground.logspace import Logits
from playground.models.base import Prefix, Provenance
from playground.models.rows import RowStore
from playground.models.toy import ToyModel
from playground.models.toyspec import ToySpec
from playground.vocabulary import Vocabulary
from tests.exact.enumerate import Law, rows_law, toy_law


class LiveDouble:
    """Stands for a transformer: random float32 rows, and a little noise that changes from call to
    call as batching's does. A constraint may settle texts on it."""

    context = 4096

    def __init__(
        self,
        vocabulary: Vocabulary,
        seed: int = 0,
        spread: float = 2.0,
        noise: float = 0.0,
        one_sided: bool = False,
        favoured: frozenset[int] = frozenset(),
    ) -> None:
        """
        Args:
            vocabulary: any.
            seed: of its rows.
            spread: standard deviation of a logit.
            noise: most that a call moves a logit by.
            one_sided: it moves each by that much, up or down.
            favoured: tokens that always move up, all others down: the worst that could happen.
        """
        self.vocabulary = vocabulary
        self.provenance = Provenance(f"double-{seed}-{spread}", "", "float32", "live")
        self._seed, self._spread, self._noise = seed, spread, noise
        self._one_sided, self._favoured = one_sided, sorted(favoured)
        self._calls = np.random.default_rng(seed)

    def row(self, prefix: Prefix) -> Logits:
        """(V,) float32, without noise."""
        digest = hashlib.sha256(repr((self._seed, prefix)).encode()).digest()
        rng = np.random.default_rng(int.from_bytes(digest[:8], "big"))
        drawn = rng.standard_normal(len(self.vocabulary)) * self._spread
        return np.asarray(drawn, dtype=np.float32)

    def logits(self, prefixes: Sequence[Prefix]) -> Logits:
        """(B, V) float32."""
        rows = np.stack([self.row(tuple(prefix)) for prefix in prefixes])
        if not self._noise:
            return rows
        noise = self._calls.uniform(-self._noise, self._noise, rows.shape)
        if self._one_sided:
            noise = np.sign(noise) * self._noise
        if self._favoured:
            noise[:] = -self._noise
            noise[:, self._favoured] = self._noise
        return (rows.astype(np.float64) + noise).astype(np.float32)

    def render(self, prompt: str, chat: bool) -> Prefix:
        """No prompt."""
        return ()

    def encode(self, text: str) -> Prefix:
        """Not needed."""
        raise NotImplementedError

    def law(self, prompt: Prefix = ()) -> Law:
        """The truth, for an enumeration."""
        return rows_law(lambda run: self.row(prompt + run))


def automaton(
    vocabulary: Vocabulary, kind: str, source: str, whitespace: Any = "one"
) -> tuple[ByteAutomaton, str]:
    """A constraint, compiled here instead of in a child process, and its regex."""
    limits = Limits()
    resolved = resolve(kind, source, whitespace, limits)
    dfa = minimized(build(resolved.regex, limits.states))
    return ByteAutomaton(dfa, vocabulary), resolved.regex


def toy(tokens: Sequence[str], rules: Sequence[dict[str, Any]], name: str = "made-up") -> ToySpec:
    """A toy from its table."""
    return ToySpec.model_validate({"name": name, "tokens": tuple(tokens), "rules": rules})


def toy_problem(
    spec: ToySpec,
    source: str,
    kind: str = "regex",
    max_tokens: int = 8,
    **sampling: Any,
) -> tuple[Problem, Law, str]:
    """The problem, the law of its model and the constraint's regex."""
    model = ToyModel(spec)
    constraint, pattern = automaton(model.vocabulary, kind, source)
    law = Sampling(**sampling)
    problem = Problem(model, constraint, RowStore(2**24), (), law, max_tokens)
    return problem, toy_law(spec), pattern


def live_problem(
    model: LiveDouble,
    source: str,
    kind: str = "regex",
    max_tokens: int = 8,
    prompt: Prefix = (0, 1),
    store: int = 2**24,
    **sampling: Any,
) -> tuple[Problem, Law, str]:
    """The same for a double; `store` is the row store's budget, bytes."""
    constraint, pattern = automaton(model.vocabulary, kind, source)
    law = Sampling(**sampling)
    problem = Problem(model, constraint, RowStore(store), prompt, law, max_tokens)
    return problem, model.law(prompt), pattern


def every_budget(
    tree: MassTree, batch: int = 1, aim: Aim = "both", most: int = 10_000
) -> Iterator[Posterior]:
    """What is claimed after 0, 1, 2, ... batches, until nothing that is aimed at is open."""
    yield snapshot(tree)
    for _ in range(most):
        before = len(tree.frontier), len(tree.links), tree.rows_used
        last = one_batch(tree, Budget(rows=batch, batch=batch, tolerance=0.0, aim=aim))
        yield last
        if last.stopped in ("complete", "tolerance"):
            return
        assert before != (len(tree.frontier), len(tree.links), tree.rows_used), "it stands still"


def one_batch(tree: MassTree, budget: Budget) -> Posterior:
    """One model call of a search, which is then cancelled: opening a rest costs no row, so that a
    budget of rows alone could allow several."""
    asked = iter([False])
    *_, last = search(tree, budget, lambda: next(asked, True))
    return last


def finished(tree: MassTree, **budget: Any) -> Posterior:
    """The last snapshot of one search."""
    *_, last = search(tree, Budget(**{"tolerance": 0.0, "rows": 100_000, **budget}))
    return last
