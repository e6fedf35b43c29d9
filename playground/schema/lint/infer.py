"""A JSON Schema guessed from one instance."""

import re
from typing import Any

_PLAIN = re.compile(r"[a-z_$][\w$-]*")
MAX_LEVELS = 12
"""Deeper parts become `{}`: anything."""


def dynamic(value: Any) -> bool:
    """An object whose keys are data: values of one kind under keys that look like names or numbers,
    not like a field's."""
    if not isinstance(value, dict) or len(value) < 2:
        return False
    if len({_shape(inner) for inner in value.values()}) != 1:
        return False
    first = next(iter(value.values()))
    if isinstance(first, dict) and first and len(value) > 2:
        return True
    odd = sum(1 for key in value if not _PLAIN.fullmatch(key))
    return 2 * odd > len(value)


def _shape(value: Any) -> Any:
    if isinstance(value, dict):
        return frozenset(value)
    return "number" if type(value) in (int, float) else type(value)


def inferred(value: Any) -> dict[str, Any]:
    """A closed schema that accepts `value`; a map with data as its keys becomes an array of
    records, which accepts its rewritten form."""
    return merged([value], 0)


def merged(values: list[Any], level: int) -> dict[str, Any]:
    """One schema for all the values."""
    if level > MAX_LEVELS:
        return {}
    objects = [value for value in values if isinstance(value, dict)]
    lists = [value for value in values if isinstance(value, list)]
    scalars = [value for value in values if not isinstance(value, dict | list)]
    shapes = []
    if objects:
        shapes.append(_object(objects, level + 1))
    if lists:
        items = [item for value in lists for item in value]
        shapes.append({"type": "array", **({"items": merged(items, level + 1)} if items else {})})
    types = list(dict.fromkeys(_NAMES[type(value)] for value in scalars))
    if "number" in types and "integer" in types:
        types.remove("integer")
    if types:
        shapes.append({"type": types if len(types) > 1 else types[0]})
    return shapes[0] if len(shapes) == 1 else {"anyOf": shapes}


def _object(objects: list[dict[str, Any]], level: int) -> dict[str, Any]:
    if any(map(dynamic, objects)):
        return records({"type": "string"}, merged([v for o in objects for v in o.values()], level))
    names = dict.fromkeys(name for each in objects for name in each)
    return {
        "type": "object",
        "properties": {
            name: merged([each[name] for each in objects if name in each], level) for name in names
        },
        "required": [name for name in names if all(name in each for each in objects)],
        "additionalProperties": False,
    }


_NAMES = {bool: "boolean", int: "integer", float: "number", str: "string", type(None): "null"}


def records(key: dict[str, Any], value: Any) -> dict[str, Any]:
    """A flat array of records instead of an object with data as its keys."""
    return {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {"key": key, "value": value},
            "required": ["key", "value"],
            "additionalProperties": False,
        },
    }
