"""The lowering's law: what the regex matches is JSON and valid, or a note says what isn't."""

import json
from itertools import pairwise
from typing import Any

import pytest

from playground.constraints.jsonschema import lower, remarks
from playground.errors import BudgetExceeded, EmptyLanguage, InvalidInput, UnsupportedSchema

STRING = {"type": "string"}
INTEGER = {"type": "integer"}


def closed(properties: dict[str, Any], *required: str, **more: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
        **more,
    }


# name -> (schema, values offered, values not offered)
SCHEMAS: dict[str, tuple[Any, list[Any], list[Any]]] = {
    "true": (True, [None, 1, "x", [1, {"a": [2]}], {}], []),
    "no keyword": ({"title": "t"}, [None, -2.5, {"a": 1}], []),
    "type list": ({"type": ["string", "null"], "maxLength": 1}, ["a", None], ["ab", 1]),
    "string": (STRING, ["", "é😀", 'q"\\/\n'], [1]),
    "length in code points": (
        {"type": "string", "minLength": 2, "maxLength": 3},
        ["ab", "é😀x", '"\\'],
        ["a", "abcd", ""],
    ),
    "pattern anywhere": ({"type": "string", "pattern": "[0-9]{2}"}, ["a12b", "12"], ["a1b2"]),
    "pattern with quotes": ({"type": "string", "pattern": '^"\\\\$'}, ['"\\'], ['"', "\\"]),
    "pattern and length": (
        {"type": "string", "pattern": "^[a-z]+(-[a-z]+)*$", "maxLength": 4},
        ["a-b", "abcd"],
        ["abcde", "-a", ""],
    ),
    "two patterns": (
        {"allOf": [{"type": "string", "pattern": "^a"}, {"pattern": "b$"}]},
        ["ab", "axb"],
        ["a", "b"],
    ),
    "format and length": (
        {"type": "string", "format": "email", "minLength": 12},
        ["someone@host.org"],
        ["a@b.co"],
    ),
    "enum": (
        {"enum": ["a", 1, None, [1, "x"], {"k": [True]}, 'q"uote']},
        ["a", 1, None, [1, "x"], {"k": [True]}, 'q"uote'],
        ["b", True, [1]],
    ),
    "enum beside type": ({"enum": ["a", 1], "type": "integer"}, [1], ["a"]),
    "enum beside pattern": ({"enum": ["ab", "xy"], "pattern": "^a"}, ["ab"], ["xy"]),
    "const": ({"const": {"a": [1.5]}}, [{"a": [1.5]}], [{}, {"a": [1]}]),
    "integer range": (
        {"type": "integer", "minimum": -7, "maximum": 12},
        [-7, 0, 12],
        [-8, 13, 1.5],
    ),
    "open range": (
        {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 5},
        [0.1, 4.99, 3],
        [0, 5, 5.7, -1],
    ),
    "multiple of 5": ({"type": "integer", "multipleOf": 5}, [0, 15, -20], [7]),
    "multiple of a half": ({"type": "number", "multipleOf": 0.5}, [1.5, 2], [1.3]),
    "array": ({"type": "array", "items": INTEGER}, [[], [1], [1, 2, 3]], [["a"], 1]),
    "counted array": (
        {"type": "array", "items": INTEGER, "minItems": 2, "maxItems": 3},
        [[1, 2], [1, 2, 3]],
        [[], [1], [1, 2, 3, 4]],
    ),
    "no items": ({"type": "array", "maxItems": 0}, [[]], [[1]]),
    "tuple": (
        {"type": "array", "prefixItems": [STRING, INTEGER], "items": False},
        [[], ["a"], ["a", 1]],
        [[1], ["a", 1, 2]],
    ),
    "tuple with a tail": (
        {"type": "array", "prefixItems": [STRING], "items": INTEGER, "minItems": 2},
        [["a", 1], ["a", 1, 2]],
        [["a"], [], ["a", "b"]],
    ),
    "draft-07 tuple": (
        {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "type": "array",
            "items": [STRING, INTEGER],
            "additionalItems": False,
        },
        [["a", 1], ["a"]],
        [[1], ["a", 1, 1]],
    ),
    "contains": ({"type": "array", "contains": {"const": 5}}, [[5], [1, 5, 2]], [[], [1]]),
    "contains twice": (
        {"type": "array", "contains": {"const": 5}, "minContains": 2, "maxContains": 2},
        [[5, 5], [5, 5, 1]],
        [[5], [5, 5, 5]],
    ),
    "any subset": (
        closed({"a": INTEGER, "b": INTEGER, "c": INTEGER}),
        [{}, {"a": 1}, {"b": 1}, {"a": 1, "c": 1}, {"a": 1, "b": 1, "c": 1}],
        [{"d": 1}, {"a": "x"}],
    ),
    "optional around required": (
        closed({"a": INTEGER, "b": INTEGER, "c": INTEGER}, "b"),
        [{"b": 1}, {"a": 1, "b": 1}, {"b": 1, "c": 1}],
        [{}, {"a": 1, "c": 1}],
    ),
    "open object": (
        {"type": "object", "properties": {"a": INTEGER}},
        [{}, {"a": 1}, {"a": 1, "z": "s"}, {"z": {"k": [1]}}, {"ab": 1}],
        [{"a": "x"}],
    ),
    "required without a property": (
        {"type": "object", "required": ["q"], "properties": {"a": INTEGER}},
        [{"a": 1, "q": None}],
        [{"a": 1}],
    ),
    "typed extra keys": (
        {"type": "object", "properties": {"a": STRING}, "additionalProperties": INTEGER},
        [{"a": "x", "b": 1}, {"b": 1}],
        [{"b": "x"}, {"a": 1}],
    ),
    "map": ({"type": "object", "additionalProperties": INTEGER}, [{}, {"é": 1}], [{"a": "x"}]),
    "key patterns": (
        {
            "type": "object",
            "properties": {"name": STRING},
            "patternProperties": {"^x-": INTEGER},
            "additionalProperties": False,
        },
        [{"name": "n", "x-1": 2}, {}, {"x-": 1}],
        [{"x-1": "s"}, {"y": 1}],
    ),
    "a key under a pattern too": (
        closed(
            {"s": {"type": "integer", "multipleOf": 5}}, patternProperties={"^s$": {"minimum": 10}}
        ),
        [{"s": 15}, {}],
        [{"s": 5}, {"s": 12}],
    ),
    "property names": (
        {"type": "object", "propertyNames": {"pattern": "^[a-z]+$", "maxLength": 2}},
        [{"ab": 1}, {}],
        [{"abc": 1}, {"A": 1}],
    ),
    "counted map": (
        {"type": "object", "additionalProperties": INTEGER, "maxProperties": 2},
        [{}, {"a": 1, "b": 2}],
        [{"a": 1, "b": 2, "c": 3}],
    ),
    "counted properties": (
        closed({"a": INTEGER, "b": INTEGER, "c": INTEGER}, minProperties=1, maxProperties=2),
        [{"a": 1}, {"a": 1, "c": 1}],
        [{}, {"a": 1, "b": 1, "c": 1}],
    ),
    "dependent required": (
        closed({"a": INTEGER, "b": INTEGER}, dependentRequired={"a": ["b"]}),
        [{}, {"b": 1}, {"a": 1, "b": 1}],
        [{"a": 1}],
    ),
    "dependent schemas": (
        {
            "type": "object",
            "properties": {"a": INTEGER},
            "dependentSchemas": {"a": {"required": ["b"]}},
        },
        [{"a": 1, "b": 2}, {"c": 1}],
        [{"a": 1}],
    ),
    "odd keys": (
        closed({'q"x': INTEGER, "a.(b)": INTEGER, "größe": INTEGER}, 'q"x'),
        [{'q"x': 1, "a.(b)": 2, "größe": 3}],
        [{"qx": 1}],
    ),
    "anyOf": ({"anyOf": [STRING, {"type": "integer", "minimum": 5}]}, ["x", 7], [3, None]),
    "anyOf beside properties": (
        closed({"a": INTEGER, "b": INTEGER}, anyOf=[{"required": ["a"]}, {"required": ["b"]}]),
        [{"a": 1}, {"b": 1}, {"a": 1, "b": 1}],
        [{}],
    ),
    "oneOf over required": (
        closed({"a": INTEGER, "b": INTEGER}, oneOf=[{"required": ["a"]}, {"required": ["b"]}]),
        [{"a": 1}, {"b": 1}],
        [{}, {"a": 1, "b": 1}],
    ),
    "oneOf that overlaps": (
        {"type": "integer", "oneOf": [{"multipleOf": 5}, {"minimum": 10}]},
        [],
        [1.5, "x"],
    ),
    "oneOf over ranges": (
        {"type": "integer", "oneOf": [{"maximum": 5}, {"minimum": 3}]},
        [2, 6],
        [3, 4, 5],
    ),
    "oneOf with tags": (
        {
            "oneOf": [
                closed({"kind": {"const": "a"}, "x": INTEGER}, "kind"),
                closed({"kind": {"const": "b"}, "y": STRING}, "kind"),
            ]
        },
        [{"kind": "a", "x": 1}, {"kind": "b", "y": "s"}],
        [{"kind": "a", "y": "s"}, {"kind": "c"}],
    ),
    "allOf of objects": (
        {
            "allOf": [
                {"type": "object", "properties": {"a": INTEGER}, "required": ["a"]},
                {"type": "object", "properties": {"b": STRING}, "required": ["b"]},
            ]
        },
        [{"a": 1, "b": "x"}],
        [{"a": 1}, {"b": "x"}],
    ),
    "not a value": ({"type": "string", "not": {"enum": ["bad", "worse"]}}, ["good", "ba"], ["bad"]),
    "not a type": ({"not": {"type": "string"}}, [1, None, {}], ["x"]),
    "not a pattern": ({"type": "string", "not": {"pattern": "^a"}}, ["b", ""], ["a", "ab"]),
    "not a property": (
        {"type": "object", "not": {"required": ["a"]}, "additionalProperties": INTEGER},
        [{}, {"b": 1}],
        [{"a": 1}],
    ),
    "if then else": (
        closed(
            {"c": {"enum": ["US", "NL"]}, "zip": STRING, "post": STRING},
            "c",
            **{
                "if": {"properties": {"c": {"const": "US"}}},
                "then": {"required": ["zip"]},
                "else": {"required": ["post"]},
            },
        ),
        [{"c": "US", "zip": "1"}, {"c": "NL", "post": "2"}],
        [{"c": "US"}, {"c": "NL", "zip": "1"}],
    ),
    "$ref with siblings": (
        {"$ref": "#/$defs/S", "maxLength": 2, "$defs": {"S": STRING}},
        ["ab"],
        ["abc", 1],
    ),
    "escaped pointer and anchor": (
        closed(
            {"a": {"$ref": "#/$defs/x~1y"}, "b": {"$ref": "#X"}},
            **{"$defs": {"x/y": INTEGER, "z": {"$anchor": "X", "type": "boolean"}}},
        ),
        [{"a": 1, "b": True}],
        [{"a": True}],
    ),
    "recursion": (
        closed({"v": INTEGER, "next": {"$ref": "#"}}, "v"),
        [{"v": 1}, {"v": 1, "next": {"v": 2, "next": {"v": 3}}}],
        [{"v": 1, "next": {}}],
    ),
    "unevaluated properties": (
        {
            "allOf": [{"properties": {"a": INTEGER}}],
            "type": "object",
            "properties": {"b": STRING},
            "unevaluatedProperties": False,
        },
        [{"b": "x", "a": 1}, {"a": 1}],
        [{"c": 1}],
    ),
    "an impossible optional property": (closed({"a": False, "b": INTEGER}), [{"b": 1}], [{"a": 1}]),
    "nullable object": (
        {"anyOf": [closed({"a": INTEGER}, "a"), {"type": "null"}]},
        [None, {"a": 1}],
        [{}],
    ),
}


