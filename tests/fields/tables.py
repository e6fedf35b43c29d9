"""Random laws for hypothesis: a few fields of a few options, some cells without mass."""

import math

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

WEIGHTS = st.sampled_from([0.0, 0.0, 1.0, 1.0, 3.0, 0.25, 1e-3, 1e-9]) | st.floats(0.01, 10)
CROSSED = np.array([[0, 0.2, 0.2], [0.3, 0, 0], [0.3, 0, 0]])
"""Each field's own likeliest option is the first, and the two never go together."""
SIZES = st.lists(st.integers(1, 4), min_size=1, max_size=4).map(tuple)


@st.composite
def tables(
    draw: st.DrawFn, sizes: st.SearchStrategy[tuple[int, ...]] = SIZES
) -> NDArray[np.float64]:
    """A law."""
    shape = draw(sizes)
    cells = math.prod(shape)
    weights = draw(st.lists(WEIGHTS, min_size=cells, max_size=cells).filter(any))
    law = np.array(weights).reshape(shape)
    return np.asarray(law / law.sum(), dtype=np.float64)


PAIRS = tables(st.tuples(st.integers(1, 4), st.integers(1, 4)))


@st.composite
def masked(draw: st.DrawFn) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """A law and a mask that keeps some of its mass."""
    law = draw(tables())
    kept = draw(st.lists(st.booleans(), min_size=law.size, max_size=law.size))
    mask = np.array(kept).reshape(law.shape)
    mask[np.unravel_index(draw(st.sampled_from(list(np.flatnonzero(law)))), law.shape)] = True
    return law, mask
