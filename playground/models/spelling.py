"""Spelling a text with a vocabulary's own bytes, where no tokenizer can be asked or trusted."""

from playground.errors import InvalidInput
from playground.models.base import Prefix
from playground.vocabulary import Vocabulary

MAX_BYTES = 40_000
"""Longest text that is spelled, bytes: the work grows with its length."""


def to_bytes(text: str) -> bytes:
    """`text` in UTF-8.

    Raises:
        InvalidInput: it holds half of a surrogate pair, which no encoding can write.
    """
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise InvalidInput(
            f"Character {error.start + 1} of the text is half of a surrogate pair.",
            hint="Remove it, or paste the text again.",
            where=f"character {error.start + 1}",
        ) from error


class Speller:
    """Writes a text with the fewest tokens of one vocabulary."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._ids: dict[bytes, int] = {}
        for token, text in enumerate(vocabulary.tokens):
            if text:
                self._ids.setdefault(text, token)
        self._longest = max(map(len, self._ids), default=0)

    def spell(self, text: str) -> Prefix:
        """`text` in as few tokens as possible; among equals the longest token first.

        Raises:
            InvalidInput: no tokens spell it, or it is longer than MAX_BYTES.
        """
        data = to_bytes(text)
        if len(data) > MAX_BYTES:
            raise InvalidInput(
                f"The text has {len(data):,} bytes; at most {MAX_BYTES:,} can be spelled.",
                hint="Shorten it.",
            )
        fewest: list[int | None] = [None] * len(data) + [0]
        token_at = [-1] * len(data)
        for start in range(len(data) - 1, -1, -1):
            for end in range(min(len(data), start + self._longest), start, -1):
                rest = fewest[end]
                if rest is None:
                    continue
                token = self._ids.get(data[start:end])
                best = fewest[start]
                if token is not None and (best is None or rest + 1 < best):
                    fewest[start] = rest + 1
                    token_at[start] = token
        if fewest[0] is None:
            raise self._stuck(data)
        return self._along(token_at, data)

    def _along(self, token_at: list[int], data: bytes) -> Prefix:
        lengths = {token: len(text) for text, token in self._ids.items()}
        ids: list[int] = []
        at = 0
        while at < len(data):
            ids.append(token_at[at])
            at += lengths[token_at[at]]
        return tuple(ids)

    def _stuck(self, data: bytes) -> InvalidInput:
        reached = {0}
        for start in range(len(data)):
            if start in reached:
                reached |= {
                    end
                    for end in range(start + 1, min(len(data), start + self._longest) + 1)
                    if data[start:end] in self._ids
                }
        offset = max(reached)
        rest = data[offset : offset + 12].decode("utf-8", "backslashreplace")
        return InvalidInput(
            f"This model's tokens can't spell the text from {rest!r} on.",
            hint="Use only what its tokens can write.",
            where=f"byte {offset}",
        )
