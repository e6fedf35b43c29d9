"""What a head reads of a text: the model's hidden states, kept in memory and on disk.

The head reads the text alone, as the model's own tokens and without a chat template: BOS where the
tokenizer has one, then the text's beginning, `LONGEST` tokens at most. States are kept as float16
(three significant digits) and used as kept, so that what is trained on and what is predicted from
are rounded alike.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from playground.errors import Cancelled, InvalidInput
from playground.fields.kept import Kept, Shelf, States
from playground.models.base import Embedding, LanguageModel, Prefix, Provenance
from playground.models.states import by_batch, embeds

LONGEST: Final = 256
"""Tokens that a head reads of a text, BOS included: the first ones."""
VERSION: Final = 1
"""Of how states are made and kept; those of another version are never read."""

Pooling = Literal["mean", "last"]
Report = Callable[[int, int], None]
"""Called with the number of texts that are ready, and of all."""

_MEMORY = Kept()


@dataclass(frozen=True, eq=False, slots=True)
class Features:
    """The hidden states of N texts."""

    states: tuple[States, ...]
    """(T, width) of each text, T at least 1 and at most `LONGEST`."""
    width: int
    provenance: Provenance
    """The model that gave them."""

    def parted(self, at: int) -> tuple["Features", "Features"]:
        """Those of the first `at` texts, and those of the others."""
        first, rest = self.states[:at], self.states[at:]
        return replace(self, states=first), replace(self, states=rest)

    def pooled(self, kind: Pooling) -> NDArray[np.float32]:
        """(N, width): of each text the mean over its tokens, or the last token's state."""
        pooled = np.empty((len(self.states), self.width), dtype=np.float32)
        for row, states in zip(pooled, self.states, strict=True):
            row[:] = states.mean(axis=0, dtype=np.float32) if kind == "mean" else states[-1]
        return pooled


def features_of(
    model: LanguageModel,
    texts: Sequence[str],
    report: Report | None = None,
    cancelled: Callable[[], bool] | None = None,
    cache_folder: Path | None = None,
) -> Features:
    """What a head reads of each of `texts`, as `reading`.

    Args:
        report: called before the first pass and after each.
    """
    steps = reading(model, texts, cancelled, cache_folder)
    while True:
        try:
            done = next(steps)
        except StopIteration as end:
            found: Features = end.value
            return found
        if report is not None:
            report(*done)


def reading(
    model: LanguageModel,
    texts: Sequence[str],
    cancelled: Callable[[], bool] | None = None,
    cache_folder: Path | None = None,
) -> Generator[tuple[int, int], None, Features]:
    """What a head reads of each of `texts`; equal texts are read once. Yields the number of texts
    that are ready, and of all: before the first pass and after each.

    Args:
        model: one that shows its hidden states.
        texts: any; a text is cut after `LONGEST` tokens.
        cancelled: asked between texts and between passes; True ends the work. What was read is
            kept and not read again.
        cache_folder: the folder of `Settings.cache`; None keeps nothing on disk, as is right for
            what a visitor typed.

    Raises:
        ModelUnavailable: the model shows no hidden states.
        InvalidInput: naming the text: it can't be spelled, is longer than the model's context, or
            is empty and the model has no BOS.
        Cancelled: it was stopped.
    """
    embedding = embeds(model)
    keys = [_key(model.provenance, text) for text in texts]
    shelf = None if cache_folder is None else Shelf(cache_folder / "states")
    found: dict[str, States] = {}
    for key in dict.fromkeys(keys):
        _go_on(cancelled)
        states = _MEMORY.get(key)
        if states is None and shelf is not None:
            states = shelf.load(key, embedding.width)
        if states is not None:
            found[key] = _MEMORY.put(key, states)
    missing: dict[str, Prefix] = {}
    for at, (key, text) in enumerate(zip(keys, texts, strict=True), start=1):
        if key not in found and key not in missing:
            _go_on(cancelled)
            missing[key] = _named_prefix(model, text, at)
    count = Counter(keys)
    ready = sum(count[key] for key in found)
    yield ready, len(texts)
    for done in _passes(embedding, missing, shelf, cancelled):
        found |= done
        ready += sum(count[key] for key in done)
        yield ready, len(texts)
    return Features(tuple(found[key] for key in keys), embedding.width, model.provenance)


def _passes(
    model: Embedding,
    missing: Mapping[str, Prefix],
    shelf: Shelf | None,
    cancelled: Callable[[], bool] | None,
) -> Iterator[dict[str, States]]:
    """The states of each pass over `missing`, by key, kept as they come."""
    keys = list(missing)
    try:
        for batch, read in by_batch(model, list(missing.values()), cancelled):
            done = {
                keys[i]: _MEMORY.put(keys[i], rounded(exact))
                for i, exact in zip(batch, read, strict=True)
            }
            if shelf is not None:
                for key, states in done.items():
                    shelf.store(key, states)
            yield done
    finally:
        if shelf is not None:
            shelf.trim()


def _go_on(cancelled: Callable[[], bool] | None) -> None:
    if cancelled is not None and cancelled():
        raise Cancelled("Reading the texts was stopped.")


def prefix_of(model: LanguageModel, text: str) -> Prefix:
    """The tokens that a head reads of `text`, 1 to `LONGEST`.

    Raises:
        InvalidInput: it can't be spelled, is longer than the model's context, or is empty and the
            model has no BOS.
    """
    ids = model.encode(text) if text else ()
    try:
        start = model.render("", chat=False)
    except InvalidInput:
        if not ids:
            raise
        start = ()
    return (start + ids)[: min(LONGEST, model.context)]


def _named_prefix(model: LanguageModel, text: str, at: int) -> Prefix:
    """As `prefix_of`, of the text number `at`, which an error names."""
    try:
        return prefix_of(model, text)
    except InvalidInput as error:
        where = f"text {at}" + (f", {error.where}" if error.where else "")
        raise InvalidInput(error.what, error.hint, where) from None


def _key(owner: Provenance, text: str) -> str:
    parts = json.dumps([VERSION, LONGEST, asdict(owner), text], sort_keys=True)
    return hashlib.sha256(parts.encode()).hexdigest()


def rounded(exact: NDArray[np.float32]) -> States:
    """As states are kept and read: float16 unless one is too large for it."""
    small = bool(np.abs(exact).max() <= np.finfo(np.float16).max)
    return exact.astype(np.float16) if small else exact
