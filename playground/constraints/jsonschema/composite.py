"""Facts about arrays and objects become pieces: which schemas apply to which item and key."""

from collections.abc import Hashable, Iterator, Sequence, Set
from itertools import product

from playground.constraints.jsonschema import arrays, keys, objects
from playground.constraints.jsonschema.charset import in_json
from playground.constraints.jsonschema.facts import Contains, Facts, ObjectLayer
from playground.constraints.jsonschema.jsontext import in_quotes
from playground.constraints.jsonschema.lowering import ENDLESS, TOO_DEEP, Lowering
from playground.constraints.jsonschema.matching import matches
from playground.constraints.jsonschema.pattern import Required, Untranslatable, parse
from playground.constraints.jsonschema.piece import Piece, either, repeat, seq
from playground.constraints.jsonschema.refs import Sub
from playground.constraints.jsonschema.rx import NEVER, alt, one_of, spell
from playground.constraints.jsonschema.strings import meet

MAX_PATTERNS = 4
"""Key patterns of one object that are combined; each doubles the classes of keys."""

MAX_DOUBLED = 2_000
"""Where order is given up, objects of optional properties keep it up to so many states."""


def array(lowering: Lowering, facts: Facts) -> Piece | None:
    """The arrays that satisfy the facts; None when there are none."""
    low, high = lowering.counted(facts, facts.min_items, facts.max_items, "Items")
    if facts.unique is not None and (high is None or high > 1):
        message = "`uniqueItems` is NOT enforced: equal items can't be told by a finite automaton."
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
        lowering.reasons.append((facts.pointers.get("minItems", ""), "no array has so many items"))
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
    if single is not None and (single.least, single.most, low, high, prefix) == (
        1,
        None,
        0,
        None,
        [],
    ):
        if found[0] is not None and rest is not None:
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
        lowering.reasons.append((contains[0].pointer, "no item satisfies `contains`"))
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


def members(lowering: Lowering, facts: Facts) -> Piece | None:
    """The objects that satisfy the facts; None when there are none."""
    names = dict.fromkeys(name for layer in facts.objects for name in layer.properties)
    names |= dict.fromkeys(facts.required)
    named, shown = [], []
    for name in names:
        required = name in facts.required
        value = _named_value(lowering, facts, name)
        if value is None:
            if required:
                return None
            _note_left_out(lowering, facts, name)
            continue
        shown.append(name)
        named.append(objects.Member(lowering.text.key(name), value, required))
    if shown:
        lowering.note_escapes()
    extra = _extra(lowering, facts, list(names))
    found = objects.Members(tuple(named), extra)
    if not lowering.limits.ordered and not any(member.required for member in named):
        if sum(member.value.cost for member in named) > MAX_DOUBLED:
            return _unordered(lowering, facts, found)
    if len(shown) > 1:
        message = "Keys are offered in the schema's order, each once; JSON itself has no order."
        lowering.note("info", "order", "", message)
    low, high = facts.min_properties, facts.max_properties
    if low > 1 and extra is not None:
        message = "`minProperties` counts written keys; an extra key that is repeated counts twice."
        lowering.note("partly", "minProperties", facts.pointers["minProperties"], message)
    try:
        piece = objects.counted(lowering.text, found, low, high)
    except ValueError:
        where = facts.pointers.get("minProperties", facts.pointers.get("maxProperties", ""))
        lowering.reasons.append((where, "no object has so many properties"))
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
    message = (
        "The object is too large for a fixed order: its keys may come in any order, and that a "
        "key is written twice is not prevented."
    )
    lowering.note("partly", "properties", pointer.rpartition("/")[0], message)
    _note_uncounted(lowering, facts)
    return objects.unordered(lowering.text, found)


def _note_left_out(lowering: Lowering, facts: Facts, name: str) -> None:
    for layer in facts.objects:
        sub = layer.properties.get(name)
        if sub is not None and sub.schema is not False and sub.pointer and lowering.reasons:
            where, why = lowering.reasons[-1]
            if why in (ENDLESS, TOO_DEEP):
                return
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
        lowering.reasons.append((facts.names[0].pointer, f'"{name}" fails `propertyNames`'))
        return None
    return lowering.value(subs, lowering.limits.any_depth)


