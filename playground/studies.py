"""Studies: methods on many prompts, chunk by chunk, kept as they come. No widgets here."""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from playground.constraints.bytes_vocabulary import BYTES
from playground.constraints.compile import compile_constraint
from playground.constraints.sources import schema_text
from playground.constraints.spec import ConstraintSpec
from playground.decoding.accept import Accept
from playground.decoding.masses import MassTree
from playground.decoding.run import Cancelled, never
from playground.decoding.sampling import require_random
from playground.errors import InvalidInput
from playground.exact.posterior import Posterior
from playground.exact.search import Budget, search
from playground.models.base import Prefix
from playground.models.rows import RowStore
from playground.opened import Opened
from playground.posed import (
    accepts_of,
    chunks_of,
    constraint_of,
    items_of,
    problem_of,
    question,
    require_short,
)
from playground.record import provenance_document
from playground.schema.verdict import mask_verdict
from playground.session import Playground
from playground.study.checkpoint import Checkpoint
from playground.study.items import Item, PromptSet
from playground.study.labels import label_of
from playground.study.row import Judges, Row, judged
from playground.study.runner import CHUNK_BYTES, Task, run_chunk
from playground.study.spec import StudySpec
from playground.study.within import Within

YES, NO = "Yes", "No"


@dataclass(frozen=True, eq=False, slots=True)
class Progress:
    """How far a study has come."""

    rows: tuple[Row, ...]
    """Of the chunks that are done, by prompt, then method, then draw."""
    chunks_done: int
    chunks: int
    seconds: float
    """Of this call, loading and compiling left out."""
    fresh: int
    """Chunks that this call has run itself; the others were found in the checkpoint."""
    done: bool

    @property
    def left(self) -> float | None:
        """Seconds that the rest will take at this pace; None before the first chunk."""
        return self.seconds / self.fresh * (self.chunks - self.chunks_done) if self.fresh else None


@dataclass(frozen=True, eq=False, slots=True)
class Study:
    """A study, ready to run: its prompts, its constraint compiled, its judges."""

    spec: StudySpec
    items: tuple[Item, ...]
    constraint: ConstraintSpec
    prompts: tuple[str, ...]
    """What the model is asked, one an item."""
    judges: Judges
    accepts: Mapping[str, Accept]
    """Label -> what its own V is."""
    open: Callable[[int], Opened]
    """The problem of an item."""
    threads: int | None = field(default=None, kw_only=True)
    """Torch's, on which batching noise depends; None where that isn't known."""
    within: Within = field(default_factory=Within, kw_only=True)

    @property
    def chunks(self) -> list[range]:
        """The items, as they are run together."""
        return chunks_of(self.spec, len(self.items))

    def provenance(self) -> Mapping[str, Any]:
        """The model's, and of one that torch computes the number of threads: digits depend on it."""
        document = provenance_document(self.open(0).problem)
        if self.threads is None or document["kind"] != "live":
            return document
        return {**document, "torch_threads": self.threads}

    def run(self, chunk: int, cancelled: Cancelled = never) -> tuple[Row, ...] | None:
        """The rows of one chunk; None when cancelled. The same chunk gives the same rows.

        Raises:
            PlaygroundError: a prompt is too long, or the constraint can't be compiled.
        """
        try:
            return self._run(chunk, cancelled)
        finally:
            self.within.tell(0, 0, 0.0)

    def _run(self, chunk: int, cancelled: Cancelled) -> tuple[Row, ...] | None:
        spec = self.spec
        tasks, opened, store = list[Task](), dict[int, Opened](), RowStore(CHUNK_BYTES)
        for index in self.chunks[chunk]:
            opened[index] = self._opened(index, store)
            for name in spec.methods:
                problem = opened[index].problem
                tasks.append(Task(index, label_of(name), problem, self.accepts[name], spec.draws))
        rows = list[Row]()
        for task, draw, answer in run_chunk(tasks, cancelled, self.within.tell, store):
            row = judged(
                task.index, self.items[task.index], task.label.name, draw, answer, self.judges
            )
            rows.append(row)
        if cancelled():
            return None
        if spec.yes:
            rows = self._asked(rows, opened)
        if spec.exact_rows:
            rows = self._bounded(rows, opened, cancelled)
        return None if cancelled() else tuple(rows)

    def _opened(self, index: int, rows: RowStore) -> Opened:
        """The problem of an item on the chunk's own store.

        Raises:
            PlaygroundError: naming the item.
        """
        try:
            opened = self.open(index)
        except InvalidInput as error:
            where = f"prompt {self.items[index].id[:100]}"
            raise InvalidInput(error.what, error.hint, where) from None
        return replace(opened, problem=replace(opened.problem, rows=rows))

    def _asked(self, rows: list[Row], opened: Mapping[int, Opened]) -> list[Row]:
        """With the model's own p(yes) of each valid answer, by its raw logits."""
        asked = dict[int, Prefix]()
        for number, row in enumerate(rows):
            model = opened[row.index].problem.model
            question = (
                f"{self.prompts[row.index]}\n\nProposed answer:\n{row.text}\n\n"
                f"Is the proposed answer right? Reply {YES} or {NO}."
            )
            prompt = model.render(question, self.spec.chat) if row.valid else ()
            if row.valid and len(prompt) < model.context:
                asked[number] = prompt
        if not asked:
            return rows
        problem = next(iter(opened.values())).problem
        yes, no = (problem.model.encode(word)[0] for word in (YES, NO))
        logits = problem.rows.get(problem.model, list(asked.values()))
        shares = 1 / (1 + np.exp(np.float64(logits[:, no]) - np.float64(logits[:, yes])))
        found = dict(zip(asked, shares.tolist(), strict=True))
        return [
            row.model_copy(update={"p_yes": found.get(number)}) for number, row in enumerate(rows)
        ]

    def _bounded(
        self, rows: list[Row], opened: Mapping[int, Opened], cancelled: Cancelled
    ) -> list[Row]:
        """With bounds on Z, on TV and on the squeeze of each text."""
        found: dict[int, Posterior] = {}
        for index, each in opened.items():
            budget = Budget(self.spec.exact_rows, tolerance=0.0 if each.toy else 0.01)
            *_, found[index] = search(MassTree(each.problem), budget, cancelled)
        return [with_bounds(row, found[row.index]) for row in rows]


