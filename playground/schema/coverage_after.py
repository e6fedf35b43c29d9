"""Rows of coverage that other rows, or the place where they stand, explain."""

from collections.abc import Callable, Sequence
from typing import Any

from playground.constraints.instances.goals import Map, outer
from playground.constraints.jsonschema.keywords import HOLDERS, REFERENCES
from playground.constraints.limits import Limits
from playground.constraints.notes import Note
from playground.errors import BudgetExceeded, UnsupportedSchema
from playground.schema.coverage_words import BLOCKED
from playground.schema.witness import closed

SECONDS = 1.0
"""Longest search for the places that a mask never comes to."""
_CUTS = ("depth", "$ref")
"""Topics of notes about values that a mask leaves out because they are deep."""

Row = dict[str, Any]


def blame_inside(rows: list[Row], places: Map) -> None:
    """Where a keyword that holds schemas leaks by a keyword inside that leaks, say so of that one:
    it is enforced itself as far as it forbids anything, if any text shows that it does."""
    for row in rows:
        held = sum(not ask["invalid_allowed"] for ask in row["witnesses"])
        if row["keyword"] not in HOLDERS or row["status"] not in ("partly", "not enforced"):
            continue
        if row["decided_by"] != "witnesses" or held == len(row["witnesses"]):
            continue
        starts = [f"{row['pointer']}/"]
        for other in rows:
            if other["keyword"] in REFERENCES and other["pointer"].startswith(
                (*starts, row["pointer"])
            ):
                ref = places.at(other["pointer"])
                target = places.target(ref) if isinstance(ref, str) else None
                starts += [] if target is None else [f"{target}/"]
        inside = [
            other["keyword"]
            for other in rows
            if other["status"] in ("partly", "not enforced")
            and other["keyword"] not in HOLDERS
            and other["pointer"].startswith(tuple(starts))
        ]
        if inside:
            names = ", ".join(f"`{name}`" for name in dict.fromkeys(inside))
            count = len(row["witnesses"]) - held
            row["status"] = "enforced" if held else "partly"
            blocked = f"{held} texts that break it are blocked; " if held else "Of those tried, "
            row["how"] = f"{blocked}{count} pass by what is not enforced inside it: {names}."


def settle_blocked(
    rows: list[Row],
    schema_text: str,
    whitespace: str,
    notes: Sequence[Note],
    seconds: float,
    limits: Limits | None,
    cancelled: Callable[[], bool] | None,
) -> None:
    """Where an exact mask blocks the valid texts as well, see whether it ever comes to the place:
    if not, nothing that breaks the keyword passes. `seconds`: longest search."""
    blocked = [row for row in rows if row["status"] == "undecided" and BLOCKED in row["how"]]
    wanted = list(dict.fromkeys(outer(row["pointer"]) for row in blocked))
    try:
        found = closed(
            schema_text,
            wanted,
            whitespace=whitespace,
            seconds=min(seconds, SECONDS),
            limits=limits,
            cancelled=cancelled,
        )
    except (UnsupportedSchema, BudgetExceeded):
        return
    cut = next((note.message for note in notes if note.keyword in _CUTS), "")
    for row in blocked:
        if outer(row["pointer"]) in found:
            row["status"] = "enforced"
            row["how"] = f"The mask leads to no value at this place, valid or not. {cut}".strip()
