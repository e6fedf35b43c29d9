"""A grammar as typed: what is wrong with it and where, and its form for each engine."""

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

from playground.constraints.grammar_read import Piece, Read, read
from playground.constraints.grammar_terms import require_regexes, without_codes
from playground.constraints.notes import Note
from playground.constraints.position import invalid_at, line_column
from playground.errors import BudgetExceeded, EmptyLanguage, InvalidInput

ROOTS = {"gbnf": "root", "lark": "start"}
TITLES = {"gbnf": "GBNF or EBNF", "lark": "Lark"}


@dataclass(frozen=True, slots=True)
class Grammar:
    """A grammar that is well formed."""

    source: str
    """As every engine reads it; each sign stands where it was typed."""
    rules: Read
    notes: tuple[Note, ...]

    def pieces(self) -> Iterator[Piece]:
        """Every part of every rule."""
        yield from _pieces(self.rules)


def check(source: str, max_weight: int) -> Grammar:
    """Read a grammar: `::=` makes it GBNF or EBNF with the root `root`, else it is Lark, `start`.

    Args:
        source: the grammar as typed.
        max_weight: the most symbols that its rules may have with bounded repeats written out.

    Raises:
        InvalidInput: it is malformed, lacks its root or refers to a rule that isn't there.
        EmptyLanguage: every way through the root recurses for ever.
        BudgetExceeded: its bounded repeats multiply beyond `max_weight`.
    """
    source = source.removeprefix("\ufeff")
    found = read(source)
    pieces = list(_pieces(found))
    if found.dialect == "lark":
        require_regexes(source, found, pieces)
    plain = without_codes(source, pieces) if found.dialect == "gbnf" else source
    root = ROOTS[found.dialect]
    if root not in found.rules:
        _no_root(source, found, root)
    for rule in found.rules.values():
        for name in _names(rule.body):
            if name.text not in found.rules and name.text not in found.imported:
                _unknown(source, found, name)
    weights = {name: _weight(rule.body) for name, rule in found.rules.items()}
    if sum(weights.values()) > max_weight:
        heaviest = found.rules[max(weights, key=lambda name: weights[name])]
        line, column = line_column(source, heaviest.at)
        raise BudgetExceeded(
            f"Written out, the grammar has {sum(weights.values()):,} symbols, most of them in the "
            f"rule {heaviest.name}; at most {max_weight:,} are compiled.",
            "Lower the bounds of repeats, or write * or + for no bound.",
            f"line {line}, column {column}",
            line,
            column,
        )
    ending = _ending(found)
    if root not in ending:
        at = found.rules[root].at
        line, column = line_column(source, at)
        raise EmptyLanguage(
            f"No text satisfies this grammar: every way through {root} leads back to a rule that "
            "never ends.",
            "Give one of the rules a branch without itself.",
            f"line {line}, column {column}",
            line,
            column,
        )
    return Grammar(plain, found, tuple(_remarks(source, found, root, ending)))


def _pieces(found: Read) -> Iterator[Piece]:
    todo = [rule.body for rule in found.rules.values()]
    while todo:
        piece = todo.pop()
        yield piece
        todo.extend(piece.parts)


def recursive(found: Read) -> list[str]:
    """The rules that can contain themselves, in the order of the source."""
    uses = {name: {n.text for n in _names(rule.body)} for name, rule in found.rules.items()}
    return [name for name in found.rules if name in _reached(uses, uses[name])]


def _reached(uses: dict[str, set[str]], start: set[str]) -> set[str]:
    seen, todo = set[str](), list(start)
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        todo.extend(uses.get(name, ()))
    return seen


def _names(piece: Piece) -> list[Piece]:
    found, todo = [], [piece]
    while todo:
        here = todo.pop()
        if here.kind == "name":
            found.append(here)
        todo.extend(reversed(here.parts))
    return found


def _weight(piece: Piece) -> int:
    """Symbols with bounded repeats written out."""
    inner = sum(_weight(part) for part in piece.parts) or 1
    if piece.kind != "repeat":
        return inner
    return inner * max(1, piece.least if piece.most is None else piece.most)


def _ending(found: Read) -> set[str]:
    """The rules that some text satisfies."""

    def ends(piece: Piece) -> bool:
        if piece.kind == "name":
            return piece.text in ending or piece.text in found.imported
        if piece.kind == "or":
            return any(map(ends, piece.parts))
        if piece.kind == "repeat" and piece.least == 0:
            return True
        return all(map(ends, piece.parts))

    ending: set[str] = set()
    while True:
        more = {
            name for name, rule in found.rules.items() if name not in ending and ends(rule.body)
        }
        if not more:
            return ending
        ending |= more


def _first(found: Read, piece: Piece, nullable: set[str]) -> set[str]:
    """The rules that may stand at the beginning of `piece`."""
    if piece.kind == "name":
        return {piece.text}
    if piece.kind in ("or", "repeat"):
        return {name for part in piece.parts for name in _first(found, part, nullable)}
    out = set[str]()
    for part in piece.parts:
        out |= _first(found, part, nullable)
        if not _nullable(part, nullable):
            break
    return out


def _nullable(piece: Piece, known: set[str]) -> bool:
    if piece.kind == "name":
        return piece.text in known
    if piece.kind == "or":
        return any(_nullable(part, known) for part in piece.parts)
    if piece.kind == "repeat" and piece.least == 0:
        return True
    if piece.kind == "text":
        return piece.text in ('""', '""i')
    return piece.kind in ("seq", "repeat") and all(_nullable(part, known) for part in piece.parts)


def _remarks(source: str, found: Read, root: str, ending: set[str]) -> list[Note]:
    def line(name: str) -> str:
        return f"Line {line_column(source, found.rules[name].at)[0]}: "

    notes = []
    uses = {name: {n.text for n in _names(rule.body)} for name, rule in found.rules.items()}
    reached = {root, *_reached(uses, uses[root])}
    ignored = " ".join(text for text, _ in found.commands)
    for name in found.rules:
        if name not in reached and name not in ignored:
            message = f"{line(name)}the rule {name} is never used."
            notes.append(Note("warning", "unused-rule", "", message))
        elif name not in ending:
            message = f"{line(name)}the rule {name} never ends, so no text goes through it."
            notes.append(Note("warning", "endless-rule", "", message))
    nullable = set[str]()
    while True:
        more = {n for n, rule in found.rules.items() if _nullable(rule.body, nullable)} - nullable
        if not more:
            break
        nullable |= more
    begins = {name: _first(found, rule.body, nullable) for name, rule in found.rules.items()}
    left = [name for name in found.rules if name in _reached(begins, begins[name])]
    if left:
        message = (
            f"{line(left[0])}the rule {left[0]} can begin with itself. The engines here read that; "
            "llama.cpp, which GBNF comes from, does not."
        )
        notes.append(Note("info", "left-recursion", "", message))
    return notes


def _no_root(source: str, found: Read, root: str) -> NoReturn:
    hint = f"Call the rule that the whole text must match {root}."
    if not found.rules:
        raise InvalidInput("There is no rule.", hint, "line 1, column 1", 1, 1)
    first = next(iter(found.rules.values()))
    raise invalid_at(source, first.at, f"No rule is called {root}.", hint)


def _unknown(source: str, found: Read, name: Piece) -> NoReturn:
    close = difflib.get_close_matches(name.text, found.rules, n=1)
    hint = f"Did you mean {close[0]}?" if close else f"Write a rule {name.text}."
    raise invalid_at(source, name.at, f"There is no rule {name.text}.", hint)
