"""Claims held against recorded numbers: each of its checks has to be proved by them."""

from collections.abc import Mapping
from dataclasses import dataclass

from playground.errors import PlaygroundError
from playground.exact.interval import Interval
from playground.lessons.facts import FACTS, Value, value_of
from playground.lessons.lesson import Check, Claim, Lesson
from playground.record import Document, number

ULPS = 1e-9
"""Relative distance within which two floats that were worked out in another order are one."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What became of one check."""

    check: Check
    found: Value | None
    """None where it can't be read."""
    holds: bool
    why: str = ""
    """Why it can't be read."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What became of one claim."""

    claim: Claim
    checks: tuple[Checked, ...]

    @property
    def holds(self) -> bool:
        """All of its checks do."""
        return all(each.holds for each in self.checks)


def proofs(lesson: Lesson, scenes: Mapping[str, Document]) -> list[Proof]:
    """Every claim of a lesson against the recorded scenes by name; what isn't recorded isn't proved."""
    return [
        Proof(
            claim,
            tuple(_checked(check, scenes, check.scene or lesson.first) for check in claim.checks),
        )
        for claim in lesson.claims
    ]


def _checked(check: Check, scenes: Mapping[str, Document], name: str) -> Checked:
    scene = scenes.get(name)
    if scene is None:
        return Checked(check, None, False, f"The scene {name} isn't recorded. Record the lesson.")
    try:
        found = value_of(scene, check.fact, check.step, check.of)
    except PlaygroundError as error:
        return Checked(check, None, False, str(error))
    return Checked(check, found, holds(check, found))


def holds(check: Check, found: Value) -> bool:
    """Whether what was found proves the check: of a number, both of its bounds do."""
    value = check.value
    if not isinstance(found, Interval):
        return check.relation == "is" and type(value) is type(found) and value == found
    if isinstance(value, bool | str):
        return False
    match check.relation:
        case "<":
            return found.upper < value
        case ">":
            return found.lower > value
        case "near":
            return value - check.within <= found.lower and found.upper <= value + check.within
        case "is":
            room = ULPS * max(1.0, abs(value))
            return value - room <= found.lower and found.upper <= value + room


def proof_document(proof: Proof) -> Document:
    """A proof as JSON: `{"text", "holds", "checks": [{..., "about", "found", "holds", "why"}]}`."""
    return {
        "text": proof.claim.text,
        "holds": proof.holds,
        "checks": [
            {
                **each.check.model_dump(mode="json"),
                "about": FACTS[each.check.fact].about,
                "found": found_document(each.found),
                "holds": each.holds,
                "why": each.why,
            }
            for each in proof.checks
        ],
    }


def found_document(found: Value | None) -> Document | str | bool | None:
    """A fact as JSON: bounds of a number, null where one is infinite."""
    if isinstance(found, Interval):
        return {"lower": number(found.lower), "upper": number(found.upper)}
    return found