@pytest.mark.parametrize("name", SCHEMAS)
@pytest.mark.parametrize("whitespace", ["none", "one", "flexible"])
def test_every_text_of_the_mask_is_valid(name: str, whitespace: str, tools: Any) -> None:
    schema, _, _ = SCHEMAS[name]
    lowered, dfa = tools.lower(schema, whitespace)
    if not tools.unenforced(lowered):
        assert not tools.invalid_samples(schema, dfa)


@pytest.mark.parametrize("name", SCHEMAS)
def test_examples_are_offered_or_not_as_the_judge_says(name: str, tools: Any) -> None:
    schema, offered, refused = SCHEMAS[name]
    lowered, dfa = tools.lower(schema)
    validator = tools.judge(schema)
    for values, expected in ((offered, True), (refused, False)):
        for value in values:
            text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
            assert validator.is_valid(value) == expected, "the example itself is wrong"
            if not tools.unenforced(lowered):
                assert dfa.accepts(text) == expected, text


def test_most_schemas_here_are_enforced_in_full(tools: Any) -> None:
    loose = [name for name in SCHEMAS if tools.unenforced(tools.lower(SCHEMAS[name][0])[0])]
    assert loose == ["oneOf that overlaps"]


def test_the_soundness_check_catches_an_unsound_lowering(tools: Any) -> None:
    from outlines_core.json_schema import build_regex_from_schema

    schema = {"type": "string", "pattern": "^[^,]+$"}
    shipped = tools.ByteDfa(build_regex_from_schema(json.dumps(schema)))
    assert tools.invalid_samples(schema, shipped)


