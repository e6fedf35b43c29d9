"""Objects that accept more than they list, and schemas that forget to name their type."""

from collections.abc import Iterator

from playground.constraints.jsonschema.source import step
from playground.schema.lint.rule import Finding, Rule, friendly, listing
from playground.schema.lint.scene import Record, Scene, Sub, lookup, named_types
from playground.schema.lint.unsatisfiable import contradicts

_JOINED = frozenset(
    {"$dynamicRef", "$ref", "allOf", "anyOf", "dependentSchemas", "if", "oneOf", "not"}
)
"""Beside one of these, closing an object would forbid what the others allow."""
_CLOSING = frozenset({"additionalProperties", "unevaluatedProperties"})
_LISTING = frozenset(
    {"properties", "patternProperties", "propertyNames", "enum", "const", "unevaluatedProperties"}
)
_PARTS = frozenset({"allOf", "contains", "dependentSchemas", "else", "if", "not", "then"})
_BY_TYPE = {
    "array": ("items", "prefixItems", "minItems", "maxItems", "contains", "uniqueItems"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    "object": (
        "properties",
        "required",
        "additionalProperties",
        "patternProperties",
        "minProperties",
        "maxProperties",
        "propertyNames",
    ),
    "string": ("minLength", "maxLength", "pattern", "format"),
}
_GIVES_TYPE = frozenset({"$dynamicRef", "$ref", "const", "enum", "type"})
_BESIDE = frozenset({"else", "if", "not", "then"})
"""Beside one of these another type may be the only one that fits."""
_COMBINED = frozenset({"allOf", "anyOf", "oneOf"})


def _is_part(pointer: str) -> bool:
    """It judges a value together with another schema."""
    return not _PARTS.isdisjoint(pointer.split("/"))


def _open(scene: Scene) -> Iterator[Finding]:
    joined = _joined_targets(scene)
    yield from _bare(scene)
    found = [record for record in scene.records if _is_open(record, joined)]
    if not found:
        return
    edits = []
    for record in found:
        if scene.json is None:
            break
        if not _may_close(record):
            continue
        if "additionalProperties" in record.sub.schema:
            place = step(record.sub.pointer, "additionalProperties")
            edits.append(scene.json.replace(place, False))
        else:
            closed = scene.json.member("additionalProperties", False)
            edits.append(scene.json.insert(record.sub.pointer, closed))
    yield Finding(
        found[0].sub.pointer,
        f"{_said(found)} further keys beside the listed ones.",
        scene.fix("Close with `additionalProperties: false`", edits),
    )


def _may_close(record: Record) -> bool:
    """What is required of the object is among its listed keys, so that closing it leaves some."""
    schema, names = record.sub.schema, set(record.names)
    if {"const", "dependencies", "enum"} & schema.keys() or not record.required <= names:
        return False
    asked = schema.get("dependentRequired")
    brought = asked.values() if isinstance(asked, dict) else ()
    if not all(
        isinstance(each, list) and all(one in record.names for one in each) for each in brought
    ):
        return False
    least = schema.get("minProperties", 0)
    return isinstance(least, int | float) and least <= len(record.required)


def _bare(scene: Scene) -> Iterator[Finding]:
    """Objects of which nothing is said but that they are objects."""
    found = [
        sub
        for sub in scene.subs
        if named_types(sub.schema) == {"object"}
        and sub.schema.get("additionalProperties", True) is True
        and not (_JOINED | _LISTING) & sub.schema.keys()
        and not _is_part(sub.pointer)
    ]
    if found:
        names = listing(dict.fromkeys(friendly(sub.pointer) for sub in found))
        verb = "is an object" if len(found) == 1 else "are objects"
        yield Finding(
            found[0].pointer,
            f"{names} {verb} without listed properties: any keys with any values are accepted.",
        )


def _said(found: list[Record]) -> str:
    if len(found) == 1:
        return f"{listing([friendly(found[0].sub.pointer)])} accepts any"
    places = listing(friendly(record.sub.pointer) for record in found)
    return f"{len(found):,} objects ({places}) accept any"


def _is_open(record: Record, joined: set[int]) -> bool:
    schema = record.sub.schema
    if (
        _JOINED & schema.keys()
        or "patternProperties" in schema
        or "unevaluatedProperties" in schema
    ):
        return False
    if id(schema) in joined or _is_part(record.sub.pointer):
        return False
    value = schema.get("additionalProperties", True)
    return value is True or value == {}


def _joined_targets(scene: Scene) -> set[int]:
    """Schemas that others build on by a reference in `allOf`, or beside further keywords."""
    found: set[int] = set()
    for sub in scene.subs:
        ref = sub.schema.get("$ref")
        if not isinstance(ref, str) or not ref.startswith("#"):
            continue
        beside = {"properties", "allOf", "required", *_CLOSING} & sub.schema.keys()
        if beside or _is_part(sub.pointer):
            found.add(id(lookup(scene.root, ref)))
    return found


def _untyped(scene: Scene) -> Iterator[Finding]:
    found: list[tuple[Sub, str]] = []
    for sub in scene.subs:
        if (
            _GIVES_TYPE & sub.schema.keys()
            or _is_part(sub.pointer)
            or _COMBINED & sub.schema.keys()
        ):
            continue
        if "/anyOf/" in sub.pointer or "/oneOf/" in sub.pointer:
            continue  # `anyOf: [{"required": ["a"]}, ...]` leaves the type to its parent
        kinds = [
            kind
            for kind, keywords in _BY_TYPE.items()
            if not sub.schema.keys().isdisjoint(keywords)
        ]
        if len(kinds) == 1:
            found.append((sub, kinds[0]))
    if not found:
        return
    edits = [
        scene.json.insert(sub.pointer, scene.json.member("type", kind), first=True)
        for sub, kind in found
        if scene.json is not None
        and not _BESIDE & sub.schema.keys()
        and not contradicts(scene, sub)
    ]
    sub, kind = found[0]
    others = f" ({len(found):,} such places)" if len(found) > 1 else ""
    yield Finding(
        sub.pointer,
        f"Keywords for {kind}s stand here without a `type`, so values of any other type are "
        f"accepted as well{others}.",
        scene.fix(f'Add `"type": "{kind}"`' if len(found) == 1 else "Add the types", edits),
    )


OPEN_OBJECT = Rule(
    "L008",
    "open-object",
    "warning",
    "Objects of JSON Schema accept any keys beside the listed ones, and a model left alone may go "
    "on writing them. Strict modes of vendors ask for `additionalProperties: false`.",
    _open,
    advice=True,
)
NO_TYPE = Rule(
    "L030",
    "no-type",
    "warning",
    "A keyword such as `properties` or `minLength` judges values of its own type alone and lets all "
    "others pass. That is the rule of JSON Schema, and the mask keeps to it.",
    _untyped,
)
