"""Compiles a constraint as typed to a token automaton over one vocabulary."""

import time
from collections.abc import Callable

from playground.constraints.cache import CompileCache
from playground.constraints.child import FORKS
from playground.constraints.engines import ENGINES
from playground.constraints.free import FreeAutomaton
from playground.constraints.limits import Limits
from playground.constraints.position import first_surrogate, half_a_pair, invalid_at
from playground.constraints.report import Compiled, Report
from playground.constraints.slots import PATIENCE, deadline
from playground.constraints.spec import ConstraintSpec
from playground.constraints.trie import trie_of
from playground.errors import InvalidInput
from playground.vocabulary import Vocabulary

__all__ = ["CompileCache", "Compiled", "Limits", "Report", "compile_constraint", "warm"]


def compile_constraint(
    spec: ConstraintSpec,
    vocabulary: Vocabulary,
    *,
    cache: CompileCache | None = None,
    limits: Limits | None = None,
    cancelled: Callable[[], bool] | None = None,
    patience: float = PATIENCE,
) -> Compiled:
    """The automaton of `spec` over `vocabulary`, and an account of how it was made.

    Args:
        spec: the constraint as typed.
        vocabulary: the model's.
        cache: where to look first and to keep the result; None compiles anew.
        limits: time, memory and size; the defaults of Limits if None.
        cancelled: asked every 20 ms; True ends the work at once.
        patience: longest wait, seconds, for a place on a busy server or for another's compilation
            of the same constraint.

    Raises:
        InvalidInput: the source is malformed, with line and column where there is a text; or the
            engine has no such name.
        EmptyLanguage: no text satisfies the constraint, or none that the vocabulary can spell.
        BudgetExceeded: a limit was reached, or the server is too busy.
        Cancelled: `cancelled` returned True.
    """
    if spec.engine not in ENGINES:
        raise InvalidInput(
            f"There is no engine {spec.engine[:40]!r}.", f"Choose one of {', '.join(ENGINES)}."
        )
    half = first_surrogate(spec.source)
    if half is not None:
        raise invalid_at(spec.source, half, *half_a_pair(spec.source[half]))
    if spec.kind == "free":
        started = time.perf_counter()
        automaton = FreeAutomaton(vocabulary, spec.engine)
        seconds = time.perf_counter() - started
        return Compiled(automaton, spec, Report("", 1, 256, seconds, "no"))
    return ENGINES[spec.engine].compile(
        spec,
        vocabulary,
        cache=cache,
        limits=limits or Limits(),
        cancelled=cancelled,
        until=deadline(patience),
    )


def warm(vocabulary: Vocabulary | None = None) -> None:
    """Start the fork server, and build what depends on the vocabulary alone (some 0.1 s for 50,000
    tokens), so that the first constraint need not wait. Safe in a background thread."""
    FORKS.start()
    if vocabulary is not None:
        trie_of(vocabulary)
