"""The constraint as a tool for OpenAI's API, whose arguments are the answer."""

import json
from typing import Any

from playground.constraints.byte_automaton import ByteAutomaton
from playground.constraints.bytes_vocabulary import BYTES
from playground.constraints.compile import compile_constraint
from playground.constraints.jsonschema.keywords import subschemas
from playground.constraints.jsonschema.source import parse
from playground.constraints.sources import choices
from playground.constraints.spec import ConstraintSpec
from playground.constraints.tool_source import Tool, read_tools
from playground.errors import Cancelled, PlaygroundError
from playground.schema.dialects.vendors import OPENAI
from playground.schema.dialects.walk import walk
from playground.schema.takeaway.material import CantBe, Material, Taken, shown
from playground.schema.verdict import allows

_TYPES: dict[str, dict[str, str]] = {
    "boolean": {"type": "boolean"},
    "date": {"type": "string", "format": "date"},
    "datetime": {"type": "string", "format": "date-time"},
    "email": {"type": "string", "format": "email"},
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "time": {"type": "string", "format": "time"},
    "uuid": {"type": "string", "format": "uuid"},
}
_DEFINITIONS = ("$defs", "definitions")
_OWN = "It is the constraint's own tool, in OpenAI's form."
_BARE = "The answer stands in JSON, under `value`; the mask's own texts are bare."


def openai_tool(material: Material) -> Taken:
    """The tool, in the form of chat completions; a list of them, if the constraint is one.

    Raises:
        CantBe: its arguments can't be described by a schema.
    """
    notes: list[str] = []
    if material.spec.kind == "tool":
        tools = [
            _tool(tool.name, _described(about) or tool.schema, tool.schema, notes)
            for tool, about in zip(*_own(material.spec.source), strict=True)
        ]
        notes.append("They are the constraint's own tools." if len(tools) > 1 else _OWN)
        checked = ""
    else:
        schema, checked = _parameters(material, notes)
        tools = [_tool(material.name, schema, schema, notes)]
    document = tools if len(tools) > 1 else tools[0]
    text = json.dumps(document, ensure_ascii=False, indent=2)
    assert json.loads(text) == document, "the text of the tool spells the tool"
    return Taken(text, "json", f"Parsed back and equal. {checked}".strip(), notes)


def _tool(name: str, about: Any, schema: Any, notes: list[str]) -> dict[str, Any]:
    """One tool; it is strict where its schema lies inside OpenAI's subset."""
    breaches = [remark for remark in walk(schema, OPENAI) if remark.breach]
    if breaches:
        notes.append(
            f"{name} is not strict, so the model isn't held to it: {breaches[0].message} "
            "The dialects show what to change."
        )
    said = about.get("description") if isinstance(about, dict) else None
    function = {
        "name": name[:64],
        "description": said if isinstance(said, str) else "Gives the answer.",
        "parameters": schema,
        "strict": not breaches,
    }
    return {"type": "function", "function": function}


def _own(source: str) -> tuple[list[Tool], list[Any]]:
    """The tools of a definition, and their objects in it."""
    value = parse(source).value
    value = value.get("tools", value) if isinstance(value, dict) else value
    listed = value if isinstance(value, list) else [value]
    return read_tools(source), [one.get("function", one) for one in listed]


def _described(about: Any) -> Any:
    return about if isinstance(about.get("description"), str) else None


def _parameters(material: Material, notes: list[str]) -> tuple[dict[str, Any], str]:
    """The schema of the arguments, and how it was checked."""
    spec = material.spec
    if material.json:
        schema = material.schema
        if isinstance(schema, dict) and schema.get("type") == "object":
            return schema, ""
        notes.append("The root is no object, so the answer stands under `value`.")
        return _hoisted(schema), ""
    notes.append(_BARE)
    if spec.kind == "choices":
        listed = list(dict.fromkeys(choices(spec.source)))
        return _checked(material, _wrapped({"type": "string", "enum": listed}), True)
    if spec.kind == "type":
        inner = _TYPES[spec.source.strip()]
        return _checked(material, _wrapped(inner), inner["type"] == "string")
    if spec.kind == "regex":
        pattern = f"^(?:{spec.source})$"
        return _checked(material, _wrapped({"type": "string", "pattern": pattern}), True)
    raise CantBe("The arguments of a tool are described by a schema, and a grammar is none.")


def _wrapped(schema: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"value": schema},
        "required": ["value"],
        "additionalProperties": False,
    }


def _hoisted(schema: Any) -> dict[str, Any]:
    """The schema under a property, its definitions at the root, where references look for them.

    Raises:
        CantBe: a reference leads to a place that moves.
    """
    definitions = {}
    if isinstance(schema, dict):
        definitions = {key: schema[key] for key in _DEFINITIONS if key in schema}
        schema = {key: value for key, value in schema.items() if key not in definitions}
    new = {**_wrapped(schema), **definitions}
    for inner, _ in subschemas(new):
        reference = inner.get("$ref", "#/$defs/") if isinstance(inner, dict) else "#/$defs/"
        if not str(reference).startswith(tuple(f"#/{key}/" for key in _DEFINITIONS)):
            raise CantBe("The root is no object, and a reference in it leads to the root's parts.")
    return new


def _checked(
    material: Material, schema: dict[str, Any], quoted: bool
) -> tuple[dict[str, Any], str]:
    """The schema, if it allows the same texts inside JSON as the mask does alone.

    Raises:
        CantBe: it doesn't.
    """
    spec = ConstraintSpec(kind="schema", source=json.dumps(schema), whitespace="none")
    try:
        automaton = compile_constraint(
            spec, BYTES, limits=material.limits, cancelled=material.cancelled
        ).automaton
    except Cancelled:
        raise
    except PlaygroundError as error:
        raise CantBe(f"No schema was found that says it: {error.what}") from None
    assert isinstance(automaton, ByteAutomaton)
    for text, mine in zip(material.texts, material.answers, strict=True):
        inside = json.dumps(text, ensure_ascii=False) if quoted else text
        if allows(automaton, f'{{"value":{inside}}}'.encode()) != mine:
            word = "allow" if mine else "forbid"
            raise CantBe(
                f"A schema means something else: {shown(text)}, which the mask would {word}."
            )
    return schema, (
        f"Compiled here: inside JSON it allows what the mask allows, on {len(material.texts)} texts."
    )
