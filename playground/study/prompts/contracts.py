"""100 excerpts of contracts: parties, dates (many of them missing), and the clause that weighs most."""

import random
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from functools import cache, partial
from typing import Any

from playground.study.prompts import words
from playground.study.prompts.base import Item, PromptSet, closed, distinct, spellings
from playground.study.prompts.grammar import Phrases

SEED = "contracts 1"
COUNT = 100
WITH_START, WITH_END = 0.8, 0.5
"""Shares of the contracts that state an effective date, and a termination date."""

RISKS = ("low", "medium", "high")
_DAY = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
_NAME = {"type": "string", "minLength": 1, "maxLength": 40}
_WEIGHT: dict[str, Any] = {
    "risk": {"enum": list(RISKS)},
    "clause": {"type": "string", "pattern": r"^[1-9]\.[1-9]$"},
}
_REASONING: dict[str, Any] = {"reasoning": {"type": "string", "maxLength": 300}}


def _schema(day: Mapping[str, Any]) -> dict[str, Any]:
    return closed(party_a=_NAME, party_b=_NAME, effective_date=day, termination_date=day, **_WEIGHT)


SCHEMA = _schema({"type": ["string", "null"], "pattern": _DAY})
VARIANTS: Mapping[str, Mapping[str, Any]] = {
    "strict-dates": _schema({"type": "string", "pattern": _DAY}),
    "risk": closed(**_WEIGHT),
    "risk-reasoning-first": closed(**_REASONING, **_WEIGHT),
    "risk-reasoning-last": closed(**_WEIGHT, **_REASONING),
}
"""`strict-dates` has no null: a missing date can't be said. The others ask for risk and clause only."""

WEIGHTY: Mapping[str, Sequence[str]] = {
    "high": (
        "{a} may raise all fees at any time, without notice and without limit.",
        "{b} bears unlimited liability for every loss, whoever caused it.",
        "All inventions that {b} makes, before or during this contract, belong to {a}.",
        "{a} may end this contract at once and keep whatever was paid in advance.",
        "{b} must not work for any other client, and this holds for ten years after the end.",
        "{a} may hand over the data of {b} to third parties as it sees fit.",
    ),
    "medium": (
        "The term is prolonged by twelve months unless {b} objects ninety days ahead.",
        "{a} may raise the fees once a year by up to eight per cent, with a month's notice.",
        "{b} may not hire staff of {a} for two years after the end.",
        "{b} pays a fixed penalty of one monthly fee if it delivers more than ten days late.",
        "The liability of {a} is limited to the fees of the last three months.",
        "{a} may replace the persons in charge without asking {b}.",
    ),
    "low": (
        "Interest of one per cent a month is due on late payments of either party.",
        "Either party may end this contract with sixty days' notice.",
        "Each party bears its own travel costs up to a sum agreed beforehand.",
        "{b} returns the keys and papers that were lent to it within a month of the end.",
        "Each party keeps the other's business secrets for two years.",
        "{b} sends a short report of the work done every quarter.",
    ),
}
"""Risk -> clauses that carry it. Every contract has one of them, and it decides risk and clause."""
NEUTRAL = (
    "Notices are made in writing to the address named above.",
    "Headings are there for reading only and have no meaning of their own.",
    "If one provision is void, the others remain in force.",
    "This contract is made in two copies, one for each party.",
    "Changes need the written form.",
    "The language of this contract is English.",
    "{a} names a contact person, and so does {b}.",
    "The annexes are part of this contract.",
    "The law of the place where {a} has its seat applies.",
)
STARTS = (
    "This contract takes effect on {day}.",
    "The services begin on {day}, the effective date.",
    "It enters into force on {day}.",
)
ENDS = (
    "It ends on {day} without further notice.",
    "The contract terminates on {day}.",
    "Its term runs until {day}.",
)
NO_ENDS = (
    "It runs for an indefinite time.",
    "It goes on until one of the parties gives notice.",
    "No end is fixed.",
)
OTHER_DATES = (
    "The offer of {day} is annexed.",
    "Signed by both parties on {day}.",
    "It replaces the letter of intent of {day}.",
)
"""Sentences with a date that is neither of the two asked for."""
PARTIES = (
    '{service} contract between {a} ("the Principal") and {b} ("the Supplier").',
    "Between {a} of {place_a} and {b} of {place_b} the following {service} contract is made.",
    "{a} hereby engages {b}. Subject: {service}.",
)
SERVICES = ("Cleaning", "Maintenance", "Consulting", "Delivery", "Software", "Catering", "Design")


