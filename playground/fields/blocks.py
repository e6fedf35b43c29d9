"""What a head decides at a time: which fields together, and given which."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from playground.errors import InvalidInput
from playground.fields.head_spec import HeadSpec
from playground.fields.record_type import MOST_COMBINATIONS, RecordType

MOST_JOINT = 4096
"""Most combinations in one softmax."""


@dataclass(frozen=True, eq=False, slots=True)
class Block:
    """One decision: an option of the product of `fields`, given the options of `given`."""

    fields: tuple[int, ...]
    """Positions in the record type, at least one."""
    given: tuple[int, ...]
    """Positions of fields of earlier blocks, in the order in which they are decided."""
    sizes: tuple[int, ...]
    """Options of each of `fields`."""
    binary: bool
    """A boolean: one logit, of its second option; the first has 0."""
    allowed: NDArray[np.bool_] | None = None
    """(size,) bool; None: every combination of the fields."""

    @property
    def size(self) -> int:
        """Combinations, in C order of `sizes`."""
        return math.prod(self.sizes)

    @property
    def outputs(self) -> int:
        """Logits that the head computes."""
        return 1 if self.binary else self.size


def blocks_of(spec: HeadSpec, record_type: RecordType) -> tuple[Block, ...]:
    """The decisions of a head, in the order in which they are made; each field in just one.

    Raises:
        InvalidInput: a name is no field or stands twice, or a softmax or a chain is too large.
    """
    everything = tuple(range(len(record_type.fields)))
    if spec.kind == "joint":
        named = _positions(record_type, spec.joint or record_type.names[:2], "joint")
        rest = [at for at in everything if at not in named]
        return (_block(record_type, named), *(_block(record_type, (at,)) for at in rest))
    if spec.kind == "factorised":
        return tuple(_block(record_type, (at,)) for at in everything)
    order = _positions(record_type, spec.order or record_type.names[:1], "order")
    rest = [at for at in everything if at not in order]
    _require_summable(record_type, order, rest)
    chain = [_block(record_type, (at,), order[:step]) for step, at in enumerate(order)]
    return (*chain, *(_block(record_type, (at,), order) for at in rest))


def _block(record_type: RecordType, fields: tuple[int, ...], given: tuple[int, ...] = ()) -> Block:
    sizes = tuple(record_type.sizes[at] for at in fields)
    if len(fields) == 1:
        field = record_type.fields[fields[0]]
        return Block(fields, given, sizes, field.kind == "boolean" and field.size == 2)
    if math.prod(sizes) > MOST_JOINT:
        raise InvalidInput(
            f"{math.prod(sizes):,} combinations are too many for one softmax: at most "
            f"{MOST_JOINT:,}.",
            "Name fewer fields, or chain them.",
            "joint",
        )
    allowed = None
    if record_type.allowed is not None:
        grid = np.zeros(sizes, bool)
        for record in record_type.allowed:
            grid[tuple(record[at] for at in fields)] = True
        allowed = grid.ravel()
    return Block(fields, given, sizes, False, allowed)


def _positions(record_type: RecordType, names: Sequence[str], where: str) -> tuple[int, ...]:
    found = tuple(record_type.position(name) for name in names)
    if len(set(found)) < len(found):
        raise InvalidInput("A field is named twice.", "Name each field once.", where)
    return found


def _require_summable(record_type: RecordType, order: Sequence[int], rest: Sequence[int]) -> None:
    """A marginal sums over the chain before it: that table must have an end."""
    chain = math.prod(record_type.sizes[at] for at in order)
    largest = chain * max((record_type.sizes[at] for at in rest), default=1)
    if largest > MOST_COMBINATIONS:
        raise InvalidInput(
            f"The exact marginals of this chain sum over {largest:,} combinations: more than "
            f"{MOST_COMBINATIONS:,}.",
            "Put fewer fields in the order.",
            "order",
        )
