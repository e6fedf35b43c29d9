"""What the rest of the package asks of a language model."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from playground.logspace import Logits
from playground.vocabulary import Vocabulary

Prefix = tuple[int, ...]
"""Token ids of the rendered prompt and of the tokens taken since."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """Which model made a number."""

    name: str
    """As on the command line: `toy:sky`, `smollm2`, a hub id or a folder's name."""
    revision: str
    """A file hash, a hub commit, or the hash of a toy's table (at most 12 hex digits)."""
    dtype: str
    """`float64` for toys, else the dtype of the weights in memory."""
    kind: Literal["toy", "live"]
    device: str = "cpu"


class LanguageModel(Protocol):
    """p(next token | prefix), over a fixed vocabulary of V tokens. Safe to share between threads."""

    @property
    def vocabulary(self) -> Vocabulary: ...

    @property
    def provenance(self) -> Provenance: ...

    @property
    def context(self) -> int:
        """The longest prefix the model reads, in tokens."""
        ...

    def logits(self, prefixes: Sequence[Prefix]) -> Logits:
        """(B, V) raw scores of the next token; equal prefixes give equal rows.

        float32, but float64 from a toy: the log of .9 in float32 is off by 3e-8, and a toy's
        numbers are exact.
        """
        ...

    def render(self, prompt: str, chat: bool) -> Prefix:
        """The prompt as ids: one user message through the chat template, or the bare text.

        A toy ignores the prompt and returns (). A bare empty text is the BOS token.

        Raises:
            InvalidInput: an empty bare prompt without a BOS, or chat without a template.
        """
        ...

    def encode(self, text: str) -> Prefix:
        """`text` alone as ids, without BOS and without special tokens: a literal `<|im_end|>` in
        it is spelled, never read as a control token.

        Raises:
            InvalidInput: the vocabulary can't spell it.
        """
        ...


@runtime_checkable
class Incremental(Protocol):
    """A model that can continue from stored keys and values: what the row store builds on."""

    def extend(self, past: Sequence[Any], tokens: Prefix) -> tuple[Logits, Any]:
        """Run `tokens` (T,) after the memories `past`, in order.

        Returns:
            (V,) float32 logits after the last token, and an opaque memory of these T tokens
            with an int attribute `nbytes`.
        """
        ...


@runtime_checkable
class Scorer(Incremental, Protocol):
    """An incremental model that gives the row after every token of one pass."""

    def extend_each(self, past: Sequence[Any], tokens: Prefix) -> tuple[Logits, tuple[Any, ...]]:
        """Run `tokens` (T,) after the memories `past`, in order, in one pass.

        Returns:
            (T, V) float32 logits after each token, and the memory of each.
        """
        ...


@runtime_checkable
class Packed(Incremental, Protocol):
    """An incremental model that continues many branches in one pass."""

    def extend_packed(
        self, after: Sequence[Sequence[Any] | int], tokens: Prefix
    ) -> tuple[Logits, tuple[Any, ...]]:
        """Run `tokens` (T,) in one pass, each on its own branch: what branches share is read once.

        Args:
            after: for each token, the memories before it, in order, or the index of the earlier
                token of this pass that it follows.
            tokens: at least one.

        Returns:
            (T, V) float32 logits after each token, and the memory of each.
        """
        ...


@runtime_checkable
class Embedding(Protocol):
    """A model that shows what its last layer says of every token: what a trained head reads."""

    @property
    def width(self) -> int:
        """Numbers in the state of one token."""
        ...

    def states(self, prefixes: Sequence[Prefix]) -> tuple[NDArray[np.float32], ...]:
        """(T, width) for each prefix of T tokens: the last hidden layer after its final norm, what
        the model's own output layer reads. Several are read in one padded pass; other visitors'
        steps come between passes.

        Raises:
            InvalidInput: a prefix is longer than the context.
        """
        ...
