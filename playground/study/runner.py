"""Running the methods of a study on some prompts: every run that may be is led beside the others, so
that the model reads whole batches."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from playground.decoding.accept import Accept
from playground.decoding.chance import streams
from playground.decoding.drawing import Asked
from playground.decoding.independent import Ended, Independent
from playground.decoding.laws import Laws
from playground.decoding.run import Cancelled, Draw, Walk, lockstep, never
from playground.decoding.sampling import require_random
from playground.decoding.trace import Problem
from playground.models.rows import RowStore
from playground.study.answer import Answer, answer_of
from playground.study.labels import Label

CHUNK = 8
"""Prompts whose runs are led together. Floats depend on what shares a batch, so that the same chunks
give the same digits wherever they run."""
CHUNK_BYTES = 768 * 2**20
"""Rows, keys and values of a chunk, which begins with an empty store."""


@dataclass(frozen=True, eq=False, slots=True)
class Task:
    """One method at one prompt."""

    index: int
    """Of the prompt."""
    label: Label
    problem: Problem
    accept: Accept
    draws: int


def chunks(count: int) -> list[range]:
    """The prompts 0..count-1, as they are run together."""
    return [range(start, min(start + CHUNK, count)) for start in range(0, count, CHUNK)]


def run_chunk(
    tasks: Sequence[Task],
    cancelled: Cancelled = never,
    tell: Callable[[int], None] = lambda _: None,
) -> Iterator[tuple[Task, int, Answer]]:
    """The answers of the tasks of one chunk: (task, number of the draw, answer), in the tasks' order.

    Args:
        tasks: on one model and one vocabulary.
        cancelled: asked before each batch; True ends the chunk, whose last tasks are then missing.
        tell: called with the number of walks that have ended.

    Raises:
        InvalidInput: temperature 0.
    """
    rows = RowStore(CHUNK_BYTES)
    own = _with_rows(tasks, rows)
    askeds = [Asked(t.accept, None, cancelled, streams(t.problem.sampling.seed)) for t in own]
    for task in own:
        require_random(task.problem.sampling)
    walks: list[Iterator[Walk[Ended]]] = [
        task.label.method.walks(task.problem, task.draws, asked)
        for task, asked in zip(own, askeds, strict=True)
        if isinstance(task.label.method, Independent)
    ]
    ends = _counted(lockstep(Laws(), chain.from_iterable(walks), cancelled), tell)
    for task, asked in zip(own, askeds, strict=True):
        method = task.label.method
        if isinstance(method, Independent):
            mine = islice(ends, task.draws * method.beside)
            draws = method.gathered(mine, asked)
        else:
            draws = method.draws(task.problem, task.draws, accept=task.accept, cancelled=cancelled)
        yield from _answers(task, draws)


def _counted(ends: Iterator[Ended], tell: Callable[[int], None]) -> Iterator[Ended]:
    for count, ended in enumerate(ends, 1):
        tell(count)
        yield ended


def _with_rows(tasks: Sequence[Task], rows: RowStore) -> list[Task]:
    """The tasks on a store of their own; those of one problem stay of one problem, so that what they
    share is computed once."""
    made: dict[tuple[int, int | None, str], Problem] = {}
    out = []
    for task in tasks:
        label, problem = task.label, task.problem
        key = (id(problem), label.attempts, label.prefill)
        if key not in made:
            made[key] = replace(
                problem,
                rows=rows,
                prefill=problem.model.encode(label.prefill) if label.prefill else (),
                attempts=label.attempts or problem.attempts,
            )
        out.append(replace(task, problem=made[key]))
    return out


def _answers(task: Task, draws: Iterator[Draw]) -> Iterator[tuple[Task, int, Answer]]:
    before = 0
    eos_ids = task.problem.model.vocabulary.eos_ids
    method = task.label.method
    masked = method.target == "masked" or method.name in ("json-mode", "think")
    if hasattr(
        method, "max_attempts"
    ):  # its draws are attempts: an answer is those up to a valid one
        draws = kept(draws)
    for number, draw in enumerate(draws):
        rows = draw.rows_used - before
        yield task, number, answer_of(draw, eos_ids, task.problem.max_tokens, rows, masked)
        before = draw.rows_used


def kept(attempts: Iterator[Draw]) -> Iterator[Draw]:
    """The accepted draws, each with what it and the attempts before it took; at the end the last
    attempt, where those after the last accepted one came to nothing."""
    tried = spent = 0
    last: Draw | None = None
    for draw in attempts:
        tried, spent = tried + 1, spent + draw.spent
        last = replace(draw, attempts=tried, spent=spent, steps=spent)
        if draw.accepted:
            yield last
            tried, spent, last = 0, 0, None
    if last is not None:
        yield last
