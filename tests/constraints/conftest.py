"""Vocabularies, cases and an independent matcher for the tests of constraints."""

import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from playground.constraints.compile import CompileCache, Compiled, compile_constraint
from playground.constraints.spec import ConstraintSpec
from playground.models.gguf import find_gguf
from playground.models.tokens import byte_characters
from playground.settings import Settings
from playground.vocabulary import Vocabulary

Ranges = tuple[tuple[int, int], ...]
LAST = 0x10FFFF


class Position(NamedTuple):
    """Where a text stands in a Reference: nodes reached, and bytes of an unfinished character."""

    nodes: frozenset[int]
    pending: bytes


class Reference:
    """A matcher of its own: Python's parser of regexes, and sets of positions over characters.

    It shares nothing with the automata under test: no byte automaton, no outlines_core. It answers
    whether bytes are a prefix of a match, or one.
    """

    def __init__(self, pattern: str) -> None:
        import re

        self._free: list[list[int]] = []
        self._moves: list[tuple[Ranges, int] | None] = []
        first, self._end = self._new(), self._new()
        self._add(re._parser.parse(pattern), first, self._end)  # type: ignore[attr-defined]
        self._live = self._leading_to_end()
        self._steps: dict[tuple[frozenset[int], int], frozenset[int]] = {}
        self.start = Position(self._closure({first}), b"")

    def after(self, position: Position, text: bytes) -> Position | None:
        """The position after `text`; None when it is no prefix of a match."""
        nodes, pending = position
        for byte in text:
            pending += bytes([byte])
            codes = codes_with(pending)
            if codes is None:
                return None
            if codes[0] == codes[1] and len(chr(codes[0]).encode()) == len(pending):
                nodes, pending = self._step(nodes, codes[0]), b""
                if not nodes:
                    return None
            elif not any(
                low <= codes[1] and codes[0] <= high
                for node in nodes
                if (move := self._moves[node])
                for low, high in move[0]
            ):
                return None
        return Position(nodes, pending)

    def matches(self, position: Position) -> bool:
        """The text so far is a match."""
        return not position.pending and self._end in position.nodes

    def _new(self) -> int:
        self._free.append([])
        self._moves.append(None)
        return len(self._free) - 1

    def _add(self, items: Any, source: int, target: int) -> None:
        for name, value in items:
            middle = self._new()
            self._add_one(str(name), value, source, middle)
            source = middle
        self._free[source].append(target)

    def _add_one(self, name: str, value: Any, source: int, target: int) -> None:
        if name in ("LITERAL", "NOT_LITERAL", "ANY", "IN"):
            step = self._new()
            self._free[source].append(step)
            self._moves[step] = (ranges_of(name, value), target)
        elif name == "BRANCH":
            for branch in value[1]:
                self._add(branch, source, target)
        elif name == "SUBPATTERN":
            self._add(value[3], source, target)
        else:
            assert name in ("MAX_REPEAT", "MIN_REPEAT"), name
            low, high, body = value
            for _ in range(low):
                middle = self._new()
                self._add(body, source, middle)
                source = middle
            if str(high) == "MAXREPEAT":
                loop = self._new()
                self._free[source].append(loop)
                self._add(body, loop, loop)
                source, high = loop, low
            for _ in range(high - low):
                middle = self._new()
                self._free[source].append(target)
                self._add(body, source, middle)
                source = middle
            self._free[source].append(target)

    def _leading_to_end(self) -> set[int]:
        before: dict[int, list[int]] = {}
        for node, (free, move) in enumerate(zip(self._free, self._moves, strict=True)):
            for after in [*free, *([move[1]] if move and move[0] else [])]:
                before.setdefault(after, []).append(node)
        live, todo = {self._end}, [self._end]
        while todo:
            for node in before.get(todo.pop(), []):
                if node not in live:
                    live.add(node)
                    todo.append(node)
        return live

    def _closure(self, nodes: set[int]) -> frozenset[int]:
        seen, todo = set(nodes), list(nodes)
        while todo:
            for after in self._free[todo.pop()]:
                if after not in seen and after in self._live:
                    seen.add(after)
                    todo.append(after)
        return frozenset(
            node
            for node in seen
            if node == self._end or ((move := self._moves[node]) and move[1] in self._live)
        )

    def _step(self, nodes: frozenset[int], code: int) -> frozenset[int]:
        key = (nodes, code)
        if key not in self._steps:
            reached = {
                move[1]
                for node in nodes
                if (move := self._moves[node]) and any(low <= code <= high for low, high in move[0])
            }
            self._steps[key] = self._closure(reached)
        return self._steps[key]


