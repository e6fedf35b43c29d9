"""JSON text read with positions: the value, where every key stands, and errors with a place."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

from playground.constraints.position import first_surrogate, half_a_pair
from playground.errors import InvalidInput, UnsupportedSchema

BOM = "\ufeff"
"""The mark that some editors write before a text."""
MAX_DEPTH = 100
"""Deepest nesting of arrays and objects accepted."""

NOWHERE = object()
"""What stands at a pointer that leads nowhere."""

_INDEX = re.compile(r"[0-9]{1,9}")
_SPACE = re.compile(r"[ \t\n\r]*")
_STRING = re.compile(r'"((?:[^"\\\x00-\x1f]|\\.)*)', re.DOTALL)
_ESCAPE = re.compile(r'\\(?:(["\\/bfnrt])|u([0-9a-fA-F]{4})|)')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_WORD = re.compile(r"[A-Za-z_$+-][\w$.+-]*|[0-9][\w.+-]*")
_SHORT = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_NAMES = {"true": True, "false": False, "null": None}
_MISTAKES = {
    "True": "JSON writes `true`.",
    "False": "JSON writes `false`.",
    "None": "JSON writes `null`.",
    "undefined": "JSON has `null` only.",
    "NaN": "JSON has no NaN and no Infinity.",
    "Infinity": "JSON has no NaN and no Infinity.",
    "-Infinity": "JSON has no NaN and no Infinity.",
}


@dataclass(frozen=True, slots=True)
class Parsed:
    """A JSON value and the places of its parts."""

    value: Any
    places: dict[str, tuple[int, int]]
    """JSON pointer -> (line, column), from 1, of the key (in objects) or the value."""


def whole_schema(text: str) -> Parsed:
    """Read a JSON Schema.

    Raises:
        InvalidInput: as `parse`.
        UnsupportedSchema: the value is neither an object nor a boolean, with its place.
    """
    parsed = parse(text)
    if isinstance(parsed.value, dict | bool):
        return parsed
    line, column = parsed.places[""]
    raise UnsupportedSchema(
        "A JSON Schema is an object or a boolean.",
        'For example {"type": "object"}.',
        f"line {line}, column {column}",
        line,
        column,
    )


def step(pointer: str, key: str | int) -> str:
    """The JSON pointer one level further down."""
    return f"{pointer}/{str(key).replace('~', '~0').replace('/', '~1')}"


def keys(pointer: str) -> list[str]:
    """The unescaped parts of a JSON pointer, what `step` put together; none of the root's."""
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]


def at(value: Any, pointer: str) -> Any:
    """What stands at `pointer` of a JSON value; NOWHERE if nothing does."""
    for key in keys(pointer):
        if isinstance(value, dict) and key in value:
            value = value[key]
        elif isinstance(value, list) and _INDEX.fullmatch(key) and int(key) < len(value):
            value = value[int(key)]
        else:
            return NOWHERE
    return value


