"""Ask an automaton about whole texts, by the quickest way that it has."""

from playground.constraints.automaton import TokenAutomaton
from playground.constraints.pushdown import PushdownAutomaton
from playground.schema.verdict import allows


def accepts(automaton: TokenAutomaton, text: bytes) -> bool:
    """Whether an automaton over BYTES lets `text` through to its end; one with a stack reads it at
    once, without a mask for each byte.

    Raises:
        BudgetExceeded: as `verdict.follow`.
    """
    if isinstance(automaton, PushdownAutomaton):
        matcher = automaton.matcher(automaton.initial)
        return matcher.feed(text) and matcher.final()
    return allows(automaton, text)
