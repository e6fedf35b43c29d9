"""Read JSON that may break off anywhere: where its end stands, and which values are complete."""

import json
import re
from dataclasses import dataclass
from typing import Literal, NamedTuple

Spot = Literal["value", "string", "scalar", "key", "in key", "colon", "after", "done", "lost"]
"""Where the text ends: before a value; inside a string, or a number or word; before a key; inside
a key; before a colon; after a value; after the whole; where it is no JSON."""

Path = tuple[str | int, ...]
"""Keys and indices from the root."""

_TOKEN = re.compile(
    r'[ \t\r\n]*(?:("(?:[^"\\]|\\.)*(?:"|\\?$))|([{}\[\]:,])|([^\s{}\[\]:,"]+)|$)', re.DOTALL
)
_CHARACTER = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|\\u[0-9a-fA-F]{4}|\\[^u]|[^\\]",
    re.DOTALL,
)


class Value(NamedTuple):
    """A string, number or word of the text."""

    path: Path
    text: str
    """As written, quotes included."""
    complete: bool


@dataclass(frozen=True, slots=True)
class Scan:
    """What a text that may break off says so far."""

    spot: Spot
    path: Path
    """Of the value at the end of the text; at a key the object's."""
    partial: str
    """What is written of the open string, number, word or key, without its opening quote."""
    key: str | None
    """The key that was just written, before its colon."""
    container: Literal["object", "array"] | None
    """What the end of the text stands in, directly."""
    count: int
    """Members of that container so far."""
    values: tuple[Value, ...]


@dataclass(slots=True)
class _Frame:
    kind: Literal["object", "array"]
    path: Path
    key: str = ""
    count: int = 0


def characters(partial: str) -> int:
    """How many whole characters a string's written beginning stands for."""
    count = at = 0
    while (match := _CHARACTER.match(partial, at)) is not None:
        count, at = count + 1, match.end()
    return count  # an escape that is cut off at the end matches nothing


def scan(text: bytes) -> Scan:
    """Read `text` up to its end; bytes that aren't UTF-8, such as a cut character, are skipped."""
    reader = _Reader(text.decode("utf-8", errors="ignore"))
    reader.read()
    top = reader.stack[-1] if reader.stack else None
    return Scan(
        reader.spot,
        reader.path(),
        reader.partial,
        top.key if top is not None and reader.spot == "colon" else None,
        top.kind if top is not None else None,
        top.count if top is not None else 0,
        tuple(reader.values),
    )


def open_parts(text: bytes) -> list[tuple[Literal["object", "array"], Path]]:
    """The objects and arrays that are open at the end of `text`, the outermost first."""
    reader = _Reader(text.decode("utf-8", errors="ignore"))
    reader.read()
    return [(frame.kind, frame.path) for frame in reader.stack]


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.stack: list[_Frame] = []
        self.values: list[Value] = []
        self.spot: Spot = "value"
        self.partial = ""

    def path(self) -> Path:
        """The path of the value that is being written, or was written last."""
        if not self.stack:
            return ()
        frame, spot = self.stack[-1], self.spot
        if frame.kind == "array":
            return (*frame.path, max(0, frame.count - (spot == "after")))
        if spot in ("key", "in key") or (spot == "after" and not frame.count):
            return frame.path
        return (*frame.path, frame.key)

    def read(self) -> None:
        at, end = 0, len(self.text)
        while at < end and self.spot != "lost":
            match = _TOKEN.match(self.text, at)
            if match is None:
                self.spot = "lost"
                return
            at = match.end()
            kind = match.lastindex
            if kind == 2:
                self._mark(match[2])
            elif kind == 1:
                self._string(match[1], at)
            elif kind == 3:
                self._word(match[3], at)

    def _string(self, string: str, at: int) -> None:
        closed = at < len(self.text) or _is_closed(string)
        if self.spot == "key":
            self.spot = "colon" if closed else "in key"
            self.partial = "" if closed else string[1:]
            if closed:
                self.stack[-1].key = _unquoted(string)
        elif self.spot == "value":
            self.values.append(Value(self.path(), string, closed))
            self.spot = "string"
            if closed:
                self._ended()
            else:
                self.partial = string[1:]
        else:
            self.spot = "lost"

    def _word(self, word: str, at: int) -> None:
        if self.spot != "value":
            self.spot = "lost"
            return
        complete = at < len(self.text) or word in ("true", "false", "null")
        self.values.append(Value(self.path(), word, complete))
        self.spot = "scalar"
        if complete:
            self._ended()
        else:
            self.partial = word

    def _mark(self, mark: str) -> None:
        if mark == "," and self.spot == "after":
            self.spot = "key" if self.stack[-1].kind == "object" else "value"
        elif mark == ":" and self.spot == "colon":
            self.stack[-1].count += 1
            self.spot = "value"
        elif mark in "{[" and self.spot == "value":
            kind: Literal["object", "array"] = "object" if mark == "{" else "array"
            self.stack.append(_Frame(kind, self.path()))
            self.spot = "key" if mark == "{" else "value"
        elif mark in "}]" and self._may_close(mark):
            self.stack.pop()
            self._ended()
        else:
            self.spot = "lost"

    def _may_close(self, mark: str) -> bool:
        if not self.stack or (self.stack[-1].kind == "object") != (mark == "}"):
            return False
        empty = self.stack[-1].count == 0 and self.spot in ("key", "value")
        return empty or self.spot == "after"

    def _ended(self) -> None:
        """A value is complete."""
        self.partial = ""
        self.spot = "after" if self.stack else "done"
        if self.stack and self.stack[-1].kind == "array":
            self.stack[-1].count += 1


def _is_closed(string: str) -> bool:
    body = string[1:]
    if not body.endswith('"'):
        return False
    slashes = len(body) - 1 - len(body[:-1].rstrip("\\"))
    return slashes % 2 == 0


def _unquoted(string: str) -> str:
    try:
        return str(json.loads(string))
    except ValueError:
        return string[1:-1]
