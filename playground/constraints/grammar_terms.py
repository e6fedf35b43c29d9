"""What stands in a grammar's terminals: Lark's regexes checked, GBNF's escapes written out."""

import re
from typing import NoReturn

from playground.constraints.grammar_read import Piece, Read
from playground.constraints.position import first_surrogate, half_a_pair, invalid_at
from playground.constraints.regex_syntax import parse
from playground.errors import InvalidInput

_REGEX = re.compile(r"/((?:[^/\\\n]|\\.)+)/([imslux]*)")
_ESCAPE = re.compile(
    r"\\(?:u(?P<u>[0-9a-fA-F]{0,4})|U(?P<U>[0-9a-fA-F]{0,8})|x(?P<x>[0-9a-fA-F]{0,2})|.)"
)
_LENGTHS = {"u": 4, "U": 8, "x": 2}
_HINTS = {
    "u": r"Write \u00e9, for é.",
    "U": r"Write \U0001f600, for 😀.",
    "x": r"Write \x41, for A.",
}


def require_regexes(source: str, found: Read, pieces: list[Piece]) -> None:
    """Check the regexes of a Lark grammar, those of its `%ignore` too.

    Raises:
        InvalidInput: no automaton can have one of them; with line and column inside it.
    """
    places = [(piece.text, piece.at) for piece in pieces if piece.kind == "regex"]
    places += [(text, at) for text, at in found.commands if text.startswith("%ignore")]
    for text, at in places:
        for regex in _REGEX.finditer(text):
            verbose = "(?x)" if "x" in regex[2] else ""
            try:
                parse(verbose + regex[1])
            except InvalidInput as error:
                inside = (error.column or 1) - 1 - len(verbose)
                raise invalid_at(
                    source, at + regex.start(1) + max(0, inside), error.what, error.hint
                ) from None


def without_codes(source: str, pieces: list[Piece]) -> str:
    r"""A GBNF grammar with the characters that `\u` and `\U` name instead, as every engine reads it.
    Each sign keeps its place: blanks before a shorter text or class make up for it.

    Raises:
        InvalidInput: such an escape names no character; with line and column.
    """
    out, end = "", 0
    for piece in sorted(pieces, key=lambda piece: piece.at):
        if piece.kind not in ("text", "set") or piece.at < end:
            continue

        def character(escape: re.Match[str], at: int = piece.at) -> str:
            return _character(source, at + escape.start(), escape)

        written = _ESCAPE.sub(character, piece.text)
        out += source[end : piece.at] + written.rjust(len(piece.text))
        end = piece.at + len(piece.text)
    return out + source[end:]


def _character(source: str, at: int, escape: re.Match[str]) -> str:
    kind = escape[0][1]
    if kind not in _LENGTHS:
        return escape[0]
    length, digits = _LENGTHS[kind], escape[kind]
    if len(digits) < length:
        _fail(source, at, f"\\{kind} needs {length} hex digits after it.", _HINTS[kind])
    if kind == "x":
        return escape[0]
    code = int(digits, 16)
    if code > 0x10FFFF:
        _fail(source, at, f"{code:#x} is no Unicode character.", "They go up to 10FFFF.")
    if first_surrogate(chr(code)) is not None:
        what, _ = half_a_pair(chr(code))
        _fail(source, at, what, r"Write the whole character, or \U and its 8 hex digits.")
    return chr(code) if code >= 0xA0 else f"\\x{code:02x}"


def _fail(source: str, at: int, what: str, hint: str) -> NoReturn:
    raise invalid_at(source, at, what, hint)
