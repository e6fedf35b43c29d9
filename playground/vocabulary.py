"""A model's vocabulary as bytes: what each token id adds to the text."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """ids <-> bytes, for V tokens.

    A token without bytes (None) is special: it never matches text and a constraint never allows
    it, except that an EOS id is allowed exactly where the text may end.
    """

    tokens: tuple[bytes | None, ...]
    """(V,) bytes of each id; None for special, padding and control tokens."""
    eos_ids: frozenset[int]
    """Ids that end a run; never empty."""
    names: Mapping[int, str] = field(default_factory=dict)
    """What to call the tokens without bytes, for example {2: "<|im_end|>"}."""

    def __post_init__(self) -> None:
        if not self.eos_ids:
            raise ValueError("a vocabulary needs at least one EOS id")
        for eos in self.eos_ids:
            if not 0 <= eos < len(self.tokens) or self.tokens[eos] is not None:
                raise ValueError(f"EOS id {eos} must be a token without bytes")

    def __len__(self) -> int:
        """V, the number of ids."""
        return len(self.tokens)

    def decode(self, ids: Iterable[int]) -> bytes:
        """The text of `ids` as bytes; special tokens add nothing."""
        return b"".join(self.tokens[i] or b"" for i in ids)

    def name(self, token: int) -> str:
        """A readable name: the token's text (bytes that aren't UTF-8 as \\xNN), or its special name."""
        text = self.tokens[token]
        if text is None:
            return self.names.get(token, f"<{token}>")
        return text.decode("utf-8", errors="backslashreplace")

    @cached_property
    def fingerprint(self) -> str:
        """A hex SHA-256 of ids, bytes and EOS ids: the key of everything compiled against them."""
        digest = hashlib.sha256(repr(sorted(self.eos_ids)).encode())
        for text in self.tokens:
            digest.update(b"\xff" if text is None else len(text).to_bytes(4, "big") + text)
        return digest.hexdigest()
