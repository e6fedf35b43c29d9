"""The worked example of the tickets is one that the labelling guide would give."""

import json

import jsonschema
import pytest

from playground.study.items import SETS


@pytest.mark.parametrize("name", ["tickets", "tickets-hand"])
def test_the_worked_example_answers_as_the_schema_asks_and_is_no_ticket_of_the_set(name) -> None:
    found = SETS[name]
    ticket, _, rest = found.hints["example"].partition("\n\nAnswer:\n")
    answer = json.loads(rest.partition("\n\nTicket:")[0])
    jsonschema.validate(answer, found.schema)
    assert list(answer) == list(found.schema["properties"])
    assert str(answer["amount"]) in ticket
    assert ticket not in {item.prompt for item in found.make()}
    item = found.make()[0]
    prompt = found.ask(item, "example")
    assert prompt.endswith(item.prompt)
    assert prompt.index("Ticket:\nYour May") < prompt.index(item.prompt)
