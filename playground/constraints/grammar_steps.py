"""A rule of a grammar as a machine: states and the characters, calls and regexes between them."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

import regex

from playground.constraints.grammar_read import Piece

MAX_STATES = 5_000
_SHORT = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "b": "\b", "v": "\v", "0": "\0"}
_CHAR = re.compile(
    r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))|(.)", re.DOTALL
)


class Unreadable(Exception):
    """The grammar has a part that only an engine knows."""


@dataclass(frozen=True, slots=True)
class Step:
    """A way to the state `to`: over a character, a rule, a regex, or over nothing."""

    to: int
    takes: Callable[[str], bool] | None = None
    calls: str | None = None
    pattern: "regex.Pattern[str] | None" = None


@dataclass(slots=True)
class Machine:
    """A rule: it begins in state 0 and is over in `end`."""

    steps: list[list[Step]] = field(default_factory=lambda: [[]])
    end: int = 0

    def nullable(self, known: set[str]) -> bool:
        """The rule can be empty, given that those of `known` can."""
        seen, todo = set[int](), [0]
        while todo:
            state = todo.pop()
            if state in seen:
                continue
            seen.add(state)
            for step in self.steps[state]:
                free = step.takes is None and step.pattern is None
                if free and (step.calls is None or step.calls in known):
                    todo.append(step.to)
        return self.end in seen

    def goes_on(self, state: int) -> bool:
        """More than nothing can come between `state` and the end."""
        seen, todo = set[int](), [state]
        while todo:
            here = todo.pop()
            if here in seen:
                continue
            seen.add(here)
            for step in self.steps[here]:
                if step.takes is not None or step.calls is not None or step.pattern is not None:
                    return True
                todo.append(step.to)
        return False


def machine_of(body: Piece) -> Machine:
    """The machine of a rule's body.

    Raises:
        Unreadable: a part of it is an engine's own, or it is too large.
    """
    machine = Machine()
    machine.end = _add(machine, 0, body)
    return machine


def _state(machine: Machine) -> int:
    if len(machine.steps) >= MAX_STATES:
        raise Unreadable
    machine.steps.append([])
    return len(machine.steps) - 1


def _add(machine: Machine, start: int, piece: Piece) -> int:
    """Add `piece` after `start`; the state where it is over."""
    if piece.kind == "seq":
        for part in piece.parts:
            start = _add(machine, start, part)
        return start
    if piece.kind == "or":
        end = _state(machine)
        for part in piece.parts:
            machine.steps[_add(machine, start, part)].append(Step(end))
        return end
    if piece.kind == "repeat":
        return _repeat(machine, start, piece)
    if piece.kind == "text":
        fold = piece.text.endswith("i")
        for char in unescaped(piece.text.removesuffix("i")[1:-1]):
            start = _step(machine, start, takes=_equals(char, fold))
        return start
    if piece.kind == "name":
        return _step(machine, start, calls=piece.text)
    if piece.kind in ("set", "any", "range"):
        return _step(machine, start, takes=_class(piece))
    if piece.kind == "regex":
        source, _, flags = piece.text[1:].rpartition("/")
        try:
            pattern = regex.compile(source.replace("\\/", "/"), _flags(flags))
        except regex.error as error:
            raise Unreadable from error
        return _step(machine, start, pattern=pattern)
    raise Unreadable


def _repeat(machine: Machine, start: int, piece: Piece) -> int:
    inner = piece.parts[0]
    for _ in range(piece.least):
        start = _add(machine, start, inner)
    if piece.most is None:
        loop = _step(machine, start)
        machine.steps[_add(machine, loop, inner)].append(Step(loop))
        return _step(machine, loop)
    ends = [start]
    for _ in range(piece.most - piece.least):
        start = _add(machine, start, inner)
        ends.append(start)
    end = _state(machine)
    for state in ends:
        machine.steps[state].append(Step(end))
    return end


def _step(
    machine: Machine,
    start: int,
    takes: Callable[[str], bool] | None = None,
    calls: str | None = None,
    pattern: "regex.Pattern[str] | None" = None,
) -> int:
    end = _state(machine)
    machine.steps[start].append(Step(end, takes, calls, pattern))
    return end


def unescaped(body: str) -> list[str]:
    """The characters that the inside of a string or class spells."""
    return [char for char, _ in _chars(body)]


def _chars(body: str) -> list[tuple[str, bool]]:
    """Characters, and whether each was written with a backslash."""
    found = []
    for match in _CHAR.finditer(body):
        code = match[1] or match[2] or match[3]
        if code:
            found.append((chr(int(code, 16)), True))
        elif match[4]:
            found.append((_SHORT.get(match[4], match[4]), True))
        else:
            found.append((match[5], False))
    return found


def _equals(char: str, fold: bool) -> Callable[[str], bool]:
    if fold:
        return lambda other: other.casefold() == char.casefold()
    return lambda other: other == char


def _class(piece: Piece) -> Callable[[str], bool]:
    if piece.kind == "any":
        return lambda char: True
    if piece.kind == "range":
        low, high = ("".join(unescaped(part[1:-1])) for part in piece.text.split("..", 1))
        return lambda char: low <= char <= high
    body = piece.text[1:-1]
    if re.search(r"\\[dDwWsSpP]", body):
        raise Unreadable
    inverted = body.startswith("^")
    chars = _chars(body.removeprefix("^"))
    spans, at = [], 0
    while at < len(chars):
        char = chars[at][0]
        if at + 2 < len(chars) and chars[at + 1] == ("-", False):
            spans.append((char, chars[at + 2][0]))
            at += 3
        else:
            spans.append((char, char))
            at += 1
    return lambda char: any(low <= char <= high for low, high in spans) != inverted


def _flags(letters: str) -> int:
    known = {"i": regex.IGNORECASE, "s": regex.DOTALL, "m": regex.MULTILINE, "x": regex.VERBOSE}
    out = regex.VERSION0
    for letter in letters:
        if letter in known:
            out |= known[letter]
        elif letter != "u":
            raise Unreadable
    return int(out)