def test_blanks_between_tokens_follow_the_setting(tools: Any) -> None:
    schema = closed({"a": INTEGER, "b": {"type": "array", "items": INTEGER}}, "a", "b")
    texts = {
        '{"a":1,"b":[1,2]}': ("none", "one", "flexible"),
        '{ "a" : 1 , "b" : [ 1 , 2 ] }': ("one", "flexible"),
        '{\n  "a": 1,\n  "b": [\n    1\n  ]\n}': ("flexible",),
        '{"a":1,  "b":[]}': ("flexible",),
        '{"a":1,"b":[]}' + " ": (),
        '{"a":1,' + " " * 9 + '"b":[]}': (),
    }
    for whitespace in ("none", "one", "flexible"):
        _, dfa = tools.lower(schema, whitespace)
        for text, allowed in texts.items():
            assert dfa.accepts(text) == (whitespace in allowed), (whitespace, text)


@pytest.mark.parametrize(
    ("text", "accepted"),
    [
        (r'"\u00e9\uD83D\uDE00\/"', True),
        (r'"\uD83D"', False),
        (r'"\uDE00x"', False),
        ('"a\tb"', False),
        ('"a\x7fb"', True),
        (r'"\q"', False),
        ('"open', False),
        (b'"\xc3"', False),
        (b'"\xed\xa0\x80"', False),
    ],
)
def test_a_string_has_the_escapes_of_json_and_no_others(
    text: str, accepted: bool, tools: Any
) -> None:
    for schema in (STRING, {"type": "string", "maxLength": 10}):
        assert tools.lower(schema)[1].accepts(text) == accepted


