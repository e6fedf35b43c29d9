"""A check of a claim in words: what was wanted, and what was found."""

import math
from collections.abc import Mapping

from playground.record import Document
from playground.views.numbers import probability

MOST_DIGITS = 4
"""Significant digits of a number beside its claim."""
ROUNDING = 1e-6
"""A tolerance that stands for the rounding of sums, and isn't printed; nor is one beside `1 in 28,000`."""
CHANCES = frozenset(
    {
        "z",
        "least-z",
        "product-of-z",
        "Z",
        "p",
        "argmax-p",
        "taken-p",
        "after-mask",
        "p-of",
        "exact-of",
        "masked-of",
    }
)
"""Facts that are chances: below 1 in 10,000 they print as `1 in 28,000`."""
SUBJECTS = {
    "argmax-p": "the model's first choice has p",
    "taken-p": "the token taken has model p",
    "p": "{of} has model p",
    "after-mask": "{of} has after the mask",
    "rank": "{of} is the model's choice number",
    "token-allowed": "the mask keeps {of}:",
    "exact-next": "{of} has by p_V's own law of the next token",
    "p-of": "{of} has model p",
    "exact-of": "{of} has p_V",
    "masked-of": "{of} has after the mask (p~)",
    "squeeze-of": "s of {of}, how many times too often, is",
    "verdict": "the reference judge says of {of}:",
    "mask-verdict": "the mask says of {of}:",
    "drawn": "draws by {of}:",
    "accepted": "valid draws by {of}:",
    "share-of-draws": "share of the valid draws, by method and text, of {of}:",
    "least-z": "the smallest Z_t of the run is",
}
"""How the sentence of a fact begins, where its description alone can't be one."""


def said(check: Document) -> str:
    """A check as a sentence: `step 1: the model's first choice has p 0.629 ± 0.01 (found 0.629)`.

    Numbers have the digits that the check's own tolerance can tell apart, at most MOST_DIGITS.
    """
    fact, of = str(check["fact"]), f"“{check['of'][:60]}”"
    about = str(check.get("about") or fact).split(": ")[0]
    subject = SUBJECTS.get(fact, about + (" of {of}:" if check["of"] else ":")).replace("{of}", of)
    where = [f"step {check['step'] + 1}"] if check["step"] is not None else []
    where += [f"scene {check['scene']}"] if check["scene"] is not None else []
    relation = {"<": "below ", ">": "above "}.get(str(check["relation"]), "")
    want = relation + _short(check, check["value"])
    near = check["relation"] == "near" and check["within"] > ROUNDING and "1 in" not in want
    want += f" ± {check['within']:g}" if near else ""
    place = f"{', '.join(where)}: " if where else ""
    return f"{place}{subject} {want} ({_short_found(check)})"


def _short_found(check: Document) -> str:
    value = check["found"]
    if value is None:
        return f"nothing found: {check['why']}"
    if not isinstance(value, Mapping):
        return f"found {_short(check, value)}"
    low, high = value["lower"], value["upper"]
    if low is None or high is None:
        return "found no bound" if low is high else _open(check, low, high)
    first, last = _short(check, float(low)), _short(check, float(high))
    return f"found {first}" if first == last else f"found {first} to {last}"


def _open(check: Document, low: float | None, high: float | None) -> str:
    """Bounds of which one is infinite."""
    if low is not None:
        return f"found at least {_short(check, float(low))}"
    return f"found at most {_short(check, float(high or 0.0))}"


def _short(check: Document, value: object) -> str:
    """A value with no more digits than the check's tolerance can tell."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, float | int):
        return f"“{value}”"
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    if check["fact"] in CHANCES and 0 < value < 1e-4:
        return probability(float(value))
    digits = MOST_DIGITS
    if check["relation"] == "near":
        told = math.floor(math.log10(abs(value))) - math.floor(math.log10(check["within"])) + 2
        digits = min(MOST_DIGITS, max(2, told))
    whole = abs(value) >= 1_000
    return f"{value:,.0f}" if whole else f"{float(f'{value:.{digits}g}'):.{digits}g}"


def wanted(check: Document) -> str:
    """What a check is about and what it wants: `p of 'A' at step 0 near 0.9 within 1e-09`."""
    what = str(check["fact"])
    if check["of"]:
        what += f" of {check['of'][:60]!r}"
    if check["step"] is not None:
        what += f" at step {check['step']}"
    if check["scene"] is not None:
        what += f" in {check['scene']}"
    within = f" within {check['within']:g}" if check["relation"] == "near" else ""
    return f"{what} {check['relation']} {_value(check['value'])}{within}"


def found(check: Document) -> str:
    """What was found: one number, the bounds it lies between, a text, or why there is none."""
    value = check["found"]
    if value is None:
        return f"nothing: {check['why']}"
    if not isinstance(value, Mapping):
        return _value(value)
    lower, upper = (
        infinite if value[side] is None else value[side]
        for side, infinite in (("lower", float("-inf")), ("upper", float("inf")))
    )
    low, high = f"{lower:.9g}", f"{upper:.9g}"
    return low if low == high else f"between {low} and {high}"


def _value(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.9g}"
    return repr(value)
