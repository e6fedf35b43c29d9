"""The engine "outlines": outlines_core as released, faults and all, to look at."""

import io
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from playground.constraints.cache import CompileCache, key_of
from playground.constraints.child import run_child
from playground.constraints.limits import Limits
from playground.constraints.masks import BUDGET
from playground.constraints.notes import Note
from playground.constraints.outlines_automaton import OutlinesAutomaton
from playground.constraints.report import Cached, Compiled, Report
from playground.constraints.spec import ConstraintSpec
from playground.vocabulary import Vocabulary

_NOTE = Note(
    "warning",
    "engine",
    "",
    "This engine is shown as it is shipped: it may block tokens of valid texts, drop parts of the "
    "constraint silently, and it reads tokens as text, not bytes.",
)


@dataclass(frozen=True, slots=True)
class OutlinesEngine:
    """What a user of outlines gets."""

    title: str = "outlines as shipped"
    about: str = (
        "The token Index of outlines_core over outlines' own vocabulary; its masks are not exact."
    )

    def compile(
        self,
        spec: ConstraintSpec,
        vocabulary: Vocabulary,
        *,
        cache: CompileCache | None,
        limits: Limits,
        cancelled: Callable[[], bool] | None,
        until: float,
    ) -> Compiled:
        """The token Index of `spec`; kept in memory only."""
        started = time.perf_counter()
        key = key_of("outlines", spec.kind, spec.source, spec.whitespace, vocabulary.fingerprint)
        cached: Cached = "memory"
        found = cache.recall(key) if cache else None
        if found is None and cache:
            with cache.only_one(key, cancelled, until):
                found = cache.recall(key)
                if found is None:
                    cached = "no"
                    found = _built(spec, vocabulary, limits, cancelled, until)
                    cache.remember(key, found, found[0].nbytes + BUDGET)
        elif found is None:
            cached, found = "no", _built(spec, vocabulary, limits, cancelled, until)
        automaton, head = found
        seconds = time.perf_counter() - started
        report = Report(
            head["regex"], head["states"], head["transitions"], seconds, cached, (_NOTE,)
        )
        return Compiled(automaton, spec, report)


def _built(
    spec: ConstraintSpec,
    vocabulary: Vocabulary,
    limits: Limits,
    cancelled: Callable[[], bool] | None,
    until: float,
) -> tuple[OutlinesAutomaton, dict[str, Any]]:
    """The automaton, built by the child, and the head of its answer."""
    from outlines_core import Index

    request = {
        "engine": "outlines",
        "kind": spec.kind,
        "source": spec.source,
        "whitespace": spec.whitespace,
        "eos": min(vocabulary.eos_ids),
        "texts": list(shipped_texts(vocabulary).items()),
    }
    head, payload = run_child(request, limits, cancelled, until)
    size = head["index"]
    with np.load(io.BytesIO(payload[size:]), allow_pickle=False) as file:
        names, table = file["names"], file["table"]
    # outlines_core's own reader of its own format, on bytes that our own child just wrote.
    index = Index.from_binary(payload[:size])
    return OutlinesAutomaton(index, size, names, table, vocabulary, head["schema"]), head


def shipped_texts(vocabulary: Vocabulary) -> dict[str, list[int]]:
    """The vocabulary as outlines makes it: tokens as text, so bytes that aren't UTF-8 collapse to
    U+FFFD, and special tokens are the text of their names. EOS ids are left out."""
    texts: dict[str, list[int]] = {}
    for token, spelled in enumerate(vocabulary.tokens):
        if token in vocabulary.eos_ids:
            continue
        name = vocabulary.names.get(token, "")
        text = name if spelled is None else spelled.decode("utf-8", errors="replace")
        if text:
            texts.setdefault(text, []).append(token)
    return texts
