"""Edits of arrays and objects that may break a count, a needed key, or what is inside."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

Inner = Callable[[Any, Any], Iterable[tuple[str, Any]]]
"""(schema, value) -> edits of the value that may break the schema."""
Make = Callable[..., list[Any]]
"""Values that satisfy schemas together."""
Edit = tuple[str, Any]

STRANGE = ("zz", "x-extra", "", "A1", "a b", "😀")
"""Keys that a schema hardly names."""
EACH = 8
MANY = 60
_NAMES = {
    "string": ("x", "", "two words", 'a "quote"', "😀"),
    "integer": (0, -3, 12345),
    "number": (0, 1.5, -0.25, 100),
    "boolean": (True, False),
    "null": (None,),
    "array": ([], [1]),
    "object": ({}, {"a": 1}),
}


def in_turn(ways: list[Iterator[Edit]]) -> Iterator[Edit]:
    """One of each, then the second of each, ..."""
    while ways:
        left = []
        for way in ways:
            edit = next(way, None)
            if edit is not None:
                yield edit
                left.append(way)
        ways = left


def name_of(value: Any) -> str:
    """The type of a JSON value with its article."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    names = {str: "a string", int: "an integer", float: "a fraction", list: "an array"}
    return names.get(type(value), "an object")


def of_type(name: Any) -> Sequence[Any]:
    """A few values of a type."""
    return _NAMES.get(name, ()) if isinstance(name, str) else ()


def fewer_keys(value: Any) -> Iterator[Edit]:
    """The object without one of its keys."""
    if isinstance(value, dict):
        for name in list(value)[:EACH]:
            yield f'without "{name}"', {k: v for k, v in value.items() if k != name}


def edits(
    make: Make, inner: Inner, schema: dict[str, Any], keyword: str, value: Any
) -> Iterator[Edit]:
    """Edits for the keywords of arrays and objects; none for other keywords."""
    asked = schema[keyword]
    if keyword in ("minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains"):
        yield from _counts(make, schema, keyword, value if isinstance(value, list) else [])
    elif keyword in ("items", "prefixItems", "additionalItems", "unevaluatedItems"):
        yield from _items(make, inner, schema, keyword, value if isinstance(value, list) else [])
    elif isinstance(asked, dict | list | bool | int | float):
        yield from _object(make, inner, schema, keyword, value if isinstance(value, dict) else {})


def _counts(make: Make, schema: dict[str, Any], keyword: str, value: list[Any]) -> Iterator[Edit]:
    asked = schema[keyword]
    item = schema.get("items", {})
    more = value or (make(item) if not isinstance(item, list) else []) or [1]
    if keyword == "minItems" and isinstance(asked, int):
        yield "one item fewer", value[: max(asked - 1, 0)]
        yield "no items", []
    elif keyword == "maxItems" and isinstance(asked, int) and asked < 3_000:
        for extra in (1, 2, 10):
            fresh = make(item) if not isinstance(item, list) else []
            grown = [*value, *fresh, *(more * (asked + extra))]
            yield f"{asked + extra} items", grown[: asked + extra]
    elif keyword == "uniqueItems":
        yield "the first item twice", [more[0], *value]
        yield "the last item twice", [*value, more[-1]]
        yield "one item, twice", [more[0], more[0]]
        if value and isinstance(value[0], int) and not isinstance(value[0], bool):
            yield "a number in two spellings", [*value, float(value[0])]
    elif keyword in ("contains", "minContains", "maxContains") and "contains" in schema:
        held = make(schema["contains"], *([item] if not isinstance(item, list) else []))
        plain = make({"not": schema["contains"]}, *([item] if not isinstance(item, list) else []))
        least = schema.get("minContains", 1)
        if keyword != "maxContains":
            yield "no items", []
            yield "none that it asks for", (plain or [None])[:1] * max(len(value), 1)
            if held and isinstance(least, int) and least > 1:
                yield "one too few", [*(held * least)[: least - 1], *plain[:1]]
        most = schema.get("maxContains")
        if keyword == "maxContains" and held and isinstance(most, int) and most < 100:
            yield "one too many", (held * (most + 1))[: most + 1]
            yield "one too many, another between", [*held[:1], *plain[:1], *(held * most)[:most]]


def _items(
    make: Make, inner: Inner, schema: dict[str, Any], keyword: str, value: list[Any]
) -> Iterator[Edit]:
    asked = schema[keyword]
    first = schema.get("prefixItems", schema.get("items"))
    skip = len(first) if isinstance(first, list) and keyword != "prefixItems" else 0
    if isinstance(asked, list):
        for index, each in enumerate(asked[:EACH]):
            base = list(value[: len(asked)])
            while len(base) <= index:
                base.append(next(iter(make(asked[len(base)])), None))
            if each is False:
                yield f"an item {index + 1}", base
            for kind, new in islice(inner(each, base[index]), EACH):
                yield f"item {index + 1}: {kind}", [*base[:index], new, *base[index + 1 :]]
        return
    if skip and len(value) < skip and isinstance(first, list):
        value = [*value, *(next(iter(make(each)), None) for each in first[len(value) : skip])]
    if asked is False:
        yield "one item more", [*value, 1]
        yield "two items more", [*value, "x", None]
        return
    fits = make(asked)
    spots = [*range(skip, len(value))][:3]
    for index in spots:
        for kind, new in islice(inner(asked, value[index]), EACH * 2):
            yield f"item {index + 1}: {kind}", [*value[:index], new, *value[index + 1 :]]
    for base in fits[:2]:
        for kind, new in islice(inner(asked, base), EACH * 2):
            yield f"an item more: {kind}", [*value, new]


