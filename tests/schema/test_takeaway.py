"""The same constraint for other tools: every form is checked here, or says why it can't be."""

import ast
import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.constraints.build import build
from playground.constraints.byte_automaton import ByteAutomaton
from playground.constraints.bytes_vocabulary import BYTES
from playground.constraints.compile import compile_constraint
from playground.constraints.gbnf import characters, to_gbnf
from playground.constraints.gbnf_trees import complement, written_set
from playground.constraints.pydantic_source import to_schema
from playground.constraints.sources import schema_text
from playground.constraints.spec import JSON_KINDS, ConstraintSpec
from playground.demo import load_demos
from playground.errors import BudgetExceeded, PlaygroundError
from playground.schema.difference import difference
from playground.schema.effort import Effort
from playground.schema.takeaway import entry, takeaway
from playground.schema.takeaway.entry import FORMS
from playground.schema.takeaway.grammar import hyphened, most_repeats
from playground.schema.takeaway.material import Material, material
from playground.schema.takeaway.outlines_call import embedded
from playground.schema.takeaway.pydantic_source import to_source
from playground.schema.takeaway.pydantic_types import Unable
from playground.schema.takeaway.python_names import literal
from playground.schema.takeaway.texts import allowed_texts, broken_texts

NASTY = 'it\'s "q" \\ ${x} `y`\n\t</script> é😀'
SCHEMA: dict[str, Any] = {
    "title": "Nasty",
    "type": "object",
    "properties": {
        NASTY: {"type": "string", "maxLength": 3, "description": NASTY},
        "größe": {"type": "integer", "minimum": 0},
        "class": {"enum": [NASTY, "plain"]},
        "str": {"type": "array", "items": {"type": "boolean"}, "maxItems": 2},
    },
    "required": [NASTY, "größe", "class", "str"],
    "additionalProperties": False,
}


def forms(spec: ConstraintSpec) -> dict[str, dict[str, Any]]:
    compiled = compile_constraint(spec, BYTES)
    return {one["name"]: one for one in takeaway(spec, schema_text(spec), compiled)}


def gathered(kind: Any, source: str) -> Material:
    spec = ConstraintSpec(kind=kind, source=source)
    return material(spec, schema_text(spec), compile_constraint(spec, BYTES), None)


def require_checked(document: dict[str, Any]) -> None:
    if "error" in document:
        assert document["error"].endswith((".", "?", "!")) or len(document["error"]) > 20
        return
    assert document["text"]
    assert document["language"] in ("python", "json", "gbnf")
    assert (
        "arsed" in document["checked"]
        or "read" in document["checked"].lower()
        or ("ompiled" in document["checked"])
    )
    if document["language"] == "json":
        json.loads(document["text"])
    elif document["language"] == "python":
        ast.parse(document["text"])
    else:
        assert "xgrammar" in document["checked"].partition(" gave the mask's answer to all")[0]


def test_quotes_backslashes_and_signs_survive_in_every_form() -> None:
    found = forms(ConstraintSpec(kind="schema", source=json.dumps(SCHEMA)))
    assert [*found] == [*FORMS]
    assert json.loads(str(embedded(found["outlines"]["text"]))) == SCHEMA
    for server in ("vLLM", "SGLang"):
        body = json.loads(found[server]["text"])
        assert body["response_format"]["json_schema"]["schema"] == SCHEMA
    tool = json.loads(found["OpenAI tool"]["text"])["function"]
    assert tool["parameters"] == SCHEMA
    assert tool["strict"] is True
    assert "gave the mask's answer to all" in found["llama.cpp GBNF"]["checked"]
    assert "none differs" in found["Pydantic class"]["checked"]
    model = to_schema(found["Pydantic class"]["text"])
    assert [*model["properties"]] == [*SCHEMA["properties"]]
    assert model["properties"][NASTY]["description"] == NASTY
    assert model["properties"]["class"]["enum"] == [NASTY, "plain"]


def test_choices_are_taken_away_as_they_are() -> None:
    listed = ["pos", "positive", 'it\'s "q" \\ ${x} é😀']
    found = forms(ConstraintSpec(kind="choices", source="\n".join(listed)))
    assert str(embedded(found["outlines"]["text"])).split("\n") == listed
    assert json.loads(found["vLLM"]["text"])["structured_outputs"] == {"choice": listed}
    tool = json.loads(found["OpenAI tool"]["text"])["function"]["parameters"]
    assert tool["properties"]["value"]["enum"] == listed
    assert to_schema(found["Pydantic class"]["text"])["properties"]["value"]["enum"] == listed
    assert json.loads(found["SGLang"]["text"])["ebnf"] == found["llama.cpp GBNF"]["text"]


