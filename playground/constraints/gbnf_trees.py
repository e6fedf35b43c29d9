"""The trees that a GBNF grammar is written from: each different one once, and its rules by name."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

Ranges = tuple[tuple[int, int], ...]
"""Code points, in order, as (first, last)."""
Key = tuple[str, object, tuple[int, ...]]

TOP = 0x10FFFF
SURROGATES = (0xD800, 0xDFFF)
LONG = 24
"""Parts that are used twice become a rule from so many characters on."""
_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}
_NO_NAME = re.compile(r"[^A-Za-z0-9]+")


@dataclass(slots=True)
class Pool:
    """Trees as numbers. A key is (kind, payload, parts): `text` a string; `set` ranges; `seq` and
    `alt` their parts; `rep` (low, high) of its one part."""

    keys: list[Key] = field(default_factory=list)
    uses: list[int] = field(default_factory=list)
    """How often each is a part of a different tree."""
    names: dict[int, str] = field(default_factory=dict)
    """Trees that are rules."""
    _known: dict[Key, int] = field(default_factory=dict)

    def make(self, kind: str, payload: object = None, parts: tuple[int, ...] = ()) -> int:
        """The number of a tree."""
        key = (kind, payload, parts)
        if key not in self._known:
            self._known[key] = len(self.keys)
            self.keys.append(key)
            self.uses.append(0)
            for part in parts:
                self.uses[part] += 1
        return self._known[key]

    def seq(self, parts: Sequence[int]) -> int:
        """One after the other; texts that touch become one."""
        flat: list[int] = []
        for part in parts:
            kind, payload, inner = self.keys[part]
            for one in inner if kind == "seq" and part not in self.names else (part,):
                flat.append(one)
        joined: list[int] = []
        for part in flat:
            before = self.keys[joined[-1]] if joined else None
            kind, payload, _ = self.keys[part]
            if before is not None and before[0] == kind == "text":
                joined[-1] = self.make("text", str(before[1]) + str(payload))
            else:
                joined.append(part)
        return joined[0] if len(joined) == 1 else self.make("seq", None, tuple(joined))

    def name(self, tree: int, wish: str) -> None:
        """Make a rule of a tree, under a name that is free."""
        if tree in self.names:
            return
        base = _NO_NAME.sub("-", wish).strip("-")[:40] or "property"
        base = f"p-{base}" if base[0].isdigit() else base
        taken, name, number = {"root", *self.names.values()}, base, 1
        while name in taken:
            number += 1
            name = f"{base}-{number}"
        self.names[tree] = name

    def grammar(self, root: int) -> str:
        """The rules, the root's first."""
        self._share(root)
        self.names.pop(root, None)
        done, todo, lines = {root}, [root], []
        while todo:
            tree = todo.pop(0)
            lines.append(f"{self.names.get(tree, 'root')} ::= {self._written(tree)}")
            for rule in self._rules(tree):
                if rule not in done:
                    done.add(rule)
                    todo.append(rule)
        return "\n".join(lines) + "\n"

    def _share(self, root: int) -> None:
        """Name the long parts that are used more than once."""
        seen, todo = {root}, [root]
        while todo:
            tree = todo.pop()
            kind = self.keys[tree][0]
            if self.uses[tree] > 1 and kind != "text" and len(self._text(tree)) >= LONG:
                self.name(tree, "char" if self._is_char(tree) else "part")
            for part in self.keys[tree][2]:
                if part not in seen:
                    seen.add(part)
                    todo.append(part)

    def _is_char(self, tree: int) -> bool:
        """One character of a JSON string: anything but a quote, a backslash or a control."""
        kind, payload, parts = self.keys[tree]
        if kind == "alt":
            return self._is_char(parts[0])
        return kind == "set" and isinstance(payload, tuple) and payload[:2] == ((32, 33), (35, 91))

    def _rules(self, tree: int) -> Iterator[int]:
        """The rules that a tree's text names."""
        for part in self.keys[tree][2]:
            if part in self.names:
                yield part
            else:
                yield from self._rules(part)

    def _written(self, tree: int) -> str:
        """The text of a rule's body."""
        kind, payload, parts = self.keys[tree]
        if kind == "alt":
            return " | ".join(self._text(part) for part in parts)
        if kind == "seq":
            return " ".join(self._text(part, inside=True) for part in parts) or '""'
        if kind == "rep":
            assert isinstance(payload, tuple)
            return self._text(parts[0], inside=True, again=True) + _times(*payload)
        if kind == "set":
            assert isinstance(payload, tuple)
            return written_set(payload)
        return f'"{"".join(map(written_char, str(payload)))}"'

    def _text(self, tree: int, *, inside: bool = False, again: bool = False) -> str:
        """A tree as a part: `inside` a sequence, or to be repeated (`again`)."""
        if tree in self.names:
            return self.names[tree]
        kind, text = self.keys[tree][0], self._written(tree)
        if (inside and kind == "alt") or (again and kind in ("seq", "rep")):
            return f"({text})"
        return text


def _times(low: int, high: int | None) -> str:
    if (low, high) in ((0, None), (1, None), (0, 1)):
        return {(0, None): "*", (1, None): "+", (0, 1): "?"}[low, high]
    return f"{{{low}}}" if low == high else f"{{{low},{'' if high is None else high}}}"


def written_char(char: str) -> str:
    """A character inside a text in quotes."""
    if char in _ESCAPES:
        return _ESCAPES[char]
    return char if char.isprintable() else _hex(ord(char))


def written_set(ranges: Ranges) -> str:
    """A set of characters in brackets, by what it lacks where that is shorter. Only ASCII is
    lacked: where [^...] names a longer character, llama.cpp forbids the first bytes of every
    character that begins like it."""
    out, rest = "[", complement(ranges)
    shorter = len(rest) < len(ranges) or (len(rest) == len(ranges) and ranges[-1][1] == TOP)
    if shorter and (not rest or rest[-1][1] < 0x80):
        if not rest:
            return f"[\\x00-{chr(TOP)}]"
        out, ranges = "[^", rest
    for first, last in ranges:
        out += _member(first)
        if last > first:
            out += ("-" if last > first + 1 else "") + _member(last)
    return out + "]"


def complement(ranges: Ranges) -> Ranges:
    """The other code points; surrogates, which no text has, are left out where they'd be a range
    of their own."""
    out, start = [], 0
    for first, last in ranges:
        if first > start:
            out.append((start, first - 1))
        start = last + 1
    if start <= TOP:
        out.append((start, TOP))
    return tuple(one for one in out if one != SURROGATES)


def _member(code: int) -> str:
    char = chr(code)
    if char in "\n\r\t\\":
        return _ESCAPES[char]
    return char if char.isprintable() and char not in '[]^-"' else _hex(code)


def _hex(code: int) -> str:
    """A code point by its number; beyond the basic plane as itself, which more readers know."""
    if code < 0x100:
        return f"\\x{code:02X}"
    return f"\\u{code:04X}" if code < 0x10000 else chr(code)
