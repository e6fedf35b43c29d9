"""How far two laws over texts are apart, each of them known by bounds alone.

P and Q are laws over texts and one outcome more, "not finished". Of each, a search knows some cells
(texts, and that outcome) and how much mass may still go anywhere. For any set A of cells, TV is at
least P(A) - Q(A), and P(A) >= the sum of the least masses of A under P. Q(A) has two upper bounds: the
sum of the most that each cell can have, or the sum of the most that each has without the open mass, and
the open mass once. A is chosen as the cells where the difference is positive. The same with P and Q
exchanged gives four lower bounds, of which the largest holds. Above, TV = 1 - the sum over all cells of
min(P, Q), and leaving cells out, or taking the least masses, only lowers that sum. With nothing open
the bounds differ by the arithmetic's doubt alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from playground.exact.distances import Cells, Values, cell_bounds
from playground.exact.interval import Interval

ROUNDING = 1e-14
"""What sums of so many float64 shares may be off by."""


@dataclass(frozen=True, eq=False, slots=True)
class Law:
    """One law over K cells: texts, and "not finished" as the last one. Shares of 1."""

    least: Values
    """(K,) at least."""
    known: Values
    """(K,) at most, were the open mass elsewhere."""
    most: Values
    """(K,) at most."""
    open: float
    """What may still go to any cell, or to several, at most."""

    def at(self, cells: Sequence[int]) -> "Law":
        """The same law over other cells, by their index here; -1 is a text that isn't known: it has
        open mass, if any."""
        index = np.array(cells, dtype=np.intp)
        held = index >= 0

        def picked(values: Values, otherwise: float) -> Values:
            return np.where(held, values[index], otherwise)

        return Law(
            picked(self.least, 0.0),
            picked(self.known, 0.0),
            picked(self.most, self.open),
            self.open,
        )


def conditional(cells: Cells) -> Law:
    """p_V over the cells: an unfinished run is in no valid text.

    Open mass of any size x, up to what is open, goes to a set A in part or in whole: (found in A + x) /
    (found + x) grows with x, so that the whole of it is the worst.
    """
    low, _, high = cells.found
    open_p = cells.open_p + cells.settled_p
    total = max(float(low.sum()) + open_p, 1e-300)
    (least, most), _ = cell_bounds(cells)
    known, share = np.minimum(1.0, high / total), min(1.0, open_p / total)
    return Law(np.append(least, 0.0), np.append(known, 0.0), np.append(most, 0.0), share)


def masked(cells: Cells) -> Law:
    """p~ over the cells."""
    _, _, above = cells.masked
    _, (least, most) = cell_bounds(cells)
    lost, doubt = cells.unfinished, float(np.exp(cells.doubt))
    return Law(
        np.append(least, lost / doubt),
        np.append(np.minimum(1.0, above), min(1.0, lost * doubt)),
        np.append(most, min(1.0, lost * doubt + cells.open_q)),
        min(1.0, cells.open_q),
    )


def tv_between(left: Law, right: Law) -> Interval:
    """Total variation between two laws over the same cells."""
    lower = max(
        _excess(left.least, right.most),
        _excess(left.least, right.known) - right.open,
        _excess(right.least, left.most),
        _excess(right.least, left.known) - left.open,
    )
    upper = 1.0 - float(np.minimum(left.least, right.least).sum())
    low = min(1.0, max(0.0, lower - ROUNDING))
    return Interval(low, max(low, min(1.0, upper + ROUNDING)))


def _excess(over: Values, under: Values) -> float:
    return float(np.maximum(0.0, over - under).sum())


def aligned(
    left: Mapping[bytes, int], right: Mapping[bytes, int]
) -> tuple[list[bytes], list[int], list[int]]:
    """All texts of two laws, and the cells of each law for them and for "not finished".

    Args:
        left, right: the cell of each known text; that of "not finished" is the number of texts.
    """
    texts = list(dict.fromkeys([*left, *right]))
    sides = [[*(side.get(text, -1) for text in texts), len(side)] for side in (left, right)]
    return texts, sides[0], sides[1]