def codes_with(pending: bytes) -> tuple[int, int] | None:
    """The first and last character whose UTF-8 begins with `pending`; None if there is none."""
    lead = pending[0]
    if lead < 0x80:
        return (lead, lead)
    length = 2 if 0xC2 <= lead < 0xE0 else 3 if 0xE0 <= lead < 0xF0 else 4
    if not 0xC2 <= lead <= 0xF4 or any(not 0x80 <= byte < 0xC0 for byte in pending[1:]):
        return None
    code = lead & (0x7F >> length)
    for byte in pending[1:]:
        code = code << 6 | byte & 0x3F
    open_bits = 6 * (length - len(pending))
    low, high = code << open_bits, (code + 1 << open_bits) - 1
    low = max(low, {2: 0x80, 3: 0x800, 4: 0x10000}[length])
    high = min(high, LAST)
    if 0xD800 <= low <= 0xDFFF and 0xD800 <= high <= 0xDFFF:
        return None
    high = 0xD7FF if low < 0xD800 <= high <= 0xDFFF else high
    return (low, high) if low <= high else None


@cache
def named(category: str) -> Ranges:
    """The characters of \\d, \\w or \\s."""
    import regex

    pattern = {
        "DIGIT": r"\p{Nd}",
        "SPACE": r"\p{White_Space}",
        "WORD": r"[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]",
    }[category]
    text = "".join(chr(code) for code in range(LAST + 1) if not 0xD800 <= code <= 0xDFFF)
    # Digits that Unicode 17 added are newer than the tables of outlines_core.
    found = (ord(char) for char in regex.findall(pattern, text))
    return joined((code, code) for code in found if not 0x11DE0 <= code <= 0x11DE9)


def joined(ranges: Iterator[tuple[int, int]]) -> Ranges:
    """Sorted ranges without overlaps."""
    out: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if out and low <= out[-1][1] + 1:
            out[-1] = (out[-1][0], max(out[-1][1], high))
        else:
            out.append((low, high))
    return tuple(out)


def without(ranges: Ranges) -> Ranges:
    """All other characters."""
    edges = [-1, *(edge for pair in ranges for edge in pair), LAST + 1]
    gaps = zip(edges[::2], edges[1::2], strict=True)
    return tuple((low + 1, high - 1) for low, high in gaps if low + 1 <= high - 1)


def ranges_of(name: str, value: Any) -> Ranges:
    """The characters of one item of a parsed regex."""
    if name == "LITERAL":
        return ((value, value),)
    if name == "NOT_LITERAL":
        return without(((value, value),))
    if name == "ANY":
        return without(((10, 10),))
    parts: list[tuple[int, int]] = []
    negated = False
    for kind, item in value:
        if str(kind) == "NEGATE":
            negated = True
        elif str(kind) == "CATEGORY":
            category = str(item).removeprefix("CATEGORY_")
            ranges = named(category.removeprefix("NOT_"))
            parts += without(ranges) if category.startswith("NOT_") else ranges
        else:
            parts += [(item, item) if str(kind) == "LITERAL" else item]
    found = joined(iter(parts))
    return without(found) if negated else found