def parse(text: str) -> Parsed:
    """Read one JSON document.

    Raises:
        InvalidInput: not JSON, a key twice in one object, a number out of range, half of a
            surrogate pair, or nested more than MAX_DEPTH levels; with line and column.
    """
    reader = _Reader(text.removeprefix(BOM))
    value = reader.value("", 0)
    reader.space()
    if reader.at < len(reader.text):
        reader.fail(
            f"After the end of the JSON there is more text: {reader.found()}.", "Remove it."
        )
    return Parsed(value, reader.places)


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.places: dict[str, tuple[int, int]] = {}
        self._lines = [0, *(match.end() for match in re.finditer("\n", text))]

    def space(self) -> None:
        match = _SPACE.match(self.text, self.at)
        assert match
        self.at = match.end()

    def place(self, at: int) -> tuple[int, int]:
        """Line and column, both from 1."""
        low, high = 0, len(self._lines)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._lines[middle] <= at else (low, middle)
        return low + 1, at - self._lines[low] + 1

    def fail(self, what: str, hint: str = "", at: int | None = None) -> NoReturn:
        line, column = self.place(self.at if at is None else at)
        raise InvalidInput(what, hint, f"line {line}, column {column}", line, column)

    def found(self) -> str:
        if self.at >= len(self.text):
            return "the end of the text"
        match = _WORD.match(self.text, self.at)
        return f"`{match.group()[:30] if match else self.text[self.at]}`"

    def value(self, pointer: str, depth: int) -> Any:
        self.space()
        self.places.setdefault(pointer, self.place(self.at))
        if depth > MAX_DEPTH:
            self.fail(
                f"The JSON is nested more than {MAX_DEPTH} levels deep.",
                "Move inner parts to `$defs` and refer to them.",
            )
        char = self.text[self.at : self.at + 1]
        if char == "{":
            return self._object(pointer, depth)
        if char == "[":
            return self._array(pointer, depth)
        if char == '"':
            return self._string()
        return self._scalar()

    def _object(self, pointer: str, depth: int) -> dict[str, Any]:
        out: dict[str, Any] = {}

        def member() -> None:
            at = self.at
            if self.text[at : at + 1] != '"':
                hint = "Keys stand in double quotes."
                if self.text[at : at + 1] == "}":
                    hint = "Remove the comma before the closing brace."
                self.fail(f"Expected a key in double quotes, found {self.found()}.", hint)
            key = self._string()
            if key in out:
                self.fail(f'The key "{key}" stands twice in one object.', "Keep one of them.", at)
            self.places[step(pointer, key)] = self.place(at)
            self.space()
            if self.text[self.at : self.at + 1] != ":":
                self.fail(f'Expected `:` after the key "{key}", found {self.found()}.')
            self.at += 1
            out[key] = self.value(step(pointer, key), depth + 1)

        self._members("}", member)
        return out

    def _array(self, pointer: str, depth: int) -> list[Any]:
        out: list[Any] = []

        def member() -> None:
            if self.text[self.at : self.at + 1] == "]":
                self.fail("Expected a value, found `]`.", "Remove the comma before the bracket.")
            out.append(self.value(step(pointer, len(out)), depth + 1))

        self._members("]", member)
        return out

    def _members(self, closing: str, member: Callable[[], None]) -> None:
        opened = self.place(self.at)
        self.at += 1
        self.space()
        if self.text[self.at : self.at + 1] == closing:
            self.at += 1
            return
        while True:
            member()
            self.space()
            char = self.text[self.at : self.at + 1]
            self.at += 1
            if char == closing:
                return
            if char != ",":
                self.at -= 1
                where = f" (opened in line {opened[0]}, column {opened[1]})"
                self.fail(f"Expected `,` or `{closing}`{where}, found {self.found()}.")
            self.space()

    def _string(self) -> str:
        start = self.at
        match = _STRING.match(self.text, start)
        assert match
        self.at = match.end()
        if self.text[self.at : self.at + 1] != '"':
            if self.at >= len(self.text):
                self.fail("The string is not closed.", 'Add the closing `"`.', start)
            code = ord(self.text[self.at])
            self.fail(
                f"A control character (U+{code:04X}) stands inside a string.",
                r"Write line breaks as `\n` and tabs as `\t`.",
            )
        self.at += 1
        return self._unescaped(match.group(1), start + 1)

    def _unescaped(self, body: str, start: int) -> str:
        if "\\" not in body:
            return self._whole(body, body, start)

        def char(match: re.Match[str]) -> str:
            if match.group(1):
                return _SHORT[match.group(1)]
            if not match.group(2):
                at = start + match.start()
                shown = self.text[at : at + 2]
                self.fail(f"`{shown}` is no escape of JSON.", r"A backslash is written `\\`.", at)
            return chr(int(match.group(2), 16))

        out = _ESCAPE.sub(char, body)
        # A pair of \u escapes for one character arrives as two surrogates: join them.
        joined = re.sub(
            "[\ud800-\udbff][\udc00-\udfff]",
            lambda pair: pair.group().encode("utf-16", "surrogatepass").decode("utf-16"),
            out,
        )
        return self._whole(joined, body, start)

    def _whole(self, string: str, body: str, start: int) -> str:
        """`string`, which `body` spells, if it has no half of a surrogate pair: UTF-8 has none."""
        half = first_surrogate(string)
        if half is not None:
            code = f"{ord(string[half]):04x}"
            spelled = re.search(rf"{string[half]}|\\u{code}", body, re.IGNORECASE)
            at = start + (spelled.start() if spelled else 0)
            self.fail(*half_a_pair(string[half]), at)
        return string

    def _scalar(self) -> Any:
        match = _WORD.match(self.text, self.at)
        word = match.group() if match else ""
        if word in _NAMES:
            self.at += len(word)
            return _NAMES[word]
        number = _NUMBER.fullmatch(word)
        if number is None:
            hint = _MISTAKES.get(word, "")
            if self.text[self.at : self.at + 1] == "'":
                hint = "JSON strings stand in double quotes."
            elif self.text[self.at : self.at + 1] in ("/", "#"):
                hint = "JSON has no comments."
            elif word and word[0] in "+.0123456789-" and not hint:
                hint = "Numbers look like 1, -2.5 or 1e3; no leading zeros, no plus sign."
            self.fail(f"Expected a value, found {self.found()}.", hint)
        at, self.at = self.at, self.at + len(word)
        try:
            value = float(word) if number.group(1) or number.group(2) else int(word)
        except ValueError:
            self.fail("The number has too many digits.", at=at)
        if value in (float("inf"), float("-inf")):
            self.fail(f"The number {word[:30]} is too large.", at=at)
        return value
