"""Free texts after typed decisions: the schema of an answer whose typed fields are decided already."""

import json
from collections.abc import Mapping
from typing import Any

from playground.constraints.jsonschema.refs import References, Sub
from playground.constraints.jsonschema.source import whole_schema
from playground.errors import InvalidInput

_ELSEWHERE = ("allOf", "anyOf", "oneOf", "if", "$dynamicRef", "$recursiveRef")
"""Keywords by which an object can have properties that don't stand in its own `properties`."""


def explained_schema(schema: str, record: Mapping[str, Any]) -> str:
    """A JSON Schema of the same answers, of which the typed fields have the values of `record` and
    come first, so that whatever is generated after them was written knowing them.

    Args:
        schema: the whole schema, free texts included.
        record: the decided fields, as `RecordType.record` makes it of the schema's typed part.

    Raises:
        InvalidInput: the schema, or an object in it that holds decided fields, has no properties of
            its own.
        UnsupportedSchema: a reference leads nowhere, or in a circle.
    """
    refs = References(whole_schema(schema).value)
    root = _followed(refs, refs.root)
    own = root.schema.get("properties") if isinstance(root.schema, dict) else None
    if not isinstance(own, dict):
        raise _no_properties(root)
    return json.dumps(_given(refs, root, record), ensure_ascii=False)


def _given(refs: References, sub: Sub, record: Mapping[str, Any]) -> dict[str, Any]:
    """An object's schema with its decided fields first, and everything asked for."""
    own = sub.schema["properties"]
    decided = {name: value for name, value in record.items() if name in own}
    ordered = {
        name: _decided(refs, sub.inner(own[name], "properties", name), value)
        for name, value in decided.items()
    }
    ordered |= {name: each for name, each in own.items() if name not in decided}
    return {**sub.schema, "properties": ordered, "required": list(ordered)}


def _decided(refs: References, sub: Sub, value: Any) -> Any:
    """The value alone; in an object that holds free texts too, its typed fields alone."""
    sub = _followed(refs, sub)
    if not isinstance(value, dict) or not isinstance(sub.schema, dict):
        return {"const": value}
    own = sub.schema.get("properties")
    if not isinstance(own, dict):
        if any(keyword in sub.schema for keyword in _ELSEWHERE):
            raise _no_properties(sub)
        return {"const": value}
    if set(own) <= set(value) and all(not isinstance(each, dict) for each in value.values()):
        return {"const": value}
    return _given(refs, sub, value)


def _followed(refs: References, sub: Sub) -> Sub:
    """Where its `$ref` leads, with what stands beside that."""
    while isinstance(sub.schema, dict) and "$ref" in sub.schema:
        beside = {name: each for name, each in sub.schema.items() if name != "$ref"}
        target = refs.follow(sub, "$ref")
        if not isinstance(target.schema, dict):
            return target
        sub = target.invented({**target.schema, **beside})
    return sub


def _no_properties(sub: Sub) -> InvalidInput:
    return InvalidInput(
        "The schema has no properties of its own where fields are decided.",
        "Write the object with its properties at its top.",
        f"{sub.pointer}/properties",
    )
