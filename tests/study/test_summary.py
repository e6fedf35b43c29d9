"""A study's rows summed up: worked by hand, whatever order they come in."""

import json
import random
from typing import Any

import pytest
from scipy.stats import beta

from playground.study.items import SETS
from playground.study.method_summary import MethodSummary
from playground.study.pairs import delivered
from playground.study.row import CATEGORIES, Row
from playground.study.spec import StudySpec
from playground.study.summary import MANY_DRAWS, ONE_DRAW, Summary, in_order, summarise
from tests.study.rows import row, spec

GOLD = {"a": True}


def one(study: StudySpec, rows: list[Row], method: str = "ask") -> MethodSummary:
    """The column of one method."""
    return next(each for each in summarise(study, rows).methods if each.label == method)


def strict_json(summary: Summary) -> Any:
    """It, through JSON without nan and infinities."""
    return json.loads(json.dumps(summary.model_dump(mode="json"), allow_nan=False))


FIVE = spec([GOLD] * 4 + [None], "ask", "strict", "parallel-3")
ASKED = [
    row(0, "ask", "right"),
    row(1, "ask", "wrong", tokens=30),
    row(2, "ask", "invalid", failure="preamble", in_salvaged=True, text='Sure: {"a": 1}'),
    row(3, "ask", "truncated"),
    row(4, "ask", "valid"),
]
STRICT = [row(index, "strict", "wrong") for index in range(4)] + [row(4, "strict", "valid")]
PARALLEL = [
    row(0, "parallel-3", "right", text='{"a": 2}'),
    row(1, "parallel-3", "right", text='{ "a" : 1.0 }'),
    row(2, "parallel-3", "invalid"),
    row(4, "parallel-3", "valid", text='{"a": 3}'),
]
ALL = [*ASKED, *STRICT, *PARALLEL]


def test_a_column_by_hand() -> None:
    found = one(FIVE, ALL)
    assert (found.prompts, found.draws, found.small, found.level) == (5, 5, True, "1")
    assert (found.valid.count, found.valid.n) == (3, 5)
    assert {kind: each.count for kind, each in found.categories.items()} == {
        "right": 1,
        "wrong": 1,
        "valid": 1,
        "invalid": 1,
        "truncated": 1,
        "gave_up": 0,
    }
    assert found.valid.lower == pytest.approx(beta.ppf(0.025, 3, 3))
    assert found.valid.upper == pytest.approx(beta.ppf(0.975, 4, 2))
    assert (found.right.count, found.right.n) == (1, 4)
    assert (found.right_when_valid.count, found.right_when_valid.n) == (1, 2)
    assert (found.tokens.total, found.tokens.mean) == (70, 14)
    assert found.tokens.per_valid == pytest.approx(70 / 3)
    assert found.bits.n == 0
    assert found.mean_log_p.mean == -2
    assert found.by_prompt == ()


def test_every_v_is_counted_whatever_the_label_is_judged_by() -> None:
    found = one(FIVE, ALL)
    counts = {judge: each.count for judge, each in found.by_judge.items() if each}
    assert counts == {"language": 3, "schema": 3, "salvaged": 4, "syntax": 3}
    without = [each.model_copy(update={"in_schema": None, "in_salvaged": None}) for each in ASKED]
    bare = one(FIVE, without)
    assert bare.by_judge["schema"] is bare.by_judge["salvaged"] is None


@pytest.mark.parametrize(
    ("method", "fields", "judge"),
    [
        ("ask", {}, "schema"),
        ("retry", {}, "salvaged"),
        ("prefill", {}, "salvaged"),
        ("retry", {"salvage": False}, "schema"),
        ("strict", {"valid": "language"}, "language"),
    ],
)
def test_the_v_of_a_label_is_named(method: str, fields: dict[str, Any], judge: str) -> None:
    study = spec([None], method, **fields)
    assert one(study, [row(0, method, "valid")], method).judge == judge
    assert judge in summarise(study, []).judges


def test_without_a_schema_nothing_is_salvaged() -> None:
    study = spec([None], "retry", valid="language")
    bare = row(0, "retry", "valid", in_schema=None, in_salvaged=None)
    assert one(study, [bare], "retry").judge == "language"


