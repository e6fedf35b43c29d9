"""The mass tree's numbers as tables: what their rows hold, and how they grow and shrink."""

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

ENTRY = np.dtype(
    [
        ("log_p", "f8"),  # mass under p, nats
        ("log_q", "f8"),  # open mass under p~, nats; -inf where settled
        ("best_p", "f8"),  # mass of its largest member: what opening it can reveal
        ("best_q", "f8"),
        ("depth", "i4"),  # tokens of its members
        ("node", "i4"),  # the prefix itself, or the parent of a rest
        ("text", "i4"),  # id of its text, or of the parent's text for a rest
        ("settled", "i4"),  # id of the one text that it can end as, -1 where there is a choice
        ("rest", "?"),  # the siblings that have no entry of their own
    ]
)
FOUND = np.dtype(
    [
        ("log_p", "f8"),
        ("log_q", "f8"),
        ("depth", "i4"),
        ("node", "i4"),
        ("eos", "i4"),
        ("text", "i4"),
        ("settled", "?"),  # its p~ mass is counted with an ancestor's
    ]
)
LINK = np.dtype([("parent", "i4"), ("token", "i4"), ("depth", "i4"), ("log_p", "f8")])
LOST = np.dtype([("log_q", "f8"), ("depth", "i4")])
SURE = np.dtype([("log_q", "f8"), ("depth", "i4"), ("text", "i4"), ("node", "i4")])
MASS = np.dtype([("log_p", "f8")])


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
