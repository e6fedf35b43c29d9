"""A text read as JSON, part by part: places in characters and bytes, and what is odd about it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from playground.constraints.jsonschema.scan import Path
from playground.constraints.position import line_column
from playground.constraints.words import visible

END = "the end of the text"

Status = Literal["whole", "cut", "broken", "deep"]
"""JSON; a beginning of JSON; no JSON whatever follows; nested too deep to be read."""
Kind = Literal["object", "array", "string", "number", "word"]

_ESCAPED = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_SHORT = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


@dataclass(frozen=True, slots=True)
class Problem:
    """Something odd, at a character of the text."""

    kind: Literal["number", "digits", "twice", "deep", "half", "bom", "trailing", "bytes"]
    at: int
    """Offset in characters."""
    words: str
    earlier: int | None = None
    """Of a key that stands twice: where it stood before."""


@dataclass(slots=True)
class Part:
    """A value of the text with its place; offsets in characters."""

    kind: Kind
    path: Path
    start: int
    end: int | None = None
    """After it; None while it is open."""
    key: tuple[int, int] | None = None
    """Where its key stands, quotes included."""
    members: list["Part"] = field(default_factory=list)
    names: dict[str, int] = field(default_factory=dict)
    """Of an object: the keys so far and where they stand."""

    def walk(self) -> Iterator["Part"]:
        """It and everything inside it, outer parts first."""
        todo = [self]
        while todo:
            part = todo.pop()
            yield part
            todo.extend(reversed(part.members))


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text says as JSON."""

    text: str
    status: Status
    root: Part | None
    """The value; None before it begins."""
    at: int | None
    """Where it stops being JSON, in characters: of a broken or a too deep text."""
    expected: tuple[str, ...]
    """What JSON has there instead, or at the end of a cut text."""
    problems: tuple[Problem, ...]
    open_key: tuple[int, int] | None = None
    """The key at the end of a cut text whose value has not begun."""

    def parts(self) -> dict[Path, Part]:
        """Every value by its path; of a key that stands twice the last one."""
        return {} if self.root is None else {part.path: part for part in self.root.walk()}

    def remarks(self) -> list[str]:
        """The problems as sentences with their places."""
        return [
            f"Line {line}, column {column}: {problem.words}"
            for problem in self.problems
            for line, column in [line_column(self.text, problem.at)]
        ]


def byte_offset(text: str, at: int) -> int:
    """The offset in bytes of the character at `at` of `text`."""
    return len(text[:at].encode("utf-8", "surrogatepass"))


def character_offset(text: str, offset: int) -> int:
    """The character that the byte at `offset` belongs to; the length of `text` at its end."""
    return len(text.encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "ignore"))


def got(text: str, at: int) -> str:
    """The character at `at`, readable."""
    return END if at >= len(text) else visible(text[at].encode("utf-8", "surrogatepass"))


def decoded(content: bytes) -> tuple[str, Problem | None]:
    """The text of `content`, up to the first byte that is no UTF-8, and that problem."""
    try:
        return content.decode(), None
    except UnicodeDecodeError as error:
        text = content[: error.start].decode()
        words = f"byte {error.start + 1} (0x{content[error.start]:02x}) is no UTF-8."
        return text, Problem("bytes", len(text), words)


def unquoted(text: str) -> str:
    """The string that a JSON string `text`, quotes included, spells; halves of pairs are kept."""

    def one(match: re.Match[str]) -> str:
        if match[1]:
            return chr(int(match[1], 16))
        return _SHORT.get(match[2], match[2])

    raw = _ESCAPED.sub(one, text[1:-1])
    return raw.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
