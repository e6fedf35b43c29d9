"""The engine "bytes": exact masks from a byte automaton and the vocabulary's trie."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from playground.constraints.byte_automaton import ByteAutomaton
from playground.constraints.cache import CompileCache, key_of
from playground.constraints.child import run_child
from playground.constraints.core import Core, Damaged, decode
from playground.constraints.limits import Limits
from playground.constraints.masks import BUDGET
from playground.constraints.report import Cached, Compiled, Report
from playground.constraints.sources import resolve
from playground.constraints.spec import JSON_KINDS, ConstraintSpec
from playground.constraints.spelling import require_spellable
from playground.vocabulary import Vocabulary

AT_ONCE = 20_000
"""Sources of so many characters are checked before a child is started; longer ones inside it."""


@dataclass(frozen=True, slots=True)
class BytesEngine:
    """The default."""

    title: str = "exact byte automaton"
    about: str = (
        "Allows exactly the tokens that keep the text a prefix of a valid text, byte by byte."
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
        """The exact automaton of `spec` over `vocabulary`."""
        started = time.perf_counter()
        cached: Cached = "no"
        if cache is None:
            core = decode(compile_core(spec, limits, cancelled, until))
            automaton = _automaton(core, vocabulary, cancelled)
        else:
            key = key_of("bytes", spec.kind, spec.source, _whitespace(spec))
            core, cached = _core(key, spec, cache, limits, cancelled, until)
            whole = key_of(key, vocabulary.fingerprint)
            automaton = cache.recall(whole)
            if automaton is None:
                automaton = _automaton(core, vocabulary, cancelled)
                cache.remember(whole, automaton, core.dfa.nbytes + BUDGET)
        seconds = time.perf_counter() - started
        dfa = core.dfa
        report = Report(core.regex, len(dfa), dfa.transitions, seconds, cached, core.notes)
        return Compiled(automaton, spec, report)


def _whitespace(spec: ConstraintSpec) -> str:
    """What of the setting matters: nothing, without JSON."""
    return spec.whitespace if spec.kind in JSON_KINDS else ""


def _automaton(
    core: Core, vocabulary: Vocabulary, cancelled: Callable[[], bool] | None
) -> ByteAutomaton:
    automaton = ByteAutomaton(core.dfa, vocabulary, core.schema)
    require_spellable(automaton, cancelled)
    return automaton


def _core(
    key: str,
    spec: ConstraintSpec,
    cache: CompileCache,
    limits: Limits,
    cancelled: Callable[[], bool] | None,
    until: float,
) -> tuple[Core, Cached]:
    """The core from memory, from disk, or made now."""
    core: Core | None = cache.recall(key)
    if core is not None:
        return core, "memory"
    with cache.only_one(key, cancelled, until):
        core = cache.recall(key)
        if core is not None:  # another visitor had it made in the meantime
            return core, "memory"
        cached: Cached = "disk"
        content = cache.load(key)
        if content is not None:
            try:
                core = decode(content)
            except Damaged:
                content = None
        if content is None or core is None:
            cached = "no"
            content = compile_core(spec, limits, cancelled, until)
            core = decode(content)
            cache.store(key, content)
        cache.remember(key, core, core.dfa.nbytes)
        return core, cached


def compile_core(
    spec: ConstraintSpec,
    limits: Limits,
    cancelled: Callable[[], bool] | None,
    until: float | None = None,
) -> bytes:
    """The npz of the byte automaton of `spec`, made in a child process.

    Raises:
        PlaygroundError: as `compile.compile_constraint`.
    """
    if len(spec.source) <= AT_ONCE and spec.kind in ("regex", "choices", "type", "grammar"):
        resolve(spec.kind, spec.source, spec.whitespace, limits)
    request = {
        "engine": "bytes",
        "kind": spec.kind,
        "source": spec.source,
        "whitespace": spec.whitespace,
    }
    return run_child(request, limits, cancelled, until)[1]
