"""What the Decisions screen opens with: record types, examples, and what was recorded."""

import json
from functools import cache
from pathlib import Path

from playground.decisions_record import (
    coherence_document,
    positions_document,
    stands,
    type_document,
)
from playground.fields.coherence import country_currency as country_law
from playground.fields.head_spec import TrainingSpec
from playground.fields.ticket import country_currency, ticket
from playground.record import Document
from playground.study.items import SETS

RECORDED_FILE = Path(__file__).parents[2] / "static" / "decisions" / "recorded.json"
"""A head, its measures and the table, as the command line made them; it may be missing."""
EXAMPLES = 6
"""Hand-written tickets that are offered."""
ORDERS = (
    {
        "id": "order-1",
        "type": "country-currency",
        "text": "Please send the invoice to our office in Munich.",
        "gold": {"country": "DE", "currency": "EUR"},
    },
    {
        "id": "order-2",
        "type": "country-currency",
        "text": "The parcel goes to Boston, and we pay when it is there.",
        "gold": {"country": "US", "currency": "USD"},
    },
)
"""What countries and currencies are decided of."""
HEADS = (
    {
        "name": "factorised",
        "title": "Factorised",
        "about": "Every field is decided from the text alone.",
    },
    {
        "name": "chained",
        "title": "Chained",
        "about": "A field is decided after others, and sees what they became.",
    },
    {
        "name": "joint",
        "title": "Joint",
        "about": "One softmax over whole combinations of some fields, renormalised once.",
    },
)
POOLINGS = (
    {"name": "mean", "title": "Mean", "about": "The mean of the tokens' states."},
    {"name": "last", "title": "Last token", "about": "The last token's state."},
    {"name": "attention", "title": "Attention", "about": "A mean that learns what to look at."},
)


def _recorded() -> Document | None:
    """What was recorded, of tickets; with what the numbers of its record stand for."""
    if not RECORDED_FILE.is_file():
        return None
    found: Document = json.loads(RECORDED_FILE.read_text())
    indices = ticket().indices(found["decision"]["record"])
    return {**found, "decision": {**found["decision"], "stands": stands(ticket(), indices)}}


@cache
def page_props() -> Document:
    """Everything that is the same for every visitor."""
    about = SETS["tickets"].about
    return {
        "types": [
            type_document("ticket", "Support ticket", about, ticket(), True),
            type_document(
                "country-currency",
                "Country and currency",
                "Two fields of which the second follows from the first.",
                country_currency(),
                False,
            ),
        ],
        "examples": [
            *(
                {"id": item.id, "type": "ticket", "text": item.prompt, "gold": item.gold}
                for item in SETS["tickets-hand"].make()[:EXAMPLES]
            ),
            *ORDERS,
        ],
        "heads": list(HEADS),
        "poolings": list(POOLINGS),
        "sizes": [200, 500, 2000],
        "measured": [100, 500],
        "defaults": TrainingSpec().model_dump(mode="json"),
        "recorded": _recorded(),
        "country": coherence_document(country_law(), country_currency()),
        "positions": positions_document(),
    }
