"""The registry of methods: what can be drawn, from which law, and whether exactly."""

from collections.abc import Iterator, Mapping
from typing import Literal, Protocol

from playground.decoding.accept import LANGUAGE, Accept
from playground.decoding.asap import Asap
from playground.decoding.cars import Cars
from playground.decoding.chance import Choose
from playground.decoding.conditional import Conditional
from playground.decoding.first_valid import FirstValid
from playground.decoding.importance import Importance
from playground.decoding.json_mode import JsonMode
from playground.decoding.learnt import FutureMass
from playground.decoding.mcmc import Mcmc
from playground.decoding.rejection import Rejection
from playground.decoding.retry import Retry
from playground.decoding.run import Cancelled, Draw, never
from playground.decoding.sampling import Sampling
from playground.decoding.smc import Smc
from playground.decoding.stepwise import Ask, MaskedRuns
from playground.decoding.think import Think
from playground.decoding.trace import Problem

Target = Literal["p", "masked", "conditional", "other"]


class Method(Protocol):
    """A way to draw outputs. Stateless: the same problem and seed give the same draws, whatever
    ran before."""

    @property
    def name(self) -> str:
        """As in the registry and on the command line."""
        ...

    @property
    def title(self) -> str:
        """Words for a screen."""
        ...

    @property
    def law(self) -> str:
        """The law it draws from, in words."""
        ...

    @property
    def target(self) -> Target:
        """The law that its accepted draws stand for; `other` where `law` alone says it."""
        ...

    @property
    def exact(self) -> bool:
        """Every accepted draw has exactly the target law."""
        ...

    @property
    def weighted(self) -> bool:
        """Draws stand for the target only with their weights."""
        ...

    def draws(
        self,
        problem: Problem,
        n: int,
        *,
        accept: Accept = LANGUAGE,
        tree: FutureMass | None = None,
        cancelled: Cancelled = never,
        choose: Choose | None = None,
    ) -> Iterator[Draw]:
        """Draws in the order of their index, as they are ready.

        Args:
            problem: what is asked.
            n: how many, as each method counts: runs, attempts, groups, particles, chains; for
                cars and conditional the accepted ones.
            accept: what counts as valid.
            tree: bounds of the future mass to start from (conditional).
            cancelled: asked before each batch; True ends the draws.
            choose: makes every random choice; from the streams of the seed if None.

        Raises:
            InvalidInput: temperature 0, or `n` below 1.
        """
        ...


_ALL: tuple[Method, ...] = (
    Ask(),
    MaskedRuns(),
    MaskedRuns(
        name="engine-order",
        title="Masked, engine order",
        law="what engines draw: masked first, then filtered and renormalised; p~ without filters",
        exact=False,
        engine_order=True,
    ),
    Rejection(),
    FirstValid(),
    Cars(),
    Asap(),
    Smc(),
    Importance(),
    Mcmc(),
    Conditional(),
    Retry(),
    JsonMode(),
    Think(),
)

METHODS: Mapping[str, Method] = {method.name: method for method in _ALL}
"""Every method, by name."""


def covers(sampling: Sampling) -> bool:
    """Constrained decoding can draw every valid run that p can, so that weights mean something.

    Masking after the filters, it can. Masking before them, top-k keeps at least what p's own top-k
    left allowed, but top-p may drop what p's nucleus holds.
    """
    return sampling.mask_order == "after-filters" or sampling.top_p == 1.0
