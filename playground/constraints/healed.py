"""A constraint whose texts begin with the end of the prompt, so that the model may cut that boundary
between tokens in its own way (healing)."""

from dataclasses import dataclass, replace

import numpy as np

from playground.constraints.automaton import State, StateView, TokenAutomaton
from playground.constraints.byte_automaton import ByteAutomaton, located
from playground.constraints.cache import CompileCache, key_of
from playground.constraints.dfa import DEAD, ByteDFA, told_apart
from playground.constraints.free import FreeAutomaton
from playground.constraints.masks import BUDGET
from playground.constraints.notes import Note
from playground.constraints.report import Compiled
from playground.errors import InvalidInput

REWRITING = ("rewrite the end of the prompt", "leave the prompt's last token as it is")
REWRITES = "Rewrites the end of the prompt"
"""What a state before the end of the lead says of itself."""


@dataclass(frozen=True, slots=True)
class Healed:
    """What healing took from the prompt."""

    token: int
    """Id of the prompt's last token, which the model no longer reads."""
    lead: bytes
    """Its bytes: every text begins with them."""


class HealedAutomaton(ByteAutomaton):
    """The language `lead` L over the vocabulary of L's automaton, exactly.

    States 0 to len(lead) - 1 are inside the lead; state len(lead) + s is state s of L.
    """

    def __init__(self, plain: TokenAutomaton, lead: bytes) -> None:
        """
        Args:
            plain: the automaton of L: a `ByteAutomaton` or a `FreeAutomaton`.
            lead: at least one byte.

        Raises:
            InvalidInput: `plain` is of an engine without byte states.
        """
        super().__init__(prefixed(bytes_of(plain, *REWRITING), lead), plain.vocabulary)
        self.plain = plain
        self.lead = lead

    def describe(self, state: State, text: bytes | None = None) -> StateView:
        """The state in words; places in a schema are those of the text without the lead."""
        number = self._number(state)
        if number < len(self.lead):
            view = super().describe(number)
            return replace(view, words=located(REWRITES, view.words))
        rest = None if text is None else text[len(self.lead) :]
        view = self.plain.describe(number - len(self.lead), rest)
        return replace(view, name=f"q{number}")


def bytes_of(plain: TokenAutomaton, what: str, else_: str) -> ByteDFA:
    """The byte automaton of a constraint, wanted to do `what`; what to do `else_` is said too.

    Raises:
        InvalidInput: its engine has none.
    """
    if isinstance(plain, FreeAutomaton) and plain.engine == "bytes":
        every = np.zeros(256, dtype=np.uint8)
        return ByteDFA(np.zeros((1, 1), dtype=np.int32), every, np.ones(1, dtype=np.bool_))
    if isinstance(plain, ByteAutomaton):
        return plain.dfa
    raise InvalidInput(
        f"Only the exact byte automaton can {what}.",
        f"Choose the engine bytes, or {else_}.",
        "engine",
    )


def prefixed(dfa: ByteDFA, lead: bytes) -> ByteDFA:
    """The automaton of `lead` L for that of L: a chain of the lead's bytes, then L's own states."""
    classes, own = told_apart(dfa, lead)
    chain = np.full((len(lead), own.shape[1]), DEAD, dtype=np.int32)
    chain[np.arange(len(lead)), classes[list(lead)]] = np.arange(1, len(lead) + 1)
    later = np.where(own == DEAD, DEAD, own + np.int32(len(lead))).astype(np.int32)
    final = np.concatenate([np.zeros(len(lead), dtype=np.bool_), dfa.final])
    return ByteDFA(np.concatenate([chain, later]), classes, final)


def healed(compiled: Compiled, healing: Healed, cache: CompileCache | None = None) -> Compiled:
    """`compiled` with the lead before every text; the same again is the same automaton.

    Raises:
        InvalidInput: its engine has no byte states.
    """
    spec, vocabulary = compiled.spec, compiled.automaton.vocabulary
    key = key_of("healed", spec.model_dump_json(), vocabulary.fingerprint, healing.lead.hex())
    automaton: HealedAutomaton | None = None if cache is None else cache.recall(key)
    if automaton is None:
        automaton = HealedAutomaton(compiled.automaton, healing.lead)
        if cache is not None:
            cache.remember(key, automaton, automaton.dfa.nbytes + BUDGET)
    report = replace(
        compiled.report,
        states=len(automaton.dfa),
        transitions=automaton.dfa.transitions,
        notes=(*compiled.report.notes, note(healing, vocabulary.name(healing.token))),
    )
    return Compiled(automaton, spec, report)


def note(healing: Healed, name: str) -> Note:
    """What healing does, in words."""
    return Note(
        "info",
        "healing",
        "",
        f"The prompt's last token {name!r} is taken off, and every text begins with its bytes: "
        "the model may write them with other tokens, ones that reach into the answer.",
    )
