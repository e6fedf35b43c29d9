"""Where a run that thinks, then constrains, stands: in free text or inside a span between markers."""

from itertools import pairwise

from playground.constraints.automaton import State, TokenAutomaton
from playground.constraints.marked import MarkedAutomaton


def is_free(constraint: TokenAutomaton, state: State) -> bool:
    """Nothing is masked in `state`, since it stands outside every span."""
    return isinstance(constraint, MarkedAutomaton) and constraint.outside(state)


def crossings(constraint: TokenAutomaton, state: State, text: bytes) -> tuple[str, ...]:
    """Which markers end inside a token of this `text`, taken in `state`: `opens`, `closes` or both,
    each once."""
    if not isinstance(constraint, MarkedAutomaton) or not isinstance(state, int):
        return ()
    free = [constraint.outside(each) for each in constraint.dfa.walk(state, text)]
    met = {"opens" if before else "closes" for before, after in pairwise(free) if before != after}
    return tuple(sorted(met, reverse=True))
