"""Facts about arrays become pieces: which schemas apply to which item, and `contains`."""

from collections.abc import Hashable, Sequence, Set

from playground.constraints.jsonschema import arrays
from playground.constraints.jsonschema.facts import Contains, Facts
from playground.constraints.jsonschema.lowering import Lowering
from playground.constraints.jsonschema.piece import Piece, either, repeat, seq
from playground.constraints.jsonschema.refs import Sub


def array(lowering: Lowering, facts: Facts) -> Piece | None:
    """The arrays that satisfy the facts; None when there are none."""
    low, high = lowering.counted(facts, facts.min_items, facts.max_items, "Items")
    if facts.unique is not None and (high is None or high > 1):
        message = "`uniqueItems` is NOT enforced: this automaton doesn't remember which items came before."
        lowering.note("not-enforced", "uniqueItems", facts.unique, message)
    count = max((len(layer.prefix) for layer in facts.arrays), default=0)
    if high is not None:
        count = min(count, high)
    prefix = []
    for index in range(count):
        item = lowering.value(_item(facts, index), lowering.limits.any_depth - 1)
        if item is None:
            high = index if high is None else min(high, index)
            break
        prefix.append(item)
    rest_subs = _item(facts, None)
    rest = None
    if high is None or high > len(prefix):
        rest = lowering.value(rest_subs, lowering.limits.any_depth - 1)
    contains = [each for each in facts.contains if each.least > 0 or each.most is not None]
    if contains:
        return _containing(lowering, facts, contains, prefix, rest, (low, high))
    piece = arrays.piece(lowering.text, prefix, rest, low, high)
    if piece is None and rest is not None:
        lowering.refuse(facts.pointers.get("minItems", ""), "no array has so many items")
    return piece


def _item(facts: Facts, index: int | None, evaluated: Set[Hashable] = frozenset()) -> list[Sub]:
    """The schemas of one item; None: of the items behind every prefix."""
    subs = []
    for layer in facts.arrays:
        if index is not None and index < len(layer.prefix):
            subs.append(layer.prefix[index])
            evaluated = evaluated | layer.scopes
        elif layer.rest is not None:
            subs.append(layer.rest)
            evaluated = evaluated | layer.scopes
    return subs + [scope.sub for scope in facts.item_scopes if scope.key not in evaluated]


def _containing(
    lowering: Lowering,
    facts: Facts,
    contains: Sequence[Contains],
    prefix: Sequence[Piece],
    rest: Piece | None,
    count: tuple[int, int | None],
) -> Piece | None:
    """Arrays with `contains`: the items asked for come right after the prefix, before others."""
    text, (low, high), depth = lowering.text, count, lowering.limits.any_depth - 1
    found = [lowering.value([*_item(facts, None, c.scopes), c.sub], depth) for c in contains]
    single = contains[0] if len(contains) == 1 else None
    counts = (low, high, len(prefix), contains[0].least, contains[0].most)
    if single and found[0] and rest and counts == (0, None, 0, 1, None):
        before = repeat(seq(rest, text.comma), 0, None)
        after = repeat(seq(text.comma, rest), 0, None)
        return text.array(seq(before, found[0], after), False)
    first = [part for part, each in zip(found, contains, strict=True) for _ in range(each.least)]
    least = len(prefix) + len(first)
    capped = any(each.most is not None for each in contains)
    if len(first) > 20 or (high is not None and high < least) or (capped and single is None):
        return _without_contains(lowering, contains, prefix, rest, count)
    known = [part for part in first if part is not None]
    if len(known) < len(first):
        lowering.refuse(contains[0].pointer, "no item satisfies `contains`")
        return None
    message = "Items that satisfy `contains` are offered first; valid arrays may have them later."
    lowering.note("info", "contains", contains[0].pointer, message)
    if single is None or single.most is None:
        return arrays.piece(text, [*prefix, *known], rest, max(low, least), high)
    others = lowering.expander.complement(single.sub)
    if others is None or single.most > 20 or found[0] is None:
        return _without_contains(lowering, contains, prefix, rest, count)
    plain = [lowering.value([*_item(facts, None), *way], depth) for way in others]
    fails = [part for part in plain if part is not None]
    rest = either(*fails) if fails else None
    ways = []
    for times in range(single.least, single.most + 1):
        if high is None or len(prefix) + times <= high:
            begin = [*prefix, *[found[0]] * times]
            ways.append(arrays.piece(text, begin, rest, max(low, len(begin) if times else 0), high))
    kept = [way for way in ways if way is not None]
    return either(*kept) if kept else None


def _without_contains(
    lowering: Lowering,
    contains: Sequence[Contains],
    prefix: Sequence[Piece],
    rest: Piece | None,
    count: tuple[int, int | None],
) -> Piece | None:
    for each in contains:
        message = "`contains` is NOT enforced: its counts can't be met in a fixed order here."
        lowering.note("not-enforced", "contains", each.pointer, message)
    return arrays.piece(lowering.text, prefix, rest, *count)
