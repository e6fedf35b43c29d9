"""Keys beside the named ones: any key but these, read off a tree of the names' beginnings."""

from collections.abc import Iterable
from functools import lru_cache

from playground.constraints.jsonschema.charset import (
    ASCII,
    CONTROLS,
    Ranges,
    chars,
    complement,
    intersect,
    minus,
    raw,
    union,
)
from playground.constraints.jsonschema.jsontext import KEY_CHAR, QUOTE
from playground.constraints.jsonschema.piece import Piece, either, literal, optional, repeat, seq

_PLAIN = complement(union(CONTROLS, chars('"\\')))
"""Characters that a key may hold raw; extra keys beside named ones are offered without escapes."""
MAX_NODES = 400
MAX_PREFIX = 16
"""So many letters of names are told apart letter inside letter, in all and in one name."""
MAX_TAIL = 6_000
"""What is longer is written out beginning by beginning, in so many letters of regex at most; a key
that begins like a name cut off even there is left out."""

Trie = dict[str, "Trie"]
_END = ""


def _trie(names: Iterable[str], depth: int) -> Trie:
    root: Trie = {}
    for name in names:
        node = root
        for char in name[:depth]:
            node = node.setdefault(char, {})
        node[_END] = {}
    return root


def _count(node: Trie) -> int:
    return 1 + sum(_count(child) for char, child in node.items() if char != _END)


@lru_cache(maxsize=512)
def any_but(names: tuple[str, ...]) -> tuple[Piece, bool]:
    """A key in quotes that is none of `names`.

    Returns:
        (The piece, whether it is every such key): with long names, keys that only begin like one
        are left out too.
    """
    plain = [name for name in names if all(ord(char) >= 32 and char not in '"\\' for char in name)]
    depth = MAX_PREFIX
    root = _trie(plain, depth)
    while _count(root) > MAX_NODES and depth > 1:
        depth //= 2
        root = _trie(plain, depth)
    cut = {name[:depth] for name in plain if len(name) > depth}
    diverging = _diverging(root, cut, "")
    short = _prefixes(root)
    parts = [] if diverging is None else [seq(diverging, repeat(KEY_CHAR, 0, None))]
    if short is not None:
        parts.append(short)
    begun = _beginnings(root)
    if begun is not None:
        parts.append(seq(begun, _WIDE))
    left = MAX_TAIL
    for start in sorted(cut):
        tail = _tail([name[depth:] for name in plain if name.startswith(start)])
        if tail is None or left < len(start) + len(tail.text):
            return seq(QUOTE, either(*parts), QUOTE), False
        left -= len(start) + len(tail.text)
        parts.append(seq(literal(start), tail))
    return seq(QUOTE, either(*parts), QUOTE), True


def _tail(names: list[str]) -> Piece | None:
    """What may follow a common beginning so that the key is none of `names`, beginning by
    beginning, without a group inside a group; None where it is too long."""
    beginnings = dict.fromkeys(name[:end] for name in names for end in range(len(name) + 1))
    if sum(map(len, beginnings)) > MAX_TAIL:
        return None
    parts = []
    for begun in beginnings:
        taken = _next(names, begun)
        free = intersect(complement(chars(taken)), _inner(taken))
        other = seq(raw(free), repeat(KEY_CHAR, 0, None))
        parts.append(seq(literal(begun), other if begun in names else optional(other)))
    narrow = [each for each in beginnings if _inner(_next(names, each)) == _INNER]
    if narrow:
        parts.append(seq(either(*map(literal, narrow)), _WIDE))
    found = either(*parts)
    # The beginnings are read in step: the automaton has a state for each, not for each letter.
    return Piece(found.text, 10 * len(beginnings), found.depth, found.atom)


def _next(names: Iterable[str], begun: str) -> str:
    """The characters that follow a beginning in some name."""
    at = len(begun)
    return "".join({name[at] for name in names if len(name) > at and name.startswith(begun)})


def _inner(taken: str) -> Ranges:
    """The characters of which one may part from the names where `taken` go on: those outside ASCII
    stand in one set for all such places (see `_WIDE`), or each would take eight states there."""
    return _INNER if taken and taken.isascii() else _PLAIN


def _diverging(node: Trie, cut: set[str], path: str) -> Piece | None:
    """The shortest texts that no name begins with."""
    nexts = {char: child for char, child in node.items() if char != _END}
    if not nexts:
        return None if path in cut else KEY_CHAR
    free: Ranges = intersect(complement(chars("".join(nexts))), _inner("".join(nexts)))
    parts = [raw(free)] if free else []
    for char, child in nexts.items():
        after = _diverging(child, cut, path + char)
        if after is not None:
            parts.append(seq(literal(char), after))
    return either(*parts) if parts else None


_INNER = intersect(_PLAIN, ASCII)
_WIDE = seq(raw(minus(_PLAIN, ASCII)), repeat(KEY_CHAR, 0, None))
"""A key from its first character outside ASCII on."""


def _beginnings(node: Trie) -> Piece | None:
    """The beginnings of names, names included, that only ASCII goes on with; None where no name
    is."""
    nexts = {char: child for char, child in node.items() if char != _END}
    if not nexts:
        return None
    here = all(char.isascii() for char in nexts)
    parts = []
    for char, child in nexts.items():
        after = _beginnings(child)
        if after is not None:
            parts.append(seq(literal(char), after))
    if not here:
        return either(*parts) if parts else None
    return optional(either(*parts)) if parts else Piece("", 0, 0, False)


def _prefixes(node: Trie) -> Piece | None:
    """Proper beginnings of names that are no names themselves; None when there are none."""
    parts = [Piece("", 0, 0, False)] if _END not in node else []
    for char, child in node.items():
        if char == _END:
            continue
        after = _prefixes(child)
        if after is not None:
            parts.append(seq(literal(char), after) if after.text else literal(char))
    if not parts:
        return None
    if len(parts) == 1:
        return parts[0]
    return either(*parts) if parts[0].text else optional(either(*parts[1:]))
