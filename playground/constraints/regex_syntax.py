"""A reader of Rust's regex syntax: not to match with, but to say where and why a regex is refused.

The automaton is built by outlines_core, whose only complaint is "error building NFA". This reader
finds the place first, and gives the pieces that `regex.prepare` needs: anchors, flags, repeats.
"""

from dataclasses import dataclass, field

from playground.constraints.position import invalid_at
from playground.errors import InvalidInput

MAX_DEPTH = 100
"""Deepest nesting of groups and of bracketed classes."""

_SIMPLE_ESCAPES = frozenset("afnrtvdDwWsS")
_HEX_DIGITS = {"x": 2, "u": 4, "U": 8}
_FLAGS = frozenset("imsUuxR")
_REFUSED_ESCAPES = {
    **dict.fromkeys("bB<>", ("a word boundary", "Write the characters that may stand there.")),
    **dict.fromkeys(
        "123456789kg",
        ("a back-reference", "Automata can't remember what a group matched: write it out."),
    ),
    "0": ("an octal escape", r"Write the code in hex: \x00."),
    "G": ("a search anchor", "Leave it out: the whole output must match anyway."),
    "K": ("a match reset", "Leave it out: the whole output must match anyway."),
    "Q": ("literal quoting", r"Put a backslash before each special character instead."),
    "E": ("literal quoting", r"Put a backslash before each special character instead."),
    "R": ("a line-break escape", r"Write \r?\n."),
    "X": ("a grapheme escape", "Write the characters out."),
    "h": ("a blank escape", r"Write [ \t]."),
    "e": ("an escape", r"Write \x1b."),
    "Z": ("an end anchor of other dialects", r"Write $ at the end, or leave it out."),
}
_REFUSED_GROUPS = {
    "?=": ("look-ahead", "Write out which texts are allowed instead."),
    "?!": ("look-ahead", "Write out which texts are allowed instead."),
    "?<=": ("look-behind", "Write out which texts are allowed instead."),
    "?<!": ("look-behind", "Write out which texts are allowed instead."),
    "?>": ("an atomic group", "Write (?:...) instead."),
    "?P=": ("a back-reference", "Automata can't remember what a group matched: write it out."),
    "?#": ("a comment", "Leave it out, or use (?x) and comments from # to the end of the line."),
    "?(": ("a conditional", "Write both alternatives out with |."),
    "?|": ("a branch reset", "Write (?:...) instead."),
    "?&": ("a recursion", "Recursive patterns aren't regular: use a JSON Schema."),
}


@dataclass(frozen=True, slots=True)
class Node:
    """A piece of the regex: `text[start:end]`."""

    kind: str
    """`char`, `class`, `anchor`, `flags`, `concat`, `alternation`, `group` or `repeat`."""
    start: int
    end: int
    children: tuple["Node", ...] = ()
    weight: int = 1
    """Number of characters and classes when every bounded repeat is written out."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A regex that this reader understands."""

    root: Node
    flags: tuple[tuple[str, int], ...]
    """Inline flags as typed, with their offsets: `i`, `-u`, ..."""
    escapes: frozenset[str]
    """The class escapes in use: `d`, `D`, `w`, `W`, `s`, `S`."""
    verbose_end: bool
    """Verbose mode (?x) is on at the end, so a comment may be open there."""


@dataclass(slots=True)
class _Frame:
    """A group that is being read."""

    start: int
    body: int
    verbose: bool
    branches: list[Node] = field(default_factory=list)
    items: list[Node] = field(default_factory=list)

    def close_branch(self, end: int) -> None:
        start = self.body if not self.branches else self.branches[-1].end + 1
        weight = sum(item.weight for item in self.items)
        self.branches.append(Node("concat", start, end, tuple(self.items), weight))
        self.items = []

    def whole(self, end: int) -> Node:
        self.close_branch(end)
        if len(self.branches) == 1:
            return self.branches[0]
        weight = sum(branch.weight for branch in self.branches)
        return Node("alternation", self.body, end, tuple(self.branches), weight)