def _object(
    make: Make, inner: Inner, schema: dict[str, Any], keyword: str, value: dict[str, Any]
) -> Iterator[Edit]:
    asked = schema[keyword]
    if keyword == "required" and isinstance(asked, list):
        for name in [name for name in asked if isinstance(name, str)][:EACH]:
            yield f'without "{name}"', {k: v for k, v in value.items() if k != name}
        yield "no keys", {}
    elif keyword == "properties" and isinstance(asked, dict):
        yield from _members(make, inner, asked, value)
    elif keyword in ("patternProperties", "propertyNames"):
        yield from _by_name(make, inner, keyword, asked, value)
    elif keyword in ("additionalProperties", "unevaluatedProperties"):
        yield from _extra(make, inner, schema, asked, value)
    elif keyword in ("minProperties", "maxProperties") and isinstance(asked, int):
        yield from _sized(make, schema, keyword, asked, value)
    elif keyword in ("dependentRequired", "dependentSchemas", "dependencies"):
        yield from _dependent(make, inner, schema, asked, value)


def _members(
    make: Make, inner: Inner, asked: dict[str, Any], value: dict[str, Any]
) -> Iterator[Edit]:
    ways = []
    for name, each in list(asked.items())[:24]:
        if each is False:
            ways.append(iter([(f'"{name}" present', {**value, name: 1})]))
            continue
        base = value[name] if name in value else next(iter(make(each)), None)
        ways.append(
            (f'"{name}": {kind}', {**value, name: new})
            for kind, new in islice(inner(each, base), EACH)
        )
    yield from in_turn(ways)


def _by_name(
    make: Make, inner: Inner, keyword: str, asked: Any, value: dict[str, Any]
) -> Iterator[Edit]:
    if keyword == "propertyNames":
        first = next(iter(value), "a")
        names = [new for _, new in islice(inner(asked, first), 3 * EACH) if isinstance(new, str)]
        for name in [*names, *STRANGE]:
            yield f'the key "{name[:20]}"', {**value, name: next(iter(value.values()), 1)}
        return
    for pattern, each in list(asked.items())[:6] if isinstance(asked, dict) else ():
        for name in dict.fromkeys(make({"type": "string", "pattern": pattern})):
            if each is False:
                yield f'the key "{name[:20]}"', {**value, name: 1}
            base = next(iter(make(each)), None)
            for kind, new in islice(inner(each, base), EACH):
                yield f'"{name[:20]}": {kind}', {**value, name: new}


def _extra(
    make: Make, inner: Inner, schema: dict[str, Any], asked: Any, value: dict[str, Any]
) -> Iterator[Edit]:
    known = [name for name in schema.get("properties", {}) if isinstance(name, str)]
    near = [name + "x" for name in known[:2]] + [name[:-1] for name in known[:2] if len(name) > 1]
    for name in [*STRANGE[:2], *near, *STRANGE[2:]]:
        if name in known:
            continue
        if asked is False:
            yield f'the key "{name}" more', {**value, name: 1}
            continue
        for kind, new in islice(inner(asked, next(iter(make(asked)), None)), 4):
            yield f'the key "{name}" more, {kind}', {**value, name: new}


def _sized(
    make: Make, schema: dict[str, Any], keyword: str, asked: int, value: dict[str, Any]
) -> Iterator[Edit]:
    if keyword == "minProperties":
        kept = [name for name in schema.get("required", ()) if name in value]
        names = [*kept, *(name for name in value if name not in kept)][: max(asked - 1, 0)]
        yield "one key fewer", {name: value[name] for name in value if name in names}
        yield "no keys", {}
        return
    if asked > MANY:
        return
    grown = dict(value)
    for name, each in schema.get("properties", {}).items():
        if len(grown) > asked:
            break
        if name not in grown and (found := make(each)):
            grown[name] = found[0]
    patterns = schema.get("patternProperties", {})
    for pattern in patterns if isinstance(patterns, dict) else ():
        for name in make({"type": "string", "pattern": pattern}):
            grown.setdefault(name, next(iter(make(patterns[pattern])), 1))
    rest = schema.get("additionalProperties", {})
    fits = next(iter(make(rest)), 1) if rest is not False else None
    for index in range(asked + 1 - len(grown)):
        if rest is not False:
            grown[f"k{index}"] = fits
    yield f"{len(grown)} keys", grown
    if len(value) <= asked and rest is not False:
        more = {f"k{index}": fits for index in range(asked + 1 - len(value))}
        yield f"{asked + 1} keys", {**value, **more}


def _dependent(
    make: Make, inner: Inner, schema: dict[str, Any], asked: Any, value: dict[str, Any]
) -> Iterator[Edit]:
    properties = schema.get("properties", {})
    for name, needs in list(asked.items())[:EACH] if isinstance(asked, dict) else ():
        base = value
        if name not in base:
            fits = make(properties[name]) if name in properties else [1]
            base = {**value, name: next(iter(fits), 1)}
        if isinstance(needs, list):
            for need in needs[:4]:
                yield f'"{name}" without "{need}"', {k: v for k, v in base.items() if k != need}
        else:
            for kind, new in islice(inner(needs, base), EACH):
                yield f'"{name}" present, {kind}', new
            if needs is False:
                yield f'"{name}" present', base
