"""The JSON Schema of a constraint, tied to the text that its visitor typed."""

from typing import Any

from playground.constraints.spec import ConstraintSpec
from playground.constraints.tool_source import read_tools
from playground.errors import InvalidInput
from playground.schema.json_text import JsonText


def as_typed(spec: ConstraintSpec, schema_text: str) -> JsonText:
    """The schema with the places of its parts in `spec.source`, and whether it can be edited there.

    A tool's schema is a part of its definition. Of several tools the schema is made: its parts have
    places, but no edits. A Pydantic model's schema has neither.

    Raises:
        InvalidInput: `schema_text` is not JSON, with line and column.
    """
    text = JsonText(schema_text)
    if spec.kind == "schema":
        return text
    places: dict[str, tuple[int, int]] = {}
    if spec.kind == "tool":
        try:
            tools = read_tools(spec.source)
            whole = JsonText(spec.source)
        except InvalidInput:
            return text.made(places)
        if len(tools) == 1 and tools[0].pointer:
            return whole.part(tools[0].pointer)
        places[""] = (1, 1)
        for index, tool in enumerate(tools):
            if tool.pointer:
                root = f"/anyOf/{index}/properties/arguments"
                inner = whole.part(tool.pointer).places
                places |= {f"{root}{pointer}": place for pointer, place in inner.items()}
    return text.made(places)


def nearest(text: JsonText, pointer: str) -> tuple[int, int] | None:
    """Line and column of the part at `pointer`, or of the innermost around it that has a place."""
    while pointer and pointer not in text.places:
        pointer = pointer.rpartition("/")[0]
    return text.places.get(pointer)


def relocated(spec: ConstraintSpec, schema_text: str | None, document: Any) -> Any:
    """A document about the schema of a Pydantic model or a tool, its `line` and `column` beside a
    pointer as places of `spec.source`, both None where the part stands nowhere in it; a document
    about another kind as it is.

    Args:
        spec: the constraint as typed.
        schema_text: the JSON Schema that the document speaks of; None for kinds without one.
        document: dicts and lists, as they are sent.
    """
    if schema_text is None or spec.kind == "schema":
        return document
    return _relocated(as_typed(spec, schema_text), document)


def _relocated(text: JsonText, document: Any) -> Any:
    if isinstance(document, list):
        return [_relocated(text, each) for each in document]
    if not isinstance(document, dict):
        return document
    out = {key: _relocated(text, value) for key, value in document.items()}
    pointer = out.get("schema_pointer", out.get("pointer"))
    if isinstance(pointer, str) and "line" in out:
        out["line"], out["column"] = nearest(text, pointer) or (None, None)
    return out
