r"""The engine "auto": picks one of the others for each constraint, and says which and why.

The rule, soundness first and then width:

1. A grammar goes to llguidance, or to xgrammar where llguidance refuses it.
2. Everything else goes to bytes, if it enforces all of it and is narrower in order, spelling and
   blanks at most.
3. What bytes refuses because a reference leads outside or nowhere, or a type is unknown, is
   refused: another engine may compile it by leaving that part out.
4. Where it is too large for bytes, or bytes leaves a keyword out or unrolls a recursion to some
   depth, llguidance takes it, if it compiles: it refuses what it can't enforce. A value without a
   schema, which bytes offers to some depth, is no reason: the masks of bytes are exact.
5. Where llguidance refuses it as well, bytes keeps it, if bytes compiled it and lets no invalid
   text through that xgrammar is not known to let through too.
6. Else xgrammar takes it, unless it leaves a reference out: it may be one of those of rule 3.

An engine that isn't installed counts as one that refuses.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from playground.constraints.cache import CompileCache
from playground.constraints.engine import Engine
from playground.constraints.limits import Limits
from playground.constraints.notes import Note
from playground.constraints.pushdown_keywords import dropped_reference
from playground.constraints.report import Compiled
from playground.constraints.spec import ConstraintSpec
from playground.errors import (
    BudgetExceeded,
    Cancelled,
    InvalidInput,
    PlaygroundError,
    UnsupportedSchema,
)
from playground.vocabulary import Vocabulary

_DEPTHS = ("$ref",)
"""Topics of notes that say that bytes stops at some depth of a recursion."""
_LEAKS = ("not-enforced", "partly")
"""Levels of notes that say that invalid texts can come through."""
_REFUSALS = (BudgetExceeded,)
"""What another engine may do better at than bytes; every other refusal is final."""


@dataclass(frozen=True, slots=True)
class AutoEngine:
    """Chooses among engines by the rule of this module."""

    bytes: Engine
    llguidance: Engine
    xgrammar: Engine
    title: str = "automatic"
    about: str = (
        "Picks the exact byte automaton where it can hold the constraint, llguidance for grammars "
        "and recursion, xgrammar last; the notes say which."
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
        """The automaton of the engine that was picked; raises as `compile.compile_constraint`."""

        def tried(engine: Engine) -> Compiled | PlaygroundError:
            try:
                return engine.compile(
                    spec,
                    vocabulary,
                    cache=cache,
                    limits=limits,
                    cancelled=cancelled,
                    until=until,
                )
            except Cancelled:
                raise
            except PlaygroundError as error:
                return error

        if spec.kind == "grammar":
            return _grammar(tried(self.llguidance), lambda: tried(self.xgrammar))
        first = tried(self.bytes)
        if isinstance(first, PlaygroundError) and not isinstance(first, _REFUSALS):
            raise first
        why = _trouble(first)
        if isinstance(first, Compiled) and not why:
            return _picked(first, "bytes", "It holds the whole constraint.")
        second = tried(self.llguidance)
        if isinstance(second, Compiled):
            return _picked(second, "llguidance", f"The byte automaton {why}.")
        refused = f"llguidance doesn't take the constraint: {second.what}"
        if isinstance(first, Compiled) and not _leaks(first):
            return _picked(first, "bytes", f"It {why}; {refused}")
        third = tried(self.xgrammar)
        if isinstance(third, Compiled) and not (isinstance(first, Compiled) and _leaks(third)):
            _require_references(third, f"The byte automaton {why}; {refused.rstrip('.')}")
            return _picked(third, "xgrammar", f"The byte automaton {why}; {refused}")
        if isinstance(first, Compiled):
            return _picked(first, "bytes", f"It {why}, but no other engine does better; {refused}")
        raise first


def _grammar(
    llguidance: Compiled | PlaygroundError, tried: Callable[[], Compiled | PlaygroundError]
) -> Compiled:
    if isinstance(llguidance, Compiled):
        return _picked(llguidance, "llguidance", "A grammar needs a stack.")
    second = tried()
    if isinstance(second, Compiled):
        why = f"A grammar needs a stack; llguidance doesn't take this one: {llguidance.what}"
        return _picked(second, "xgrammar", why)
    if isinstance(llguidance, InvalidInput) and second.what != llguidance.what:
        hint = f"xgrammar doesn't take it either: {second.what}"
        raise replace(llguidance, hint=hint) from llguidance
    raise llguidance


def _trouble(compiled: Compiled | PlaygroundError) -> str:
    """Why another engine may do better than the byte automaton; empty where none can."""
    if isinstance(compiled, PlaygroundError):
        return f"refuses it ({compiled.what.rstrip('.')})"
    notes = compiled.report.notes
    left = [note.keyword for note in notes if note.level in _LEAKS]
    if left:
        return f"doesn't enforce all of {', '.join(dict.fromkeys(left))}"
    if any(note.level == "info" and note.keyword in _DEPTHS for note in notes):
        return "offers nested values to a fixed depth only"
    return ""


def _leaks(compiled: Compiled) -> bool:
    """The engine is known to let invalid texts through."""
    return any(note.level in _LEAKS for note in compiled.report.notes)


def _require_references(compiled: Compiled, why: str) -> None:
    """Raises UnsupportedSchema if the engine leaves a reference out."""
    left = dropped_reference(compiled.report.notes)
    if left is not None:
        raise UnsupportedSchema(
            f"No engine holds to this reference. {why}; {left.message}",
            "Copy what it refers to under `$defs`, and refer to that as #/$defs/NAME.",
            left.pointer,
        )


def _picked(compiled: Compiled, name: str, why: str) -> Compiled:
    note = Note("info", "engine", "", f"The engine {name} was picked. {why.rstrip('.')}.")
    report = replace(compiled.report, notes=(note, *compiled.report.notes))
    return replace(compiled, report=report)