def test_a_regex_that_a_server_reads_otherwise_is_sent_as_a_grammar() -> None:
    wide = forms(ConstraintSpec(kind="regex", source=r"\d{3}-\d{2}"))
    body = json.loads(wide["vLLM"]["text"])
    assert body["structured_outputs"]["grammar"].startswith("root ::= ")
    assert "sent as a grammar" in wide["vLLM"]["note"]
    assert "error" in wide["OpenAI tool"]
    plain = forms(ConstraintSpec(kind="regex", source="[0-9]{3}-[0-9]{2}"))
    body = json.loads(plain["vLLM"]["text"])
    assert body["structured_outputs"] == {"regex": "[0-9]{3}-[0-9]{2}"}
    tool = json.loads(plain["OpenAI tool"]["text"])["function"]["parameters"]
    assert tool["properties"]["value"]["pattern"] == "^(?:[0-9]{3}-[0-9]{2})$"
    assert "plain text" in plain["Pydantic class"]["error"]


def test_a_pydantic_model_is_its_own_class_and_a_type_is_a_tool() -> None:
    source = "from pydantic import BaseModel\nclass A(BaseModel):\n    x: int\n"
    assert forms(ConstraintSpec(kind="pydantic", source=source))["Pydantic class"]["text"] == source
    typed = forms(ConstraintSpec(kind="type", source="date"))
    tool = json.loads(typed["OpenAI tool"]["text"])["function"]["parameters"]
    assert tool["properties"]["value"] == {"type": "string", "format": "date"}


def test_tools_keep_their_names_and_descriptions() -> None:
    one = {"name": "look_up", "description": "Looks it up.", "input_schema": SCHEMA}
    found = forms(ConstraintSpec(kind="tool", source=json.dumps(one)))
    function = json.loads(found["OpenAI tool"]["text"])["function"]
    assert function == {
        "name": "look_up",
        "description": "Looks it up.",
        "parameters": SCHEMA,
        "strict": True,
    }
    two = [
        one,
        {"type": "function", "function": {"name": "stop", "parameters": {"type": "object"}}},
    ]
    found = forms(ConstraintSpec(kind="tool", source=json.dumps(two)))
    tools = json.loads(found["OpenAI tool"]["text"])
    assert [tool["function"]["name"] for tool in tools] == ["look_up", "stop"]
    assert [tool["function"]["strict"] for tool in tools] == [True, False]
    assert found["OpenAI tool"]["note"].startswith("stop is not strict")


GBNF = 'root ::= expr\nexpr ::= term (("+" | "-") term)*\nterm ::= [0-9]+ | "(" expr ")"\n'
LARK = 'start: expr\nexpr: term (("+"|"-") term)*\nterm: /[0-9]+/ | "(" expr ")"\n'


@pytest.mark.parametrize("source", [GBNF, LARK])
def test_a_recursive_grammar_goes_to_the_servers_and_to_outlines(source: str) -> None:
    found = forms(ConstraintSpec(kind="grammar", source=source, engine="xgrammar"))
    grammar = found["llama.cpp GBNF"]["text"]
    assert (grammar == source) is (source is GBNF)
    assert "xgrammar" in found["llama.cpp GBNF"]["checked"]
    assert json.loads(found["SGLang"]["text"])["ebnf"] == grammar
    assert json.loads(found["vLLM"]["text"])["structured_outputs"] == {"grammar": grammar}
    assert "start:" in str(embedded(found["outlines"]["text"]))
    assert "error" in found["Pydantic class"]


def test_without_a_constraint_there_is_nothing_to_take() -> None:
    assert all("error" in one for one in forms(ConstraintSpec()).values())


def test_a_schema_that_outlines_reads_otherwise_is_told_by_a_text_each_way() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "integer", "minimum": 1}},
        "required": ["a"],
        "additionalProperties": False,
    }
    found = forms(ConstraintSpec(kind="schema", source=json.dumps(schema), whitespace="none"))
    assert "allows '{\"a\":0}', which the mask forbids" in found["outlines"]["note"]
    assert "whitespace_pattern=''" in found["outlines"]["text"]


