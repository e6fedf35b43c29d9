"""Experiments: their laws by hand, their statistics by hand-made counts, each of them run whole."""

import json
from itertools import product

import numpy as np
import pytest

from playground.cli import main
from playground.constraints.bytes_vocabulary import BYTES
from playground.constraints.compile import compile_constraint
from playground.constraints.spec import ConstraintSpec
from playground.decoding.masses import MassTree
from playground.errors import InvalidInput
from playground.exact.search import Budget, search
from playground.experiments import dynamic_keys, field_order, nesting, reasoning, whitespace
from playground.experiments.base import MOST, Bench, Stopped, perform
from playground.experiments.cities import items as cities
from playground.experiments.finding import difference, number, seen
from playground.experiments.laws import Field, field_laws, tv
from playground.experiments.registry import EXPERIMENTS
from playground.experiments.statistics import distances, paired_means, paired_rates, proved, rate
from playground.models.base import Provenance
from playground.models.rows import RowStore
from playground.models.toyspec import EOS, Rule, ToySpec
from playground.problem import ProblemSpec
from playground.schema.verdict import mask_verdict
from playground.session import Playground
from playground.settings import Settings
from playground.studies import Studies
from playground.study.prompts.base import closed
from playground.vocabulary import Vocabulary


class ByteModel:
    """A language model over bytes with an arbitrary fixed law of the last three."""

    def __init__(self) -> None:
        self.vocabulary = Vocabulary(
            (*(bytes([byte]) for byte in range(256)), None), frozenset({256}), {256: "<end>"}
        )
        self.provenance = Provenance("bytes", "0", "float32", "live")
        self.context = 8192

    def logits(self, prefixes):
        return np.stack([self._row(tuple(prefix)[-3:]) for prefix in prefixes])

    @staticmethod
    def _row(last):
        return np.random.default_rng([1, *last]).normal(0, 2, 257).astype(np.float32)

    def render(self, prompt, chat):
        return tuple(prompt.encode())

    def encode(self, text):
        return tuple(text.encode())


@pytest.fixture(scope="module")
def playground(tmp_path_factory):
    return Playground(Settings(cache=tmp_path_factory.mktemp("cache")))


@pytest.fixture(scope="module")
def bench(playground):
    model, before = ByteModel(), playground.hub.get
    playground.hub.get = lambda name: model if name == "bytes" else before(name)
    return Bench(Studies(playground), "bytes", 3, 0)


# --- the law of a field


WEIGHT = {"risk": {"enum": ["low", "high"]}}
LEAN = ToySpec(
    name="lean",
    tokens=(
        '{"risk":', '{"reasoning":', ', "risk":', ', "reasoning":', ' "low"', ' "high"', ' "', "low",
        "hi", "gh", '"', ' "ok"', ' "bad"', "}",
    ),
    rules=(
        Rule(prefix=(), p={'{"risk":': 0.5, '{"reasoning":': 0.5}),
        Rule(last='{"reasoning":', p={' "ok"': 0.5, ' "bad"': 0.5}),
        Rule(prefix=('{"reasoning":', ' "ok"', ', "risk":'), p={' "low"': 0.9, ' "high"': 0.1}),
        Rule(prefix=('{"reasoning":', ' "bad"', ', "risk":'), p={' "low"': 0.2, ' "high"': 0.8}),
        Rule(
            last='{"risk":',
            p={' "low"': 0.30, ' "high"': 0.10, ' "': 0.20, ' "ok"': 0.25, "}": 0.15},
        ),
        Rule(last=' "', p={"low": 0.25, "hi": 0.75}),
        Rule(last="hi", p={"gh": 1}),
        Rule(last="low", p={'"': 1}),
        Rule(last="gh", p={'"': 1}),
        Rule(prefix=('{"risk":', ' "low"', ', "reasoning":'), p={' "ok"': 0.9, ' "bad"': 0.1}),
        Rule(last=', "reasoning":', p={' "ok"': 0.3, ' "bad"': 0.7}),
        Rule(last=' "ok"', p={"}": 0.5, ', "risk":': 0.5}),
        Rule(last=' "bad"', p={"}": 0.5, ', "risk":': 0.5}),
        Rule(last="}", p={EOS: 1}),
        Rule(p={"}": 0.5, ', "reasoning":': 0.5}),
    ),
)  # fmt: skip
"""It would like a low risk after a good reasoning, and a good reasoning after a low risk."""
LOW, HIGH = options = ('"low"', '"high"')


