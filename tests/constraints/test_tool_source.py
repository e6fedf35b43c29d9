"""Tool definitions of the usual forms, and the JSON Schema of their calls."""

import json

import pytest

from playground.constraints.bytes_vocabulary import BYTES
from playground.constraints.sources import schema_text
from playground.constraints.spec import ConstraintSpec
from playground.constraints.tool_source import place, to_schema
from playground.errors import EmptyLanguage, InvalidInput, PlaygroundError
from tests.constraints.stacked import says

ARGUMENTS = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
FORMS = {
    "OpenAI": {"type": "function", "function": {"name": "f", "parameters": ARGUMENTS}},
    "OpenAI flat": {"type": "function", "name": "f", "parameters": ARGUMENTS, "strict": True},
    "Anthropic": {"name": "f", "description": "d", "input_schema": ARGUMENTS},
    "MCP": {"name": "f", "title": "F", "inputSchema": ARGUMENTS},
    "a list of one": [{"name": "f", "input_schema": ARGUMENTS}],
    "a request": {"tools": [{"name": "f", "inputSchema": ARGUMENTS}]},
}


@pytest.mark.parametrize("form", FORMS)
def test_each_form_gives_the_arguments_schema(form) -> None:
    assert to_schema(json.dumps(FORMS[form])) == ARGUMENTS


def test_a_byte_order_mark_is_no_matter() -> None:
    assert to_schema("\ufeff" + json.dumps(FORMS["MCP"])) == ARGUMENTS


def test_a_tool_without_parameters_takes_none(compiled) -> None:
    automaton = compiled("tool", '{"name": "now"}', BYTES).automaton
    assert says(automaton, b"{}")
    assert not says(automaton, b'{"a":1}')


def test_several_tools_are_a_choice_of_calls(compiled) -> None:
    tree = {
        "type": "object",
        "properties": {"kind": {"$ref": "#/$defs/kind"}, "next": {"enum": ["$ref"]}},
        "required": ["kind"],
        "additionalProperties": False,
        "$defs": {"kind": {"enum": ["a", "b"]}},
    }
    source = json.dumps([FORMS["Anthropic"], {"name": "g", "parameters": tree}])
    schema = to_schema(source)
    second = schema["anyOf"][1]["properties"]["arguments"]
    moved = "#/anyOf/1/properties/arguments/$defs/kind"
    assert second["properties"]["kind"] == {"$ref": moved}
    assert second["properties"]["next"] == {"enum": ["$ref"]}
    for engine in ("bytes", "xgrammar", "llguidance"):
        automaton = compiled("tool", source, BYTES, engine=engine).automaton
        assert says(automaton, b'{"name":"g","arguments":{"kind":"b"}}')
        assert says(automaton, b'{"name":"f","arguments":{"city":"x"}}')
        assert not says(automaton, b'{"name":"g","arguments":{"city":"x"}}')
        assert not says(automaton, b'{"name":"g","arguments":{"kind":"c"}}')
        assert not says(automaton, b'{"name":"h","arguments":{}}')


@pytest.mark.parametrize(
    ("source", "line", "column", "words"),
    [
        ("{", 1, 2, "key"),
        ("[]", 1, 1, "empty"),
        ("3", 1, 1, "object"),
        ('[{"name": "a"},\n 3]', 2, 2, "object"),
        ('{"parameters": {}}', 1, 1, "no name"),
        ('{\n"name": "a",\n "parameters": []}', 3, 2, "no JSON Schema"),
        ('{"name": "a", "parameters": {},\n"inputSchema": {}}', 2, 1, "mean the same"),
        ('[{"name": "a"},\n{"name": "a"}]', 2, 1, "Two tools"),
        ('{"function": 3}', 1, 2, "no object"),
    ],
)
def test_a_mistake_is_found_at_its_place(source, line, column, words) -> None:
    with pytest.raises(InvalidInput, match=words) as caught:
        to_schema(source)
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize("several", [False, True])
def test_an_error_of_the_schema_stands_at_its_place_in_the_definition(compiled, several) -> None:
    inner = '{"type": "object",\n "properties": {\n  "n": {"enum": []}},\n "required": ["n"]}'
    tool = '{"name": "f",\n "parameters": ' + inner + "}"
    source = f'[{{"name": "g"}},\n{tool}]' if several else tool
    if several:  # one impossible tool among several is no error
        assert not says(compiled("tool", source, BYTES).automaton, b'{"name":"f"}')
        return
    with pytest.raises(EmptyLanguage) as caught:
        compiled("tool", source, BYTES)
    line, column = caught.value.line or 0, caught.value.column or 0
    assert line == 4
    assert source.splitlines()[line - 1][column - 1 :].startswith('"enum"')


def test_pointers_lead_back_into_the_definition() -> None:
    source = '[{"name": "a"},\n{"name": "b",\n "inputSchema": {\n  "type": "object"}}]'
    assert place(source, "/anyOf/1/properties/arguments/type") == (4, 3)
    assert place(source, "/anyOf/1/properties/name") is None
    assert place(source, "/anyOf/0/properties/arguments/type") is None
    assert place('{"name": "b",\n "inputSchema": {"type": "object"}}', "/type") == (2, 18)


