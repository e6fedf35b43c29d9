"""Sentences of equally many words: what a toy says, and every way to mix their words."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from playground.errors import InvalidInput
from playground.fields.law import Mask

SENTENCES: Final = ("we refund you today", "please wait until Friday")
MOST_MODES: Final = 4
MOST_OUTPUTS: Final = 512
MOST_WORDS: Final = 12
"""Of a sentence."""
LONGEST: Final = 40
"""Most characters of a word."""


@dataclass(frozen=True, eq=False, slots=True)
class Toy:
    """What may be said, and how often. Make it with `toy`."""

    modes: tuple[tuple[str, ...], ...]
    """The sentences, each a tuple of T words."""
    weights: tuple[float, ...]
    """Of the modes; they sum to 1."""
    words: tuple[tuple[str, ...], ...]
    """(T,) the words that a position can be, in the order the modes bring them."""

    @property
    def sizes(self) -> tuple[int, ...]:
        """(T,) words of each position."""
        return tuple(len(words) for words in self.words)

    @property
    def indices(self) -> tuple[tuple[int, ...], ...]:
        """Of each mode, (T,): where its words stand among those of their positions."""
        return tuple(
            tuple(words.index(word) for words, word in zip(self.words, mode, strict=True))
            for mode in self.modes
        )

    @property
    def coherent(self) -> Mask:
        """(n_1, ..., n_T) bool: True for the modes; any other output is mixed."""
        mask = np.zeros(self.sizes, dtype=np.bool_)
        for at in self.indices:
            mask[at] = True
        return mask

    def text(self, at: Sequence[int]) -> str:
        """The words of (T,) options, joined by blanks."""
        return " ".join(words[i] for words, i in zip(self.words, at, strict=True))


def toy(sentences: Sequence[str] = SENTENCES, weights: Sequence[float] | None = None) -> Toy:
    """A toy that says each sentence as often as its weight; all equally often without weights.

    Raises:
        InvalidInput: fewer than two sentences or more than MOST_MODES, one twice, numbers of words
            that differ, too many or too long words, more than MOST_OUTPUTS outputs, weights that
            aren't one positive number for each sentence.
    """
    if not 2 <= len(sentences) <= MOST_MODES:
        raise InvalidInput(
            f"There are {len(sentences)} sentences.", f"Give 2 to {MOST_MODES}.", "sentences"
        )
    modes = tuple(map(_words, sentences))
    lengths = [len(mode) for mode in modes]
    if len(set(lengths)) > 1 or not lengths[0]:
        raise InvalidInput(
            f"The sentences have {', '.join(map(str, lengths))} words.",
            "Give each the same number of words, one at least.",
            "sentences",
        )
    if len(set(modes)) < len(modes):
        raise InvalidInput("A sentence stands there twice.", "Make them differ.", "sentences")
    words = tuple(tuple(dict.fromkeys(at)) for at in zip(*modes, strict=True))
    if (outputs := math.prod(map(len, words))) > MOST_OUTPUTS:
        raise InvalidInput(
            f"The words can be mixed in {outputs:,} ways, more than {MOST_OUTPUTS:,}.",
            "Give shorter sentences, or fewer.",
            "sentences",
        )
    return Toy(modes, _shares(weights, len(modes)), words)


def _words(sentence: str) -> tuple[str, ...]:
    """Split at white space; bounded."""
    words = tuple(sentence.split(maxsplit=MOST_WORDS))
    if len(words) > MOST_WORDS or any(len(word) > LONGEST for word in words):
        raise InvalidInput(
            f"The sentence {sentence.strip()[:LONGEST]!r}... is too long.",
            f"Give at most {MOST_WORDS} words of at most {LONGEST} characters.",
            "sentences",
        )
    return words


def _shares(weights: Sequence[float] | None, n: int) -> tuple[float, ...]:
    """Weights that sum to 1."""
    given = [1.0] * n if weights is None else [float(weight) for weight in weights]
    if len(given) != n or not all(0 < weight <= 1e6 for weight in given):
        raise InvalidInput(
            f"The weights are {', '.join(f'{weight:g}' for weight in given[:MOST_MODES])}.",
            f"Give {n} numbers above 0, at most a million.",
            "weights",
        )
    return tuple(weight / sum(given) for weight in given)
