"""Where the two judges disagree: the finding in words, the keyword to blame and the note that announced it."""

import math
import time
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from threading import Lock

from playground.constraints.automaton import TokenAutomaton
from playground.constraints.jsonschema.navigate import Navigator
from playground.constraints.jsonschema.scan import scan
from playground.constraints.jsonschema.source import Parsed
from playground.constraints.limits import Limits
from playground.constraints.notes import Note
from playground.constraints.spec import ConstraintSpec
from playground.constraints.words import shortened
from playground.schema.announced import Announced
from playground.schema.dropping import Keyword, OutOfTime, blamed, names_at
from playground.schema.key_order import reordered
from playground.schema.parts import Reading, character_offset
from playground.schema.reference_schema import Cancelled, schema_place
from playground.schema.rewriting import CHANGES, Change, Order, Rewriter
from playground.schema.verdict import Document, allows

UNSOUND = "the mask allows it, the schema forbids it"
TOO_STRICT = "the schema allows it, the mask forbids it"
ANNOUNCING = frozenset({"bytes"})
"""Engines whose notes announce every way in which their masks differ from the schema: what they
did not announce is a fault of ours, and called unexplained even where a keyword is found."""

MAX_KNOWN = 500
"""So many findings are remembered: an edit of one test string asks about all of them again."""
_KNOWN: OrderedDict[tuple[ConstraintSpec, str], Document] = OrderedDict()
_LOCK = Lock()

_BLANKS = {
    "none": ("no blanks", "no blanks between JSON tokens"),
    "one": ("one blank", "at most one space between JSON tokens"),
    "flexible": ("up to 8 blanks", "at most eight blanks between JSON tokens"),
}
"""Setting -> its name on the page, and what the mask writes."""
SPACES = " \t\r\n"
"""The blanks of JSON."""
_WHY: dict[Change, str] = {
    "order": "the order of its keys",
    "escapes": "how its strings are spelled",
    "spelling": "how its numbers are spelled",
    "twice": "a key that stands twice",
}
_TOPIC: dict[Change, str] = {
    "order": "order",
    "escapes": "escapes",
    "spelling": "spelling",
    "twice": "order",
}


def finding(
    kind: str,
    words: str,
    keywords: Iterable[Document] = (),
    note: str = "",
) -> Document:
    """A finding as JSON."""
    return {"kind": kind, "words": words, "keywords": list(keywords), "note": note}


