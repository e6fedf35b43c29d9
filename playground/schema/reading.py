"""One text read as JSON with positions: whole, cut off or broken, and what is odd about it in words."""

import re

from playground.constraints.position import line_column
from playground.constraints.words import visible
from playground.schema.parts import Kind, Part, Problem, Reading, Status, decoded, unquoted

MAX_DEPTH = 200
"""Deeper texts are named as such and judged no further."""
MAX_DIGITS = 20_000
"""Longest number that is judged, characters."""
BOM = "\ufeff"

_SPACE = re.compile(r"[ \t\n\r]*")
_BODY = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*')
_CUT_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?\Z")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_BEGUN = re.compile(
    r"-?(?:(?:0|[1-9][0-9]*)(?:\.(?:[0-9]+(?:[eE][+-]?[0-9]*)?)?|[eE][+-]?[0-9]*)?)?"
)
_WORD = re.compile(r"-?[A-Za-z]+")
_WORDS = ("true", "false", "null")
_NOT_JSON = ("NaN", "Infinity", "-Infinity")
_HALF = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])"
    r"|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}"
)


def read(content: str | bytes) -> Reading:
    """Read one text; nothing is raised, whatever it holds."""
    text, problem = decoded(content) if isinstance(content, bytes) else (content, None)
    reader = _Reader(text)
    reader.read()
    if problem is not None:
        reader.problems.append(problem)
        if reader.status in ("whole", "cut"):
            reader.status, reader.at = "broken", len(text)
    return Reading(
        text,
        reader.status,
        reader.root,
        reader.at,
        reader.expected,
        tuple(reader.problems),
        reader.key if reader.spot in ("colon", "value") and reader.stack else None,
    )


