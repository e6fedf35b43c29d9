"""Training a head: minibatches by a seed of its own, early stop on dev, the best kept."""

import copy
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from playground.errors import InvalidInput
from playground.fields.blocks import Block
from playground.fields.calibration import Fit, Scored, fit_temperature
from playground.fields.head_spec import TrainingSpec
from playground.fields.heads import Head, build
from playground.fields.pooling import Source, States, states_of, take, width_of
from playground.fields.record_type import RecordType
from playground.fields.threads import one_thread

__all__ = ["Epoch", "Tempered", "Training", "TrainingSpec", "cut", "cut_as", "temper", "train"]

Labels = NDArray[np.int64] | Sequence[Sequence[int]]
"""(N, F): the options of each gold record."""


@dataclass(frozen=True, slots=True)
class Epoch:
    """What one pass over the examples came to; epoch 0 is the head before any."""

    epoch: int
    train_loss: float
    """Nats a record: the mean over the batches as they were trained on, dropout included."""
    dev_loss: float
    """Nats a record, the earlier fields of a chain taken from the gold."""
    dev_accuracy: tuple[float, ...]
    """(F,) share of dev records decided right, a chain by its own decisions."""
    seconds: float
    """Since training began."""
    best: bool
    """The lowest dev loss so far: this head is kept."""


def cut(n: int, spec: TrainingSpec) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Positions to train on and of dev: disjoint, drawn from n examples by the spec's seed of
    the cut, of the sizes it states; where there are too few, dev gets its share of what there is.

    Raises:
        InvalidInput: n < 2.
    """
    if n < 2:
        raise InvalidInput(
            f"{n} example{'' if n == 1 else 's'} can't be split into train and dev.",
            "Give more: some hundred.",
        )
    seed = spec.seed if spec.cut_seed is None else spec.cut_seed
    shuffled = np.random.default_rng(seed).permutation(n)
    wanted = spec.train + spec.dev
    dev = spec.dev if n >= wanted else min(n - 1, max(1, round(n * spec.dev / wanted)))
    return shuffled[dev : dev + spec.train], shuffled[:dev]


def cut_as(start: Head, spec: TrainingSpec) -> TrainingSpec:
    """How `start` is fine-tuned where `spec` is asked for: in its own shape and, where it is known
    how it was trained, by its own cut into train and dev, whatever the seed: what was dev stays dev.
    """
    known = start.trained
    if known is None:
        return spec.model_copy(update={"head": start.spec})
    seed = known.seed if known.cut_seed is None else known.cut_seed
    same = {"train": known.train, "dev": known.dev, "cut_seed": seed}
    return spec.model_copy(update={"head": start.spec, **same})


class Training(Iterator[Epoch]):
    """An ongoing training: each `next` is an epoch's work. Stop whenever: `best` is what to keep."""

    def __init__(
        self,
        spec: TrainingSpec,
        head: Head,
        train: tuple[States, Tensor],
        dev: tuple[States, Tensor],
        only: Sequence[str],
        cancelled: Callable[[], bool],
    ) -> None:
        self.spec = spec
        self.best = copy.deepcopy(head)
        """The head with the lowest dev loss so far."""
        self.best_epoch = 0
        self._head, self._train, self._dev = head, train, dev
        self._cancelled = cancelled
        self._generator = torch.Generator().manual_seed(spec.seed)
        self._optimiser = torch.optim.AdamW(
            _weights(head, only), lr=spec.rate, weight_decay=spec.decay, foreach=False
        )
        self._began = time.monotonic()
        self._epochs = self._run()

    def __next__(self) -> Epoch:
        with one_thread():
            return next(self._epochs)

    def _run(self) -> Iterator[Epoch]:
        lowest = math.inf
        for epoch in range(self.spec.epochs + 1):
            loss = self._pass() if epoch else self._loss(self._train)
            if loss is None or self._cancelled():
                return
            dev_loss = self._loss(self._dev)
            if not math.isfinite(loss + dev_loss):
                raise InvalidInput(
                    f"The loss is no number any more at epoch {epoch}.",
                    "Take a lower learning rate; the best epoch so far is kept.",
                    "rate",
                )
            best = dev_loss < lowest
            if best:
                lowest, self.best_epoch = dev_loss, epoch
                self.best.load_state_dict(self._head.state_dict())
            right = self._head.argmax(self._dev[0]) == self._dev[1].numpy()
            accuracy = tuple(float(each) for each in right.mean(0))
            yield Epoch(epoch, loss, dev_loss, accuracy, time.monotonic() - self._began, best)
            if epoch - self.best_epoch >= self.spec.patience:
                return

    def _pass(self) -> float | None:
        """One pass over the examples in a new order: the mean loss; None if it was cancelled."""
        states, labels = self._train
        total = 0.0
        order = torch.randperm(len(labels), generator=self._generator)
        for rows in torch.split(order, self.spec.batch):
            if self._cancelled():
                return None
            with torch.enable_grad():
                loss = self._head.loss(take(states, rows), labels[rows], self._generator)
                self._optimiser.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
            self._optimiser.step()
            total += float(loss.detach()) * len(rows)
        return total / len(labels)

    @torch.no_grad()
    def _loss(self, examples: tuple[States, Tensor]) -> float:
        states, labels = examples
        total = 0.0
        for rows in torch.split(torch.arange(len(labels)), 512):
            total += float(self._head.loss(take(states, rows), labels[rows])) * len(rows)
        return total / len(labels)


