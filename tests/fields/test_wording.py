"""How options are spelled for a language model, and the answer before a field."""

from itertools import pairwise

import pytest

from playground.errors import InvalidInput
from playground.fields.record_type import ABSENT, Field, Option, RecordType
from playground.fields.wording import beginning, question, wording_of, written


def binned(*edges: int) -> Field:
    options = (Option(f"{a} to {b}", (a + b) // 2, float(a), float(b)) for a, b in pairwise(edges))
    return Field(("amount",), "binned", tuple(options))


def test_a_string_ends_at_its_quote_and_a_word_at_what_follows() -> None:
    field = Field(("x",), "choice", (Option("a", "a"), Option("1", 1), Option("10", 10)))
    wording = wording_of(field)
    assert wording.decided(b' "a"}') == (b' "a"', 0)
    assert wording.decided(b'"a') is None
    assert wording.decided(b"1") is None
    assert wording.decided(b"1,\n") == (b"1,", 1)
    assert wording.decided(b"10 ") == (b"10 ", 2)
    assert wording.decided(b"  1,") is None
    assert wording.reach(b" 1") == (1, 2)
    assert wording.reach(b"") == (0, 1, 2)
    assert wording.reach(b"7") == ()


def test_ranges_of_few_numbers_are_written_out_and_of_many_are_labels() -> None:
    few = wording_of(binned(0, 2, 4))
    assert few.spellings == (("0", "1"), ("2", "3", "4"))
    assert few.reach(b"4") == (1,)
    many = binned(0, 10, 100)
    assert wording_of(many).spellings == (('"0 to 10"',), ('"10 to 100"',))
    assert "labels" in wording_of(many).note
    assert written(many, many.options[1]) == '"10 to 100"'
    assert written(binned(0, 2, 4), binned(0, 2, 4).options[1]) == "3"
    # An option left out changes nothing about how the others are asked for.
    assert wording_of(many, (0,)).spellings == (('"0 to 10"',),)


def test_a_month_is_any_date_in_it() -> None:
    months = [("2024-01-30", 738_915, 738_917), ("2024-02-15", 738_917, 738_945)]
    options = (Option(day[:7], day, float(a), float(b)) for day, a, b in months)
    field = Field(("day",), "date", (*options, Option("null", None)))
    wording = wording_of(field)
    assert wording.spellings == (('"2024-01-',), ('"2024-02-',), ("null",))
    assert wording.decided(b' "2024-02-2') == (b' "2024-02-', 1)
    assert '"2024-01-..", "2024-02-..", null' in question(RecordType((field,), "{}"), "x")
    assert written(field, field.options[0]) == '"2024-01-30"'


def test_what_is_left_out_is_null_unless_null_is_an_option() -> None:
    absent, one, null = Option("left out", ABSENT), Option("1", 1), Option("null", None)
    assert wording_of(Field(("x",), "choice", (one, absent))).spellings[1] == ("null",)
    both = wording_of(Field(("x",), "choice", (one, null, absent)))
    assert both.spellings[1:] == (("null",), ('"left out"',))


def test_two_options_written_alike_are_refused_and_so_are_endless_ones() -> None:
    with pytest.raises(InvalidInput, match="written 1"):
        wording_of(Field(("x",), "choice", (Option("a", 1), Option("b", 1.0))))
    with pytest.raises(InvalidInput, match="characters"):
        wording_of(Field(("x",), "choice", (Option("a", "a" * 30_000),)))


def test_the_answer_before_a_field_keeps_objects_together() -> None:
    kinds = RecordType(
        (
            Field(("a", "x"), "choice", (Option("1", 1),)),
            Field(("b",), "boolean", (Option("no", False), Option("yes", True))),
            Field(("a", "y"), "choice", (Option("é", "é"), Option("left out", ABSENT))),
            Field(("c",), "choice", (Option("1", 1),)),
        ),
        "{}",
    )
    assert beginning(kinds, [], 0) == '{"a": {"x":'
    assert beginning(kinds, [(0, 0)], 1) == '{"a": {"x": 1}, "b":'
    assert beginning(kinds, [(0, 0), (1, 1)], 2) == '{"b": true, "a": {"x": 1, "y":'
    assert beginning(kinds, [(2, 0)], 3) == '{"a": {"y": "é"}, "c":'
    assert beginning(kinds, [(2, 1)], 3) == '{"c":'


def test_the_question_lists_what_is_scored() -> None:
    kinds = RecordType((binned(0, 10, 100), binned(0, 2, 4)), "{}")
    said = question(kinds, "Hello <b>")
    assert '- amount: "0 to 10", "10 to 100"' in said
    assert "- amount: 0 to 1, 2 to 4" in said
    assert said.endswith("Text:\nHello <b>")
