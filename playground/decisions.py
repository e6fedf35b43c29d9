"""Typed decisions on a model: heads trained on the built-in tickets, decided by, and measured."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from playground.constraints.spec import ConstraintSpec
from playground.decisions_found import Decided, Evaluated, FieldMeasured, Trained
from playground.decoding.methods import METHODS
from playground.decoding.run import Cancelled, Draw, never
from playground.errors import InvalidInput
from playground.fields.calibration import Scored, measured
from playground.fields.coherence import (
    correlations,
    counted,
    incoherence,
    unseen,
)
from playground.fields.evaluate import field_accuracy, field_laws, whole_record
from playground.fields.explained import explained_schema
from playground.fields.features import Features, features_of, prefix_of, rounded
from playground.fields.head_spec import TrainingSpec
from playground.fields.record_type import RecordType
from playground.fields.split import Split, gold_laws, split_of
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
            spec: how.
            cancelled: asked between texts and batches.
            record_type: what it decides, of which every ticket's label is a record; the ticket's own
                if None.
            start: fine-tunes this head of that type instead.
            only: fields to fine-tune; all if empty.

        Raises:
            PlaygroundError: the model shows no states, or the spec doesn't fit the tickets.
        """
        from playground.fields.heads import outline
        from playground.fields.training import cut, temper, train

        model = self.playground.hub.get(self.name)
        record_type = record_type or ticket()
        outline(spec.head, record_type, embeds(model).width)  # refused before anything is read
        tickets = split_of("train", record_type)
        fit, dev = (tickets.take(rows) for rows in cut(len(tickets.texts), spec))
        sizes = len(fit.texts), len(dev.texts)
        texts = (*fit.texts, *dev.texts)
        for done in range(0, len(texts), CHUNK):
            yield Trained((done, len(texts)), sizes)
            if cancelled():
                yield Trained((done, len(texts)), sizes, stopped=True)
                return
            self.features(texts[done : done + CHUNK])
        features = self.features(texts)
        read = len(texts), len(texts)
        mine = replace(features, states=features.states[: sizes[0]])
        held = replace(features, states=features.states[sizes[0] :])
        training = train(
            spec, record_type, mine, fit.labels, held, dev.labels, cancelled, start, only
        )
        epochs = list["Epoch"]()
        for epoch in training:
            epochs.append(epoch)
            yield Trained(read, sizes, tuple(epochs), seconds=epoch.seconds)
        head = training.best
        temper(head, held, dev.labels)
        seconds = epochs[-1].seconds if epochs else 0.0
        yield Trained(read, sizes, tuple(epochs), head, cancelled(), seconds)

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
        """
        asked = ProblemSpec(
            model=self.name,
            prompt=f"Read the text and answer with one JSON object.\n\nText:\n{text}",
            constraint=ConstraintSpec(kind="schema", source=explained_schema(schema, record)),
            max_tokens=EXPLAINED,
        )
        problem = self.playground.open(asked, cancelled).problem
        (draw,) = METHODS["masked"].draws(problem, 1, cancelled=cancelled)
        return draw

    def evaluate(
        self,
        head: "Head",
        n: int,
        report: Callable[[int, int], None] | None = None,
        cancelled: Cancelled = never,
        spec: TrainingSpec | None = None,
        seed: int = 0,
    ) -> Evaluated:
        """A head on the first `n` test tickets.

        Args:
            head: trained on tickets.
            n: tickets.
            report: as `features_of`.
            cancelled: asked between texts.
            spec: how the head was trained, which says what is dev: thresholds are chosen there.
            seed: of the bootstraps.

        Raises:
            Cancelled: it was stopped while the texts were read.
        """
        record_type = head.record_type
        test = split_of("test", record_type)
        test = test.take(range(min(n, len(test.texts))))
        features = self.features(test.texts, report, cancelled)
        laws, cold = head.laws(features), untempered(head).laws(features)
        indices = head.decide(features).indices
        known = split_of("train", record_type).labels
        allowed = ~unseen(known, record_type.sizes)
        order = tuple(record_type.position(name) for name in head.spec.order) or (0,)
        right = field_accuracy(indices, test.labels, record_type.names)
        held = self._dev(head, spec, cancelled)
        temperatures = head.temperatures
        fields = []
        for at, (name, before, after) in enumerate(
            zip(record_type.names, field_laws(cold), field_laws(laws), strict=True)
        ):
            gold = test.labels[:, at]
            scored = Scored("test", after, gold)
            rng = np.random.default_rng(seed)
            fields.append(
                FieldMeasured(
                    name,
                    right[name],
                    float(np.bincount(gold).max() / len(gold)),
                    temperatures[name],
                    measured(Scored("test", before, gold), rng),
                    measured(scored, rng),
                    scored,
                    None if held is None else Scored("dev", held[1][at], held[0].labels[:, at]),
                )
            )
        return Evaluated(
            len(test.texts),
            tuple(fields),
            whole_record(indices, test.labels),
            incoherence(laws, allowed, order, seed),
            decided_incoherent=counted(indices, allowed),
            gold_incoherent=counted(test.labels, allowed),
            correlations=tuple(correlations(laws, seed)),
            gold_correlations=tuple(correlations(gold_laws(test, record_type), seed)),
        )

    def _dev(
        self, head: "Head", spec: TrainingSpec | None, cancelled: Cancelled
    ) -> tuple[Split, tuple[NDArray[np.float64], ...]] | None:
        """The tickets of dev by `spec`, and the head's laws of each field there."""
        from playground.fields.training import cut

        if spec is None:
            return None
        tickets = split_of("train", head.record_type)
        dev = tickets.take(cut(len(tickets.texts), spec)[1])
        return dev, head.marginals(self.features(dev.texts, None, cancelled))


CHUNK: Final = 32
"""Texts read between two reports."""


def untempered(head: "Head") -> "Head":
    """A copy whose temperatures are 1."""
    import copy

    cold = copy.deepcopy(head)
    cold.set_temperatures(dict.fromkeys(head.record_type.names, 1.0))
    return cold
