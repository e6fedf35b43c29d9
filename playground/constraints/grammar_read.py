"""The text of a grammar -> its rules as trees: Lark, or GBNF and the EBNF that is written like it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NoReturn

from playground.constraints.position import invalid_at

Dialect = Literal["gbnf", "lark"]
MAX_DEPTH = 100
MAX_RULES = 2_000

_GBNF = re.compile(
    r"""(?P<blank>\s+|\#[^\n]*)
    |(?P<text>"(?:[^"\\\n]|\\.)*")
    |(?P<set>\[(?:[^\]\\\n]|\\.)*\])
    |(?P<count>\{\s*\d*\s*(?:,\s*\d*\s*)?\})
    |(?P<name>[A-Za-z_][A-Za-z0-9_-]*)
    |(?P<sign>::=|[|()*+?.])""",
    re.VERBOSE,
)
_LARK = re.compile(
    r"""(?P<line>\n)|(?P<blank>[ \t\r]+|//[^\n]*|\#[^\n]*)
    |(?P<command>%[a-z]+[^\n]*)
    |(?P<text>"(?:[^"\\\n]|\\.)*"i?)
    |(?P<regex>/(?:[^/\\\n]|\\.)+/[imslux]*)
    |(?P<range>\.\.)
    |(?P<count>~\s*\d+(?:\s*\.\.\s*\d+)?|\{\s*\d*\s*(?:,\s*\d*\s*)?\})
    |(?P<name>[A-Za-z_][A-Za-z0-9_]*)
    |(?P<alias>->\s*[A-Za-z_]\w*)
    |(?P<token><[^<>\s]*>)
    |(?P<number>\d+)
    |(?P<sign>[|()*+?:.!,&~@]|\[|\])""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a rule; `kind` tells what `text` and `parts` are."""

    kind: Literal["text", "set", "regex", "any", "name", "seq", "or", "repeat", "range", "other"]
    at: int
    """Offset in the source, in characters."""
    text: str = ""
    """As written; of a `name` the rule's."""
    parts: tuple["Piece", ...] = ()
    least: int = 1
    most: int | None = 1
    """How often a `repeat` stands; None without a bound."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule."""

    name: str
    at: int
    body: Piece


@dataclass(frozen=True, slots=True)
class Read:
    """The rules of a grammar by name, in the order of the source."""

    dialect: Dialect
    rules: dict[str, Rule]
    imported: frozenset[str]
    """Names that %import or %declare bring, and what the source can't show."""
    commands: tuple[tuple[str, int], ...]
    """Lines that begin with %, and their offsets."""


@dataclass(frozen=True, slots=True)
class _Sign:
    kind: str
    text: str
    at: int


def dialect_of(source: str) -> Dialect:
    """`::=` outside of strings is GBNF's."""
    bare = re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', source)
    return "gbnf" if "::=" in bare else "lark"


def read(source: str) -> Read:
    """The rules of a grammar.

    Raises:
        InvalidInput: it is malformed; with line and column.
    """
    dialect = dialect_of(source)
    return _Reader(source, dialect).read()


