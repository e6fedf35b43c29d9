"""A tokenizer.json that a visitor pasted: read in the limited child process, kept by its hash."""

import hashlib
import json
import threading
from collections import OrderedDict
from typing import Any

from playground.constraints.child import run_child
from playground.constraints.limits import Limits
from playground.errors import InvalidInput
from playground.models.base import Prefix
from playground.vocabulary import Vocabulary

MAX_SOURCE = 20_000_000
"""Longest tokenizer.json accepted, characters."""
MAX_HELD = 8
"""Pasted tokenizers that are kept; a visitor whose one was dropped pastes it again."""


class PastedTokenizer:
    """The vocabulary of a tokenizer.json, and its way to cut a text."""

    def __init__(self, source: str, limits: Limits) -> None:
        """
        Raises:
            InvalidInput: it is no tokenizer.json, or too long.
            ModelUnavailable: its tokens have no bytes of their own.
            BudgetExceeded: reading it took too long.
        """
        if len(source) > MAX_SOURCE:
            raise InvalidInput(
                f"The tokenizer.json has {len(source):,} characters.",
                f"At most {MAX_SOURCE:,} are read.",
                "tokenizer",
            )
        self._source, self._limits = source, limits
        head, payload = self._ask([], vocabulary=True)
        tokens = tuple(
            None if text is None else text.encode("latin-1") for text in json.loads(payload)
        )
        names = {int(token): name for token, name in head["names"].items()}
        self.vocabulary = Vocabulary(tokens, frozenset(head["eos"]), names)

    def encode(self, text: str) -> Prefix:
        """`text` alone as ids whose bytes are exactly its own.

        Raises:
            PlaygroundError: the text can't be cut.
        """
        head, _ = self._ask([text], vocabulary=False)
        return tuple(head["ids"][0])

    def _ask(self, texts: list[str], vocabulary: bool) -> tuple[dict[str, Any], bytes]:
        request = {
            "engine": "tokenizer",
            "source": self._source,
            "texts": texts,
            "vocabulary": vocabulary,
        }
        return run_child(request, self._limits)


class PastedTokenizers:
    """The latest pasted tokenizers by the SHA-256 of their text, which nobody can guess."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._held: OrderedDict[str, PastedTokenizer] = OrderedDict()
        self._lock = threading.Lock()

    def keep(self, source: str) -> str:
        """Read a tokenizer.json and keep it.

        Returns:
            The hex digest to ask for it by.

        Raises:
            PlaygroundError: as PastedTokenizer.
        """
        digest = hashlib.sha256(source.encode("utf-8", "surrogatepass")).hexdigest()
        with self._lock:
            known = digest in self._held
        made = None if known else PastedTokenizer(source, self._limits)
        with self._lock:
            if made is not None:
                self._held[digest] = made
            if digest in self._held:
                self._held.move_to_end(digest)
            while len(self._held) > MAX_HELD:
                self._held.popitem(last=False)
        return digest

    def get(self, digest: str) -> PastedTokenizer:
        """The tokenizer kept under `digest`.

        Raises:
            InvalidInput: it is not kept any more.
        """
        with self._lock:
            if digest in self._held:
                self._held.move_to_end(digest)
                return self._held[digest]
        raise InvalidInput(
            "The pasted tokenizer isn't held here any more.", "Paste it again.", "tokenizer"
        )
