"""The built-in prompt sets: what they hold, that their gold values are right, and that they repeat."""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from playground.constraints.bytes_vocabulary import BYTES
from playground.constraints.compile import compile_constraint
from playground.constraints.spec import ConstraintSpec
from playground.schema.asking import accepts
from playground.study.items import INPUT, SETS, Item
from playground.study.prompts import contracts, sentiment, words
from playground.study.prompts.base import MONTHS, occurs, spellings
from playground.study.prompts.grammar import HOLE

ROOT = Path(__file__).parents[2]
COUNTS = {
    "tickets": 2500,
    "tickets-hand": 100,
    "invoices": 100,
    "contracts": 100,
    "sentiment": 100,
    "contacts": 100,
    "reasoning": 200,
}
NAMES = tuple(SETS)


def items(name: str) -> tuple[Item, ...]:
    return SETS[name].make()


def tag(item: Item, kind: str) -> list[str]:
    """The values of the tags `kind:value`."""
    return [each.removeprefix(f"{kind}:") for each in item.tags if each.startswith(f"{kind}:")]


def valid(answer: Any, schema: Any) -> bool:
    return bool(jsonschema.Draft202012Validator(schema).is_valid(answer))


# every set


def test_the_sets_and_their_sizes() -> None:
    assert {name: len(items(name)) for name in NAMES} == COUNTS


@pytest.mark.parametrize("name", NAMES)
def test_ids_and_prompts_are_distinct_and_the_items_are_cached(name: str) -> None:
    made = items(name)
    assert len({item.id for item in made}) == len({item.prompt for item in made}) == len(made)
    assert items(name) is made
    assert all(item.prompt == item.prompt.strip() for item in made)
    assert not any(HOLE.search(item.prompt.replace("{{first_name}}", "")) for item in made)


@pytest.mark.parametrize("name", NAMES)
def test_gold_is_an_answer_of_the_schema_with_its_keys_in_order(name: str) -> None:
    schema = SETS[name].schema
    jsonschema.Draft202012Validator.check_schema(schema)
    for item in items(name):
        assert valid(item.gold, schema), item
        assert list(item.gold) == list(schema["properties"])


@pytest.mark.parametrize("name", NAMES)
def test_the_mask_of_the_schema_lets_every_gold_answer_through(name: str) -> None:
    for schema in (SETS[name].schema, *SETS[name].variants.values()):
        spec = ConstraintSpec(kind="schema", source=json.dumps(schema))
        compiled = compile_constraint(spec, BYTES)
        assert {note.level for note in compiled.report.notes} <= {"info"}
        if schema is SETS[name].schema:
            for gold in {json.dumps(item.gold, ensure_ascii=False) for item in items(name)}:
                assert accepts(compiled.automaton, gold.encode()), gold


@pytest.mark.parametrize("name", NAMES)
def test_the_instruction_names_every_field_and_takes_the_text_once(name: str) -> None:
    instruction = SETS[name].instruction
    assert instruction.count(INPUT) == 1
    assert not set("{}") & set(instruction.replace(INPUT, ""))
    for field in SETS[name].schema["properties"]:
        assert re.search(rf"\b{field}\b", instruction), field
    item = items(name)[0]
    assert SETS[name].ask(item) == instruction.replace(INPUT, item.prompt)


@pytest.mark.parametrize("name", NAMES)
def test_grounded_gold_values_occur_in_the_text_and_others_are_noticed(name: str) -> None:
    built = SETS[name]
    for item in items(name):
        assert built.ungrounded(item, item.gold) == (), item
    strange = {"number": 4321.25, "integer": 4321, "string": "1899-12-31"}
    for pointer in built.grounded:
        kind = built.schema["properties"][pointer[1:]]["type"]
        wrong = strange[kind if isinstance(kind, str) else kind[0]]
        item = items(name)[0]
        assert built.ungrounded(item, {**item.gold, pointer[1:]: wrong}) == (pointer,)


REPRINT = """
import hashlib, time
from playground.study.items import SETS
from playground.study.prompts import contacts, contracts, invoices, reasoning, sentiment, tickets, tickets_hand
made = (contacts, contracts, invoices, reasoning, sentiment, tickets, tickets_hand)
assert not any(each.items.cache_info().currsize for each in made), "made at import"
start = time.process_time()
text = "\\n".join(item.model_dump_json() for item in SETS["tickets"].make())
assert time.process_time() - start < 1, "too slow"
text += "\\n".join(item.model_dump_json() for each in SETS.values() for item in each.make())
print(hashlib.sha256(text.encode()).hexdigest())
"""


