"""Grammars as typed: which dialect, what is wrong and where, and which rules are open in a text."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.constraints.bytes_vocabulary import BYTES
from playground.constraints.grammar import check, recursive
from playground.constraints.grammar_read import dialect_of, read
from playground.constraints.grammar_stack import MAX_TEXT, StackReader
from playground.constraints.grammar_steps import Unreadable
from playground.errors import BudgetExceeded, EmptyLanguage, InvalidInput, PlaygroundError
from tests.constraints.stacked import STACKED, allowed, says

GBNF = """# sums
root ::= sum
sum ::= term (("+" | "-") term)*
term ::= [0-9]+ | "(" sum ")"
"""
LARK = """// sums
start: sum
sum: term (("+"|"-") term)*
term: /[0-9]+/ | "(" sum ")"
"""
WEIGHT = 100_000


@pytest.mark.parametrize(
    ("source", "dialect"),
    [
        (GBNF, "gbnf"),
        (LARK, "lark"),
        ('start: "::="', "lark"),
        ('root ::= "start: x"', "gbnf"),
        ('root ::= [^"]', "gbnf"),
    ],
)
def test_the_dialect_is_read_off_the_text(source, dialect) -> None:
    assert dialect_of(source) == dialect
    assert check(source, WEIGHT).rules.dialect == dialect


@pytest.mark.parametrize("source", [GBNF, LARK])
@pytest.mark.parametrize("engine", [*STACKED, "auto"])
def test_every_engine_with_a_stack_runs_both_dialects(compiled, engine, source) -> None:
    automaton = compiled("grammar", source, BYTES, engine=engine).automaton
    assert automaton.engine == ("llguidance" if engine == "auto" else engine)
    for text in (b"1+(2-3)", b"((7))", b"10-2"):
        assert says(automaton, text)
    for text in (b"1+", b"(1", b"", b"1+)"):
        assert not says(automaton, text)
    assert says(automaton, b"(" * 50 + b"1" + b")" * 50)


def test_the_cases_with_a_grammar_come_out_right(compiled, shared: Path) -> None:
    lines = (shared / "cases" / "constraints.jsonl").read_text().splitlines()
    cases = [case for case in map(json.loads, lines) if case["constraint_type"] == "grammar"]
    assert cases
    for case in cases:
        for source in case["constraint"].values():
            for engine in STACKED:
                automaton = compiled("grammar", source, BYTES, engine=engine).automaton
                for string in case["strings"]:
                    assert says(automaton, string["text"].encode()) == string["valid"], string


@pytest.mark.parametrize("engine", ["bytes", "outlines"])
def test_a_finite_automaton_refuses_a_grammar_and_names_who_does_not(compiled, engine) -> None:
    with pytest.raises(InvalidInput, match="brackets") as caught:
        compiled("grammar", GBNF, BYTES, engine=engine)
    assert "llguidance" in caught.value.hint
    assert "xgrammar" in caught.value.hint


@pytest.mark.parametrize(
    ("source", "place", "words"),
    [
        ('root ::= "a" | b', (1, 16), "no rule b"),
        ('root ::= sum\nsum ::= "a" summ', (2, 13), "no rule summ"),
        ('rot ::= "a"', (1, 1), "No rule is called root"),
        ('strt: "a"', (1, 1), "No rule is called start"),
        ("", (1, 1), "no rule"),
        ('root ::= "a', (1, 10), "string is never closed"),
        ("root ::= [a-z", (1, 10), "class is never closed"),
        ("start: /[a-z", (1, 8), "regex is never closed"),
        ('root ::= ("a" | "b"', (1, 10), "never closed"),
        ('root ::= "a")', (1, 13), "closes or joins nothing"),
        ("root ::= $", (1, 10), "no meaning"),
        ('root ::= "a"\nroot ::= "b"', (2, 1), "twice"),
        ('start: "a"\nstart: "b"', (2, 1), "twice"),
        ('root ::= "a"{3,2}', (1, 13), "at least more than at most"),
        ("root ::= *", (1, 10), "no meaning"),
        ("start b", (1, 8), "colon"),
    ],
)
def test_a_mistake_is_found_at_its_place(source, place, words) -> None:
    with pytest.raises(InvalidInput, match=words) as caught:
        check(source, WEIGHT)
    assert (caught.value.line, caught.value.column) == place


def test_a_close_name_is_offered() -> None:
    with pytest.raises(InvalidInput) as caught:
        check('root ::= sum\nsum ::= "a" summ', WEIGHT)
    assert caught.value.hint == "Did you mean sum?"


@pytest.mark.parametrize(
    "source", ["root ::= root", 'root ::= "a" b\nb ::= b "x"', "start: a\na: b\nb: a"]
)
def test_a_grammar_that_never_ends_is_empty(source) -> None:
    with pytest.raises(EmptyLanguage):
        check(source, WEIGHT)


def test_repeats_that_multiply_are_refused() -> None:
    with pytest.raises(BudgetExceeded) as caught:
        check('root ::= a\na ::= (("x"{900}){900})', WEIGHT)
    assert caught.value.line == 2


def test_what_is_odd_is_noted() -> None:
    notes = check('root ::= "a" | loop\nloop ::= loop "x"\nalone ::= "z"', WEIGHT).notes
    found = {note.keyword: note for note in notes}
    assert set(found) == {"unused-rule", "endless-rule", "left-recursion"}
    assert found["unused-rule"].message.startswith("Line 3: the rule alone")
    assert found["endless-rule"].message.startswith("Line 2: the rule loop")
    assert not check(GBNF, WEIGHT).notes


@pytest.mark.parametrize("engine", STACKED)
def test_left_recursion_is_read(compiled, engine) -> None:
    automaton = compiled("grammar", 'root ::= root "+x" | "x"', BYTES, engine=engine).automaton
    assert says(automaton, b"x+x+x")
    assert not says(automaton, b"x+")


def test_rules_that_contain_themselves_are_known() -> None:
    assert recursive(read(GBNF)) == ["sum", "term"]
    assert recursive(read('root ::= a a\na ::= "x"')) == []


def test_xgrammar_is_given_no_flags_that_it_misreads(compiled) -> None:
    source = "start: /a/i\n"
    with pytest.raises(InvalidInput, match="flags") as caught:
        compiled("grammar", source, BYTES, engine="xgrammar")
    assert (caught.value.line, caught.value.column) == (1, 8)
    assert says(compiled("grammar", source, BYTES, engine="llguidance").automaton, b"A")


@given(st.text(alphabet='rot:=" |()[]a-z*+?{}12,\n/#%_A', max_size=60))
@settings(max_examples=300, deadline=None)
def test_whatever_is_typed_is_read_or_refused_in_words(text) -> None:
    for source in (text, f"root ::= {text}", f"start: {text}"):
        error = None
        try:
            assert check(source, WEIGHT).rules.rules
        except PlaygroundError as caught:
            error = caught
        if error is not None:
            assert error.what.endswith(".")
            assert error.line is None or 1 <= error.line <= source.count("\n") + 2


def opened(source: str, text: bytes) -> tuple[str, ...] | None:
    found = StackReader(read(source)).read(text)
    return None if found is None else found.frames


@pytest.mark.parametrize(("source", "root"), [(GBNF, "root"), (LARK, "start")])
def test_the_open_rules_are_a_stack(source, root) -> None:
    assert opened(source, b"") == ()
    assert opened(source, b"1+((2") == (
        f"{root} “1+((2”",
        "sum “1+((2”",
        "term “((2”",
        "sum “(2”",
        "term “(2”",
        "sum “2”",
        "term “2”",
    )
    assert opened(source, b"(1)") == (f"{root} “(1)”", "sum “(1)”"), "the term is over"
    assert opened(source, b"1+x") is None


def test_a_stack_that_could_be_another_says_so() -> None:
    reader = StackReader(read('root ::= root "+" root | "x"'))
    first, second = reader.read(b"x"), reader.read(b"x+x+x")
    assert first is not None
    assert second is not None
    assert not second.only
    sums = StackReader(read(GBNF)).read(b"1+(2")
    assert sums is not None
    assert sums.only


@given(st.lists(st.sampled_from([b"1", b"+", b"(", b")", b"2"]), max_size=12))
@settings(max_examples=60, deadline=None)
def test_the_reader_and_the_engines_agree_on_beginnings(parts) -> None:
    from playground.constraints.compile import compile_constraint
    from playground.constraints.spec import ConstraintSpec

    spec = ConstraintSpec(kind="grammar", source=GBNF, engine="llguidance")
    automaton = AUTOMATA.setdefault(spec, None) or compile_constraint(spec, BYTES).automaton
    AUTOMATA[spec] = automaton
    text = b"".join(parts)
    assert (READER.read(text) is not None) == (allowed(automaton, text) is not None)
    found = READER.read(text)
    if found is not None:
        depth = text.count(b"(") - text.count(b")")
        terms = [frame for frame in found.frames if frame.startswith("term “(")]
        assert len(terms) == depth, "one open term for each open bracket"


AUTOMATA: dict[object, object] = {}
READER = StackReader(read(GBNF))
"""Kept between examples: it must be right whatever it read before."""


@pytest.mark.parametrize(
    "source",
    ['%ignore " "\nstart: "a"', "%import common.INT\nstart: INT", 'start: <|end|> "a"'],
)
def test_of_a_grammar_that_only_an_engine_knows_no_stack_is_shown(source) -> None:
    with pytest.raises(Unreadable):
        StackReader(read(source))


def test_a_long_text_has_no_stack() -> None:
    assert opened(GBNF, b"1" * (MAX_TEXT + 1)) is None


@pytest.mark.parametrize("engine", STACKED)
def test_the_stack_is_part_of_the_state_in_words(compiled, engine) -> None:
    view = compiled("grammar", GBNF, BYTES, engine=engine).automaton.describe(b"(1")
    assert view.stack[0] == "root “(1”"
    assert view.stack[-1] == "term “1”"
    assert view.stack_of.startswith("the grammar's rules")
    assert view.needs == ")"


@pytest.mark.parametrize("engine", [*STACKED, "auto"])
@pytest.mark.parametrize(
    ("source", "what", "place"),
    [
        ("start: /(?=a)b/", "(?= is look-ahead", (1, 9)),
        ('start: "x"\n | "y" /a\\/b(?!c)/', "(?! is look-ahead", (2, 13)),
        ("start: /a/\n%ignore /\\bx/", "\\b is a word boundary", (2, 10)),
        ("start: /a(?<=b)/x", "(?<= is look-behind", (1, 10)),
        ("start: /(a)\\1/", "\\1 is a back-reference", (1, 12)),
        ("start: /a{2,1}/", "{2,1} asks for", (1, 10)),
    ],
)
def test_a_regex_that_no_automaton_can_have_is_told_at_its_place(
    compiled, engine, source, what, place
) -> None:
    with pytest.raises(InvalidInput) as caught:
        compiled("grammar", source, BYTES, engine=engine)
    assert caught.value.what.startswith(what)
    assert (caught.value.line, caught.value.column) == place
    assert caught.value.hint
    assert "auto" not in caught.value.hint


@pytest.mark.parametrize("engine", [*STACKED, "auto"])
def test_characters_by_their_numbers_in_gbnf(compiled, engine) -> None:
    source = (
        'root ::= "\\u00e9"* x [\\u005d\\u002d\\u005e]\n'
        'x ::= [\\u00e9-\\u00ff]"\\U0001F600\\u0022\\u000a\\\\u00e9"\n'
    )
    automaton = compiled("grammar", source, BYTES, engine=engine).automaton
    for last in "]-^":
        assert says(automaton, f'ééê😀"\n\\u00e9{last}'.encode())
    assert not says(automaton, 'éê😀"\n\\u00e9x'.encode())
    assert not says(automaton, 'éa😀"\n\\u00e9]'.encode())


@pytest.mark.parametrize("engine", [*STACKED, "auto"])
def test_hex_escapes_pass_as_they_are(compiled, engine) -> None:
    source = 'root ::= "\\x41" [^"\\\\\\x00-\\x1F]* "\\\\x41"'
    automaton = compiled("grammar", source, BYTES, engine=engine).automaton
    assert says(automaton, b"Aanything but those\\x41")
    assert not says(automaton, b'A"\\x41')
    assert not says(automaton, b"A\x1f\\x41")


def test_signs_keep_their_places_where_characters_are_written_out() -> None:
    source = 'root ::= "\\u00e9"[\\u0041-\\U0001F600]* rest\nrest ::= "\\\\u0041" | "b"'
    plain = check(source, WEIGHT).source
    assert len(plain) == len(source)
    assert plain.index("]*") == source.index("]*")
    assert plain.index("rest") == source.index("rest")
    assert plain.endswith('rest ::= "\\\\u0041" | "b"')


@pytest.mark.parametrize(
    ("escape", "what"),
    [
        ("\\u12g", "\\u needs 4 hex digits after it."),
        ("\\U0001F60", "\\U needs 8 hex digits after it."),
        ("\\xg", "\\x needs 2 hex digits after it."),
        ("\\ud83d", "`\\ud83d` is half of a surrogate pair, which is no character."),
        ("\\U00110000", "0x110000 is no Unicode character."),
    ],
)
def test_an_escape_that_names_no_character_is_told_at_its_place(escape, what) -> None:
    with pytest.raises(InvalidInput) as caught:
        check(f'root ::= "a" |\n "\\u00e9{escape}"', WEIGHT)
    assert (caught.value.what, caught.value.line, caught.value.column) == (what, 2, 9)
    assert caught.value.hint
