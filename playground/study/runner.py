"""Running the methods of a study on some prompts: every run that may be is led beside the others, so
that the model reads whole batches."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, repeat
from math import inf

from playground.decoding.accept import Accept
from playground.decoding.cars import Cars
from playground.decoding.chance import streams
from playground.decoding.conditional import Conditional
from playground.decoding.drawing import Asked
from playground.decoding.independent import Ended, Independent
from playground.decoding.laws import BATCH, Laws
from playground.decoding.run import Cancelled, Draw, Walk, lockstep, never
from playground.decoding.sampling import require_random
from playground.decoding.trace import Problem
from playground.models.rows import RowStore
from playground.study.answer import Answer, answer_of
from playground.study.labels import MOST_ATTEMPTS, Label

CHUNK = 8
"""Most prompts whose runs are led together. Floats depend on what shares a batch, so that the same chunks
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


def chunks(count: int, runs: int = 1) -> list[range]:
    """The prompts 0..count-1, as they are run together: CHUNK of them, fewer where the `runs` that
    each needs are more than a batch holds."""
    size = max(1, min(CHUNK, BATCH // runs))
    return [range(start, min(start + size, count)) for start in range(0, count, size)]


Tell = Callable[[int, int, float], None]
"""Hears how many runs have ended, of how many, and the share of the work that is done, 0 to 1: a run
under way counts by its tokens, as if it went on to the most that it may have."""


def untold(_ended: int, _of: int, _share: float) -> None:
    """Tells nobody."""


def run_chunk(
    tasks: Sequence[Task],
    cancelled: Cancelled = never,
    tell: Tell = untold,
    rows: RowStore | None = None,
) -> Iterator[tuple[Task, int, Answer]]:
    """The answers of the tasks of one chunk: (task, number of the draw, answer), in the tasks' order.

    Args:
        tasks: on one model and one vocabulary.
        cancelled: asked before each batch; True ends the chunk, whose last tasks are then missing.
        tell: called at once, at each token and whenever a run ends; of a method whose runs depend on
            each other an answer counts as a run.
        rows: an empty store; one of its own if None.

    Raises:
        InvalidInput: temperature 0.
    """
    own = _with_rows(tasks, rows or RowStore(CHUNK_BYTES))
    askeds = [Asked(t.accept, None, cancelled, streams(t.problem.sampling.seed)) for t in own]
    for task in own:
        require_random(task.problem.sampling)
    count = _Count(sum(_runs(task) for task in own), tell)
    walks = [
        map(count.walk, task.label.method.walks(task.problem, task.draws, asked), repeat(task))
        for task, asked in zip(own, askeds, strict=True)
        if isinstance(task.label.method, Independent)
    ]
    ends = lockstep(Laws(), chain.from_iterable(walks), cancelled)
    for task, asked in zip(own, askeds, strict=True):
        method = task.label.method
        if isinstance(method, Independent):
            mine = islice(ends, task.draws * method.beside)
            yield from _answers(task, method.gathered(mine, asked))
        else:
            if isinstance(method, Cars | Conditional):
                method = replace(method, max_attempts=task.draws * MOST_ATTEMPTS)
            draws = method.draws(task.problem, task.draws, accept=task.accept, cancelled=cancelled)
            for answer in _answers(task, draws):
                count.one_more()
                yield answer


def _runs(task: Task) -> int:
    """What a task counts as."""
    return task.draws * int(getattr(task.label.method, "beside", 1))


class _Count:
    """Runs as they go on and end, in whatever order."""

    def __init__(self, of: int, tell: Tell) -> None:
        self._ended, self._of, self._tell = 0, of, tell
        self._begun = 0.0
        """Of the runs under way, each as a share of its tokens."""
        tell(0, of, 0.0)

    def one_more(self) -> None:
        """A run has ended."""
        self._ended += 1
        self._told()

    def walk(self, walk: Walk[Ended], task: Task) -> Walk[Ended]:
        """The same walk, counted."""
        steps = 0
        try:
            course = next(walk)
            while True:
                law = yield course
                if steps < task.problem.max_tokens:
                    steps += 1
                    self._begun += 1 / task.problem.max_tokens
                    self._told()
                course = walk.send(law)
        except StopIteration as end:
            self._begun -= steps / task.problem.max_tokens
            self.one_more()
            ended: Ended = end.value
            return ended

    def _told(self) -> None:
        self._tell(self._ended, self._of, min(1.0, (self._ended + self._begun) / self._of))


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
    if task.label.keeps:
        draws = kept(draws, task.draws)
    for number, draw in enumerate(draws):
        rows = draw.rows_used - before
        answer = answer_of(draw, eos_ids, task.problem.max_tokens, rows, masked)
        # A bound of 0 on Z proves that nothing is valid: then it didn't give up, it knows.
        gave_up = task.label.keeps and not draw.accepted and draw.log_bound > -inf
        yield task, number, replace(answer, gave_up=gave_up)
        before = draw.rows_used


def kept(attempts: Iterator[Draw], n: int, most: int = MOST_ATTEMPTS) -> Iterator[Draw]:
    """At most `n` draws of a method that makes attempts, each with all that it took: the attempts up
    to an accepted one, or `most` of them of which none was. At the end those after the last draw,
    where there are no more. What is accepted keeps its law, since each attempt has it whatever
    became of those before."""
    handed = tried = spent = 0
    last: Draw | None = None
    for draw in attempts:
        tried, spent = tried + 1, spent + draw.spent
        last = replace(draw, attempts=tried, spent=spent, steps=spent)
        if draw.accepted or tried == most:
            yield last
            handed, tried, spent, last = handed + 1, 0, 0, None
            if handed == n:
                return
    if last is not None:
        yield last
