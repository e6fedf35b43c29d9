"""A store of masks, one bit a token, bounded in memory."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from playground.logspace import Mask

BUDGET = 4 * 2**20
"""Bytes of packed masks that one automaton keeps: some 680 states of a vocabulary of 49,152."""


class MaskStore:
    """The masks of the states visited last. Thread-safe; the masks given out are read-only."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._most = max(16, BUDGET // max(1, size // 8))
        self._packed: OrderedDict[Hashable, NDArray[np.uint8]] = OrderedDict()
        self._lock = Lock()

    def get(self, state: Hashable, compute: Callable[[], Mask]) -> Mask:
        """(V,) bool, read-only: the mask kept for `state`, else a new one from `compute`."""
        with self._lock:
            packed = self._packed.get(state)
            if packed is not None:
                self._packed.move_to_end(state)
        if packed is not None:
            mask = np.unpackbits(packed, count=self._size).view(np.bool_)
        else:
            mask = compute()
            with self._lock:
                self._packed[state] = np.packbits(mask)
                while len(self._packed) > self._most:
                    self._packed.popitem(last=False)
        mask.setflags(write=False)
        return mask
