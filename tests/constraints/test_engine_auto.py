"""The engine "auto" keeps its rule: bytes where it can, a stack where it must, soundness first."""

import pytest

from playground.constraints.bytes_vocabulary import BYTES
from playground.constraints.engines import ENGINES
from playground.errors import BudgetExceeded, InvalidInput, ModelUnavailable, UnsupportedSchema
from tests.constraints.stacked import TREE, says

LIST = '{"items":{"$ref":"#"},"type":"array"}'
UNIQUE_TREE = """{"type":"object","properties":{"c":{"type":"array","uniqueItems":true,
"items":{"$ref":"#"}}},"required":["c"],"additionalProperties":false}"""


def test_bytes_stays_the_default_and_auto_comes_last() -> None:
    assert next(iter(ENGINES)) == "bytes"
    assert list(ENGINES)[-1] == "auto"


@pytest.mark.parametrize(
    ("kind", "source", "engine"),
    [
        ("regex", "a+", "bytes"),
        ("choices", "yes\nno", "bytes"),
        ("schema", '{"enum":[1,2]}', "bytes"),
        (
            "schema",
            '{"type":"object","properties":{"a":{"type":"integer"}},"additionalProperties":false}',
            "bytes",
        ),
        ("schema", TREE, "llguidance"),
        ("schema", LIST, "llguidance"),
        ("schema", '{"properties":{"a":{"type":"integer"}}}', "bytes"),
        ("grammar", 'root ::= "a" root | "b"', "llguidance"),
        ("schema", UNIQUE_TREE, "bytes"),
    ],
)
def test_the_engine_follows_the_constraint(compiled, kind, source, engine) -> None:
    made = compiled(kind, source, BYTES, engine="auto")
    assert made.automaton.engine == engine
    note = made.report.notes[0]
    assert note.keyword == "engine"
    assert f"The engine {engine} was picked" in note.message


def test_recursion_goes_deeper_than_the_byte_automaton(compiled) -> None:
    deep = b"[" * 40 + b"]" * 40
    assert not says(compiled("schema", LIST, BYTES).automaton, deep)
    assert says(compiled("schema", LIST, BYTES, engine="auto").automaton, deep)


def test_a_malformed_source_is_not_tried_again(compiled) -> None:
    with pytest.raises(InvalidInput) as caught:
        compiled("schema", '{"type":', BYTES, engine="auto")
    assert caught.value.line == 1


class Refusing:
    """An engine that takes nothing."""

    title = about = "refuses"

    def __init__(self, error):
        self.error = error

    def compile(self, *_args, **_fields):
        raise self.error


@pytest.mark.parametrize("missing", [True, False])
def test_what_others_refuse_bytes_keeps(compiled, monkeypatch, missing) -> None:
    from dataclasses import replace

    from playground.constraints import compile as compiling

    error = ModelUnavailable("Gone.") if missing else UnsupportedSchema("No.")
    auto = replace(ENGINES["auto"], llguidance=Refusing(error), xgrammar=Refusing(error))
    monkeypatch.setattr(compiling, "ENGINES", {**ENGINES, "auto": auto})
    made = compiled("schema", TREE, BYTES, engine="auto")
    assert made.automaton.engine == "bytes"
    with pytest.raises(type(error)):
        compiled("grammar", 'root ::= "a"', BYTES, engine="auto")


def test_what_only_xgrammar_takes_goes_there(compiled, monkeypatch) -> None:
    from dataclasses import replace

    from playground.constraints import compile as compiling

    refusing = Refusing(BudgetExceeded("Too large."))
    auto = replace(ENGINES["auto"], bytes=refusing, llguidance=refusing)
    monkeypatch.setattr(compiling, "ENGINES", {**ENGINES, "auto": auto})
    assert compiled("schema", TREE, BYTES, engine="auto").automaton.engine == "xgrammar"
    grammar = compiled("grammar", 'root ::= "a"', BYTES, engine="auto")
    assert grammar.automaton.engine == "xgrammar"