def with_bounds(row: Row, posterior: Posterior) -> Row:
    """`row` with what was proved of its prompt and of its text."""
    squeeze = None
    for text in posterior.texts:
        if text.text.decode("utf-8", "replace") == row.text and row.in_language:
            bounds = text.squeeze
            if bounds.lower > 0 and np.isfinite(bounds.upper):
                squeeze = (float(np.log2(bounds.lower)), float(np.log2(bounds.upper)))
    tv = (posterior.tv.lower, posterior.tv.upper) if posterior.Z.upper > 0 else None
    z = (posterior.Z.lower, posterior.Z.upper)
    return row.model_copy(update={"squeeze": squeeze, "z": z, "tv": tv})


class Studies:
    """What the Study screen and the command line ask."""

    def __init__(self, playground: Playground) -> None:
        self.playground = playground

    def prepare(self, spec: StudySpec, cancelled: Cancelled | None = None) -> Study:
        """The study of a spec; its constraint is compiled, its model loaded.

        Raises:
            PlaygroundError: what is wrong with the prompts, the model or the constraint.
        """
        require_random(spec.sampling)
        builtin, items = items_of(spec)
        constraint = constraint_of(spec, builtin)
        prompts = tuple(question(spec, builtin, constraint, item) for item in items)
        require_short(items, prompts)

        def opened(index: int) -> Opened:
            asked = problem_of(spec, constraint, prompts[index], index)
            return self.playground.open(asked, cancelled)

        first = opened(0)
        if spec.yes:
            for word in (YES, NO):
                first.problem.model.encode(word)
        return Study(
            spec,
            items,
            constraint,
            prompts,
            self._judges(spec, constraint, builtin),
            accepts_of(spec, constraint),
            opened,
            threads=self.playground.settings.threads,
        )

    def _judges(
        self, spec: StudySpec, constraint: ConstraintSpec, builtin: PromptSet | None
    ) -> Judges:
        compiled = compile_constraint(
            constraint, BYTES, cache=self.playground.cache, limits=self.playground.limits
        )
        text = schema_text(constraint)
        if text is None and spec.valid != "language":
            raise InvalidInput(
                "This constraint has no schema to judge by.",
                "Count as valid what the mask's language holds, or choose a JSON Schema.",
                "valid",
            )
        return Judges(
            lambda output: mask_verdict(compiled.automaton, output)["status"] == "valid",
            schema_of(constraint, text),
            builtin.ungrounded if builtin is not None and builtin.grounded else None,
        )

    def run(
        self, study: Study, checkpoint: Checkpoint | None = None, cancelled: Cancelled = never
    ) -> Iterator[Progress]:
        """The study as it grows, chunk by chunk; those that `checkpoint` holds aren't run again.
        The last one is `done`, unless it was cancelled: then what was begun is dropped.

        Raises:
            PlaygroundError: a prompt is too long.
        """
        known = {} if checkpoint is None else dict(checkpoint.chunks)
        count, fresh, started = len(study.chunks), 0, time.monotonic()

        def progress() -> Progress:
            rows = tuple(row for chunk in sorted(known) for row in known[chunk])
            seconds = time.monotonic() - started
            return Progress(rows, len(known), count, seconds, fresh, len(known) == count)

        yield progress()
        for chunk in range(count):
            if chunk in known:
                continue
            rows = study.run(chunk, cancelled)
            if rows is None:
                return
            if checkpoint is not None:
                checkpoint.add(chunk, rows)
            known[chunk] = rows
            fresh += 1
            yield progress()


def schema_of(constraint: ConstraintSpec, text: str | None) -> Callable[[Any], bool] | None:
    """The judge of JSON values by the whole schema: of a Pydantic source, Pydantic itself."""
    if text is None:
        return None
    if constraint.kind == "pydantic":
        from playground.constraints.pydantic_source import validate

        return lambda value: "error" not in validate(constraint.source, json.dumps(value))
    from playground.constraints.schema_judge import schema_judge  # jsonschema is slow to import

    return schema_judge(text)
