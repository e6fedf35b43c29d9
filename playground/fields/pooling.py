"""The states of a text's tokens made one state: their mean, the last, or a learnt average."""

import math
from collections.abc import Sequence
from typing import Any, Protocol, cast, runtime_checkable

import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from playground.errors import InvalidInput
from playground.fields.head_spec import Pooling as Kind

States = Tensor | tuple[Tensor, ...]
"""Of B texts: (B, D) float32, pooled already, or (T, D) of each, T its tokens."""


@runtime_checkable
class Features(Protocol):
    """What a model says of some texts, kept."""

    @property
    def states(self) -> Sequence[NDArray[Any]]:
        """(T, D) of each text."""
        ...

    def pooled(self, kind: Any) -> NDArray[Any]:
        """(N, D) float32, by `mean` or `last`."""
        ...


Source = Features | NDArray[Any] | Tensor | Sequence[NDArray[Any]] | Sequence[Tensor]
"""Whatever says the states of B texts; an array is (B, D)."""


def states_of(source: Source, kind: Kind) -> States:
    """The states that a head of that pooling reads.

    Args:
        source: kept features, an array (B, D) of pooled states, or (T, D) of each text.

    Raises:
        InvalidInput: attention needs each token's state and has pooled ones; a text has none.
    """
    if isinstance(source, Features):
        source = source.states if kind == "attention" else source.pooled(kind)
    if isinstance(source, tuple | list):
        each = tuple(_tensor(state) for state in source)
        if any(state.ndim != 2 or not len(state) for state in each):
            raise InvalidInput("A text has no token to read.", "Write something in it.")
        return each
    pooled = _tensor(cast(Any, source)).float()
    if pooled.ndim != 2:
        raise ValueError(f"pooled states are (B, D); these are {tuple(pooled.shape)}")
    if kind == "attention":
        raise InvalidInput(
            "Attention pooling reads the state of every token; these states are pooled already.",
            "Give the states of the tokens, or take the pooling mean or last.",
        )
    return pooled


def unpadded(padded: NDArray[Any] | Tensor, lengths: Sequence[int]) -> tuple[Tensor, ...]:
    """(T_i, D) of each text out of padded (B, T, D), whose first `lengths[i]` states are text's."""
    whole = _tensor(padded)
    return tuple(row[:length] for row, length in zip(whole, lengths, strict=True))


def take(states: States, rows: Tensor) -> States:
    """The states of those texts, (n,) int64 positions."""
    if isinstance(states, Tensor):
        return states[rows]
    return tuple(states[row] for row in rows.tolist())


def width_of(states: States) -> int:
    """D."""
    return int(states.shape[1] if isinstance(states, Tensor) else states[0].shape[1])


def _tensor(values: NDArray[Any] | Tensor) -> Tensor:
    """Shared with the array where that may be written to, else copied: torch asks for it."""
    if isinstance(values, Tensor):
        return values
    return torch.from_numpy(values) if values.flags.writeable else torch.tensor(values)


class Pooling(nn.Module):
    """(B, D) float32 from the states of B texts, each entry standardised by numbers that training
    measured (`mean` and `scale`, (D,)).

    Attention: softmax over the tokens of query · state / sqrt(D), one query (D,); a query of zeros
    is the mean.
    """

    mean: Tensor
    scale: Tensor

    def __init__(self, kind: Kind, width: int) -> None:
        super().__init__()
        self.kind: Kind = kind
        self.register_buffer("mean", torch.zeros(width))
        self.register_buffer("scale", torch.ones(width))
        self.query = nn.Parameter(torch.zeros(width)) if kind == "attention" else None

    def forward(self, states: States) -> Tensor:
        """(B, D) float32."""
        if isinstance(states, Tensor):
            return (states - self.mean) * self.scale
        if self.query is None:
            return (self._plain(states) - self.mean) * self.scale
        padded = nn.utils.rnn.pad_sequence(list(states), batch_first=True).float()
        lengths = torch.tensor([len(each) for each in states])
        tokens = (padded - self.mean) * self.scale
        scores = tokens @ self.query / math.sqrt(len(self.query))
        outside = torch.arange(padded.shape[1]) >= lengths[:, None]
        weights = scores.masked_fill(outside, -math.inf).softmax(-1)
        return (weights[:, None] @ tokens)[:, 0]

    @torch.no_grad()
    def measure(self, states: States) -> None:
        """Sets `mean` and `scale` so that each entry of these states has mean 0 and deviation 1,
        over texts where they are pooled and over tokens for attention; an entry that never changes
        keeps its scale."""
        if isinstance(states, Tensor):
            groups: Sequence[Tensor] = (states,)
        else:
            groups = states if self.kind == "attention" else [self._plain(states)]
        count = sum(len(group) for group in groups)
        mean = torch.stack([group.double().sum(0) for group in groups]).sum(0) / count
        squares = torch.stack([((group.double() - mean) ** 2).sum(0) for group in groups]).sum(0)
        deviation = (squares / count).sqrt()
        self.mean.copy_(mean)
        self.scale.copy_(torch.where(deviation > 1e-6, 1 / deviation, 1.0))

    def _plain(self, states: tuple[Tensor, ...]) -> Tensor:
        rows = [each.float().mean(0) if self.kind == "mean" else each[-1] for each in states]
        return torch.stack(rows).float()
