"""2,500 support tickets with labels, from a seeded phrase grammar, split by template.

A ticket is a template (what it is about), up to two cues (what moves its labels) and a register
(how it sounds). The labels follow from intent, cues and amount by `ticket_labels.label`. One ticket
in ten can be read in two ways: its label is drawn from the joint law in `Item.law`.
"""

import json
import random
import re
from collections.abc import Iterator, Mapping
from functools import cache

from playground.study.prompts.base import Item, PromptSet, Split
from playground.study.prompts.grammar import Phrases, capital
from playground.study.prompts.ticket_labels import HINTS, INSTRUCTION, SCHEMA, label, law_of
from playground.study.prompts.ticket_phrases import FRAMES, RULES
from playground.study.prompts.ticket_templates import DOUBTS, TEMPLATES

SEED = "tickets 1"
PER_TEMPLATE, PER_DOUBT = 25, 10
"""Tickets of every plain template, and of every template in doubt."""
TEST_EVERY = 5
"""Of every list of templates, each fifth is for the test."""
CUE_COUNTS = (32, 50, 18)
"""Weights of 0, 1 and 2 cues."""
CUE_WEIGHTS: Mapping[str, Mapping[str, int]] = {
    "refund": {"legal": 2, "repeat": 3, "deadline": 2, "calm": 2},
    "billing": {"legal": 1, "repeat": 3, "deadline": 3, "calm": 3},
    "bug": {"outage": 3, "repeat": 2, "deadline": 4, "calm": 3},
    "account": {"security": 3, "outage": 3, "repeat": 1, "deadline": 3, "calm": 2},
    "other": {"repeat": 2, "deadline": 3, "calm": 3},
}
"""How often a cue goes with an intent, relative to the intent's other cues."""
AMOUNTS = (1, 10, 25, 50, 100, 250, 500, 1000, 5001)
"""Every range between two of these is as likely as another, and every whole number in it."""
ASKED = 0.5
"""Chance that a ticket of plain intent says once more what it is after."""
TYPO = 0.18
"""Chance that a word of four letters or more is misspelt, in the register that misspells."""

_WORD = re.compile(r"\b[A-Za-z]{4,}\b")


@cache
def items() -> tuple[Item, ...]:
    """The train split, then the test split; each in an order of its own that says nothing."""
    rng = random.Random(SEED)
    seen: set[str] = set()
    made = [item for group in _templates() for item in _group(*group, rng, seen)]
    rng.shuffle(made)
    made.sort(key=lambda item: item.split == "test")
    return tuple(
        item.model_copy(update={"id": f"ticket-{at:04}"}) for at, item in enumerate(made, start=1)
    )


def _templates() -> Iterator[tuple[str, str, Mapping[str, float], int]]:
    """(name, template, readings, how many tickets) of all templates."""
    for intent, templates in TEMPLATES.items():
        for at, template in enumerate(templates, start=1):
            yield f"{intent}-{at}", template, {intent: 1.0}, PER_TEMPLATE
    for kind, doubt in DOUBTS.items():
        for at, template in enumerate(doubt.templates, start=1):
            yield f"{kind}-{at}", template, doubt.readings, PER_DOUBT


def _group(
    name: str,
    template: str,
    readings: Mapping[str, float],
    count: int,
    rng: random.Random,
    seen: set[str],
) -> Iterator[Item]:
    """`count` tickets of one template, none of them in `seen`, which grows."""
    split: Split = "train" if int(name.rpartition("-")[2]) % TEST_EVERY else "test"
    made = 0
    while made < count:
        amount = _amount(rng) if "{amount}" in template else 0
        cues = _cues(max(readings, key=lambda intent: readings[intent]), rng)
        register = rng.choice(tuple(FRAMES))
        asks = len(readings) == 1 and rng.random() < ASKED
        ask = f" {{ask_{next(iter(readings))}}}" if asks else ""
        text = _text(template + ask, cues, amount, register, rng)
        if text in seen:
            continue
        seen.add(text)
        made += 1
        law = law_of(readings, cues, amount) if len(readings) > 1 else ()
        gold = (
            json.loads(rng.choices([text for text, _ in law], [p for _, p in law])[0])
            if law
            else label(next(iter(readings)), cues, amount)
        )
        tags = (f"template:{name}", f"register:{register}", *(f"cue:{cue}" for cue in cues))
        yield Item(
            id=str(made),
            prompt=text,
            gold=gold,
            split=split,
            tags=(*tags, "ambiguous") if law else tags,
            law=law,
        )


def _amount(rng: random.Random) -> int:
    at = rng.randrange(len(AMOUNTS) - 1)
    return rng.randrange(AMOUNTS[at], AMOUNTS[at + 1])


def _cues(intent: str, rng: random.Random) -> tuple[str, ...]:
    """Up to two different cues; `calm` goes with no other."""
    weights = CUE_WEIGHTS[intent]
    count = rng.choices(range(len(CUE_COUNTS)), CUE_COUNTS)[0]
    drawn = rng.choices(tuple(weights), tuple(weights.values()), k=count)
    if "calm" in drawn:
        return ("calm",)
    return tuple(sorted(set(drawn)))


def _text(
    template: str, cues: tuple[str, ...], amount: int, register: str, rng: random.Random
) -> str:
    """A ticket on `template` in `register`, as it would arrive."""
    phrases = Phrases(RULES, rng)
    fixed: dict[str, str] = {}
    if amount:
        fixed["amount"] = phrases.fill("{money}", {"number": str(amount)})
    fixed["body"] = capital(phrases.fill(template, fixed))
    fixed["cues"] = " ".join(capital(phrases.fill(f"{{{cue}}}", fixed)) for cue in cues)
    text = phrases.fill(rng.choice(FRAMES[register]), fixed)
    text = "\n".join(" ".join(line.split()) for line in text.split("\n")).strip()
    if register == "terse":
        return text.lower().rstrip(".")
    if register == "misspelt":
        return _WORD.sub(lambda word: _misspelt(word[0], rng), text)
    if register == "angry":
        return text.replace(". ", "! ").upper() if rng.random() < 0.2 else text.replace(". ", "! ")
    return text


def _misspelt(word: str, rng: random.Random) -> str:
    """`word`, or with TYPO a slip in its inner letters: two swapped, one lost or one twice."""
    if rng.random() >= TYPO:
        return word
    at = rng.randrange(1, len(word) - 2)
    slip = rng.choice((word[at + 1] + word[at], word[at], word[at : at + 2] + word[at + 1]))
    return word[:at] + slip + word[at + 2 :]


TICKETS = PromptSet(
    name="tickets",
    title="Support tickets (2,500)",
    about=(
        "Support tickets from a phrase grammar, in six registers, each with the four labels of a "
        "triage desk. The 500 test tickets use templates that none of the 2,000 training tickets "
        "uses, and one ticket in ten can be read in two ways."
    ),
    schema=SCHEMA,
    instruction=INSTRUCTION,
    make=items,
    grounded=("/amount",),
    absent={"/amount": 0},
    hints=HINTS,
)
