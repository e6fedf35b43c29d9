"""Keywords, types and required names that are spelled as nobody reads them."""

import difflib
from collections.abc import Iterator
from typing import Any

from playground.constraints.jsonschema.keywords import (
    COUNTS,
    HOLD_LIST,
    HOLD_MAP,
    HOLD_ONE,
    KNOWN,
    NUMBERS,
    OPENAPI,
)
from playground.constraints.jsonschema.source import step
from playground.schema.json_text import Edit
from playground.schema.lint.dynamic import is_instance
from playground.schema.lint.rule import Finding, Fix, Rule, listing
from playground.schema.lint.scene import Scene, Sub

_MEANT = {
    "allowed": "enum",
    "allowedvalues": "enum",
    "choices": "enum",
    "definition": "definitions",
    "defs": "$defs",
    "max": "maximum",
    "min": "minimum",
    "max_length": "maxLength",
    "min_length": "minLength",
    "oneof": "oneOf",
    "options": "enum",
    "props": "properties",
    "ref": "$ref",
    "regex": "pattern",
    "values": "enum",
}
"""Other tools' words for a keyword."""
_TYPES = {
    "any": None,
    "arr": "array",
    "bool": "boolean",
    "date": "string",
    "decimal": "number",
    "dict": "object",
    "double": "number",
    "enum": "string",
    "float": "number",
    "int": "integer",
    "list": "array",
    "long": "integer",
    "map": "object",
    "none": "null",
    "nil": "null",
    "obj": "object",
    "str": "string",
    "text": "string",
    "tuple": "array",
    "undefined": "null",
}
"""Other languages' words for a type; None: JSON Schema says it by no type at all."""
NAMES = ("array", "boolean", "integer", "null", "number", "object", "string")
MAX_ROWS = 10


def _unknown(scene: Scene) -> Iterator[Finding]:
    if scene.json is None or is_instance(scene.root):
        return
    places: dict[str, list[Sub]] = {}
    for sub in scene.subs:
        for keyword in sub.schema:
            if keyword not in KNOWN and not keyword.startswith("x-"):
                places.setdefault(keyword, []).append(sub)
    said = set()
    for keyword, subs in list(places.items())[:MAX_ROWS]:
        row = _row(scene, keyword, subs)
        if row.message not in said:
            said.add(row.message)
            yield row
    if len(places) > MAX_ROWS:
        yield Finding("", f"{len(places) - MAX_ROWS} further unknown keywords are not listed.")


def _row(scene: Scene, keyword: str, subs: list[Sub]) -> Finding:
    place = step(subs[0].pointer, keyword)
    times = f" ({len(subs):,} times)" if len(subs) > 1 else ""
    if keyword == "nullable":
        edits = [edit for sub in subs for edit in _null_edits(scene, sub)]
        said = f"`nullable` belongs to OpenAPI{times}: JSON Schema and the mask ignore it."
        return Finding(place, said, scene.fix('Write "null" into the types', edits), "error")
    if keyword in OPENAPI:
        said = f"`{keyword}` belongs to OpenAPI{times}: JSON Schema and the mask ignore it."
        return Finding(place, said, _example(scene, keyword, subs))
    if keyword == "optional":
        said = f"`optional` is no keyword{times}: leave the name out of the parent's `required`."
        return Finding(place, said)
    value = subs[0].schema[keyword]
    guess = meant(keyword, value)
    if guess is None:
        stray = _strays(scene, subs[0]) if isinstance(value, dict) else []
        if keyword in stray:
            said = f"{listing(stray)} stand outside `properties`, where they constrain nothing."
            return Finding(place, said, _gather(scene, subs[0], stray), "error")
        return Finding(place, f"`{keyword}` is no keyword of JSON Schema{times}: it is ignored.")
    said = f"`{keyword}` is no keyword of JSON Schema{times}. Did you mean `{guess}`?"
    fixed = [sub for sub in subs if guess not in sub.schema]
    edits = [scene.json.rename(step(s.pointer, keyword), guess) for s in fixed if scene.json]
    return Finding(place, said, scene.fix(f"Rename it to `{guess}`", edits), "error")


def meant(keyword: str, value: Any) -> str | None:
    """The keyword that a misspelt one stands for; None where none is near that takes the value."""
    bare = keyword.replace("_", "").replace("-", "").lower()
    near = [_MEANT.get(keyword.lower()), _FOLDED.get(bare)]
    near += difflib.get_close_matches(keyword[:60], KNOWN, n=2, cutoff=0.75)
    return next((each for each in near if each and takes(each, value)), None)


_FOLDED = {known.lower(): known for known in KNOWN}


