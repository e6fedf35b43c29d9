"""A language model over bytes, for experiments that need no real one."""

import numpy as np

from playground.models.base import Provenance
from playground.vocabulary import Vocabulary


class ByteModel:
    """A language model over bytes with an arbitrary fixed law of the last three."""

    def __init__(self) -> None:
        self.vocabulary = Vocabulary(
            (*(bytes([byte]) for byte in range(256)), None), frozenset({256}), {256: "<end>"}
        )
        self.provenance = Provenance("bytes", "0", "float32", "live")
        self.context = 8192

    def logits(self, prefixes):
        return np.stack([self._row(tuple(prefix)[-3:]) for prefix in prefixes])

    @staticmethod
    def _row(last):
        return np.random.default_rng([1, *last]).normal(0, 2, 257).astype(np.float32)

    def render(self, prompt, chat):
        return tuple(prompt.encode())

    def encode(self, text):
        return tuple(text.encode())