@pytest.mark.parametrize(
    ("regex", "texts"),
    [
        (r"(?i)a[b-d]+\.x{2,}", ["Ab.xX", "ACD.xxx"]),
        (r"a(?i)b|c", ["aB", "C"]),
        (r"(?:(?i)a)b", ["Ab"]),
        (r"(?x) a b # end", ["ab"]),
        (r"[\]\[^-]+", ["]", "^-["]),
        (r"(?s).", ["\n", "é"]),
        (r"a?|", ["", "a"]),
        (r"x{0}y{2}(?:z{1}){2,3}", ["yyzz", "yyzzz"]),
        (r'"\\\x41\u{1F600}\t', ['"\\A😀\t']),
        (r"\p{Greek}+", ["αβγ"]),
        (r"[^\x00-\x{10FFFE}]", ["\U0010ffff"]),
    ],
)
def test_a_grammar_of_a_regex_allows_what_the_regex_does(regex: str, texts: list[str]) -> None:
    taken = gathered("regex", regex)
    assert taken.exact is not None
    asked = taken.asks("gbnf", to_gbnf(taken.regex, False))
    assert "xgrammar" in asked.agree, asked
    for text in texts:
        states = taken.exact.dfa.walk(0, text.encode())
        assert len(states) == len(text.encode()) + 1
    only = Material(
        taken.spec,
        None,
        None,
        taken.exact,
        taken.regex,
        tuple(texts),
        tuple(texts),
        (True,) * len(texts),
        taken.asked,
    )
    assert "xgrammar" in only.asks("gbnf", to_gbnf(taken.regex, False)).agree


def test_a_class_is_read_off_the_automaton_character_by_character() -> None:
    for source in (r"[a-cé😀]", r"\w", r"[^\n]", r"(?i)k", r"[\x{D000}-\x{F000}]"):
        dfa = build(source, 10_000)
        ranges = characters(dfa)
        assert all(a <= b for a, b in ranges)
        inside = {code for a, b in ranges for code in (a, b)}
        for code in inside | {code + 1 for code in inside} | {code - 1 for code in inside}:
            if 0 <= code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF:
                text = chr(code).encode()
                states = dfa.walk(0, text)
                fits = len(states) == len(text) + 1 and bool(dfa.final[states[-1]])
                assert fits == any(a <= code <= b for a, b in ranges), (source, hex(code))


def test_sets_are_written_by_what_they_lack_where_that_is_shorter() -> None:
    assert written_set(((97, 99), (101, 101))) == "[a-ce]"
    assert written_set(complement(((34, 34), (92, 92)))) == "[^\\x22\\\\]"
    assert complement(complement(((5, 9),))) == ((5, 9),)


def test_a_set_never_lacks_a_character_of_several_bytes() -> None:
    # llama.cpp takes the first byte of one for all that begin with it.
    for regex in (r"[^\x{85}]", r"\S", "[^é]", r"[^\x00-\x{80}]", "[^😀]", r'[^"\\]'):
        taken = gathered("regex", regex)
        grammar = to_gbnf(taken.regex, False)
        assert ("[^" in grammar) == (regex == r'[^"\\]'), grammar
        assert "xgrammar" in taken.asks("gbnf", grammar).agree


def test_names_are_those_that_llama_cpp_reads() -> None:
    source = 'root ::= a_b a-b "a_b" [a_b] é_1 a-b-2 # a_b\na_b ::= a.b\n'
    text = 'root ::= a-b-3 a-b "a_b" [a_b] --1 a-b-2 # a_b\na-b-3 ::= a.b\n'
    assert hyphened(source) == text
    assert hyphened(text) == text
    many = " ".join("_".join(each) for each in product(("a_", "a-"), repeat=12))
    assert len({*hyphened(f"root ::= {many}").split()}) == len(many.split()) + 2
    sums = 'root ::= a_sum\na_sum ::= [0-9]+ ("+" a_sum)?\n'
    found = forms(ConstraintSpec(kind="grammar", source=sums, engine="xgrammar"))["llama.cpp GBNF"]
    assert found["text"] == sums.replace("a_sum", "a-sum")
    assert "others were renamed" in found["note"]
    assert "xgrammar and llguidance gave the mask's answer" in found["checked"]
    lark = forms(ConstraintSpec(kind="grammar", source=LARK, engine="xgrammar"))["llama.cpp GBNF"]
    assert "_" not in lark["text"]