def test_an_escaped_pair_counts_as_one_character(tools: Any) -> None:
    _, dfa = tools.lower({"type": "string", "maxLength": 1})
    assert dfa.accepts(r'"\uD83D\uDE00"')
    assert dfa.accepts('"😀"')
    assert not dfa.accepts(r'"\u0041\u0042"')


@pytest.mark.parametrize(
    ("schema", "pointer"),
    [
        (False, "the root"),
        (closed({"a": False}, "a"), "/properties/a"),
        ({"type": "string", "minLength": 3, "maxLength": 2}, "/minLength"),
        ({"enum": []}, "/enum"),
        ({"type": "integer", "minimum": 3, "maximum": 2}, "/minimum"),
        ({"type": "array", "minItems": 2, "maxItems": 1}, "/minItems"),
        ({"allOf": [STRING, INTEGER]}, "/allOf/1/type"),
        ({"const": 1, "minimum": 2}, "/const"),
        (closed({"n": {"$ref": "#"}}, "n"), ""),
    ],
)
def test_a_schema_without_any_value_is_an_error_at_its_place(schema: Any, pointer: str) -> None:
    with pytest.raises(EmptyLanguage) as caught:
        lower(json.dumps(schema))
    assert pointer in caught.value.where


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"$ref": "https://example.org/a.json"}, "nothing is fetched"),
        ({"$ref": "file:///etc/passwd"}, "nothing is fetched"),
        ({"$ref": "other.json#/a"}, "nothing is fetched"),
        ({"$ref": "#/$defs/missing"}, "points nowhere"),
        ({"type": "file"}, "not a type"),
        (5, "object or a boolean"),
        ({"$ref": "#"}, "without end"),
        (
            {
                "anyOf": [{"type": "null"}, {"$ref": "#/$defs/A"}],
                "$defs": {"A": {"not": {"$ref": "#"}}},
            },
            "without end",
        ),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_pointer(schema: Any, said: str) -> None:
    with pytest.raises(UnsupportedSchema, match=said) as caught:
        lower(json.dumps(schema))
    assert caught.value.where


