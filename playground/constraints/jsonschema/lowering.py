"""One schema location after another becomes a piece of regex: the recursion behind `lower`."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from playground.constraints.jsonschema import numbers, strings
from playground.constraints.jsonschema.charset import raw
from playground.constraints.jsonschema.expand import Expander
from playground.constraints.jsonschema.facts import Facts
from playground.constraints.jsonschema.jsontext import JsonText
from playground.constraints.jsonschema.limits import Limits
from playground.constraints.jsonschema.piece import Piece, TooLarge, either, literal
from playground.constraints.jsonschema.refs import Sub
from playground.constraints.jsonschema.rx import NEVER, Rx, spell
from playground.constraints.notes import Level, Note
from playground.errors import BudgetExceeded

MAX_NESTING = 60
"""Deepest nesting of schemas, references followed, that is lowered."""
MAX_WORK = 2_500
"""So many locations are lowered before narrower limits are tried."""
ENDLESS = "the recursion has no end"
TOO_DEEP = "it nests too deeply"
Result = tuple[dict[int, int], Piece | None, tuple[str, str]]
"""How often each schema inside was open, then the piece, and the reason when there is none."""


class Lowering:
    """Lowers the schemas of one document under one set of limits, and collects the notes."""

    def __init__(
        self,
        expander: Expander,
        text: JsonText,
        limits: Limits,
        composites: Mapping[str, "Composite"],
    ) -> None:
        """`composites` lower the facts of an `array` and of an `object`."""
        self.expander = expander
        self.references = expander.references
        self.text = text
        self.limits = limits
        self.notes: dict[Note, None] = {}
        self.reasons: list[tuple[str, str]] = []
        """(pointer, why) of the places that nothing can satisfy."""
        self._composites = composites
        self._active: dict[int, int] = {}
        self._touched: list[set[int]] = []
        self._nesting = 0
        self._work = 0
        self._known: dict[Hashable, list[Result]] = {}

    def note(self, level: Level, keyword: str, pointer: str, message: str) -> None:
        self.notes[Note(level, keyword, pointer, message)] = None

    def value(self, conjunction: Sequence[Sub], depth: int) -> Piece | None:
        """The piece of all values that satisfy every schema of the conjunction.

        `depth` is how many levels of arrays and objects a value without a schema may have here.

        Returns:
            None when no value does, within the limits.
        """
        key = (depth, *((id(sub.schema), sub.scopes) for sub in conjunction))
        for counts, piece, reason in self._known.get(key, ()):
            if all(self._active.get(schema, 0) == count for schema, count in counts.items()):
                self._touch(counts)
                if piece is None:
                    self.reasons.append(reason)
                return piece
        self._work += 1
        if self._work > MAX_WORK:
            raise TooLarge
        self._touched.append(set())
        piece = self._fresh(conjunction, depth)
        touched = self._touched.pop()
        self._touch(touched)
        counts = {schema: self._active.get(schema, 0) for schema in touched}
        reason = self.reasons[-1] if self.reasons else ("", "nothing is allowed")
        self._known.setdefault(key, []).append((counts, piece, reason))
        return piece

    def _touch(self, schemas: Iterable[int]) -> None:
        if self._touched:
            self._touched[-1].update(schemas)

    def note_depth(self) -> None:
        message = (
            f"Values without a schema are offered with at most {self.limits.any_depth} levels of "
            f"arrays and objects ({self.limits.extra_depth} in extra keys); deeper ones are valid "
            "too. Their strings use raw characters and short escapes."
        )
        self.note("info", "depth", "", message)

    def _fresh(self, conjunction: Sequence[Sub], depth: int) -> Piece | None:
        facts = self.expander.facts(conjunction)
        if facts.anything:
            self._touch(schema for schema, _ in facts.visited)
            self.note_depth()
            return self.text.anything(max(0, depth))
        listed = self._listed(facts, conjunction)
        if listed is not None:
            return listed[0]
        parts = []
        branches = self.expander.branches(conjunction)
        if not branches:
            where = (
                facts.empty_at if facts.empty else (conjunction[0].pointer if conjunction else "")
            )
            self.reasons.append((where, facts.empty or "no alternative can hold"))
        for branch in branches:
            part = self._branch(branch, conjunction)
            if part is not None:
                parts.append(part)
        return either(*parts) if parts else None

    def _branch(self, facts: Facts, conjunction: Sequence[Sub]) -> Piece | None:
        listed = self._listed(facts, conjunction)
        if listed is not None:
            return listed[0]
        with self._inside(facts) as entered:
            if not entered:
                return None
            parts = [part for kind in sorted(facts.types) if (part := self._kind(kind, facts))]
            return either(*parts) if parts else None

    @contextmanager
    def _inside(self, facts: Facts) -> Iterator[bool]:
        """Count the schemas of this location as open; False when one is open too often."""
        schemas = {schema for schema, _ in facts.visited}
        self._touch(schemas)
        if any(self._active.get(schema, 0) >= self.limits.levels for schema in schemas):
            pointer = next(iter(facts.visited.values())).pointer
            self.note(
                "info",
                "$ref",
                "",
                f"Recursive schemas are unrolled to {self.limits.levels} levels: deeper values are "
                "valid, but the mask does not offer them.",
            )
            self.reasons.append((pointer, ENDLESS))
            yield False
            return
        if self._nesting > self.limits.nesting:
            message = (
                f"Deeper than {self.limits.nesting} levels optional parts are left out: too large."
            )
            self.note("info", "depth", "", message)
            self.reasons.append(("", TOO_DEEP))
            yield False
            return
        self._nesting += 1
        if self._nesting > MAX_NESTING:
            raise BudgetExceeded(
                f"The schema nests more than {MAX_NESTING} levels deep, references followed.",
                "Flatten it, or let an inner level be any JSON.",
                next(iter(facts.visited.values())).pointer,
            )
        for schema in schemas:
            self._active[schema] = self._active.get(schema, 0) + 1
        try:
            yield True
        finally:
            self._nesting -= 1
            for schema in schemas:
                self._active[schema] -= 1
                if not self._active[schema]:
                    del self._active[schema]

    def _listed(self, facts: Facts, conjunction: Sequence[Sub]) -> tuple[Piece | None] | None:
        """The values of `enum` and `const` that every schema accepts, written out."""
        if not facts.enums:
            return None
        values, pointer = min(facts.enums, key=lambda found: len(found[0]))
        fits = self.expander.fitting(values, conjunction)
        if not fits:
            self.reasons.append((pointer, "no listed value satisfies the keywords beside it"))
            return (None,)
        if len(fits) < len(values):
            shown = f"{len(values) - len(fits)} of {len(values)}"
            message = f"{shown} listed values fail another keyword here and are left out."
            self.note("warning", pointer.rpartition("/")[2], pointer, message)
        self.note_spelling(fits)
        return (either(*(self.text.value(value) for value in fits)),)

    def note_spelling(self, listed: Iterable[object]) -> None:
        values = list(_flat(listed))
        if any(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
            message = "Listed numbers are offered in one spelling only: 1, not 1.0 or 1e0."
            self.note("info", "spelling", "", message)
        if any(isinstance(value, dict) for value in values):
            message = "Listed objects are offered with their keys in the written order."
            self.note("info", "order", "", message)
        if any(isinstance(value, str) for value in values):
            self.note_escapes()

    def note_escapes(self) -> None:
        self.note(
            "info",
            "escapes",
            "",
            "Keys, listed strings and strings with a pattern or format are offered in one spelling: "
            r"raw characters where JSON allows them, so é but not \u00e9.",
        )

    def _kind(self, kind: str, facts: Facts) -> Piece | None:
        if kind == "null":
            return literal("null")
        if kind == "boolean":
            return either(literal("true"), literal("false"))
        if kind == "number":
            return self._numbers(facts)
        if kind == "string":
            return self._strings(facts)
        return self._composites[kind](self, facts)

    def _numbers(self, facts: Facts) -> Piece | None:
        asked = numbers.NumberRange(facts.integer, facts.bounds, tuple(facts.multiples))
        tree, enforced = numbers.language(asked)
        for value, pointer in facts.multiples.items():
            if not enforced:
                message = f"`multipleOf` {value} is NOT enforced: its automaton would be too large."
                self.note("not-enforced", "multipleOf", pointer, message)
            elif not numbers.is_dyadic(value):
                message = (
                    f"`multipleOf` {value} is decided in decimal arithmetic; a validator that "
                    "divides binary fractions may disagree (0.07 / 0.01 is not 7 to it)."
                )
                self.note("partly", "multipleOf", pointer, message)
        if facts.integer:
            message = "Integers are offered as digits only: 5, not 5.0 or 5e0."
        elif facts.bounds == numbers.Bounds() and not facts.multiples:
            message = "Exponents of numbers have at most two digits."
        else:
            message = (
                "Numbers with bounds or `multipleOf` are offered without exponents, 0 not as -0."
            )
        self.note("info", "spelling", "", message)
        if tree == NEVER:
            pointers = [*facts.pointers.values(), *facts.multiples.values(), ""]
            self.reasons.append((pointers[0], "no number lies within the bounds"))
            return None
        return spell(tree, raw)

    def _strings(self, facts: Facts) -> Piece | None:
        low, high = self.counted(facts, facts.min_length, facts.max_length, "Length")
        tree: Rx | None = None
        if facts.demands:
            tree, left, dropped = strings.language(facts.demands, low, high)
            self.note_escapes()
            for demand in left:
                message = f"`{demand.keyword}` is NOT enforced: too large together with the others."
                self.note("not-enforced", demand.keyword, demand.pointer, message)
            for keyword in dropped:
                message = f"`{keyword}` is NOT enforced beside the pattern or format: too large."
                self.note("partly", keyword, facts.pointers.get(keyword, ""), message)
        elif high is not None and high < low:
            tree = NEVER
        elif max(low, high or 0) > strings.FULL_COUNT:
            message = rf"Strings counted beyond {strings.FULL_COUNT} characters offer no \uXXXX."
            self.note("info", "escapes", "", message)
        if tree == NEVER:
            where = next(
                iter(d.pointer for d in facts.demands), facts.pointers.get("minLength", "")
            )
            self.reasons.append((where, "no string satisfies its keywords together"))
        piece = strings.piece(tree, low, high)
        if tree is not None and piece is not None and piece.cost > self.limits.pattern:
            for demand in facts.demands:
                message = f"`{demand.keyword}` is NOT enforced: its automaton would be too large."
                self.note("not-enforced", demand.keyword, demand.pointer, message)
            return strings.piece(None, low, high)
        return piece

    def counted(
        self, facts: Facts, low: int, high: int | None, what: str
    ) -> tuple[int, int | None]:
        """The bounds that are counted; those beyond the limit are let go, with a note."""
        count = self.limits.count
        if high is not None and high > count and high >= low:
            keyword = f"max{what}"
            message = f"`{keyword}` {high} is NOT enforced: counting ends at {count:,}."
            self.note("partly", keyword, facts.pointers.get(keyword, ""), message)
            high = None
        if low > count:
            keyword = f"min{what}"
            message = f"`{keyword}` {low} is enforced up to {count:,} only."
            self.note("partly", keyword, facts.pointers.get(keyword, ""), message)
            low = count
        return low, high


def _flat(values: Iterable[object]) -> Iterator[object]:
    """The values and everything inside them."""
    for value in values:
        yield value
        if isinstance(value, list):
            yield from _flat(value)
        elif isinstance(value, dict):
            yield from _flat(value.values())


Composite = Callable[[Lowering, Facts], Piece | None]