def takes(keyword: str, value: Any) -> bool:
    """The value is of the kind that the keyword takes."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if keyword in NUMBERS or keyword in COUNTS:
        return number and (keyword in NUMBERS or value >= 0)
    if keyword in HOLD_ONE or keyword in HOLD_LIST or keyword in HOLD_MAP:
        return (
            (keyword in HOLD_ONE and isinstance(value, dict | bool))
            or (keyword in HOLD_LIST and isinstance(value, list))
            or (keyword in HOLD_MAP and isinstance(value, dict))
        )
    if keyword in ("enum", "examples", "required"):
        return isinstance(value, list)
    if keyword in ("deprecated", "readOnly", "uniqueItems", "writeOnly"):
        return isinstance(value, bool)
    if keyword == "type":
        return isinstance(value, str | list)
    if keyword in ("const", "default", "$vocabulary", "dependentRequired"):
        return True
    return isinstance(value, str)


def _strays(scene: Scene, sub: Sub) -> list[str]:
    """Unknown keys with schemas under them: properties that lost their `properties`."""
    return [
        key
        for key, value in sub.schema.items()
        if key not in KNOWN
        and isinstance(value, dict)
        and not {"type", "$ref", "enum", "properties", "anyOf"}.isdisjoint(value)
    ]


def _gather(scene: Scene, sub: Sub, names: list[str]) -> Fix | None:
    if scene.json is None or "properties" in sub.schema:
        return None
    first, *rest = (step(sub.pointer, name) for name in names)
    span = scene.json.spans[first]
    inside = scene.json.written({name: sub.schema[name] for name in names}, span.start)
    edits = [Edit(span.start, span.end, f'"properties": {inside}')]
    if rest:
        edits += scene.json.remove(sub.pointer, rest)
    return scene.fix("Put them under `properties`", edits)


def _null_edits(scene: Scene, sub: Sub) -> list[Edit]:
    if scene.json is None:
        return []
    edits = scene.json.remove(sub.pointer, [step(sub.pointer, "nullable")])
    named = sub.schema.get("type")
    if sub.schema["nullable"] is not True or not isinstance(named, str):
        return edits if sub.schema["nullable"] is False else []
    edits.append(scene.json.replace(step(sub.pointer, "type"), [named, "null"]))
    listed = sub.schema.get("enum")
    if isinstance(listed, list) and None not in listed:
        edits.append(scene.json.insert(step(sub.pointer, "enum"), "null"))
    return edits


def _example(scene: Scene, keyword: str, subs: list[Sub]) -> Fix | None:
    if keyword != "example" or scene.json is None:
        return None
    edits = []
    for sub in subs:
        if "examples" not in sub.schema:
            place = step(sub.pointer, keyword)
            edits += [
                scene.json.rename(place, "examples"),
                scene.json.replace_text(place, f"[{scene.json.source(place)}]"),
            ]
    return scene.fix("Rename it to `examples`, a list", edits, keeps=True)


def _types(scene: Scene) -> Iterator[Finding]:
    if scene.json is None or is_instance(scene.root):
        return
    for sub in scene.subs:
        named = sub.schema.get("type")
        listed = named if isinstance(named, list) else [named]
        for index, name in enumerate(listed):
            if not isinstance(name, str) or name in NAMES:
                continue
            place = step(sub.pointer, "type")
            at = step(place, index) if isinstance(named, list) else place
            guess = _meant_type(name)
            said = f"`{name[:60]}` is no type of JSON Schema."
            if guess is None:
                yield Finding(at, f"{said} The types are {', '.join(NAMES)}.")
                continue
            if isinstance(named, list) and guess in named:
                edits = scene.json.remove(place, [at])
            else:
                edits = [scene.json.replace(at, guess)]
            yield Finding(
                at, f"{said} Did you mean `{guess}`?", scene.fix(f"Write `{guess}`", edits)
            )


def _meant_type(name: str) -> str | None:
    low = name.lower()
    if low in NAMES:
        return low
    if low in _TYPES:
        return _TYPES[low]
    close = difflib.get_close_matches(low[:40], NAMES, n=1, cutoff=0.7)
    return close[0] if close else None


def _required(scene: Scene) -> Iterator[Finding]:
    """Names in `required` that no property has."""
    for record in scene.records:
        listed = record.sub.schema.get("required")
        if not isinstance(listed, list) or _elsewhere(record.sub.schema):
            continue
        known, looked_up = set(record.names), 0
        for index, name in enumerate(listed):
            if not isinstance(name, str) or name in known:
                continue
            place = step(step(record.sub.pointer, "required"), index)
            near = record.names[:200] if (looked_up := looked_up + 1) <= MAX_ROWS else ()
            close = difflib.get_close_matches(name[:60], near, n=1, cutoff=0.75)
            said = f"`required` names `{name[:60]}`, and `properties` doesn't know it"
            closed = record.sub.schema.get("additionalProperties") is False
            hint = f": did you mean `{close[0]}`?" if close else "."
            edits = [_listed_as(scene, place, listed, close[0])] if close else []
            yield Finding(
                place,
                f"{said}{hint}",
                scene.fix(f"Write `{close[0]}`", [e for e in edits if e]) if close else None,
                "error" if closed else "warning",
            )


def _listed_as(scene: Scene, place: str, listed: list[Any], name: str) -> Edit | None:
    if scene.json is None:
        return None
    if name in listed:
        container = place.rpartition("/")[0]
        return next(iter(scene.json.remove(container, [place])), None)
    return scene.json.replace(place, name)


def _elsewhere(schema: dict[str, Any]) -> bool:
    """Other parts of the schema may define further properties."""
    joined = {"$ref", "allOf", "anyOf", "oneOf", "if", "patternProperties", "dependentSchemas"}
    return bool(joined & schema.keys()) or isinstance(schema.get("additionalProperties"), dict)


UNKNOWN_KEYWORD = Rule(
    "L016",
    "unknown-keyword",
    "warning",
    "Validators ignore what they don't know, in silence: a misspelt keyword constrains nothing.",
    _unknown,
)
REQUIRED_UNKNOWN = Rule(
    "L028",
    "required-unknown",
    "warning",
    "A required name without a schema may hold any value, and in a closed object nothing is valid.",
    _required,
)
UNKNOWN_TYPE = Rule(
    "L029",
    "unknown-type",
    "error",
    "Validators refuse an unknown type or match nothing by it; the mask can't enforce it.",
    _types,
)
