"""Keys that are data, and an instance where a schema should stand."""

import difflib
import json
from collections import deque
from collections.abc import Iterator
from typing import Any

from playground.constraints.jsonschema.keywords import ANNOTATIONS, KNOWN, TYPES
from playground.constraints.jsonschema.source import step
from playground.schema.lint.infer import dynamic, inferred, records
from playground.schema.lint.rule import Finding, Fix, Rule, listing
from playground.schema.lint.scene import Scene, Sub

_MAPS = ("additionalProperties", "patternProperties", "unevaluatedProperties")
_BESIDE = frozenset(
    {"$schema", "$id", "$comment", "title", "description", "type", "propertyNames"}
    | {"minProperties", "maxProperties", *_MAPS}
)


def is_instance(root: Any) -> bool:
    """The document has nothing of a schema: no keyword that a validator would judge by."""
    if isinstance(root, bool) or root == {}:
        return False
    if not isinstance(root, dict):
        return True
    unknown = [key for key in root if key not in KNOWN and not key.startswith("x-")]
    if not unknown or any(_judges(key, value) for key, value in root.items()):
        return False
    return not any(difflib.get_close_matches(key, KNOWN, 1, 0.8) for key in unknown[:50])


def _judges(key: str, value: Any) -> bool:
    """A keyword with a value of the kind that it takes."""
    if key not in KNOWN or key in ANNOTATIONS - {"$schema", "$id"}:
        return False
    if key == "type":
        return value in TYPES or value == "integer" or isinstance(value, list)
    if key in ("properties", "$defs", "definitions", "patternProperties"):
        return isinstance(value, dict)
    if key in ("items", "not", "additionalProperties"):
        return _schema_like(value)
    if key in ("anyOf", "allOf", "oneOf", "prefixItems"):
        return isinstance(value, list) and any(map(_schema_like, value))
    if key in ("$schema", "$id", "$ref", "pattern"):
        return isinstance(value, str)
    return key == "const" or (key in ("enum", "required") and isinstance(value, list))


def _schema_like(value: Any) -> bool:
    return isinstance(value, bool) or (
        isinstance(value, dict) and (not value or not KNOWN.isdisjoint(value))
    )


def _instance(scene: Scene) -> Iterator[Finding]:
    if scene.json is None or not is_instance(scene.root):
        return
    why = "it is neither an object nor true or false"
    if isinstance(scene.root, dict):
        why = "it has no keyword of JSON Schema, and as a schema it would accept everything"
    said = f"This looks like an instance, not a schema: {why}."
    yield Finding("", said, _schema_of(scene))


def _schema_of(scene: Scene) -> Fix | None:
    if scene.json is None:
        return None
    source = json.dumps(inferred(scene.root), indent=2, ensure_ascii=False)
    return scene.fix("Turn it into a schema of such values", [scene.json.replace_text("", source)])


def _find(scene: Scene) -> Iterator[Finding]:
    if scene.json is not None and is_instance(scene.root):
        pointer = next((p for p, value in _objects(scene.root) if dynamic(value)), None)
        if pointer is not None:
            keys = listing([str(key) for key in _at(scene.root, pointer)])
            yield Finding(
                pointer,
                f"The keys {keys} are data: a schema can't know them beforehand.",
                _schema_of(scene),
            )
        return
    for sub in scene.subs:
        yield from _map(scene, sub)
        yield from _example(scene, sub)


def _map(scene: Scene, sub: Sub) -> Iterator[Finding]:
    schema = sub.schema
    keyword = next((k for k in _MAPS if isinstance(schema.get(k), dict) and schema[k]), None)
    if keyword is None:
        if "propertyNames" not in schema or schema.get("properties"):
            return
        keyword = "propertyNames"
    known = schema.get("properties")
    if keyword == "patternProperties" and all(p.startswith("^x-") for p in schema[keyword]):
        return
    beside = " beside the known ones" if known else ""
    yield Finding(
        step(sub.pointer, keyword),
        f"`{keyword}` lets the model make up keys{beside}: a map whose keys are data.",
        _flat(scene, sub),
    )


def _example(scene: Scene, sub: Sub) -> Iterator[Finding]:
    if sub.schema.get("properties"):
        return
    examples = sub.schema.get("examples")
    shown = [*(examples if isinstance(examples, list) else [])[:5], sub.schema.get("default")]
    if any(dynamic(value) for value in shown) and not _MAPS_SET & sub.schema.keys():
        keyword = "default" if dynamic(shown[-1]) else "examples"
        yield Finding(
            step(sub.pointer, keyword), "The example's keys are data, which no schema can list."
        )


_MAPS_SET = frozenset(_MAPS)


def _flat(scene: Scene, sub: Sub) -> Fix | None:
    """An array of records in place of a map; only where the map is all there is."""
    schema = sub.schema
    maps = [k for k in _MAPS if isinstance(schema.get(k), dict) and schema[k]]
    if scene.json is None or len(maps) != 1 or schema.keys() - _BESIDE:
        return None
    key: dict[str, Any] = {"type": "string"}
    names = schema.get("propertyNames")
    if isinstance(names, dict):
        key |= {k: v for k, v in names.items() if k != "type"}
    value: Any = schema[maps[0]]
    if maps[0] == "patternProperties":
        if len(value) != 1:
            return None
        pattern, value = next(iter(value.items()))
        key["pattern"] = pattern
    flat = records(key, value)
    for old, new in (("minProperties", "minItems"), ("maxProperties", "maxItems")):
        if old in schema:
            flat[new] = schema[old]
    kept = {k: v for k, v in schema.items() if k[:1] == "$" or k in ("title", "description")}
    edit = scene.json.replace(sub.pointer, {**kept, **flat})
    return scene.fix("Make it an array of records with a key and a value", [edit])


def _objects(value: Any) -> Iterator[tuple[str, Any]]:
    todo, seen = deque([("", value)]), 0
    while todo and seen < 1_000:
        pointer, found = todo.popleft()
        seen += 1
        if isinstance(found, dict):
            yield pointer, found
            todo.extend((step(pointer, key), inner) for key, inner in list(found.items())[:200])
        elif isinstance(found, list):
            todo.extend((step(pointer, i), inner) for i, inner in enumerate(found[:50]))


def _at(value: Any, pointer: str) -> Any:
    return next(found for at, found in _objects(value) if at == pointer)


DYNAMIC_KEYS = Rule(
    "L007",
    "dynamic-keys",
    "warning",
    "Where keys are data, the mask can't tell a right key from a wrong one, and strict modes of "
    "vendors refuse such maps. A flat array of records has fixed keys and can be constrained.",
    _find,
    advice=True,
)
INSTANCE = Rule(
    "L026",
    "instance-not-schema",
    "error",
    "A validator ignores keys that it doesn't know, so an example in place of a schema constrains "
    "nothing.",
    _instance,
)
