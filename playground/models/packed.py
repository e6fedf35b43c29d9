"""Many branches of a token tree in one forward pass, over one cache of the tokens they share."""

import itertools
from collections.abc import Iterable, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import torch
from transformers.cache_utils import Cache

from playground.models.attention import tree_mask
from playground.models.keysvalues import GrowingLayer, Memory, append, copied_each

WASTE = 3072
"""Tokens that are nobody's past in a pass and may yet stay in the cache: those who don't wait now, and
a search, come back to them. Writing one anew costs far more than a pass that skips it, or reads it
in vain."""
WASTE_BYTES = 128 * 2**20
"""What they may take: 2,900 tokens of 30 layers with 3 heads of 64 numbers."""

Past = Sequence[Memory]


class PackedCache:
    """A cache in which tokens of many branches lie side by side, kept warm between passes.

    Not thread-safe: its owner holds a lock.
    """

    def __init__(self) -> None:
        self.cache = Cache(layer_class_to_replicate=GrowingLayer)
        # Weak, so that what the row store evicts is freed: its slot is then nobody's.
        self._slots: WeakKeyDictionary[Memory, int] = WeakKeyDictionary()

    def __len__(self) -> int:
        """Tokens held."""
        return int(self.cache.get_seq_length()) if self.cache.layers else 0

    def hold(self, pasts: Sequence[Past], room: int) -> None:
        """Have every token of `pasts`, and place for `room` more; drop what is too much else."""
        needed = dict.fromkeys(itertools.chain.from_iterable(pasts))
        missing = [memory for memory in needed if memory not in self._slots]
        used = sum(map(len, needed))
        waste = len(self) + sum(map(len, missing)) - used
        if waste > max(used // 2, self._waste(needed)):
            self._keep([memory for memory in self._slots if memory in needed], room)
        start = len(self)
        if missing:
            append(self.cache, missing)
        for memory in missing:
            self._slots[memory] = start
            start += len(memory)

    def views(
        self, after: Sequence[Past | int], dtype: torch.dtype, device: torch.device
    ) -> tuple[torch.Tensor, list[int]]:
        """What each new token sees, itself included, and its place in its own branch.

        Returns:
            (1, 1, T, held + T), to be added to the scores of attention: 0 for its own branch, else
            the lowest number; and T positions.
        """
        held = len(self)
        sees = np.zeros((len(after), held + len(after)), dtype=np.bool_)
        positions: list[int] = []
        for i, before in enumerate(after):
            if isinstance(before, int):
                sees[i] = sees[before]
                positions.append(positions[before] + 1)
            else:
                for memory in before:
                    start = self._slots[memory]
                    sees[i, start : start + len(memory)] = True
                positions.append(sum(map(len, before)))
            sees[i, held + i] = True
        return tree_mask(sees, dtype, device), positions

    def taken(self, count: int) -> tuple[Memory, ...]:
        """A copy of what each of the last `count` tokens left; they stay held."""
        memories = copied_each(self.cache, count)
        start = len(self) - count
        self._slots |= {memory: start + i for i, memory in enumerate(memories)}
        return memories

    def forget(self) -> None:
        """Start afresh: after a forward pass that failed half way."""
        self.cache = Cache(layer_class_to_replicate=GrowingLayer)
        self._slots.clear()

    @staticmethod
    def _waste(needed: Iterable[Memory]) -> int:
        """How many tokens may be held that nobody needs."""
        each = max((memory.nbytes // max(1, len(memory)) for memory in needed), default=1)
        return min(WASTE, WASTE_BYTES // max(1, each))

    def _keep(self, memories: Sequence[Memory], room: int) -> None:
        slots = [self._slots[memory] + i for memory in memories for i in range(len(memory))]
        self._slots.clear()
        start = 0
        for memory in memories:
            self._slots[memory] = start
            start += len(memory)
        layers: list[Any] = self.cache.layers
        if layers:
            index = torch.tensor(slots, dtype=torch.long, device=layers[0].keys.device)
            for layer in layers:
                layer.keep(index, room)
