"""The standing remarks of a lowering: where the mask is narrower than the schema."""

from collections.abc import Iterable

from playground.constraints.jsonschema.limits import Limits
from playground.constraints.notes import Note


def _info(topic: str, message: str) -> Note:
    return Note("info", topic, "", message)


ORDER = _info("order", "Keys are offered in the schema's order, each once; JSON has no order.")
LISTED_ORDER = _info("order", "Listed objects are offered with their keys in the written order.")
EXTRA_KEYS = _info(
    "order", "Extra keys are offered after the named ones, without escapes; they may repeat."
)
OTHER_ORDER = _info(
    "order", "Keys of the other objects are offered in the schema's order, each once."
)
OTHER_EXTRA_KEYS = _info(
    "order",
    "Extra keys are offered without escapes, in the other objects after the named ones; they may "
    "repeat.",
)
UNORDERED = (
    "The object is too large for a fixed order: its keys may come in any order, and that a key is "
    "written twice is not prevented."
)
LIKE_LONG_NAMES = _info(
    "order", "Extra keys that begin like one of the longest names are not offered."
)
ESCAPES = _info(
    "escapes",
    "Keys, listed strings and strings with a pattern or format are offered in one spelling: "
    r"raw characters where JSON allows them, so é but not \u00e9.",
)
LONG_STRINGS = _info("escapes", r"Strings that are counted far offer no \uXXXX escapes.")
LISTED_INTEGERS = _info(
    "spelling", "Listed integers are offered in one spelling: 1, not 1.0 or 1e0."
)
LISTED_WHOLE = _info(
    "spelling",
    "Listed whole numbers that the schema writes with a point or an exponent are offered in two "
    "spellings: 1.0 or 1e0 as 1 and as 1.0.",
)
LISTED_FRACTIONS = _info(
    "spelling",
    "Listed fractions, and whole numbers from 1e21 on that the schema writes with an exponent, "
    "are offered in one spelling: 0.5, not 0.50 or 5e-1.",
)
INTEGERS = _info("spelling", "Integers are offered as digits only: 5, not 5.0 or 5e0.")
EXPONENTS = _info("spelling", "Exponents of numbers have at most two digits.")
PLAIN_NUMBERS = _info(
    "spelling", "Numbers with bounds or `multipleOf` are offered without exponents, 0 not as -0."
)
FORMATS = _info(
    "format", "`format` is enforced, in its usual spellings; many validators only remark on it."
)
NOT_INTEGER = _info("not", "Where an integer is ruled out, numbers with a fraction are too.")


def unevaluated(keyword: str) -> Note:
    return _info(keyword, f"`{keyword}` counts only what the chosen alternative looks at.")


def depth(limits: Limits) -> Note:
    return _info(
        "depth",
        f"Values without a schema are offered with at most {limits.any_depth} levels of arrays and "
        f"objects ({limits.extra_depth} in extra keys); deeper ones are valid too. Their strings "
        "use raw characters and short escapes.",
    )


def recursion(limits: Limits) -> Note:
    levels = "1 level" if limits.levels == 1 else f"{limits.levels} levels"
    return _info(
        "$ref",
        f"Recursive schemas are unrolled to {levels}: deeper values are valid, but the mask does "
        "not offer them.",
    )


def nesting(limits: Limits) -> Note:
    return _info(
        "depth", f"Deeper than {limits.nesting} levels optional parts are left out: too large."
    )


def agreeing(notes: Iterable[Note]) -> list[Note]:
    """The notes, what some say of all objects limited to those that others don't except."""
    listed = list(notes)
    if not any(note.message == UNORDERED for note in listed):
        return listed
    limited = {ORDER: OTHER_ORDER, EXTRA_KEYS: OTHER_EXTRA_KEYS}
    return [limited.get(note, note) for note in listed]
