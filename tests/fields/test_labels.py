"""Training rows as options: from a built-in set, a CSV, a JSONL; a wrong row is named."""

import json
from typing import Any

import numpy as np
import pytest

from playground.constraints.spec import ConstraintSpec
from playground.errors import InvalidInput
from playground.fields.labels import read_records
from playground.fields.record_type import RecordType
from playground.fields.schema import record_type_of
from playground.fields.ticket import COUNTRY_CURRENCY, TICKET
from playground.study.items import read_items
from playground.study.prompts.base import Item, closed
from playground.study.prompts.tickets import TICKETS


def of(schema: Any) -> RecordType:
    return record_type_of(ConstraintSpec(kind="schema", source=json.dumps(schema)))


def refused(items: tuple[Item, ...], record_type: RecordType) -> InvalidInput:
    with pytest.raises(InvalidInput) as caught:
        read_records(items, record_type)
    assert caught.value.hint
    return caught.value


def test_the_built_in_tickets_are_labelled() -> None:
    items = TICKETS.make()[:200]
    texts, labels = read_records(items, TICKET)
    assert texts == tuple(item.prompt for item in items)
    assert labels.shape == (200, 4)
    assert labels.dtype == np.int64
    assert [TICKET.fields[0].options[at].value for at in labels[:, 0]] == [
        item.gold["intent"] for item in items
    ]


CSV = "prompt,gold.intent,gold.priority,gold.escalate,gold.amount\n"


def test_a_csv_and_a_jsonl_of_the_same_rows_give_the_same_labels() -> None:
    csv = f"{CSV}Money back!,refund,high,true,5000\nIt crashed.,bug,urgent,false,0\n"
    lines = [
        {"prompt": "Money back!", "gold": dict(zip(TICKET.names, ("refund", "high", True, 5000), strict=True))},
        {"prompt": "It crashed.", "gold": dict(zip(TICKET.names, ("bug", "urgent", False, 0), strict=True))},
    ]  # fmt: skip
    jsonl = "\n".join(map(json.dumps, lines))
    one = read_records(read_items(csv, "csv", 10), TICKET)
    other = read_records(read_items(jsonl, "jsonl", 10), TICKET)
    assert one[0] == other[0] == ("Money back!", "It crashed.")
    assert one[1].tolist() == other[1].tolist() == [[0, 2, 1, 7], [2, 3, 0, 0]]


@pytest.mark.parametrize(
    ("row", "where"),
    [
        ("text,refunds,low,true,5", "row 3, intent"),
        ("text,refund,low,yes,5", "row 3, escalate"),
        ("text,refund,low,1,5", "row 3, escalate"),
        ("text,refund,low,true,5001", "row 3, amount"),
        ("text,refund,low,true,12.5", "row 3, amount"),
        ("text,refund,low,true,", "row 3, amount"),
        ("text,refund,low,true,null", "row 3, amount"),
        ("text,,,,", "row 3, gold"),
    ],
)
def test_a_label_outside_the_schema_names_its_row_and_field(row: str, where: str) -> None:
    items = read_items(f"{CSV}fine,refund,low,true,5\n{row}\n", "csv", 10)
    assert refused(items, TICKET).where == where


def test_a_row_with_an_id_is_named_by_it() -> None:
    items = (Item(id="x1", prompt="p", gold={"country": "US", "currency": "EUR"}),)
    error = refused(items, COUNTRY_CURRENCY)
    assert error.where == "row 'x1', record"
    assert "together" in error.what


def test_a_gold_that_is_no_object_is_refused() -> None:
    assert refused((Item(id="row-2", prompt="p", gold="refund"),), TICKET).where == "row 2, gold"
    assert refused((), TICKET).where == "rows"


def test_a_column_may_name_a_field_inside_an_object() -> None:
    kind = of(closed(a=closed(b={"type": "boolean"}, c={"enum": [1, 2]}), d={"enum": ["x", "y"]}))
    items = read_items("prompt,gold.a.b,gold.a.c,gold.d\np,true,2,y\n", "csv", 5)
    assert read_records(items, kind)[1].tolist() == [[1, 1, 1]]
    whole = (Item(id="row-2", prompt="p", gold={"a": {"b": False, "c": 1}, "d": "x"}),)
    assert read_records(whole, kind)[1].tolist() == [[0, 0, 0]]
    mixed = (Item(id="row-2", prompt="p", gold={"a": 5, "a.b": True, "d": "x"}),)
    assert refused(mixed, kind).where == "row 2, a.b"
    twice = (Item(id="row-2", prompt="p", gold={"a": {"b": True}, "a.b": True, "d": "x"}),)
    assert "given twice" in refused(twice, kind).what
    halves = (Item(id="row-2", prompt="p", gold={"a": {"b": True}, "a.c": 2, "d": "x"}),)
    assert read_records(halves, kind)[1].tolist() == [[1, 1, 0]]
    assert halves[0].gold["a"] == {"b": True}, "what was read is left as it is"


def test_a_number_of_a_bin_that_the_schema_refuses_is_named() -> None:
    kind = of(closed(n={"type": "integer", "minimum": 0, "maximum": 1000, "multipleOf": 5}))
    assert kind.fields[0].kind == "binned"
    good = (Item(id="row-2", prompt="p", gold={"n": 995}),)
    assert read_records(good, kind)[1].tolist() == [[7]]
    wrong = (*good, Item(id="row-3", prompt="p", gold={"n": 996}))
    assert refused(wrong, kind).where == "row 3, n"
