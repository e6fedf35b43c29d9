"""The row store: logits, keys and values by prefix, shared by every method and visitor.

Rows and spans lie in two tables under one lock and one budget of bytes. A row is the law of its
prefix from when it is first stored: it is never computed again while it is held. A span is the
keys and values of some tokens after an earlier span, so that a step costs one token of forward
pass; the prompt is one span (read in pieces when it is long), later tokens come one by one.
"""

import itertools
import threading
import weakref
from collections import Counter, OrderedDict
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any

import numpy as np

from playground.logspace import Logits
from playground.models.base import Incremental, LanguageModel, Packed, Prefix, Provenance, Scorer
from playground.models.context import require_fits
from playground.models.scheduler import PIECE, Scheduler
from playground.models.turns import Turns
from playground.models.waves import Key, Span, path_of

SCORED = 64
"""Most tokens of a given text scored in one pass: a row each, 13 MB for 50,000 tokens."""
ENTRY_BYTES = 400
"""What an entry costs besides its arrays: keys, tuples, bookkeeping."""
SPAN_SHARE = 4
"""Spans are evicted before rows until they take less than 1/SPAN_SHARE of the budget, so that a
full store still steps at the cost of one token."""


class RowStore:
    """A bounded, least-recently-used store of rows, keys and values. Thread-safe."""

    def __init__(self, budget_bytes: int) -> None:
        """
        Args:
            budget_bytes: what rows, keys, values and their bookkeeping may take together.
        """
        self._budget = budget_bytes
        self._lock = threading.Lock()
        self._rows: OrderedDict[Key, Logits] = OrderedDict()
        self._spans: dict[Key, Span] = {}
        self._span_order: OrderedDict[int, Span] = OrderedDict()
        self._serials = itertools.count()
        self._lengths: dict[Provenance, Counter[int]] = {}
        self._row_bytes = 0
        self._span_bytes = 0
        self._computed = 0
        self._here = threading.local()
        self._batches: Counter[int] = Counter()
        self._turns: weakref.WeakKeyDictionary[LanguageModel, Turns] = weakref.WeakKeyDictionary()
        self._schedulers: weakref.WeakKeyDictionary[LanguageModel, Scheduler] = (
            weakref.WeakKeyDictionary()
        )

    @property
    def computed(self) -> int:
        """Rows computed since the start, evicted ones included."""
        return self._computed

    @property
    def computed_here(self) -> int:
        """Rows computed by the thread that asks, since it started."""
        return int(getattr(self._here, "computed", 0))

    @property
    def batches(self) -> dict[int, int]:
        """How many passes of packed models gave how many rows, since the start."""
        with self._lock:
            return dict(self._batches)

    @property
    def nbytes(self) -> int:
        """Bytes held now, at most the budget between calls."""
        return self._row_bytes + self._span_bytes

    @property
    def held(self) -> tuple[int, int]:
        """How many rows and how many spans are held."""
        return len(self._rows), len(self._spans)

    def get(self, model: LanguageModel, prefixes: Sequence[Prefix]) -> Logits:
        """(B, V) raw logits, in the model's dtype, after each prefix (prompt included), read-only.

        Raises:
            InvalidInput: a prefix is longer than the model's context.
        """
        wanted = [(model.provenance, tuple(prefix)) for prefix in prefixes]
        for _, prefix in wanted:
            require_fits(len(prefix), model.context)
        found = self.held_rows(wanted)
        missing = [key for key in dict.fromkeys(wanted) if key not in found]
        if missing and isinstance(model, Packed):
            job = self.scheduler(model).rows(model, missing)
            self._here.computed = self.computed_here + job.computed
            found |= job.found
        elif missing and isinstance(model, Incremental):
            found |= {key: self._continue(model, model, key) for key in missing}
        elif missing:
            found |= self._batch(model, missing)
        if len(wanted) == 1:
            return found[wanted[0]][None]
        rows = (
            np.stack([found[key] for key in wanted])
            if wanted
            else np.empty((0, len(model.vocabulary)), dtype=np.float32)
        )
        rows.setflags(write=False)
        return rows

    def holds(self, model: LanguageModel, prefix: Prefix) -> bool:
        """Whether the row after `prefix` is held now."""
        with self._lock:
            return (model.provenance, prefix) in self._rows

    def prime(self, model: LanguageModel, prefix: Prefix, tokens: Prefix) -> None:
        """Have the rows after `prefix` and after each of `tokens` at the cost of reading them once.

        A row at a time costs a pass a token; a given text can be read many tokens a pass. For a
        model that can't, or a row that is held, it does nothing.

        Raises:
            InvalidInput: longer than the model's context.
        """
        require_fits(len(prefix) + len(tokens), model.context)
        if not isinstance(model, Scorer) or not tokens:
            return
        self.get(model, [prefix])
        start = 0
        while start < len(tokens):
            with self._turn(model):
                key = (model.provenance, prefix + tokens[: start + 1])
                path = self.path_to(key)
                if len(path[-1].key[1] if path else ()) != len(prefix) + start or self._holds(key):
                    start += 1  # held already, or its past was evicted: `get` will see to it
                    continue
                piece = tokens[start : start + SCORED]
                rows, memories = model.extend_each([span.memory for span in path], piece)
                for row, memory in zip(rows, memories, strict=True):
                    start += 1
                    key = (model.provenance, prefix + tokens[:start])
                    path.append(self.store_span(key, path[-1] if path else None, memory))
                    self._store_row(key, row)

    def _holds(self, key: Key) -> bool:
        with self._lock:
            return key in self._rows and key in self._spans

    def _batch(self, model: LanguageModel, keys: list[Key]) -> dict[Key, Logits]:
        """Rows of a model without memory, in one call."""
        with self._turn(model):
            found = self.held_rows(keys)  # another thread may have been first
            missing = [key for key in keys if key not in found]
            if missing:
                rows = model.logits([prefix for _, prefix in missing])
                found |= {
                    key: self._store_row(key, row) for key, row in zip(missing, rows, strict=True)
                }
        return found

    def _continue(self, model: LanguageModel, runner: Incremental, key: Key) -> Logits:
        """The row of one prefix, run from the longest stored one before it."""
        owner, prefix = key
        # What ran is held here, so that eviction can't undo the progress of a long prompt.
        path: list[Span] | None = None
        while True:
            with self._turn(model):
                row = self.held_rows([key]).get(key)
                if row is not None:
                    return row
                if path is None:
                    path = self.path_to(key)
                start = len(path[-1].key[1]) if path else 0
                end = min(start + PIECE, len(prefix))
                past = [span.memory for span in path]
                logits, memory = runner.extend(past, prefix[start:end])
                path.append(
                    self.store_span((owner, prefix[:end]), path[-1] if path else None, memory)
                )
                if end == len(prefix):
                    return self._store_row(key, logits)

    def scheduler(self, model: LanguageModel) -> Scheduler:
        """Who serves those that wait for rows of a packed `model`."""
        with self._lock:
            held = self._schedulers.get(model)
            if held is None:
                held = self._schedulers[model] = Scheduler(self)
            return held

    def _turn(self, model: LanguageModel) -> AbstractContextManager[None]:
        if isinstance(model, Packed):
            return self.scheduler(model).turn()
        with self._lock:
            return self._turns.setdefault(model, Turns())

    def held_rows(self, keys: Iterable[Key]) -> dict[Key, Logits]:
        """Those rows of `keys` that are held; they count as used."""
        with self._lock:
            found = {key: self._rows[key] for key in keys if key in self._rows}
            for key in found:
                self._rows.move_to_end(key)
                self._touch(key)
            return found

    def path_to(self, key: Key) -> list[Span]:
        """The spans of the longest stored proper prefix of `key`, first to last."""
        owner, prefix = key
        with self._lock:
            lengths = self._lengths.get(owner, ())
            for length in sorted((n for n in lengths if n < len(prefix)), reverse=True):
                span = self._spans.get((owner, prefix[:length]))
                if span is not None:
                    return path_of(span)
        return []

    def span_at(self, key: Key) -> Span | None:
        """The stored span that ends the prefix of `key`."""
        with self._lock:
            return self._spans.get(key)

    def _touch(self, key: Key) -> None:
        """Mark a span and those before it as used, the earliest last: so the oldest span is always
        a leaf, and no span outlives one before it."""
        span = self._spans.get(key)
        while span is not None:
            self._span_order.move_to_end(span.serial)
            span = span.parent

    def ran(self, rows: int) -> None:
        """Note a pass that gave so many rows."""
        with self._lock:
            self._batches[rows] += 1

    def _store_row(self, key: Key, logits: Logits) -> Logits:
        """As `store_row`, for the thread that asked."""
        self._here.computed = self.computed_here + 1
        return self.store_row(key, logits)

    def store_row(self, key: Key, logits: Logits) -> Logits:
        """The row of `key`, a copy of `logits` (V,) unless one is held already."""
        row = np.array(logits)
        row.setflags(write=False)
        with self._lock:
            self._computed += 1
            held = self._rows.get(key)
            if held is not None:
                return held
            self._rows[key] = row
            self._row_bytes += self._row_size(key, row)
            self._evict(key)
        return row

    def store_span(self, key: Key, parent: Span | None, memory: Any) -> Span:
        """The span of `memory` after `parent`, kept where the budget and its parent allow it."""
        nbytes = int(memory.nbytes) + ENTRY_BYTES + 8 * len(key[1])
        with self._lock:
            held = self._spans.get(key)
            if held is not None:  # its row was evicted before it
                self._touch(key)
                return held
            span = Span(key, parent, memory, nbytes, next(self._serials))
            if parent is None or parent.serial in self._span_order:
                self._spans[key] = self._span_order[span.serial] = span
                self._span_bytes += nbytes
                self._lengths.setdefault(key[0], Counter())[len(key[1])] += 1
                self._touch(key)
                self._evict(key)
            return span

    def _evict(self, current: Key) -> None:
        """Make room: spans first, down to their share (and never the current path while there is
        something else), then rows, then whatever is left."""
        if self.nbytes <= self._budget:
            return
        in_use = sum(span.nbytes for span in path_of(self._spans.get(current)))
        share = max(self._budget // SPAN_SHARE, in_use)
        while self.nbytes > self._budget:
            if self._spans and (self._span_bytes > share or not self._rows):
                self._drop_span()
            else:
                key, row = self._rows.popitem(last=False)
                self._row_bytes -= self._row_size(key, row)

    def _drop_span(self) -> None:
        _, span = self._span_order.popitem(last=False)
        del self._spans[span.key]
        self._span_bytes -= span.nbytes
        owner, prefix = span.key
        lengths = self._lengths[owner]
        lengths[len(prefix)] -= 1
        if not lengths[len(prefix)]:
            del lengths[len(prefix)]
        if not lengths:
            del self._lengths[owner]

    @staticmethod
    def _row_size(key: Key, row: Logits) -> int:
        return int(row.nbytes) + ENTRY_BYTES + 8 * len(key[1])