def test_schema_text_is_json_for_the_kinds_with_a_schema() -> None:
    spec = ConstraintSpec(kind="tool", source=json.dumps(FORMS["MCP"]))
    assert json.loads(schema_text(spec) or "") == ARGUMENTS
    model = ConstraintSpec(kind="pydantic", source="class A(BaseModel):\n    b: int\n")
    assert json.loads(schema_text(model) or "")["title"] == "A"
    assert schema_text(ConstraintSpec(kind="schema", source="\ufefftrue")) == "true"
    assert schema_text(ConstraintSpec(kind="regex", source="a")) is None
    assert schema_text(ConstraintSpec(kind="grammar", source='start: "a"')) is None
    with pytest.raises(PlaygroundError):
        schema_text(ConstraintSpec(kind="tool", source="{"))


def declared(*tools):
    return {"functionDeclarations": list(tools)}


GEMINI = {"name": "f", "description": "d", "parameters": ARGUMENTS}


@pytest.mark.parametrize(
    "form",
    [
        declared(GEMINI),
        [declared(GEMINI)],
        {"tools": [declared(GEMINI)]},
        {"function_declarations": [GEMINI]},
        declared({"name": "f", "parametersJsonSchema": ARGUMENTS}),
    ],
)
def test_the_functions_that_gemini_declares(form) -> None:
    assert to_schema(json.dumps(form)) == ARGUMENTS


def test_geminis_names_of_types_are_read_and_data_is_left() -> None:
    properties = {"type": {"type": "STRING", "enum": ["STRING"]}, "n": {"type": "INTEGER"}}
    schema = {"type": "OBJECT", "properties": properties}
    assert to_schema(json.dumps(declared({"name": "f", "parameters": schema}))) == {
        "type": "object",
        "properties": {"type": {"type": "string", "enum": ["STRING"]}, "n": {"type": "integer"}},
    }


def test_several_declared_functions_are_a_choice_of_calls() -> None:
    other = {"name": "g", "parameters": ARGUMENTS}
    source = json.dumps({"tools": [declared(GEMINI, other), {"name": "h"}]})
    assert to_schema(source) == to_schema(json.dumps([GEMINI, other, {"name": "h"}]))
    pointer = "/anyOf/1/properties/arguments/required"
    assert place(source, pointer) == (1, source.rindex('"required"') + 1)


@pytest.mark.parametrize(
    ("form", "what"),
    [
        (declared(), "The list of tools is empty."),
        ({"functionDeclarations": {}}, "`functionDeclarations` is no list."),
        ([declared(GEMINI), GEMINI], 'Two tools are called "f".'),
        (declared({"parameters": {}}), "The tool has no name."),
    ],
)
def test_what_is_wrong_with_declared_functions(form, what) -> None:
    with pytest.raises(InvalidInput) as caught:
        to_schema(json.dumps(form))
    assert caught.value.what == what
    assert caught.value.line == 1


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ({"type": "STRING"}, {"type": ["string", "null"]}),
        ({"type": ["string", "null"]}, {"type": ["string", "null"]}),
        ({"type": "NULL"}, {"type": ["null"]}),
        (
            {"type": "STRING", "enum": ["a", "b"]},
            {"type": ["string", "null"], "enum": ["a", "b", None]},
        ),
        ({"enum": ["a", None]}, {"enum": ["a", None]}),
        ({"anyOf": [{"type": "OBJECT"}]}, {"anyOf": [{"type": "object"}, {"type": "null"}]}),
        ({"$ref": "#"}, {"anyOf": [{"$ref": "#"}, {"type": "null"}]}),
        ({}, {}),
    ],
)
def test_geminis_nullable_is_read_as_null_beside_the_rest(given, meant) -> None:
    def arguments(keyword, inner):
        schema = {"type": "object", "properties": {"default": inner}}
        return to_schema(json.dumps(declared({"name": "f", keyword: schema})))

    for nullable, read in ((True, meant), (False, None)):
        inner = {**given, "nullable": nullable}
        found = arguments("parameters", inner)["properties"]["default"]
        if read is not None:
            assert found == read
        assert "nullable" not in found
        # That one is JSON Schema, which has no such keyword.
        same = arguments("parametersJsonSchema", inner)
        assert same["properties"]["default"] == inner


def test_what_stands_beside_nullable_keeps_its_place_and_is_enforced(compiled) -> None:
    tool = """{"functionDeclarations": [{"name": "f", "parameters": {"type": "OBJECT",
 "properties": {"unit": {"type": "STRING",
  "enum": ["C", "F"], "nullable": true}}, "required": ["unit"]}}]}"""
    assert place(tool, "/properties/unit/enum") == (3, 3)
    for engine in ("bytes", "xgrammar", "llguidance"):
        automaton = compiled("tool", tool, BYTES, engine=engine).automaton
        assert says(automaton, b'{"unit":null}')
        assert says(automaton, b'{"unit":"F"}')
        assert not says(automaton, b'{"unit":"K"}')


def test_names_that_are_keywords_elsewhere_hold_schemas() -> None:
    default = {"$ref": "#/$defs/enum"}
    schema = {"properties": {"default": default}, "$defs": {"enum": {"const": {"$ref": "#"}}}}
    tools = [{"name": "f", "parameters": schema}, {"name": "g"}]
    moved = to_schema(json.dumps(tools))["anyOf"][0]["properties"]["arguments"]
    root = "#/anyOf/0/properties/arguments"
    assert moved["properties"]["default"] == {"$ref": f"{root}/$defs/enum"}
    assert moved["$defs"]["enum"] == {"const": {"$ref": "#"}}
