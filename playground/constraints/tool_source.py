"""A tool definition as JSON -> the JSON Schema of a call of it.

Read are OpenAI's form (`{"type": "function", "function": {...}}`, or flat), Anthropic's
(`name`, `input_schema`), MCP's (`name`, `inputSchema`) and Gemini's (`functionDeclarations`, a
list of functions), a list of tools in any of them, and an object that holds such a list under
`tools`. One tool gives the schema of its arguments. Several give a choice of calls:
`{"name": ..., "arguments": ...}`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from playground.constraints.jsonschema.source import BOM, Parsed, parse, step
from playground.errors import InvalidInput

MAX_TOOLS = 200
_PARAMETERS = ("parameters", "input_schema", "inputSchema", "parametersJsonSchema")
_DECLARATIONS = ("functionDeclarations", "function_declarations")
_TYPES = frozenset({"STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"})
"""Gemini's names of JSON Schema's types."""
_NO_ARGUMENTS = {"type": "object", "properties": {}, "additionalProperties": False}
_DATA = frozenset({"const", "enum", "default", "examples", "example"})
"""Keywords whose values are data: a `$ref` in there refers to nothing."""
_NAMED = frozenset(
    {"properties", "patternProperties", "dependentSchemas", "$defs", "definitions", "defs"}
)
"""Keywords whose values hold schemas by names of the author's, such as `default`."""
_FORMS = (
    'Write {"name": ..., "parameters": {...}} as OpenAI does, {"name": ..., "input_schema": '
    '{...}} as Anthropic does, {"name": ..., "inputSchema": {...}} as MCP does, or '
    '{"functionDeclarations": [...]} as Gemini does.'
)


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool."""

    name: str
    schema: Any
    """The JSON Schema of its arguments."""
    pointer: str
    """Where that schema stands in the source; empty where the tool has none and takes nothing."""


def read_tools(source: str) -> list[Tool]:
    """The tools of a definition, at least one.

    Raises:
        InvalidInput: no JSON, or no tool; with line and column.
    """
    parsed = parse(source.removeprefix(BOM))
    value, pointer = parsed.value, ""
    if isinstance(value, dict) and isinstance(value.get("tools"), list):
        value, pointer = value["tools"], "/tools"
    definitions = list(_definitions(parsed, value, pointer))
    if len(definitions) > MAX_TOOLS:
        _fail(parsed, pointer, f"There are more than {MAX_TOOLS} tools.", "Offer fewer.")
    tools, seen = [], set[str]()
    for each, where in definitions:
        tool = _tool(parsed, each, where)
        if tool.name in seen:
            _fail(parsed, where, f'Two tools are called "{tool.name}".', "Rename one of them.")
        seen.add(tool.name)
        tools.append(tool)
    return tools


def _definitions(parsed: Parsed, value: Any, pointer: str) -> Iterator[tuple[Any, str]]:
    """Each tool with its pointer: those of a list, and the functions that Gemini declares in one."""
    if not isinstance(value, list):
        key = next((key for key in _DECLARATIONS if isinstance(value, dict) and key in value), None)
        if key is None:
            yield value, pointer
            return
        value, pointer = value[key], step(pointer, key)
        if not isinstance(value, list):
            _fail(parsed, pointer, f"`{key}` is no list.", _FORMS)
        value = [_declaration(each) for each in value]
    if not value:
        _fail(parsed, pointer, "The list of tools is empty.", "Write at least one tool.")
    for index, each in enumerate(value):
        where = step(pointer, index)
        if isinstance(each, dict) and any(key in each for key in _DECLARATIONS):
            yield from _definitions(parsed, each, where)
        else:
            yield each, where


def _declaration(value: Any) -> Any:
    """A function that Gemini declares, with its `parameters` in JSON Schema's words."""
    if not isinstance(value, dict) or "parameters" not in value:
        return value
    return {**value, "parameters": _rebuilt(value["parameters"], _as_json_schema)}


