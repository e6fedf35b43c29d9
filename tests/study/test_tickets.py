"""The tickets: split by template, labelled by the guide, in doubt by a stated law."""

import json
import re
from collections import Counter
from itertools import pairwise
from math import sqrt

import pytest
from jsonschema import Draft202012Validator

from playground.study.items import SETS, Item
from playground.study.prompts import ticket_phrases
from playground.study.prompts.grammar import HOLE, skeleton
from playground.study.prompts.ticket_labels import CUES, INTENTS, label
from playground.study.prompts.ticket_templates import DOUBTS, TEMPLATES


def items(name: str = "tickets") -> tuple[Item, ...]:
    return SETS[name].make()


def tag(item: Item, kind: str) -> list[str]:
    """The values of the tags `kind:value`."""
    return [each.removeprefix(f"{kind}:") for each in item.tags if each.startswith(f"{kind}:")]


def plain(item: Item) -> bool:
    """A ticket that no slip of the pen has touched."""
    return tag(item, "register") != ["misspelt"]


def templates() -> dict[str, str]:
    lists = {**TEMPLATES, **{kind: doubt.templates for kind, doubt in DOUBTS.items()}}
    return {f"{kind}-{at}": each for kind, made in lists.items() for at, each in enumerate(made, 1)}


def test_tickets_are_split_by_template() -> None:
    split = Counter(item.split for item in items())
    assert split == {"train": 2000, "test": 500}
    used = {
        name: {tag(item, "template")[0] for item in items() if item.split == name} for name in split
    }
    assert not used["train"] & used["test"]
    skeletons = {name: {skeleton(templates()[each]) for each in used[name]} for name in split}
    assert not skeletons["train"] & skeletons["test"]
    assert len(skeletons["train"] | skeletons["test"]) == len(templates()) == 115


def test_no_training_ticket_has_the_words_of_a_test_template() -> None:
    train = [item.prompt.casefold() for item in items() if item.split == "train"]
    for name in {tag(item, "template")[0] for item in items() if item.split == "test"}:
        parts = [each.strip(" .,:?!").casefold() for each in HOLE.split(templates()[name])[::2]]
        longest = max(parts, key=len)
        assert len(longest.split()) >= 3
        assert not any(longest in text for text in train), longest


def test_every_text_of_a_template_follows_it() -> None:
    known = templates()
    for item in filter(plain, items()):
        shape = HOLE.sub("\0", known[tag(item, "template")[0]]).rstrip(".").casefold()
        pattern = re.escape(shape).replace("\0", ".+").replace(r"\.\ ", r"[.!]\ ")
        assert re.search(pattern, item.prompt.casefold()), item


def test_tickets_are_balanced() -> None:
    made = items()
    for split in ("train", "test"):
        part = [item.gold for item in made if item.split == split]
        shares = Counter(gold["intent"] for gold in part)
        assert set(shares) == set(INTENTS)
        assert min(shares.values()) >= 0.1 * len(part)
        assert min(Counter(gold["priority"] for gold in part).values()) >= 0.1 * len(part)
        assert 0.2 <= sum(gold["escalate"] for gold in part) / len(part) <= 0.5
        assert 0.25 <= sum(gold["amount"] > 0 for gold in part) / len(part) <= 0.5
    registers = Counter(tag(item, "register")[0] for item in made)
    assert min(registers.values()) >= 0.1 * len(made)
    named = [item.gold["amount"] for item in made if item.gold["amount"]]
    edges = (0, 10, 25, 50, 100, 250, 500, 1000, 5000)
    for low, high in pairwise(edges):
        assert sum(low <= amount < high for amount in named) >= 0.08 * len(named)


def test_a_cue_is_in_the_text_where_it_is_tagged_and_nowhere_else() -> None:
    phrases = {
        cue: [
            max(HOLE.split(each)[::2], key=len).strip(" .,:").casefold()
            for each in ticket_phrases.CUES[cue]
        ]
        for cue in CUES
    }
    assert all(len(each.split()) >= 2 for made in phrases.values() for each in made)
    for item in filter(plain, items()):
        text = item.prompt.casefold().replace("! ", ". ")
        found = {cue for cue, made in phrases.items() if any(each in text for each in made)}
        assert found == set(tag(item, "cue")), item


def test_the_amount_is_the_only_sum_in_the_text_and_0_where_none_is() -> None:
    sums = re.compile(r"[$€£](\d+)|eur (\d+)|(\d+) (?:dollars|euros|pounds|usd)\b")
    for item in filter(plain, items()):
        found = {int("".join(each)) for each in sums.findall(item.prompt.casefold())}
        assert found == ({item.gold["amount"]} if item.gold["amount"] else set()), item


