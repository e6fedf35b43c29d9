"""From a tokenizer of the tokenizers library to a byte-exact vocabulary: what each id writes.

Three families have tokens with bytes of their own: byte-level BPE (tiktoken files too, which
transformers turns into it), where a piece is spelled in GPT-2's 256 printable characters; and
SentencePiece, where `▁` is a blank and, with byte fallback, `<0x0A>` is one byte. A piece that
starts with `▁` starts with the blank, also where the tokenizer would strip it from a text's start.
Other tokenizers (WordPiece, `</w>` suffixes, unigrams that normalise) only get their text when a
whole sequence is put together; they are refused.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from playground.errors import ModelUnavailable
from playground.vocabulary import Vocabulary

Family = Literal["byte-level", "byte-fallback", "metaspace"]

_MARKER = re.compile(r"<[^<>\s]+>|\[[^\[\]\s]+\]")
_BYTE_PIECE = re.compile(r"<0x([0-9A-Fa-f]{2})>")
_BLANK = "\u2581"


def byte_characters() -> dict[str, int]:
    """GPT-2's table: the printable character that stands for each of the 256 bytes."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in set(printable)]
    return {chr(byte): byte for byte in printable} | {
        chr(256 + rank): byte for rank, byte in enumerate(others)
    }


def controls(tokenizer: Any) -> dict[int, str]:
    """The tokens that are no text, id -> content.

    They are those flagged special, and added ones shaped as a marker (`<tool_call>`, `[INST]`):
    tokenizers flag many of these as ordinary, yet models take them as commands. Other added
    tokens (runs of blanks, added words) are text.
    """
    special = set(tokenizer.all_special_ids)
    added: Mapping[int, Any] = tokenizer.added_tokens_decoder
    return {
        token: entry.content
        for token, entry in added.items()
        if entry.special or token in special or _MARKER.fullmatch(entry.content)
    }


def vocabulary_of(tokenizer: Any, size: int, eos_ids: Iterable[int]) -> Vocabulary:
    """The byte-exact vocabulary of a transformers tokenizer.

    Args:
        tokenizer: one with a `backend_tokenizer`.
        size: V, the number of scores the model gives; ids from the tokenizer's end up to it are
            padding and have no bytes.
        eos_ids: candidates; those outside the V ids are left out.

    Raises:
        ModelUnavailable: its tokens have no bytes of their own, or no EOS id is left.
    """
    family = family_of(tokenizer)
    special = controls(tokenizer)
    ends = frozenset(token for token in eos_ids if 0 <= token < size)
    if not ends:
        raise ModelUnavailable(
            "The model names no token that ends a text.",
            hint="Its generation_config.json, config.json or tokenizer must give an eos_token_id.",
        )
    added = tokenizer.added_tokens_decoder
    table = str.maketrans({char: chr(byte) for char, byte in byte_characters().items()})
    tokens: list[bytes | None] = [None] * size
    names: dict[int, str] = {}
    for piece, token in tokenizer.get_vocab().items():
        if token >= size:
            continue
        if token in special or token in ends:
            names[token] = special.get(token, piece)
        elif family == "byte-level":
            tokens[token] = piece.encode() if token in added else _from_table(piece, table)
        else:
            tokens[token] = _from_piece(piece, family)
    return Vocabulary(tuple(tokens), ends, names)


def family_of(tokenizer: Any) -> Family:
    """How the tokenizer's pieces hold their bytes.

    Raises:
        ModelUnavailable: they hold none.
    """
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None:
        raise _refused(f"it runs in Python ({type(tokenizer).__name__})")
    model = backend.model
    kind = type(model).__name__
    parts = _parts(backend.decoder, "decoders") + _parts(backend.pre_tokenizer, "pretokenizers")
    types = {part["type"] for part in parts}
    if kind not in ("BPE", "Unigram"):
        raise _refused(f"a {kind} piece depends on its neighbours")
    if getattr(model, "end_of_word_suffix", None) or getattr(
        model, "continuing_subword_prefix", None
    ):
        raise _refused("a piece's text depends on whether it ends a word")
    if "ByteLevel" in types:
        return "byte-level"
    if "ByteFallback" in types and "WordPiece" not in types:
        return "byte-fallback"
    changes = {part["type"] for part in _parts(backend.normalizer, "normalizers")}
    if ("Metaspace" in types or "Replace" in types) and changes <= {"Prepend", "Replace"}:
        return "metaspace"
    raise _refused("it rewrites the text and has no pieces for single bytes")


def _parts(component: Any, inner: str) -> list[dict[str, Any]]:
    """A pipeline component as the flat list of its parts, each a dict with a `type`."""
    if component is None:
        return []
    state = component if isinstance(component, dict) else json.loads(component.__getstate__())
    if state["type"] != "Sequence":
        return [state]
    return [part for entry in state[inner] for part in _parts(entry, inner)]


def _from_table(piece: str, table: dict[int, str]) -> bytes | None:
    try:
        return piece.translate(table).encode("latin-1")
    except UnicodeEncodeError:
        return None  # no spelling in the byte alphabet: nothing that a text can match


def _from_piece(piece: str, family: Family) -> bytes:
    byte = _BYTE_PIECE.fullmatch(piece) if family == "byte-fallback" else None
    if byte:
        return bytes([int(byte[1], 16)])
    return piece.replace(_BLANK, " ").encode()


def _refused(why: str) -> ModelUnavailable:
    return ModelUnavailable(
        f"This model's tokenizer has no bytes for its tokens: {why}.",
        hint="Constraints work on bytes; choose a model with a byte-level BPE, a SentencePiece "
        "(byte fallback) or a tiktoken tokenizer.",
    )
