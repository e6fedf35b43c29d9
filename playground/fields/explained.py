"""Free texts after typed decisions: the schema of an answer whose typed fields are decided already."""

import json
from collections.abc import Mapping
from typing import Any

from playground.constraints.jsonschema.source import whole_schema
from playground.errors import InvalidInput


def explained_schema(schema: str, record: Mapping[str, Any]) -> str:
    """A JSON Schema of the same answers, of which the typed fields have the values of `record` and
    come first, so that whatever is generated after them was written knowing them.

    Args:
        schema: the whole schema, free texts included.
        record: the decided fields, as `RecordType.record` makes it of the schema's typed part.

    Raises:
        InvalidInput: the schema isn't an object with properties.
    """
    whole = whole_schema(schema).value
    properties = whole.get("properties") if isinstance(whole, dict) else None
    if not isinstance(properties, dict):
        raise InvalidInput(
            "The schema has no properties of its own.",
            "Write an object whose properties stand at its top.",
            "/properties",
        )
    decided = {name: value for name, value in record.items() if name in properties}
    ordered = {name: _decided(properties[name], value) for name, value in decided.items()}
    ordered |= {name: each for name, each in properties.items() if name not in decided}
    required = [*decided, *(name for name in ordered if name not in decided)]
    out = {**whole, "properties": ordered, "required": required}
    return json.dumps(out, ensure_ascii=False)


def _decided(schema: Any, value: Any) -> Any:
    """The value alone; in an object that holds free texts too, its typed fields alone."""
    inner = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(value, dict) or not isinstance(inner, dict) or set(inner) <= set(value):
        return {"const": value}
    kept = {name: _decided(inner[name], each) for name, each in value.items() if name in inner}
    kept |= {name: each for name, each in inner.items() if name not in kept}
    return {**schema, "properties": kept, "required": list(kept)}
