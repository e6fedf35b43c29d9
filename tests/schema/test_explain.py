"""What an explanation says, where it points, and that it stays small."""

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.constraints.jsonschema.keywords import ANNOTATIONS, KNOWN
from playground.constraints.jsonschema.source import parse
from playground.constraints.spec import ConstraintSpec, Kind
from playground.errors import BudgetExceeded, InvalidInput
from playground.schema.explain import MAX_CHARACTERS, explain
from playground.schema.explain_grammar import alternatives
from playground.schema.explain_schema import MAX_NODES

Node = dict[str, Any]


def explained(source: Any, kind: Kind = "schema") -> Node:
    text = source if isinstance(source, str) else json.dumps(source, indent=2)
    return explain(ConstraintSpec(kind=kind, source=text), text if kind == "schema" else None)


def walk(node: Node) -> Iterator[Node]:
    todo = [node]
    while todo:
        each = todo.pop(0)
        yield each
        todo += each["children"]


def words(source: Any, kind: Kind = "schema") -> list[str]:
    return [node["words"] for node in walk(explained(source, kind))]


def at(source: Any, pointer: str) -> Node:
    return next(node for node in walk(explained(source)) if node["pointer"] == pointer)


PERSON = {
    "type": "object",
    "title": "Person",
    "properties": {
        "name": {"type": "string", "maxLength": 40, "description": "Given and family name"},
        "size": {"enum": ["S", "M"]},
    },
    "required": ["name"],
    "additionalProperties": False,
}


def test_a_record_is_read_property_by_property() -> None:
    assert words(PERSON) == [
        "An object with 2 properties, 1 required.",
        "Called: “Person”",
        "“name”, required: a text.",
        "“size”, optional: one of 2 values.",
        "No other keys.",
        "At most 40 characters.",
        "Described as: “Given and family name”",
        'One of "S" or "M".',
    ]


def test_every_node_points_at_its_keyword() -> None:
    places = parse(json.dumps(PERSON, indent=2)).places
    for node in walk(explained(PERSON)):
        assert (node["line"], node["column"]) == places[node["pointer"]]
    assert at(PERSON, "/properties/name/maxLength")["keyword"] == "maxLength"


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        (True, "Any JSON value."),
        (False, "Nothing: no value is valid here."),
        ({"oneOf": [{"type": "integer"}] * 3}, "Exactly one of 3 shapes:"),
        ({"anyOf": [{"type": "null"}, {"type": "string"}]}, "At least one of these 2 shapes:"),
        ({"anyOf": [{"type": "null"}, {"type": "string"}]}, "Shape 2: a text."),
        ({"allOf": [{"minimum": 1}, {"maximum": 2}]}, "All of these 2 at once:"),
        ({"not": {"type": "string"}}, "But not a text."),
        ({"type": ["string", "null"]}, "A text or null."),
        ({"type": "integer", "minimum": 0}, "At least 0."),
        ({"type": "number", "exclusiveMaximum": 1.5}, "Below 1.5."),
        ({"pattern": "^a+$"}, "The whole text matches `^a+$`."),
        ({"pattern": "a+"}, "A part of the text matches `a+`."),
        ({"const": {"a": 1}}, 'Exactly {"a": 1}.'),
        ({"type": "array", "items": {"type": "boolean"}}, "Every item: true or false."),
        ({"prefixItems": [{}, {"type": "null"}], "items": False}, "No further items."),
        ({"prefixItems": [{}], "items": {"type": "null"}}, "Every further item: null."),
        ({"minItems": 1}, "At least 1 item."),
        ({"uniqueItems": True}, "No item stands twice."),
        ({"properties": {"a": {}}}, "Other keys may follow, with any value."),
        ({"properties": {"a": {}}, "required": ["b"]}, 'Required too, with any value: "b".'),
        ({"patternProperties": {"^x": {}}}, "Under every key that matches `^x`: any JSON value."),
        ({"additionalProperties": {"type": "null"}}, "Under every other key: null."),
        ({"if": {"const": 1}, "then": {"minimum": 0}}, "If the value is exactly 1 …"),
        ({"dependentRequired": {"a": ["b"]}}, '“a” brings "b".'),
        ({"maxlenght": 3}, "`maxlenght` is no keyword of JSON Schema: ignored."),
        ({"nullable": True}, "Belongs to OpenAPI: ignored here."),
        ({"$ref": "#/$defs/none"}, "As `none` says, which is not found in this document."),
        ({"$ref": "other.json#/a"}, "As `a` says, outside this document: not read."),
        ({"default": 5}, "Where it is left out, readers take 5; no mask writes it."),
    ],
)
def test_a_keyword_is_a_sentence(schema: Any, said: str) -> None:
    assert said in words(schema)


