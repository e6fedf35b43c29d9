"""Remarks of a lowering: what the compiled constraint does not enforce, or narrows, in words."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

Level = Literal["not-enforced", "partly", "info", "warning"]


@dataclass(frozen=True, slots=True)
class Note:
    """One remark about one keyword of a constraint."""

    level: Level
    """`not-enforced`: the mask ignores the keyword; `partly`: it enforces a part, the message says
    which; `info`: the mask is narrower than the schema; `warning`: the schema itself is odd."""
    keyword: str
    """The JSON Schema keyword, or the topic: `order`, `escapes`, ..."""
    pointer: str
    """JSON pointer of the place in the schema; empty for the root and for the whole."""
    message: str
    """One or two sentences for people."""


MAX_LINES = 5
"""So many lines of a note that holds in many places are named."""


def gathered(
    notes: Iterable[Note], places: Mapping[str, tuple[int, int]] | None = None
) -> list[Note]:
    """The notes, those that say the same of several places as one at the first, which counts them.

    Args:
        notes: in the order in which they are shown.
        places: JSON pointer -> (line, column), to name lines; None where they have none.
    """
    groups: dict[tuple[Level, str, str], list[Note]] = {}
    for note in notes:
        groups.setdefault((note.level, note.keyword, note.message), []).append(note)
    return [
        note[0] if len(note) == 1 else replace(note[0], message=_counted(note, places or {}))
        for note in groups.values()
    ]


def _counted(notes: list[Note], places: Mapping[str, tuple[int, int]]) -> str:
    """The message of equal notes, with how many there are and where."""
    lines = sorted({places[note.pointer][0] for note in notes if note.pointer in places})
    shown = ", ".join(f"{line:,}" for line in lines[:MAX_LINES])
    rest = f" and {len(lines) - MAX_LINES:,} more" if len(lines) > MAX_LINES else ""
    where = f" (line{'s' if len(lines) > 1 else ''} {shown}{rest})" if lines else ""
    return f"In {len(notes):,} places{where}: {notes[0].message}"


def without_lines(notes: Iterable[Note]) -> tuple[Note, ...]:
    """The notes about a schema that the visitor never saw, without the lines that they begin with."""
    return tuple(replace(note, message=_LINE.sub("", note.message)) for note in notes)


_LINE = re.compile(r"^Line \d+: ")
