"""Every engine at one place of one text: what each allows there, what it costs, why they differ."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from playground.constraints.automaton import State, TokenAutomaton
from playground.constraints.byte_automaton import ByteAutomaton
from playground.constraints.dfa import DEAD
from playground.constraints.report import Compiled
from playground.errors import PlaygroundError
from playground.logspace import Mask
from playground.models.base import Prefix
from playground.vocabulary import Vocabulary

SHOWN = 12
"""Tokens that are named on either side of a difference."""
NAIVE = 20_000
"""Tokens that the naive scan is timed on, at most; its time is scaled to the whole vocabulary."""
JUDGE = "bytes"
"""The engine whose masks are exact: the others are compared with it where it compiles."""


@dataclass(frozen=True, eq=False, slots=True)
class Standing:
    """One engine after a prefix."""

    compiled: Compiled
    state: State
    mask: Mask
    first: float
    """Seconds of the mask, computed anew."""
    again: float
    """Seconds of the same mask, asked once more."""


def reached(automaton: TokenAutomaton, ids: Prefix) -> tuple[State, int]:
    """The state after as many tokens of `ids` as can follow, token by token, or byte by byte where
    the whole token is refused and single-byte tokens are not; and how many bytes were read."""
    state, read = automaton.initial, 0
    single = _single_bytes(automaton.vocabulary)
    for token in ids:
        text = automaton.vocabulary.tokens[token] or b""
        try:
            state = automaton.advance(state, token)
            read += len(text)
            continue
        except ValueError:
            pass
        for byte in text:
            try:
                state = automaton.advance(state, single[byte])
            except (ValueError, KeyError):
                return state, read
            read += 1
    return state, read


def _single_bytes(vocabulary: Vocabulary) -> dict[int, int]:
    return {text[0]: i for i, text in enumerate(vocabulary.tokens) if text and len(text) == 1}


def standing(compiled: Compiled, ids: Prefix, length: int) -> Standing | int:
    """Where an engine stands after `ids`, which spell `length` bytes; the number of bytes it reads
    where it refuses some."""
    automaton = compiled.automaton
    state, read = reached(automaton, ids)
    if read < length:
        return read
    fresh: Callable[[State], Mask] = getattr(automaton, "walk_mask", automaton.mask)
    started = time.perf_counter()
    fresh(state)
    first = time.perf_counter() - started
    mask = automaton.mask(state)
    started = time.perf_counter()
    automaton.mask(state)
    return Standing(compiled, state, mask, first, time.perf_counter() - started)


def compare_engines(
    titles: Mapping[str, str],
    compile_over: Callable[[str, bool], Compiled],
    text: str,
    ids: Prefix,
) -> dict[str, Any]:
    """What each engine allows after `text`.

    Args:
        titles: the engines asked, name -> title.
        compile_over: compiles the constraint with the engine of that name, anew or as kept; may
            raise.
        text: the prefix, and `ids` its tokens.

    Returns:
        The document "Engines on one prefix": counts, times in milliseconds, and for each engine
        the tokens that differ from the exact mask, explained.
    """
    length = len(text.encode("utf-8", "surrogatepass"))
    found: dict[str, Standing] = {}
    rows: list[dict[str, Any]] = []
    refused: dict[str, str] = {}
    seconds: dict[str, tuple[float, float]] = {}
    for name in titles:
        try:
            anew = compile_over(name, True).report.compile_seconds
            compile_over(name, False)
            compiled = compile_over(name, False)
        except PlaygroundError as error:
            refused[name] = str(error)
            continue
        seconds[name] = anew, compiled.report.compile_seconds
        stands = standing(compiled, ids, length)
        if isinstance(stands, int):
            refused[name] = (
                f"It reads {stands} of the {length} bytes of this text, then refuses it."
            )
        else:
            found[name] = stands
    exact = found.get(JUDGE)
    for name, title in titles.items():
        if name in found:
            rows.append(_row(name, title, found[name], exact, seconds[name]))
        else:
            rows.append({"name": name, "title": title, "refused": refused[name]})
    common = _common([each.mask for each in found.values()])
    document: dict[str, Any] = {"prefix": text, "engines": rows, "common": common}
    document["scan"] = None if exact is None else scan(exact)
    document["figures"] = figures(document)
    return document


def figures(document: dict[str, Any]) -> dict[str, float | None]:
    """The measurements that `claims` set beside published ones: ratios of times."""
    scanned = document["scan"]
    masks = {
        row["name"]: row["mask_ms"]["first"] for row in document["engines"] if "mask_ms" in row
    }
    if scanned is None:
        return {"kept_against_naive": None, "xgrammar_against_naive": None}
    naive = scanned["naive_ms"]
    return {
        "kept_against_naive": naive / scanned["kept_ms"] if scanned["kept_ms"] else None,
        "xgrammar_against_naive": naive / masks["xgrammar"] if "xgrammar" in masks else None,
    }


def _common(masks: Sequence[Mask]) -> int:
    return int(np.logical_and.reduce(masks).sum()) if masks else 0


def _row(
    name: str,
    title: str,
    stands: Standing,
    exact: Standing | None,
    seconds: tuple[float, float],
) -> dict[str, Any]:
    automaton, report = stands.compiled.automaton, stands.compiled.report
    view = automaton.describe(stands.state)
    row: dict[str, Any] = {
        "name": name,
        "title": title,
        "refused": None,
        "compile_ms": {"first": 1e3 * seconds[0], "again": 1e3 * seconds[1]},
        "mask_ms": {"first": 1e3 * stands.first, "again": 1e3 * stands.again},
        "states": report.states or None,
        "stack": {"depth": len(view.stack), "frames": list(view.stack), "of": view.stack_of}
        if view.stack
        else None,
        "allowed": int(stands.mask.sum()),
        "may_stop": view.may_stop,
        "only_here": [],
        "missing_here": [],
        "why": "The masks of the others are compared with this one, which is exact."
        if name == JUDGE
        else "There is no exact mask to compare with: the exact engine can't compile this.",
    }
    if exact is not None and name != JUDGE:
        vocabulary = automaton.vocabulary
        more = np.flatnonzero(stands.mask & ~exact.mask)
        less = np.flatnonzero(exact.mask & ~stands.mask)
        row["only_here"] = [vocabulary.name(int(i)) for i in more[:SHOWN]]
        row["missing_here"] = [vocabulary.name(int(i)) for i in less[:SHOWN]]
        row["more"], row["less"] = len(more), len(less)
        row["why"] = why(vocabulary, more, less)
    return row


_KINDS: tuple[tuple[str, Callable[[bytes], bool]], ...] = (
    ("begin with a blank or a line break", lambda text: text[:1] in (b" ", b"\n", b"\t", b"\r")),
    ("are parts of a character in UTF-8", lambda text: not _whole(text)),
    ("hold a control character", lambda text: any(byte < 0x20 or byte == 0x7F for byte in text)),
    ("hold a backslash", lambda text: b"\\" in text),
)


def _whole(text: bytes) -> bool:
    try:
        text.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def why(vocabulary: Vocabulary, more: Iterable[int], less: Iterable[int]) -> str:
    """The difference between a mask and the exact one in words: of which kinds the tokens are that
    it allows besides, and those that it blocks."""
    parts = [
        said
        for said in (
            _kinds("It allows", vocabulary, list(more)),
            _kinds("It blocks", vocabulary, list(less)),
        )
        if said
    ]
    return " ".join(parts) or "It allows exactly the same tokens."


def _kinds(verb: str, vocabulary: Vocabulary, tokens: list[int]) -> str:
    if not tokens:
        return ""
    texts = [vocabulary.tokens[token] for token in tokens]
    special = sum(text is None for text in texts)
    spelled = [text for text in texts if text is not None]
    said = [f"{special:,} are special tokens"] if special else []
    for words, holds in _KINDS:
        count = sum(map(holds, spelled))
        if count:
            said.append(f"{count:,} {words}")
            spelled = [text for text in spelled if not holds(text)]
    if spelled and said:
        said.append(f"{len(spelled):,} are others")
    beyond = "that the exact mask " + ("blocks" if verb == "It allows" else "allows")
    head = f"{verb} {len(tokens):,} token{'s' if len(tokens) > 1 else ''} {beyond}"
    return f"{head}: {', '.join(said)}." if said else f"{head}."


def scan(exact: Standing) -> dict[str, Any]:
    """Three ways to the exact mask, timed: every token walked on its own, the walk of the trie, and
    the mask that is kept for the state."""
    automaton = exact.compiled.automaton
    assert isinstance(automaton, ByteAutomaton)
    assert isinstance(exact.state, int)
    dfa, start = automaton.dfa, exact.state
    texts = [text for text in automaton.vocabulary.tokens if text]
    part = texts[:: max(1, len(texts) // NAIVE)]
    moves, classes = dfa.moves, dfa.classes
    started = time.perf_counter()
    for text in part:
        state = start
        for byte in text:
            state = int(moves[state, classes[byte]])
            if state == DEAD:
                break
    naive = (time.perf_counter() - started) * len(texts) / max(1, len(part))
    return {
        "naive_ms": 1e3 * naive,
        "naive_sampled": len(part) < len(texts),
        "walk_ms": 1e3 * exact.first,
        "kept_ms": 1e3 * exact.again,
    }