def test_every_assertion_has_words_of_its_own() -> None:
    silent = {"type", "required", "$dynamicRef", "$recursiveRef", "dependencies", "definitions"}
    for keyword in sorted(KNOWN - ANNOTATIONS - silent):
        value: Any = 1
        if keyword in ("properties", "patternProperties", "dependentSchemas", "$defs"):
            value = {"a": {"type": "null"}}
        elif keyword in ("allOf", "anyOf", "oneOf", "prefixItems", "enum"):
            value = [{}, {}]
        elif keyword in ("dependentRequired",):
            value = {"a": ["b"]}
        elif keyword == "$ref":
            value = "#"
        said = words({keyword: value})[1:]
        assert said, keyword
        assert not any(each.startswith(f"`{keyword}`:") for each in said), keyword


def test_a_reference_is_followed_once_and_a_loop_is_named() -> None:
    tree = {
        "$ref": "#/$defs/tree",
        "$defs": {
            "tree": {
                "type": "object",
                "properties": {
                    "left": {"$ref": "#/$defs/tree"},
                    "leaf": {"$ref": "#/$defs/leaf"},
                    "other": {"$ref": "#/$defs/leaf"},
                },
            },
            "leaf": {"type": "integer", "minimum": 7},
        },
    }
    said = words(tree)
    assert "Again `tree`, as above: it contains itself." in said
    assert said.count("At least 7.") == 1
    assert "As `leaf`, explained at /$defs/tree/properties/leaf/$ref." in said
    assert "2 definitions, explained where they are used." in said


def test_what_was_not_typed_has_no_lines() -> None:
    spec = ConstraintSpec(kind="pydantic", source="class A(BaseModel):\n    a: int")
    nodes = list(walk(explain(spec, json.dumps(PERSON))))
    assert all(node["line"] is None and node["column"] is None for node in nodes)
    assert nodes[0]["words"].startswith("An object")


def test_a_regex_is_read_part_by_part_with_its_spans() -> None:
    text = r"(\d{4})-(0[1-9]|1[0-2])[^,]*x?"
    nodes = list(walk(explained(text, "regex")))
    said = {text[node["start"] : node["end"]]: node["words"] for node in nodes[1:]}
    assert said[r"(\d{4})"] == "4 times a digit."
    assert said["-"] == "“-”."
    assert said["(0[1-9]|1[0-2])"] == "One of 2 alternatives."
    assert said["0[1-9]"] == "Alternative 1: “0”, then one of 1-9."
    assert said["[^,]*"] == "Any number of any character but ,."
    assert said["x?"] == "Perhaps “x”."


def test_the_spans_of_a_regex_lie_inside_one_another_and_follow_each_other() -> None:
    for text in (r"a(b|c(d|e)+)*f", "(?x) a b | c", "((x{2,3}y){4,}|)", "^a$|b\n|c"):
        for node in walk(explained(text, "regex")):
            edge = node["start"]
            for child in node["children"]:
                assert edge <= child["start"] <= child["end"] <= node["end"]
                edge = child["end"]
            before = text[: node["start"]]
            assert node["line"] == before.count("\n") + 1


def test_choices_and_types_are_listed() -> None:
    root = explained("yes\n\nno\nyes", "choices")
    assert root["words"] == "Exactly one of 2 texts."
    assert [(node["words"], node["line"]) for node in root["children"]] == [
        ("The text “yes”.", 1),
        ("The text “no”.", 3),
    ]
    assert "Z or +01:00" in explained("time", "type")["words"]
    assert explained("", "free")["words"] == "Any text: nothing is masked."


def test_a_gbnf_grammar_is_read_rule_by_rule() -> None:
    text = 'root ::= expr # "x"\nexpr ::= num | "(" expr ")" | [|]\nnum ::= [0-9]+\n'
    said = words(text, "grammar")
    assert said[0] == "A grammar of 3 rules; texts are made from `root`."
    assert "`root` is `expr`." in said
    assert "`expr` is one of 3 shapes. It may contain itself." in said
    assert '`"(" expr ")"`' in said
    assert "`num` is `[0-9]+`." in said