def test_fields_count_invalid_outputs_as_wrong() -> None:
    study = spec([{"a": 1, "b": 2}, {"a": 1}, {"a": 1, "b": 2}, 7], "ask")
    rows = [
        row(0, "ask", "wrong", fields={"a": True, "b": False}),
        row(1, "ask", "right", fields={"a": True}),
        row(2, "ask", "invalid"),
        row(3, "ask", "wrong", fields={"": False}),
    ]
    fields = one(study, rows).fields
    counts = {
        name: (each.of_valid.count, each.of_valid.n, each.of_all.count, each.of_all.n)
        for name, each in fields.items()
    }
    assert counts == {"a": (2, 2, 2, 3), "b": (0, 1, 0, 2), "": (0, 1, 0, 1)}


def test_gold_answers_of_a_built_in_set_are_found_by_id() -> None:
    study = StudySpec(prompts="builtin:tickets-hand", n=2, methods=("ask",), split="all")
    item = SETS["tickets-hand"].make()[1]
    found = one(study, [row(1, "ask", "invalid", item=item.id)])
    assert set(found.fields) == set(item.gold)
    assert all(each.of_all.n == 1 for each in found.fields.values())
    assert summarise(study, []).expected == 2


def test_pointers_that_are_always_grounded_are_listed_too() -> None:
    study = StudySpec(prompts="builtin:invoices", n=2, methods=("ask",), split="all")
    pointers = SETS["invoices"].grounded
    rows = [
        row(0, "ask", "valid", ungrounded=(pointers[0],)),
        row(1, "ask", "valid", ungrounded=()),
    ]
    found = one(study, rows).ungrounded
    assert list(found) == list(pointers)
    assert [(each.count, each.n) for each in found.values()][:2] == [(1, 2), (0, 2)]


def test_failures_are_counted_and_a_refused_one_is_the_example() -> None:
    study = spec([None] * 5, "retry")
    rows = [
        row(0, "retry", "valid", failure="preamble"),
        row(1, "retry", "invalid", failure="preamble"),
        row(2, "retry", "invalid", failure="preamble"),
        row(3, "retry", "invalid", failure="schema"),
        row(4, "retry", "invalid", failure=None),
    ]
    found = one(study, rows, "retry")
    said = [(each.name, each.count, each.refused, each.example.index) for each in found.failures]
    assert said == [("preamble", 3, 2, 1), ("schema", 1, 1, 3)]
    assert found.unclassed == 1


def test_p_yes_and_the_alarm_are_scored_on_valid_answers() -> None:
    study = spec([GOLD] * 5, "ask")
    rows = [
        row(0, "ask", "right", p_yes=0.9, log_p=-10.0),
        row(1, "ask", "right", p_yes=0.4, log_p=-30.0),
        row(2, "ask", "wrong", p_yes=0.5, log_p=-20.0),
        row(3, "ask", "wrong", p_yes=0.1, log_p=-40.0),
        row(4, "ask", "invalid", log_p=-1.0),
    ]
    found = one(study, rows)
    assert (found.yes_right.mean, found.yes_wrong.mean) == (pytest.approx(0.65), 0.3)
    # Of the four pairs all but one are in order: .4 < .5, and -3 < -2 nats a token.
    assert (found.yes_auc.value, found.log_p_auc.value) == (0.75, 0.75)
    assert "2 of each" in one(study, rows[:3]).log_p_auc.why


def test_pairs_by_hand() -> None:
    pairs = {(pair.a, pair.b): pair for pair in summarise(FIVE, ALL).pairs}
    assert list(pairs) == [("ask", "strict"), ("ask", "parallel-3"), ("strict", "parallel-3")]
    found = pairs[("strict", "parallel-3")]
    assert (found.valid.n, found.valid.only_a, found.valid.only_b) == (4, 1, 0)
    assert (found.right.n, found.right.only_a, found.right.only_b) == (3, 0, 2)
    assert (found.right_when_valid.n, found.right_when_valid.only_b) == (2, 2)
    assert found.right.difference == pytest.approx(-2 / 3)


def test_disagreements_are_of_values_not_of_spellings() -> None:
    (found,) = summarise(FIVE, ALL).disagreements
    assert (found.constrained, found.conditional) == ("strict", "parallel-3")
    assert (found.share.count, found.share.n) == (2, 3)
    first, last = found.listed
    assert (first.index, first.item, first.constrained_right, first.conditional_right) == (
        0,
        "i0",
        False,
        True,
    )
    assert first.conditional.model_dump() == {"index": 0, "method": "parallel-3", "draw": 0}
    assert (last.index, last.constrained_right) == (4, None)


