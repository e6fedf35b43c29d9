"""100 notes and signatures with a person's contact data; phone and company may be missing."""

import random
from collections.abc import Mapping, Sequence
from functools import cache, partial

from playground.study.prompts import words
from playground.study.prompts.base import Item, PromptSet, closed, distinct
from playground.study.prompts.grammar import Phrases

SEED = "contacts 1"
COUNT = 100
WITH_PHONE, WITH_COMPANY = 0.6, 0.65
"""Shares of the texts that name a phone number, and a company."""

SCHEMA = closed(
    name={"type": "string", "minLength": 1, "maxLength": 40},
    email={"type": "string", "pattern": r"^[a-z0-9._-]{1,30}@[a-z0-9-]{1,30}\.example$"},
    phone={"type": ["string", "null"], "pattern": "^[0-9+() -]{6,20}$"},
    company={"type": ["string", "null"], "minLength": 1, "maxLength": 40},
)

RULES: Mapping[str, Sequence[str]] = {
    "note": (
        "{met} {name}{at_company}. {reach}",
        "For {topic} ask {name}{at_company}: {email}{or_phone}.",
        "{name}\n{job}{in_company}\n{email}{line_phone}",
        "New contact for {topic}: {name}{at_company}, mail {email}{or_phone}. {aside}",
        "{aside} Send {topic} to {name} ({email}){tail_company}.{call}",
        "Best wishes\n\n{name}{in_company}\n{place}\n{email}{line_phone}",
    ),
    "met": ("At the fair I met", "This is the card of", "Please add", "We got a call from"),
    "reach": ("Mail goes to {email}.{call}", "Write to {email}{or_phone}.", "{email}{or_phone}"),
    "topic": ("invoices", "the floor plan", "the offer", "press questions", "order {serial}"),
    "serial": ("4411", "70238", "9150", "26604"),
    "job": ("Head of purchasing", "Architect", "Photographer", "Assistant", "Sales", "Translator"),
    "aside": (
        "Room {serial}, second floor.",
        "Back in the office on {weekday}.",
        "The contact before left the firm.",
        "Prefers mail.",
    ),
    "place": words.PLACES,
    "weekday": words.WEEKDAYS,
}
PHONES = ("+1 202-555-01{n}", "(202) 555-01{n}", "+44 20 7946 09{n}", "0161 496 03{n}", "555-01{n}")
"""Numbers that are set aside for fiction."""
COMPANY_HOLES = {"at_company": " of {c}", "in_company": "\n{c}", "tail_company": ", {c}"}
PHONE_HOLES = {"or_phone": " or {p}", "line_phone": "\nPhone {p}", "call": " Call {p}."}
"""Hole -> what stands there if the company or the phone is named; else nothing."""
ADDRESSES = ("{f}.{l}", "{f}", "{i}.{l}", "{l}", "{f}_{l}")


@cache
def items() -> tuple[Item, ...]:
    """The contacts, the same at every call."""
    rng = random.Random(SEED)
    return distinct("contact", COUNT, partial(_contact, rng))


def _contact(rng: random.Random, at: int) -> Item:
    first, last = rng.choice(words.FIRST), rng.choice(words.LAST)
    company = rng.choice(words.COMPANIES) if rng.random() < WITH_COMPANY else None
    phone = rng.choice(PHONES).format(n=rng.randint(10, 99)) if rng.random() < WITH_PHONE else None
    address = rng.choice(ADDRESSES).format(f=first, l=last, i=first[0]).lower()
    domain = company.split()[0].lower() if company else rng.choice(("postbox", "mailhouse"))
    email = f"{address}@{domain}.example"
    fixed = {"name": f"{first} {last}", "email": email}
    fixed |= {
        hole: text.format(c=company) if company else "" for hole, text in COMPANY_HOLES.items()
    }
    fixed |= {hole: text.format(p=phone) if phone else "" for hole, text in PHONE_HOLES.items()}
    return Item(
        id=str(at),
        prompt=Phrases(RULES, rng).fill("{note}", fixed).strip(),
        gold={"name": f"{first} {last}", "email": email, "phone": phone, "company": company},
        tags=("phone" if phone else "no-phone", "company" if company else "no-company"),
    )


CONTACTS = PromptSet(
    name="contacts",
    title="Contact cards (100)",
    about=(
        "Notes and mail signatures that hold a person's name and email address. Four in ten name no "
        "phone number and a third no company, and the right answer is then null."
    ),
    schema=SCHEMA,
    instruction=(
        "Read the text and answer with one JSON object with four keys: name, email, phone (or null "
        "if there is none) and company (or null if there is none).\n\nText:\n{input}"
    ),
    make=items,
    grounded=("/name", "/email", "/phone", "/company"),
)