def test_a_grammar_names_a_rule_for_each_property() -> None:
    taken = gathered("schema", json.dumps(SCHEMA))
    rules = dict(line.split(" ::= ", 1) for line in to_gbnf(taken.regex, True).splitlines())
    assert {"root", "class", "str", "gr-e"} <= rules.keys()
    assert "größe" in rules["gr-e"]


def test_repetitions_that_llama_cpp_refuses_are_named() -> None:
    assert most_repeats('root ::= [{9}] "{3000}" x{2,5} y{7,} # z{99}') == 7
    assert most_repeats("root ::= x*") == 1
    assert most_repeats('root ::= "x" y') == 0
    assert (
        most_repeats('root ::= ("a"{1,50}){1,50}') == 2_500
    )  # a group and 49 that may be left out
    assert most_repeats('root ::= ("a" "b"?){0,1500} "c"{2,}') == 3_000
    assert most_repeats("root ::= (x | x y){3} x{4}{5} (x){6}") == 20
    found = forms(ConstraintSpec(kind="regex", source="[ab]{1,2100}"))
    assert "comes to 2,100 rules; llama.cpp refuses 2,000" in found["llama.cpp GBNF"]["note"]


def test_a_class_says_what_it_loses() -> None:
    schema = {
        "type": "object",
        "properties": {
            "a": {"type": "array", "uniqueItems": True, "items": {"type": "string"}},
            "b": {"enum": [1.5, "x"]},
            "c": {"type": "string", "pattern": "(?=a)"},
        },
        "required": ["a", "b", "c", "d"],
    }
    source = to_source(schema, "answer")
    assert set(source.lost) == {
        "uniqueItems at /properties/a",
        "enum at /properties/b",
        "pattern at /properties/c",
    }
    assert to_schema(source.text)["required"] == ["a", "b", "c", "d"]


def test_a_class_that_contains_itself_refers_by_name() -> None:
    schema = {
        "title": "Tree",
        "type": "object",
        "properties": {
            "v": {"type": "integer"},
            "left": {"anyOf": [{"$ref": "#"}, {"type": "null"}]},
        },
        "required": ["v"],
        "additionalProperties": False,
    }
    text = to_source(schema, "answer").text
    assert "left: 'Tree | None' = Field(default=None)" in text
    assert to_schema(text)["$defs"]["Tree"]["required"] == ["v"]


@pytest.mark.parametrize(
    "schema", [{"type": "string"}, {"anyOf": [{"type": "object"}]}, {"type": "object"}, True]
)
def test_a_root_that_is_no_class_is_refused_in_words(schema: Any) -> None:
    with pytest.raises(Unable):
        to_source(schema, "answer")


