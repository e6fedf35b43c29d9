"""Where a text that is still being written stands in its schema: a JSON pointer and words."""

from dataclasses import dataclass
from typing import Any

from playground.constraints.jsonschema.describe import expectation, length_limit
from playground.constraints.jsonschema.navigate import Navigator, Node
from playground.constraints.jsonschema.scan import Path, Scan, characters, scan

MAX_TEXT = 20_000
"""Of a longer text only the schema's root is told."""
FAR = "inside a long text"
"""What is said of it."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the end of the text stands."""

    pointer: str | None
    """JSON pointer into the schema; None where the schema says nothing about this part."""
    words: str
    """A phrase such as `inside the string of $.name: 3 characters so far`."""


@dataclass(frozen=True, slots=True)
class Field:
    """One string, number or word of the text."""

    path: str
    """As in `$.lines[0].amount`."""
    pointer: str | None
    complete: bool
    text: str
    """As written so far."""


def locate(schema: Any, text: bytes) -> Place:
    """The place in the schema where `text`, a beginning of a JSON document, ends."""
    if len(text) > MAX_TEXT:
        return Place("", FAR)
    found = scan(text)
    navigator = Navigator(schema, _complete(found))
    if found.spot in ("key", "in key", "colon"):
        return _at_key(navigator, found)
    node = navigator.find(found.path)
    return Place(node.pointer if node else None, _words(navigator, found, node))


def fields(schema: Any, text: bytes) -> tuple[Field, ...]:
    """The strings, numbers and words of `text`, in order; the last may be open."""
    found = scan(text[:MAX_TEXT])
    navigator = Navigator(schema, _complete(found))
    out = []
    for value in found.values:
        node = navigator.find(value.path)
        pointer = node.pointer if node else None
        out.append(Field(written(value.path), pointer, value.complete, value.text))
    return tuple(out)


def _complete(found: Scan) -> dict[Path, str]:
    return {value.path: value.text for value in found.values if value.complete}


def written(path: Path) -> str:
    """A path as text: `$`, `$.name`, `$.lines[0]`, `$["odd key"]`."""
    out = "$"
    for part in path:
        if isinstance(part, int):
            out += f"[{part}]"
        else:
            out += f".{part}" if part.isidentifier() else f'["{part}"]'
    return out


def _at_key(navigator: Navigator, found: Scan) -> Place:
    if found.spot == "colon":
        node = navigator.find(found.path)
        return Place(node.pointer if node else None, f'after the key "{found.key}": a colon')
    here = written(found.path)
    owner = navigator.find(found.path)
    pointer = owner.pointer if owner else None
    names = navigator.names(owner) if owner else []
    if found.spot == "in key":
        fitting = [name for name in names if name.startswith(found.partial)]
        if len(fitting) == 1:
            node = navigator.find((*found.path, fitting[0]))
            pointer = node.pointer if node else pointer
        return Place(pointer, f'inside a key of {here}: "{found.partial}" so far')
    left = [name for name in names if (*found.path, name) not in navigator.seen]
    shown = f" ({', '.join(left[:4])}{', ...' if len(left) > 4 else ''})" if left else ""
    end = ", or the closing brace" if found.count == 0 else ""
    return Place(pointer, f"expects a key of {here}{shown}{end}")


def _words(navigator: Navigator, found: Scan, node: Node | None) -> str:
    here = written(found.path)
    if found.spot == "string":
        count = characters(found.partial)
        limit = length_limit(navigator, node) if node else ""
        return f"inside the string of {here}: {count} {_plural('character', count)} so far{limit}"
    if found.spot == "scalar":
        kind = "number" if found.partial[:1] in "-0123456789" else "word"
        return f"inside the {kind} of {here}: {found.partial[:40]} so far"
    if found.spot == "value":
        end = ", or the closing bracket" if found.container == "array" and not found.count else ""
        said = expectation(navigator, node) if node else "any JSON value"
        return f"expects the value of {here}: {said}{end}"
    if found.spot == "after":
        closing = "brace" if found.container == "object" else "bracket"
        return f"after {here}: a comma or the closing {closing}"
    return "after the end of the document" if found.spot == "done" else "not JSON any more"


def _plural(noun: str, count: int) -> str:
    return noun if count == 1 else noun + "s"