class _Reader:
    """One pass, without recursion: a stack of open objects and arrays."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0
        self.stack: list[Part] = []
        self.root: Part | None = None
        self.spot = "value"
        self.key: tuple[int, int] | None = None
        self.status: Status = "cut"
        self.at: int | None = None
        self.expected: tuple[str, ...] = ()
        self.problems: list[Problem] = []

    def read(self) -> None:
        if self.text.startswith(BOM):
            self.odd("bom", 0, "A byte order mark stands before the JSON; many readers refuse it.")
            self.broken(0)
            return
        while self.at is None and self.step():
            pass
        if self.at is None:
            self.status = "whole" if self.spot == "done" else "cut"
        if self.at is not None or self.status == "cut":
            self.expected = self.expected or _EXPECTED[self.spot]

    def odd(self, kind: str, at: int, words: str, earlier: int | None = None) -> None:
        self.problems.append(Problem(kind, at, words, earlier))  # type: ignore[arg-type]

    def broken(self, at: int, *expected: str) -> None:
        self.status, self.at, self.expected = "broken", at, expected

    def step(self) -> bool:
        """Read one token; False at the end of the text."""
        match = _SPACE.match(self.text, self.place)
        assert match
        self.place = match.end()
        if self.place >= len(self.text):
            return False
        char = self.text[self.place]
        if self.spot == "done":
            self.odd("trailing", self.place, f"After the end of the JSON stands “{char}”.")
            self.broken(self.place)
        elif self.spot in ("value", "first value"):
            self.value(char)
        elif self.spot in ("key", "first key"):
            self.read_key(char)
        elif self.spot == "colon":
            if char != ":":
                self.broken(self.place)
            else:
                self.place, self.spot = self.place + 1, "value"
        else:
            self.after(char)
        return True

    def after(self, char: str) -> None:
        top = self.stack[-1]
        if char == ",":
            self.place += 1
            self.spot = "key" if top.kind == "object" else "value"
        elif char == ("}" if top.kind == "object" else "]"):
            self.close()
        else:
            self.broken(self.place, ",", "}" if top.kind == "object" else "]")

    def close(self) -> None:
        self.place += 1
        self.stack.pop().end = self.place
        self.spot = "after" if self.stack else "done"

    def begin(self, kind: Kind) -> Part:
        """A new value in the innermost open one."""
        part = Part(kind, (), self.place)
        if not self.stack:
            self.root = part
            return part
        top = self.stack[-1]
        if top.kind == "object":
            assert self.key
            part.key = self.key
            part.path = (*top.path, unquoted(self.text[self.key[0] : self.key[1]]))
        else:
            part.path = (*top.path, len(top.members))
        top.members.append(part)
        return part

    def value(self, char: str) -> None:
        if char == "]" and self.spot == "first value":
            self.close()
        elif char in "{[":
            if len(self.stack) >= MAX_DEPTH:
                words = f"It is nested deeper than {MAX_DEPTH} levels; it is read up to here."
                self.odd("deep", self.place, words)
                self.status, self.at = "deep", self.place
                return
            self.stack.append(self.begin("object" if char == "{" else "array"))
            self.place, self.spot = self.place + 1, "first key" if char == "{" else "first value"
        elif char == '"':
            self.scalar("string", self.string())
        else:
            self.number_or_word(char)

    def scalar(self, kind: Kind, end: int | None) -> None:
        """A string, number or word that ends before `end`; None where it is cut or broken."""
        part = self.begin(kind)
        if end is None:
            if self.at is None:
                self.place = len(self.text)
            self.spot = "inside"
            return
        part.end = self.place = end
        self.spot = "after" if self.stack else "done"

    def string(self) -> int | None:
        """The end of the string that begins here; None where it has none."""
        start = self.place
        match = _BODY.match(self.text, start)
        assert match
        end = match.end()
        for half in _HALF.finditer(self.text, start, end):
            self.odd("half", half.start(), f"{half.group()} is half of a surrogate pair.")
        if self.text[end : end + 1] == '"':
            return end + 1
        if end < len(self.text) and not _CUT_ESCAPE.match(self.text, end):
            control = self.text[end] < " "
            at = end if control else end + 1
            if not control and self.text[at : at + 1] == "u":
                at += 1
                while at < len(self.text) and self.text[at] in "0123456789abcdefABCDEF":
                    at += 1
            self.broken(at, *(_STRING if control else ("an escape of JSON",)))
        return None

    def number_or_word(self, char: str) -> None:
        match = _WORD.match(self.text, self.place)
        word = match.group() if match else ""
        if word in _NOT_JSON:
            self.odd("number", self.place, f"{word} is no JSON: JSON has no NaN and no Infinity.")
            self.broken(self.place, *_EXPECTED["value"])
            return
        end = self.place + len(word)
        if word and word[0] != "-":
            cut = end == len(self.text)
            if word in _WORDS:
                self.scalar("word", end)
            elif cut and any(each.startswith(word) for each in _WORDS):
                self.scalar("word", None)
            else:
                self.broken(self.place + max(_common(word, each) for each in _WORDS))
            return
        begun = _BEGUN.match(self.text, self.place)
        assert begun
        if begun.end() == self.place:
            self.broken(self.place)
        elif _NUMBER.fullmatch(begun.group()):
            self.huge(begun.group())
            self.scalar("number", begun.end())
        elif begun.end() == len(self.text):
            self.scalar("number", None)
        else:
            self.broken(begun.end(), "0-9")

    def huge(self, number: str) -> None:
        if len(number) > 300 or "e" in number.lower():
            if len(number) > MAX_DIGITS:
                self.odd("digits", self.place, "This number has too many digits to be judged.")
            elif float(number) in (float("inf"), float("-inf")):
                words = f"{number[:30]} is beyond the largest number that most readers can hold."
                self.odd("number", self.place, words)

    def read_key(self, char: str) -> None:
        if char == "}" and self.spot == "first key":
            self.close()
            return
        if char != '"':
            self.broken(self.place)
            return
        start, end = self.place, self.string()
        if end is None:
            self.spot = "inside"
            self.place = len(self.text)
            self.key = (start, self.place)
            return
        name, names = unquoted(self.text[start:end]), self.stack[-1].names
        if name in names:
            line, column = line_column(self.text, names[name])
            shown = visible(name.encode("utf-8", "surrogatepass"))[:60]
            words = f"the key “{shown}” stands twice: it stood in line {line}, column {column} too."
            self.odd("twice", start, words, names[name])
        names[name] = start
        self.key, self.place, self.spot = (start, end), end, "colon"


_STRING = ('"', "any printable character")
_VALUE = ('"', "{", "[", "-", "0-9", "true", "false", "null")
_EXPECTED: dict[str, tuple[str, ...]] = {
    "value": _VALUE,
    "first value": (*_VALUE, "]"),
    "first key": ('"', "}"),
    "key": ('"',),
    "colon": (":",),
    "after": (",", "} or ]"),
    "inside": ("the rest of the value",),
    "done": (),
}


def _common(a: str, b: str) -> int:
    """Length of the common beginning."""
    pairs = enumerate(zip(a, b, strict=False))
    return next((i for i, (x, y) in pairs if x != y), min(len(a), len(b)))