@cache
def items() -> tuple[Item, ...]:
    """The contracts, the same at every call."""
    rng = random.Random(SEED)
    return distinct("contract", COUNT, partial(_contract, rng))


def _contract(rng: random.Random, at: int) -> Item:
    a, b = rng.sample(words.COMPANIES, 2)
    place_a, place_b = rng.sample(words.PLACES, 2)
    service = rng.choice(SERVICES)
    fixed = {"a": a, "b": b, "place_a": place_a, "place_b": place_b, "service": service}
    start = date(2022, 1, 1) + timedelta(days=rng.randrange(1000))
    end = start + timedelta(days=rng.randrange(200, 1500))
    has_start, has_end = rng.random() < WITH_START, rng.random() < WITH_END
    term = [_dated(STARTS, start, rng)] if has_start else []
    if has_end:
        term.append(_dated(ENDS, end, rng))
    elif rng.random() < 0.5:
        term.append(rng.choice(NO_ENDS))
    if rng.random() < 0.6:
        term.append(_dated(OTHER_DATES, start - timedelta(days=rng.randrange(5, 90)), rng))
    risk = RISKS[at % len(RISKS)]
    numbered, clause = _clauses(risk, rng)
    text = "\n".join([rng.choice(PARTIES), " ".join(term), *numbered])
    return Item(
        id=str(at),
        prompt="\n".join(filter(None, Phrases({}, rng).fill(text, fixed).split("\n"))),
        gold={
            "party_a": a,
            "party_b": b,
            "effective_date": start.isoformat() if has_start else None,
            "termination_date": end.isoformat() if has_end else None,
            "risk": risk,
            "clause": clause,
        },
        tags=(
            "start" if has_start else "no-start",
            "end" if has_end else "no-end",
            f"risk:{risk}",
        ),
    )


def _dated(sentences: Sequence[str], day: date, rng: random.Random) -> str:
    return rng.choice(sentences).format(day=rng.choice(spellings(day)))


def _clauses(risk: str, rng: random.Random) -> tuple[list[str], str]:
    """Numbered clauses, one of them weighty, and the number of that one."""
    weighty = rng.choice(WEIGHTY[risk])
    texts = [*rng.sample(NEUTRAL, rng.randint(2, 4)), weighty]
    rng.shuffle(texts)
    section = rng.randint(1, 6)
    numbers = [f"{section + at // 3}.{at % 3 + 1}" for at in range(len(texts))]
    lines = [f"{number} {text}" for number, text in zip(numbers, texts, strict=True)]
    return lines, numbers[texts.index(weighty)]


CONTRACTS = PromptSet(
    name="contracts",
    title="Contract terms (100)",
    about=(
        "Excerpts of contracts: the two parties, the dates on which they start and end, and the "
        "clause that burdens a party most. Half of them name no end and a fifth no start; the right "
        "answer is then null, though other dates stand in the text."
    ),
    schema=SCHEMA,
    instruction=(
        "Read the contract and answer with one JSON object with six keys: party_a and party_b (the "
        "two parties, in the order of the text), effective_date and termination_date (as "
        "YYYY-MM-DD), risk (low, medium or high: how heavily the most one-sided clause burdens a "
        "party) and clause (the number of that clause).\n\n{input}"
    ),
    make=items,
    grounded=("/party_a", "/party_b", "/effective_date", "/termination_date", "/clause"),
    variants=VARIANTS,
    hints={
        "missing": "If the contract does not state one of the two dates, write null for it. Do not "
        "guess a date and do not take another date of the text."
    },
)
