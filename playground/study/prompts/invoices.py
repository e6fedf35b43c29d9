"""100 short invoices, and what is to be read off them; a quarter of them bear no date."""

import random
from collections.abc import Mapping
from datetime import date, timedelta
from functools import cache, partial

from playground.study.prompts import words
from playground.study.prompts.base import Item, PromptSet, closed, distinct, spellings
from playground.study.prompts.grammar import Phrases

SEED = "invoices 1"
COUNT = 100
DATED = 0.75
"""Share of the invoices that bear a date."""

SCHEMA = closed(
    vendor={"type": "string", "minLength": 1, "maxLength": 40},
    total={"type": "number", "minimum": 0, "maximum": 100000},
    currency={"type": "string", "pattern": "^[A-Z]{3}$"},
    date={"type": ["string", "null"], "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"},
    line_items={"type": "integer", "minimum": 1, "maximum": 20},
)

CURRENCIES: Mapping[str, str] = {
    "EUR": "€{sum}",
    "USD": "US${sum}",
    "GBP": "£{sum}",
    "CHF": "CHF {sum}",
    "SEK": "{sum} SEK",
    "PLN": "PLN {sum}",
}
"""Code -> how a sum is written."""
GOODS: Mapping[str, tuple[int, int]] = {
    "reams of paper": (350, 620),
    "toner cartridges": (4200, 9900),
    "hours of consulting": (6500, 14000),
    "office chairs": (11000, 32000),
    "sacks of coffee": (1800, 5400),
    "metres of cable": (90, 340),
    "safety helmets": (1400, 3900),
    "page translations": (2500, 6000),
    "cleaning visits": (4500, 8000),
    "printed banners": (3900, 12000),
    "LED panels": (2200, 7800),
    "crates of tiles": (1900, 6100),
}
"""What is sold -> the least and the largest price of one, in cents."""
LAYOUTS = (
    "{vendor}\nInvoice {number}{dated}\n\n{lines}\n\nTotal: {total}\n{terms}",
    "INVOICE no. {number}\nFrom: {vendor}\nTo: {buyer}{dated}\n{lines}\nAmount due {total}",
    "{buyer} owes {vendor} for the following (bill {number}):\n{lines}\n{terms}\nIn all {total}.{dated}",
    "Bill to {buyer}\n\n{lines}\n\nSum {total}, payable to {vendor}. {terms}{dated}",
)
LISTS = (("", "\n"), ("- ", "\n"), ("", "; "))
"""What stands before a line, and between two."""
DATES = ("\nDate: {day}", "\nIssued on {day}", "\nInvoice date {day}")
RULES: Mapping[str, tuple[str, ...]] = {
    "terms": (
        "Please pay within {days} days.",
        "Payable on receipt.",
        "Net {days} days.",
        "Thank you for your order.",
    ),
    "days": ("10", "14", "30"),
    "number": ("{a}{b}-{a}{b}", "{a}{b}{a}", "R{a}{b}"),
    "a": ("12", "27", "39", "48", "56", "63", "74"),
    "b": ("05", "16", "22", "31", "47", "58", "69", "83"),
}


@cache
def items() -> tuple[Item, ...]:
    """The invoices, the same at every call."""
    rng = random.Random(SEED)
    return distinct("invoice", COUNT, partial(_invoice, rng))


def _invoice(rng: random.Random, at: int) -> Item:
    vendor, buyer = rng.sample(words.COMPANIES, 2)
    currency = rng.choice(tuple(CURRENCIES))
    goods = rng.sample(tuple(GOODS), rng.randint(1, 4))
    bullet, end = rng.choice(LISTS)
    lines, cents = [], 0
    for name in goods:
        count, price = rng.randint(2, 24), rng.randint(*GOODS[name])
        cents += count * price
        sum_of = money(count * price, currency)
        lines.append(f"{bullet}{count} {name} at {money(price, currency)}: {sum_of}")
    day = date(2023, 1, 1) + timedelta(days=rng.randrange(900)) if rng.random() < DATED else None
    dated = rng.choice(DATES).format(day=rng.choice(spellings(day)[:5])) if day else ""
    fixed = {
        "vendor": vendor,
        "buyer": buyer,
        "lines": end.join(lines),
        "total": money(cents, currency),
        "dated": dated,
    }
    return Item(
        id=str(at),
        prompt=Phrases(RULES, rng).fill(rng.choice(LAYOUTS), fixed).strip(),
        gold={
            "vendor": vendor,
            "total": cents / 100,
            "currency": currency,
            "date": day.isoformat() if day else None,
            "line_items": len(goods),
        },
        tags=("dated",) if day else ("undated",),
    )


def money(cents: int, currency: str) -> str:
    """A sum as an invoice writes it: 124050 in EUR is €1,240.50."""
    return CURRENCIES[currency].format(sum=f"{cents / 100:,.2f}")


INVOICES = PromptSet(
    name="invoices",
    title="Invoices (100)",
    about=(
        "Short invoices in four layouts: who sells, the total, the currency, the date and how many "
        "lines there are. A quarter of them bear no date, and the right answer is then null."
    ),
    schema=SCHEMA,
    instruction=(
        "Read the invoice and answer with one JSON object with five keys: vendor (who is to be "
        "paid), total (a number), currency (its code of three letters), date (the date of the "
        "invoice as YYYY-MM-DD, or null if it bears none) and line_items (how many different goods "
        "or services are listed).\n\nInvoice:\n{input}"
    ),
    make=items,
    grounded=("/vendor", "/total", "/date"),
)
