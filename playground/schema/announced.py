"""What the lowering's notes announce about a keyword or a topic."""

from collections.abc import Collection, Sequence

from playground.constraints.notes import Note
from playground.schema.dropping import Keyword

NARROWING = ("contains", "unevaluatedItems", "unevaluatedProperties", "not", "format")
"""Topics of notes that say how the mask is narrower than the schema, beyond spelling, order and
depth, which are looked for by themselves."""
_STANDS_FOR = {"oneOf": {"not"}, "if": {"not"}, "then": {"not"}, "else": {"not"}}
"""A keyword is lowered to what another one's notes speak of."""


class Announced:
    """The notes of one lowering, asked for what they announce; every answer is a note's text, or
    empty."""

    def __init__(self, notes: Sequence[Note]) -> None:
        self._notes = notes

    def about(self, topic: str) -> str:
        """The notes of a topic, together."""
        found = [note.message for note in self._notes if note.keyword == topic]
        return " ".join(dict.fromkeys(found))

    def closed(self) -> str:
        """That extra keys are valid somewhere and not offered."""
        found = [note for note in self._notes if note.keyword == "order" and note.pointer]
        return found[0].message if found else ""

    def left_out(self) -> str:
        """That optional parts of deep values are not offered."""
        found = [note for note in self._notes if note.keyword == "depth"]
        return next((note.message for note in found if "left out" in note.message), "")

    def engine(self) -> str:
        """What the engine says of itself as a whole."""
        return next((note.message for note in self._notes if note.keyword == "engine"), "")

    def loose(self, keyword: Keyword, through: Collection[str], escaped: bool) -> str:
        """That the mask does not, or not fully, enforce a keyword that the reference judge found
        broken; `through` are the keywords on the way to it. Notes about escaped keys count where
        one is on the way in the text, `escaped`."""
        loose = [
            note
            for note in self._notes
            if note.level in ("not-enforced", "partly") and (escaped or note.keyword != "escapes")
        ]
        near = [note for note in loose if related(note.pointer, keyword.pointer)]
        groups = (
            [note for note in near if note.keyword == keyword.keyword],
            near,
            [note for note in loose if note.keyword == keyword.keyword],
            [note for note in loose if note.keyword in through],
        )
        found = next((group[0].message for group in groups if group), "")
        return found or self.engine()

    def narrow(self, keyword: Keyword) -> str:
        """That the mask is narrower than the schema at a keyword, or inside or around it."""
        names = set(keyword.pointer.split("/")) | {keyword.keyword}
        names |= {other for name in names for other in _STANDS_FOR.get(name, ())}
        # How a text is spelled is looked for by itself.
        notes = [note for note in self._notes if note.keyword != "escapes"]
        near = [note for note in notes if note.pointer and related(note.pointer, keyword.pointer)]
        groups = (
            [note for note in near if note.keyword in names],
            [note for note in notes if note.keyword in names],
            near,
        )
        found = next((group[0].message for group in groups if group), "")
        return found or self.narrow_anywhere()

    def narrow_anywhere(self) -> str:
        """That the mask is narrower than the schema somewhere, for a reason beyond spelling."""
        return next((text for topic in NARROWING if (text := self.about(topic))), self.engine())


def related(note: str, keyword: str) -> bool:
    """One pointer is the other or leads into it; a note about `if` is about its branches too."""
    if note == keyword or note.startswith(f"{keyword}/") or keyword.startswith(f"{note}/"):
        return True
    if not note.endswith("/if"):
        return False
    beside = note.removesuffix("if")
    return keyword.startswith((f"{beside}then", f"{beside}else"))
