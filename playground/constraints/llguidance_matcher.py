"""llguidance behind the matcher's protocol."""

import json
from functools import lru_cache
from typing import Any

import numpy as np

from playground.constraints.bytes_vocabulary import BYTES
from playground.constraints.notes import Note
from playground.constraints.pushdown_source import Asked
from playground.errors import BudgetExceeded
from playground.logspace import Mask
from playground.vocabulary import Vocabulary

_BLANKS: dict[str, dict[str, Any]] = {
    "none": {"whitespace_flexible": False},
    "one": {"whitespace_pattern": "[ ]"},
    "flexible": {"whitespace_pattern": r"[ \t\n\r]{1,8}"},
}

_ESCAPES = {
    "json_allow_general_unicode_escapes": False,
    "json_allowed_escapes": 'nrbtf\\"',
}
r"""No \uXXXX: llguidance doesn't see that the key "\u0061" is "a", and would let it by its schema."""

_BOOLEANS = {"true": "{}", "false": '{"enum": []}'}
"""llguidance adds its options to a schema that is an object."""


def grammar_of(source: Asked, whitespace: str) -> str:
    """What LLMatcher is built from."""
    from llguidance import LLMatcher

    if source.form == "schema":
        options = {**_BLANKS[whitespace], **_ESCAPES}
        text = _BOOLEANS.get(source.text.strip(), source.text)
        made: str = LLMatcher.grammar_from_json_schema(text, overrides=options)
    elif source.form == "regex":
        made = LLMatcher.grammar_from_regex(source.text)
    else:
        made = LLMatcher.grammar_from_lark(source.text)
    return made


def refusal(grammar: str) -> tuple[str, list[Note]]:
    """Why llguidance can't compile `grammar`, empty where it can, and what it warns of."""
    from llguidance import LLMatcher

    failed, said = LLMatcher.validate_grammar_with_warnings(grammar, Tokens(BYTES).tokenizer())
    if failed:
        return str(said[0]) or "no reason given", []
    root = LLGuidanceMatcher.root(grammar, BYTES)
    root.allowed()  # the lexer is built lazily: let it fail here, where it may
    return "", [Note("warning", "engine", "", f"llguidance warns: {text}") for text in said]


class Tokens:
    """Our vocabulary as llguidance's TokenizerWrapper wants it.

    The 256 bytes follow as ids of their own, so that any text can be read byte by byte, whatever
    the vocabulary. They never reach a mask of ours, and no text is split into them while our
    tokens can spell it.
    """

    bos_token_id = None

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.size = len(vocabulary)
        self._ids = {text: token for token, text in enumerate(vocabulary.tokens) if text}
        self._longest = max(map(len, self._ids), default=1)
        ends = sorted(vocabulary.eos_ids)
        self.eos_token_id = ends[0]
        self.special_token_ids = [t for t, text in enumerate(vocabulary.tokens) if not text]
        self.tokens = [
            text or f"<|{token}|>".encode() for token, text in enumerate(vocabulary.tokens)
        ] + [bytes([byte]) for byte in range(256)]

    def __call__(self, text: bytes) -> list[int]:
        """`text` as ids: the fewest tokens, the longest first; llguidance forces these. A model's
        own tokenizer, which isn't known here, may split it another way."""
        return list(self._split(bytes(text)))

    @lru_cache(maxsize=4096)  # noqa: B019  lives as long as the process, as the tokenizer does
    def _split(self, text: bytes) -> tuple[int, ...]:
        best: list[tuple[int, int, int]] = [(0, -1, 0)] * (len(text) + 1)
        for at in range(len(text) - 1, -1, -1):
            # A lone byte of ours beyond the vocabulary counts as very many tokens.
            found = (best[at + 1][0] + 10_000, self.size + text[at], 1)
            for length in range(1, min(self._longest, len(text) - at) + 1):
                token = self._ids.get(text[at : at + length])
                if token is not None and best[at + length][0] + 1 <= found[0]:
                    found = (best[at + length][0] + 1, token, length)
            best[at] = found
        ids, at = [], 0
        while at < len(text):
            _, token, length = best[at]
            ids.append(token)
            at += length
        return tuple(ids)

    def tokenizer(self) -> Any:
        """The library's LLTokenizer."""
        from llguidance import LLTokenizer, TokenizerWrapper

        return LLTokenizer(TokenizerWrapper(self))


class LLGuidanceMatcher:
    """One run of llguidance's LLMatcher."""

    def __init__(self, matcher: Any, size: int) -> None:
        """`matcher` is the library's; `size` our vocabulary's."""
        self._matcher = matcher
        self._size = size

    @classmethod
    def root(
        cls, grammar: str, vocabulary: Vocabulary, tokenizer: Any = None
    ) -> "LLGuidanceMatcher":
        """The matcher that has read nothing.

        Raises:
            BudgetExceeded: llguidance gives up.
        """
        from llguidance import LLMatcher

        if tokenizer is None:
            tokenizer = Tokens(vocabulary).tokenizer()
        made = cls(LLMatcher(tokenizer, grammar, log_level=0), len(vocabulary))
        made._require_health()
        return made

    def fork(self) -> "LLGuidanceMatcher":
        """As `pushdown.Matcher`."""
        return LLGuidanceMatcher(self._matcher.deep_copy(), self._size)

    def feed(self, text: bytes) -> bool:
        """As `pushdown.Matcher`."""
        ids = [self._size + byte for byte in text]
        if self._matcher.validate_tokens(ids) < len(ids):
            self._require_health()
            return False
        return bool(self._matcher.consume_tokens(ids))

    def final(self) -> bool:
        """As `pushdown.Matcher`."""
        return bool(self._matcher.is_accepting())

    def allowed(self) -> Mask:
        """As `pushdown.Matcher`.

        Raises:
            BudgetExceeded: llguidance gives up here.
        """
        if self._matcher.is_stopped() and not self._matcher.is_error():
            return np.zeros(self._size, dtype=np.bool_)
        packed = np.frombuffer(self._matcher.compute_bitmask(), dtype=np.uint8)
        self._require_health()
        return np.unpackbits(packed, bitorder="little", count=self._size).astype(np.bool_)

    def _require_health(self) -> None:
        if self._matcher.is_error():
            said = json.dumps(self._matcher.get_error().splitlines()[0][:200])
            raise BudgetExceeded(
                f"llguidance gives up on this constraint: {said}.",
                "Simplify it, or choose another engine.",
            )
