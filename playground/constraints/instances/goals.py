"""The subschemas of one document as a graph: where a reference leads, and the way to a place."""

from collections import deque
from typing import Any
from urllib.parse import unquote

from playground.constraints.jsonschema.keywords import REFERENCES, children, subschemas
from playground.constraints.jsonschema.source import NOWHERE, at, keys

MAX_SUBSCHEMAS = 5_000
"""Beyond so many the rest is not looked at."""


class Map:
    """Every subschema by its pointer, and who leads to whom."""

    def __init__(self, schema: Any) -> None:
        self.root = schema
        self.subschemas: dict[str, Any] = {}
        self._anchors: dict[str, str] = {}
        for found, pointer in subschemas(schema):
            if len(self.subschemas) >= MAX_SUBSCHEMAS:
                break
            self.subschemas[pointer] = found
            if isinstance(found, dict):
                for keyword in ("$anchor", "$dynamicAnchor"):
                    if isinstance(found.get(keyword), str):
                        self._anchors.setdefault(found[keyword], pointer)
                for keyword in ("$id", "id"):
                    if isinstance(found.get(keyword), str):
                        self._anchors.setdefault(found[keyword], pointer)
        self._into: dict[str, list[str]] = {}
        for pointer, found in self.subschemas.items():
            for _, inner in children(found, pointer):
                if keys(inner[len(pointer) :])[0] in ("$defs", "definitions"):
                    continue  # they judge nothing where they stand
                self._into.setdefault(inner, []).append(pointer)
            for keyword in REFERENCES:
                ref = found.get(keyword) if isinstance(found, dict) else None
                if isinstance(ref, str) and (target := self.target(ref)) is not None:
                    self._into.setdefault(target, []).append(pointer)

    def target(self, ref: str) -> str | None:
        """The pointer of what a reference within this document names; None where it names none."""
        base, _, fragment = ref.partition("#")
        if not base and not fragment:
            return ""
        if not base and fragment.startswith("/"):
            pointer = unquote(fragment)
            return pointer if pointer in self.subschemas or self.at(pointer) is not None else None
        return self._anchors.get(fragment or base, self._anchors.get(base or ref))

    def at(self, pointer: str) -> Any:
        """What stands at a pointer; None where nothing does."""
        if pointer in self.subschemas:
            return self.subschemas[pointer]
        value = at(self.root, pointer)
        return None if value is NOWHERE else value

    def distances(self, goal: str) -> dict[str, int]:
        """Pointer of a subschema -> steps (into a subschema or along a reference) to `goal`."""
        found = {goal: 0}
        todo = deque([goal])
        while todo:
            pointer = todo.popleft()
            for earlier in self._into.get(pointer, ()):
                if earlier not in found:
                    found[earlier] = found[pointer] + 1
                    todo.append(earlier)
        return found

    def path(self, pointer: str) -> tuple[str | int, ...]:
        """The keys and indices of a pointer into this document."""
        value, out = self.root, []
        for key in keys(pointer):
            part: str | int = int(key) if isinstance(value, list) else key
            value = value[part]
            out.append(part)
        return tuple(out)


def outer(pointer: str) -> str:
    """The pointer one level up."""
    return pointer.rpartition("/")[0]
