"""A regex in parts, each with its place and its span in the text."""

import re
from collections import deque
from collections.abc import Iterator
from typing import Any

from playground.constraints.regex_syntax import Node, Parsed
from playground.schema.explain_node import leaf, shortened
from playground.schema.lint.regexes import where

MAX_NODES = 400
MAX_PARTS = 80
_CLASSES = {
    ".": "any character but a line break",
    r"\D": "anything but a digit",
    r"\S": "anything but a blank",
    r"\W": "anything but a letter, a digit or _",
    r"\d": "a digit",
    r"\s": "a blank: space, tab, line break and the like",
    r"\w": "a letter, a digit or _",
}
_ANCHORS = {
    "$": "The end; the whole text must match anyway.",
    "^": "The beginning; the whole text must match anyway.",
    r"\A": "The beginning; the whole text must match anyway.",
    r"\z": "The end; the whole text must match anyway.",
}
_CONTROLS = {r"\n": "a line break", r"\r": "a carriage return", r"\t": "a tab", " ": "a space"}


def explain_regex(text: str, parsed: Parsed) -> dict[str, Any]:
    """The tree of a regex. Each node has `start` and `end`, characters from 0, besides the keys of
    every explanation; neighbouring characters are one part."""
    root = _node(text, parsed.root, "regex", _whole(text, parsed.root))
    todo = deque([(parsed.root, root)])
    nodes = 1
    while todo:
        piece, node = todo.popleft()
        if nodes >= MAX_NODES:
            node["words"] += " (Not spelled out further.)"
            continue
        kind, parts = _parts(piece)
        for index, inner in enumerate(parts[:MAX_PARTS], 1):
            if kind == "alternation":
                child = _node(
                    text, inner, "alternative", f"Alternative {index}: {short(text, inner)}."
                )
            else:
                child = _node(text, inner, inner.kind, _sentence(text, inner))
            node["children"].append(child)
            nodes += 1
            if _has_parts(inner):
                todo.append((inner, child))
        if len(parts) > MAX_PARTS:
            said = f"And {len(parts) - MAX_PARTS:,} more parts."
            node["children"].append(_node(text, parts[MAX_PARTS], "more", said))
    return root


def _node(text: str, piece: Node, keyword: str, words: str) -> dict[str, Any]:
    node = leaf(keyword, words, where(text, piece.start))
    return {**node, "start": piece.start, "end": piece.end}


def _whole(text: str, root: Node) -> str:
    if not text:
        return "The empty text alone."
    if not _has_parts(root):
        return f"The whole text: {short(text, root)}."
    parts = "one of these" if root.kind == "alternation" else "these parts in turn"
    return f"The whole text is {parts}:"


def _unwrapped(piece: Node) -> Node:
    """The piece itself where it is a sequence of one."""
    while piece.kind == "concat" and len(piece.children) == 1:
        piece = piece.children[0]
    return piece


def _has_parts(piece: Node) -> bool:
    """It is worth a level of its own: more than one part, or a part that has some."""
    _, parts = _parts(piece)
    return len(parts) > 1 or (len(parts) == 1 and not _is_flat(parts[0]))


def _parts(piece: Node) -> tuple[str, list[Node]]:
    """Whether what is inside is an `alternation` or a `concat`, and its pieces."""
    while piece.kind in ("repeat", "group"):
        piece = piece.children[0]
    if piece.kind == "alternation":
        return "alternation", list(piece.children)
    return "concat", list(_runs(piece.children))


def _runs(pieces: tuple[Node, ...]) -> Iterator[Node]:
    """The pieces, neighbouring characters as one."""
    at = 0
    while at < len(pieces):
        end = at
        while end < len(pieces) and pieces[end].kind == "char":
            end += 1
        if end - at > 1:
            run = pieces[at:end]
            yield Node("char", run[0].start, run[-1].end, (), len(run))
            at = end
        else:
            yield pieces[at]
            at += 1


def _sentence(text: str, piece: Node) -> str:
    words = short(text, piece)
    return words if words.endswith(".") else f"{words[:1].upper()}{words[1:]}."


def short(text: str, piece: Node) -> str:
    """A piece in a few words."""
    piece = _unwrapped(piece)
    written = text[piece.start : piece.end]
    if piece.kind == "anchor":
        return _ANCHORS.get(written, "an anchor")
    if piece.kind == "flags":
        return f"the flags {written} from here on"
    if piece.kind == "char":
        return _CONTROLS.get(written, f"“{shortened(_plain(written))}”")
    if piece.kind == "class":
        return class_words(written)
    if piece.kind == "repeat":
        return f"{_times(text, piece)}{short(text, piece.children[0])}"
    if piece.kind == "alternation":
        return f"one of {len(piece.children)} alternatives"
    if piece.kind == "group":
        name = re.match(r"\(\?P?<([^>]*)>", written)
        body = short(text, piece.children[0])
        return f"{body}, the group “{shortened(name.group(1), 40)}”" if name else body
    if not piece.children:
        return "nothing"
    parts = list(_runs(piece.children))
    if len(parts) <= 4 and all(map(_is_flat, parts)):
        return ", then ".join(short(text, inner) for inner in parts)
    return f"`{shortened(written, 60)}`"


def _is_flat(piece: Node) -> bool:
    if piece.kind == "repeat":
        return _unwrapped(piece.children[0]).kind in ("char", "class")
    return piece.kind in ("char", "class")


def class_words(written: str) -> str:
    """A class in words: `[0-9]` is one of 0-9."""
    if written in _CLASSES:
        return _CLASSES[written]
    inner = shortened(_plain(written[1:-1]), 60)
    if written.startswith("[^"):
        return f"any character but {shortened(_plain(written[2:-1]), 60)}"
    if written.startswith("["):
        return f"one of {inner}"
    return f"a character of the class {shortened(written, 40)}"


def _plain(written: str) -> str:
    """Escaped signs without their backslash."""
    return re.sub(r"\\([^\w\s])", r"\1", written)


def _times(text: str, piece: Node) -> str:
    count = text[piece.children[0].end : piece.end]
    if count[0] in "*+?":
        return {"*": "any number of ", "+": "one or more of ", "?": "perhaps "}[count[0]]
    low, comma, high = (part.strip() for part in count[1:].partition("}")[0].partition(","))
    if not comma:
        return f"{low} times "
    if not high:
        return f"{low} or more times "
    return f"{low} to {high} times "
