"""Which subschemas a value at a path must satisfy, whatever else a text says: only where it is sure."""

from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import unquote

from playground.constraints.jsonschema.source import NOWHERE, at


def must_hold(schema: Any, path: Sequence[str | int], through: bool = False) -> Iterator[Any]:
    """Subschemas that the value at `path` must satisfy, whatever the rest of the text is: those
    reached through `properties`, `items` and `prefixItems`, local references and `allOf`.

    With `through`, also those that the found ones lead to by references and `allOf`.
    """
    todo = [(schema, 0)]
    for _ in range(200):
        if not todo:
            return
        here, depth = todo.pop()
        if not isinstance(here, dict) or (here is not schema and "$id" in here):
            continue
        if depth == len(path):
            yield here
            if not through:
                continue
        ref = here.get("$ref")
        if isinstance(ref, str) and ref.startswith("#"):
            target = _local(schema, ref)
            todo.append((target, depth))
            if "$schema" in schema and any(f"draft-0{n}" in schema["$schema"] for n in "467"):
                continue  # siblings of a reference are ignored there
        parts = here.get("allOf")
        if isinstance(parts, list):
            todo += [(inner, depth) for inner in parts]
        if depth == len(path):
            continue
        part = path[depth]
        if isinstance(part, str):
            named = here.get("properties")
            if isinstance(named, dict) and part in named:
                todo.append((named[part], depth + 1))
        else:
            first = here.get("prefixItems", [])
            rest = here.get("items")
            if isinstance(first, list) and part < len(first):
                todo.append((first[part], depth + 1))
            elif isinstance(rest, dict):
                todo.append((rest, depth + 1))


def _local(schema: Any, ref: str) -> Any:
    """The target of `#` or `#/a/b`; True, which forbids nothing, where it has none."""
    if ref not in ("", "#") and not ref.startswith("#/"):
        return True
    value = at(schema, unquote(ref[1:]))
    return True if value is NOWHERE else value