class Scan:
    """Every token of a vocabulary tried by a Reference; neighbours share their common beginning."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._plan: list[tuple[int, bytes, int]] = []
        before = b""
        texts = sorted((text, i) for i, text in enumerate(vocabulary.tokens) if text is not None)
        for text, token in texts:
            shared = next(
                (at for at in range(min(len(text), len(before))) if text[at] != before[at]),
                min(len(text), len(before)),
            )
            self._plan.append((token, text, shared))
            before = text

    def mask(self, reference: Reference, at: Position) -> np.ndarray:
        """(V,) bool: the tokens that keep the text a prefix of a match; EOS where it is one."""
        mask = np.zeros(len(self._vocabulary), dtype=bool)
        mask[sorted(self._vocabulary.eos_ids)] = reference.matches(at)
        positions: list[Position] = [at]
        for token, text, shared in self._plan:
            del positions[shared + 1 :]
            while len(positions) <= len(text) and len(positions) > shared:
                after = reference.after(positions[-1], text[len(positions) - 1 :][:1])
                if after is None:
                    break
                positions.append(after)
            mask[token] = len(positions) == len(text) + 1
        return mask


@pytest.fixture(scope="session")
def smollm2() -> Vocabulary:
    """SmolLM2's vocabulary, read from its file without loading the model."""
    if os.environ.get("PLAYGROUND_NO_MODEL") == "1":
        pytest.skip("PLAYGROUND_NO_MODEL=1: without the default model")
    path = find_gguf()
    from gguf import GGUFReader

    fields = GGUFReader(path).fields
    texts, kinds = fields["tokenizer.ggml.tokens"], fields["tokenizer.ggml.token_type"]
    pieces = [bytes(texts.parts[i]).decode() for i in texts.data]
    special = [int(kinds.parts[i][0]) == 3 for i in kinds.data]
    table = byte_characters()
    return Vocabulary(
        tuple(
            None if control else bytes(table[char] for char in piece)
            for piece, control in zip(pieces, special, strict=True)
        ),
        frozenset({2}),
        {
            i: piece
            for i, (piece, control) in enumerate(zip(pieces, special, strict=True))
            if control
        },
    )


@pytest.fixture(scope="session")
def sentencepiece(tmp_path_factory: pytest.TempPathFactory) -> Vocabulary:
    """A small SentencePiece vocabulary with byte fallback, trained here."""
    import sentencepiece as spm

    folder: Path = tmp_path_factory.mktemp("spm")
    corpus = [
        *(f"The quick brown fox number {n}, 2,3,5 and {n * 7}, jumped." for n in range(150)),
        *('{"name": "Ada", "age": 36, "tags": ["a", "b"]}' for _ in range(30)),
        "naïve café, Größe, 日本語, здравствуй 😀",
    ]
    spm.SentencePieceTrainer.train(
        sentence_iterator=iter(corpus),
        model_prefix=str(folder / "small"),
        vocab_size=480,
        model_type="bpe",
        byte_fallback=True,
        normalization_rule_name="identity",
        remove_extra_whitespaces=False,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    pieces = spm.SentencePieceProcessor(str(folder / "small.model"))
    tokens: list[bytes | None] = []
    for i in range(pieces.vocab_size()):
        piece = pieces.id_to_piece(i)
        if pieces.is_byte(i):
            tokens.append(bytes([int(piece[3:5], 16)]))
        elif pieces.is_control(i) or pieces.is_unknown(i):
            tokens.append(None)
        else:
            tokens.append(piece.replace("▁", " ").encode())
    return Vocabulary(tuple(tokens), frozenset({pieces.eos_id()}))


@pytest.fixture(scope="session")
def letters() -> Vocabulary:
    """A few short tokens over a, b and c, and an end."""
    tokens = [b"a", b"b", b"c", b"ab", b"ba", b"abc", b"cc", b"aaa", None]
    return Vocabulary(tuple(tokens), frozenset({8}), {8: "<eos>"})


@pytest.fixture(scope="session")
def cache_of_tests(tmp_path_factory: pytest.TempPathFactory) -> CompileCache:
    """A cache that starts empty."""
    return CompileCache(Settings(cache=tmp_path_factory.mktemp("cache")))


@pytest.fixture(scope="session")
def compiled(cache_of_tests: CompileCache) -> Callable[..., Compiled]:
    """Compile `kind`, `source` over a vocabulary, through the child process and the cache."""

    def make(kind: str, source: str, vocabulary: Vocabulary, **fields: str) -> Compiled:
        spec = ConstraintSpec(kind=kind, source=source, **fields)  # type: ignore[arg-type]
        return compile_constraint(spec, vocabulary, cache=cache_of_tests)

    return make


class Judge(NamedTuple):
    """The independent matcher, for tests that can't import this file."""

    reference: Callable[[str], Reference]
    mask: Callable[[Reference, Position, Vocabulary], np.ndarray]


@pytest.fixture(scope="session")
def judge() -> Judge:
    """A Reference of a pattern, and the mask that it gives by a scan of a vocabulary."""
    scans: dict[str, Scan] = {}

    def mask(reference: Reference, at: Position, vocabulary: Vocabulary) -> np.ndarray:
        key = vocabulary.fingerprint
        if key not in scans:
            scans[key] = Scan(vocabulary)
        return scans[key].mask(reference, at)

    return Judge(cache(Reference), mask)
