"""A reader of Rust's regex syntax: not to match with, but to say where and why a regex is refused.

The automaton is built by outlines_core, whose only complaint is "error building NFA". This reader
finds the place first, and gives the pieces that `regex.prepare` needs: anchors, flags, repeats.
"""

from dataclasses import dataclass, field

from playground.constraints.regex_brackets import read_brackets
from playground.constraints.regex_escapes import CLASS_ESCAPES, Cursor, read_escape

MAX_DEPTH = 100
"""Deepest nesting of groups."""

_FLAGS = frozenset("imsUuxR")
_WRITE_OUT = "Write out which texts are allowed instead."
_REFUSED_GROUPS = {
    "?P=": ("a back-reference", "Automata can't remember what a group matched: write it out."),
    "?<=": ("look-behind", _WRITE_OUT),
    "?<!": ("look-behind", _WRITE_OUT),
    "?=": ("look-ahead", _WRITE_OUT),
    "?!": ("look-ahead", _WRITE_OUT),
    "?>": ("an atomic group", "Write (?:...) instead."),
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
    flags: tuple[str, ...]
    """Inline flags in the order of their first use: `i`, `-u`, ..."""
    escapes: frozenset[str]
    """The class escapes in use: `d`, `D`, `w`, `W`, `s`, `S`."""
    verbose_end: bool
    """Verbose mode (?x) is on at the end, so a comment may be open there."""


@dataclass(slots=True)
class _Group:
    """A group that is being read; the outermost one is the whole."""

    start: int
    body: int
    verbose: bool
    branches: list[Node] = field(default_factory=list)
    items: list[Node] = field(default_factory=list)

    def close_branch(self, end: int) -> None:
        start = self.branches[-1].end + 1 if self.branches else self.body
        weight = sum(item.weight for item in self.items)
        self.branches.append(Node("concat", start, end, tuple(self.items), weight))
        self.items = []

    def close(self, end: int) -> Node:
        self.close_branch(end)
        if len(self.branches) == 1:
            return self.branches[0]
        weight = sum(branch.weight for branch in self.branches)
        return Node("alternation", self.body, end, tuple(self.branches), weight)


def parse(text: str) -> Parsed:
    """The pieces of a regex in Rust's syntax.

    Raises:
        InvalidInput: the regex is malformed or uses a construct that automata don't support;
            it names the construct, the line and the column, and what to write instead.
    """
    return _Reader(Cursor(text)).read()


class _Reader:
    """One pass over the text, with a stack of open groups instead of recursion."""

    def __init__(self, cursor: Cursor) -> None:
        self.cursor = cursor
        self.groups = [_Group(0, 0, False)]
        self.flags: dict[str, None] = {}
        self.names: set[str] = set()

    def read(self) -> Parsed:
        cursor = self.cursor
        while char := cursor.peek():
            start = cursor.at
            if self.groups[-1].verbose and (char.isspace() or char == "#"):
                cursor.at = cursor.find("\n") if char == "#" else start + 1
            elif char in "*+?{":
                self.repeat(char)
            elif char == "(":
                self.open_group()
            elif char == ")":
                self.close_group()
            elif char == "|":
                self.groups[-1].close_branch(start)
                cursor.at += 1
            elif char == "[":
                read_brackets(cursor, self.groups[-1].verbose)
                self.add("class", start)
            elif cursor.peek(2) in ("\\A", "\\z"):
                cursor.at += 2
                self.add("anchor", start)
            elif char == "\\":
                kind = "class" if set(cursor.peek(2)[1:]) & CLASS_ESCAPES else "char"
                read_escape(cursor)
                self.add(kind, start)
            else:
                cursor.at += 1
                self.add({"^": "anchor", "$": "anchor", ".": "class"}.get(char, "char"), start)
        if len(self.groups) > 1:
            raise cursor.fail(
                self.groups[-1].start,
                "This group is never closed: a ) is missing.",
                r"Close it, or write \( for a literal parenthesis.",
            )
        escapes = frozenset(cursor.escapes)
        verbose = self.groups[0].verbose
        return Parsed(self.groups[0].close(len(cursor.text)), tuple(self.flags), escapes, verbose)

    def add(self, kind: str, start: int) -> None:
        self.groups[-1].items.append(Node(kind, start, self.cursor.at))

    def open_group(self) -> None:
        cursor, start = self.cursor, self.cursor.at
        cursor.at += 1
        for opening, (name, hint) in _REFUSED_GROUPS.items():
            if cursor.peek(3).startswith(opening):
                what = f"({opening} is {name}, which this engine doesn't support."
                raise cursor.fail(start, what, hint)
        if len(self.groups) > MAX_DEPTH:
            raise cursor.fail(start, f"Groups are nested deeper than {MAX_DEPTH}.", "Flatten them.")
        verbose = self.groups[-1].verbose
        if cursor.peek(3).startswith(("?P<", "?<")):
            self.group_name()
        elif cursor.peek() == "?":
            cursor.at += 1
            verbose, opens = self.inline_flags(start, verbose)
            if not opens:
                self.groups[-1].verbose = verbose
                self.groups[-1].items.append(Node("flags", start, cursor.at, weight=0))
                return
        self.groups.append(_Group(start, cursor.at, verbose))

    def group_name(self) -> None:
        cursor = self.cursor
        begin, end = cursor.find("<") + 1, cursor.find(">")
        name = cursor.text[begin:end]
        if not name.isidentifier():
            what = "This group's name is not a name."
            raise cursor.fail(begin, what, "Write (?P<name>...) or (?:...).")
        if name in self.names:
            raise cursor.fail(begin, f"The group name {name} is used twice.", "Rename one of them.")
        self.names.add(name)
        cursor.at = end + 1

    def inline_flags(self, start: int, verbose: bool) -> tuple[bool, bool]:
        """Read the rest of `(?i-s:` or `(?x)`: verbose mode then, and whether it opens a group."""
        cursor, minus, seen = self.cursor, "", set()
        while (char := cursor.peek()) and char not in ":)":
            if char == "-" and not minus:
                minus = "-"
            elif char in _FLAGS and char not in seen:
                seen.add(char)
                self.flags[minus + char] = None
                verbose = not minus if char == "x" else verbose
            else:
                raise cursor.fail(
                    cursor.at,
                    f"{char!r} after (? is no flag, or stands there twice.",
                    "Flags are i (any case), s (. takes newlines too), x (blanks ignored), "
                    "m, U, u and R; a plain group is (?:...).",
                )
            cursor.at += 1
        if not char:
            raise cursor.fail(start, "This group is never closed: a ) is missing.", "Close it.")
        cursor.at += 1
        return verbose, char == ":"

    def close_group(self) -> None:
        if len(self.groups) == 1:
            raise self.cursor.fail(
                self.cursor.at,
                "This ) closes no group.",
                r"Remove it, or write \) for a literal parenthesis.",
            )
        group = self.groups.pop()
        body = group.close(self.cursor.at)
        self.cursor.at += 1
        node = Node("group", group.start, self.cursor.at, (body,), body.weight)
        self.groups[-1].items.append(node)

    def repeat(self, char: str) -> None:
        cursor, items = self.cursor, self.groups[-1].items
        if not items or items[-1].kind == "flags":
            brace = r" Write \{ for a literal brace." if char == "{" else ""
            raise cursor.fail(
                cursor.at,
                f"{char} repeats what stands before it, and nothing does.",
                f"Put something before it, or a backslash.{brace}",
            )
        if char == "{":
            low, high = self.counts()
        else:
            low, high = {"*": (0, None), "+": (1, None)}.get(char, (0, 1))
            cursor.at += 1
        if cursor.peek() == "?":
            cursor.at += 1
        operand = items.pop()
        if operand.kind == "anchor":
            what = "An anchor can't be repeated."
            raise cursor.fail(operand.start, what, "Leave the anchor out.")
        weight = operand.weight * max(1, low if high is None else high)
        items.append(Node("repeat", operand.start, cursor.at, (operand,), weight))

    def counts(self) -> tuple[int, int | None]:
        """Move past `{n}`, `{n,}` or `{n,m}`: its bounds."""
        cursor, start, end = self.cursor, self.cursor.at, self.cursor.find("}")
        inside = cursor.text[start + 1 : min(end, start + 30)]
        low, comma, high = (part.strip() for part in inside.partition(","))
        fine = low.isdecimal() and (not high or high.isdecimal()) and inside.isascii()
        if not fine or end >= min(len(cursor.text), start + 30):
            known = low == "" and high.isdecimal()
            raise cursor.fail(
                start,
                f"What follows {{ is no count: {inside[:20]!r}."
                if inside
                else "What follows { is no count.",
                f"Write {{0,{high}}}."
                if known
                else r"Counts are {3}, {3,} or {3,5}; a literal brace is \{.",
            )
        cursor.at = end + 1
        most = int(high) if high else (None if comma else int(low))
        if most is not None and most < int(low):
            what = f"{{{inside}}} asks for at least {low} and at most {high}."
            raise cursor.fail(start, what, "Swap them.")
        return int(low), most
