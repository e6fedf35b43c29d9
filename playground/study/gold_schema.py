"""A JSON Schema made wider, so that it refuses a gold answer only where no valid answer equals it."""

import json
import unicodedata
from typing import Any

DEEPEST = 60
"""Levels of a schema that are looked into; below them everything is accepted."""

_KEPT = frozenset(
    {
        "$ref",
        "exclusiveMaximum",
        "exclusiveMinimum",
        "maxItems",
        "maxProperties",
        "maximum",
        "minItems",
        "minProperties",
        "minimum",
        "multipleOf",
        "required",
        "type",
    }
)
"""Keywords that mean the same of a value and of what compares equal to it. Those of texts don't (case
and blanks at the ends don't count), nor does what a wider schema makes narrower: `not`, `if`,
`contains`, `uniqueItems`, `unevaluated...`."""
_ONE = ("additionalProperties", "additionalItems")
_MAPS = ("properties", "patternProperties")
_DEFINITIONS = ("$defs", "definitions")
_LISTS = {"allOf": "allOf", "anyOf": "anyOf", "oneOf": "anyOf"}
"""As written -> as kept: two wider alternatives may both hold."""
_NAMES = {bool: "a boolean", str: "text", int: "a number", float: "a number", list: "a list"}
_TYPES = {bool: "boolean", str: "string", list: "array", dict: "object", type(None): "null"}
_LISTED = 6


def folded(value: Any) -> Any:
    """The same for values that compare equal where an answer is held against its gold
    (`row.compared`): texts up to case, blanks at their ends and NFC, numbers by value."""
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value).strip().casefold()
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [folded(each) for each in value]
    if isinstance(value, dict):
        return {name: folded(each) for name, each in value.items()}
    return value


def of_whole(schema: Any) -> Any:
    """The schema of folded whole values: it accepts each that equals one which `schema` accepts."""
    return _with_definitions(_wider(schema, 0), schema)


def of_fields(schema: Any) -> Any:
    """The schema of an object with some of the fields of one that `schema` accepts, folded."""
    return _with_definitions(_partial(schema, schema, set(), 0), schema)


def _with_definitions(made: Any, schema: Any) -> Any:
    if not isinstance(made, dict) or not isinstance(schema, dict):
        return made
    out = dict(made)
    if isinstance(schema.get("$schema"), str):
        out["$schema"] = schema["$schema"]
    for name in _DEFINITIONS:
        if isinstance(schema.get(name), dict):
            out[name] = {key: _wider(each, 1) for key, each in schema[name].items()}
    return out


def _wider(schema: Any, depth: int) -> Any:
    if not isinstance(schema, dict) or depth > DEEPEST:
        return schema is not False
    if depth and {"$id", "id", "$anchor"} & schema.keys():
        return True  # references inside it mean other places than they would in the whole
    out: dict[str, Any] = {name: schema[name] for name in _KEPT & schema.keys()}
    if isinstance(schema.get("enum"), list):
        out["enum"] = folded(schema["enum"])
    if "const" in schema:
        out["const"] = folded(schema["const"])
    for name in _ONE:
        if name in schema:
            out[name] = _wider(schema[name], depth + 1)
    for name in _MAPS:
        if isinstance(schema.get(name), dict):
            out[name] = {key: _wider(each, depth + 1) for key, each in schema[name].items()}
    for name in ("items", "prefixItems"):
        if isinstance(schema.get(name), list):
            out[name] = [_wider(each, depth + 1) for each in schema[name]]
        elif name in schema:
            out[name] = _wider(schema[name], depth + 1)
    _add_branches(out, schema, lambda each: _wider(each, depth + 1))
    return out


def _partial(schema: Any, root: Any, seen: set[str], depth: int) -> Any:
    """`_wider` of an object of which fields may be missing; each reference is followed once, so that
    no schema grows by it."""
    if not isinstance(schema, dict) or depth > DEEPEST:
        return schema is not False
    if depth and {"$id", "id", "$anchor"} & schema.keys():
        return True
    if "$ref" in schema:
        target = _target(schema["$ref"], root)
        if target is None or schema["$ref"] in seen:
            return True
        seen.add(schema["$ref"])
        return _partial(target, root, seen, depth + 1)
    whole = {key: each for key, each in schema.items() if key in (*_ONE, *_MAPS, "type")}
    out: dict[str, Any] = _wider(whole, depth)
    _add_branches(out, schema, lambda each: _partial(each, root, seen, depth + 1))
    return out


def _add_branches(out: dict[str, Any], schema: dict[str, Any], wider: Any) -> None:
    for name, kept in _LISTS.items():
        if isinstance(schema.get(name), list) and schema[name]:
            out.setdefault("allOf", []).append({kept: [wider(each) for each in schema[name]]})


def _target(reference: Any, root: Any) -> Any:
    """What a reference inside the schema leads to; None where it leads nowhere, or outside."""
    if not isinstance(reference, str) or not reference.startswith("#/"):
        return None
    value = root
    for part in reference[2:].split("/"):
        name = part.replace("~1", "/").replace("~0", "~")
        if not isinstance(value, dict) or name not in value:
            return None
        value = value[name]
    return value


def reason(schema: Any, name: str, value: Any) -> str:
    """Why a schema refuses the value of a field, or with an empty name a whole value, in a clause."""
    there = _followed(schema, schema)
    if name or isinstance(value, dict):
        fields = there.get("properties")
        fields = fields if isinstance(fields, dict) else {}
        if name not in fields and there.get("additionalProperties") is False:
            listed = ", ".join(shown(each) for each in list(fields)[:_LISTED])
            return f"the schema has no such field; it has {listed or 'none'}"
        there = _followed(fields.get(name), schema)
    options = there.get("enum", [there["const"]] if "const" in there else None)
    if isinstance(options, list) and options:
        listed = ", ".join(map(shown, options[:_LISTED]))
        dots = ", …" if len(options) > _LISTED else ""
        return f"{shown(value)} is not one of {listed}{dots}"
    types = there.get("type")
    types = types if isinstance(types, list) else [types]
    wanted = [each for each in types if isinstance(each, str)]
    if wanted and not _is_of(value, wanted):
        kind = _NAMES.get(type(value), "null" if value is None else "an object")
        return f"{shown(value)} is {kind}, the schema wants {' or '.join(wanted)}"
    return f"the schema refuses {shown(value)}"


def _followed(schema: Any, root: Any) -> dict[str, Any]:
    """The schema, or what it refers to."""
    for _ in range(DEEPEST):
        if not isinstance(schema, dict) or "$ref" not in schema:
            break
        schema = _target(schema["$ref"], root)
    return schema if isinstance(schema, dict) else {}


def _is_of(value: Any, types: list[str]) -> bool:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return "number" in types or ("integer" in types and float(value).is_integer())
    return _TYPES[type(value)] in types


def shown(value: Any) -> str:
    """A JSON value on one line, cut."""
    return cut(json.dumps(value, ensure_ascii=False))


def cut(text: str) -> str:
    """The first 60 characters of a text, on one line."""
    line = "".join(each if each.isprintable() else "·" for each in text[:60])
    return line if len(text) <= 60 else f"{line}…"
