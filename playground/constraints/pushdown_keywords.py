"""Keywords of JSON Schema that an engine is known to drop in silence; what it drops in one schema
for certain is measured by the coverage of the schema debugger."""

from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import unquote

from playground.constraints.jsonschema.keywords import REFERENCES, children
from playground.constraints.jsonschema.source import at, step
from playground.constraints.notes import Note
from playground.constraints.regex_ecma import for_ecma
from playground.errors import InvalidInput

_DROPPED = (
    "not",
    "if",
    "then",
    "else",
    "uniqueItems",
    "contains",
    "minContains",
    "maxContains",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "$dynamicRef",
    "$recursiveRef",
)
"""xgrammar 0.2.9 compiles a schema with these and does not enforce them."""
_ANNOTATIONS = frozenset(
    {"title", "description", "default", "examples", "$comment", "deprecated", "$defs"}
    | {"definitions", "$schema", "$id", "$anchor", "readOnly", "writeOnly"}
)
_DEFINITIONS = ("$defs", "definitions")
_ORDER = Note(
    "info",
    "order",
    "",
    "Keys are offered in the schema's order, each once, extra keys after them; JSON has no order.",
)
_ESCAPES = Note(
    "info",
    "escapes",
    "",
    r"llguidance is given the short escapes alone, such as \n, since it would take an escaped key for "
    r"another one. What needs \uXXXX, such as U+0001, is offered in listed keys only.",
)
_BLANKS = Note(
    "info",
    "blanks",
    "",
    "Where one blank is allowed, xgrammar takes a space, a tab or a line break.",
)
_ALONE = ("anyOf", "oneOf", "allOf", "$ref", "enum", "const")
"""xgrammar reads one of these and leaves what stands beside it."""


def known_drops(engine: str, schema: Any) -> list[Note]:
    """Notes about the keywords of `schema` that the engine is known not to enforce, and about what
    it is narrower or wider in, whatever the schema."""
    if engine != "xgrammar":  # llguidance refuses what it can't do
        return [_ORDER, _ESCAPES]
    notes = [_ORDER, _BLANKS]
    for found, pointer in _reached(schema):
        notes += _of_any(found, pointer)
        notes += _of_objects(found, pointer)
    return notes


def dropped_reference(notes: Sequence[Note]) -> Note | None:
    """The first of `notes` that tells of a reference that is left out, and all that it leads to."""
    left = (n for n in notes if n.level == "not-enforced" and n.keyword in REFERENCES)
    return next(left, None)


def _reached(schema: Any) -> Iterator[tuple[dict[str, Any], str]]:
    """The schema and the schemas inside it, with their pointers; definitions only where a
    reference leads to them."""
    todo, seen = [(schema, "")], set[str]()
    while todo:
        found, pointer = todo.pop()
        if pointer in seen or not isinstance(found, dict):
            continue
        seen.add(pointer)
        yield found, pointer
        used = {key: value for key, value in found.items() if key not in _DEFINITIONS}
        todo.extend(reversed(list(children(used, pointer))))
        if _is_local(found.get("$ref")):
            target = unquote(found["$ref"].removeprefix("#"))
            todo.append((at(schema, target), target))


def _of_any(found: dict[str, Any], pointer: str) -> Iterator[Note]:
    """About the keywords of one schema that aren't of objects."""
    for keyword in _DROPPED:
        if keyword in found:
            yield _note("not-enforced", keyword, pointer, f"xgrammar drops `{keyword}`.")
    if "$ref" in found and not _is_local(found["$ref"]):
        message = "xgrammar drops a `$ref` that isn't # and doesn't begin with #/."
        yield _note("not-enforced", "$ref", pointer, message)
    if isinstance(found.get("pattern"), str) and not _reads(found["pattern"]):
        message = "xgrammar may misread this pattern: it knows fewer constructs."
        yield _note("partly", "pattern", pointer, message)
    beside = [key for key in found if key not in _ANNOTATIONS and key not in _DROPPED]
    alone = next((key for key in _ALONE if key in found), None)
    if alone is not None and len(beside) > 1:
        message = f"xgrammar may leave out what stands beside `{alone}`."
        yield _note("partly", alone, pointer, message)
    if found.get("type", "string") == "string" and {"minLength", "maxLength"} & set(found):
        message = (
            "xgrammar lets raw control characters into strings with a length bound, and no "
            "backslashes."
        )
        which = "maxLength" if "maxLength" in found else "minLength"
        yield _note("partly", which, pointer, message)


def _of_objects(found: dict[str, Any], pointer: str) -> Iterator[Note]:
    """About the keywords of one schema that are of objects."""
    if found.get("unevaluatedProperties") is False:
        message = "xgrammar drops `unevaluatedProperties` where it is false."
        yield _note("not-enforced", "unevaluatedProperties", pointer, message)
    absent = _absent(found)
    if absent:
        message = f"xgrammar doesn't ask for required keys that `properties` lacks: {absent}."
        yield _note("partly", "required", pointer, message)
    if not found.get("properties"):
        return
    if "patternProperties" in found:
        message = "xgrammar tries `patternProperties` on no key that `properties` lists."
        yield _note("partly", "patternProperties", pointer, message)
    if "propertyNames" in found:
        message = "xgrammar may leave out `properties` beside `propertyNames`."
        yield _note("partly", "properties", pointer, message)
    if found.get("additionalProperties") is not False:
        message = (
            r"xgrammar takes an escaped key, such as \u0061 for a, for an extra one, and doesn't "
            "hold it to the schema of the listed key."
        )
        yield Note("partly", "escapes", step(pointer, "properties"), message)


def _is_local(ref: Any) -> bool:
    """A reference that xgrammar follows."""
    return isinstance(ref, str) and (ref == "#" or ref.startswith("#/"))


def _reads(pattern: str) -> bool:
    try:
        for_ecma(pattern)
    except InvalidInput:
        return False
    return True


def _absent(schema: dict[str, Any]) -> str:
    required, properties = schema.get("required"), schema.get("properties")
    if not isinstance(required, list):
        return ""
    known = properties if isinstance(properties, dict) else {}
    missing = [name for name in required if isinstance(name, str) and name not in known]
    return ", ".join(missing[:5])


def _note(level: Any, keyword: str, pointer: str, message: str) -> Note:
    return Note(level, keyword, step(pointer, keyword), message)
