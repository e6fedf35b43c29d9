"""An experiment and the bench that it runs on: what every one of them shares."""

import json
import shlex
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from playground.constraints.spec import ConstraintSpec, Whitespace
from playground.decoding.run import Cancelled, never
from playground.decoding.sampling import Sampling
from playground.errors import InvalidInput
from playground.experiments.finding import Arm, Effect, Finding, Measure, seen
from playground.studies import Studies
from playground.study.items import Item
from playground.study.spec import StudySpec

MOST = 200
"""Most prompts of an experiment."""
SMALL = 20
FEW = (
    "With n = {n} a bootstrap interval is too narrow to rely on: prompts that weren't asked may "
    "differ more than those that were."
)


class Share(NamedTuple):
    """How far the work has come."""

    done: int
    of: int


@dataclass(frozen=True, eq=False, slots=True)
class Bench:
    """What an experiment runs on."""

    studies: Studies
    model: str
    n: int
    seed: int
    cancelled: Cancelled = never

    def spec(
        self,
        items: Sequence[Item],
        instruction: str,
        schema: Mapping[str, Any],
        whitespace: Whitespace = "one",
        **changes: Any,
    ) -> StudySpec:
        """An arm: these items, put to the model by `instruction`, answered under `schema`."""
        constraint = ConstraintSpec(
            kind="schema", source=json.dumps(schema, indent=2), whitespace=whitespace
        )
        return StudySpec.model_validate(
            {
                "model": self.model,
                "prompts": "experiment",
                "items": tuple(items),
                "n": len(items),
                "instruction": instruction,
                "constraint": constraint,
                "methods": ("strict",),
                "sampling": Sampling(seed=self.seed),
                **changes,
            }
        )


class Stopped(Exception):
    """The visitor stopped the experiment."""


@dataclass(frozen=True, slots=True)
class Result:
    """What the work of an experiment comes to; `perform` makes a finding of it."""

    n: int
    effect: Effect
    arms: tuple[Arm, ...]
    also: tuple[Effect, ...] = ()
    notes: tuple[str, ...] = ()


Work = Generator[Share, None, Result]


def arms_of(
    abouts: Mapping[str, str], measures: Callable[[str], Sequence[Measure]]
) -> tuple[Arm, ...]:
    """The table of an experiment: an arm a name, with what is said about it and its `measures`."""
    return tuple(
        Arm(name=name, about=about, measures=tuple(measures(name)))
        for name, about in abouts.items()
    )


@dataclass(frozen=True, slots=True)
class Experiment:
    """A question that a click answers."""

    name: str
    title: str
    question: str
    about: str
    """What is compared, and how it is counted, in plain sentences."""
    n: int
    """Prompts, unless told otherwise: two to three minutes on two cores."""
    run: Callable[[Bench], Work]


@dataclass(frozen=True, slots=True)
class Stage:
    """How far an experiment has come; the last one has its finding."""

    share: Share
    seconds: float
    finding: Finding | None = None


def perform(experiment: Experiment, bench: Bench) -> Iterator[Stage]:
    """Run an experiment. The last stage has the finding; when it is cancelled there is none.

    Raises:
        PlaygroundError: n is out of range, or what is wrong with the model.
    """
    if not 1 <= bench.n <= MOST:
        raise InvalidInput(f"An experiment can't ask {bench.n} prompts.", f"Ask 1 to {MOST}.", "n")
    started = time.monotonic()
    work, last = experiment.run(bench), Share(0, 1)
    try:
        while True:
            last = next(work)
            yield Stage(last, time.monotonic() - started)
    except Stopped:
        return
    except StopIteration as end:
        result: Result = end.value
    seconds = time.monotonic() - started
    effects = (result.effect, *result.also)
    few = (FEW.format(n=result.n),) if result.n < SMALL else ()
    finding = Finding(
        experiment=experiment.name,
        title=experiment.title,
        question=experiment.question,
        model=bench.model,
        seed=bench.seed,
        n=result.n,
        effect=result.effect,
        also=result.also,
        arms=result.arms,
        sentences=(*(seen(each, result.n, bench.model) for each in effects), *few, *result.notes),
        command=f"python -m playground experiment {experiment.name} --n {bench.n} "
        f"--seed {bench.seed} --model {shlex.quote(bench.model)}",
        seconds=seconds,
    )
    yield Stage(Share(last.of, last.of), seconds, finding)
