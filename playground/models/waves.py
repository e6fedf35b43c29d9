"""Which missing prefixes go into one packed pass, and which tokens that pass runs."""

from collections.abc import Callable, Container, Sequence
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


Find = Callable[[Prefix], Span | None]
"""The stored span that ends a prefix."""


@dataclass(slots=True)
class Wave:
    """The tokens of one packed pass."""

    find: Find
    prefixes: list[Prefix] = field(default_factory=list)
    """The prefix that each token ends; those before it in its branch come earlier."""
    after: list[Span | int | None] = field(default_factory=list)
    """What ends the prefix before each token: a span, the token of that index, or nothing."""
    wanted: list[int] = field(default_factory=list)
    """The tokens whose rows were asked for."""
    _index: dict[Prefix, int] = field(default_factory=dict)
    _read: set[int] = field(default_factory=set)
    """The stored spans that the pass reads, by serial."""
    _union: int = 0
    """Their tokens."""

    def add(self, prefixes: Sequence[Prefix], most: int = WAVE) -> None:
        """Take in as many of `prefixes`, from the first on, as `most` tokens in all leave room for;
        one whose missing end is longer than `TAIL` comes another time.

        Args:
            prefixes: none empty, each before its extensions.
            most: the first prefix of an empty wave is taken all the same.
        """
        for prefix in prefixes:
            if prefix in self._index:
                self._want(prefix)
                continue
            for start in range(len(prefix) - 1, max(len(prefix) - TAIL, 0) - 1, -1):
                before: Span | int | None = self._index.get(prefix[:start])
                if before is None:
                    before = self.find(prefix[:start])
                if before is not None or start == 0:
                    break
            else:
                continue
            more = unread(before if isinstance(before, Span) else None, self._read)
            tokens, union = len(self.prefixes) + len(prefix) - start, sum(more.values())
            if self.prefixes and (tokens > most or self._union + union > UNION):
                break
            self._read.update(more)
            self._union += union
            for end in range(start + 1, len(prefix) + 1):
                self._index[prefix[:end]] = len(self.prefixes)
                self.prefixes.append(prefix[:end])
                self.after.append(before)
                before = self._index[prefix[:end]]
            self._want(prefix)

    def _want(self, prefix: Prefix) -> None:
        index = self._index[prefix]
        if index not in self.wanted:
            self.wanted.append(index)


def unread(span: Span | None, read: Container[int]) -> dict[int, int]:
    """The tokens of each span of a path that isn't among `read`, by serial. Where one has been read,
    so have those before it."""
    more: dict[int, int] = {}
    while span is not None and span.serial not in read:
        more[span.serial] = len(span)
        span = span.parent
    return more


def shared_length(a: Prefix, b: Prefix) -> int:
    """How many tokens two prefixes have in common."""
    return next(
        (i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b))
    )


def stem_end(prefix: Prefix, start: int, others: Sequence[Prefix]) -> int:
    """Where `prefix` after `start` first meets the end of, or a fork to, one of `others`."""
    ends = (shared_length(prefix, other) for other in others)
    return min((end for end in ends if end > start), default=len(prefix))
