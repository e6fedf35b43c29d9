"""Facts about objects become pieces: which schemas apply to which named property."""

from playground.constraints.jsonschema import objects, remarks
from playground.constraints.jsonschema.extra import extra_member
from playground.constraints.jsonschema.facts import Facts
from playground.constraints.jsonschema.lowering import ENDLESS, TOO_DEEP, Lowering
from playground.constraints.jsonschema.matching import matches
from playground.constraints.jsonschema.piece import Piece
from playground.constraints.jsonschema.refs import Sub

MAX_DOUBLED = 2_000
"""Where order is given up, objects of optional properties keep it up to so many states."""


def members(lowering: Lowering, facts: Facts) -> Piece | None:
    """The objects that satisfy the facts; None when there are none."""
    if facts.open_type is not None and len(facts.types) > 1:
        message = "No `type` stands beside `properties`: values that are no objects are valid too."
        lowering.note("warning", "type", facts.open_type, message)
    names = dict.fromkeys(name for layer in facts.objects for name in layer.properties)
    names |= dict.fromkeys(facts.required)
    named = []
    for name in names:
        required = name in facts.required
        value = _named_value(lowering, facts, name)
        if value is None:
            if required:
                return None
            _note_left_out(lowering, facts, name)
            continue
        named.append(objects.Member(lowering.text.key(name), value, required))
    if named:
        lowering.remark(remarks.ESCAPES)
    extra = extra_member(lowering, facts, list(names))
    found = objects.Members(tuple(named), extra)
    optional = not any(member.required for member in named)
    heavy = sum(member.value.cost for member in named) > MAX_DOUBLED
    if optional and heavy and not lowering.limits.ordered:
        return _unordered(lowering, facts, found)
    if len(named) > 1:
        lowering.remark(remarks.ORDER)
    low, high = facts.min_properties, facts.max_properties
    if low > 1 and extra is not None:
        message = "`minProperties` counts written keys; an extra key that is repeated counts twice."
        lowering.note("partly", "minProperties", facts.pointers["minProperties"], message)
    try:
        piece = objects.counted(lowering.text, found, low, high)
    except ValueError:
        where = facts.pointers.get("minProperties", facts.pointers.get("maxProperties", ""))
        lowering.refuse(where, "no object has so many properties")
        return None
    if piece is None:
        _note_uncounted(lowering, facts)
        piece = objects.piece(lowering.text, found)
    return piece


def _note_uncounted(lowering: Lowering, facts: Facts) -> None:
    for keyword in ("minProperties", "maxProperties"):
        if keyword in facts.pointers:
            message = f"`{keyword}` is NOT enforced: too many subsets of properties to write out."
            lowering.note("not-enforced", keyword, facts.pointers[keyword], message)


def _unordered(lowering: Lowering, facts: Facts, found: objects.Members) -> Piece:
    pointer = next(sub.pointer for layer in facts.objects for sub in layer.properties.values())
    where = pointer.rpartition("/")[0]
    lowering.note("partly", "properties", where, remarks.UNORDERED)
    _note_uncounted(lowering, facts)
    return objects.unordered(lowering.text, found)


def _note_left_out(lowering: Lowering, facts: Facts, name: str) -> None:
    subs = [layer.properties[name] for layer in facts.objects if name in layer.properties]
    why = lowering.reasons[-1][1]
    if why in (ENDLESS, TOO_DEEP) or any(sub.schema is False for sub in subs):
        return
    for sub in subs:
        message = f'The optional property "{name}" can never be valid ({why}) and is left out.'
        lowering.note("warning", "properties", sub.pointer, message)


def _named_value(lowering: Lowering, facts: Facts, name: str) -> Piece | None:
    """The value of a named property: every layer's schemas for this name together."""
    subs: list[Sub] = []
    evaluated: set[object] = set()
    for layer in facts.objects:
        found = [layer.properties[name]] if name in layer.properties else []
        sure = bool(found)
        for pattern, sub in layer.patterns:
            # Where the readings of a pattern differ, both outcomes must be safe.
            if matches(pattern, name, wide=True) is not False:
                found.append(sub)
            sure |= matches(pattern, name) is True
        if not sure and layer.additional is not None:
            found.append(layer.additional)
        if sure or layer.additional is not None:
            evaluated |= layer.scopes
        subs.extend(found)
    subs.extend(scope.sub for scope in facts.property_scopes if scope.key not in evaluated)
    if any(not lowering.references.accepts(sub, name) for sub in facts.names):
        lowering.refuse(facts.names[0].pointer, f'"{name}" fails `propertyNames`')
        return None
    return lowering.value(subs, lowering.limits.any_depth)
