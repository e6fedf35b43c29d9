"""Witnesses of keywords: pairs of a valid and an invalid text that differ in one keyword alone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from playground.constraints.child import run_child
from playground.constraints.limits import Limits
from playground.schema.generate import bounded

SECONDS = 1.2
"""Longest search for the witnesses of one schema."""
PAIRS = 5
"""So many pairs are sought for one keyword."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts, spelled as a mask offers them: keys in the schema's order, one space after a
    sign. Formats are asserted."""

    valid: str
    """Valid under the whole schema."""
    invalid: str
    """Invalid under it, valid where the one keyword forbids nothing. Of a pair that loosens:
    invalid, or empty where none was found."""
    kind: str
    """What was done to the valid one, in a few words."""


@dataclass(frozen=True, slots=True)
class Witnesses:
    """What was found for one keyword at one place."""

    pairs: tuple[Pair, ...]
    loosens: tuple[Pair, ...]
    """Only where there are no `pairs`: texts that are valid because of the keyword and would be
    invalid without it (inside `not` and `if`)."""
    why: str
    """Where there is neither: why, in a few words."""
    idle: str = ""
    """Where the keyword forbids nothing at its place: why, as the end of a sentence."""


def witnesses(
    schema_text: str,
    pointers: Sequence[str],
    *,
    pairs: int = PAIRS,
    seed: int = 0,
    masks: bool = True,
    whitespace: str = "one",
    seconds: float = SECONDS,
    limits: Limits | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> list[Witnesses]:
    """The witnesses of the keywords at `pointers`, one for each, all found in one child process.

    Args:
        schema_text: a JSON Schema that `source.parse` reads.
        pointers: JSON pointers of keywords, such as `/properties/age/minimum`.
        pairs: at most so many for each.
        seed: equal seeds give equal witnesses, as far as the time goes.
        masks: where there is no pair, compare the exact masks with and without the keyword.
        whitespace: `none` writes no blanks between the signs, else one.
        seconds: longest search; keywords that it does not come to say so in `why`.
        limits: of the child process; its time is that of the search.
        cancelled: asked every 20 ms.

    Raises:
        PlaygroundError: the schema leads outside its document, or a limit was reached.
        Cancelled: `cancelled` said so.
    """
    if not pointers:
        return []
    request = {
        "engine": "witness",
        "source": schema_text,
        "seed": seed,
        "pointers": list(pointers),
        "pairs": pairs,
        "masks": masks,
        "whitespace": whitespace,
        "seconds": seconds,
    }
    head, _ = run_child(request, bounded(limits, seconds), cancelled)
    return [
        Witnesses(
            tuple(Pair(*pair) for pair in found["pairs"]),
            tuple(Pair(*pair) for pair in found["loosens"]),
            found["why"],
            found["idle"],
        )
        for found in head["found"]
    ]


def closed(
    schema_text: str,
    places: Sequence[str],
    *,
    whitespace: str = "one",
    seconds: float = SECONDS,
    limits: Limits | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> set[str]:
    """The subschemas at these pointers to which the exact mask (engine `bytes`) leads no value: it
    is the same with `false` in their place. Those that were not found out are left out.

    Raises:
        PlaygroundError: the schema leads outside its document, or a limit was reached.
        Cancelled: `cancelled` said so.
    """
    if not places:
        return set()
    request = {
        "engine": "witness",
        "source": schema_text,
        "seed": 0,
        "places": list(places),
        "whitespace": whitespace,
        "seconds": seconds,
    }
    head, _ = run_child(request, bounded(limits, seconds), cancelled)
    return set(head["closed"])
