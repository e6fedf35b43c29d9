"""The mask's verdicts, byte by byte, with places in lines and columns."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.constraints.bytes_vocabulary import BYTES
from playground.constraints.compile import compile_constraint
from playground.constraints.spec import ConstraintSpec
from playground.errors import EmptyLanguage, InvalidInput
from playground.schema.verdict import allows, mask_verdict, refused


def mask(source, kind="schema", **more):
    spec = ConstraintSpec(kind=kind, source=source, **more)
    return compile_constraint(spec, BYTES).automaton


@pytest.fixture(scope="module")
def range_18_99():
    return mask('{"type":"integer","minimum":18,"maximum":99}')


def test_valid_incomplete_and_invalid_are_told_apart(range_18_99) -> None:
    assert mask_verdict(range_18_99, "18")["status"] == "valid"
    short = mask_verdict(range_18_99, "2")
    assert (short["status"], short["offset"], short["got"]) == (
        *("incomplete", 1, "the end of the text"),
    )
    assert short["expected"] == ["0-9"]
    assert len(short["needs"]) == 1
    wrong = mask_verdict(range_18_99, "17")
    assert (wrong["status"], wrong["offset"], wrong["column"], wrong["got"]) == (
        *("invalid", 1, 2, "7"),
    )
    assert wrong["expected"] == ["8", "9"]


def test_the_end_of_the_text_is_expected_where_it_may_end(range_18_99) -> None:
    assert mask_verdict(range_18_99, "180")["expected"] == ["the end of the text"]


def test_line_and_column_count_characters_and_offset_counts_bytes() -> None:
    automaton = mask("aé\nx", kind="choices")
    assert mask_verdict(automaton, "aé")["status"] == "valid"
    lines = mask("é\\n[a-c]", kind="regex")
    wrong = mask_verdict(lines, "é\nd")
    assert (wrong["offset"], wrong["line"], wrong["column"]) == (3, 2, 1)


def test_a_mistake_inside_a_character_is_told_at_its_start() -> None:
    automaton = mask("[aé]", kind="regex")
    wrong = mask_verdict(automaton, "è")  # both begin with the byte 0xc3
    assert (wrong["offset"], wrong["column"], wrong["got"]) == (0, 1, "è")
    assert wrong["expected"] == ["a", "é"]


def test_nothing_compiled_is_unsatisfiable_or_unknown() -> None:
    assert refused(EmptyLanguage("No value."))["status"] == "unsatisfiable"
    assert refused(InvalidInput("No JSON."))["status"] == "unknown"


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="0123456789-a", max_size=4))
def test_what_an_incomplete_text_needs_completes_it(text) -> None:
    automaton = mask('{"type":"integer","minimum":18,"maximum":99}')
    said = mask_verdict(automaton, text)
    assert (said["status"] == "valid") == allows(automaton, text)
    if said["status"] == "incomplete":
        assert allows(automaton, text + said["needs"])
    if said["status"] == "invalid":
        assert mask_verdict(automaton, text[: said["offset"]])["status"] != "invalid"


@pytest.mark.parametrize("engine", ["bytes", "llguidance", "xgrammar"])
def test_a_character_that_shares_its_first_byte_is_the_mistake_itself(engine) -> None:
    automaton = mask("x(é)y", kind="regex", engine=engine)
    wrong = mask_verdict(automaton, "xêy")
    assert (wrong["offset"], wrong["line"], wrong["column"], wrong["got"]) == (1, 1, 2, "ê")
    assert wrong["expected"] in (["é"], ["some characters outside ASCII"])
    last = mask_verdict(mask('{"enum":["é😀"]}', engine=engine), '"é😁"')
    assert (last["offset"], last["column"], last["got"]) == (3, 3, "😁")


@pytest.mark.parametrize(
    ("source", "text", "expected"),
    [
        (r"[^\d]", "١", ["any character but 0-9 ١"]),
        ("[^é]", "é", ["any character but é"]),
        (r"[^é\x00-\x60]", "é", ["a-z", *"{|}~", "\\x7f", "any other UTF-8 character but é"]),
    ],
)
def test_a_wide_class_doesnt_promise_the_character_that_it_lacks(source, text, expected) -> None:
    wrong = mask_verdict(mask(source, kind="regex"), text)
    assert (wrong["offset"], wrong["column"], wrong["got"]) == (0, 1, text)
    assert wrong["expected"] == expected


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="éêè٠١😀😁ab", max_size=6))
def test_a_mistake_is_where_a_character_begins(text) -> None:
    found = mask_verdict(_LETTERS, text)
    if found["status"] == "invalid":
        assert text.encode()[: found["offset"]].decode() + text[found["column"] - 1 :] == text


_LETTERS = mask("(é|١b|😀a)*", kind="regex")
