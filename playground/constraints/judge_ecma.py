"""Whether a text is a pattern of ECMA 262, which JSON Schema's format `regex` asks for.

The edition is the one that JSON Schema 2020-12 names, of 2020: no `(?i:...)`, no name twice.
"""

import re
from functools import lru_cache

import regex

_HEX = r"[0-9a-fA-F]"
_COUNT = re.compile(r"\{([0-9]+)(,([0-9]*))?\}")
_ESCAPE = re.compile(
    rf"\\(?:(?P<class>[dDsSwW])|(?P<control>[fnrtv])|c(?P<letter>[A-Za-z])|(?P<zero>0(?![0-9]))"
    rf"|x(?P<x>{_HEX}{{2}})|u(?P<u>{_HEX}{{4}})|u\{{(?P<code>{_HEX}+)\}}"
    r"|[pP]\{(?P<property>\w+(?:=\w+)?)\})",
    re.ASCII,
)
_GROUP = re.compile(r"\((?:\?(?:(?P<look><?[=!])|:|<(?P<name>[^>]*)>)|(?!\?))")
_WITH_VALUES = ("General_Category", "gc", "Script", "sc", "Script_Extensions", "scx")
_CONTROLS = {"f": 12, "n": 10, "r": 13, "t": 9, "v": 11}


class _NoPattern(Exception):
    """The text breaks a rule of the syntax."""


def is_pattern(text: str) -> bool:
    """Whether `text` is a pattern of ECMA 262, with the flag `u` or without it.

    What only web browsers put up with (the standard's annex B) is none: a lone `{`, `}` or `]`,
    `\\a` and other letters that need no backslash. Names of Unicode properties are looked up in the
    package `regex`, which knows a few more spellings of them.
    """
    try:
        _Reader(text).read()
    except _NoPattern:
        return False
    return True


class _Reader:
    """One pass, with a stack of open groups."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.groups = 0
        """Capturing groups so far."""
        self.open: list[bool] = []
        """Of each open group, whether it looks around."""
        self.names: set[str] = set()
        self.named: set[str] = set()
        self.numbered = 0
        """The names and the highest number that back-references ask for."""

    def read(self) -> None:
        repeatable = False
        while self.at < len(self.text):
            char = self.text[self.at]
            if char in "*+?{":
                self.need(repeatable)
                self.repeat(char)
                repeatable = False
            elif char == "\\":
                repeatable = self.escape()
            elif char == "(":
                self.open_group()
                repeatable = False
            elif char == ")":
                self.need(bool(self.open))
                repeatable = not self.open.pop()
                self.at += 1
            elif char == "[":
                self.bracket()
                repeatable = True
            else:
                self.need(char not in "]}")
                self.at += 1
                repeatable = char not in "^$|"
        self.need(not self.open and self.numbered <= self.groups and self.named <= self.names)

    def need(self, holds: bool) -> None:
        if not holds:
            raise _NoPattern

    def repeat(self, char: str) -> None:
        length = 1
        if char == "{":
            count = _COUNT.match(self.text, self.at)
            if count is None:
                raise _NoPattern
            length = len(count[0])
            self.need(not count[3] or _at_most(count[1], count[3]))
        self.at += length
        self.at += self.text.startswith("?", self.at)

    def open_group(self) -> None:
        opening = _GROUP.match(self.text, self.at)
        if opening is None:
            raise _NoPattern
        self.at = opening.end()
        name = opening["name"]
        if name is not None:
            self.need(_is_name(name) and name not in self.names)
            self.names.add(name)
        self.groups += name is not None or opening[0] == "("
        self.open.append(opening["look"] is not None)

    def escape(self) -> bool:
        """Move past an escape outside brackets; whether it may be repeated."""
        rest = self.text[self.at + 1 : self.at + 2]
        if rest in ("b", "B"):
            self.at += 2
            return False
        reference = re.compile(r"\\(?:([1-9][0-9]*)|k<([^>]*)>)").match(self.text, self.at)
        if reference is None:
            self.character()
            return True
        if reference[1]:
            self.need(len(reference[1]) < 9)
            self.numbered = max(self.numbered, int(reference[1]))
        else:
            self.named.add(reference[2])
        self.at = reference.end()
        return True

    def bracket(self) -> None:
        """Move past a class in brackets."""
        self.at += 2 if self.text.startswith("[^", self.at) else 1
        while (char := self.text[self.at : self.at + 1]) != "]":
            self.need(char != "")
            low = self.member()
            if self.text.startswith("-", self.at) and self.text[self.at + 1 : self.at + 2] != "]":
                self.at += 1
                self.need(self.at < len(self.text))
                high = self.member()
                self.need(low is not None and high is not None and low <= high)
        self.at += 1

    def member(self) -> int | None:
        """Move past one member of a class: its code, None for a class of characters."""
        if self.text[self.at] != "\\":
            self.at += 1
            return ord(self.text[self.at - 1])
        if self.text.startswith("\\b", self.at):
            self.at += 2
            return 8
        return self.character()

    def character(self) -> int | None:
        """Move past an escape that stands for a character, or for a class of them: None."""
        found = _ESCAPE.match(self.text, self.at)
        if found is None:
            char = self.text[self.at + 1 : self.at + 2]
            self.need(char != "" and not f"a{char}".isidentifier())
            self.at += 2
            return ord(char)
        self.at = found.end()
        if found["property"]:
            self.need(_is_property(found["property"]))
        if found["class"] or found["property"]:
            return None
        if found["control"]:
            return _CONTROLS[found["control"]]
        if found["letter"]:
            return ord(found["letter"]) % 32
        code = int(found["x"] or found["u"] or found["code"] or "0", 16)
        self.need(code <= 0x10FFFF)
        return self.paired(code) if found["u"] else code

    def paired(self, code: int) -> int:
        r"""The character whose first half is `code`, moving past the second; else `code`."""
        second = re.compile(r"\\u([dD][c-fC-F][0-9a-fA-F]{2})").match(self.text, self.at)
        if not 0xD800 <= code < 0xDC00 or second is None:
            return code
        self.at = second.end()
        return 0x10000 + ((code - 0xD800) << 10) + (int(second[1], 16) - 0xDC00)


def _at_most(low: str, high: str) -> bool:
    """Of two counts without a sign, of any length."""
    low, high = low.lstrip("0"), high.lstrip("0")
    return (len(low), low) <= (len(high), high)


def _is_name(name: str) -> bool:
    return name.replace("$", "_").isidentifier()


@lru_cache(maxsize=512)
def _is_property(name: str) -> bool:
    """`name` is `Script=Greek`, a general category, or a property that characters have or lack."""
    key, _, value = name.partition("=")
    if value:
        return key in _WITH_VALUES and _is_known(name)
    return name == "ASCII" or _is_known(f"gc={name}") or _is_known(f"{name}=Yes")


def _is_known(name: str) -> bool:
    try:
        regex.compile(rf"\p{{{name}}}", regex.VERSION1)
    except regex.error:
        return False
    return True