@pytest.mark.parametrize(
    ("text", "other", "same"),
    [
        ('{"a": 1, "b": 2}', '{"b":2.0,"a":1}', True),
        ('```json\n{"a": 1}\n```', '{"a": 1}', True),
        ('{"a": true}', '{"a": 1}', False),
        ('{"a": "1"}', '{"a": 1}', False),
        ('{"a": 1e999}', '{"a": 2}', False),
        ("[1, 2]", "[2, 1]", False),
    ],
)
def test_what_is_delivered_is_a_value(text: str, other: str, same: bool) -> None:
    a, b = (row(0, "ask", "valid", text=each) for each in (text, other))
    assert (delivered(a) == delivered(b)) == same
    bare = row(0, "ask", "valid", text=" 1", in_schema=None)
    assert delivered(bare) == " 1"


def test_the_alarm_compares_the_same_prompts() -> None:
    rows = [
        row(0, "ask", "valid", log_p=-10.0),
        row(1, "ask", "valid", log_p=-10.0),
        row(2, "ask", "valid", log_p=-500.0),
        row(0, "strict", "valid", log_p=-20.0),
        row(1, "strict", "valid", log_p=-30.0),
        row(2, "strict", "valid", log_p=None),
    ]
    (found,) = summarise(spec([None] * 3, "ask", "strict"), rows).alarms
    assert (found.drop.n, found.drop.mean, found.raised) == (2, 1.5, True)
    (silent,) = summarise(spec([None] * 3, "ask", "strict"), rows[:3]).alarms
    assert (silent.drop.n, silent.raised) == (0, None)


def several(valid: list[list[bool]], method: str = "ask") -> list[Row]:
    """Rows of the draws at each prompt."""
    return [
        row(index, method, "valid" if ok else "invalid", draw)
        for index, draws in enumerate(valid)
        for draw, ok in enumerate(draws)
    ]


def test_several_draws_count_in_rates_and_one_in_q() -> None:
    study = spec([None] * 3, "ask", draws=2)
    rows = several([[True, False], [True, True], [False, True]])
    found = summarise(study, rows)
    assert (found.methods[0].valid.count, found.methods[0].valid.n) == (4, 6)
    assert found.q is not None
    assert (found.q.rate.count, found.q.rate.n, found.q.judge) == (2, 3, "schema")
    assert [(e.valid, e.draws, e.prompts) for e in found.methods[0].by_prompt] == [
        (1, 2, 2),
        (2, 2, 1),
    ]
    assert found.covers == MANY_DRAWS
    assert summarise(spec([None], "ask"), []).covers == ONE_DRAW


@pytest.mark.parametrize(("method", "claims"), [("ask", True), ("asap", False), ("cars", False)])
def test_draws_that_hang_together_claim_no_interval(method: str, claims: bool) -> None:
    study = spec([None] * 2, method, draws=2)
    twice = several([[True, True], [True, False]], method)
    assert (one(study, twice, method).valid.lower is not None) == claims
    once = [each for each in twice if each.draw == 0]
    assert one(study, once, method).valid.lower is not None


def test_a_method_that_seeks_a_valid_output_is_judged_by_the_one_it_found() -> None:
    study = spec([GOLD], "strict", "cars")
    rows = [
        row(0, "strict", "wrong"),
        row(0, "cars", "invalid", 0),
        row(0, "cars", "right", 1),
        row(0, "cars", "wrong", 2),
    ]
    found = summarise(study, rows)
    assert (found.pairs[0].right.only_b, found.pairs[0].right.n) == (1, 1)
    assert found.disagreements[0].share.n == 1
    assert found.methods[1].steps.per_valid == 15


def test_q_is_of_what_is_unconstrained() -> None:
    study = spec([None] * 2, "strict", "rejection", "ask")
    rejected = [row(index, "rejection", "invalid") for index in range(2)]
    found = summarise(study, [*rejected, row(0, "ask", "valid"), row(0, "strict", "valid")]).q
    assert found is not None
    assert (found.label, found.rate.n) == ("ask", 1)
    fallback = summarise(study, rejected).q
    assert fallback is not None
    assert fallback.label == "rejection"
    assert summarise(study, [row(0, "strict", "valid")]).q is None


