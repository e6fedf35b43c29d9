"""Record types and heads for the tests of heads: drawn by hypothesis, or small and fixed."""

import itertools
import math
from typing import Any

import numpy as np
import torch
from hypothesis import strategies as st

from playground.fields.head_spec import HeadSpec
from playground.fields.heads import Head, build
from playground.fields.record_type import Field, Option, RecordType

WIDTH = 6


def field(name: str, *labels: str) -> Field:
    return Field((name,), "choice", tuple(Option(label, label) for label in labels))


def boolean(name: str) -> Field:
    return Field((name,), "boolean", (Option("no", False), Option("yes", True)))


def binned(name: str, *edges: float) -> Field:
    options = tuple(
        Option(f"{low} to {high}", (low + high) / 2, low, high)
        for low, high in itertools.pairwise(edges)
    )
    return Field((name,), "binned", options)


def tickets(**more: Any) -> RecordType:
    """Small, of three kinds of field."""
    fields = (
        field("intent", "refund", "bug", "other"),
        field("priority", "low", "high"),
        boolean("escalate"),
        binned("amount", 0.0, 10.0, 100.0, 500.0),
    )
    return RecordType(fields, "{}", **more)


@st.composite
def record_types(draw: st.DrawFn) -> RecordType:
    """1 to 4 fields of 1 to 4 options; half of them with rules."""
    fields = []
    for at in range(draw(st.integers(1, 4))):
        if draw(st.booleans()):
            fields.append(boolean(f"f{at}"))
        else:
            fields.append(field(f"f{at}", *"abcd"[: draw(st.integers(1, 4))]))
    sizes = [each.size for each in fields]
    allowed = None
    if draw(st.booleans()):
        flags = draw(st.lists(st.booleans(), min_size=math.prod(sizes), max_size=math.prod(sizes)))
        flags[draw(st.integers(0, len(flags) - 1))] = True
        allowed = frozenset(
            record for record, kept in zip(np.ndindex(*sizes), flags, strict=True) if kept
        )
    return RecordType(tuple(fields), "{}", allowed)


@st.composite
def specs(draw: st.DrawFn, record_type: RecordType) -> HeadSpec:
    """Any head of that type but one that reads tokens."""
    names = draw(st.permutations(record_type.names))
    some = tuple(names[: draw(st.integers(0, len(names)))])
    kind = draw(st.sampled_from(("factorised", "chained", "joint")))
    return HeadSpec(
        kind=kind,
        order=some if kind == "chained" else (),
        joint=some if kind == "joint" else (),
        hidden=draw(st.sampled_from((0, 5))),
    )


@st.composite
def heads(draw: st.DrawFn, scales: tuple[float, ...] = (0.1, 3.0, 40.0)) -> Head:
    """A head with wild weights and temperatures."""
    record_type = draw(record_types())
    return wild(
        draw(specs(record_type)),
        record_type,
        draw(st.integers(0, 2**31)),
        draw(st.sampled_from(scales)),
    )


def wild(spec: HeadSpec, record_type: RecordType, seed: int, scale: float = 2.0) -> Head:
    """Weights far from where training starts, and temperatures that aren't 1."""
    head = build(spec, record_type, WIDTH, seed)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for weights in head.parameters():
            weights.normal_(0, scale, generator=generator)
    rng = np.random.default_rng(seed)
    head.set_temperatures({name: float(rng.uniform(0.3, 4)) for name in record_type.names})
    return head


def states(rows: int, seed: int = 0, width: int = WIDTH) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(rows, width)).astype(np.float32)


def records(head: Head, rows: int, seed: int = 0) -> np.ndarray:
    """(rows, F) allowed ones."""
    rng = np.random.default_rng(seed)
    kept = np.argwhere(head.record_type.mask)
    return kept[rng.integers(0, len(kept), rows)]
