"""A regex as typed -> the regex to compile: anchors resolved, refusals first, remarks in words."""

from collections.abc import Iterator
from dataclasses import dataclass

from playground.constraints.notes import Note
from playground.constraints.position import invalid_at, line_column
from playground.constraints.regex_syntax import Node, parse
from playground.errors import BudgetExceeded

_FLAG_MEANING = {
    "i": "letters match in either case, by Unicode's rules",
    "s": ". takes a newline too",
    "x": "blanks and comments in the regex are ignored",
    "m": "^ and $ would also match at line ends; only those at the ends of the regex are allowed",
    "U": "greedy and lazy are swapped, which allows the same texts",
    "R": "a line may also end in a carriage return",
    "-u": "\\d, \\w, \\s and any-case letters are ASCII only",
}
_CLASS_MEANING = {
    "d": "\\d allows the digits of every script (Unicode Nd); [0-9] allows the ASCII ones only.",
    "w": "\\w allows letters, digits and marks of every script and _; [A-Za-z0-9_] is ASCII only.",
    "s": "\\s allows every Unicode white space, newlines included; write a blank for just that.",
}
_QUOTED = frozenset(r"\.+*?()|[]{}^$#&-~ " + "\t\v\f\r\n")


@dataclass(frozen=True, slots=True)
class Prepared:
    """A regex without anchors, whose language is meant as a whole: the full text must match."""

    regex: str
    notes: tuple[Note, ...]


def escape(text: str) -> str:
    """`text` as a regex that matches just that."""
    return "".join(f"\\{char}" if char in _QUOTED else char for char in text)


def prepare(source: str, max_weight: int) -> Prepared:
    """Check a hand-written regex, in Rust's syntax, and resolve its anchors.

    Args:
        source: the regex as typed.
        max_weight: the most characters it may have with bounded repeats written out.

    Raises:
        InvalidInput: it is malformed or not regular, with line and column.
        BudgetExceeded: its bounded repeats multiply beyond `max_weight`.
    """
    parsed = parse(source)
    if parsed.root.weight > max_weight:
        raise _too_long(source, parsed.root, max_weight)
    spans = sorted(_anchors(source, parsed.root, leading=True, trailing=True))
    notes = []
    if spans:
        notes.append(
            Note(
                "info",
                "anchors",
                "",
                "The whole output must match anyway, so ^ and $ at the ends were left out.",
            )
        )
    for flag in parsed.flags:
        if flag in _FLAG_MEANING:
            notes.append(Note("info", f"(?{flag})", "", f"With (?{flag}), {_FLAG_MEANING[flag]}."))
    if "-u" not in parsed.flags:
        for name, meaning in _CLASS_MEANING.items():
            if {name, name.upper()} & parsed.escapes:
                notes.append(Note("info", f"\\{name}", "", meaning))
    regex, end = "", 0
    for start, stop in spans:
        regex += source[end:start]
        end = stop
    regex += source[end:] + ("\n" if parsed.verbose_end else "")
    return Prepared(regex, tuple(notes))


def _anchors(source: str, node: Node, leading: bool, trailing: bool) -> Iterator[tuple[int, int]]:
    """Spans of the anchors that always hold, given that the text begins or ends at `node`'s edge.

    Raises:
        InvalidInput: another anchor, which could never match or only sometimes.
    """
    if node.kind == "anchor":
        text = source[node.start : node.end]
        begins = text in ("^", "\\A")
        if not (leading if begins else trailing):
            raise invalid_at(
                source,
                node.start,
                f"{text} stands where the text doesn't {'begin' if begins else 'end'}.",
                f"The whole output must match anyway: leave it out, or write \\{text} for the "
                "character."
                if len(text) == 1
                else "The whole output must match anyway: leave it out.",
            )
        yield node.start, node.end
    elif node.kind == "concat":
        # An edge reaches over flags and other anchors, which take no text.
        solid = [
            index
            for index, child in enumerate(node.children)
            if child.kind not in ("anchor", "flags")
        ]
        first, last = (solid[0], solid[-1]) if solid else (len(node.children), -1)
        for index, child in enumerate(node.children):
            yield from _anchors(
                source, child, leading and index <= first, trailing and index >= last
            )
    else:
        inside = node.kind != "repeat"
        for child in node.children:
            yield from _anchors(source, child, leading and inside, trailing and inside)


def _too_long(source: str, root: Node, max_weight: int) -> BudgetExceeded:
    """The error for the innermost repeat that goes beyond `max_weight`, or for the whole."""
    node, place = root, root
    while True:
        if node.kind == "repeat":
            place = node
        heavy = [child for child in node.children if child.weight > max_weight]
        if not heavy:
            break
        node = heavy[0]
    line, column = line_column(source, place.start)
    piece = source[place.start : place.end]
    shown = piece if len(piece) <= 40 else f"{piece[:37]}..."
    return BudgetExceeded(
        f"Written out, {shown} has {place.weight:,} characters; at most {max_weight:,} are "
        "compiled.",
        "Lower the bound, or write * or + for no bound.",
        f"line {line}, column {column}",
        line,
        column,
    )