def test_a_lark_grammar_is_read_rule_by_rule() -> None:
    text = (
        'start: value\n?value: list | WORD\nlist: "[" [value ("," value)*] "]"\n'
        "WORD: /[a-z|:]+/\n%ignore WS\n"
    )
    root = explained(text, "grammar")
    said = words(text, "grammar")
    assert root["children"][1]["words"] == "`value` is one of 2 shapes. It may contain itself."
    assert (root["children"][1]["line"], root["children"][1]["column"]) == (2, 1)
    assert "`WORD` is `/[a-z|:]+/`." in said
    assert "May stand between any two parts: `%ignore WS`" in said


def test_a_bar_in_quotes_or_brackets_separates_nothing() -> None:
    import re

    quoted = re.compile(r"\"[^\"]*\"")
    assert alternatives('"|" (a | b) | c', quoted) == ['"|" (a | b) ', " c"]


@pytest.mark.parametrize(
    ("source", "kind"), [('{"a": ', "schema"), ("(a", "regex"), ("", "choices"), ("x", "grammar")]
)
def test_what_cannot_be_read_is_an_error_with_its_place(source: str, kind: Kind) -> None:
    with pytest.raises(InvalidInput) as caught:
        explained(source, kind)
    assert caught.value.line == 1


def test_a_large_schema_is_cut_and_counted() -> None:
    many = {"properties": {f"f{i}": {"type": "string", "maxLength": 3} for i in range(5_000)}}
    nodes = list(walk(explain(ConstraintSpec(kind="schema"), json.dumps(many))))
    assert len(nodes) < 3 * MAX_NODES
    assert any("And 4,940 more properties." in node["words"] for node in nodes)


def test_the_deepest_schema_is_explained_without_recursion() -> None:
    schema: Any = {"type": "string"}
    for _ in range(99):
        schema = {"not": schema}
    assert len(words(schema)) == 100
    chain = {f"a{i}": {"items": {"$ref": f"#/$defs/a{i + 1}"}} for i in range(3_000)}
    text = json.dumps({"$ref": "#/$defs/a0", "$defs": chain})
    nodes = list(walk(explain(ConstraintSpec(kind="schema"), text)))
    assert "(Not spelled out further.)" in nodes[-1]["words"]
    nested = "(" * 99 + "a" + ")*" * 99
    assert len(words(nested, "regex")) < MAX_NODES


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("|".join(f"ab{i}" for i in range(12_000)), "regex"),
        ("a*b" * 30_000, "regex"),
        ("\n".join(f'r{i} ::= r{i + 1} | "a"' for i in range(4_000)), "grammar"),
        ("root ::= " + '"' * 50_000, "grammar"),
        ("start: a\n" + "\n" * 90_000, "grammar"),
        ("start: " + "/" * 50_000, "grammar"),
    ],
)
def test_large_texts_are_explained_in_bounded_time(source: str, kind: Kind) -> None:
    started = time.thread_time()
    nodes = list(walk(explained(source, kind)))
    assert time.thread_time() - started < 3
    assert len(nodes) < 2_000


def test_a_schema_beyond_the_limit_is_refused_in_words() -> None:
    text = json.dumps({"description": "x" * MAX_CHARACTERS})
    with pytest.raises(BudgetExceeded, match="are explained"):
        explain(ConstraintSpec(kind="schema"), text)


KEYS = st.sampled_from([*sorted(KNOWN), "a", "nullable"])
SCHEMA_LIKE = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["string", "object", "^a*$", "#", "#/$defs/a", "é"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=25,
)


@settings(max_examples=200, deadline=None)
@given(SCHEMA_LIKE)
def test_any_json_is_explained_without_a_crash(value: Any) -> None:
    for node in walk(explained(json.dumps(value))):
        assert node["words"]
        assert node["line"] is not None
        assert set(node) == {"pointer", "keyword", "line", "column", "words", "children"}