def train(
    spec: TrainingSpec,
    record_type: RecordType,
    features: Source,
    labels: Labels,
    dev_features: Source,
    dev_labels: Labels,
    cancelled: Callable[[], bool] = lambda: False,
    start: Head | None = None,
    only: Sequence[str] = (),
) -> Training:
    """Begins to train a head; iterate over it for its epochs.

    Args:
        features: states of N texts, as `pooling.states_of` takes them.
        labels: (N, F) their gold records.
        dev_features: states of M texts that are never trained on.
        dev_labels: (M, F).
        cancelled: asked before each minibatch; True ends the iteration, the best head kept.
        start: fine-tunes a copy of this head, whose spec then counts, the temperatures of what is
            tuned at 1 again.
        only: names of the fields to fine-tune; the others' outputs and temperatures, and what all
            share, stay.

    Raises:
        InvalidInput: a label is no record of the type, naming its row; states and labels differ in
            number; a state isn't finite.
    """
    pooling = (start.spec if start else spec.head).pooling
    examples = _examples(record_type, features, labels, pooling, "train")
    dev = _examples(record_type, dev_features, dev_labels, pooling, "dev")
    if start is None:
        head = build(spec.head, record_type, width_of(examples[0]), spec.seed)
        head.pooling.measure(examples[0])
    else:
        if start.record_type.hash != record_type.hash:
            raise InvalidInput("The head is of another record type.", "Widen it first, or train.")
        head = copy.deepcopy(start)
        for at, block in enumerate(head.blocks):
            if _chosen(head, block, only):
                head.temperature[at] = 1
    return Training(spec, head, examples, dev, only, cancelled)


@dataclass(frozen=True, slots=True)
class Tempered:
    """The temperature that was fitted to the softmax of these fields."""

    fields: tuple[str, ...]
    fit: Fit


def temper(
    head: Head, dev_features: Source, dev_labels: Labels, only: Sequence[str] = ()
) -> tuple[Tempered, ...]:
    """Sets each softmax's temperature to where its NLL on dev is least (of a chained field: given
    the gold options before it), whatever it was before.

    Args:
        head: is changed.
        dev_features: states of M texts that it wasn't trained on, and that aren't of test.
        dev_labels: (M, F) their gold records.
        only: names of fields whose softmaxes alone are fitted; the others' stay. All if empty.

    Raises:
        InvalidInput: as `train`.
    """
    states, gold = _examples(head.record_type, dev_features, dev_labels, head.spec.pooling, "dev")
    found = tuple(
        Tempered(each.fields, fit_temperature(Scored("dev", each.laws, each.labels)))
        for block, each in zip(head.blocks, head.block_laws(states, gold.numpy()), strict=True)
        if _chosen(head, block, only)
    )
    for each in found:
        head.set_temperatures(dict.fromkeys(each.fields, each.fit.temperature))
    return found


def _chosen(head: Head, block: Block, only: Sequence[str]) -> bool:
    """Whether a softmax is of one of these fields; every one is where there are none."""
    return not only or bool({head.record_type.position(name) for name in only} & set(block.fields))


def _weights(head: Head, only: Sequence[str]) -> list[torch.nn.Parameter]:
    """What is trained: everything, or the outputs and embeddings of some fields."""
    if not only:
        return list(head.parameters())
    chosen: list[torch.nn.Parameter] = []
    for block, outputs in zip(head.blocks, head.outputs, strict=True):
        if _chosen(head, block, only):
            chosen.extend(outputs.parameters())
    for name, embedding in head.embeddings.items():
        if head.record_type.names[int(name)] in only:
            chosen.extend(embedding.parameters())
    return chosen


def _examples(
    record_type: RecordType, features: Source, labels: Labels, pooling: Any, where: str
) -> tuple[States, Tensor]:
    states = states_of(features, pooling)
    records = np.asarray(labels)
    if not len(records) or len(records) != len(states):
        raise InvalidInput(
            f"There are {len(states):,} texts and {len(records):,} records.",
            "Give one record for each text, at least one.",
            where,
        )
    _require_records(record_type, records, where)
    for row, state in enumerate((states,) if isinstance(states, Tensor) else states):
        if not bool(torch.isfinite(state).all()):
            at = "" if isinstance(states, Tensor) else f", row {row + 1}"
            raise InvalidInput("A state isn't finite.", "Read the texts again.", where + at)
    return states, torch.from_numpy(records.astype(np.int64))


def _require_records(record_type: RecordType, records: NDArray[Any], where: str) -> None:
    """(N, F) options that are allowed; the first that isn't is named, rows counted from 1."""
    sizes = np.array(record_type.sizes)
    if records.ndim != 2 or records.shape[1] != len(sizes) or records.dtype.kind not in "iu":
        raise InvalidInput(
            f"Records are rows of {len(sizes)} option numbers.", "Give one a field.", where
        )
    wrong = np.argwhere((records < 0) | (records >= sizes))
    if len(wrong):
        row, field = (int(each) for each in wrong[0])
        raise InvalidInput(
            f"{record_type.names[field]} has {sizes[field]} options and none of number "
            f"{records[row, field]}.",
            "Options count from 0.",
            f"{where}, row {row + 1}",
        )
    for row, record in enumerate(records if record_type.allowed is not None else ()):
        if tuple(record.tolist()) not in (record_type.allowed or ()):
            raise InvalidInput(
                "The schema doesn't allow these values together.",
                "Mend one of them.",
                f"{where}, row {row + 1}",
            )
