"""The experiments of the Study screen: what there is, what was recorded, and one that runs."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, field_validator

from playground.decoding.run import Cancelled
from playground.errors import InvalidInput, ModelUnavailable
from playground.experiments.base import MOST, Bench, Experiment, Stage, perform
from playground.experiments.finding import Effect, Finding, Measure, difference, number
from playground.experiments.registry import EXPERIMENTS
from playground.models.server import is_served
from playground.record import Document
from playground.session import Playground
from playground.studies import Studies
from playground.ui.inputs import text_of

RECORDED_FILE = Path(__file__).parents[2] / "static" / "study" / "experiments.json"
"""The findings that come with the page; it may be missing."""
MOST_SEED = 2**53 - 1
"""Largest whole number that a browser holds."""


class Recorded(BaseModel):
    """Findings that the command line has printed, of what, and when."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    findings: tuple[Finding, ...]
    provenance: dict[str, Any]
    """Of the model, as `record.provenance_document` has it."""
    date: str

    @field_validator("findings", mode="before")
    @classmethod
    def _as_printed(cls, findings: Any) -> Any:
        """`experiment --json` adds `significant`, which follows from the effect."""
        return [
            {key: value for key, value in each.items() if key != "significant"} for each in findings
        ]


def recorded(file: Path = RECORDED_FILE) -> Recorded | None:
    """What comes with the page; None where the file is missing.

    Raises:
        ValidationError: it holds something else.
    """
    return Recorded.model_validate_json(file.read_bytes()) if file.is_file() else None


def models_of(playground: Playground) -> list[str]:
    """The models that experiments can be run on: they are put in words, and read whole laws."""
    return [
        name
        for name in playground.hub.names()
        if not name.startswith("toy:") and not is_served(name)
    ]


def experiments_document(found: Recorded | None, models: Sequence[str]) -> Document:
    """Every experiment with its recorded finding, or None; and the models of `models_of`."""
    findings = {} if found is None else {each.experiment: each for each in found.findings}
    return {
        "experiments": [
            {
                **{
                    name: getattr(each, name)
                    for name in ("name", "title", "question", "about", "n")
                },
                "recorded": finding_document(findings[each.name])
                if each.name in findings
                else None,
            }
            for each in EXPERIMENTS.values()
        ],
        "most": MOST,
        "models": list(models),
        "provenance": None if found is None else found.provenance,
        "date": None if found is None else found.date,
    }


def finding_document(finding: Finding) -> Document:
    """A finding as its model has it, each number also in words: the same as in its sentences."""
    return {
        **finding.model_dump(mode="json"),
        "effect": _effect(finding.effect),
        "also": [_effect(each) for each in finding.also],
        "arms": [
            {
                "name": arm.name,
                "about": arm.about,
                "measures": [_measure(each) for each in arm.measures],
            }
            for arm in finding.arms
        ],
    }


def _effect(effect: Effect) -> Document:
    return {**effect.model_dump(mode="json"), "words": difference(effect)}


def _measure(measure: Measure) -> Document:
    ends = [number(end, measure.unit) for end in (measure.lower, measure.upper) if end is not None]
    return {
        **measure.model_dump(mode="json"),
        "words": number(measure.value, measure.unit),
        "bounds": f"[{', '.join(ends)}]" if ends else "",
    }


@dataclass(frozen=True, slots=True)
class Asked:
    """An experiment that a visitor asks for."""

    experiment: Experiment
    model: str
    n: int
    seed: int

    def stages(self, studies: Studies, cancelled: Cancelled) -> Iterator[Stage]:
        """It, as it comes."""
        return perform(self.experiment, Bench(studies, self.model, self.n, self.seed, cancelled))


def asked_experiment(playground: Playground, told: Any) -> Asked:
    """The experiment of a request: `{"name", "model", "n", "seed"}`.

    Raises:
        PlaygroundError: it can't be run here.
    """
    told = told if isinstance(told, dict) else {}
    name, model = text_of(told, "name"), text_of(told, "model")
    if name not in EXPERIMENTS:
        raise InvalidInput(
            f"There is no experiment called {name[:40]!r}.", "Reload the page.", "experiment"
        )
    models = models_of(playground)
    if model not in models:
        raise ModelUnavailable(
            f"Experiments can't be run on the model {model[:80]!r}.",
            f"Choose one of {', '.join(models)}." if models else "There is none for them here.",
            "model",
        )
    return Asked(
        EXPERIMENTS[name],
        model,
        _whole(told.get("n"), 1, MOST, "n"),
        _whole(told.get("seed"), 0, MOST_SEED, "seed"),
    )


def _whole(value: Any, least: int, most: int, where: str) -> int:
    if type(value) is not int or not least <= value <= most:
        raise InvalidInput(
            f"{where} is {str(value)[:40]}.", f"It is a whole number from {least} to {most}.", where
        )
    return value


def run_experiment(
    asked: Asked,
    studies: Studies,
    cancelled: Cancelled,
    turn: Callable[[Iterator[Stage]], Stage | None],
    others: Callable[[], int],
) -> Iterator[Document]:
    """Documents of an experiment as it comes; the last one has its finding, or is `stopped`.

    Args:
        turn: the next stage, worked out when it is this experiment's turn.
        others: how many others take turns with it.

    Returns:
        `{"experiment": {"name", "n", "seed", "model", "done", "of", "seconds", "left", "others",
        "stopped", "finding"}}`: `done` of `of` prompts, `left` an estimate from the pace so far.

    Raises:
        PlaygroundError: it can't be run.
    """
    fixed = {
        "name": asked.experiment.name,
        "n": asked.n,
        "seed": asked.seed,
        "model": asked.model,
    }

    def document(stage: Stage | None, **more: Any) -> Document:
        done, of = (0, asked.n) if stage is None else stage.share
        seconds = None if stage is None else stage.seconds
        told = {"done": done, "of": of, "seconds": seconds, "left": None, "others": others()}
        return {"experiment": {**fixed, **told, "stopped": False, "finding": None, **more}}

    yield document(None)
    going = asked.stages(studies, cancelled)
    ready: float | None = None
    last: Stage | None = None
    while (stage := turn(going)) is not None:
        last = stage
        ready = stage.seconds if ready is None else ready
        if stage.finding is not None:
            yield document(stage, finding=finding_document(stage.finding))
            return
        done, of = stage.share
        yield document(stage, left=(stage.seconds - ready) / done * (of - done) if done else None)
    yield document(last, stopped=True)
