"""Arrays and objects of the generator."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from playground.constraints.instances import texts
from playground.constraints.jsonschema.facts import Facts, ObjectLayer
from playground.constraints.jsonschema.matching import matches
from playground.constraints.jsonschema.pattern import Untranslatable, parse
from playground.constraints.jsonschema.refs import Sub, canonical
from playground.constraints.jsonschema.scan import Path

if TYPE_CHECKING:
    from playground.constraints.instances.generator import Generator

MANY = 60
"""An array or object that must be larger is not made."""
EXTRA_KEYS = ("note", "extra", "zz", "other", "k1", "k2", "k3", "k4")
TRIES = 12


def array(maker: "Generator", facts: Facts, path: Path) -> tuple[list[Any]] | None:
    """An array for the facts, in a tuple; None where none was found."""
    asked = [each for each in facts.contains for _ in range(min(each.least, MANY))]
    prefix = max((len(layer.prefix) for layer in facts.arrays), default=0)
    low = max(facts.min_items, len(asked))
    high = MANY if facts.max_items is None else min(facts.max_items, MANY)
    if low > high:
        return None
    count = min(high, low + maker.rng.randint(0, max(maker.style.items, 0)))
    if len(path) > 4:
        count = low
    for index in (*range(prefix), None):
        subs = item_subs(facts, index)
        if maker.steers(subs, facts):
            count = min(high, max(count, prefix + 1 if index is None else index + 1))
    out: list[Any] = []
    seen: set[str] = set()
    tries = 0
    while len(out) < count and tries < count + TRIES:
        tries += 1
        index = len(out) if len(out) < prefix else None
        subs = item_subs(facts, index)
        late = len(out) - prefix
        if 0 <= late < len(asked):
            subs = [*subs, asked[late].sub]
        found = maker.value(subs, (*path, len(out)))
        if found is None:
            break
        if facts.unique is not None:
            if canonical(found[0]) in seen:
                continue
            seen.add(canonical(found[0]))
        out.append(found[0])
    return (out,) if len(out) >= facts.min_items else None


def item_subs(facts: Facts, index: int | None) -> list[Sub]:
    """The schemas of one item; None: of the items behind every prefix."""
    subs: list[Sub] = []
    evaluated: set[object] = set()
    for layer in facts.arrays:
        if index is not None and index < len(layer.prefix):
            subs.append(layer.prefix[index])
        elif layer.rest is not None:
            subs.append(layer.rest)
        else:
            continue
        evaluated |= layer.scopes
    return subs + [scope.sub for scope in facts.item_scopes if scope.key not in evaluated]


def object_(maker: "Generator", facts: Facts, path: Path) -> tuple[dict[str, Any]] | None:
    """An object for the facts, in a tuple; None where none was found."""
    names = dict.fromkeys(name for layer in facts.objects for name in layer.properties)
    names |= dict.fromkeys(facts.required)
    chance = maker.style.optional if len(path) <= 4 else 0.0
    if chance < 1:
        chance /= 1 + len(path)  # wide ones inside wide ones would grow without end
    low, high = facts.min_properties, facts.max_properties
    room = MANY * 4 if high is None else high
    out: dict[str, Any] = {}
    left: list[str] = []
    for name in names:
        subs = named_subs(facts, name)
        needed = name in facts.required
        if not needed and not maker.steers(subs, facts) and maker.rng.random() >= chance:
            left.append(name)
            continue
        if not needed and len(out) + sum(r not in out for r in facts.required) >= room:
            continue
        found = maker.value(subs, (*path, name))
        if found is not None:
            out[name] = found[0]
        elif needed:
            return None
    for name in left:
        if len(out) >= low:
            break
        found = maker.value(named_subs(facts, name), (*path, name))
        if found is not None:
            out[name] = found[0]
    _add_extras(maker, facts, path, out, room)
    if len(out) < low or len(out) > room:
        return None
    return ({name: out[name] for name in [*names, *out] if name in out},)


def _add_extras(
    maker: "Generator", facts: Facts, path: Path, out: dict[str, Any], room: int
) -> None:
    """Keys beside the named ones: those that a pattern or the goal asks for, then what is missing
    to the fewest keys."""
    asked: list[str | None] = []
    for layer in facts.objects:
        for pattern, sub in layer.patterns:
            if maker.steers([sub], facts) or maker.rng.random() < maker.style.optional:
                asked.append(_key_like(maker, pattern))
    rest = [layer.additional for layer in facts.objects if layer.additional is not None]
    rest += [scope.sub for scope in facts.property_scopes]
    count = maker.rng.random() < maker.style.extra
    others: list[str | None] = list(EXTRA_KEYS)
    if facts.names:
        count |= maker.steers(facts.names, facts)
        others = [_key_named(maker, facts, path) for _ in range(TRIES)]
    asked += others[: 1 if count or maker.steers(rest, facts) else 0]
    for enough, keys in ((room, asked), (min(room, facts.min_properties), others)):
        for key in keys:
            known = any(key in layer.properties for layer in facts.objects)
            if key is None or key in out or known or len(out) >= enough:
                continue
            found = maker.value(named_subs(facts, key), (*path, key))
            if found is not None:
                out[key] = found[0]


def _key_named(maker: "Generator", facts: Facts, path: Path) -> str | None:
    """A key that satisfies `propertyNames`."""
    found = maker.value(facts.names, (*path, "?"))
    return found[0] if found is not None and isinstance(found[0], str) else None


def _key_like(maker: "Generator", pattern: str) -> str | None:
    try:
        languages = parse(pattern)
    except Untranslatable:
        return None
    return texts.sampled(languages, 0, None, maker.rng, True)


def named_subs(facts: Facts, name: str) -> list[Sub]:
    """The schemas that judge the value of the key `name`."""
    subs: list[Sub] = []
    evaluated: set[object] = set()
    for layer in facts.objects:
        found = _layer_subs(layer, name)
        if found:
            evaluated |= layer.scopes
        subs.extend(found)
    return subs + [scope.sub for scope in facts.property_scopes if scope.key not in evaluated]


def _layer_subs(layer: ObjectLayer, name: str) -> Sequence[Sub]:
    found = [layer.properties[name]] if name in layer.properties else []
    found += [sub for pattern, sub in layer.patterns if matches(pattern, name)]
    if not found and layer.additional is not None:
        return [layer.additional]
    return found
