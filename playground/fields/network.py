"""The network behind a head: logits of each decision, given a state and what was decided before."""

import math
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from playground.errors import InvalidInput
from playground.fields.blocks import Block, blocks_of
from playground.fields.head_spec import HeadSpec
from playground.fields.pooling import Pooling, States, take, width_of
from playground.fields.record_type import RecordType

CELLS = 2**22
"""Entries of a table that are worked on at once, 32 MB."""


class Network(nn.Module):
    """Pooling, perhaps a hidden layer, one linear output for each block, and an embedding of each
    field that another is given, added to the state (S,)."""

    temperature: Tensor

    def __init__(self, spec: HeadSpec, record_type: RecordType, width: int) -> None:
        """A head whose weights mean nothing yet: `build` sets them."""
        super().__init__()
        self.spec = spec
        self.record_type = record_type
        self.width = width
        self.blocks = blocks_of(spec, record_type)
        state = spec.hidden or width
        parents = sorted({at for block in self.blocks for at in block.given})
        self.pooling = Pooling(spec.pooling, width)
        self.trunk = nn.Linear(width, state) if spec.hidden else None
        self.outputs = nn.ModuleList([nn.Linear(state, block.outputs) for block in self.blocks])
        self.embeddings = nn.ModuleDict(
            {str(at): nn.Embedding(record_type.sizes[at], state) for at in parents}
        )
        self.register_buffer("temperature", torch.ones(len(self.blocks), dtype=torch.float64))

    def state(self, states: States, generator: torch.Generator | None = None) -> Tensor:
        """(B, S) float32: pooled, through the hidden layer if there is one."""
        if width_of(states) != self.width:
            raise InvalidInput(
                f"The head reads states of width {self.width}; these are {width_of(states)} wide.",
                "Take the model that the head was trained on.",
            )
        state: Tensor = self.pooling(states)
        if self.trunk is not None:
            state = torch.relu(self.trunk(state))
        if generator is not None and self.spec.dropout:
            kept = torch.rand(state.shape, generator=generator) >= self.spec.dropout
            state = state * kept / (1 - self.spec.dropout)
        return state

    def chunks(self, states: States) -> Iterator[tuple[slice, Tensor]]:
        """Rows and their (b, S) float64 states, few enough that no table of theirs is too large."""
        table = max(
            math.prod(self.record_type.sizes[at] for at in (*block.given, *block.fields))
            for block in self.blocks
        )
        step = min(1024, max(1, CELLS // table))
        for start in range(0, len(states), step):
            rows = torch.arange(start, min(start + step, len(states)))
            state = self.state(take(states, rows)).double()
            if not bool(torch.isfinite(state).all()):
                raise InvalidInput(
                    "A text's state, or what the head makes of it, isn't finite.",
                    "Train the head again.",
                )
            yield slice(start, start + len(rows)), state

    def raw(self, at: int, state: Tensor, chosen: Tensor) -> Tensor:
        """(B, outputs) logits over the temperature, given the options (B, F) chosen before."""
        block = self.blocks[at]
        for before in block.given:
            vectors = self._embedding(before).to(state.dtype)
            state = state + vectors[chosen[:, before]]
        return self._tempered(at, state)

    def _tempered(self, at: int, state: Tensor) -> Tensor:
        linear: Any = self.outputs[at]
        raw = functional.linear(
            state, linear.weight.to(state.dtype), linear.bias.to(state.dtype)
        ) / self.temperature[at].to(state.dtype)
        allowed = self.blocks[at].allowed
        return raw if allowed is None else raw.masked_fill(~torch.from_numpy(allowed), -math.inf)

    def _embedding(self, field: int) -> Tensor:
        module: Any = self.embeddings[str(field)]
        weight: Tensor = module.weight
        return weight

    def log(self, at: int, state: Tensor, chosen: Tensor) -> Tensor:
        """(B, n) log p(option | chosen) of a block's n combinations."""
        return options(self.blocks[at], self.raw(at, state, chosen)).log_softmax(-1)

    def table(self, at: int, state: Tensor) -> Tensor:
        """(B, given..., fields...) log p(fields | given) for every way to be given: the outputs are
        linear, so what a state adds and what each embedding adds are computed once."""
        block = self.blocks[at]
        linear: Any = self.outputs[at]
        raw = self._tempered(at, state)
        raw = raw.reshape(len(state), *[1] * len(block.given), block.outputs)
        for axis, before in enumerate(block.given):
            moved = self._embedding(before).double() @ linear.weight.double().T
            shape = [1] * (len(block.given) + 1)
            shape[axis], shape[-1] = len(moved), block.outputs
            raw = raw + moved.reshape(shape) / self.temperature[at]
        logs = options(block, raw).log_softmax(-1)
        return logs.reshape(*logs.shape[:-1], *block.sizes)


def options(block: Block, raw: Tensor) -> Tensor:
    """(..., n) logits out of (..., outputs): a boolean's first option has the logit 0."""
    return torch.cat([torch.zeros_like(raw), raw], -1) if block.binary else raw


def label_of(block: Block, y: Tensor) -> Tensor:
    """(B,) which combination of the block's fields the records (B, F) hold."""
    label = torch.zeros(len(y), dtype=torch.int64)
    for field, size in zip(block.fields, block.sizes, strict=True):
        label = label * size + y[:, field]
    return label


def choose(chosen: Tensor, block: Block, combination: Tensor) -> None:
    """Writes (B,) combinations of the block's fields into the records (B, F)."""
    for field, size in zip(reversed(block.fields), reversed(block.sizes), strict=True):
        chosen[:, field] = combination % size
        combination = combination // size


def summed(table: Tensor, axis: int) -> Tensor:
    """(B, n) out of (B, ...): the sum over all axes but the first and the one `axis` after it."""
    others = [each for each in range(1, table.ndim) if each != axis + 1]
    return table.sum(others) if others else table


def aligned(table: Tensor, block: Block, fields: int) -> Tensor:
    """(B, given..., fields...) with its axes where the record type has them, 1 wide elsewhere."""
    axes = (*block.given, *block.fields)
    order = sorted(range(len(axes)), key=axes.__getitem__)
    moved = table.permute(0, *(1 + each for each in order))
    shape = [1] * fields
    for each in order:
        shape[axes[each]] = table.shape[1 + each]
    return moved.reshape(len(table), *shape)
