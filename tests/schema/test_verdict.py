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
    assert (wrong["offset"], wrong["column"], wrong["got"]) == (1, 1, "è")


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