def test_where_no_engine_takes_a_grammar_both_say_why_and_auto_is_not_advised(compiled) -> None:
    with pytest.raises(InvalidInput) as caught:
        compiled("grammar", "start: A\nA: /x\\p{Foo}+/\n", BYTES, engine="auto")
    error = caught.value
    assert error.what == ("llguidance refuses this grammar: Unicode property not found: \\p{Foo}.")
    assert error.hint.startswith("xgrammar doesn't take it either: ")
    assert (error.line, error.column) == (2, 6)


@pytest.mark.parametrize(
    "source",
    [
        '{"$ref":"http://other.example/s.json"}',
        '{"items":{"$ref":"#/$defs/nowhere"}}',
        '{"type":"file"}',
    ],
)
def test_what_bytes_can_not_read_goes_to_no_engine_that_would_leave_it_out(
    compiled, source
) -> None:
    with pytest.raises(UnsupportedSchema):
        compiled("schema", source, BYTES, engine="auto")


OPEN = '{"properties":{"a":{"type":"integer"}}}'
OPEN_TREE = """{"type":"object","properties":{"a":{"type":"integer"},"b":{"$ref":"#"}}}"""
PATTERNED = """{"type":"object","patternProperties":{"^a":{"type":"integer"}},
"properties":{"b":{"$ref":"#"}}}"""


@pytest.mark.parametrize(
    ("source", "engine"), [(OPEN, "bytes"), (OPEN_TREE, "llguidance"), (PATTERNED, "llguidance")]
)
def test_an_escaped_key_is_held_to_the_schema_of_the_key(compiled, source, engine) -> None:
    made = compiled("schema", source, BYTES, engine="auto").automaton
    assert made.engine == engine
    assert says(made, b'{"a":1}')
    for key in (b"a", b"\\u0061"):
        assert not says(made, b'{"%s":"x"}' % key)
    if source is not OPEN:
        assert says(made, b'{"b":{"a":1}}')
        assert not says(made, b'{"b":{"\\u0061":"x"}}')


@pytest.fixture
def only_xgrammar(monkeypatch):
    """ "auto" where the schema is too large for bytes and llguidance refuses it."""
    from dataclasses import replace

    from playground.constraints import compile as compiling

    bytes_, other = Refusing(BudgetExceeded("Too large.")), Refusing(UnsupportedSchema("No."))
    auto = replace(ENGINES["auto"], bytes=bytes_, llguidance=other)
    monkeypatch.setattr(compiling, "ENGINES", {**ENGINES, "auto": auto})


@pytest.mark.parametrize(
    ("reference", "keyword"),
    [
        ('{"$ref":"http://other.example/s.json"}', "$ref"),
        ('{"$ref":"#nowhere"}', "$ref"),
        ('{"$dynamicRef":"#nowhere"}', "$dynamicRef"),
    ],
)
def test_a_reference_that_xgrammar_would_drop_is_refused(
    compiled, only_xgrammar, reference, keyword
) -> None:
    source = '{"$ref":"#/$defs/b","$defs":{"b":{"items":' + reference + "}}}"
    with pytest.raises(UnsupportedSchema) as caught:
        compiled("schema", source, BYTES, engine="auto")
    assert caught.value.where == f"/$defs/b/items/{keyword}"
    assert "Too large" in caught.value.what
    unused = '{"type":"integer","$defs":{"b":' + reference + "}}"
    assert compiled("schema", unused, BYTES, engine="auto").automaton.engine == "xgrammar"


@pytest.mark.parametrize("inner", ['{"$ref":"#/$defs/nowhere"}', '{"type":"file"}'])
def test_what_xgrammar_refuses_too_is_refused(compiled, only_xgrammar, inner) -> None:
    with pytest.raises(BudgetExceeded):
        compiled("schema", '{"items":' + inner + "}", BYTES, engine="auto")


def test_the_escapes_that_xgrammar_lets_through_are_announced(compiled, only_xgrammar) -> None:
    made = compiled("schema", OPEN_TREE, BYTES, engine="auto")
    assert made.automaton.engine == "xgrammar"
    assert says(made.automaton, b'{"\\u0061":"x"}'), "it does: else the note is wrong"
    said = [note for note in made.report.notes if note.keyword == "escapes"]
    assert [(note.level, note.pointer) for note in said] == [("partly", "/properties")]
