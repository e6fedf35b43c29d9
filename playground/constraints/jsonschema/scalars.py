"""Facts about numbers, strings, booleans and null become pieces."""

from playground.constraints.jsonschema import numbers, ranges, remarks, strings
from playground.constraints.jsonschema.charset import raw
from playground.constraints.jsonschema.facts import Facts
from playground.constraints.jsonschema.lowering import Lowering
from playground.constraints.jsonschema.piece import Piece, either, literal
from playground.constraints.jsonschema.rx import NEVER, spell


def null(lowering: Lowering, facts: Facts) -> Piece | None:
    return literal("null")


def boolean(lowering: Lowering, facts: Facts) -> Piece | None:
    return either(literal("true"), literal("false"))


def number(lowering: Lowering, facts: Facts) -> Piece | None:
    """The numbers that satisfy the facts; None when there are none."""
    asked = numbers.NumberRange(facts.integer, facts.bounds, tuple(facts.multiples))
    tree, enforced = numbers.language(asked)
    left_out = numbers.left_out(asked)
    for value, pointer in facts.multiples.items():
        if not enforced:
            message = f"`multipleOf` {value} is NOT enforced: its automaton would be too large."
            lowering.note("not-enforced", "multipleOf", pointer, message)
        elif left_out is not None:
            before, after = left_out
            message = (
                f"Longer multiples are valid too, but those with a point are offered with at most "
                f"{before} digits before it and {after} after it."
            )
            lowering.note("info", "multipleOf", pointer, message)
    for side, cut in zip(("inimum", "aximum"), numbers.drawn_in(facts.bounds), strict=True):
        if cut:
            named = (f"m{side}", f"exclusiveM{side}")
            keyword = next((each for each in named if each in facts.pointers), named[0])
            message = "Numbers beyond 10^25 are valid here, but the mask does not offer them."
            lowering.note("info", keyword, facts.pointers.get(keyword, facts.pointer), message)
    if facts.integer:
        lowering.remark(remarks.INTEGERS)
    elif facts.bounds == ranges.Bounds() and not facts.multiples:
        lowering.remark(remarks.EXPONENTS)
    else:
        lowering.remark(remarks.PLAIN_NUMBERS)
    if tree == NEVER:
        places = [*facts.pointers.values(), *facts.multiples.values(), facts.pointer]
        lowering.refuse(places[0], "no number lies within the bounds")
        return None
    return spell(tree, raw)


def string(lowering: Lowering, facts: Facts) -> Piece | None:
    """The strings that satisfy the facts; None when there are none."""
    low, high = lowering.counted(facts, facts.min_length, facts.max_length, "Length")
    if facts.demands:
        return _demanding(lowering, facts, low, high)
    if high is not None and high < low:
        lowering.refuse(facts.pointers.get("minLength", ""), "`minLength` is above `maxLength`")
        return None
    if max(low, high or 0) > strings.FULL_COUNT:
        lowering.remark(remarks.LONG_STRINGS)
    return strings.piece(None, low, high)


def _demanding(lowering: Lowering, facts: Facts, low: int, high: int | None) -> Piece | None:
    """A string with a pattern, a format or excluded values."""
    found = strings.met(facts.demands, low, high, lowering.limits.pattern)
    lowering.remark(remarks.ESCAPES)
    if found.piece is None:
        lowering.refuse(facts.demands[0].pointer, "no string satisfies its keywords together")
    for demand in found.loose:
        message = f"`{demand.keyword}` is NOT enforced: its automaton would be too large."
        lowering.note("not-enforced", demand.keyword, demand.pointer, message)
    for demand in found.partial:
        message = f"`{demand.keyword}` is enforced without some of its look-aheads: too large."
        lowering.note("partly", demand.keyword, demand.pointer, message)
    for keyword in found.dropped:
        message = f"`{keyword}` is NOT enforced beside the pattern or format: too large together."
        lowering.note("partly", keyword, facts.pointers.get(keyword, ""), message)
    return found.piece
