"""How the pushdown engines compile: tried in a child process first, kept in memory."""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from threading import Lock
from typing import Any

from playground.constraints.bytes_vocabulary import BYTES
from playground.constraints.cache import CompileCache, key_of
from playground.constraints.child import run_child
from playground.constraints.limits import Limits
from playground.constraints.masks import BUDGET
from playground.constraints.nesting import GrammarPlace, JsonPlace, Place
from playground.constraints.notes import Note
from playground.constraints.pushdown import Matcher, PushdownAutomaton
from playground.constraints.report import Cached, Compiled, Report
from playground.constraints.spec import JSON_KINDS, ConstraintSpec
from playground.errors import EmptyLanguage, ModelUnavailable
from playground.vocabulary import Vocabulary

Roots = Callable[[bytes, Vocabulary], tuple[Matcher, Matcher | None]]
"""From a child's answer and a vocabulary: the matchers that have read nothing, over BYTES and over
the vocabulary, None where that is BYTES."""


@dataclass(frozen=True, slots=True)
class PushdownEngine:
    """An engine of another library; its package has the engine's name."""

    name: str
    title: str
    about: str
    note: Note
    """What to know about it, first among the notes of every compilation."""
    roots: Roots

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
        """The automaton of `spec`, kept in memory only; raises as `compile.compile_constraint`, and
        ModelUnavailable where the package is not installed."""
        require(self.name)
        started = time.perf_counter()
        whitespace = spec.whitespace if spec.kind in JSON_KINDS else ""
        key = key_of(self.name, spec.kind, spec.source, whitespace, vocabulary.fingerprint)
        cached: Cached = "memory"

        def make() -> tuple[PushdownAutomaton, dict[str, Any], int]:
            return _made(self.name, self.roots, spec, vocabulary, limits, cancelled, until)

        found = cache.recall(key) if cache else None
        if found is None and cache:
            with cache.only_one(key, cancelled, until):
                found = cache.recall(key)
                if found is None:
                    cached, found = "no", make()
                    cache.remember(key, found, found[2] + 2 * BUDGET)
        elif found is None:
            cached, found = "no", make()
        automaton, head, _ = found
        notes = (self.note, *(Note(**note) for note in head["notes"]))
        seconds = time.perf_counter() - started
        return Compiled(automaton, spec, Report(head["regex"], 0, 0, seconds, cached, notes))


def require(engine: str) -> None:
    """Check that the engine's package is installed.

    Raises:
        ModelUnavailable: it isn't.
    """
    if find_spec(engine) is None:
        raise ModelUnavailable(
            f"The engine {engine} is not installed here.",
            f"Install the package {engine}, as the requirements files say, or choose another "
            "engine.",
            "engine",
        )


def _made(
    engine: str,
    roots: Roots,
    spec: ConstraintSpec,
    vocabulary: Vocabulary,
    limits: Limits,
    cancelled: Callable[[], bool] | None,
    until: float,
) -> tuple[PushdownAutomaton, dict[str, Any], int]:
    """The automaton, the head of the child's answer, and about how many bytes it keeps."""
    request = {
        "engine": engine,
        "kind": spec.kind,
        "source": spec.source,
        "whitespace": spec.whitespace,
        "tokens": None if engine == "llguidance" else _latin(vocabulary),
        "eos": sorted(vocabulary.eos_ids),
    }
    head, payload = run_child(request, limits, cancelled, until)
    over_bytes, over_tokens = roots(payload, vocabulary)
    place = _place(spec, head)
    automaton = PushdownAutomaton(engine, over_bytes, BYTES, place=place)
    _require_some_text(automaton, engine)
    if over_tokens is not None:
        automaton = PushdownAutomaton(engine, over_tokens, vocabulary, automaton, place)
        if not automaton.mask(automaton.initial).any():
            raise EmptyLanguage(
                "No token of this vocabulary can begin a valid text.",
                "Allow texts that the vocabulary can spell, or choose another model.",
            )
    return automaton, head, head["bytes"] + 10 * len(payload)


def _place(spec: ConstraintSpec, head: dict[str, Any]) -> Place:
    if spec.kind == "grammar":
        return GrammarPlace(spec.source.removeprefix("\ufeff"))
    return JsonPlace(head["schema"]) if head["schema"] is not None else Place()


def _require_some_text(automaton: PushdownAutomaton, engine: str) -> None:
    if not automaton.mask(automaton.initial).any():
        raise EmptyLanguage(
            f"No text satisfies this constraint, as {engine} reads it.",
            "Look for parts that exclude each other, or choose another engine.",
        )


def _latin(vocabulary: Vocabulary) -> list[str | None] | None:
    """The tokens as JSON can carry them; None for BYTES, which the child knows."""
    if vocabulary is BYTES:
        return None
    return [None if text is None else text.decode("latin-1") for text in vocabulary.tokens]


class Kept:
    """What a library makes of a vocabulary, for the vocabularies used last. Thread-safe."""

    def __init__(self, make: Callable[[Vocabulary], Any], most: int = 4) -> None:
        self._make = make
        self._most = most
        self._made: OrderedDict[str, Any] = OrderedDict()
        self._lock = Lock()

    def of(self, vocabulary: Vocabulary) -> Any:
        """`make(vocabulary)`."""
        with self._lock:
            made = self._made.get(vocabulary.fingerprint)
            if made is None:
                made = self._make(vocabulary)
                self._made[vocabulary.fingerprint] = made
                while len(self._made) > self._most:
                    self._made.popitem(last=False)
            self._made.move_to_end(vocabulary.fingerprint)
            return made
