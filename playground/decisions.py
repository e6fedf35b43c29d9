"""Typed decisions on a model: heads trained on the built-in tickets, decided by, and measured."""

import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from playground.constraints.spec import ConstraintSpec
from playground.decisions_evaluation import evaluated
from playground.decisions_found import Decided, Evaluated, FieldMeasured, Trained
from playground.decoding.methods import METHODS
from playground.decoding.run import Cancelled, Draw, never
from playground.errors import Cancelled as Stopped
from playground.errors import InvalidInput
from playground.fields.features import Features, features_of, prefix_of, reading, rounded
from playground.fields.head_spec import TrainingSpec, require_trainable
from playground.fields.record_type import RecordType
from playground.fields.split import Split, split_of
from playground.fields.ticket import ticket
from playground.fields.wording import question
from playground.fields.zero_shot import ZeroShot
from playground.models.base import Provenance
from playground.models.rows import RowStore
from playground.models.states import embeds
from playground.problem import ProblemSpec
from playground.session import Playground

__all__ = ["Decided", "Decisions", "Evaluated", "FieldMeasured", "Split", "Trained", "split_of"]

if TYPE_CHECKING:  # torch is slow to import
    from playground.fields.heads import Head
    from playground.fields.training import Epoch

EXPLAINED: Final = 160
"""Tokens of an answer whose free texts are generated after its typed fields."""
LONGEST: Final = 8_000
"""Most characters of a text that is decided."""


