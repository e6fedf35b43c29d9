"""The tokens of JSON text as pieces: strings, literals, separators, and any value to a depth."""

import json
from functools import cached_property
from typing import Any

from playground.constraints.jsonschema.charset import raw
from playground.constraints.jsonschema.piece import (
    Piece,
    either,
    literal,
    optional,
    quote,
    repeat,
    separated,
    seq,
)
from playground.constraints.jsonschema.ranges import Bounds, decimals
from playground.constraints.jsonschema.rx import spell
from playground.constraints.spec import Whitespace

_RAW = r'[^"\\\x00-\x1f]'
_HEX = "[0-9a-fA-F]"
LEAN_CHAR = Piece(rf'(?:{_RAW}|\\["\\/bfnrt])', 9, 4, True)
r"""One character of a string: raw, or a backslash and a letter."""
FULL_CHAR = Piece(
    rf'(?:{_RAW}|\\(?:["\\/bfnrt]|u(?:[0-9a-cefA-CEF]{_HEX}{{3}}|[dD][0-7]{_HEX}{{2}}'
    rf"|[dD][89abAB]{_HEX}{{2}}\\u[dD][c-fC-F]{_HEX}{{2}})))",
    24,
    12,
    True,
)
r"""One character in any JSON spelling: also `\uXXXX`, in pairs beyond the basic plane."""
MAX_WHOLE = 1e21
"""Whole numbers from here on are spelled with an exponent only."""
KEY_CHAR = Piece(_RAW, 8, 2, True)
QUOTE = Piece('"', 1, 0, True)

_BLANKS: dict[Whitespace, Piece] = {
    "none": Piece("", 0, 0, False),
    "one": Piece("[ ]?", 1, 2, False),
    "flexible": Piece(r"[ \t\n\r]{0,8}", 8, 2, False),
}


def in_quotes(body: Piece) -> Piece:
    return seq(QUOTE, body, QUOTE)


def string_text(value: str) -> str:
    """The one spelling of a string that the mask offers."""
    return json.dumps(value, ensure_ascii=False)


def is_whole(value: Any) -> bool:
    """A float that is spelled in digits, `1`, and with a point, `1.0`."""
    return isinstance(value, float) and value.is_integer() and abs(value) < MAX_WHOLE


class JsonText:
    """Pieces of JSON text for one kind of blanks between tokens."""

    def __init__(self, whitespace: Whitespace) -> None:
        self.blank = _BLANKS[whitespace]

    @cached_property
    def comma(self) -> Piece:
        return seq(self.blank, literal(","), self.blank)

    @cached_property
    def colon(self) -> Piece:
        return seq(self.blank, literal(":"), self.blank)

    def key(self, name: str) -> Piece:
        return literal(string_text(name))

    def array(self, body: Piece | None, may_be_empty: bool) -> Piece:
        """Brackets around a non-empty `body` (None: there is none)."""
        return self._wrapped("[", body, "]", may_be_empty)

    def object(self, body: Piece | None, may_be_empty: bool) -> Piece:
        """Braces around a non-empty `body` (None: there is none)."""
        return self._wrapped("{", body, "}", may_be_empty)

    def _wrapped(self, opening: str, body: Piece | None, closing: str, may_be_empty: bool) -> Piece:
        start, end = seq(literal(opening), self.blank), literal(closing)
        if body is None:
            return seq(start, end)
        inner = seq(body, self.blank)
        return seq(start, optional(inner) if may_be_empty else inner, end)

    def listed(self, item: Piece, low: int, high: int | None) -> Piece:
        """`low` (at least 1) to `high` items with commas between."""
        if (low, high) == (1, None):
            return separated(item, self.comma)
        return seq(item, repeat(seq(self.comma, item), low - 1, None if high is None else high - 1))

    def value(self, value: Any) -> Piece:
        """Exactly this JSON value, keys in its own order; a float such as 1.0 or 1e2 in
        digits and with one zero after the point."""
        if isinstance(value, dict):
            pairs = [seq(self.key(k), self.colon, self.value(v)) for k, v in value.items()]
            return self.object(self._joined(pairs), False)
        if isinstance(value, list):
            return self.array(self._joined([self.value(item) for item in value]), False)
        if isinstance(value, str):
            return literal(string_text(value))
        if is_whole(value):
            return either(literal(str(int(value))), literal(f"{int(value)}.0"))
        return literal(json.dumps(value))

    def _joined(self, parts: list[Piece]) -> Piece | None:
        if not parts:
            return None
        return seq(parts[0], *(seq(self.comma, part) for part in parts[1:]))

    def any_string(self) -> Piece:
        return in_quotes(repeat(LEAN_CHAR, 0, None))

    def anything(self, depth: int) -> Piece:
        """Any JSON value with at most `depth` levels of arrays and objects."""
        if depth not in self._any:
            scalars = [
                Piece(quote("null"), 4, 0, False),
                Piece("true", 4, 0, False),
                Piece("false", 5, 0, False),
                spell(decimals(Bounds()), raw),
                self.any_string(),
            ]
            if depth > 0:
                inner = self.anything(depth - 1)
                member = seq(self.any_string(), self.colon, inner)
                scalars.append(self.array(self.listed(inner, 1, None), True))
                scalars.append(self.object(self.listed(member, 1, None), True))
            self._any[depth] = either(*scalars)
        return self._any[depth]

    @cached_property
    def _any(self) -> dict[int, Piece]:
        return {}