def test_broken_json_is_invalid_input_with_a_line() -> None:
    with pytest.raises(InvalidInput) as caught:
        lower('{\n "type": "string",\n}')
    assert (caught.value.line, caught.value.column) == (3, 1)


@pytest.mark.parametrize(
    ("schema", "level", "keyword"),
    [
        ({"type": "integer", "maxium": 3}, "warning", "maxium"),
        ({"type": "string", "nullable": True}, "warning", "nullable"),
        ({"type": "string", "required": True}, "warning", "required"),
        ({"type": "array", "items": INTEGER, "uniqueItems": True}, "not-enforced", "uniqueItems"),
        ({"type": "string", "format": "my-id"}, "not-enforced", "format"),
        ({"type": "string", "pattern": r"\bx"}, "not-enforced", "pattern"),
        ({"type": "integer", "multipleOf": 7}, "not-enforced", "multipleOf"),
        ({"type": "string", "maxLength": 100_000}, "not-enforced", "maxLength"),
        ({"type": "string", "minLength": 100_000}, "partly", "minLength"),
        ({"type": "string", "minLength": -1}, "warning", "minLength"),
        ({"multipleOf": 0}, "warning", "multipleOf"),
        ({"dependencies": {"a": ["b"]}}, "warning", "dependencies"),
        ({"type": "number", "multipleOf": 0.01}, "info", "multipleOf"),
        ({"type": "object", "minProperties": 2}, "partly", "minProperties"),
        ({"oneOf": [{"multipleOf": 2}, {"multipleOf": 3}]}, "partly", "oneOf"),
        ({"not": {"uniqueItems": True}}, "not-enforced", "not"),
        (closed({"a": INTEGER, "b": INTEGER}), "info", "order"),
        (closed({"a": INTEGER, "n": {"$ref": "#"}}), "info", "$ref"),
        ({}, "info", "depth"),
        ({"type": "string", "format": "date"}, "info", "format"),
        ({"properties": {"a": INTEGER}}, "warning", "type"),
    ],
)
def test_a_note_names_what_is_not_enforced_or_narrowed(
    schema: Any, level: str, keyword: str
) -> None:
    notes = lower(json.dumps(schema)).notes
    assert (level, keyword) in {(note.level, note.keyword) for note in notes}


