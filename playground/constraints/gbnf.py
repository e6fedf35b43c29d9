"""A regex -> a GBNF grammar of the same texts, with a rule for each property of an object.

Runs in the compiling child only: what a class of characters holds is read off the automaton that
outlines_core builds for it, so that `\\d`, `\\p{L}` and any-case letters mean what the mask means.
"""

import re

import numpy as np

from playground.constraints.build import build
from playground.constraints.dfa import DEAD, ByteDFA
from playground.constraints.gbnf_names import named
from playground.constraints.gbnf_trees import Pool, Ranges
from playground.constraints.regex_escapes import Cursor, read_escape
from playground.constraints.regex_syntax import Node, parse
from playground.errors import BudgetExceeded

MAX_CLASSES = 500
"""So many different classes of one regex are looked up."""
MAX_GRAMMAR = 300_000
"""Longest grammar, characters."""
_OPENING = re.compile(r"\(\?([a-zA-Z-]*)[:)]")
_COUNT = re.compile(r"\{\s*(\d+)\s*(,)?\s*(\d*)\s*\}")


def to_gbnf(regex: str, json: bool) -> str:
    """The grammar, `root` first.

    Args:
        regex: in Rust's syntax, without anchors; the whole text must match.
        json: the texts are JSON, so properties can be told and named.

    Raises:
        InvalidInput: the reader of regexes doesn't know it.
        BudgetExceeded: too many classes, or the grammar would be too long.
    """
    writer = _Writer(regex, json)
    parsed = parse(regex)
    tree, _ = writer.tree(parsed.root, "")
    grammar = writer.pool.grammar(tree)
    if len(grammar) > MAX_GRAMMAR:
        raise BudgetExceeded(
            f"The grammar would have {len(grammar):,} characters; at most {MAX_GRAMMAR:,} are "
            "written.",
            "Simplify the constraint.",
        )
    return grammar


class _Writer:
    def __init__(self, regex: str, json: bool) -> None:
        self.regex = regex
        self.json = json
        self.pool = Pool()
        self._classes: dict[str, Ranges] = {}

    def tree(self, node: Node, flags: str) -> tuple[int, str]:
        """The tree of a node, and the flags after it, which hold to the end of the group."""
        pool, source = self.pool, self.regex[node.start : node.end]
        if node.kind == "flags":
            opening = _OPENING.match(source)
            assert opening, source
            return pool.seq(()), _set(flags, opening.group(1))
        if node.kind in ("concat", "alternation"):
            parts = []
            for child in node.children:
                part, flags = self.tree(child, flags)
                parts.append(part)
            if node.kind == "alternation":
                return pool.make("alt", None, tuple(dict.fromkeys(parts))), flags
            return pool.seq(named(pool, parts) if self.json else parts), flags
        if node.kind == "group":
            opening = _OPENING.match(source)
            inner = _set(flags, opening.group(1)) if opening else flags
            return self.tree(node.children[0], inner)[0], flags
        if node.kind == "repeat":
            operand = node.children[0]
            low, high = _counts(self.regex[operand.end : node.end].strip())
            part, _ = self.tree(operand, flags)
            if high == 0 or pool.keys[part] == ("seq", None, ()):
                return pool.seq(()), flags
            return part if low == high == 1 else pool.make("rep", (low, high), (part,)), flags
        if node.kind == "anchor":
            return pool.seq(()), flags
        return self._leaf(node.kind, source, flags), flags

    def _leaf(self, kind: str, source: str, flags: str) -> int:
        if kind == "char" and "i" not in flags:
            code = read_escape(Cursor(source)) if source[0] == "\\" else ord(source)
            assert code is not None, source
            return self.pool.make("text", chr(code))
        spelled = f"(?{flags}){source}" if flags else source
        if spelled not in self._classes:
            if len(self._classes) >= MAX_CLASSES:
                raise BudgetExceeded(f"The regex has more than {MAX_CLASSES} different classes.")
            self._classes[spelled] = characters(build(spelled, 10_000))
        ranges = self._classes[spelled]
        if len(ranges) == 1 and ranges[0][0] == ranges[0][1]:
            return self.pool.make("text", chr(ranges[0][0]))
        return self.pool.make("set", ranges)


def _set(flags: str, change: str) -> str:
    """The flags that hold after a change such as `i-s`; those that change no class are left out."""
    on, _, off = change.partition("-")
    kept = dict.fromkeys(flags + "".join(flag for flag in on if flag in "isuR"))
    assert "u" not in off, "an engine for UTF-8 refuses (?-u)"
    return "".join(flag for flag in kept if flag not in off)


def _counts(suffix: str) -> tuple[int, int | None]:
    if suffix[0] in "*+?":
        return {"*": (0, None), "+": (1, None), "?": (0, 1)}[suffix[0]]
    found = _COUNT.match(suffix)
    assert found, suffix
    low = int(found.group(1))
    if not found.group(2):
        return low, low
    return low, int(found.group(3)) if found.group(3) else None


def characters(dfa: ByteDFA) -> Ranges:
    """The code points of an automaton whose texts are single characters."""
    table, spans = dfa.table, list[tuple[int, int]]()

    def walk(state: int, code: int, more: int) -> None:
        """Add the characters that go on from `state` with `more` bytes, `code` being their top."""
        if not more:
            assert dfa.final[state]
            spans.append((code, code))
            return
        row = table[state, 0x80:0xC0]
        if more == 1:
            alive = np.flatnonzero(row != DEAD)
            for run in np.split(alive, np.flatnonzero(np.diff(alive) > 1) + 1):
                if len(run):
                    spans.append((code * 64 + int(run[0]), code * 64 + int(run[-1])))
            return
        for low in np.flatnonzero(row != DEAD).tolist():
            walk(int(row[low]), code * 64 + low, more - 1)

    for lead in np.flatnonzero(table[0] != DEAD).tolist():
        more = (lead >= 0xC0) + (lead >= 0xE0) + (lead >= 0xF0)
        walk(int(table[0, lead]), lead & (0x7F >> (more + 1 if more else 0)), more)
    out: list[tuple[int, int]] = []
    for first, last in sorted(spans):
        if out and out[-1][1] + 1 == first:
            out[-1] = (out[-1][0], last)
        else:
            out.append((first, last))
    return tuple(out)
