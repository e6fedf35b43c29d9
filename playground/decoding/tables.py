"""Rows of numbers that grow and shrink, as one structured array."""

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray


class Table:
    """n records of one dtype, in no particular order."""

    def __init__(self, dtype: DTypeLike) -> None:
        self._data: NDArray[Any] = np.empty(64, dtype=dtype)
        self._n = 0

    def __len__(self) -> int:
        return self._n

    @property
    def nbytes(self) -> int:
        """Memory held."""
        return int(self._data.nbytes)

    @property
    def rows(self) -> NDArray[Any]:
        """(n,) structured view, valid until the next change."""
        return self._data[: self._n]

    def add(self, records: NDArray[Any]) -> None:
        """Append (m,) records."""
        needed = self._n + len(records)
        if needed > len(self._data):
            grown = np.empty(max(needed, 2 * len(self._data)), dtype=self._data.dtype)
            grown[: self._n] = self.rows
            self._data = grown
        self._data[self._n : needed] = records
        self._n = needed

    def add_one(self, *values: Any) -> None:
        """Append one record."""
        self.add(np.array([values], dtype=self._data.dtype))

    def take(self, indices: NDArray[np.intp]) -> NDArray[Any]:
        """Remove the records at `indices` and return them; the last ones fill the holes."""
        taken = self.rows[indices]
        kept = np.ones(self._n, dtype=bool)
        kept[indices] = False
        end = self._n - len(indices)
        holes = np.flatnonzero(~kept[:end])
        self._data[holes] = self._data[end + np.flatnonzero(kept[end:])]
        self._n = end
        return taken