class _Reader:
    """One pass over the text, with a stack of open groups instead of recursion."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.frames = [_Frame(0, 0, False)]
        self.flags: list[tuple[str, int]] = []
        self.names: set[str] = set()
        self.escapes: set[str] = set()

    def fail(self, offset: int, what: str, hint: str) -> InvalidInput:
        return invalid_at(self.text, offset, what, hint)

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def read(self) -> Parsed:
        readers = {
            "(": self.open_group,
            ")": self.close_group,
            "|": self.next_branch,
            "[": self.bracket,
            "\\": self.escape,
        }
        while self.at < len(self.text):
            char = self.text[self.at]
            if self.frames[-1].verbose and (char.isspace() or char == "#"):
                self.skip_verbose()
            elif char in "*+?{":
                self.repeat(char)
            elif char in readers:
                readers[char]()
            else:
                kind = {"^": "anchor", "$": "anchor", ".": "class"}.get(char, "char")
                self.add(Node(kind, self.at, self.at + 1))
        if len(self.frames) > 1:
            raise self.fail(
                self.frames[-1].start,
                "This group is never closed: a ) is missing.",
                r"Close it, or write \( for a literal parenthesis.",
            )
        verbose = self.frames[0].verbose
        root = self.frames[0].whole(len(self.text))
        return Parsed(root, tuple(self.flags), frozenset(self.escapes), verbose)

    def add(self, node: Node) -> None:
        self.frames[-1].items.append(node)
        self.at = node.end

    def skip_verbose(self) -> None:
        if self.text[self.at] == "#":
            end = self.text.find("\n", self.at)
            self.at = len(self.text) if end < 0 else end
        else:
            self.at += 1

    def next_branch(self) -> None:
        self.frames[-1].close_branch(self.at)
        self.at += 1

    def open_group(self) -> None:
        start, rest = self.at, self.text[self.at + 1 : self.at + 4]
        for opening in sorted(_REFUSED_GROUPS, key=len, reverse=True):
            if rest.startswith(opening):
                name, hint = _REFUSED_GROUPS[opening]
                raise self.fail(
                    start, f"({opening} is {name}, which this engine doesn't support.", hint
                )
        if len(self.frames) > MAX_DEPTH:
            raise self.fail(start, f"Groups are nested deeper than {MAX_DEPTH}.", "Flatten them.")
        verbose = self.frames[-1].verbose
        if not rest.startswith("?"):
            self.at += 1
        elif rest.startswith(("?P<", "?<")):
            self.group_name(start)
        else:
            verbose, opens = self.inline_flags(start, verbose)
            if not opens:
                return
        self.frames.append(_Frame(start, self.at, verbose))

    def group_name(self, start: int) -> None:
        begin = self.text.index("<", start) + 1
        end = self.text.find(">", begin)
        name = self.text[begin:end] if end > 0 else ""
        if not name.isidentifier():
            raise self.fail(
                begin, "This group's name is not a name.", "Write (?P<name>...) or (?:...)."
            )
        if name in self.names:
            raise self.fail(begin, f"The group name {name} is used twice.", "Rename one of them.")
        self.names.add(name)
        self.at = end + 1

    def inline_flags(self, start: int, verbose: bool) -> tuple[bool, bool]:
        """Read `(?i-s:` or `(?x)`: verbose mode afterwards, and whether a group was opened."""
        self.at, on = start + 2, True
        seen: set[str] = set()
        while self.at < len(self.text) and self.text[self.at] not in ":)":
            char = self.text[self.at]
            if char == "-" and on:
                on = False
            elif char in _FLAGS and char not in seen:
                seen.add(char)
                self.flags.append((char if on else f"-{char}", self.at))
                verbose = on if char == "x" else verbose
            else:
                raise self.fail(
                    self.at,
                    f"{char!r} after (? is no flag, or stands there twice.",
                    "Flags are i (any case), s (. takes newlines too), x (blanks ignored), "
                    "m, U, u and R; a plain group is (?:...).",
                )
            self.at += 1
        if self.at >= len(self.text):
            raise self.fail(start, "This group is never closed: a ) is missing.", "Close it.")
        opens = self.text[self.at] == ":"
        self.at += 1
        if not opens:
            self.frames[-1].verbose = verbose
            self.frames[-1].items.append(Node("flags", start, self.at, weight=0))
        return verbose, opens

    def close_group(self) -> None:
        if len(self.frames) == 1:
            raise self.fail(
                self.at,
                "This ) closes no group.",
                r"Remove it, or write \) for a literal parenthesis.",
            )
        frame = self.frames.pop()
        body = frame.whole(self.at)
        self.add(Node("group", frame.start, self.at + 1, (body,), body.weight))

    def repeat(self, char: str) -> None:
        items = self.frames[-1].items
        if not items or items[-1].kind == "flags":
            brace = r" Write \{ for a literal brace." if char == "{" else ""
            raise self.fail(
                self.at,
                f"{char} repeats what stands before it, and nothing does.",
                rf"Put something before it, or a backslash.{brace}",
            )
        start = self.at
        low, high = {"*": (0, None), "+": (1, None), "?": (0, 1)}.get(char, (0, 0))
        self.at += 1
        if char == "{":
            low, high = self.counts(start)
        if self.peek() == "?":
            self.at += 1
        operand = items.pop()
        if operand.kind == "anchor":
            raise self.fail(
                operand.start, "An anchor can't be repeated.", "Leave the anchor out."
            )
        weight = operand.weight * max(1, low if high is None else high)
        items.append(Node("repeat", operand.start, self.at, (operand,), weight))

    def counts(self, start: int) -> tuple[int, int | None]:
        """The bounds of `{n}`, `{n,}` or `{n,m}`, whose brace is at `start`."""
        end = self.text.find("}", start)
        inside = self.text[start + 1 : end if end > 0 else start + 12]
        low, comma, high = (part.strip() for part in inside.partition(","))
        digits = low.isascii() and low.isdigit() and (not high or high.isdigit())
        if end < 0 or not digits or len(inside) > 24:
            hint = rf"Write {{0,{high}}}." if not low and high.isdigit() else ""
            raise self.fail(
                start,
                f"{{{inside}{'}' if end > 0 else ''} is no count.",
                hint or r"Counts are {3}, {3,} or {3,5}; a literal brace is \{.",
            )
        self.at = end + 1
        most = int(high) if high else (None if comma else int(low))
        if most is not None and most < int(low):
            raise self.fail(
                start, f"{{{inside}}} asks for at least {low} and at most {high}.", "Swap them."
            )
        return int(low), most

    def escape(self) -> None:
        start = self.at
        char = self.text[start + 1 : start + 2]
        if char in ("A", "z"):
            self.add(Node("anchor", start, start + 2))
            return
        is_class = char != "" and char in "dDwWsSpP"
        self.escaped_character()
        self.frames[-1].items.append(Node("class" if is_class else "char", start, self.at))

    def escaped_character(self) -> None:
        """Move past one escape of a character or of a class of characters."""
        start = self.at
        char = self.text[start + 1 : start + 2]
        self.at = start + 2
        if char == "":
            raise self.fail(
                start, "A backslash at the end escapes nothing.", r"Write \\ for a backslash."
            )
        if char in _REFUSED_ESCAPES:
            name, hint = _REFUSED_ESCAPES[char]
            raise self.fail(
                start, f"\\{char} is {name}, which this engine doesn't support.", hint
            )
        if char in _HEX_DIGITS:
            self.hex_escape(start, char)
        elif char in "pP":
            if self.peek() == "{":
                end = self.text.find("}", self.at)
                self.at = end if end > 0 else len(self.text)
            if self.at >= len(self.text):
                raise self.fail(
                    start, f"\\{char} names no Unicode class.", r"Write \p{L} or \p{Greek}."
                )
            self.at += 1
        elif char in _SIMPLE_ESCAPES:
            self.escapes.update({char} & set("dDwWsS"))
        elif char.isalnum() or not char.isascii():
            raise self.fail(
                start,
                f"\\{char} is no escape that this engine knows.",
                r"Known are \n \t \r \f \v \a \d \w \s \D \W \S \p{...} \xHH \u{...}; other "
                "letters and digits stand for themselves without a backslash.",
            )

    def hex_escape(self, start: int, char: str) -> None:
        if self.peek() == "{":
            end = self.text.find("}", self.at)
            digits = self.text[self.at + 1 : end] if end > 0 else ""
            self.at = end + 1
        else:
            digits = self.text[self.at : self.at + _HEX_DIGITS[char]]
            self.at += len(digits)
            digits = digits if len(digits) == _HEX_DIGITS[char] else ""
        if not digits or len(digits) > 8 or any(c not in "0123456789abcdefABCDEF" for c in digits):
            raise self.fail(
                start, f"\\{char} needs hex digits after it.", r"Write \x41, \u0041 or \x{1F600}."
            )
        code = int(digits, 16)
        if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
            raise self.fail(
                start, f"{code:#x} is no Unicode character.", "Characters go up to 10FFFF, without "
                "D800 to DFFF; write one beyond FFFF as \\x{...}, not as two halves."
            )

    def bracket(self) -> None:
        """A bracketed class, with nested classes and the set operations &&, -- and ~~."""
        start, opened = self.at, [self.at]
        self.enter_class()
        previous: int | None = None  # code point of a literal that may start a range
        while opened:
            if self.at >= len(self.text):
                raise self.fail(
                    opened[-1],
                    "This [ is never closed: a ] is missing.",
                    r"Close it, or write \[ for a literal bracket.",
                )
            char = self.text[self.at]
            if char == "]":
                opened.pop()
                self.at += 1
                previous = None
            elif char == "[":
                if self.text.startswith("[:", self.at) and (
                    end := self.text.find(":]", self.at)
                ) > 0 and self.text[self.at + 2 : end].strip("^").isalpha():
                    self.at = end + 2
                else:
                    if len(opened) > MAX_DEPTH:
                        raise self.fail(self.at, "Classes are nested too deep.", "Flatten them.")
                    opened.append(self.at)
                    self.enter_class()
                previous = None
            elif self.text[self.at : self.at + 2] in ("&&", "--", "~~"):
                self.at += 2
                previous = None
            elif char == "-" and previous is not None and self.text[self.at + 1 : self.at + 2] not in ("]", "-", ""):
                self.at += 1
                self.range_end(previous)
                previous = None
            elif self.frames[-1].verbose and char.isspace():
                self.at += 1
            else:
                previous = self.class_literal()
        self.frames[-1].items.append(Node("class", start, self.at))

    def enter_class(self) -> None:
        self.at += 1
        if self.peek() == "^":
            self.at += 1
        if self.peek() == "]":  # a first ] is a literal
            self.at += 1

    def class_literal(self) -> int | None:
        """Move past one member of a class: its code point, None for a class escape."""
        start = self.at
        if self.text[start] != "\\":
            self.at += 1
            return ord(self.text[start])
        char = self.text[start + 1 : start + 2]
        if char in ("A", "z"):
            raise self.fail(start, f"\\{char} is an anchor, not a character.", "Leave it out.")
        self.escaped_character()
        if char and char in "dDwWsSpP":
            return None
        if char in _HEX_DIGITS:
            return int(self.text[start + 2 : self.at].strip("{}"), 16)
        return {"a": 7, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}.get(char) or ord(char)

    def range_end(self, low: int) -> None:
        start = self.at
        high = self.class_literal() if self.peek() not in ("[", "") else None
        if high is None:
            raise self.fail(
                start, "A range must end in one character.", r"Write \- for a literal hyphen."
            )
        if high < low:
            raise self.fail(
                start,
                f"The range {chr(low)!r} to {chr(high)!r} runs backwards.",
                r"Swap its ends, or write \- for a literal hyphen.",
            )


def parse(text: str) -> Parsed:
    """The pieces of a regex in Rust's syntax.

    Raises:
        InvalidInput: the regex is malformed or uses a construct that automata don't support;
            it names the construct, the line and the column, and what to write instead.
    """
    return _Reader(text).read()