def test_the_sets_are_lazy_quick_and_the_same_in_every_process() -> None:
    def digest(seed: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", REPRINT],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert digest("1") == digest("2")


# what occurs in a text


@pytest.mark.parametrize(
    ("value", "text", "there"),
    [
        (1240.5, "in all €1,240.50.", True),
        (1240, "no. 12405", False),
        (240, "1,240 dollars", False),
        (12, "12,5", True),
        (1240, "1,24055", False),
        (-5, "it was -5 outside", True),
        (-5, "pages 3-5", False),
        (5, "pages 3-5", True),
        (0, "20", False),
        ("Ada Lee", "from ada\n lee.", True),
        ("Ada", "Adams", False),
        ("3.2", "13.2 and 3.21", False),
        ("3.2", "see 3.2.", True),
        ("", "anything", False),
        ("2024-03-05", "the 5th day of March 2024", True),
        ("2024-03-05", "5 Mar 2024", True),
        ("2024-03-05", "15 March 2024", False),
        ("2024-13-45", "2024-13-45", True),
        ("20240305", "call 20240305", True),
        ("(a+b)*", "is (a+b)* regular?", True),
        (True, "true", False),
        (["a", {"b": 7}], "a 7", True),
        (["a", "c"], "a 7", False),
    ],
)
def test_what_occurs(value: Any, text: str, there: bool) -> None:
    assert occurs(value, text) is there


def test_no_spelling_of_a_date_reads_as_another_day() -> None:
    days = [date(2023, 1, 1) + timedelta(days=count) for count in range(800)]
    day_of = {form: day for day in days for form in spellings(day)}
    assert all(day_of[form] == day for day in days for form in spellings(day))
    for day in days:
        assert occurs(day.isoformat(), f"On {spellings(day)[-1]}, so")
        other = (day + timedelta(days=1)).isoformat()
        assert not any(occurs(other, form) for form in spellings(day))


# the other sets


def test_an_invoice_adds_up_and_its_lines_are_counted() -> None:
    line = re.compile(r"(\d+) [A-Za-z ]+ at \D{0,4}([\d,]+\.\d\d)(?: SEK)?: \D{0,4}([\d,]+\.\d\d)")
    for item in items("invoices"):
        lines = [
            (int(count), *(round(float(sum_.replace(",", "")) * 100) for sum_ in sums))
            for count, *sums in line.findall(item.prompt)
        ]
        assert len(lines) == item.gold["line_items"], item
        assert all(count * price == cents for count, price, cents in lines)
        assert round(item.gold["total"] * 100) == sum(cents for *_, cents in lines)
        mark = {"EUR": "€", "USD": "US$", "GBP": "£"}.get(item.gold["currency"])
        assert (mark or item.gold["currency"]) in item.prompt
    assert set(Counter(item.gold["currency"] for item in items("invoices"))) == {
        "EUR", "USD", "GBP", "CHF", "SEK", "PLN",
    }  # fmt: skip


MONTH = "|".join(f"{month}|{month[:3]}" for month in MONTHS)
YEAR = re.compile(rf"\b20\d\d-\d\d-\d\d\b|\b(?:{MONTH})\b.* 20\d\d\b|-(?:{MONTH})-20\d\d\b")
"""A date, by its year."""


def test_an_invoice_without_a_date_names_no_day() -> None:
    undated = [item for item in items("invoices") if item.gold["date"] is None]
    assert 15 <= len(undated) <= 35
    for item in items("invoices"):
        named = YEAR.search(item.prompt)
        assert bool(named) == (item.gold["date"] is not None), item


def test_contracts_miss_dates_often_and_say_so_in_the_gold() -> None:
    def stem(sentences: Any) -> list[str]:
        return [each.split("{day}")[0] for each in sentences]

    starts, ends = stem(contracts.STARTS), stem(contracts.ENDS)
    tempting = 0
    for item in items("contracts"):
        gold = item.gold
        assert any(each in item.prompt for each in starts) == (gold["effective_date"] is not None)
        assert any(each in item.prompt for each in ends) == (gold["termination_date"] is not None)
        assert item.prompt.index(gold["party_a"]) < item.prompt.index(gold["party_b"])
        tempting += gold["termination_date"] is None and bool(YEAR.search(item.prompt))
    missing = Counter(
        name for item in items("contracts") for name, value in item.gold.items() if value is None
    )
    assert 10 <= missing["effective_date"] <= 35
    assert 40 <= missing["termination_date"] <= 65
    assert tempting >= 25


def test_the_clause_is_the_one_that_carries_the_risk() -> None:
    assert min(Counter(item.gold["risk"] for item in items("contracts")).values()) >= 33
    for item in items("contracts"):
        clauses = dict(re.findall(r"^(\d\.\d) (.+)$", item.prompt, re.MULTILINE))
        text = clauses[item.gold["clause"]]
        weighty = [
            each.format(a=item.gold["party_a"], b=item.gold["party_b"])
            for each in contracts.WEIGHTY[item.gold["risk"]]
        ]
        assert text in weighty
        assert 3 <= len(clauses) <= 5


def test_the_variants_of_contracts() -> None:
    variants = SETS["contracts"].variants
    for item in items("contracts"):
        assert valid(item.gold, variants["strict-dates"]) == (None not in item.gold.values())
    part = {name: items("contracts")[0].gold[name] for name in ("risk", "clause")}
    assert valid(part, variants["risk"])
    first, last = variants["risk-reasoning-first"], variants["risk-reasoning-last"]
    assert list(first["properties"]) == ["reasoning", "risk", "clause"]
    assert list(last["properties"]) == ["risk", "clause", "reasoning"]
    assert not valid(part, first)
    item = items("contracts")[0]
    hint = SETS["contracts"].hints["missing"]
    assert hint not in SETS["contracts"].ask(item)
    assert SETS["contracts"].ask(item, "missing").index(hint) < SETS["contracts"].ask(
        item, "missing"
    ).index(item.prompt)


def test_sentiment_is_balanced_and_often_mixed() -> None:
    made = items("sentiment")
    assert min(Counter(item.gold["sentiment"] for item in made).values()) >= 30
    mixed = [item for item in made if "mixed" in item.tags]
    assert 35 <= len(mixed) <= 55
    wins, losses = sentiment.RULES["win"], sentiment.RULES["loss"]
    for item in mixed:
        verdict = item.gold["sentiment"]
        assert any(each in item.prompt for each in wins) == (verdict == "positive"), item
        assert any(each in item.prompt for each in losses) == (verdict == "negative"), item


def test_contacts_miss_what_is_null() -> None:
    for item in items("contacts"):
        assert ("555-01" in item.prompt or " 496 " in item.prompt or " 7946 " in item.prompt) == (
            item.gold["phone"] is not None
        )
        assert item.prompt.count("@") == 1
    missing = Counter(
        name for item in items("contacts") for name, value in item.gold.items() if value is None
    )
    assert set(missing) == {"phone", "company"}
    assert min(missing.values()) >= 25


def evaluated(text: str) -> int:
    """The end of an arithmetic story, read sentence by sentence."""
    have = 0
    for sentence in re.split(r"(?<=[.?])\s", text):
        number = int((re.findall(r"\d+", sentence) or [0])[0])
        if re.search(r" has | There are \d| starts ", f" {sentence}") and not have:
            have = number
        elif "buys" in sentence or "brings" in sentence:
            have += number
        elif "away" in sentence or "lost" in sentence or "sells" in sentence:
            have -= number
        elif "times as many" in sentence:
            have *= number
        elif "bags" in sentence or "share" in sentence:
            assert have % number == 0
            have //= number
    return have


def test_arithmetic_answers_are_right() -> None:
    made = [item for item in items("reasoning") if "arithmetic" in item.tags]
    assert len(made) == 100
    for item in made:
        assert item.gold == {"final_answer": str(evaluated(item.prompt))}, item
        assert 1 <= int(item.gold["final_answer"]) <= 200
    operations = Counter(tag(item, "operations")[0] for item in made)
    assert set(operations) == {"1", "2", "3"}
    assert min(operations.values()) >= 30


def test_two_hop_answers_follow_from_two_of_the_facts() -> None:
    made = [item for item in items("reasoning") if "two-hop" in item.tags]
    assert len(made) == 100
    link = {
        "river": (r"{who} lives in (\w+)\.", r"river in {middle} is called ([\w ]+)\."),
        "boat": (r"{who} sails on the ([\w ]+)\.", r"The {middle} is painted (\w+)\."),
        "teacher": (r"{who} is taught by (M[rs]+ \w+)\.", r"{middle} plays the (\w+)\."),
        "office": (r"{who} works in the (\w+) team\.", r"The {middle} team sits on floor (\d+)\."),
        "dog": (r"The dog of {who} is (\w+)\.", r"{middle} was born in (\d+)\."),
    }
    for item in made:
        first, second = link[tag(item, "about")[0]]
        question = re.split(r"(?<=\.)\s", item.prompt)[-1]
        known = [name for name in words.FIRST if re.search(first.format(who=name), item.prompt)]
        (who,) = [name for name in known if f" {name} " in question.replace("?", " ")]
        (middle,) = re.findall(first.format(who=who), item.prompt)
        assert [item.gold["final_answer"]] == re.findall(second.format(middle=middle), item.prompt)
        assert middle not in question


def test_the_variants_of_reasoning_share_the_answer() -> None:
    built = SETS["reasoning"]
    assert built.schema == built.variants["answer-only"]
    scratchpad = built.variants["scratchpad"]["properties"]
    assert list(scratchpad) == ["reasoning", "final_answer"]
    assert scratchpad["final_answer"] == built.schema["properties"]["final_answer"]
    assert not valid({"final_answer": "x" * 21}, built.schema)