@settings(max_examples=150, deadline=None)
@given(
    st.text("ab*+?{}()[]|\\^$.<>:=\"' \n,1#%/", max_size=30), st.sampled_from(["regex", "grammar"])
)
def test_any_text_is_explained_or_refused(text: str, kind: Kind) -> None:
    try:
        nodes = list(walk(explained(text, kind)))
    except InvalidInput:
        return
    assert all(node["words"] for node in nodes)


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "string", "enum": ["blue", "grey", 7]}, "But the `type` beside it forbids 7."),
        ({"type": "integer", "enum": [1, True, 2.5]}, "forbids true and 2.5."),
        ({"type": ["null", "array"], "const": "x"}, "no value is left"),
    ],
)
def test_a_listed_value_that_its_type_forbids_is_said(schema: Any, said: str) -> None:
    assert any(said in sentence for sentence in words(schema))


def test_values_of_the_type_beside_them_are_only_listed() -> None:
    for schema in ({"enum": [1, "a"]}, {"type": ["integer", "string"], "enum": [1.0, "a"]}):
        assert not any("forbids" in sentence for sentence in words(schema))


DRAFT_4 = "http://json-schema.org/draft-04/schema#"
DRAFT_7 = "http://json-schema.org/draft-07/schema#"
LIST = {"type": "array"}
TEXT = {"type": "string"}


@pytest.mark.parametrize(
    ("schema", "keyword", "said"),
    [
        ({"$schema": DRAFT_4, **LIST, "additionalItems": TEXT}, "additionalItems", "a list under"),
        ({**LIST, "items": {}, "additionalItems": False}, "additionalItems", "a list under"),
        ({"then": TEXT}, "then", "without `if`"),
        ({"else": TEXT}, "else", "without `if`"),
        ({"if": TEXT}, "if", "without `then` or `else`"),
        ({**LIST, "minContains": 2}, "minContains", "without `contains`"),
        ({**LIST, "maxContains": 2}, "maxContains", "without `contains`"),
        ({"exclusiveMinimum": True, "minimum": 3}, "exclusiveMinimum", "it takes a number"),
        ({"$schema": DRAFT_4, "exclusiveMaximum": True}, "exclusiveMaximum", "without `maximum`"),
        ({"$schema": DRAFT_7, "$ref": "#/definitions/a", "maxLength": 3}, "maxLength", "draft 7"),
    ],
)
def test_a_keyword_that_says_nothing_where_it_stands_is_called_ignored(
    schema: Any, keyword: str, said: str
) -> None:
    node = at({**schema, "definitions": {"a": {}}}, f"/{keyword}")
    assert node["words"].startswith("Ignored: ")
    assert said in node["words"]
    assert not node["children"]


@pytest.mark.parametrize(
    ("schema", "keyword", "said"),
    [
        (
            {"$schema": DRAFT_4, "items": [TEXT], "additionalItems": TEXT},
            "additionalItems",
            "Every",
        ),
        ({"if": TEXT, "then": {"minLength": 1}}, "then", "… then also"),
        ({"if": TEXT, "unevaluatedProperties": False}, "if", "If the value is a text"),
        ({"contains": TEXT, "minContains": 0}, "contains", "Of the items these are counted"),
        ({"$ref": "#/$defs/a", "maxLength": 3, "$defs": {"a": {}}}, "maxLength", "At most 3"),
        ({"$schema": DRAFT_4, "minimum": 5, "exclusiveMinimum": True}, "exclusiveMinimum", "not"),
        ({"$schema": DRAFT_4, "const": 1}, "const", "Exactly 1. (No keyword of draft 4"),
    ],
)
def test_one_with_its_partner_in_its_draft_is_told(schema: Any, keyword: str, said: str) -> None:
    found = at(schema, f"/{keyword}")["words"]
    assert said in found
    assert "Ignored" not in found


def test_what_a_reference_hides_makes_no_headline() -> None:
    hidden = {"a": {"$ref": "#/definitions/n", "type": "string", "required": ["x"]}}
    schema = {"$schema": DRAFT_7, "properties": hidden, "definitions": {"n": {"type": "null"}}}
    assert at(schema, "/properties/a")["words"] == "“a”, optional: as `n` is defined."
    assert not any("Required too" in each for each in words(schema))


def test_dependencies_name_the_keys_that_come_along() -> None:
    schema = {"$schema": DRAFT_7, "dependencies": {"a": ["b", "c"], "d": {"type": "object"}}}
    said = words(schema)
    assert 'Where the key “a” stands, these must too: "b" and "c".' in said
    assert "Where the key “d” stands, also: an object." in said
