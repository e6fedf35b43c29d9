"""The reference judge of regexes: Rust's syntax for the package `regex`, which backtracks and keeps time."""

import time
import unicodedata
from typing import Any

import regex

from playground.constraints.regex import prepare
from playground.constraints.regex_escapes import Cursor, read_escape
from playground.constraints.regex_syntax import Node, parse
from playground.errors import InvalidInput

MAX_WEIGHT = 20_000
"""Longest regex, bounded repeats written out, that this judge takes."""
_INSIDE = {
    "d": r"\p{Nd}",
    "D": r"\P{Nd}",
    "s": r"\p{White_Space}",
    "S": r"\P{White_Space}",
    "w": r"\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}",
}
"""Rust's class escapes as the inside of a bracketed class; `W` is the complement of `w`."""
_POSIX = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "ascii": r"\x00-\x7f",
    "blank": r"\t\x20",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": r"\x20-~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r"\t-\r\x20",
    "upper": "A-Z",
    "word": "0-9A-Za-z_",
    "xdigit": "0-9A-Fa-f",
}


class Untrusted(Exception):
    """The regex, or the text, means something that can't be translated; says what."""


class RegexJudge:
    """Judges texts by one regex in Rust's syntax, the whole of which must match."""

    def __init__(self, source: str) -> None:
        self.why = ""
        """Why it judges nothing; empty when it does."""
        self._unicode = self._folds = False
        try:
            prepared = prepare(source, MAX_WEIGHT).regex
            self._pattern = regex.compile(self._translated(prepared), regex.VERSION0)
        except Untrusted as error:
            self.why = f"The reference judge can't read {error}."
        except InvalidInput as error:
            self.why = f"The reference judge can't read the regex: {error.what}"
        except (regex.error, OverflowError, ValueError) as error:
            self.why = f"The reference judge can't read the regex: {str(error)[:200]}."

    def judge(self, text: str, seconds: float) -> dict[str, Any]:
        """The raw verdict: `status`, and where invalid `at`, the first character that can't follow."""
        if self.why:
            return {"status": "unknown", "message": self.why}
        odd = self._odd(text)
        if odd:
            return {"status": "unknown", "message": odd}
        until = time.monotonic() + seconds
        try:
            status = self._status(text, until)
            if status != "invalid":
                return {"status": status}
            low, high = 0, len(text)  # the beginnings that some text has are the shorter ones
            while low < high:
                middle = (low + high + 1) // 2
                if self._status(text[:middle], until) == "invalid":
                    high = middle - 1
                else:
                    low = middle
        except TimeoutError:
            return {
                "status": "unknown",
                "message": f"It takes more than {seconds:g} seconds: the regex backtracks.",
            }
        return {"status": "invalid", "at": low}

    def _status(self, text: str, until: float) -> str:
        left = until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        found = self._pattern.fullmatch(text, partial=True, timeout=left)
        if found is None:
            return "invalid"
        return "incomplete" if found.partial else "valid"

    def _odd(self, text: str) -> str:
        """Why this text is not judged; empty when it is."""
        if text.isascii():
            return ""
        if any(unicodedata.category(char) in ("Cn", "Cs") for char in text):
            return "It has characters that not every version of Unicode knows."
        if self._folds:
            return "Letters outside ASCII match in any case by rules that differ between readers."
        return ""

    def _translated(self, text: str) -> str:
        parsed = parse(text)
        for flag in parsed.flags:
            if flag.lstrip("-") in ("R", "u") and flag != "u":
                raise Untrusted(f"the flag (?{flag})")
        self._folds = "i" in parsed.flags
        return _Writer(text, "x" in parsed.flags).write(parsed.root, set())