def lean_problem(playground, text, first):
    said = {"reasoning": {"const": text}}
    schema = closed(**said, **WEIGHT) if first else closed(**WEIGHT, **said)
    constraint = ConstraintSpec(kind="schema", source=json.dumps(schema))
    return playground.open(ProblemSpec(toy=LEAN, constraint=constraint)).problem


def lean_law(playground, text, first):
    before = f'{{"reasoning": "{text}", "risk":' if first else '{"risk":'
    asked = [(lean_problem(playground, text, first), Field(before, options))]
    return field_laws(asked, RowStore(2**20))[0]


def marginal(playground, text, first, law):
    """The share of low risks among all whole texts, by the search that proves."""
    *_, found = search(MassTree(lean_problem(playground, text, first)), Budget(tolerance=0.0))
    assert found.status == "exact"
    masses = [(LOW in each.text.decode(), getattr(each, law).middle) for each in found.texts]
    return sum(mass for low, mass in masses if low) / sum(mass for _, mass in masses)


def test_the_law_of_a_field_sums_its_spellings_as_calculated_by_hand(playground) -> None:
    law = lean_law(playground, "ok", first=False)
    assert law[LOW] == pytest.approx((0.30 + 0.20 * 0.25) / 0.60, abs=1e-12)
    assert law[HIGH] == pytest.approx((0.10 + 0.20 * 0.75) / 0.60, abs=1e-12)


def test_a_reasoning_written_last_leaves_the_risk_alone_and_one_written_first_does_not(
    playground,
) -> None:
    last = [lean_law(playground, text, first=False) for text in ("ok", "bad")]
    first = [lean_law(playground, text, first=True) for text in ("ok", "bad")]
    assert last[0] == pytest.approx(last[1], abs=1e-12)
    assert tv(list(first[0].values()), list(first[1].values())) == pytest.approx(0.7, abs=1e-12)


def test_the_law_of_a_field_is_the_marginal_of_the_whole_masked_law(playground) -> None:
    for text, first in product(("ok", "bad"), (True, False)):
        law = lean_law(playground, text, first)
        assert law[LOW] == pytest.approx(marginal(playground, text, first, "masked"), abs=1e-9)


def test_keeping_finished_answers_by_their_last_reasoning_is_another_law(playground) -> None:
    kept = [marginal(playground, text, False, "conditional") for text in ("ok", "bad")]
    assert kept[0] > kept[1] + 0.3


def test_a_beginning_that_the_constraint_forbids_is_refused(playground) -> None:
    problem = lean_problem(playground, "ok", first=False)
    with pytest.raises(InvalidInput, match="doesn't allow"):
        field_laws([(problem, Field('{"reasoning":', options))], RowStore(2**20))


def test_an_option_is_chosen_once_no_other_is_left() -> None:
    field = Field("{", ('"low"', '"long"', "null"))
    assert [field.chosen(text) for text in ("", ' "', '"lo', '"low', " n", '"long", ')] == [
        None, None, None, '"low"', "null", '"long"',
    ]  # fmt: skip
    with pytest.raises(ValueError, match="none of"):
        field.chosen("x")


# --- statistics


def hits(both: int, first: int, second: int, neither: int) -> tuple[list[bool], list[bool]]:
    counts = (
        (True, True, both),
        (True, False, first),
        (False, True, second),
        (False, False, neither),
    )
    rows = [(a, b) for a, b, count in counts for _ in range(count)]
    return [a for a, _ in rows], [b for _, b in rows]


