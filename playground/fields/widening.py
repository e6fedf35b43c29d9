"""A head whose fields get more options: what it knew is kept, what is new starts unlikely."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from playground.fields.blocks import Block
from playground.fields.drift import drift, moves
from playground.fields.heads import Head, build
from playground.fields.record_type import RecordType

DOWN = 4.0
"""Nats by which the logit of a new option lies below the mean of the old ones' at temperature 1: its
probability is at most exp(-DOWN) / n beside n old options (Jensen), whatever the state."""


@torch.no_grad()
def widened(head: Head, record_type: RecordType) -> Head:
    """The head for a record type that only has more options: each softmax's law given the old
    options is what it was, at the same temperature. How it was trained is known as before. Fine-tune
    the fields that grew.

    A boolean that gets a third option has a softmax in place of its one logit; a joint softmax gets
    a row for each new combination.

    Raises:
        SchemaDrift: something else differs too.
        InvalidInput: the wider head doesn't fit the limits.
    """
    found = drift(head.record_type, record_type)
    if found is not None and not found.added:
        raise found
    where = [
        np.array(moves(old, new))
        for old, new in zip(head.record_type.fields, record_type.fields, strict=True)
    ]
    wide = build(head.spec, record_type, head.width)
    wide.pooling.load_state_dict(head.pooling.state_dict())
    if wide.trunk is not None and head.trunk is not None:
        wide.trunk.load_state_dict(head.trunk.state_dict())
    wide.temperature.copy_(head.temperature)
    wide.trained = head.trained
    for name, embedding in wide.embeddings.items():
        old: Tensor = head.embeddings[name].weight  # type: ignore[assignment]
        new: Tensor = embedding.weight  # type: ignore[assignment]
        new.copy_(old.mean(0).expand_as(new))
        new[where[int(name)]] = old
    for at, (before, after) in enumerate(zip(head.blocks, wide.blocks, strict=True)):
        _grow(head, wide, at, _places(before, after, where))
    return wide


def _places(before: Block, after: Block, where: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    """(before.size,) where each old combination stands among the new ones."""
    axes = np.meshgrid(*(where[at] for at in before.fields), indexing="ij")
    return np.ravel_multi_index([axis.ravel() for axis in axes], after.sizes)


def _grow(head: Head, wide: Head, at: int, places: NDArray[np.int64]) -> None:
    before, after = head.blocks[at], wide.blocks[at]
    source, target = head.outputs[at], wide.outputs[at]
    for kind in ("weight", "bias"):
        old: Tensor = getattr(source, kind)
        new: Tensor = getattr(target, kind)
        if after.binary or (before.size == after.size and not before.binary):
            new.copy_(old)
            continue
        if before.binary:
            old = torch.cat([torch.zeros_like(old), old])
        kept = old if before.allowed is None else old[torch.from_numpy(before.allowed)]
        start = kept.mean(0) - (DOWN if kind == "bias" else 0.0)
        new.copy_(start.expand_as(new))
        new[torch.from_numpy(places)] = old
