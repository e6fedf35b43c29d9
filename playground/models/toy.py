"""Toy language models: exact tables that are small enough to read."""

from collections.abc import Sequence

import numpy as np

from playground.logspace import Logits
from playground.models.base import Prefix, Provenance
from playground.models.spelling import Speller
from playground.models.toys import TOYS
from playground.models.toyspec import EOS, Rule, ToySpec
from playground.vocabulary import Vocabulary

__all__ = ["EOS", "TOYS", "Rule", "ToyModel", "ToySpec"]

CONTEXT = 4096
"""Tokens; a table has no limit of its own, a run needs one."""


class ToyModel:
    """A `LanguageModel` read from a table; it ignores the prompt.

    Rows are float64, unlike those of a transformer, so that a probability read back from a row is
    the table's to a relative 1e-15 and the numbers agree with a calculation by hand.
    """

    def __init__(self, spec: ToySpec) -> None:
        self.spec = spec
        texts: list[bytes | None] = [token.encode() for token in spec.tokens]
        eos = len(texts)
        self.vocabulary = Vocabulary((*texts, None), frozenset({eos}), {eos: EOS})
        self.provenance = Provenance(f"toy:{spec.name}", spec.revision, "float64", "toy")
        self.context = CONTEXT
        self._ids = {token: i for i, token in enumerate((*spec.tokens, EOS))}
        self._speller = Speller(self.vocabulary)
        self._table = np.stack([self._row(rule) for rule in spec.rules])
        self._conditions = [
            (
                None if rule.prefix is None else tuple(self._ids[token] for token in rule.prefix),
                None if rule.last is None else self._ids[rule.last],
                rule.position,
            )
            for rule in spec.rules
        ]

    def _row(self, rule: Rule) -> Logits:
        row = np.full(len(self.vocabulary), -np.inf)
        given = rule.p or rule.logits or {}
        ids = [self._ids[token] for token in given]
        scores = np.array(list(given.values()), dtype=np.float64)
        if rule.p is not None:
            with np.errstate(divide="ignore"):
                scores = np.log(scores) - np.log(scores.sum())
        row[ids] = scores
        return row

    def rule(self, prefix: Prefix) -> int:
        """Index of the rule that gives the law after `prefix`: the first that holds."""
        for index, (tokens, last, position) in enumerate(self._conditions):
            if (
                (tokens is None or tokens == prefix)
                and (last is None or prefix[-1:] == (last,))
                and (position is None or position == len(prefix))
            ):
                return index
        raise AssertionError("the last rule has no condition")

    def logits(self, prefixes: Sequence[Prefix]) -> Logits:
        """(B, V) float64: log of the renormalised weights, or the raw logits of a logits rule."""
        return self._table[[self.rule(tuple(prefix)) for prefix in prefixes]]

    def render(self, prompt: str, chat: bool) -> Prefix:
        """No tokens: a toy has no prompt."""
        return ()

    def encode(self, text: str) -> Prefix:
        """`text` in as few of the toy's tokens as possible.

        Raises:
            InvalidInput: the tokens can't spell it.
        """
        return self._speller.spell(text)