def _as_json_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema of Gemini's as JSON Schema spells it: the type `STRING` as `string`, and `nullable`
    as one more type or option, behind the others, so that these stand where they stood."""
    out = dict(schema)
    if isinstance(out.get("type"), str) and out["type"] in _TYPES:
        out["type"] = out["type"].lower()
    if not isinstance(out.get("nullable"), bool) or not out.pop("nullable"):
        return out
    if not {"const", "$ref", "ref", "allOf", "oneOf", "not"}.isdisjoint(out):
        return {"anyOf": [out, {"type": "null"}]}
    if isinstance(out.get("type"), str):
        out["type"] = list(dict.fromkeys([out["type"], "null"]))
    for key, null in (("enum", None), ("anyOf", {"type": "null"})):
        if isinstance(out.get(key), list) and null not in out[key]:
            out[key] = [*out[key], null]
    return out


def _rebuilt(value: Any, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """`value` with every schema in it changed, inner ones first; data is left."""
    if isinstance(value, list):
        return [_rebuilt(each, change) for each in value]
    if not isinstance(value, dict):
        return value
    out = {}
    for key, inside in value.items():
        if key in _NAMED and isinstance(inside, dict):
            out[key] = {name: _rebuilt(each, change) for name, each in inside.items()}
        else:
            out[key] = inside if key in _DATA else _rebuilt(inside, change)
    return change(out)


def to_schema(source: str) -> Any:
    """The JSON Schema of what the model writes: the arguments of one tool, or a choice of calls.

    Raises:
        InvalidInput: as `read_tools`.
    """
    tools = read_tools(source)
    if len(tools) == 1:
        return tools[0].schema
    calls = []
    for index, tool in enumerate(tools):
        root = f"/anyOf/{index}/properties/arguments"
        calls.append(
            {
                "type": "object",
                "properties": {
                    "name": {"const": tool.name},
                    "arguments": _moved(tool.schema, root),
                },
                "required": ["name", "arguments"],
                "additionalProperties": False,
            }
        )
    return {"anyOf": calls}


def place(source: str, pointer: str) -> tuple[int, int] | None:
    """Line and column in the definition, from 1, of a pointer into its schema; None where the
    definition has no such part."""
    tools = read_tools(source)
    root = ""
    if len(tools) > 1:
        parts = pointer.split("/", 5)
        if parts[1:2] != ["anyOf"] or parts[3:5] != ["properties", "arguments"]:
            return None
        tool, pointer = tools[int(parts[2])], "".join(f"/{part}" for part in parts[5:])
    else:
        tool = tools[0]
    root = tool.pointer
    return parse(source.removeprefix(BOM)).places.get(root + pointer) if root else None


def _tool(parsed: Parsed, value: Any, pointer: str) -> Tool:
    if not isinstance(value, dict):
        _fail(parsed, pointer, "A tool is a JSON object; this is none.", _FORMS)
    if "function" in value:
        pointer, value = step(pointer, "function"), value["function"]
        if not isinstance(value, dict):
            _fail(parsed, pointer, "`function` is no object.", _FORMS)
    name = value.get("name")
    if not isinstance(name, str) or not name:
        where = step(pointer, "name") if "name" in value else pointer
        _fail(parsed, where, "The tool has no name.", _FORMS)
    given = [key for key in _PARAMETERS if key in value]
    if len(given) > 1:
        _fail(
            parsed,
            step(pointer, given[1]),
            f"The tool has `{given[0]}` and `{given[1]}`, which mean the same.",
            "Keep one of them.",
        )
    if not given or value[given[0]] is None:
        return Tool(name, _NO_ARGUMENTS, "")
    schema, where = value[given[0]], step(pointer, given[0])
    if not isinstance(schema, dict | bool):
        _fail(parsed, where, f"`{given[0]}` is no JSON Schema.", "Write an object there.")
    return Tool(name, schema, where)


def _moved(schema: Any, root: str) -> Any:
    """`schema` with its references made to start at `root`, where it will stand."""

    def moved(found: dict[str, Any]) -> dict[str, Any]:
        value = found.get("$ref")
        if not isinstance(value, str) or not (value == "#" or value.startswith("#/")):
            return found
        return {**found, "$ref": f"#{root}{value[1:]}"}

    return _rebuilt(schema, moved)


def _fail(parsed: Parsed, pointer: str, what: str, hint: str) -> NoReturn:
    line, column = parsed.places.get(pointer) or parsed.places[""]
    raise InvalidInput(what, hint, f"line {line}, column {column}", line, column)