def test_a_misspelt_keyword_is_named_with_its_line_and_a_guess() -> None:
    notes = lower('{\n"type": "integer",\n"maxium": 3}').notes
    message = next(note.message for note in notes if note.keyword == "maxium")
    assert message.startswith("Line 3: `maxium` is not a JSON Schema keyword")
    assert "did you mean `maximum`? It is NOT enforced." in message


def test_a_bare_required_flag_is_reported_and_the_rest_enforced(tools: Any) -> None:
    schema = {
        "type": "object",
        "properties": {"w": {"type": "string", "maxLength": 2, "required": True}},
    }
    lowered, dfa = tools.lower(schema)
    assert "required" in tools.unenforced(lowered)
    assert dfa.accepts('{"w":"ab"}')
    assert not dfa.accepts('{"w":"abc"}')


def test_old_dialects_hide_the_keywords_beside_a_reference(tools: Any) -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {"a": {"$ref": "#/definitions/S", "maxLength": 1}},
        "type": "object",
        "definitions": {"S": STRING},
    }
    lowered, dfa = tools.lower(schema)
    assert dfa.accepts('{"a":"long"}')
    assert any(note.keyword == "$ref" and note.level == "warning" for note in lowered.notes)


def optional_tree(depth: int, width: int) -> Any:
    if not depth:
        return STRING
    return closed({f"k{i}": optional_tree(depth - 1, width) for i in range(width)})


@pytest.mark.parametrize(
    ("schema", "most_states"),
    [
        (closed({f"k{i}": STRING for i in range(30)}), 4_000),
        (closed({f"k{i}": STRING for i in range(120)}), 15_000),
        (optional_tree(2, 12), 20_000),
        (optional_tree(3, 12), 20_000),
        (closed({k: {"type": "string", "maxLength": 200} for k in "abcd"}, *"abcd"), 9_000),
        ({"type": "array", "items": STRING, "minItems": 100}, 5_000),
        ({"type": "object"}, 3_000),
        (True, 6_000),
        (closed({f"k{i}": {"type": "string", "format": "email"} for i in range(10)}), 1_000),
        (closed({"v": STRING, "l": {"$ref": "#"}, "r": {"$ref": "#"}}, "v"), 5_000),
    ],
)
def test_the_automaton_stays_small(schema: Any, most_states: int, tools: Any) -> None:
    lowered, dfa = tools.lower(schema, "one")
    assert len(dfa) <= most_states
    assert len(lowered.regex) <= 120_000


def test_a_schema_too_deep_for_any_regex_is_refused_with_advice() -> None:
    schema: Any = INTEGER
    for _ in range(45):
        schema = {"type": "array", "items": schema, "minItems": 1}
    with pytest.raises(BudgetExceeded) as caught:
        lower(json.dumps(schema))
    assert caught.value.hint


def test_sixty_levels_of_references_need_no_recursion(tools: Any) -> None:
    definitions = {
        f"L{i}": closed({"x": INTEGER, "n": {"$ref": f"#/$defs/L{i + 1}"}}, "x", "n")
        for i in range(50)
    }
    definitions["L50"] = INTEGER
    lowered, dfa = tools.lower({"$ref": "#/$defs/L0", "$defs": definitions})
    assert not tools.unenforced(lowered)
    assert dfa.accepts('{"x":1,"n":' * 50 + "7" + "}" * 50)
    assert not dfa.accepts('{"x":1,"n":' * 49 + "7" + "}" * 49)


def test_a_chain_of_conditions_on_one_property_stays_linear(tools: Any) -> None:
    rules = [
        {
            "if": {"properties": {"c": {"const": i}}, "required": ["c"]},
            "then": {"required": [f"x{i}"]},
        }
        for i in range(8)
    ]
    lowered, dfa = tools.lower({"type": "object", "allOf": rules})
    assert not tools.unenforced(lowered)
    assert dfa.accepts('{"c":3,"x3":null}')
    assert dfa.accepts('{"c":9}')
    assert not dfa.accepts('{"c":3,"x4":null}')


