"""How large a schema is, by the measures of the vendors' limits."""

from dataclasses import dataclass
from typing import Any

from playground.constraints.jsonschema.keywords import children, subschemas
from playground.constraints.jsonschema.source import step
from playground.schema.dialects.references import target


@dataclass(frozen=True, slots=True)
class Counts:
    """Sizes of one schema."""

    properties: int
    depth: int
    """Objects inside one another, through references; a reference that leads back counts once."""
    enum_values: int
    characters: int
    """Of property names, definition names, enum and const values."""
    optional: int
    unions: int


def counts(root: Any) -> Counts:
    """Measure a schema."""
    properties = values = characters = optional = unions = 0
    for schema, _ in subschemas(root):
        if not isinstance(schema, dict):
            continue
        named = schema.get("properties")
        if isinstance(named, dict):
            properties += len(named)
            required = {one for one in listed(schema.get("required")) if isinstance(one, str)}
            optional += sum(name not in required for name in named)
            unions += sum(_union(inner) for inner in named.values())
        for holder in ("properties", "$defs", "definitions"):
            if isinstance(schema.get(holder), dict):
                characters += sum(map(len, schema[holder]))
        enum = listed(schema.get("enum"))
        values += len(enum)
        characters += sum(map(_length, enum))
        characters += _length(schema["const"]) if "const" in schema else 0
    return Counts(properties, _depth(root), values, characters, optional, unions)


def listed(value: Any) -> list[Any]:
    """The value, if it is a list."""
    return value if isinstance(value, list) else []


def _length(value: Any) -> int:
    return len(value) if isinstance(value, str) else 0


def _union(schema: Any) -> bool:
    return isinstance(schema, dict) and ("anyOf" in schema or len(listed(schema.get("type"))) > 1)


def _depth(root: Any) -> int:
    """The objects inside one another; a place that is being measured already counts as none."""
    known: dict[str, int] = {}
    opened: set[str] = set()
    todo = [("", root)]
    while todo:
        pointer, schema = todo[-1]
        inner = [] if pointer in known else _inner(root, pointer, schema)
        if pointer not in opened:
            opened.add(pointer)
            todo += [(place, value) for place, value in inner if place not in opened]
            continue
        todo.pop()
        if pointer not in known:
            deepest = max((known.get(place, 0) for place, _ in inner), default=0)
            known[pointer] = deepest + (isinstance(schema, dict) and is_object(schema))
    return known[""]


def _inner(root: Any, pointer: str, schema: Any) -> list[tuple[str, Any]]:
    """The schemas that a value, or a part of it, must satisfy besides."""
    definitions = (step(pointer, "$defs") + "/", step(pointer, "definitions") + "/")
    inner = [
        (place, value)
        for value, place in children(schema, pointer)
        if not place.startswith(definitions)
    ]
    found = target(root, schema.get("$ref")) if isinstance(schema, dict) else None
    return inner if found is None else [*inner, found]


def is_object(schema: dict[str, Any]) -> bool:
    """The schema speaks of objects."""
    kind = schema.get("type")
    return kind == "object" or "object" in listed(kind) or (kind is None and "properties" in schema)
