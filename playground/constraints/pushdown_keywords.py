"""Keywords of JSON Schema that an engine is known to drop in silence; what it drops in one schema
for certain is measured by the coverage of the schema debugger."""

from typing import Any

from playground.constraints.jsonschema.keywords import subschemas
from playground.constraints.jsonschema.source import step
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
)
"""xgrammar 0.2.9 compiles a schema with these and does not enforce them."""
_ANNOTATIONS = frozenset(
    {"title", "description", "default", "examples", "$comment", "deprecated", "$defs"}
    | {"definitions", "$schema", "$id", "$anchor", "readOnly", "writeOnly"}
)
_ORDER = Note(
    "info",
    "order",
    "",
    "Keys are offered in the schema's order, each once, extra keys after them; JSON has no order.",
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
        return [_ORDER]
    notes = [_ORDER, _BLANKS]
    for found, pointer in subschemas(schema):
        if not isinstance(found, dict):
            continue
        for keyword in _DROPPED:
            if keyword in found:
                notes.append(
                    _note("not-enforced", keyword, pointer, f"xgrammar drops `{keyword}`.")
                )
        if "properties" in found and "patternProperties" in found:
            message = "xgrammar tries `patternProperties` on no key that `properties` lists."
            notes.append(_note("partly", "patternProperties", pointer, message))
        if isinstance(found.get("pattern"), str) and not _reads(found["pattern"]):
            message = "xgrammar may misread this pattern: it knows fewer constructs."
            notes.append(_note("partly", "pattern", pointer, message))
        absent = _absent(found)
        if absent:
            message = f"xgrammar doesn't ask for required keys that `properties` lacks: {absent}."
            notes.append(_note("partly", "required", pointer, message))
        beside = [key for key in found if key not in _ANNOTATIONS and key not in _DROPPED]
        alone = next((key for key in _ALONE if key in found), None)
        if alone is not None and len(beside) > 1:
            message = f"xgrammar may leave out what stands beside `{alone}`."
            notes.append(_note("partly", alone, pointer, message))
        if found.get("type", "string") == "string" and {"minLength", "maxLength"} & set(found):
            message = (
                "xgrammar lets raw control characters into strings with a length bound, and no "
                "backslashes."
            )
            which = "maxLength" if "maxLength" in found else "minLength"
            notes.append(_note("partly", which, pointer, message))
    return notes


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