def test_a_chain_of_dependencies_is_followed(tools: Any) -> None:
    names = [f"p{i}" for i in range(10)]
    schema = closed(
        dict.fromkeys(names, INTEGER),
        dependentRequired={a: [b] for a, b in pairwise(names)},
    )
    lowered, dfa = tools.lower(schema)
    assert not tools.unenforced(lowered)
    assert dfa.accepts('{"p8":1,"p9":1}')
    assert not dfa.accepts('{"p7":1,"p9":1}')


def test_hundreds_of_tagged_alternatives_are_told_apart_by_their_tag(tools: Any) -> None:
    options = [closed({"kind": {"const": f"k{i}"}, "v": INTEGER}, "kind") for i in range(300)]
    lowered, dfa = tools.lower({"oneOf": options})
    assert not tools.unenforced(lowered)
    assert dfa.accepts('{"kind":"k299","v":1}')


@pytest.mark.parametrize(
    "pattern", ["^(a+)+$", "(a|b)*a(a|b){16}", "^a{1,4294967294}$", "(x+x+)+y", ".*a.{12}"]
)
def test_a_pattern_built_to_explode_costs_nothing(pattern: str, tools: Any) -> None:
    schema = {"type": "string", "pattern": pattern, "maxLength": 40}
    lowered, dfa = tools.lower(schema)
    assert len(dfa) < 3_000
    if not tools.unenforced(lowered):
        assert not tools.invalid_samples(schema, dfa, 10)


def test_a_schema_without_a_value_only_because_of_a_narrowing_says_so() -> None:
    schema = {"type": "string", "format": "date", "maxLength": 3}
    with pytest.raises(EmptyLanguage, match="that the mask can offer"):
        lower(json.dumps(schema))


@pytest.mark.parametrize("name", ["a/b.json", "b.json", "https://example.org/a/b.json", "urn:x:y"])
@pytest.mark.parametrize("ref", ["#/definitions/x", "#", "#/definitions/y/properties/z"])
def test_a_reference_inside_a_document_with_an_id_is_found(tools: Any, name: str, ref: str) -> None:
    schema = {
        "$id": name,
        "type": "object",
        "properties": {"a": {"$ref": ref}},
        "definitions": {
            "x": {"type": "object", "additionalProperties": False},
            "y": {"$id": "c/d.json", "properties": {"z": {"$ref": "#/properties/w"}, "w": {}}},
        },
    }
    _, dfa = tools.lower(schema)
    assert dfa.accepts('{"a":{}}')


def test_what_is_said_of_all_objects_holds_for_all() -> None:
    small = {"type": "object", "properties": {"a": INTEGER, "b": INTEGER}}
    texts = {f"k{i}": {"type": "string", "maxLength": 100} for i in range(16)}
    wide = {"type": "object", "properties": texts}
    schema = {"type": "object", "properties": {"x": wide, "s": small}, "required": ["x", "s"]}
    said = {note.message for note in lower(json.dumps(schema)).notes}
    assert remarks.UNORDERED in said
    assert remarks.OTHER_ORDER.message in said
    assert remarks.OTHER_EXTRA_KEYS.message in said
    assert not {remarks.ORDER.message, remarks.EXTRA_KEYS.message} & said
    alone = {note.message for note in lower(json.dumps(small)).notes}
    assert {remarks.ORDER.message, remarks.EXTRA_KEYS.message} <= alone


@pytest.mark.parametrize("text", ["7", ' \n "a"'])
def test_a_value_that_is_no_schema_is_refused_at_its_place(text: str) -> None:
    with pytest.raises(UnsupportedSchema) as caught:
        lower(text)
    line, column = (1, 1) if text == "7" else (2, 2)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert caught.value.where == f"line {line}, column {column}"
