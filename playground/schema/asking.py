"""Ask an automaton about whole texts, by the quickest way that it has."""

from playground.constraints.automaton import State, TokenAutomaton
from playground.constraints.byte_automaton import ByteAutomaton
from playground.constraints.pushdown import PushdownAutomaton


def accepts(automaton: TokenAutomaton, text: bytes) -> bool:
    """Whether the mask of an automaton over BYTES lets `text` through, byte by byte, to its end."""
    if isinstance(automaton, ByteAutomaton):
        states = automaton.dfa.walk(0, text)
        return len(states) == len(text) + 1 and bool(automaton.dfa.final[states[-1]])
    if isinstance(automaton, PushdownAutomaton):
        matcher = automaton.matcher(automaton.initial)
        return matcher.feed(text) and matcher.final()
    state: State = automaton.initial
    for byte in text:
        if not automaton.mask(state)[byte]:
            return False
        state = automaton.advance(state, byte)
    return automaton.is_final(state)