@pytest.mark.parametrize(
    ("table", "p", "significant"),
    [
        ((5, 8, 0, 7), 2 / 2**8, True),
        ((5, 0, 8, 7), 2 / 2**8, True),
        ((5, 5, 0, 10), 2 / 2**5, False),
        ((9, 4, 4, 3), 1.0, False),
        ((10, 0, 0, 10), 1.0, False),
    ],
)
def test_mcnemar_by_hand(table, p, significant) -> None:
    effect = paired_rates("x", *hits(*table))
    assert effect.p_value == pytest.approx(p)
    assert effect.value == pytest.approx((table[1] - table[2]) / sum(table))
    assert effect.significant is significant
    assert effect.lower <= effect.value <= effect.upper
    assert not (significant and effect.lower <= 0 <= effect.upper)


def test_nothing_that_differs_at_few_prompts_still_leaves_much_open() -> None:
    effect = paired_rates("x", *hits(2, 0, 0, 3))
    assert effect.upper == pytest.approx(-effect.lower)
    assert effect.upper > 0.4


def test_the_permutation_test_by_hand_and_the_seed_of_the_bootstrap() -> None:
    first, second = [1.0, 2, 3, 4, 5, 6, 7, 7], [0.0, 1, 2, 3, 4, 5, 6, 7]
    effect = paired_means("x", first, second, "tokens", "estimated", 4)
    assert effect.p_value == pytest.approx(2 / 2**7), "a prompt without a difference tells nothing"
    assert effect.significant
    assert effect == paired_means("x", first, second, "tokens", "estimated", 4)
    assert "seed 4" in effect.interval
    few = paired_means("x", first[:5], second[:5], "tokens", "estimated", 0)
    assert few.lower > 0
    assert few.p_value == pytest.approx(2 / 2**5)
    assert not few.significant, "five prompts of one sign may be chance: 1 in 16"
    # 1 + 2 + 4 - 3: of the 16 sums of +-1 +-2 +-3 +-4 ten are at least 4 away from 0.
    mixed = paired_means("x", [1.0, 2, 4, 0], [0.0, 0, 0, 3], "tokens", "estimated", 0)
    assert mixed.p_value == pytest.approx(10 / 16)
    assert paired_means("x", [1.0] * 9, [1.0] * 9, "tokens", "estimated", 0).p_value == 1


def test_many_prompts_are_tested_by_sampled_swaps_that_agree_with_all_of_them() -> None:
    rng = np.random.default_rng(3)
    values = rng.integers(-3, 5, size=40).astype(float)
    sampled = paired_means("x", values, np.zeros(40), "tokens", "estimated", 0)
    law = np.array([1.0])  # of the sum of swapped values: a convolution of two-point laws
    for value in np.abs(values[values != 0]).astype(int):
        step = np.zeros(2 * value + 1)
        step[[0, -1]] = 0.5
        law = np.convolve(law, step)
    sums = np.arange(len(law)) - len(law) // 2
    exact = law[np.abs(sums) >= abs(values.sum())].sum()
    assert 0.001 < exact < 0.5
    assert sampled.p_value == pytest.approx(exact, abs=4 * np.sqrt(exact / 10_000))


def test_arms_of_different_prompts_are_refused() -> None:
    with pytest.raises(ValueError, match="paired"):
        paired_rates("x", [True], [True, False])
    with pytest.raises(ValueError, match="paired"):
        paired_means("x", [], [], "share", "exact", 0)
    with pytest.raises(ValueError, match="no prompts"):
        distances("x", [], 0.0, 0)


def test_a_distance_is_told_from_the_error_of_the_arithmetic() -> None:
    assert not distances("x", [1e-4, 2e-4], 1e-3, 0).significant
    assert distances("x", [1e-4, 0.02], 1e-3, 0).significant


