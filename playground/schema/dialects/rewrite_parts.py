"""Small rewritings of one schema, and what must hold before and after a rewriting."""

from collections.abc import Mapping
from typing import Any

from playground.constraints.jsonschema.keywords import subschemas
from playground.schema.dialects.counts import listed
from playground.schema.dialects.merge import HIGHEST, LOWEST
from playground.schema.dialects.references import target

_TYPES: Mapping[str, Any] = {
    **dict.fromkeys(("$defs", "definitions", "properties"), dict),
    **dict.fromkeys(("allOf", "anyOf", "enum", "oneOf", "required"), list),
    **dict.fromkeys((*LOWEST, *HIGHEST, "multipleOf"), int | float),
    **dict.fromkeys(("$ref", "format", "pattern"), str),
    "type": str | list,
}
"""The JSON types of the keywords that a rewriting touches."""


def tuple_renamed(schema: dict[str, Any]) -> dict[str, Any]:
    """The tuple of old drafts, a list under `items`, in the words of 2020-12."""
    if not isinstance(schema.get("items"), list) or "prefixItems" in schema:
        return schema
    rest = {"items": schema["additionalItems"]} if "additionalItems" in schema else {}
    kept = {key: schema[key] for key in schema if key not in ("items", "additionalItems")}
    return {**kept, "prefixItems": schema["items"], **rest}


def well_formed(root: Any) -> bool:
    """The keywords that a rewriting touches have values of the right JSON type."""
    for schema, _ in subschemas(root):
        if not isinstance(schema, dict | bool):
            return False
        for keyword, value in schema.items() if isinstance(schema, dict) else ():
            if keyword in _TYPES and not isinstance(value, _TYPES[keyword]):
                return False
            named = value if keyword in ("required", "type") and isinstance(value, list) else []
            if not all(isinstance(one, str) for one in named):
                return False
    return True


def resolves(root: Any, new: Any) -> bool:
    """Every reference of `new` leads somewhere, if all of `root` did."""
    return not _dangling(new) or _dangling(root)


def _dangling(root: Any) -> bool:
    return any(
        isinstance(schema, dict) and "$ref" in schema and target(root, schema["$ref"]) is None
        for schema, _ in subschemas(root)
    )


def nullable(schema: Any) -> Any:
    """The schema, or null."""
    null = {"type": "null"}
    if not isinstance(schema, dict):
        return {"anyOf": [schema, null]}
    kind = schema.get("type")
    if kind == "null" or "null" in listed(kind):
        if "const" not in schema and None in schema.get("enum", [None]):
            return schema
    elif kind is not None and not {"const", "anyOf", "oneOf", "allOf", "$ref"} & schema.keys():
        kinds = [*(kind if isinstance(kind, list) else [kind]), "null"]
        enum = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
        return {**schema, "type": kinds, **enum}
    if set(schema) <= {"anyOf", "description", "title"} and isinstance(schema.get("anyOf"), list):
        known = null in schema["anyOf"]
        return schema if known else {**schema, "anyOf": [*schema["anyOf"], null]}
    about = {key: schema[key] for key in ("title", "description") if key in schema}
    return {**about, "anyOf": [{k: v for k, v in schema.items() if k not in about}, null]}


def number(value: Any) -> float:
    """The value, if it is a number; else 0."""
    return value if isinstance(value, int | float) and not isinstance(value, bool) else 0
