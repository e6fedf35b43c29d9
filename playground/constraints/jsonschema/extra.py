"""Members beside the named ones: the classes of keys that patterns make, each with its values."""

from collections.abc import Iterator, Sequence
from itertools import product

from playground.constraints.jsonschema import keys, remarks
from playground.constraints.jsonschema.charset import in_json
from playground.constraints.jsonschema.facts import Facts, ObjectLayer
from playground.constraints.jsonschema.jsontext import in_quotes
from playground.constraints.jsonschema.lowering import Lowering
from playground.constraints.jsonschema.matching import matches
from playground.constraints.jsonschema.pattern import Required, Untranslatable, parse
from playground.constraints.jsonschema.piece import Piece, either, seq
from playground.constraints.jsonschema.refs import Sub
from playground.constraints.jsonschema.rx import NEVER, alt, one_of, spell
from playground.constraints.jsonschema.strings import meet

MAX_PATTERNS = 4
"""Key patterns of one object that are combined; each doubles the classes of keys."""


def extra_member(lowering: Lowering, facts: Facts, names: list[str]) -> Piece | None:
    """Key and value of a member beside the named ones; None when there can't be one."""
    patterns = list(dict.fromkeys(p for layer in facts.objects for p, _ in layer.patterns))
    if len(patterns) > MAX_PATTERNS:
        _note_closed(lowering, facts, "there are too many key patterns")
        return None
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
            _note_closed(lowering, facts, str(error))
            return None
        if key is not None:
            parts.append(seq(key, lowering.text.colon, value))
    return either(*parts) if parts else None


def _note_closed(lowering: Lowering, facts: Facts, why: str) -> None:
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
        lowering.remark(remarks.EXTRA_KEYS)
        piece, every = keys.any_but(tuple(names))
        if not every:
            lowering.remark(remarks.LIKE_LONG_NAMES)
        return piece
    lowering.remark(remarks.ESCAPES)
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
    """What `propertyNames` asks of a key, as alternatives: languages and a length."""
    for asked in lowering.expander.branches(facts.names):
        if asked.enums:
            listed = [value for value in asked.enums[0][0] if isinstance(value, str)]
            judge = lowering.references.accepts
            fits = [v for v in listed if all(judge(sub, v) for sub in facts.names)]
            yield (Required(one_of(fits)),), 0, None
        elif "string" in asked.types:
            demands = tuple(each for demand in asked.demands for each in demand.languages)
            yield demands, asked.min_length, asked.max_length
