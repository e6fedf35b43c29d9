"""The exact law of one field: what constrained decoding writes there after a given beginning."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from playground.constraints.automaton import State
from playground.decoding.masses import FLOAT32_DELTA, TOY_DELTA
from playground.decoding.run import Cancelled, never
from playground.decoding.sampling import masked_law
from playground.decoding.trace import Problem
from playground.errors import InvalidInput
from playground.experiments.base import Bench, Share, Stopped
from playground.models.base import Prefix
from playground.models.rows import RowStore
from playground.study.runner import CHUNK_BYTES, chunks
from playground.study.spec import StudySpec

Law = Mapping[str, float]
"""Option -> probability; they sum to 1."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the answer, at the point where its value comes next."""

    before: str
    """The answer up to and with the colon, as the constraint allows it."""
    options: tuple[str, ...]
    """What the value begins with, as JSON; none is the beginning of another."""

    def chosen(self, text: str) -> str | None:
        """The option that a text after `before` has settled; None while several are possible.

        Raises:
            ValueError: none is.
        """
        text = text.lstrip(" ")
        fits = [each for each in self.options if each.startswith(text) or text.startswith(each)]
        if not fits:
            raise ValueError(f"{text!r} is none of {self.options}")
        return fits[0] if len(fits) == 1 else None


@dataclass(frozen=True, eq=False, slots=True)
class _Branch:
    """A beginning of a value that several options share."""

    question: int
    prefix: Prefix
    state: State
    text: bytes
    p: float


def field_laws(
    questions: Sequence[tuple[Problem, Field]], rows: RowStore, cancelled: Cancelled = never
) -> Sequence[Law]:
    """The law p~ of each field: of every spelling that the mask allows, until one option is left.
    A function of prompt, beginning and mask: what the answer holds later has no part in it.

    Args:
        questions: on one model, with at most one blank between JSON tokens.
        rows: read together, so that prompts are read once.
        cancelled: asked before each prompt and each batch.

    Raises:
        Stopped: cancelled.
        InvalidInput: the constraint doesn't allow the beginning.
    """
    laws: list[dict[str, float]] = [dict.fromkeys(field.options, 0.0) for _, field in questions]
    open_ = [_start(at, problem, field) for at, (problem, field) in enumerate(questions)]
    for problem, _ in questions:  # the long part, one at a time so that it can be stopped
        _unless(cancelled)
        rows.get(problem.model, [problem.prompt])
    while open_:
        _unless(cancelled)
        read = rows.get(questions[0][0].model, [branch.prefix for branch in open_])
        following = list[_Branch]()
        for branch, logits in zip(open_, read, strict=True):
            problem, field = questions[branch.question]
            automaton = problem.constraint
            law = masked_law(logits, automaton.mask(branch.state), problem.sampling)
            if law is None:
                raise InvalidInput("The run dies before the field is written.", where="field")
            for token in np.flatnonzero(law > -np.inf).tolist():
                text = branch.text + (problem.model.vocabulary.tokens[token] or b"")
                p = branch.p * float(np.exp(law[token]))
                option = field.chosen(text.decode("utf-8", "replace"))
                if option is None:
                    state = automaton.advance(branch.state, token)
                    prefix = (*branch.prefix, token)
                    following.append(_Branch(branch.question, prefix, state, text, p))
                else:
                    laws[branch.question][option] += p
        open_ = following
    return laws


def _unless(cancelled: Cancelled) -> None:
    if cancelled():
        raise Stopped


def _start(at: int, problem: Problem, field: Field) -> _Branch:
    state, tokens = problem.constraint.initial, problem.model.encode(field.before)
    for token in tokens:
        try:
            state = problem.constraint.advance(state, token)
        except ValueError:
            raise InvalidInput(
                f"The constraint doesn't allow an answer that begins with {field.before!r}.",
                where="field",
            ) from None
    return _Branch(at, problem.prompt + tokens, state, b"", 1.0)


def laws_of(
    bench: Bench, arms: Mapping[str, StudySpec], fields: Mapping[str, Sequence[Sequence[Field]]]
) -> Generator[Share, None, dict[str, list[list[Law]]]]:
    """The laws of some fields in every arm at every prompt, some prompts at a time.

    Args:
        fields: by arm, then by prompt.

    Returns:
        By arm, then by prompt, then by field.

    Raises:
        Stopped: cancelled.
        PlaygroundError: a constraint can't be compiled, a prompt is too long.
    """
    studies = {name: bench.studies.prepare(spec, bench.cancelled) for name, spec in arms.items()}
    count = max(len(study.items) for study in studies.values())
    found: dict[str, list[list[Law]]] = {name: [] for name in arms}
    yield Share(0, count)
    for chunk in chunks(count):
        rows = RowStore(CHUNK_BYTES)
        asked, places = list[tuple[Problem, Field]](), list[tuple[str, int]]()
        for index in chunk:
            for name, study in studies.items():
                problem = study.open(index).problem
                found[name].append([])
                asked += [(problem, field) for field in fields[name][index]]
                places += [(name, index)] * len(fields[name][index])
        laws = field_laws(asked, rows, bench.cancelled)
        for (name, index), law in zip(places, laws, strict=True):
            found[name][index].append(law)
        yield Share(chunk.stop, count)
    return found


def slack(bench: Bench) -> float:
    """What arithmetic may move a distance between two such laws by."""
    delta = TOY_DELTA if bench.model.startswith("toy:") else FLOAT32_DELTA
    return 8 * delta


def tv(one: Sequence[float], other: Sequence[float]) -> float:
    """Total variation of two laws over the same options in the same order."""
    return sum(abs(a - b) for a, b in zip(one, other, strict=True)) / 2
