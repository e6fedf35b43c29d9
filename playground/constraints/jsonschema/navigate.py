"""From a path in a JSON document to the subschema that speaks of it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from playground.constraints.jsonschema.keywords import subschemas
from playground.constraints.jsonschema.matching import matches
from playground.constraints.jsonschema.scan import Path
from playground.constraints.jsonschema.source import NOWHERE, at, step

MAX_HOPS = 40
"""So many references and alternatives are followed for one value."""


@dataclass(frozen=True, slots=True)
class Node:
    """A subschema with its pointer."""

    schema: Any
    pointer: str


class Navigator:
    """Finds subschemas of one schema for one document."""

    def __init__(self, schema: Any, seen: Mapping[Path, str]) -> None:
        """`seen` holds the document's strings, numbers and words as written: alternatives whose
        `const` or `enum` they contradict are passed over."""
        self._root = schema
        self.seen = seen

    def find(self, path: Path) -> Node | None:
        """The first subschema that speaks of the value at `path`."""
        node: Node | None = Node(self._root, "")
        for depth, part in enumerate(path):
            if node is None:
                return None
            node = self._step(node, part, path[:depth])
        return node

    def names(self, node: Node) -> list[str]:
        """The property names that the object's schema knows, in order."""
        found: dict[str, None] = {}
        for each in self.in_place(node, None):
            properties = each.schema.get("properties")
            if isinstance(properties, dict):
                found.update(dict.fromkeys(properties))
        return list(found)

    def _step(self, node: Node, part: str | int, at: Path) -> Node | None:
        for each in self.in_place(node, at):
            found = _member(each, part) if isinstance(part, str) else _item(each, part)
            if found is not None:
                return found
        return None

    def in_place(self, node: Node, at: Path | None) -> Iterator[Node]:
        """The schema and those that judge the same value: through `$ref` and combinations."""
        todo, known = [node], 0
        while todo and known < MAX_HOPS:
            each = todo.pop(0)
            known += 1
            if not isinstance(each.schema, dict):
                continue
            if at is not None and self._contradicted(each, at):
                continue
            yield each
            if isinstance(each.schema.get("$ref"), str):
                target = self._target(each.schema["$ref"])
                if target is not None:
                    todo.append(target)
            for keyword in ("allOf", "anyOf", "oneOf"):
                listed = each.schema.get(keyword)
                if isinstance(listed, list):
                    pointer = step(each.pointer, keyword)
                    todo.extend(Node(inner, step(pointer, i)) for i, inner in enumerate(listed))
            for keyword in ("then", "else"):
                if keyword in each.schema:
                    todo.append(Node(each.schema[keyword], step(each.pointer, keyword)))

    def _contradicted(self, node: Node, at: Path) -> bool:
        """A complete sibling has a value that this schema excludes by `const` or `enum`."""
        properties = node.schema.get("properties")
        if not isinstance(properties, dict):
            return False
        for name, inner in properties.items():
            written = self.seen.get((*at, name))
            if written is None or not isinstance(inner, dict):
                continue
            listed = [inner["const"]] if "const" in inner else inner.get("enum")
            if isinstance(listed, list) and written.endswith('"'):
                values = [value for value in listed if isinstance(value, str)]
                if not any(written == f'"{value}"' for value in values):
                    return True
        return False

    def _target(self, ref: str) -> Node | None:
        if ref in ("", "#"):
            return Node(self._root, "")
        if not ref.startswith("#"):
            return None
        if not ref.startswith("#/"):
            for schema, pointer in subschemas(self._root):
                if isinstance(schema, dict) and schema.get("$anchor") == ref[1:]:
                    return Node(schema, pointer)
            return None
        pointer = unquote(ref[1:])
        value = at(self._root, pointer)
        return None if value is NOWHERE else Node(value, pointer)


def _member(node: Node, name: str) -> Node | None:
    properties, patterns = node.schema.get("properties"), node.schema.get("patternProperties")
    if isinstance(properties, dict) and name in properties:
        return Node(properties[name], step(step(node.pointer, "properties"), name))
    if isinstance(patterns, dict):
        for pattern, inner in patterns.items():
            if matches(pattern, name):
                return Node(inner, step(step(node.pointer, "patternProperties"), pattern))
    for keyword in ("additionalProperties", "unevaluatedProperties"):
        if keyword in node.schema:
            return Node(node.schema[keyword], step(node.pointer, keyword))
    return None


def _item(node: Node, index: int) -> Node | None:
    for keyword in ("prefixItems", "items"):
        listed = node.schema.get(keyword)
        if isinstance(listed, list) and index < len(listed):
            return Node(listed[index], step(step(node.pointer, keyword), index))
    for keyword in ("items", "additionalItems", "unevaluatedItems"):
        inner = node.schema.get(keyword)
        if isinstance(inner, dict | bool):
            return Node(inner, step(node.pointer, keyword))
    return None
