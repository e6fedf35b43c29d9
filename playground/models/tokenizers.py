"""A model's tokenizer without its weights: its vocabulary, and how it cuts a text into tokens."""

import threading
from pathlib import Path
from typing import Any, Protocol

from playground.errors import ModelUnavailable
from playground.models.base import Prefix
from playground.models.encoder import Encoder
from playground.models.gguf import find_gguf
from playground.models.loader import TOY_PREFIX, ModelHub
from playground.models.source import DEFAULT, tokenizer_folder
from playground.models.tokens import vocabulary_of
from playground.settings import Settings
from playground.vocabulary import Vocabulary

CONTEXT = 100_000
"""Longest text that is cut into tokens, in tokens: no model's context bounds it here."""


class Tokenizer(Protocol):
    """What a constraint asks of a tokenizer. A LanguageModel is one too."""

    @property
    def vocabulary(self) -> Vocabulary: ...

    def encode(self, text: str) -> Prefix:
        """`text` alone as ids whose bytes are exactly its own."""
        ...


class LoadedTokenizer:
    """A transformers tokenizer without a model."""

    def __init__(self, tokenizer: Any) -> None:
        """
        Raises:
            ModelUnavailable: its tokens have no bytes of their own, or none ends a text.
        """
        ends = [] if tokenizer.eos_token_id is None else [int(tokenizer.eos_token_id)]
        self.vocabulary = vocabulary_of(tokenizer, len(tokenizer), ends)
        self._encoder = Encoder(tokenizer, self.vocabulary, CONTEXT)

    def encode(self, text: str) -> Prefix:
        """`text` alone as ids whose bytes are exactly its own.

        Raises:
            InvalidInput: too long.
        """
        return self._encoder.alone(text)


class Tokenizers:
    """The tokenizers of the models that a visitor may choose. Safe to share between threads."""

    def __init__(self, hub: ModelHub, settings: Settings) -> None:
        self._hub = hub
        self._settings = settings
        self._lock = threading.Lock()
        self._held: dict[str, LoadedTokenizer] = {}

    def of(self, name: str) -> Tokenizer:
        """The tokenizer of model `name`: the model's own where that is loaded, else read alone.

        Raises:
            ModelUnavailable: `name` can't be chosen here, or its tokenizer can't be read.
        """
        if name not in self._hub.names():
            raise ModelUnavailable(
                f"The tokenizer of {name[:80]!r} can't be chosen here.",
                f"Choose one of {', '.join(self._hub.names())}, or paste a tokenizer.json.",
                "tokenizer",
            )
        if name.startswith(TOY_PREFIX) or self._hub.status(name).state == "ready":
            return self._hub.get(name)
        with self._lock:
            if name not in self._held:
                self._held[name] = LoadedTokenizer(self._read(name))
            return self._held[name]

    def usual(self) -> str:
        """The one that stands there when none is chosen: the operator's first model, else a toy."""
        return (*self._settings.models, *self._hub.names())[0]

    def _read(self, name: str) -> Any:
        from transformers import AutoTokenizer
        from transformers.utils import logging

        logging.set_verbosity_error()
        safe: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
        file = _gguf() if name == DEFAULT else None
        if file is not None:
            folder, safe = file.parent, {**safe, "gguf_file": file.name}
        else:
            folder = tokenizer_folder(name, self._hub.names())
        try:
            return AutoTokenizer.from_pretrained(folder, **safe)
        except Exception as error:  # transformers raises any class for a damaged file
            raise ModelUnavailable(
                f"The tokenizer of {name[:80]!r} can't be read: {error}",
                "Choose another, or paste a tokenizer.json.",
                "tokenizer",
            ) from error


def _gguf() -> Path | None:
    try:
        return find_gguf()
    except ModelUnavailable:
        return None