odd = st.recursive(
    st.sampled_from([None, True, False, 0, 2.5, "", "a", "object", "string", "#", "#/$defs/a"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(
                ["type", "properties", "items", "enum", "const", "$ref", "anyOf", "format"]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)


@settings(deadline=None, max_examples=200)
@given(st.dictionaries(st.sampled_from(["a", "b c", "int"]), odd, min_size=1, max_size=2), odd)
def test_a_schema_however_odd_gives_a_class_that_is_read_or_a_sentence(
    properties: Any, definition: Any
) -> None:
    schema = {"type": "object", "properties": properties, "$defs": {"a": definition}}
    text, reason = class_or_reason(schema)
    assert reason.endswith(".")
    if text:
        found = to_schema(text)
        if "$ref" in found:  # it contains itself
            found = found["$defs"][found["$ref"].rpartition("/")[2]]
        assert [*found["properties"]] == [*properties]


def class_or_reason(schema: Any) -> tuple[str, str]:
    try:
        return to_source(schema, "answer").text, "It was written."
    except Unable as error:
        return "", str(error)


@pytest.mark.parametrize(
    "key", ["int", "date", "Field", "model_dump", "_a", "1a", "ﬁ", "class", "copy", ""]
)
def test_a_key_that_is_no_name_is_an_alias(key: str) -> None:
    schema = {
        "type": "object",
        "properties": {key: {"type": "integer"}, "z": {"type": "integer"}},
        "required": [key, "z"],
        "additionalProperties": False,
    }
    model = to_schema(to_source(schema, "answer").text)
    assert [*model["properties"]] == [key, "z"]


@pytest.mark.parametrize("text", ["", NASTY, NASTY * 20, "a\rb\x0b\u2028c\n", "'''\"\"\"\\"])
def test_a_literal_is_its_text(text: str) -> None:
    assert ast.literal_eval(literal(text)) == text


def test_sampled_texts_are_allowed_and_broken_ones_are_near() -> None:
    taken = gathered("schema", json.dumps(SCHEMA))
    assert taken.exact is not None
    texts = allowed_texts(taken.exact.dfa, 20)
    assert len(texts) == 20
    assert all(json.loads(text)["größe"] >= 0 for text in texts)
    broken = broken_texts(texts, 40)
    assert len(set(broken) - set(texts)) > 20


def cases(shared: Path) -> list[ConstraintSpec]:
    specs = []
    for line in (shared / "cases" / "constraints.jsonl").read_text().splitlines():
        case = json.loads(line)
        kind, source = case["constraint_type"], case["constraint"]
        if kind == "json_schema":
            specs.append(ConstraintSpec(kind="schema", source=json.dumps(source)))
        elif kind == "regex":
            specs.append(ConstraintSpec(kind="regex", source=source))
    return specs


def test_every_form_of_handed_over_constraints_and_demos_is_checked_or_says_why(
    shared: Path,
) -> None:
    demos = [demo.problem.constraint for demo in load_demos().values()]
    # Every third case, since each takes half a second of child processes.
    wanted = [*cases(shared)[::3], *(spec for spec in demos if spec.kind in JSON_KINDS)]
    written = dict.fromkeys(FORMS, 0)
    for spec in wanted:
        try:
            found = forms(spec)
        except PlaygroundError:
            continue  # it is refused before there is anything to take away
        for name, document in found.items():
            require_checked(document)
            written[name] += "error" not in document
    assert min(written.values()) >= 8, written


def test_a_class_of_every_handed_over_schema_loses_only_what_it_names(shared: Path) -> None:
    compared = 0
    for spec in cases(shared):
        if spec.kind != "schema":
            continue
        try:
            source = to_source(json.loads(spec.source), "answer")
        except Unable:
            continue
        again = ConstraintSpec(kind="schema", source=json.dumps(to_schema(source.text)))
        one, other = (
            compile_constraint(spec, BYTES).automaton,
            compile_constraint(again, BYTES).automaton,
        )
        assert isinstance(one, ByteAutomaton)
        assert isinstance(other, ByteAutomaton)
        apart = difference(one.dfa, other.dfa)
        compared += 1
        assert apart["equal"] or source.lost or source.narrower, (spec.source, apart)
    assert compared >= 15


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf"])
@pytest.mark.parametrize("levels", [13, 30])
def test_classes_of_a_schema_that_is_large_when_written_out_are_refused_or_quick(
    keyword: str, levels: int
) -> None:
    """Each definition refers to the next one twice: 2^levels ways lead to the last."""
    definitions: dict[str, Any] = {
        f"a{n}": {keyword: [{"$ref": f"#/$defs/a{n + 1}"}] * 2} for n in range(levels)
    }
    definitions[f"a{levels}"] = {"type": "integer"}
    schema = {
        "type": "object",
        "properties": {"x": {"$ref": "#/$defs/a0"}},
        "$defs": definitions,
    }
    effort = Effort(60.0, 5_000)  # what ends it is the count, whatever the machine
    if keyword == "allOf":
        assert "x: int" in to_source(schema, "Answer", effort).text
    else:
        with pytest.raises((BudgetExceeded, Unable)):
            to_source(schema, "Answer", effort)


def test_a_form_that_is_too_large_says_so_and_the_others_come(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def endless(_: Material) -> None:
        effort = Effort(60.0, 10)
        while True:
            effort.step()

    monkeypatch.setattr(entry, "FORMS", {**FORMS, "Pydantic class": endless})
    found = forms(ConstraintSpec(kind="schema", source=json.dumps(SCHEMA)))
    assert "too large" in found["Pydantic class"]["error"]
    assert "error" not in found["OpenAI tool"]
