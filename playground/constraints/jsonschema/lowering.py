"""One schema location after another becomes a piece of regex: the recursion behind `lower`."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from playground.constraints.jsonschema import remarks
from playground.constraints.jsonschema.expand import Expander
from playground.constraints.jsonschema.facts import Facts
from playground.constraints.jsonschema.jsontext import JsonText, is_whole
from playground.constraints.jsonschema.limits import Limits
from playground.constraints.jsonschema.piece import Piece, TooLarge, either
from playground.constraints.jsonschema.refs import Sub, canonical
from playground.constraints.notes import Level, Note

MAX_WORK = 2_500
"""So many locations, beyond the schema's own size, are lowered before limits are narrowed."""
ENDLESS = "the recursion has no end"
TOO_DEEP = "it nests too deeply"

Result = tuple[dict[int, int], Piece | None, tuple[str, str]]
"""How often each schema inside was open, then the piece, and the reason when there is none."""


class Lowering:
    """Lowers the schemas of one document under one set of limits, and collects the notes."""

    def __init__(
        self, expander: Expander, text: JsonText, limits: Limits, kinds: Mapping[str, "Kind"]
    ) -> None:
        """`kinds` lower the facts about each of the six types."""
        self.expander = expander
        self.references = expander.references
        self.text = text
        self.limits = limits
        self.notes: dict[Note, None] = {}
        self.reasons: list[tuple[str, str]] = [("", "nothing is allowed")]
        """(pointer, why) of the places that nothing can satisfy, the last one last."""
        self._left_out: dict[str, tuple[set[str], int]] = {}
        """Pointer of a list -> its values that are offered nowhere so far, and its length."""
        self._kinds = kinds
        self._active: dict[int, int] = {}
        self._touched: list[set[int]] = []
        self._nesting = 0
        self._work = 0
        self._known: dict[Hashable, list[Result]] = {}

    def note(self, level: Level, keyword: str, pointer: str, message: str) -> None:
        self.remark(Note(level, keyword, pointer, message))

    def remark(self, note: Note) -> None:
        self.notes[note] = None

    def left_out(self) -> Iterator[Note]:
        """Warnings of listed values that no way of satisfying the schema offers."""
        for pointer, (values, count) in self._left_out.items():
            if values:
                message = (
                    f"{len(values)} of {count} listed values fail another keyword here and are "
                    "left out."
                )
                yield Note("warning", pointer.rpartition("/")[2], pointer, message)

    def refuse(self, pointer: str, why: str) -> None:
        """Record why nothing satisfies the schemas at a place."""
        self.reasons.append((pointer, why))

    def value(self, conjunction: Sequence[Sub], depth: int) -> Piece | None:
        """The piece of all values that satisfy every schema of the conjunction.

        `depth` is how many levels of arrays and objects a value without a schema may have here.
        A location is lowered once for each state of the recursion that it depends on.

        Returns:
            None when no value does, within the limits; `reasons` then ends with the reason.

        Raises:
            TooLarge: the piece, or the work, outgrows the limits.
        """
        key = (depth, *((id(sub.schema), sub.scopes) for sub in conjunction))
        for counts, piece, reason in self._known.get(key, ()):
            if all(self._active.get(schema, 0) == count for schema, count in counts.items()):
                self._touch(counts)
                if piece is None:
                    self.reasons.append(reason)
                return piece
        self._work += 1
        if self._work > MAX_WORK + 2 * self.references.size:
            raise TooLarge
        self._touched.append(set())
        piece = self._fresh(conjunction, depth)
        touched = self._touched.pop()
        self._touch(touched)
        counts = {schema: self._active.get(schema, 0) for schema in touched}
        self._known.setdefault(key, []).append((counts, piece, self.reasons[-1]))
        return piece

    def _touch(self, schemas: Iterable[int]) -> None:
        if self._touched:
            self._touched[-1].update(schemas)

    def _fresh(self, conjunction: Sequence[Sub], depth: int) -> Piece | None:
        facts = self.expander.facts(conjunction)
        if facts.anything:
            self._touch(schema for schema, _ in facts.visited)
            self.remark(remarks.depth(self.limits))
            return self.text.anything(max(0, depth))
        if facts.enums:
            return self._listed(facts, conjunction)
        branches = self.expander.branches(conjunction)
        if not branches:
            self.refuse(facts.empty_at or facts.pointer, facts.empty or "no alternative can hold")
        parts = [part for branch in branches if (part := self._branch(branch, conjunction))]
        return either(*parts) if parts else None

    def _branch(self, facts: Facts, conjunction: Sequence[Sub]) -> Piece | None:
        if facts.enums:
            return self._listed(facts, conjunction)
        with self._inside(facts) as entered:
            if not entered:
                return None
            kinds = sorted(facts.types)
            parts = [part for kind in kinds if (part := self._kinds[kind](self, facts))]
            return either(*parts) if parts else None

    @contextmanager
    def _inside(self, facts: Facts) -> Iterator[bool]:
        """Count the schemas of this location as open; False when one is open too often."""
        schemas = {schema for schema, _ in facts.visited}
        self._touch(schemas)
        if any(self._active.get(schema, 0) >= self.limits.levels for schema in schemas):
            self.remark(remarks.recursion(self.limits))
            self.refuse(facts.pointer, ENDLESS)
            yield False
            return
        if self._nesting >= self.limits.nesting:
            self.remark(remarks.nesting(self.limits))
            self.refuse(facts.pointer, TOO_DEEP)
            yield False
            return
        self._nesting += 1
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

    def _listed(self, facts: Facts, conjunction: Sequence[Sub]) -> Piece | None:
        """The values of `enum` and `const` that every schema accepts, written out."""
        self._touch(schema for schema, _ in facts.visited)
        values, pointer = min(facts.enums, key=lambda found: len(found[0]))
        fits = self.expander.fitting(values, conjunction)
        if not fits:
            self.refuse(pointer, "no listed value satisfies the keywords beside it")
            return None
        left: set[str] = set()
        if len(fits) < len(values):
            left = {canonical(value) for value in values} - {canonical(value) for value in fits}
        earlier, _ = self._left_out.get(pointer, (left, 0))
        self._left_out[pointer] = earlier & left, len(values)
        for value in _flat(fits):
            if isinstance(value, dict):
                self.remark(remarks.LISTED_ORDER)
            elif isinstance(value, str):
                self.remark(remarks.ESCAPES)
            elif isinstance(value, int | float) and not isinstance(value, bool):
                self.remark(_spelling(value))
        return either(*(self.text.value(value) for value in fits))

    def counted(
        self, facts: Facts, low: int, high: int | None, what: str
    ) -> tuple[int, int | None]:
        """The bounds that are counted; those beyond the limit are let go, with a note."""
        count = self.limits.count
        if high is not None and high > count and high >= low:
            keyword = f"max{what}"
            message = f"`{keyword}` {high} is NOT enforced: counting ends at {count:,}."
            self.note("not-enforced", keyword, facts.pointers.get(keyword, ""), message)
            high = None
        if low > count:
            keyword = f"min{what}"
            message = f"`{keyword}` {low} is enforced up to {count:,} only."
            self.note("partly", keyword, facts.pointers.get(keyword, ""), message)
            low = count
        return low, high


def _spelling(value: float) -> Note:
    if isinstance(value, int):
        return remarks.LISTED_INTEGERS
    return remarks.LISTED_WHOLE if is_whole(value) else remarks.LISTED_FRACTIONS


def _flat(values: Iterable[object]) -> Iterator[object]:
    """The values and everything inside them."""
    for value in values:
        yield value
        if isinstance(value, list):
            yield from _flat(value)
        elif isinstance(value, dict):
            yield from _flat(value.values())


Kind = Callable[[Lowering, Facts], Piece | None]
"""Lowers the facts about values of one type."""
