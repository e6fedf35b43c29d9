"""The arms of experiments: what their masks allow, and how their answers are read."""

import json

import pytest

from playground.constraints.bytes_vocabulary import BYTES
from playground.constraints.compile import compile_constraint
from playground.constraints.spec import ConstraintSpec
from playground.experiments import dynamic_keys, field_order, nesting, reasoning, whitespace
from playground.experiments.base import Bench, Stopped, perform
from playground.experiments.cities import items as cities
from playground.experiments.registry import EXPERIMENTS
from playground.schema.verdict import mask_verdict


def arms_of(bench, name, monkeypatch):
    """The specs of an experiment's arms, and the fields that it asks for."""
    seen = {}

    def caught(bench, arms, fields=None):
        seen.update(arms=arms, fields=fields)
        raise Stopped
        yield

    module = __import__(EXPERIMENTS[name].run.__module__, fromlist=["_run"])
    for function in ("answers", "laws_of"):
        if hasattr(module, function):
            monkeypatch.setattr(module, function, caught)
    assert not list(perform(EXPERIMENTS[name], bench))
    return seen["arms"], seen["fields"]


def verdict_of(playground, spec, text):
    compiled = compile_constraint(
        spec.constraint, BYTES, cache=playground.cache, limits=playground.limits
    )
    return mask_verdict(compiled.automaton, text)["status"]


LAWS = ("risk-law", "null-option", "enum-order", "enum-spelling", "descriptions")


@pytest.mark.parametrize("name", LAWS)
def test_every_option_of_an_exact_law_can_be_written(playground, bench, name, monkeypatch) -> None:
    arms, fields = arms_of(bench, name, monkeypatch)
    for arm, spec in arms.items():
        for asked in fields[arm]:
            for field in asked:
                for option in field.options:
                    if (name, arm[:7], option) == ("null-option", "no null", "null"):
                        continue
                    verdict = verdict_of(playground, spec, f"{field.before} {option}")
                    assert verdict == "incomplete", (arm, option)


def gold_text(name, arm, item) -> str:
    """A right answer to `item`, as `arm` writes it."""
    gold = dict(item.gold)
    match name:
        case "field-order":
            gold = {"risk": gold["risk"], "clause": gold["clause"]}
            gold = {
                "first": {"reasoning": "So."} | gold,
                "last": gold | {"reasoning": "So."},
                "absent": gold,
            }[arm]
        case "nesting" if arm == "three levels":
            reach = {"email": gold["email"], "phone": gold["phone"]}
            card = {"name": gold["name"], "reach": reach, "company": gold["company"]}
            gold = {"card": card}
        case "dynamic-keys" if arm == "flat array":
            gold = [{"city": city, "count": count} for city, count in gold.items()]
        case "whitespace" if arm == "none":
            return json.dumps(gold, separators=(",", ":"))
        case "whitespace" if arm in ("flexible", "unbounded"):
            return json.dumps(gold, indent=6 if arm == "flexible" else 20)
        case "reasoning" if arm == "scratchpad":
            gold = {"reasoning": "So."} | gold
        case "reasoning" if arm == "free":
            return f"So it is clear. The answer is: **{gold['final_answer']}**.\n"
    return json.dumps(gold)


@pytest.mark.parametrize("name", [name for name in EXPERIMENTS if name not in LAWS])
def test_every_gold_answer_can_be_written_and_counts_as_right(
    playground, bench, name, monkeypatch
) -> None:
    whole = Bench(bench.studies, "bytes", EXPERIMENTS[name].n, 0)
    arms, _ = arms_of(whole, name, monkeypatch)
    for arm, spec in arms.items():
        for item in spec.items:
            text = gold_text(name, arm, item)
            assert verdict_of(playground, spec, text) == "valid", (arm, item.id)
            match name:
                case "field-order":
                    assert field_order.risk_of(text) == item.gold["risk"]
                case "nesting":
                    assert nesting.leaves(json.loads(text)) == item.gold
                case "dynamic-keys":
                    assert dynamic_keys.pairs(text) == list(item.gold.items())
                case "reasoning" if arm == "free":
                    assert reasoning.read_free(text) == item.gold["final_answer"]


def test_the_regex_with_free_blanks_has_the_amounts_of_the_schema(playground, bench) -> None:
    spec = bench.spec(cities()[:1], "{input}", whitespace.TICKETS.schema)
    regex = ConstraintSpec(kind="regex", source=whitespace.ticket_regex(" ?"))
    free = spec.model_copy(update={"constraint": regex})
    gold = {"intent": "bug", "priority": "low", "escalate": True}
    for amount in (0, 7, 10, 999, 1000, 4999, 5000, 5001, -1, 10000):
        text = json.dumps({**gold, "amount": amount})
        assert verdict_of(playground, free, text) == verdict_of(playground, spec, text), amount


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("So 3 + 4 = 7.", "7"),
        ("The answer is 12. Wait, the answer is: 13.\nBye 5", "13"),
        ("The answer is the flute, oh.\nThe answer is **20 pencils**.", "20"),
        ("The answer is: the “Little Tarn”.", "Little Tarn"),
        ("The answer is:\n\n9 of 10\n11", "9"),
        ("So the answer is", "is"),
        ("It must be the harp.", "harp"),
        ("", ""),
    ],
)
def test_the_rule_that_reads_free_answers(text, answer) -> None:
    assert reasoning.read_free(text) == answer


def test_a_risk_is_read_from_its_own_key_alone() -> None:
    assert field_order.risk_of('{"risk":"high", "clause": "2.') == "high"
    assert (
        field_order.risk_of(r'{"reasoning": "the \"risk\": \"low\" is", "risk": "high"') == "high"
    )
    assert field_order.risk_of('{"reasoning": "all is well') is None


def test_a_city_that_is_named_twice_is_seen_as_no_mask_forbids_it(playground, bench) -> None:
    for arm, text in (
        ("dynamic keys", '{"Oslo": 1, "Oslo": 2}'),
        ("flat array", '[{"city": "Oslo", "count": 1}, {"city": "Oslo", "count": 2}]'),
    ):
        spec = bench.spec(cities()[:1], "{input}", dynamic_keys.SCHEMAS[arm])
        assert verdict_of(playground, spec, text) == "valid"
        assert dynamic_keys.pairs(text) == [("Oslo", 1), ("Oslo", 2)]
    assert dynamic_keys.pairs('{"Oslo": 1, "Oslo": 2}') == [("Oslo", 1), ("Oslo", 2)]
    assert dynamic_keys.pairs("none") == []
