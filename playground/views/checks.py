"""A check of a claim in words: what was wanted, and what was found."""

from collections.abc import Mapping

from playground.record import Document


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
