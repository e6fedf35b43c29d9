"""Why a run isn't valid, in a sentence: what is fed back when its output is asked for again."""

from dataclasses import dataclass

from playground.constraints.automaton import TokenAutomaton
from playground.decoding.accept import Accept
from playground.decoding.trace import Problem
from playground.models.base import Prefix

SHOWN = 6
"""Most byte classes named as expected."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The first place at which a text can't go on, or ends too soon."""

    offset: int
    """In bytes."""
    got: bytes
    """The token's rest from there; empty at the end."""
    expected: tuple[str, ...]
    """What may stand there, in words."""


def refused(constraint: TokenAutomaton, tokens: Prefix) -> Refused | None:
    """The first byte at which the text is no prefix of a valid one, or its length where only its end
    comes too soon; None where every token was allowed."""
    state, offset = constraint.initial, 0
    for token in tokens:
        text = constraint.vocabulary.tokens[token] or b""
        hops = constraint.hops(state, token)
        if hops.killed_at is not None:
            expected = hops.expected or constraint.describe(state).expected
            return Refused(offset + hops.killed_at, text[hops.killed_at :], expected)
        if token in constraint.vocabulary.eos_ids:
            return None
        state = constraint.advance(state, token)
        offset += len(text)
    return None


def sentence(problem: Problem, tokens: Prefix, accept: Accept) -> str:
    """What is wrong with a run that `accept` refuses, whose text is that of `tokens`."""
    vocabulary = problem.model.vocabulary
    found = refused(problem.constraint, tokens) if accept.judge is None else None
    if found is None and tokens[-1:] and tokens[-1] not in vocabulary.eos_ids:
        return f"It was cut off after {len(tokens)} tokens, before its end."
    if accept.why is not None:
        text = vocabulary.decode(tokens)[accept.lead :]
        return accept.why(text.decode("utf-8", "replace"))
    if found is None:
        return "It isn't valid."
    place = f"At byte {found.offset - accept.lead + 1}"
    got = repr(found.got.decode("utf-8", "replace")) if found.got else "the end"
    expected = ", ".join(found.expected[:SHOWN])
    return f"{place} {got} can't stand; expected there: {expected or 'the end'}."
