"""What an engine is: a way from a constraint to an automaton, by name."""

from collections.abc import Callable
from typing import Protocol

from playground.constraints.cache import CompileCache
from playground.constraints.limits import Limits
from playground.constraints.report import Compiled
from playground.constraints.spec import ConstraintSpec
from playground.vocabulary import Vocabulary


class Engine(Protocol):
    """Compiles every kind but `free`; the costly part runs in a child process."""

    @property
    def title(self) -> str:
        """Its name for people."""
        ...

    @property
    def about(self) -> str:
        """What to know about it, as a sentence."""
        ...

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
        """The automaton of `spec` over `vocabulary`; raises as `compile.compile_constraint`.
        Waiting for others ends when the monotonic clock reaches `until`."""
        ...
