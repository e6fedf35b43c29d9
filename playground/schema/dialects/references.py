"""The local references of a schema: what they lead to, and which of them lead back to themselves."""

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import unquote

from playground.constraints.jsonschema.keywords import subschemas
from playground.constraints.jsonschema.source import NOWHERE, at


def target(root: Any, reference: Any) -> tuple[str, Any] | None:
    """The pointer and the value that a reference of the form `#` or `#/a/b` leads to; else None."""
    if not isinstance(reference, str) or not (reference == "#" or reference.startswith("#/")):
        return None
    pointer = unquote(reference[1:])
    value = at(root, pointer)
    return None if value is NOWHERE else (pointer, value)


def recursive(root: Any) -> set[str]:
    """The pointers of the subschemas whose `$ref` leads, at last, back to itself."""
    leads: dict[str, str] = {}
    for schema, pointer in subschemas(root):
        if isinstance(schema, dict) and "$ref" in schema:
            found = target(root, schema["$ref"])
            if found is not None:
                leads[pointer] = found[0]
    ends = set(leads.values())
    around = {place: [outer for outer in outers(place) if outer in ends] for place in leads}
    graph: dict[str, list[str]] = {end: [] for end in ends}
    for place, inside in around.items():
        for outer in inside:
            graph[outer].append(leads[place])
    part = components(graph)
    return {
        place
        for place, inside in around.items()
        if any(part[outer] == part[leads[place]] for outer in inside)
    }


def outers(pointer: str) -> Iterable[str]:
    """The pointer and all places around it, the root last."""
    yield pointer
    while pointer:
        pointer = pointer.rpartition("/")[0]
        yield pointer


def components(graph: Mapping[str, list[str]]) -> dict[str, int]:
    """The number of each node's strongly connected component, by two searches (Kosaraju)."""
    seen: set[str] = set()
    order = [node for start in graph for node in _finished(graph, start, seen)]
    back: dict[str, list[str]] = {node: [] for node in graph}
    for node, ends in graph.items():
        for end in ends:
            back[end].append(node)
    part: dict[str, int] = {}
    reached: set[str] = set()
    for number, start in enumerate(reversed(order)):
        for node in _finished(back, start, reached):
            part[node] = number
    return part


def _finished(graph: Mapping[str, list[str]], start: str, seen: set[str]) -> list[str]:
    """The unseen nodes reached from `start`, in the order in which a depth-first search leaves
    them; they are added to `seen`."""
    if start in seen:
        return []
    seen.add(start)
    left, stack = [], [(start, iter(graph[start]))]
    while stack:
        node, ends = stack[-1]
        following = next((end for end in ends if end not in seen), None)
        if following is None:
            left.append(node)
            stack.pop()
        else:
            seen.add(following)
            stack.append((following, iter(graph[following])))
    return left
