"""Heads: from a model's state to a law over the records of a type; no characters in between."""

import math
from collections.abc import Iterator, Mapping

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from playground.errors import InvalidInput
from playground.fields.head_found import BlockLaws, Decision
from playground.fields.head_spec import HeadSpec, TrainingSpec
from playground.fields.network import Network, aligned, choose, label_of, options, summed
from playground.fields.pooling import Source, states_of
from playground.fields.record_type import Law, RecordType
from playground.fields.threads import one_thread

__all__ = ["BlockLaws", "Decision", "Head", "HeadSpec", "build"]

MOST_BYTES = 7 * 2**20
"""Of a head's weights in float32."""
MOST_WIDTH = 65_536
TEMPERATURES = (1e-6, 1e6)
"""The least and the highest."""
_MOST_CELLS = 2**25
"""Entries of all the laws that one call may return, 256 MB."""
_DRAWN = 4096
"""Samples that are drawn at once."""
_SMALL = 0.02
"""Standard deviation of an output's and an embedding's first weights: laws start near uniform."""


class Head(Network):
    """A law over the F fields of a record type, given a state: float32 weights, float64 laws.

    Every law is a product of softmaxes over closed sets of options, so whatever is decided or
    sampled is a record of the product; rules between fields (`record_type.allowed`) are kept by a
    joint head over all the fields that they tie, and by no other.
    """

    trained: TrainingSpec | None = None
    """How it was trained, which says what was train and dev; None: unknown."""

    # ---- one interface -------------------------------------------------------------------------

    def loss(self, x: Source, y: Tensor, generator: torch.Generator | None = None) -> Tensor:
        """() float32: mean of -log p(record) in nats, the earlier fields taken from `y`.

        Args:
            x: states of B texts.
            y: (B, F) int64, allowed records.
            generator: of a training step: what dropout draws from; None: no dropout.
        """
        state = self.state(states_of(x, self.spec.pooling), generator)
        total = state.new_zeros(())
        for at, block in enumerate(self.blocks):
            raw, label = self.raw(at, state, y), label_of(block, y)
            if block.binary:
                each = functional.binary_cross_entropy_with_logits(raw[:, 0], label.to(raw.dtype))
            else:
                each = functional.cross_entropy(raw, label)
            total = total + each
        return total

    @torch.no_grad()
    @one_thread()
    def laws(self, x: Source) -> Law:
        """(B, n_1, ..., n_F) float64: this head's law over the whole product, exact; each sums to 1.

        Raises:
            InvalidInput: the table would be too large.
        """
        self.record_type.require_table()
        states = states_of(x, self.spec.pooling)
        if len(states) * self.record_type.combinations > _MOST_CELLS:
            raise InvalidInput(
                f"The laws of {len(states):,} texts over {self.record_type.combinations:,} records "
                "are too large a table.",
                "Take fewer texts at a time.",
            )
        out = np.empty((len(states), *self.record_type.sizes))
        for rows, state in self.chunks(states):
            total = torch.zeros((), dtype=torch.float64)
            for at, block in enumerate(self.blocks):
                total = total + aligned(self.table(at, state), block, len(out.shape) - 1)
            out[rows] = total.exp().numpy()
        return out

    @torch.no_grad()
    @one_thread()
    def marginals(self, x: Source) -> tuple[NDArray[np.float64], ...]:
        """(B, n_f) float64 of each field, exact."""
        states = states_of(x, self.spec.pooling)
        out = tuple(np.empty((len(states), size)) for size in self.record_type.sizes)
        for rows, state in self.chunks(states):
            for at, marginal in self._marginals(state):
                out[at][rows] = marginal.numpy()
        return out

    @torch.no_grad()
    @one_thread()
    def decide(self, x: Source) -> Decision:
        """The likeliest option of each block in turn, given those decided before; of equals the
        first. A chain so decided need not end in its law's likeliest record."""
        states = states_of(x, self.spec.pooling)
        shape = len(states), len(self.record_type.fields)
        found = Decision(
            np.empty(shape, np.int64), np.empty(shape), np.empty(shape), np.empty(len(states))
        )
        for rows, state in self.chunks(states):
            chosen, confidence, record = self._greedy(state)
            found.indices[rows] = chosen.numpy()
            found.confidence[rows] = confidence.numpy()
            found.record[rows] = record.numpy()
            for at, marginal in self._marginals(state):
                found.marginal[rows, at] = marginal.gather(1, chosen[:, at, None])[:, 0].numpy()
        return found

    @torch.no_grad()
    @one_thread()
    def argmax(self, x: Source) -> NDArray[np.int64]:
        """(B, F): `decide` without its probabilities."""
        chunks = self.chunks(states_of(x, self.spec.pooling))
        return np.concatenate([self._greedy(state)[0].numpy() for _, state in chunks])

    @torch.no_grad()
    @one_thread()
    def sample(self, x: Source, rng: np.random.Generator, n: int = 1) -> NDArray[np.int64]:
        """(B, n, F): n records of each text's law, independent."""
        states = states_of(x, self.spec.pooling)
        chance = rng.random((len(states), n, len(self.blocks)))
        out = np.empty((len(states), n, len(self.record_type.fields)), np.int64)
        for rows, state in self.chunks(states):
            group = max(1, _DRAWN // len(state))
            for first in range(0, n, group):
                draws = slice(first, min(first + group, n))
                found = self._drawn(state, chance[rows, draws])
                out[rows, draws] = found.numpy()
        return out

    # ---- temperatures --------------------------------------------------------------------------

    @property
    def temperatures(self) -> dict[str, float]:
        """By field; the fields of a joint block share one."""
        names, values = self.record_type.names, self.temperature.tolist()
        return {
            names[at]: value
            for block, value in zip(self.blocks, values, strict=True)
            for at in block.fields
        }

    def set_temperatures(self, values: Mapping[str, float]) -> None:
        """Divides the logits of the fields named by these; the others stay as they are.

        Raises:
            InvalidInput: no such field, or a value outside TEMPERATURES.
        """
        for name, value in values.items():
            position = self.record_type.position(name)
            if not TEMPERATURES[0] <= value <= TEMPERATURES[1]:
                raise InvalidInput(
                    f"The temperature {value} of {name} isn't above 0 and finite.",
                    f"It is {TEMPERATURES[0]:g} to {TEMPERATURES[1]:g}.",
                    name,
                )
            at = next(at for at, block in enumerate(self.blocks) if position in block.fields)
            self.temperature[at] = value

    @torch.no_grad()
    @one_thread()
    def block_laws(self, x: Source, y: NDArray[np.int64]) -> tuple[BlockLaws, ...]:
        """For each block its laws at temperature 1, given the gold options before it.

        Args:
            x: states of B texts.
            y: (B, F) gold records.
        """
        state = self.state(states_of(x, self.spec.pooling)).double()
        gold = torch.as_tensor(y, dtype=torch.int64)
        return tuple(
            BlockLaws(
                tuple(self.record_type.names[each] for each in block.fields),
                (options(block, self.raw(at, state, gold)) * self.temperature[at])
                .softmax(-1)
                .numpy(),
                label_of(block, gold).numpy(),
            )
            for at, block in enumerate(self.blocks)
        )

    # ---- inside --------------------------------------------------------------------------------

    def _greedy(self, state: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """(B, F) options, (B, F) confidence, (B,) p of the record."""
        chosen = torch.zeros(len(state), len(self.record_type.fields), dtype=torch.int64)
        confidence = torch.empty(chosen.shape, dtype=torch.float64)
        record = torch.zeros(len(state), dtype=torch.float64)
        for at, block in enumerate(self.blocks):
            logs = self.log(at, state, chosen)
            best = logs.argmax(-1)
            choose(chosen, block, best)
            record += logs.gather(1, best[:, None])[:, 0]
            table = logs.exp().reshape(len(state), *block.sizes)
            for axis, field in enumerate(block.fields):
                marginal = summed(table, axis)
                confidence[:, field] = marginal.gather(1, chosen[:, field, None])[:, 0]
        return chosen, confidence, record.exp()

    def _drawn(self, state: Tensor, chance: NDArray[np.float64]) -> Tensor:
        """(b, n, F) options: each block's law given those before, by (b, n, K) numbers in [0, 1)."""
        b, n, _ = chance.shape
        repeated = state.repeat_interleave(n, 0)
        u = torch.from_numpy(chance.reshape(b * n, -1))
        chosen = torch.zeros(b * n, len(self.record_type.fields), dtype=torch.int64)
        for at, block in enumerate(self.blocks):
            reached = self.log(at, repeated, chosen).exp().cumsum(-1)
            below = u[:, at, None] * reached[:, -1:]
            choose(chosen, block, (reached <= below).sum(-1))
        return chosen.reshape(b, n, -1)

    def _marginals(self, state: Tensor) -> Iterator[tuple[int, Tensor]]:
        """Each field's position and its (B, n_f) marginal law: a chained field's conditional is
        averaged over the joint law of what is decided before it."""
        before = torch.ones(len(state), dtype=torch.float64)
        for at, block in enumerate(self.blocks):
            table = self.table(at, state).exp()
            if block.given:
                given = before.reshape(*before.shape, *[1] * len(block.fields))
                table = given * table
            for axis, field in enumerate(block.fields):
                yield field, summed(table, len(block.given) + axis)
            if any(block.fields[0] in later.given for later in self.blocks):
                before = table


def build(spec: HeadSpec, record_type: RecordType, width: int, seed: int = 0) -> Head:
    """A head before training, its weights drawn from `seed` alone.

    Args:
        width: of the states that it reads.

    Raises:
        InvalidInput: the spec doesn't fit the record type, or the head would be too large.
    """
    head = outline(spec, record_type, width).to_empty(device="cpu")
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, weights in head.named_parameters():
            if name == "pooling.query" or name.endswith("bias"):
                weights.zero_()
            else:
                deviation = 1 / math.sqrt(width) if name.startswith("trunk") else _SMALL
                weights.normal_(0, deviation, generator=generator)
        head.pooling.mean.zero_()
        head.pooling.scale.fill_(1)
        head.temperature.fill_(1)
    return head


def outline(spec: HeadSpec, record_type: RecordType, width: int) -> Head:
    """A head without memory for its weights: the shapes alone.

    Raises:
        InvalidInput: as `build`.
    """
    if not 1 <= width <= MOST_WIDTH:
        raise InvalidInput(
            f"A state is 1 to {MOST_WIDTH:,} wide, not {width:,}.", "Take another model."
        )
    with torch.device("meta"):
        head = Head(spec, record_type, width)
    size = 4 * sum(weights.numel() for weights in head.parameters())
    if size > MOST_BYTES:
        raise InvalidInput(
            f"The head's weights would take {size / 2**20:.1f} MB: at most {MOST_BYTES // 2**20}.",
            "Take a narrower hidden layer, fewer options, or fewer fields in one softmax.",
        )
    return head
