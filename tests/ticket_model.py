"""A quick stand-in for a language model that writes tickets as JSON and shows hidden states."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from playground.models.base import Prefix, Provenance
from playground.session import Playground
from playground.settings import Settings
from playground.study.prompts.ticket_labels import INTENTS, PRIORITIES
from playground.vocabulary import Vocabulary

NAME = "stand-in"
PROVENANCE = Provenance(NAME, "1", "float32", "live")
WIDTH = 12
OPEN, CLOSE = '{"intent": "', "}"
NEXT: dict[str, tuple[str, ...]] = {
    OPEN: INTENTS,
    **dict.fromkeys(INTENTS, ('", "priority": "', '", "confidence": ')),
    '", "priority": "': PRIORITIES,
    **dict.fromkeys(PRIORITIES, ('", "escalate": ',)),
    '", "escalate": ': ("true", "false"),
    "true": (', "amount": ',),
    "false": (', "amount": ',),
    ', "amount": ': ("0", "40", "1200"),
    '", "confidence": ': ("80", "95"),
    **dict.fromkeys(("0", "40", "1200", "80", "95"), (CLOSE,)),
}
"""What may well come after a piece of the answer."""
PIECES = tuple(dict.fromkeys((*NEXT, *(word for words in NEXT.values() for word in words))))
IDS = {word: 256 + at for at, word in enumerate(PIECES) if len(word) > 1} | {
    word: ord(word) for word in PIECES if len(word) == 1
}
EOS = 256 + len(PIECES)
WORDS = {at: word for word, at in IDS.items()}
LIKELY = 2.6
"""Logit of what may well come; the others' are about 0. At temperature .3 about half the answers go
astray."""


class TicketModel:
    """Bytes, and pieces of tickets: its law depends on the last token alone, its states on all."""

    def __init__(self) -> None:
        texts = [bytes([byte]) for byte in range(256)]
        texts += [word.encode() for word in PIECES]
        self.vocabulary = Vocabulary((*texts, None), frozenset({EOS}), {EOS: "<end>"})
        self.provenance = PROVENANCE
        self.context = 8192
        self.width = WIDTH
        self.read: list[str] = []
        """The texts whose states were asked for."""

    def logits(self, prefixes: Sequence[Prefix]) -> np.ndarray:
        return np.stack([self._row(prefix[-1]) for prefix in prefixes])

    @staticmethod
    def _row(last: int) -> np.ndarray:
        row = np.random.default_rng(last).normal(0, 0.3, EOS + 1).astype(np.float32)
        word = WORDS.get(last)
        after = [EOS] if word == CLOSE else [IDS[each] for each in NEXT.get(word or "", (OPEN,))]
        row[after] += LIKELY
        return row

    def states(self, prefixes: Sequence[Prefix]) -> tuple[np.ndarray, ...]:
        self.read += [bytes(prefix).decode("utf-8", "replace") for prefix in prefixes]
        rows = np.random.default_rng(0).normal(size=(256, WIDTH))
        return tuple(
            (np.cumsum(rows[list(prefix)], axis=0) / np.sqrt(len(prefix))).astype(np.float32)
            for prefix in prefixes
        )

    def render(self, prompt: str, chat: bool) -> Prefix:
        return tuple(prompt.encode())

    def encode(self, text: str) -> Prefix:
        return tuple(text.encode())


def with_stand_in(folder: Path) -> tuple[Playground, TicketModel]:
    """A playground that knows the stand-in by NAME."""
    playground, model = Playground(Settings(cache=folder)), TicketModel()
    before = playground.hub.get
    playground.hub.get = lambda name: model if name == NAME else before(name)  # type: ignore[assignment, method-assign]
    return playground, model
