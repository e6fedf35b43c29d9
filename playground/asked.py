"""A constraint as a visitor asks about it: compiled over bytes or over a tokenizer's vocabulary."""

import copy
import time
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from threading import Lock
from typing import Self

from playground.constraints.automaton import TokenAutomaton
from playground.constraints.bytes_vocabulary import BYTES
from playground.constraints.compile import CompileCache, Compiled, Limits, compile_constraint
from playground.constraints.notes import Note
from playground.constraints.sources import schema_text
from playground.constraints.spec import ConstraintSpec
from playground.errors import Busy, Cancelled, InvalidInput, PlaygroundError
from playground.vocabulary import Vocabulary

MAX_TEXTS = 100
"""Most test strings in one request."""
MAX_TEXT = 20_000
"""Longest test string, characters."""
QUICK_SECONDS = 5.0
"""Longest compilation that an edit starts, and longest child that answers one."""
PATIENCE = 3.0
"""Seconds that an edit waits for a place to compile in."""
PATIENT_SECONDS = 10.0
"""Longest search for witnesses of whoever waits for one answer only."""
REFUSED_SECONDS = 60.0
"""How long a refusal holds: one for time depends on how busy the machine was."""
MAX_REFUSED = 128

Key = tuple[ConstraintSpec, str]
"""A constraint and the fingerprint of the vocabulary it is asked over."""


@dataclass(frozen=True, eq=False, slots=True)
class Asked:
    """A constraint compiled over bytes, or why it couldn't be."""

    spec: ConstraintSpec
    schema: str | None
    """The text of its JSON Schema; None for kinds without one."""
    compiled: Compiled | None
    refusal: PlaygroundError | None
    """Why there is no automaton: nothing satisfies it, it is malformed, or it is too large."""

    @property
    def automaton(self) -> TokenAutomaton | None:
        return None if self.compiled is None else self.compiled.automaton

    @property
    def notes(self) -> tuple[Note, ...]:
        return () if self.compiled is None else self.compiled.report.notes


class Constraints:
    """Compiles what visitors ask about, within the limits of an edit; shares the compile cache."""

    def __init__(self, cache: CompileCache, limits: Limits) -> None:
        self._cache = cache
        self._operators = limits
        self.limits = replace(limits, seconds=min(QUICK_SECONDS, limits.seconds))
        self.search_seconds: float | None = None
        """Longest search for witnesses; what is usual on a page if None."""
        self._asking: dict[Key, Future[Compiled]] = {}
        self._refused: OrderedDict[Key, tuple[float, PlaygroundError]] = OrderedDict()
        self._lock = Lock()

    def patient(self) -> Self:
        """The same under the operator's limits, for whoever waits for one answer only."""
        other = copy.copy(self)
        other.limits = self._operators
        other.search_seconds = PATIENT_SECONDS
        other._refused = OrderedDict()
        return other

    def compile(
        self, spec: ConstraintSpec, vocabulary: Vocabulary = BYTES, anew: bool = False
    ) -> Compiled:
        """The constraint over `vocabulary`; the same again costs nothing unless `anew`. One edit
        asks several questions at once: they share one compilation, and a refusal is kept for
        REFUSED_SECONDS.

        Raises:
            PlaygroundError: it is malformed, too large, or nothing satisfies it.
        """
        if anew:
            return compile_constraint(spec, vocabulary, limits=self.limits, patience=PATIENCE)
        key = (spec, vocabulary.fingerprint)
        with self._lock:
            since, refusal = self._refused.get(key, (0.0, None))
            if refusal is not None and time.monotonic() - since < REFUSED_SECONDS:
                raise refusal.with_traceback(None)
            asked = self._asking.get(key)
            if asked is None:
                ours = self._asking[key] = Future()
        if asked is not None:
            return asked.result()
        try:
            compiled = compile_constraint(
                spec, vocabulary, cache=self._cache, limits=self.limits, patience=PATIENCE
            )
        except BaseException as error:
            self._answered(key, error)
            ours.set_exception(error)
            raise
        self._answered(key, None)
        ours.set_result(compiled)
        return compiled

    def _answered(self, key: Key, error: BaseException | None) -> None:
        with self._lock:
            del self._asking[key]
            if isinstance(error, PlaygroundError) and not isinstance(error, Busy | Cancelled):
                self._refused[key] = time.monotonic(), error
                while len(self._refused) > MAX_REFUSED:
                    self._refused.popitem(last=False)

    def ask(self, spec: ConstraintSpec) -> Asked:
        """The constraint over the 256 bytes, or why there is none."""
        text: str | None = None
        try:
            text = schema_text(spec)
            return Asked(spec, text, self.compile(spec), None)
        except PlaygroundError as error:
            return Asked(spec, text, None, error)

    def require(self, spec: ConstraintSpec) -> tuple[Compiled, str | None]:
        """The constraint over bytes and the text of its schema, where there is no answer without.

        Raises:
            PlaygroundError: the constraint doesn't compile.
        """
        asked = self.ask(spec)
        if asked.compiled is None:
            assert asked.refusal is not None
            raise asked.refusal
        return asked.compiled, asked.schema


def require_texts(texts: Sequence[str]) -> None:
    """Check the number and the length of test strings.

    Raises:
        InvalidInput: too many, or one is too long; says which.
    """
    if len(texts) > MAX_TEXTS:
        raise InvalidInput(
            f"There are {len(texts)} test strings.", f"At most {MAX_TEXTS} are judged: remove some."
        )
    for number, text in enumerate(texts, 1):
        if len(text) > MAX_TEXT:
            raise InvalidInput(
                f"Test string {number} has {len(text):,} characters.",
                f"At most {MAX_TEXT:,} are judged: shorten it.",
            )
