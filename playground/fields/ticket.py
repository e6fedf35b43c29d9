"""The record types of the built-in examples: a support ticket, and a country with its currency."""

import json
from functools import cache
from typing import Any, Final

from playground.constraints.spec import ConstraintSpec
from playground.fields.record_type import RecordType
from playground.study.prompts.base import closed
from playground.study.prompts.ticket_labels import SCHEMA

AMOUNT_EDGES: Final = (0, 10, 25, 50, 100, 250, 500, 1000, 5000)
"""Of the bins of a ticket's amount, in whole units of money."""

TICKET_SCHEMA: Final[dict[str, Any]] = {
    **SCHEMA,
    "properties": {
        **SCHEMA["properties"],
        "amount": {**SCHEMA["properties"]["amount"], "x-edges": list(AMOUNT_EDGES)},
    },
}
"""The schema of the built-in tickets with the edges of the amount's bins."""

COUNTRY_CURRENCY_SCHEMA: Final[dict[str, Any]] = {
    **closed(country={"enum": ["US", "DE"]}, currency={"enum": ["USD", "EUR"]}),
    "if": {"properties": {"country": {"const": "US"}}},
    "then": {"properties": {"currency": {"const": "USD"}}},
    "else": {"properties": {"currency": {"const": "EUR"}}},
}
"""Two fields of which the second follows from the first."""

TICKET: RecordType
COUNTRY_CURRENCY: RecordType


@cache
def ticket() -> RecordType:
    """intent (5) x priority (4) x escalate (2) x amount (8 bins): 320 records, all allowed."""
    return _of(TICKET_SCHEMA)


@cache
def country_currency() -> RecordType:
    """country (2) x currency (2), of which US with USD and DE with EUR are allowed."""
    return _of(COUNTRY_CURRENCY_SCHEMA)


def _of(schema: dict[str, Any]) -> RecordType:
    from playground.fields.schema import record_type_of  # jsonschema is slow to import

    return record_type_of(ConstraintSpec(kind="schema", source=json.dumps(schema)))


def __getattr__(name: str) -> RecordType:
    """`TICKET` and `COUNTRY_CURRENCY`, made when they are first asked for."""
    if name == "TICKET":
        return ticket()
    if name == "COUNTRY_CURRENCY":
        return country_currency()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
