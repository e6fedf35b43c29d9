"""Rust's escapes, one character or class of characters each, and those that automata can't have."""

from dataclasses import dataclass, field

from playground.constraints.position import invalid_at
from playground.errors import InvalidInput

CLASS_ESCAPES = frozenset("dDwWsSpP")
HEX_LENGTH = {"x": 2, "u": 4, "U": 8}
_CONTROLS = {"a": 7, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}
_SEARCH_ONLY = "Leave it out: the whole output must match anyway."
_NO_MEMORY = "Automata can't remember what a group matched: write it out."
_REFUSED = {
    **dict.fromkeys("bB<>", ("a word boundary", "Write the characters that may stand there.")),
    **dict.fromkeys("123456789kg", ("a back-reference", _NO_MEMORY)),
    **dict.fromkeys("QE", ("literal quoting", "Put a backslash before each special character.")),
    "0": ("an octal escape", r"Write the code in hex: \x00."),
    "G": ("a search anchor", _SEARCH_ONLY),
    "K": ("a match reset", _SEARCH_ONLY),
    "R": ("a line-break escape", r"Write \r?\n."),
    "X": ("a grapheme escape", "Write the characters out."),
    "h": ("a blank escape", r"Write [ \t]."),
    "e": ("an escape", r"Write \x1b."),
    "Z": ("an end anchor of other dialects", "Write $ at the end, or leave it out."),
}


@dataclass(slots=True)
class Cursor:
    """A place in a regex that moves forward."""

    text: str
    at: int = 0
    escapes: set[str] = field(default_factory=set)
    """Letters of the class escapes met so far: `d`, `W`, ..."""

    def peek(self, length: int = 1) -> str:
        """The next characters, fewer at the end."""
        return self.text[self.at : self.at + length]

    def find(self, end: str) -> int:
        """Where `end` comes next; the text's length where it doesn't."""
        found = self.text.find(end, self.at)
        return len(self.text) if found < 0 else found

    def fail(self, offset: int, what: str, hint: str) -> InvalidInput:
        """The error about the character at `offset`."""
        return invalid_at(self.text, offset, what, hint)


def read_escape(cursor: Cursor) -> int | None:
    """Move past the escape at the cursor: its code point, or None for a class of characters.

    Raises:
        InvalidInput: it is none, or none that this engine supports.
    """
    start, char = cursor.at, cursor.peek(2)[1:]
    cursor.at += 2
    if char == "":
        raise cursor.fail(
            start, "A backslash at the end escapes nothing.", r"Write \\ for a backslash."
        )
    if char in _REFUSED:
        name, hint = _REFUSED[char]
        raise cursor.fail(start, f"\\{char} is {name}, which this engine doesn't support.", hint)
    if char in HEX_LENGTH:
        return _read_hex(cursor, start, char)
    if char in "pP":
        cursor.at = cursor.find("}") if cursor.peek() == "{" else cursor.at
        if not cursor.peek():
            raise cursor.fail(
                start, f"\\{char} names no Unicode class.", r"Write \p{L} or \p{Greek}."
            )
        cursor.at += 1
        return None
    if char in CLASS_ESCAPES:
        cursor.escapes.add(char)
        return None
    if char in _CONTROLS:
        return _CONTROLS[char]
    if char.isalnum() or not char.isascii():
        raise cursor.fail(
            start,
            f"\\{char} is no escape that this engine knows.",
            r"Known are \n \t \r \f \v \a \d \w \s \D \W \S \p{...} \xHH \u{...}; other letters "
            "and digits stand for themselves without a backslash.",
        )
    return ord(char)


def _read_hex(cursor: Cursor, start: int, char: str) -> int:
    if cursor.peek() == "{":
        end = cursor.find("}")
        digits = cursor.text[cursor.at + 1 : end]
        cursor.at = end + 1
    else:
        digits = cursor.peek(HEX_LENGTH[char])
        cursor.at += len(digits)
        digits = digits if len(digits) == HEX_LENGTH[char] else ""
    if not 0 < len(digits) <= 8 or set(digits) - set("0123456789abcdefABCDEF"):
        raise cursor.fail(
            start, f"\\{char} needs hex digits after it.", r"Write \x41, \u0041 or \x{1F600}."
        )
    code = int(digits, 16)
    if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        raise cursor.fail(
            start,
            f"{code:#x} is no Unicode character.",
            "They go up to 10FFFF, without D800 to DFFF; write one beyond FFFF as \\x{...}.",
        )
    return code