def test_what_was_bounded_is_averaged_over_prompts() -> None:
    bounded: dict[str, Any] = {"z": (0.1, 0.2), "tv": (0.0, 0.5)}
    rows = [
        row(0, "strict", "valid", squeeze=(1.0, 2.0), **bounded),
        row(1, "strict", "valid", squeeze=(-3.0, -1.0), z=(0.3, 0.6)),
        row(2, "strict", "valid", squeeze=(-1.0, 1.0)),
    ]
    found = summarise(spec([None] * 3, "strict"), rows)
    assert found.z is not None
    assert (found.z.n, found.z.lower, found.z.upper) == (2, pytest.approx(0.2), pytest.approx(0.4))
    assert found.tv is not None
    assert (found.tv.n, found.tv.upper) == (1, 0.5)
    squeeze = found.methods[0].squeeze
    assert squeeze is not None
    assert (squeeze.mean.lower, squeeze.above, squeeze.below) == (-1.0, 1, 1)


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_rows_and_rows_that_come_twice_change_nothing(seed: int) -> None:
    mixed = [*ALL, *ALL[:7]]
    random.Random(seed).shuffle(mixed)
    assert summarise(FIVE, mixed) == summarise(FIVE, ALL)
    assert strict_json(summarise(FIVE, mixed)) == strict_json(summarise(FIVE, ALL))


def test_rows_are_ordered_by_prompt_then_as_the_study_names_its_methods_then_by_draw() -> None:
    study = spec([None] * 2, "strict", "ask", draws=2)
    places = [(i, m, d) for i in range(2) for m in ("strict", "ask") for d in range(2)]
    rows = [row(index, method, "valid", draw) for index, method, draw in places]
    found = in_order(study, rows[::-1])
    assert [(each.index, each.method, each.draw) for each in found] == places


def test_rows_are_expected_of_the_prompts_that_there_are() -> None:
    methods = ("ask", "strict", "parallel-3")
    assert summarise(StudySpec(n=2_500, methods=methods), []).expected == 500 * 3
    assert summarise(StudySpec(n=20, methods=methods, draws=2), []).expected == 20 * 3 * 2
    assert summarise(StudySpec(prompts="builtin:none", methods=methods), []).expected == 0


def test_every_draw_is_in_one_category() -> None:
    for found in summarise(FIVE, ALL).methods:
        assert set(found.categories) == set(CATEGORIES)
        assert sum(each.count for each in found.categories.values()) == found.draws


def test_rows_of_another_study_are_refused() -> None:
    with pytest.raises(ValueError, match="no method 'retry'"):
        summarise(FIVE, [row(0, "retry", "valid")])
    with pytest.raises(ValueError, match="two different rows"):
        summarise(FIVE, [row(0, "ask", "valid"), row(0, "ask", "invalid")])


def test_no_rows_make_an_empty_summary() -> None:
    found = summarise(FIVE, [])
    assert (found.prompts, found.rows, found.expected, found.small) == (0, 0, 15, True)
    assert (found.q, found.pairs, found.z, found.tv) == (None, (), None, None)
    assert all(each.valid.value is None and each.failures == () for each in found.methods)
    assert strict_json(found)["methods"][0]["draws"] == 0


@pytest.mark.parametrize("category", CATEGORIES)
def test_outputs_all_of_one_kind_are_summed_up(category: Any) -> None:
    gold = None if category == "valid" else GOLD
    study = spec([gold] * 40, "ask", "strict", "parallel-3")
    rows = [row(index, name, category) for index in range(40) for name in study.methods]
    found = summarise(study, rows)
    valid = category in ("right", "wrong", "valid")
    for each in found.methods:
        assert not each.small
        assert each.valid.value == float(valid)
        assert each.valid.lower == pytest.approx(0.025 ** (1 / 40) if valid else 0)
        assert each.tokens.per_valid == (10 if valid else None)
        assert each.log_p_auc.value is None
    assert all(pair.valid.p == 1 for pair in found.pairs)
    assert found.disagreements[0].share.n == (40 if valid else 0)
    strict_json(found)


def test_a_summary_comes_back_from_its_json() -> None:
    found = summarise(FIVE, ALL)
    assert Summary.model_validate_json(found.model_dump_json()) == found
