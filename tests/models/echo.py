"""A model whose rows betray what they were made from."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from playground.logspace import Logits
from playground.models.base import Prefix, Provenance
from playground.vocabulary import Vocabulary

WIDTH = 8


@dataclass(frozen=True)
class Spoken:
    """The memory of `Echo`: the tokens themselves."""

    tokens: Prefix
    nbytes: int


class Echo:
    """A model whose row spells out the whole prefix that it was run on, memories included: a span
    missing, doubled or out of order shows in the numbers. It counts the tokens it reads."""

    def __init__(self, name: str = "echo", token_bytes: int = 100) -> None:
        self.vocabulary = Vocabulary((b"a",) * (WIDTH - 1) + (None,), frozenset({WIDTH - 1}))
        self.provenance = Provenance(name, "0", "float64", "toy")
        self.context = 10_000
        self.read = 0
        self.token_bytes = token_bytes

    def row(self, prefix: Prefix) -> Logits:
        salt = len(self.provenance.name)
        return np.array([hash((salt, i, prefix)) % 10**6 for i in range(WIDTH)], dtype=np.float32)

    def logits(self, prefixes: Sequence[Prefix]) -> Logits:
        return np.stack([self.row(prefix) for prefix in prefixes])

    def extend(self, past: Sequence[Spoken], tokens: Prefix) -> tuple[Logits, Spoken]:
        assert tokens
        self.read += len(tokens)
        prefix = tuple(token for span in past for token in span.tokens) + tokens
        return self.row(prefix), Spoken(tokens, self.token_bytes * len(tokens))

    def render(self, prompt: str, chat: bool) -> Prefix:
        return ()

    def encode(self, text: str) -> Prefix:
        return ()


class PackedEcho(Echo):
    """An echo of many branches at once. It notes what its passes read."""

    def __init__(self, name: str = "echo", token_bytes: int = 100) -> None:
        super().__init__(name, token_bytes)
        self.extended: list[int] = []
        self.packed: list[int] = []

    def extend(self, past: Sequence[Spoken], tokens: Prefix) -> tuple[Logits, Spoken]:
        self.extended.append(len(tokens))
        return super().extend(past, tokens)

    def extend_packed(
        self, after: Sequence[Sequence[Spoken] | int], tokens: Prefix
    ) -> tuple[Logits, tuple[Spoken, ...]]:
        assert len(after) == len(tokens) > 0
        self.packed.append(len(tokens))
        self.read += len(tokens)
        prefixes: list[Prefix] = []
        for before, token in zip(after, tokens, strict=True):
            past = (
                prefixes[before]
                if isinstance(before, int)
                else tuple(token for span in before for token in span.tokens)
            )
            prefixes.append((*past, token))
        memories = tuple(Spoken((token,), self.token_bytes) for token in tokens)
        return self.logits(prefixes), memories
