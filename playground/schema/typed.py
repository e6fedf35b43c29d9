"""The JSON Schema of a constraint, tied to the text that its visitor typed."""

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
