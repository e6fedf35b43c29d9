"""Which hand-written regexes xgrammar's reader, which is ECMAScript-like, reads as they are meant."""

import re

from playground.constraints.notes import Note
from playground.constraints.position import invalid_at
from playground.constraints.regex_syntax import Node, parse
from playground.errors import InvalidInput

_ENGINES = "Write it another way, or choose another engine."
_SAFE_ESCAPE = re.compile(
    r"\\(?:[nrtfvdDwWsS]|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|u\{[0-9A-Fa-f]{1,6}\}|[^\sA-Za-z0-9]|[ ])"
)
_HEX_BRACES = re.compile(r"\\x\{([0-9A-Fa-f]{1,6})\}")
_SET_WORDS = {"&&": "an intersection", "--": "a difference", "~~": "a symmetric difference"}
_ASCII = Note(
    "warning",
    "engine",
    "",
    r"xgrammar reads \d and \w as ASCII only, and . as any character, newlines included; the "
    r"other engines read \d and \w as Unicode, and . without the newline.",
)


def for_ecma(regex: str) -> tuple[str, tuple[Note, ...]]:
    """`regex`, in Rust's syntax and without anchors, as xgrammar is given it, with remarks.

    Raises:
        InvalidInput: xgrammar would refuse a part of it, or misread it; with the place.
    """
    parsed = parse(regex)
    if parsed.flags:
        at = regex.find("(?")
        raise invalid_at(regex, at, "xgrammar reads no inline flags such as (?i).", _ENGINES)
    unicode_classes = bool(parsed.escapes & set("dDwW"))
    for leaf in _leaves(parsed.root):
        text = regex[leaf.start : leaf.end]
        unicode_classes = unicode_classes or text == "."
        _check(regex, leaf, text)
    named = re.search(r"\(\?P?<[A-Za-z_]", regex)
    if named is not None:
        hint = "Write (?:...), which matches the same."
        raise invalid_at(regex, named.start(), "xgrammar reads no named groups.", hint)
    written = _HEX_BRACES.sub(lambda match: rf"\u{{{match[1]}}}", regex)
    return written, (_ASCII,) if unicode_classes else ()


def _leaves(node: Node) -> list[Node]:
    found, todo = [], [node]
    while todo:
        here = todo.pop()
        todo.extend(here.children)
        if here.kind in ("char", "class"):
            found.append(here)
    return found


def _check(regex: str, leaf: Node, text: str) -> None:
    inside = text[1:-1] if text.startswith("[") else text
    if text.startswith("["):
        nested = re.sub(r"\\.", "..", inside).find("[")
        if nested >= 0:
            _refuse(regex, leaf.start + 1 + nested, "xgrammar reads no class inside a class.")
        for sign, name in _SET_WORDS.items():
            at = inside.find(sign)
            if at >= 0:
                _refuse(regex, leaf.start + 1 + at, f"xgrammar reads no {sign}, {name} of classes.")
    for escape in re.finditer(r"\\(?:x\{[^}]*\}|[pP](?:\{[^}]*\}|.)|.)", inside, re.DOTALL):
        here = leaf.start + (text.startswith("[")) + escape.start()
        rest = regex[here:]
        if not _SAFE_ESCAPE.match(rest) and not _HEX_BRACES.match(rest):
            _refuse(regex, here, f"xgrammar can't read {escape[0]} as it is meant.")


def _refuse(regex: str, at: int, what: str) -> InvalidInput:
    raise invalid_at(regex, at, what, _ENGINES)
