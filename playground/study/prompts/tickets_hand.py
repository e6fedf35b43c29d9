"""100 support tickets written and labelled by hand, by this guide.

**intent**: what the writer wants done.
  refund    money is to come back, whatever the reason.
  billing   a price, a bill or a payment is unclear, wrong or to be changed; no money back is asked.
  bug       something does not work as it should.
  account   signing in, profiles, users, roles, the deletion of an account's data.
  other     everything else: sales, praise, wishes, questions, the press.

**amount**: the sum of money that the ticket is about, in whole units; where several are named, the
one that is asked back or disputed. 0 where none is named. Numbers of orders and people are no sums.

**priority**: starts at normal for refund and account, low for billing and other, high for bug.
  One step up: a date or an hour by which it must be settled.
  One step up: an amount of 500 or more, in refund and billing.
  One step down: the writer says that it can wait.
  At least high: a lawyer, a court, a regulator or a bank's dispute is announced.
  Urgent: a stranger may be inside an account or have its data.
  Urgent in bug and account: many people are stopped, or a whole service is down; elsewhere this is
  one step up.
  No step leads below low or above urgent. Anger and capitals alone change nothing.

**escalate** is true where a lawyer, court, regulator or bank's dispute is announced, a stranger may
be inside, a bug or account trouble stops many people, the writer has asked for the same before
without success, or a refund or billing matter is about 1000 or more.

`ticket_labels.label` states the same as code; the tags name what in the text decided.
"""

import json
from functools import cache
from pathlib import Path

from playground.study.prompts.base import Item, PromptSet
from playground.study.prompts.ticket_labels import HINTS, INSTRUCTION, SCHEMA

FILE = Path(__file__).with_name("tickets_hand.jsonl")
"""One ticket a line: id, prompt, gold and cues (names of `ticket_labels.CUES`)."""


@cache
def items() -> tuple[Item, ...]:
    """The tickets in the order of the file, which mixes the intents."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return tuple(_item(**json.loads(line)) for line in lines)


def _item(id: str, prompt: str, gold: dict[str, object], cues: list[str]) -> Item:
    return Item(id=id, prompt=prompt, gold=gold, tags=tuple(f"cue:{cue}" for cue in cues))


TICKETS_HAND = PromptSet(
    name="tickets-hand",
    title="Support tickets, by hand (100)",
    about=(
        "Support tickets written one by one, with no template behind them, and labelled by a "
        "printed guide. They show whether what was learnt from the generated tickets carries over."
    ),
    schema=SCHEMA,
    instruction=INSTRUCTION,
    make=items,
    grounded=("/amount",),
    absent={"/amount": 0},
    hints=HINTS,
)