class _Reader:
    def __init__(self, source: str, dialect: Dialect) -> None:
        self.source = source
        self.dialect: Dialect = dialect
        self.commands: list[tuple[str, int]] = []
        self.signs = [sign for sign in self._signs() if sign.kind != "blank"]
        self.next = 0

    def fail(self, at: int, what: str, hint: str = "") -> NoReturn:
        raise invalid_at(self.source, at, what, hint)

    def _signs(self) -> Iterator[_Sign]:
        pattern = _GBNF if self.dialect == "gbnf" else _LARK
        at = 0
        while at < len(self.source):
            match = pattern.match(self.source, at)
            if match is None:
                char = self.source[at]
                if char == '"':
                    self.fail(at, "This string is never closed.", 'Add the closing " on its line.')
                if char == "[":
                    self.fail(at, "This class is never closed.", "Add the closing ] on its line.")
                if char == "/":
                    self.fail(at, "This regex is never closed.", "Add the closing / on its line.")
                self.fail(at, f"{char!r} has no meaning here.", self._forms())
            kind = match.lastgroup or ""
            if kind == "command":
                self.commands.append((match.group(), at))
            else:
                yield _Sign(kind, match.group(), at)
            at = match.end()

    def _forms(self) -> str:
        if self.dialect == "gbnf":
            return 'A rule is written root ::= "text" | [a-z]+ | other-rule.'
        return 'A rule is written start: "text" | /[a-z]+/ | other_rule.'

    def peek(self, ahead: int = 0) -> _Sign:
        index = self.next + ahead
        return self.signs[index] if index < len(self.signs) else _Sign("end", "", len(self.source))

    def read(self) -> Read:
        rules: dict[str, Rule] = {}
        while True:
            while self.peek().kind == "line":
                self.next += 1
            if self.peek().kind == "end":
                break
            rule = self.rule()
            if rule.name in rules:
                self.fail(rule.at, f"The rule {rule.name} is written twice.", "Join them with |.")
            if len(rules) == MAX_RULES:
                self.fail(rule.at, f"There are more than {MAX_RULES:,} rules.", "Use fewer.")
            rules[rule.name] = rule
        imported = set[str]()
        for line, _ in self.commands:
            if line.startswith(("%import", "%declare")):
                imported |= set(re.findall(r"[A-Za-z_]\w*", line.partition(" ")[2]))
        return Read(self.dialect, rules, frozenset(imported), tuple(self.commands))

    def rule(self) -> Rule:
        while self.dialect == "lark" and self.peek().text in ("?", "!"):
            self.next += 1
        name = self.peek()
        if name.kind != "name":
            self.fail(name.at, f"Here a rule's name is expected, not {name.text!r}.", self._forms())
        self.next += 1
        if self.dialect == "gbnf":
            if self.peek().text != "::=":
                self.fail(self.peek().at, f"After {name.text} comes ::=.", self._forms())
            self.next += 1
        else:
            while self.peek().text != ":":  # a priority, or attributes in brackets
                if self.peek().kind in ("end", "line"):
                    self.fail(self.peek().at, f"After {name.text} comes a colon.", self._forms())
                self.next += 1
            self.next += 1
        body = self.choice(0)
        if self.peek().kind not in ("end", "line") and not self.begins_rule():
            self.fail(self.peek().at, f"{self.peek().text!r} closes or joins nothing here.")
        return Rule(name.text, name.at, body)

    def begins_rule(self, ahead: int = 0) -> bool:
        """A rule begins at this sign."""
        if self.dialect == "gbnf":
            return self.peek(ahead).kind == "name" and self.peek(ahead + 1).text == "::="
        return False

    def choice(self, depth: int) -> Piece:
        start = self.peek().at
        if depth > MAX_DEPTH:
            self.fail(start, f"Groups are nested deeper than {MAX_DEPTH}.", "Use more rules.")
        branches = [self.sequence(depth)]
        while self.more_branches(depth):
            self.next += 1
            branches.append(self.sequence(depth))
        return branches[0] if len(branches) == 1 else Piece("or", start, parts=tuple(branches))

    def more_branches(self, depth: int) -> bool:
        """The next sign is |, on a later line too."""
        ahead = 0
        while self.peek(ahead).kind == "line":
            ahead += 1
        if self.peek(ahead).text != "|":
            if depth:
                self.next += ahead  # inside a group lines don't end anything
            return False
        self.next += ahead
        return True

    def sequence(self, depth: int) -> Piece:
        start, parts = self.peek().at, []
        while True:
            sign = self.peek()
            if sign.kind == "line" and depth:
                self.next += 1
                continue
            if sign.kind in ("end", "line") or sign.text in ("|", ")", "]") or self.begins_rule():
                break
            parts.append(self.item(depth))
        return parts[0] if len(parts) == 1 else Piece("seq", start, parts=tuple(parts))

    def item(self, depth: int) -> Piece:
        piece = self.atom(depth)
        while (sign := self.peek()).kind == "count" or sign.text in ("*", "+", "?"):
            self.next += 1
            least, most = self.counts(sign)
            piece = Piece("repeat", sign.at, sign.text, (piece,), least, most)
        if self.peek().kind == "alias":
            self.next += 1
        return piece

    def counts(self, sign: _Sign) -> tuple[int, int | None]:
        if sign.text in ("*", "+", "?"):
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[sign.text]
        numbers = re.findall(r"\d+", sign.text)
        comma = "," in sign.text
        if not numbers:
            self.fail(sign.at, f"{sign.text} has no number.", "Write {2}, {2,5} or {2,}.")
        if len(numbers) == 2:
            least, most = int(numbers[0]), int(numbers[1])
            if least > most:
                self.fail(sign.at, f"{sign.text} asks for at least more than at most.")
            return least, most
        if comma and re.match(r"\{\s*,", sign.text):
            return 0, int(numbers[0])
        return int(numbers[0]), None if comma else int(numbers[0])

    def atom(self, depth: int) -> Piece:
        sign = self.peek()
        self.next += 1
        if sign.kind == "text" and self.peek().kind == "range":
            last = self.peek(1)
            self.next += 2
            if last.kind != "text":
                self.fail(last.at, 'A range is written "a".."z".')
            return Piece("range", sign.at, f"{sign.text}..{last.text}")
        if sign.kind in ("text", "set", "regex", "name"):
            return Piece(sign.kind, sign.at, sign.text)  # type: ignore[arg-type]
        if sign.text == "." and self.dialect == "gbnf":
            return Piece("any", sign.at, ".")
        if sign.text in ("(", "["):
            inner = self.choice(depth + 1)
            closing = ")" if sign.text == "(" else "]"
            if self.peek().text != closing:
                self.fail(sign.at, f"This {sign.text} is never closed.", f"Add a {closing}.")
            self.next += 1
            return inner if sign.text == "(" else Piece("repeat", sign.at, "?", (inner,), 0, 1)
        if sign.kind in ("token", "command", "number") or sign.text in ("@", "&", "~"):
            return Piece("other", sign.at, sign.text)
        found = repr(sign.text) if sign.text else "The end"
        return self.fail(sign.at, f"{found} has no meaning here.", self._forms())
