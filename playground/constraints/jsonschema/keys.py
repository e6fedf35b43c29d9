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
    raw,
    union,
)
from playground.constraints.jsonschema.jsontext import KEY_CHAR, QUOTE
from playground.constraints.jsonschema.piece import Piece, either, literal, optional, repeat, seq

_PLAIN = complement(union(CONTROLS, chars('"\\')))
"""Characters that a key may hold raw; extra keys beside named ones are offered without escapes."""
MAX_NODES = 400
MAX_PREFIX = 16
"""So many letters of names are told apart, in all and in one name; a key that begins like a longer
name is left out too."""

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
    return seq(QUOTE, either(*parts), QUOTE), not cut


def _diverging(node: Trie, cut: set[str], path: str) -> Piece | None:
    """The shortest texts that no name begins with."""
    nexts = {char: child for char, child in node.items() if char != _END}
    if not nexts:
        return None if path in cut else KEY_CHAR
    # Inside the trie only ASCII may diverge: one state a letter instead of eight.
    free: Ranges = intersect(complement(chars("".join(nexts))), _PLAIN if not path else _INNER)
    parts = [raw(free)] if free else []
    for char, child in nexts.items():
        after = _diverging(child, cut, path + char)
        if after is not None:
            parts.append(seq(literal(char), after))
    return either(*parts) if parts else None


_INNER = intersect(_PLAIN, ASCII)


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