def test_a_sentence_says_plainly_that_nothing_was_seen() -> None:
    nothing = paired_rates("Right answers", *hits(10, 2, 1, 7))
    assert "no effect was seen with n = 20" in seen(nothing, 20, "smollm2")
    assert "135M" in seen(nothing, 20, "smollm2")
    assert "135M" not in seen(nothing, 20, "other")
    something = paired_rates("Right answers", *hits(10, 9, 0, 1))
    assert "+45.0 points" in seen(something, 20, "smollm2")
    assert "no effect" not in seen(something, 20, "smollm2")
    assert "every model, as it is a set" in seen(proved("TV", [0.0, 0.0], "it is a set"), 2, "x")
    assert "every model" not in seen(proved("TV", [0.0, 0.1], "it is a set"), 2, "x")
    assert rate("x", []).value is None


def test_prompts_too_few_for_the_test_are_said_to_be_too_few() -> None:
    few = paired_means("Tokens", [3.0, 7.0, 9.0, 9.0], [0.0] * 4, "tokens", "estimated", 0)
    assert few.lower > 0
    assert few.p_value == 0.125, "of 4 prompts no p-value is below 1/8"
    said = seen(few, 4, "smollm2")
    assert "too few prompts to tell with n = 4" in said
    assert "p = 0.12" in said
    assert "no effect" not in said


def test_small_numbers_are_not_shown_as_nothing() -> None:
    tiny = paired_means("x", [0.00002] * 8, [0.0] * 8, "share", "exact", 0)
    assert difference(tiny) == "+0.002 points [+0.002, +0.002]"
    assert number(0.00004, "share") == "0.004 %"
    assert number(0.0004, "TV") == "4.0e-04"
    assert number(0.0, "TV") == "0.000"


# --- each experiment


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_each_experiment_ends_in_a_finding_of_strict_json(bench, name) -> None:
    stages = list(perform(EXPERIMENTS[name], bench))
    assert [stage.finding is None for stage in stages] == [True] * (len(stages) - 1) + [False]
    dones = [stage.share.done for stage in stages]
    assert dones == sorted(dones)
    assert stages[-1].share == (3, 3)
    finding = stages[-1].finding
    document = json.loads(finding.model_dump_json())
    assert json.dumps(document, allow_nan=False)
    assert finding.n == 3
    assert f"experiment {name} --n 3 --seed 0" in finding.command
    assert len(finding.arms) >= 2
    for effect in (finding.effect, *finding.also):
        assert effect.lower <= effect.value <= effect.upper
        assert (effect.value == 0 and not effect.significant) or not effect.proof
    assert any("n = 3" in sentence for sentence in finding.sentences)


def test_the_same_seed_finds_the_same(bench) -> None:
    def found():
        *_, last = perform(EXPERIMENTS["whitespace"], bench)
        return last.finding.model_copy(update={"seconds": 0.0})

    assert found() == found()


@pytest.mark.parametrize("name", ["risk-law", "schema-shown"])
def test_stop_ends_an_experiment_without_a_finding(bench, name) -> None:
    asked = []

    def cancelled() -> bool:
        asked.append(1)
        return len(asked) > 3

    stages = list(perform(EXPERIMENTS[name], Bench(bench.studies, "bytes", 20, 0, cancelled)))
    assert all(stage.finding is None for stage in stages)
    assert stages[-1].share.done < 20


@pytest.mark.parametrize("n", [0, MOST + 1])
def test_a_number_of_prompts_out_of_range_is_refused(bench, n) -> None:
    with pytest.raises(InvalidInput, match=str(n)):
        next(perform(EXPERIMENTS["nesting"], Bench(bench.studies, "bytes", n, 0)))


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


# --- the command


def test_the_command_lists_what_there_is_and_refuses_what_there_is_not(capsys) -> None:
    assert main(["experiment", "list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["experiments"]
    assert [each["name"] for each in listed] == list(EXPERIMENTS)
    assert main(["experiment", "list"]) == 0
    assert "43.1 %" in capsys.readouterr().out
    assert main(["experiment", "nothing"]) == 2
    assert "no experiment called 'nothing'" in capsys.readouterr().err
