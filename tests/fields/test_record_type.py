"""Records of closed fields: options, indices and records."""

import json

import numpy as np
import pytest

from playground.errors import InvalidInput
from playground.fields.record_type import (
    ABSENT,
    MOST_COMBINATIONS,
    Field,
    Option,
    RecordType,
    ordinal,
)
from playground.fields.ticket import COUNTRY_CURRENCY, TICKET
from playground.study.prompts.tickets import TICKETS


def choice(name: str, *values: object) -> Field:
    return Field((name,), "choice", tuple(Option(json.dumps(v), v) for v in values))  # type: ignore[arg-type]


def test_the_ticket_has_320_records() -> None:
    assert TICKET.names == ("intent", "priority", "escalate", "amount")
    assert TICKET.sizes == (5, 4, 2, 8)
    assert TICKET.combinations == 320
    assert TICKET.allowed is None
    assert TICKET.mask.all()
    edges = [option.lower for option in TICKET.fields[3].options]
    assert edges == [0, 10, 25, 50, 100, 250, 500, 1000]
    assert TICKET.fields[3].options[-1].upper == 5000


def test_every_built_in_ticket_is_a_record_of_it() -> None:
    for item in TICKETS.make():
        indices = TICKET.indices(item.gold)
        option = TICKET.fields[3].options[indices[3]]
        assert option.lower is not None
        assert option.lower <= item.gold["amount"] <= (option.upper or 0)
        for key in ("intent", "priority", "escalate"):
            assert TICKET.record(indices)[key] == item.gold[key]


def test_a_country_has_its_currency() -> None:
    assert COUNTRY_CURRENCY.allowed == {(0, 0), (1, 1)}
    assert np.array_equal(COUNTRY_CURRENCY.mask, np.eye(2, dtype=bool))


def test_a_bin_holds_its_lower_end_and_only_the_last_its_upper_one() -> None:
    options = (Option("low", 5, 0, 10), Option("high", 20, 10, 100), Option("none", None))
    field = Field(("n",), "binned", options)
    assert [field.index(each) for each in (0, 9.99, 10, 100, None)] == [0, 0, 1, 1, 2]
    for value in (-0.1, 100.1, True, "5", ABSENT, [5]):
        with pytest.raises(InvalidInput):
            field.index(value)


def test_numbers_and_booleans_are_not_taken_for_each_other() -> None:
    field = choice("n", 0, 1, False, True)
    assert [field.index(each) for each in (0, 1, False, True, 1.0)] == [0, 1, 2, 3, 1]
    with pytest.raises(InvalidInput, match="is no option of n"):
        field.index("0")


def test_an_error_names_the_row_and_the_field() -> None:
    kind = RecordType((choice("a", "x"), choice("b", "y", "z")), "{}", frozenset({(0, 0)}))
    for record, where in (
        ({"a": "x", "b": "w"}, "row 7, b"),
        ({"a": "x"}, "row 7, b"),
        ({"a": "x", "b": "y", "c": 1}, "row 7, c"),
        ({"a": "x", "b": "z"}, "row 7, record"),
    ):
        with pytest.raises(InvalidInput) as caught:
            kind.indices(record, "row 7")
        assert caught.value.where == where
        assert caught.value.hint
    assert kind.indices({"b": "y", "a": "x"}, "row 7") == (0, 0)


def test_too_large_a_table_is_refused() -> None:
    field = choice("a", *range(10))
    many = RecordType(tuple(choice(f"f{at}", *range(10)) for at in range(6)), "{}")
    assert many.combinations == 10 * MOST_COMBINATIONS
    with pytest.raises(InvalidInput, match="1,000,000 records"):
        _ = many.mask
    assert RecordType((field,), "{}").mask.shape == (10,)


def test_a_field_is_found_by_its_name() -> None:
    assert TICKET.position("escalate") == 2
    with pytest.raises(InvalidInput, match="no field 'mood'"):
        TICKET.position("mood")


@pytest.mark.parametrize(
    "value", ["2024-W01-1", "20240101", "2024-13-01", "2024-02-30", "", None, 1]
)
def test_only_an_iso_day_is_a_date(value: object) -> None:
    assert ordinal("2024-02-29") == 738_945
    assert ordinal(value) is None
