"""Which missing prefixes go into one packed pass, and which tokens that pass runs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from playground.models.base import Prefix, Provenance

WAVE = 64
"""Most tokens of one packed pass: a row each, 13 MB for 50,000 tokens."""
TAIL = 16
"""Longest missing end of a prefix that is run within a packed pass. Longer ones are first read in
a pass of their own, which leaves one span instead of one a token."""
UNION = 4096
"""Most stored tokens that a pass reads, unless one branch alone is longer: `WAVE` runs that share
nothing but a prompt get 60 tokens deep. Two half waves cost as much as a whole one."""

Key = tuple[Provenance, Prefix]


@dataclass(frozen=True, eq=False, slots=True)
class Span:
    """The memory of the last tokens of a prefix, and the span before them."""

    key: Key
    parent: "Span | None"
    memory: Any
    nbytes: int
    serial: int
    """Its key in the order of use: cheap to hash, as prefixes are not."""

    @property
    def end(self) -> int:
        """The length of the prefix."""
        return len(self.key[1])

    def __len__(self) -> int:
        """How many tokens the memory is of."""
        return self.end - (0 if self.parent is None else self.parent.end)


def path_of(span: Span | None) -> list[Span]:
    """The spans of a prefix, first to last."""
    path = []
    while span is not None:
        path.append(span)
        span = span.parent
    return path[::-1]


@dataclass(slots=True)
class Wave:
    """The tokens of one packed pass."""

    prefixes: list[Prefix] = field(default_factory=list)
    """The prefix that each token ends; those before it in its branch come earlier."""
    after: list[Span | int | None] = field(default_factory=list)
    """What ends the prefix before each token: a span, the token of that index, or nothing."""
    wanted: list[int] = field(default_factory=list)
    """The tokens whose rows were asked for."""


def shared_length(a: Prefix, b: Prefix) -> int:
    """How many tokens two prefixes have in common."""
    return next(
        (i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b))
    )


def stem_end(prefix: Prefix, start: int, others: Sequence[Prefix]) -> int:
    """Where `prefix` after `start` first meets the end of, or a fork to, one of `others`."""
    ends = (shared_length(prefix, other) for other in others)
    return min((end for end in ends if end > start), default=len(prefix))


def plan(prefixes: Sequence[Prefix], find: Callable[[Prefix], Span | None]) -> Wave:
    """The pass that gives as many of `prefixes` as it may, beginning with the first.

    Args:
        prefixes: none empty, none twice, each before its extensions; the first is at most `TAIL`
            tokens longer than a stored one or than nothing.
        find: the stored span that ends a prefix.
    """
    wave = Wave()
    index: dict[Prefix, int] = {}
    read: set[int] = set()  # the stored spans that the pass reads, by serial
    union = 0  # their tokens
    for prefix in prefixes:
        for start in range(len(prefix) - 1, max(len(prefix) - TAIL, 0) - 1, -1):
            before: Span | int | None = index.get(prefix[:start])
            if before is None:
                before = find(prefix[:start])
            if before is not None or start == 0:
                break
        else:
            continue  # too long a tail: it comes first another time
        more: dict[int, int] = {}
        span = before if isinstance(before, Span) else None
        while span is not None and span.serial not in read:
            more[span.serial] = len(span)
            span = span.parent
        tokens = len(wave.prefixes) + len(prefix) - start
        if wave.prefixes and (tokens > WAVE or union + sum(more.values()) > UNION):
            break
        read.update(more)
        union += sum(more.values())
        for end in range(start + 1, len(prefix) + 1):
            index[prefix[:end]] = len(wave.prefixes)
            wave.prefixes.append(prefix[:end])
            wave.after.append(before)
            before = index[prefix[:end]]
        wave.wanted.append(index[prefix])
    return wave
