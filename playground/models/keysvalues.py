"""Keys and values: kept warm for the latest token path, copied out span by span."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from transformers.cache_utils import Cache, DynamicLayer

_ROOM = 256
"""A buffer grows by at least so many tokens at a time."""


@dataclass(frozen=True, eq=False, slots=True, weakref_slot=True)
class Memory:
    """Keys and values that one span of T tokens left behind."""

    states: torch.Tensor
    """(T, F): for each token, the keys then the values of every layer, head by head."""
    shapes: tuple[tuple[int, int], ...]
    """(heads, width) of each layer's keys and values, in the order of F."""

    @property
    def nbytes(self) -> int:
        """Size in bytes, on the model's device."""
        return int(self.states.nbytes)

    def __len__(self) -> int:
        """T, the number of tokens."""
        return int(self.states.shape[0])


class GrowingLayer(DynamicLayer):  # type: ignore[misc]  # transformers is untyped
    """One layer's keys and values, in buffers with room to spare: a token copies only itself."""

    def __init__(self) -> None:
        super().__init__()
        self.length = 0

    def lazy_initialization(self, key_states: Any, value_states: Any) -> None:
        """Note the shapes, from the first states seen: (1, heads, T, width) each."""
        self.device = key_states.device
        self.keys = key_states.new_empty((*key_states.shape[:2], 0, key_states.shape[3]))
        self.values = value_states.new_empty((*value_states.shape[:2], 0, value_states.shape[3]))
        self.is_initialized = True

    def room(self, count: int) -> None:
        """Make place for `count` more tokens."""
        needed = self.length + count
        if needed <= self.keys.shape[2]:
            return
        size = max(needed + _ROOM, 2 * self.keys.shape[2])
        for name in ("keys", "values"):
            old = getattr(self, name)
            new = old.new_empty((*old.shape[:2], size, old.shape[3]))
            new[:, :, : self.length] = old[:, :, : self.length]
            setattr(self, name, new)

    def update(self, key_states: Any, value_states: Any, *args: Any, **kwargs: Any) -> Any:
        """Write the new states and return all so far, as views."""
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
        count = key_states.shape[2]
        self.room(count)
        start, self.length = self.length, self.length + count
        self.keys[:, :, start : self.length] = key_states
        self.values[:, :, start : self.length] = value_states
        return self.keys[:, :, : self.length], self.values[:, :, : self.length]

    def keep(self, slots: Any, room: int) -> None:
        """Keep only the tokens at `slots` (N,), in that order, and make place for `room` more."""
        count = len(slots)
        spacious = self.keys.shape[2] > 2 * (count + room) + 2 * _ROOM
        for name in ("keys", "values"):
            old = getattr(self, name)
            kept = old[:, :, slots]
            if spacious:  # what one long path needed is given back
                old = old.new_empty((*old.shape[:2], count + room + _ROOM, old.shape[3]))
                setattr(self, name, old)
            old[:, :, :count] = kept
        self.length = count

    def get_seq_length(self) -> int:
        """Tokens held."""
        return self.length


def append(cache: Cache, memories: Sequence[Memory]) -> None:
    """Write the tokens of `memories`, at least one, after those that every layer holds."""
    states = torch.cat([memory.states for memory in memories])
    shapes = memories[0].shapes
    blocks = torch.split(states, [heads * width for heads, width in shapes], dim=1)
    parts = [
        block.view(-1, heads, width).transpose(0, 1)[None]
        for block, (heads, width) in zip(blocks, shapes, strict=True)
    ]
    for layer, (keys, values) in enumerate(zip(parts[::2], parts[1::2], strict=True)):
        cache.update(keys, values, layer)


def copied(cache: Cache, count: int) -> Memory:
    """A copy of what the last `count` tokens left in every layer."""
    held = [states for layer in cache.layers for states in (layer.keys, layer.values)]
    end = cache.get_seq_length()
    columns = [
        states[0, :, end - count : end].transpose(0, 1).reshape(count, -1) for states in held
    ]
    shapes = tuple((states.shape[1], states.shape[3]) for states in held)
    return Memory(torch.cat(columns, dim=1), shapes)


def copied_each(cache: Cache, count: int) -> tuple[Memory, ...]:
    """As `copied`, but a memory for each of the last `count` tokens."""
    whole = copied(cache, count)
    return tuple(Memory(whole.states[i : i + 1].clone(), whole.shapes) for i in range(count))


class WarmPath:
    """The cache of the path that ran last, continued in place where the next one shares it.

    Not thread-safe: its owner holds a lock.
    """

    def __init__(self) -> None:
        self.cache = Cache(layer_class_to_replicate=GrowingLayer)
        self._path: list[Memory] = []

    def rewind(self, path: Sequence[Memory]) -> int:
        """Make the cache hold exactly the tokens of `path`, and return how many they are."""
        shared = 0
        while shared < min(len(path), len(self._path)) and path[shared] is self._path[shared]:
            shared += 1
        kept = sum(map(len, self._path[:shared]))
        for layer in self.cache.layers:
            layer.length = kept
        missing = path[shared:]
        if missing:
            append(self.cache, missing)
        self._path = list(path)
        return kept + sum(map(len, missing))

    def taken(self, count: int) -> Memory:
        """A copy of what the last `count` tokens left, remembered as the path's next span."""
        memory = copied(self.cache, count)
        self._path.append(memory)
        return memory

    def taken_each(self, count: int) -> tuple[Memory, ...]:
        """As `taken`, but a memory for each of the last `count` tokens."""
        memories = copied_each(self.cache, count)
        self._path += memories
        return memories

    def forget(self) -> None:
        """Start afresh: after a forward pass that failed half way."""
        self.cache = Cache(layer_class_to_replicate=GrowingLayer)
        self._path = []