def _extra(lowering: Lowering, facts: Facts, names: list[str]) -> Piece | None:
    """Key and value of a member beside the named ones; None when there can't be one."""
    patterns = list(dict.fromkeys(p for layer in facts.objects for p, _ in layer.patterns))
    if len(patterns) > MAX_PATTERNS:
        return _closed(lowering, facts, "there are too many key patterns")
    parts = []
    for held in product((True, False), repeat=len(patterns)):
        inside = {pattern for pattern, yes in zip(patterns, held, strict=True) if yes}
        subs = _extra_subs(facts, inside)
        if any(sub.schema is False for sub in subs):
            continue
        depth = lowering.limits.extra_depth if names else lowering.limits.any_depth - 1
        value = lowering.value(subs, depth)
        if value is None:
            continue
        try:
            key = _extra_key(lowering, facts, names, patterns, inside)
        except Untranslatable as error:
            return _closed(lowering, facts, str(error))
        if key is not None:
            parts.append(seq(key, lowering.text.colon, value))
    return either(*parts) if parts else None


def _closed(lowering: Lowering, facts: Facts, why: str) -> None:
    subs = [*facts.names, *(sub for layer in facts.objects for _, sub in layer.patterns)]
    message = f"Extra keys are valid here, but the mask offers none: {why}."
    lowering.note("info", "order", subs[0].pointer, message)


def _extra_subs(facts: Facts, inside: set[str]) -> list[Sub]:
    subs: list[Sub] = []
    evaluated: set[object] = set()
    for layer in facts.objects:
        found = _matched(layer, inside)
        if not found and layer.additional is not None:
            found = [layer.additional]
        if found:
            evaluated |= layer.scopes
        subs.extend(found)
    return subs + [scope.sub for scope in facts.property_scopes if scope.key not in evaluated]


def _matched(layer: ObjectLayer, inside: set[str]) -> list[Sub]:
    return [sub for pattern, sub in layer.patterns if pattern in inside]


def _extra_key(
    lowering: Lowering, facts: Facts, names: list[str], patterns: Sequence[str], inside: set[str]
) -> Piece | None:
    """The keys that match the patterns inside, none of the others, and are no named key.

    Raises:
        Untranslatable: a pattern or `propertyNames` can't be expressed.
    """
    if not patterns and not facts.names:
        if not names:
            return lowering.text.any_string()
        message = "Extra keys come after the named ones, without escapes; they may repeat."
        lowering.note("info", "order", "", message)
        return keys.any_but(tuple(names))[0]
    required: list[Required] = []
    for pattern in patterns:
        found = parse(pattern, wide=pattern not in inside)
        if pattern in inside:
            required.extend(found)
        elif len(found) > 1:
            raise Untranslatable("the complement of a key pattern can't be expressed")
        else:
            required.append(Required(found[0].node, not found[0].negated))
    clash = [n for n in names if all(matches(p, n, wide=True) is not False for p in inside)]
    if clash:
        required.append(Required(one_of(clash), negated=True))
    trees = []
    for allowed, low, high in _names(lowering, facts):
        tree = meet((*required, *allowed), low, high)
        if tree is None:
            raise Untranslatable("the keys left over are too many to tell apart")
        trees.append(tree)
    tree = alt(*trees)
    return None if tree == NEVER else in_quotes(spell(tree, in_json))


def _names(
    lowering: Lowering, facts: Facts
) -> Iterator[tuple[tuple[Required, ...], int, int | None]]:
    """What `propertyNames` asks of a key, as alternatives: languages and a length.

    Raises:
        Untranslatable: a part of it can't be expressed.
    """
    before = len(lowering.notes)
    for asked in lowering.expander.branches(facts.names):
        if asked.enums:
            listed = [value for value in asked.enums[0][0] if isinstance(value, str)]
            judge = lowering.references.accepts
            fits = [v for v in listed if all(judge(sub, v) for sub in facts.names)]
            yield (Required(one_of(fits)),), 0, None
        elif "string" in asked.types:
            demands = tuple(each for demand in asked.demands for each in demand.languages)
            yield demands, asked.min_length, asked.max_length
    if len(lowering.notes) > before:
        raise Untranslatable("`propertyNames` can't be enforced in full")