class Blame:
    """Explains the disagreements about the texts of one constraint with a JSON Schema."""

    def __init__(
        self,
        spec: ConstraintSpec,
        schema: Parsed,
        automaton: TokenAutomaton | None,
        notes: Sequence[Note],
        limits: Limits,
        cancelled: Cancelled,
        seconds: float,
    ) -> None:
        """`seconds`: longest search for keywords, all texts together."""
        self._spec = spec
        self._automaton = automaton
        self._notes = Announced(notes)
        self._limits = limits
        self._cancelled = cancelled
        self._until = time.monotonic() + seconds
        self._schema = schema
        engine = "bytes" if automaton is None else automaton.engine
        self._announces = engine in ANNOUNCING

    def unsound(self, reading: Reading, reference: Document) -> Document:
        """The mask allows what the schema forbids, for the reasons of the reference judge."""
        errors = reference["errors"]
        if not errors:  # it is not even JSON
            words = f"{UNSOUND}: {reference['message']}"
            return self._told("unsound", words, [], self._notes.engine(), not self._announces)
        keywords = list(
            dict.fromkeys(Keyword(error["schema_pointer"], error["keyword"]) for error in errors)
        )
        through = {name for error in errors for name in error["through"]}
        escaped = {
            Keyword(error["schema_pointer"], error["keyword"])
            for error in errors
            if _is_below_an_escaped_key(reading, error["offset"])
        }
        notes = (self._notes.loose(each, through, each in escaped) for each in keywords)
        note = next(filter(None, notes), "")
        names = ", ".join(dict.fromkeys(f"`{each.keyword}`" for each in keywords[:4]))
        return self._told("unsound", f"{UNSOUND}: {names}.", keywords, note)

    def too_strict(self, reading: Reading, formats: Sequence[Document]) -> Document:
        """The schema allows what the mask forbids: its spelling, or a keyword.

        `formats` are the errors that the text would have if `format` were asserted.
        """
        key = (self._spec, reading.text)
        with _LOCK:
            known = _KNOWN.get(key)
        if known is None:
            known, whole = self._looked_for(reading, formats)
            if whole:
                with _LOCK:
                    _KNOWN[key] = known
                    while len(_KNOWN) > MAX_KNOWN:
                        _KNOWN.popitem(last=False)
        return known

    def _looked_for(self, reading: Reading, formats: Sequence[Document]) -> tuple[Document, bool]:
        """The finding, and whether the search for it was not cut short."""
        if self._automaton is None:
            words = f"{TOO_STRICT}: the mask allows nothing at all."
            return self._told("too strict", words, [], self._notes.narrow_anywhere()), True
        if any(problem.kind == "half" for problem in reading.problems):
            words = f"{TOO_STRICT}: it holds half of a surrogate pair, which no text in UTF-8 can."
            return self._told("too strict", words, [], "", explained=True), True
        order = names_at(self._schema.value)
        rewriter = Rewriter(self._automaton, reading, order)
        found = rewriter.search()
        if found is not None:
            changes = [change for change in CHANGES if change in found.changes]
            return self._respelled(reading, changes, found.text), True
        if formats:
            keywords = [Keyword(error["schema_pointer"], error["keyword"]) for error in formats]
            words = (
                f"{TOO_STRICT}: the mask asserts `format`, the reference judge was not asked to."
            )
            note = self._notes.about("format") or self._notes.engine()
            return self._told("too strict", words, list(dict.fromkeys(keywords)), note), True
        rewriter.with_changes(frozenset(CHANGES))
        return self._by_keyword(reading, rewriter.furthest, order)

    def _respelled(self, reading: Reading, changes: Sequence[Change], text: bytes) -> Document:
        why = " and ".join(
            self._blanks(reading) if change == "whitespace" else _WHY[change] for change in changes
        )
        if "order" in changes and (wants := reordered(reading, text)):
            why = f"{why}: {wants}"
        words = f"{TOO_STRICT}, because of {why}. It allows {shortened(text)}"
        notes = [self._spelling(change, reading) for change in changes]
        note = " ".join(dict.fromkeys(notes)) if all(notes) else ""
        return self._told("too strict", words, [], note, explained=not self._announces)

    def _by_keyword(self, reading: Reading, furthest: bytes, order: Order) -> tuple[Document, bool]:
        deep = self._too_deep(furthest, reading)
        if deep:
            words = f"{TOO_STRICT}: it leaves this part out."
            return self._told("too strict", words, [], deep), True
        try:
            keyword = blamed(
                self._spec,
                self._schema.value,
                reading,
                furthest,
                order,
                self._limits,
                self._cancelled,
                self._until,
            )
        except OutOfTime:
            note = self._notes.narrow_anywhere()
            words = f"{TOO_STRICT}. The time for finding the keyword to blame was up."
            return self._told("too strict", words, [], note, explained=True), False
        note = self._notes.narrow_anywhere() if keyword is None else self._notes.narrow(keyword)
        if not note and _has_extreme(reading):
            words = f"{TOO_STRICT}: it holds a number that is too large or too small for a float."
            return self._told("too strict", words, [], "", explained=True), True
        if keyword is None:
            words = f"{TOO_STRICT}; no single keyword is to blame."
            return self._told("too strict", words, [], note), True
        words = f"{TOO_STRICT}: without `{keyword.keyword}` the mask allows it."
        return self._told("too strict", words, [keyword], note), True

    def _told(
        self,
        kind: str,
        words: str,
        keywords: Sequence[Keyword],
        note: str,
        explained: bool = False,
    ) -> Document:
        if not note and not explained and (self._announces or not keywords):
            kind = "unexplained"
            words = f"{words} Nothing announced it."
        placed = []
        for each in keywords:
            line, column = schema_place(self._schema, each.pointer)
            placed.append(
                {"keyword": each.keyword, "pointer": each.pointer, "line": line, "column": column}
            )
        return finding(kind, words, placed, note)

    def _blanks(self, reading: Reading) -> str:
        """Which blanks the mask forbids, as far as that is known."""
        text = reading.text
        outside = text != text.strip(SPACES)
        if not outside:
            return "blanks between its tokens"
        assert self._automaton is not None
        if allows(self._automaton, text.strip(SPACES)):
            return f"the blanks {_where_outside(text)} the JSON"
        return "blanks around it or between its tokens"

    def _spelling(self, change: Change, reading: Reading) -> str:
        if change == "whitespace":
            name, written = _BLANKS[self._spec.whitespace]
            said = f"The setting for blanks is “{name}”: the mask writes {written}"
            outside = reading.text != reading.text.strip(SPACES)
            return f"{said}{', and none before or after the JSON' if outside else ''}."
        note = self._notes.about(_TOPIC[change])
        if change == "escapes":
            note = note or self._notes.about("depth")  # which tells of strings without a schema
        return note or self._notes.engine()

    def _too_deep(self, furthest: bytes, reading: Reading) -> str:
        """The note about depth, where every spelling is refused at an array or object that the mask
        leaves out because it lies too deep, or at a key that it leaves out."""
        found = scan(furthest)
        if found.spot in ("key", "in key"):
            notes = self._notes
            return notes.closed() or notes.left_out() or notes.about("$ref")
        part = reading.parts().get(found.path)
        if part is None or part.kind not in ("object", "array"):
            return ""
        node = Navigator(self._schema.value, {}).find(found.path)
        if node is None or node.schema in (True, {}):
            return self._notes.about("depth")
        return self._notes.about("$ref") if found.path else ""


def _is_below_an_escaped_key(reading: Reading, offset: int) -> bool:
    """The byte at `offset` lies in the value of a key that is written with an escape, or in the
    key itself."""
    at = character_offset(reading.text, offset)
    return any(
        part.key is not None
        and "\\" in reading.text[slice(*part.key)]
        and part.key[0] <= at
        and (part.end is None or at < part.end)
        for part in reading.parts().values()
    )


def _has_extreme(reading: Reading) -> bool:
    """It has a number that the nearest float makes infinite, or zero without being it."""
    for part in reading.parts().values():
        text = reading.text[part.start : part.end]
        if part.kind == "number" and part.end is not None:
            nearest = float(text)
            mantissa = text.lower().partition("e")[0]
            if math.isinf(nearest) or (nearest == 0 and set(mantissa) & set("123456789")):
                return True
    return False


def _where_outside(text: str) -> str:
    """Where blanks stand around a text that has some there."""
    if text == text.lstrip(SPACES):
        return "after"
    return "before" if text == text.rstrip(SPACES) else "before and after"


def plain(kind: str, reference: Document, notes: Sequence[Note]) -> Document:
    """A finding about a constraint without a schema, where there is nothing to take apart."""
    words = (UNSOUND if kind == "unsound" else TOO_STRICT).replace("the schema", reference["judge"])
    note = Announced(notes).engine()
    if not note:
        return finding("unexplained", f"{words}. Nothing announced it.")
    return finding(kind, f"{words}.", note=note)
