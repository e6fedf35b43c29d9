"""What some methods need beside a problem, and only whoever opened it can make."""

from typing import Protocol

from playground.constraints.automaton import TokenAutomaton
from playground.constraints.marked import MarkedAutomaton
from playground.models.base import Prefix


class Opener(Protocol):
    """Makes a problem's companions over the same model. Each is made once."""

    def strict(self) -> TokenAutomaton:
        """The problem's own constraint."""
        ...

    def json(self) -> TokenAutomaton:
        """Any JSON object.

        Raises:
            PlaygroundError: the model's vocabulary can't spell one.
        """
        ...

    def marked(self) -> MarkedAutomaton:
        """Free text in which the problem's constraint holds between markers.

        Raises:
            InvalidInput: the constraint's engine has no byte states.
        """
        ...

    def again(self, output: str, error: str) -> Prefix | None:
        """The prompt, with an output that was refused and why; None where the model's context has
        no room for it."""
        ...
