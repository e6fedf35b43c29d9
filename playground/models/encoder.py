"""Text to token ids, where what a visitor types is never read as a control token."""

import re
import threading
from functools import cached_property
from typing import Any

from playground.errors import InvalidInput, ModelUnavailable
from playground.models.base import Prefix
from playground.models.spelling import Speller, to_bytes
from playground.models.tokens import controls
from playground.vocabulary import Vocabulary

_GUARD = "\n"
_PROBE = '{"name": "Ada", "age": 36}'


class Encoder:
    """One tokenizer's ways to write a text. Safe to share between threads."""

    def __init__(self, tokenizer: Any, vocabulary: Vocabulary, context: int) -> None:
        """
        Raises:
            ModelUnavailable: the vocabulary's bytes aren't those of the texts encoded.
        """
        self._tokenizer = tokenizer
        # Padding and truncation are set on the shared backend by every call of transformers, which
        # it refuses while another thread encodes.
        self._lock = threading.Lock()
        self._backend = tokenizer.backend_tokenizer
        self._backend.no_truncation()
        self._backend.no_padding()
        self.vocabulary = vocabulary
        names = controls(tokenizer)
        contents = sorted(names.values(), key=len, reverse=True)
        self._control_ids = frozenset(names)
        self._control = re.compile("|".join(map(re.escape, contents)) or "(?!)")
        tokenizer.chat_control_tokens = contents
        longest = max((len(text) for text in vocabulary.tokens if text), default=1)
        self._most_bytes = context * longest
        self._context = context
        ids = self._plain(_PROBE)
        written = all(i < len(vocabulary) and vocabulary.tokens[i] is not None for i in ids)
        if written and vocabulary.decode(ids).removeprefix(b" ") != _PROBE.encode():
            raise ModelUnavailable(
                "This model's tokenizer changes a text before it cuts it into tokens.",
                hint="Constraints work on bytes; choose a model whose tokenizer keeps the text.",
            )

    def alone(self, text: str) -> Prefix:
        """`text` as ids whose bytes are exactly its own: no BOS, no added blank, no control token.

        Raises:
            InvalidInput: too long for the model's context, or the vocabulary can't spell it.
        """
        data = self._checked(text)
        ids = self._plain(text)
        if self._spells(ids, data):
            return ids
        # SentencePiece puts a blank before a text; after a line break it has been put already.
        guarded = self._plain(_GUARD + text)
        for cut in range(1, min(len(guarded), 4) + 1):
            if self._spells(guarded[cut:], data):
                return guarded[cut:]
        return self._speller.spell(text)

    def opening(self, text: str) -> Prefix:
        """`text` as the start of a prompt, the tokenizer's way, BOS included where it puts one.

        Raises:
            InvalidInput: too long for the context, or empty for a model that has no BOS.
        """
        self._checked(text)
        if text:
            ids = self._plain(text)
            if self._control_ids.intersection(ids):  # a unigram finds `<s>` among its pieces
                ids = self._speller.spell(text)
            return self._start + ids
        bos = self._tokenizer.bos_token_id
        if bos is None:
            raise InvalidInput(
                "The prompt is empty, and this model has no token that begins a text.",
                hint="Type at least one character.",
            )
        return (int(bos),)

    def chat(self, text: str) -> Prefix:
        """One user message through the chat template, ready for the assistant's answer.

        Raises:
            InvalidInput: too long for the context, no chat template, or the template refuses.
        """
        from jinja2 import TemplateError

        self._checked(text)
        if not self._tokenizer.chat_template:
            raise InvalidInput(
                "This model has no chat template.",
                hint="Turn the chat template off to give it the bare text.",
            )
        try:
            with self._lock:
                ids = self._tokenizer.apply_chat_template(
                    [{"role": "user", "content": text}],
                    add_generation_prompt=True,
                    sanitize_control_tokens=True,
                    return_dict=False,
                )
        except (TemplateError, ValueError) as error:
            raise InvalidInput(
                f"The model's chat template can't take this prompt: {error}",
                hint="Turn the chat template off, or change the prompt.",
            ) from error
        return tuple(int(token) for token in ids)

    @cached_property
    def _speller(self) -> Speller:
        return Speller(self.vocabulary)

    @cached_property
    def _start(self) -> Prefix:
        """(BOS,) where the tokenizer begins every text with it, else ()."""
        with self._lock:
            empty = self._backend.encode("", add_special_tokens=True).ids
        bos = self._tokenizer.bos_token_id
        return (int(bos),) if bos is not None and empty[:1] == [bos] else ()

    def _checked(self, text: str) -> bytes:
        data = to_bytes(text)
        if len(data) > self._most_bytes:
            raise InvalidInput(
                f"The text has {len(data):,} bytes, more than the model's context of "
                f"{self._context:,} tokens can hold.",
                hint="Shorten it.",
            )
        return data

    def _spells(self, ids: Prefix, data: bytes) -> bool:
        texts = [self.vocabulary.tokens[i] if i < len(self.vocabulary) else None for i in ids]
        return None not in texts and b"".join(text or b"" for text in texts) == data

    def _plain(self, text: str) -> Prefix:
        """The tokenizer's ids of `text`, without BOS; a control token's name is spelled out."""
        with self._lock:
            if not self._control.search(text):
                return tuple(self._backend.encode(text, add_special_tokens=False).ids)
            # The backend always reads added tokens, so go through its stages by hand.
            normalizer, cutter = self._backend.normalizer, self._backend.pre_tokenizer
            if normalizer is not None:
                text = normalizer.normalize_str(text)
            words = [text]
            if cutter is not None:
                words = [word for word, _ in cutter.pre_tokenize_str(text)]
            model = self._backend.model
            return tuple(token.id for word in words for token in model.tokenize(word))
