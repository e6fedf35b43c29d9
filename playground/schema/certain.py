"""What is certain of a JSON text cut anywhere: fields that are closed, the open one, what is missing."""

from typing import Any

from playground.constraints.jsonschema.place import written
from playground.constraints.jsonschema.scan import Path
from playground.constraints.judge_paths import must_hold
from playground.schema.parts import Part, Reading, unquoted

MAX_FIELDS = 200
"""So many closed fields are told, the last ones."""
MAX_TEXT = 200
"""Longest text of a field that is shown, characters."""


def is_closed(reading: Reading, part: Part) -> bool:
    """Nothing that may follow changes it: a number at the end of a text might still grow."""
    if part.end is None:
        return False
    return part.end < len(reading.text) or part.kind != "number"


def closed_parts(reading: Reading) -> list[Part]:
    """The largest values that are closed, in order; a whole text is one."""
    out, todo = [], [reading.root] if reading.root is not None else []
    while todo:
        part = todo.pop()
        if is_closed(reading, part):
            out.append(part)
        else:
            todo.extend(reversed(part.members))
    return out


def certain(schema: Any, reading: Reading) -> dict[str, Any]:
    """What a text says already, whatever follows.

    Args:
        schema: the parsed JSON Schema.
        reading: the text, up to where it is JSON.

    Returns:
        `closed`: path and text of every string, number and word that is complete, and of empty
        arrays and objects; `open`: the one at the end, or None; where a key is being written its
        path is `a key of` the object and its text the key so far; `missing`: paths of the keys
        that the schema requires of objects that are still open.
    """
    parts = [] if reading.root is None else list(reading.root.walk())
    fields = [part for part in parts if part.kind not in ("object", "array") or _is_bare(part)]
    closed = [part for part in fields if is_closed(reading, part)]
    open_ones = [part for part in fields if not is_closed(reading, part)]
    missing = [
        written((*path, name))
        for path, names in _open_objects(reading, parts)
        for name in _required(schema, path)
        if name not in names
    ]
    return {
        "closed": [_field(reading, part) for part in closed[-MAX_FIELDS:]],
        "open": _open(reading, parts, open_ones),
        "missing": missing,
    }


def _is_bare(part: Part) -> bool:
    return not part.members and part.end is not None


def _open(reading: Reading, parts: list[Part], fields: list[Part]) -> dict[str, str] | None:
    """The field at the end: the last of the open `fields`, the one whose value has not begun, or
    the key that is being written."""
    if fields:
        return _field(reading, fields[-1])
    holders = [part for part in parts if part.kind in ("object", "array") and part.end is None]
    if reading.status != "cut" or not holders or holders[-1].kind != "object":
        return None
    holder, text = holders[-1], reading.text
    if reading.open_key is not None:
        name = unquoted(text[slice(*reading.open_key)])
        return {"path": written((*holder.path, name)), "text": ""}
    after = holder.members[-1].end if holder.members else holder.start
    start = text.find('"', after)  # nothing but blanks, a brace and a comma stand before a key
    if start < 0:
        return None
    return {"path": f"a key of {written(holder.path)}", "text": text[start:][:MAX_TEXT]}


def _field(reading: Reading, part: Part) -> dict[str, str]:
    return {"path": written(part.path), "text": _text(reading, part)[:MAX_TEXT]}


def _text(reading: Reading, part: Part) -> str:
    return reading.text[part.start : part.end]


def _open_objects(reading: Reading, parts: list[Part]) -> list[tuple[Path, set[str]]]:
    if reading.root is None:
        return [((), set())]
    return [
        (part.path, set(part.names)) for part in parts if part.kind == "object" and part.end is None
    ]


def _required(schema: Any, path: Path) -> list[str]:
    """Keys that every valid object at `path` has: those that no alternative is about."""
    names: dict[str, None] = {}
    for each in must_hold(schema, path, through=True):
        listed = each.get("required")
        if isinstance(listed, list):
            names.update(dict.fromkeys(name for name in listed if isinstance(name, str)))
    return list(names)
