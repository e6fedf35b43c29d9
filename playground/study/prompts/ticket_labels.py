"""The schema of a support ticket, and the labelling guide of `tickets_hand` as a function."""

import json
from collections.abc import Collection, Mapping
from typing import Any

from playground.study.prompts.base import closed

INTENTS = ("refund", "billing", "bug", "account", "other")
PRIORITIES = ("low", "normal", "high", "urgent")
MOST = 5000
"""Largest amount of the schema, in whole units of money."""

CUES: Mapping[str, str] = {
    "outage": "many people are stopped, or a whole service is down",
    "security": "a stranger may be inside an account or have its data",
    "legal": "a lawyer, a court, a regulator or a bank's dispute is announced",
    "repeat": "the writer has asked for the same before without success",
    "deadline": "a date or an hour is named by which it must be settled",
    "calm": "the writer says that it can wait",
}
"""What in a text moves priority or escalate, apart from the intent and the amount."""

SCHEMA = closed(
    intent={"enum": list(INTENTS)},
    priority={"enum": list(PRIORITIES)},
    escalate={"type": "boolean"},
    amount={"type": "integer", "minimum": 0, "maximum": MOST},
)

INSTRUCTION = (
    "Read the support ticket and answer with one JSON object with four keys: intent (refund, "
    "billing, bug, account or other), priority (low, normal, high or urgent), escalate (true or "
    "false: does a manager have to see it?) and amount (the sum of money that the ticket names, "
    "as a whole number, or 0 if it names none).\n\nTicket:\n{input}"
)

HINTS = {
    "example": "Your May invoice lists 40 dollars twice. Could you have a look at it some time this "
    "week?\n\nAnswer:\n"
    '{"intent": "billing", "priority": "normal", "escalate": false, "amount": 40}\n\nTicket:'
}
"""One worked example, which stands where the ticket would, before the ticket."""

LARGE = 500
"""A refund or billing matter of this amount or more is one step more pressing."""
VERY_LARGE = 1000
"""And from this amount on a manager sees it."""

_BASE = {"refund": 1, "billing": 0, "bug": 2, "account": 1, "other": 0}
_HIGH, _URGENT = 2, 3


def label(intent: str, cues: Collection[str], amount: int) -> dict[str, Any]:
    """The gold answer of a ticket with this intent, these CUES and this amount (0: none named)."""
    money = intent in ("refund", "billing")
    stopped = "outage" in cues and intent in ("bug", "account")
    level = _BASE[intent]
    level += ("deadline" in cues) - ("calm" in cues)
    level += "outage" in cues and not stopped
    level += money and amount >= LARGE
    if "legal" in cues:
        level = max(level, _HIGH)
    if stopped or "security" in cues:
        level = _URGENT
    escalate = (
        stopped
        or not {"security", "legal", "repeat"}.isdisjoint(cues)
        or (money and amount >= VERY_LARGE)
    )
    return {
        "intent": intent,
        "priority": PRIORITIES[min(max(level, 0), _URGENT)],
        "escalate": escalate,
        "amount": amount,
    }


def law_of(
    readings: Mapping[str, float], cues: Collection[str], amount: int
) -> tuple[tuple[str, float], ...]:
    """The joint law of the answer where the text supports several intents: each reading's label,
    as JSON, with the reading's probability. Fields move together: they are not independent."""
    return tuple((json.dumps(label(intent, cues, amount)), p) for intent, p in readings.items())
