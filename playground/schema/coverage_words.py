"""What coverage says of one keyword whose witnesses were asked, in plain words."""

from collections.abc import Sequence
from typing import Any

from playground.constraints.words import shortened
from playground.schema.witness import Pair

Row = dict[str, Any]

ONE_PASSES = "The text that breaks it passes"
IGNORED = "The mask ignores it. "
BLOCKED = "the mask blocks every valid text that was tried as well, such as "


def undecided(why: str) -> Row:
    """The row of a keyword about which nothing was found out."""
    how = f"Undecided: {why.rstrip('.')}."
    return {"status": "undecided", "how": how, "decided_by": "no witness found", "witnesses": []}


def forbidding(pairs: Sequence[Pair], asked: Sequence[Row]) -> tuple[str, str]:
    """Of a keyword that forbids: which of the invalid texts the mask lets through."""
    through = [pair for pair, ask in zip(pairs, asked, strict=True) if ask["invalid_allowed"]]
    held = [ask for ask in asked if ask["valid_allowed"] and not ask["invalid_allowed"]]
    blocked = list(dict.fromkeys(ask["valid"] for ask in asked if not ask["valid_allowed"]))
    strict = f" Stricter: it also blocks the valid {shown(blocked[0])}." if blocked else ""
    if through and held:
        kinds = ", ".join(dict.fromkeys(pair.kind for pair in through))
        return "partly", f"{len(through)} of {len(asked)} invalid texts pass ({kinds}).{strict}"
    if through:
        every = "All" if len(through) == len(asked) else f"{len(through)} of"
        what = f"{every} {len(asked)} texts that break it pass" if len(asked) > 1 else ONE_PASSES
        return "not enforced", f"{IGNORED}{what}.{strict}"
    if not held:
        return "undecided", f"Undecided: {BLOCKED}{shown(blocked[0])}."
    what = "texts that break it alone are" if len(asked) > 1 else "text that breaks it alone is"
    return "enforced", f"{len(asked)} {what} blocked.{strict}"


def loosening(pairs: Sequence[Pair], asked: Sequence[Row]) -> tuple[str, str]:
    """Of a keyword that only allows more (inside `not` or `if`): whether the mask does, too."""
    allowed = [ask for ask in asked if ask["valid_allowed"]]
    wrong = [ask for ask in asked if ask["invalid_allowed"]]
    if wrong:
        return (
            "not enforced",
            f"What it is a part of is not enforced: {shown(wrong[0]['invalid'])}.",
        )
    blocked = next((ask["valid"] for ask in asked if not ask["valid_allowed"]), None)
    if blocked is None:
        return "enforced", "It only loosens the schema, and what it allows is allowed."
    strict = f"Stricter: the valid {shown(blocked)} is blocked."
    return ("partly" if allowed else "undecided"), f"It only loosens the schema. {strict}"


def shown(text: str) -> str:
    """The text, shortened, within quotes."""
    return shortened(text.encode("utf-8", "surrogatepass"))