class Decisions:
    """What the Decisions screen and `python -m playground fields` ask of one model."""

    def __init__(self, playground: Playground, model: str = "smollm2") -> None:
        self.playground = playground
        self.name = model

    @property
    def provenance(self) -> Provenance:
        """Of the model whose states are read.

        Raises:
            ModelUnavailable: it can't be loaded.
        """
        return self.playground.hub.get(self.name).provenance

    def features(
        self,
        texts: Sequence[str],
        report: Callable[[int, int], None] | None = None,
        cancelled: Cancelled | None = None,
    ) -> Features:
        """The states of built-in texts, read once and kept on disk: never those of a visitor's own.

        Raises:
            PlaygroundError: the model can't be loaded or shows no states; a text is no text for it.
        """
        model = self.playground.hub.get(self.name)
        return features_of(model, texts, report, cancelled, self.playground.settings.cache)

    def reading(
        self, texts: Sequence[str], cancelled: Cancelled | None = None
    ) -> Generator[tuple[int, int], None, Features]:
        """As `features`, which it returns; yields after each pass how many texts are ready, of all.

        Raises:
            PlaygroundError: as `features`.
            Cancelled: it was stopped; what was read is kept.
        """
        model = self.playground.hub.get(self.name)
        return reading(model, texts, cancelled, self.playground.settings.cache)

    def train(
        self,
        spec: TrainingSpec,
        cancelled: Cancelled = never,
        record_type: RecordType | None = None,
        start: "Head | None" = None,
        only: Sequence[str] = (),
    ) -> Iterator[Trained]:
        """A head on the training tickets: the reading, the epochs, and at last the head, of which
        the best epoch is kept also where it was stopped. Nothing of test is read.

        Args:
            spec: how; where a head is fine-tuned, by its own cut (`training.cut_as`).
            cancelled: asked between passes over the texts and between batches.
            record_type: what it decides, of which every ticket's label is a record; the ticket's own
                if None.
            start: fine-tunes this head of that type instead.
            only: fields to fine-tune, the temperatures of the others stay; all if empty.

        Raises:
            PlaygroundError: the model shows no states, or the spec doesn't fit the tickets.
        """
        from playground.fields.heads import outline
        from playground.fields.training import cut, cut_as, temper, train

        model = self.playground.hub.get(self.name)
        record_type = record_type or ticket()
        spec = spec if start is None else cut_as(start, spec)
        outline(spec.head, record_type, embeds(model).width)  # refused before anything is read
        tickets = split_of("train", record_type)
        if start is None or start.trained is None:
            require_trainable(spec, len(tickets.texts))
        fit, dev = (tickets.take(rows) for rows in cut(len(tickets.texts), spec))
        sizes = len(fit.texts), len(dev.texts)
        features = yield from self._told((*fit.texts, *dev.texts), sizes, cancelled)
        if features is None:
            return
        read = (sum(sizes),) * 2
        mine, held = features.parted(sizes[0])
        training = train(
            spec, record_type, mine, fit.labels, held, dev.labels, cancelled, start, only
        )
        epochs = list["Epoch"]()
        for epoch in training:
            epochs.append(epoch)
            yield Trained(read, sizes, tuple(epochs), seconds=epoch.seconds)
        head = training.best
        temper(head, held, dev.labels, only)
        head.trained = None if start is not None and start.trained is None else spec
        seconds = epochs[-1].seconds if epochs else 0.0
        yield Trained(read, sizes, tuple(epochs), head, cancelled(), seconds)

    def _told(
        self, texts: Sequence[str], sizes: tuple[int, int], cancelled: Cancelled
    ) -> Generator[Trained, None, Features | None]:
        """The states of a training's texts, told as they are read; None where that was stopped."""
        steps, done = self.reading(texts, cancelled), (0, len(texts))
        while True:
            try:
                done = next(steps)
            except StopIteration as end:
                found: Features = end.value
                return found
            except Stopped:
                yield Trained(done, sizes, stopped=True)
                return None
            yield Trained(done, sizes)

    def widened(self, data: bytes, record_type: RecordType) -> tuple["Head", tuple[str, ...]]:
        """The head of a file with the options that its own record type lacks, and the fields that
        have them: what is to be fine-tuned. Without any it is the head as it was saved.

        Raises:
            InvalidInput: more differs than options that were added; or as `weights.load`.
        """
        from playground.fields.weights import SchemaDrift, load

        try:
            return load(data, record_type, self.provenance), ()
        except SchemaDrift as found:
            only = tuple(name for name, _ in found.added)
        return load(data, record_type, self.provenance, widen=True), only

    def read(self, text: str) -> Features:
        """The states of one text, read now and kept nowhere: what a decision takes from nothing.

        Raises:
            PlaygroundError: as `features`.
        """
        model = self.playground.hub.get(self.name)
        embedding = embeds(model)
        (states,) = embedding.states([prefix_of(model, text)])
        return Features((rounded(states),), embedding.width, model.provenance)

    def scorer(
        self,
        record_type: RecordType,
        text: str,
        cancelled: Cancelled = never,
        rows: RowStore | None = None,
    ) -> ZeroShot:
        """The options of a record type, to be scored by the model itself at a text. The model is
        told keys and options in words.

        Args:
            record_type: any.
            text: what is decided.
            cancelled: asked before each batch.
            rows: a store of its own; the shared one if None.

        Raises:
            PlaygroundError: the model can't be loaded, or the text is empty or too long for it.
        """
        spec = ProblemSpec(
            model=self.name,
            prompt=question(record_type, text),
            constraint=ConstraintSpec(kind="free"),
        )
        problem = self.playground.open(spec, cancelled).problem
        if rows is not None:
            problem = replace(problem, rows=rows)
        cache = self.playground.cache
        return ZeroShot(problem, record_type, cache=cache, cancelled=cancelled)

    def decide(self, head: "Head", text: str) -> Decided:
        """What a head makes of a text.

        Raises:
            InvalidInput: the text is empty, too long, or can't be spelled.
            ModelUnavailable: the model can't be loaded, or shows no states.
        """
        if not text.strip():
            raise InvalidInput(
                "The text is empty.", "Write a ticket, or choose an example.", "text"
            )
        if len(text) > LONGEST:
            raise InvalidInput(
                f"The text has {len(text):,} characters; at most {LONGEST:,} are read.",
                "Shorten it.",
                "text",
            )
        model = self.playground.hub.get(self.name)
        prefix = prefix_of(model, text)
        started = time.perf_counter()
        features = self.read(text)
        read = time.perf_counter()
        decision = head.decide(features)
        decided = time.perf_counter()
        law = head.laws(features)[0]
        record = head.record_type.record(decision.indices[0].tolist())
        whole = model.encode(text)
        return Decided(
            record, decision, law, len(prefix), prefix[-len(whole) :] != whole,
            1000 * (read - started), 1000 * (decided - read),
        )  # fmt: skip

    def explain(
        self, schema: str, record: Mapping[str, Any], text: str, cancelled: Cancelled = never
    ) -> Draw:
        """The free texts of a schema, generated with the mask after its typed fields, which are given:
        the split method. Its law is p~ of that constraint, not p_V of the whole schema.

        Raises:
            PlaygroundError: the schema can't be compiled, the prompt is too long.
            Cancelled: it was stopped.
        """
        from playground.fields.explained import explained_schema  # jsonschema is slow to import

        asked = ProblemSpec(
            model=self.name,
            prompt=f"Read the text and answer with one JSON object.\n\nText:\n{text}",
            constraint=ConstraintSpec(kind="schema", source=explained_schema(schema, record)),
            max_tokens=EXPLAINED,
        )
        problem = self.playground.open(asked, cancelled).problem
        draw = next(METHODS["masked"].draws(problem, 1, cancelled=cancelled), None)
        if draw is None:
            raise Stopped("The writing was stopped.")
        return draw

    def tickets(self, head: "Head", n: int) -> tuple[Split, Split | None]:
        """What a head is measured on: the first `n` test tickets, and as many of its dev (all where
        it has fewer), on which thresholds are chosen; None where its training is unknown.
        """
        from playground.fields.training import cut

        test, known = split_of("test", head.record_type), head.trained
        test = test.take(range(min(n, len(test.texts))))
        if known is None:
            return test, None
        tickets = split_of("train", head.record_type)
        return test, tickets.take(cut(len(tickets.texts), known)[1][:n])

    def evaluate(
        self,
        head: "Head",
        n: int,
        report: Callable[[int, int], None] | None = None,
        cancelled: Cancelled = never,
        seed: int = 0,
    ) -> Evaluated:
        """A head on its `tickets`.

        Args:
            head: trained on tickets.
            n: tickets of test, and at most of dev.
            report: as `features_of`, over both.
            cancelled: asked between texts.
            seed: of the bootstraps.

        Raises:
            Cancelled: it was stopped while the texts were read.
        """
        test, dev = self.tickets(head, n)
        texts = test.texts if dev is None else (*test.texts, *dev.texts)
        first, held = self.features(texts, report, cancelled).parted(len(test.texts))
        return evaluated(head, test, first, None if dev is None else (dev, held), seed)