@pytest.mark.parametrize(
    ("intent", "cues", "amount", "priority", "escalate"),
    [
        ("refund", "", 0, "normal", False),
        ("refund", "", 499, "normal", False),
        ("refund", "", 500, "high", False),
        ("refund", "", 1000, "high", True),
        ("refund", "deadline", 1000, "urgent", True),
        ("refund", "calm", 20, "low", False),
        ("billing", "", 50, "low", False),
        ("billing", "calm", 0, "low", False),
        ("billing", "legal", 50, "high", True),
        ("billing", "outage", 50, "normal", False),
        ("bug", "", 0, "high", False),
        ("bug", "", 4000, "high", False),
        ("bug", "deadline", 0, "urgent", False),
        ("bug", "calm", 0, "normal", False),
        ("bug", "outage", 0, "urgent", True),
        ("account", "", 0, "normal", False),
        ("account", "security", 0, "urgent", True),
        ("account", "repeat", 0, "normal", True),
        ("other", "", 0, "low", False),
        ("other", "deadline repeat", 0, "normal", True),
    ],
)
def test_the_labels_follow_the_guide(
    intent: str, cues: str, amount: int, priority: str, escalate: bool
) -> None:
    assert label(intent, cues.split(), amount) == {
        "intent": intent,
        "priority": priority,
        "escalate": escalate,
        "amount": amount,
    }


@pytest.mark.parametrize("name", ["tickets", "tickets-hand"])
def test_gold_is_the_label_of_what_is_tagged(name: str) -> None:
    for item in items(name):
        gold = item.gold
        assert gold == label(gold["intent"], tag(item, "cue"), gold["amount"]), item


def test_a_tenth_is_ambiguous_with_gold_from_the_stated_law() -> None:
    doubtful = [item for item in items() if item.law]
    assert doubtful == [item for item in items() if "ambiguous" in item.tags]
    assert len(doubtful) == 250
    assert sum(item.split == "test" for item in doubtful) == 50
    for item in doubtful:
        answers = [json.loads(text) for text, _ in item.law]
        assert sum(p for _, p in item.law) == pytest.approx(1, abs=1e-12)
        assert all(p > 0 for _, p in item.law)
        assert item.gold in answers
        assert all(map(Draft202012Validator(SETS["tickets"].schema).is_valid, answers))
        assert len({answer["intent"] for answer in answers}) == len(answers) == 2


def test_the_readings_are_drawn_as_often_as_the_law_says() -> None:
    for kind, doubt in DOUBTS.items():
        drawn = Counter(
            item.gold["intent"]
            for item in items()
            if tag(item, "template")[0].rpartition("-")[0] == kind
        )
        assert set(drawn) == set(doubt.readings)
        assert sum(doubt.readings.values()) == pytest.approx(1)
        for intent, share in doubt.readings.items():
            spread = sqrt(drawn.total() * share * (1 - share))
            assert abs(drawn[intent] - drawn.total() * share) < 3.5 * spread


def test_in_doubt_the_fields_move_together() -> None:
    """The product of the marginals of intent and priority is far from the joint law: two answers
    that differ in both fields, p and 1 - p, are 2p(1 - p) in total variation from independence."""
    laws = [
        {(gold["intent"], gold["priority"]): p for gold, p in answers}
        for answers in ([(json.loads(text), p) for text, p in item.law] for item in items())
        if answers
    ]
    distances = []
    for law in laws:
        marginals = [Counter[str](), Counter[str]()]
        for pair, p in law.items():
            for marginal, value in zip(marginals, pair, strict=True):
                marginal[value] += p  # type: ignore[assignment]
        product = {(a, b): p * q for a, p in marginals[0].items() for b, q in marginals[1].items()}
        distances.append(sum(abs(law.get(each, 0) - product[each]) for each in product) / 2)
    assert sum(distance > 0.4 for distance in distances) >= len(laws) / 2


def test_no_ticket_by_hand_is_among_the_generated_ones() -> None:
    by_hand = {item.prompt.casefold() for item in items("tickets-hand")}
    assert not by_hand & {item.prompt.casefold() for item in items()}
    assert min(Counter(item.gold["intent"] for item in items("tickets-hand")).values()) >= 10


def test_tickets_come_without_a_hint_in_their_order() -> None:
    """Within a split the order says nothing: the first hundred hold every intent."""
    for split in ("train", "test"):
        part = [item for item in items() if item.split == split]
        assert set(Counter(item.gold["intent"] for item in part[:100])) == set(INTENTS)
        assert len({tag(item, "template")[0] for item in part[:100]}) >= 15
    assert [item.id for item in items()] == [f"ticket-{at:04}" for at in range(1, 2501)]