class _Writer:
    """Writes the pieces of a regex, each in a group of its own."""

    def __init__(self, text: str, verbose: bool) -> None:
        self.text = text
        self.verbose = verbose

    def write(self, node: Node, flags: set[str]) -> str:
        """`node`, read under `flags`, which flags inside it change for what comes after it."""
        source = self.text[node.start : node.end]
        if node.kind == "char":
            code = read_escape(Cursor(source)) if source[0] == "\\" else ord(source)
            assert code is not None
            return self._cased(regex.escape(chr(code)), flags)
        if node.kind == "class":
            return self._class(source, flags)
        if node.kind == "flags":
            _set(flags, source[2:-1])
            return ""
        if node.kind == "group":
            return self._group(node, source, set(flags))
        if node.kind == "repeat":
            return self._repeat(node, flags)
        if node.kind == "anchor":
            raise Untrusted("an anchor inside")
        parts = [self.write(child, flags) for child in node.children]
        return f"(?:{'|'.join(parts)})" if node.kind == "alternation" else "".join(parts)

    def _group(self, node: Node, source: str, flags: set[str]) -> str:
        if source.startswith("(?") and not source.startswith(("(?P<", "(?<")):
            _set(flags, source[2 : source.index(":")])
        return f"(?:{self.write(node.children[0], flags)})"

    def _repeat(self, node: Node, flags: set[str]) -> str:
        (child,) = node.children
        count = "".join(self.text[child.end : node.end].split())
        if "#" in count:
            raise Untrusted("a comment before a count")
        count = count[:-1] if len(count) > 1 and count.endswith("?") else count
        return f"(?:{self.write(child, flags)}){count}"

    def _cased(self, piece: str, flags: set[str]) -> str:
        return f"(?i:{piece})" if "i" in flags else piece

    def _class(self, source: str, flags: set[str]) -> str:
        if source == ".":
            return r"[\s\S]" if "s" in flags else r"[^\n\n]"
        if source[0] == "\\":
            if source == "\\W":
                return f"[^{_INSIDE['w']}]"
            inside = _escaped_class(source)
            if "i" in flags and source[1] in "pP":
                raise Untrusted("a property of letters in any case")
            return f"[{inside}]"
        if self.verbose and set(source) & set(" \t\n#"):
            raise Untrusted("blanks in a class in verbose mode")
        if "i" in flags and (source.startswith("[^") or "\\p" in source or "\\P" in source):
            raise Untrusted("a class like this in any case")
        return self._cased(_brackets(source), flags)


def _set(flags: set[str], written: str) -> None:
    on = True
    for char in written:
        if char == "-":
            on = False
        elif on:
            flags.add(char)
        else:
            flags.discard(char)


def _escaped_class(source: str) -> str:
    """`\\d`, `\\pL`, `\\p{Greek}` as the inside of a class."""
    if source[1] in "pP" and source[2:3] != "{":
        return f"\\{source[1]}{{{source[2:]}}}"
    if source[1] in "pP":
        return source
    if source[1] not in _INSIDE:
        raise Untrusted(f"{source} inside a class")
    return _INSIDE[source[1]]


def _brackets(source: str) -> str:
    """A bracketed class without nested ones and set operations."""
    cursor = Cursor(source, 2 if source.startswith("[^") else 1)
    out = [source[: cursor.at]]
    low = False  # a character stands before, which may begin a range
    begins = cursor.at
    while cursor.at < len(source) - 1:
        char, two, start = cursor.peek(), cursor.peek(2), cursor.at
        if two == "[:":
            name = source[start + 2 : cursor.find(":]")]
            if name not in _POSIX:
                raise Untrusted(f"the class [:{name[:20]}:]")
            out.append(_POSIX[name])
            cursor.at, low = cursor.find(":]") + 2, False
        elif char == "[" or two in ("&&", "--", "~~"):
            raise Untrusted("classes inside classes and set operations")
        elif char == "-" and low and start + 1 < len(source) - 1:
            cursor.at += 1
            out.append(f"-{_member(cursor)[0]}")
            low = False
        else:
            if char == "]" and start != begins:
                raise Untrusted("a class that ends early")
            piece, low = _member(cursor)
            out.append(piece)
    inside = "".join(out[1:])
    # Twice: `regex` merges alternatives of one forbidden character each, `[^a]|[^b]`, wrongly.
    return f"[^{inside}{inside}]" if out[0].startswith("[^") else f"{out[0]}{inside}]"


def _member(cursor: Cursor) -> tuple[str, bool]:
    """Move past one member of a class: how it is written, and whether it is one character."""
    start, char = cursor.at, cursor.peek()
    if char != "\\":
        cursor.at += 1
        return regex.escape(char), True
    code = read_escape(cursor)
    if code is None:
        return _escaped_class(cursor.text[start : cursor.at]), False
    return regex.escape(chr(code)), True
