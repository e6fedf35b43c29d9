"""The recommendation: by the rule, within the budget, each reason with its numbers."""

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.study.levels import Budget
from playground.study.readings import rate
from playground.study.reasons import percent
from playground.study.recommend import Recommendation, more_prompts, recommend, side_of
from playground.study.row import Category, Row
from playground.study.summary import summarise
from tests.study.rows import row, spec

GOLD = {"a": True}


def rows_of(method: str, **counts: int) -> list[Row]:
    """So many rows of each category, one a prompt."""
    kinds = [kind for kind, count in counts.items() for _ in range(count)]
    return [row(index, method, kind) for index, kind in enumerate(kinds)]  # type: ignore[arg-type]


def advised(
    rows: list[Row], *methods: str, budget: Budget | None = None, gold: Any = None, **fields: Any
) -> Recommendation:
    """The recommendation of a study with these rows."""
    return recommend(summarise(spec([gold] * 400, *methods, **fields), rows), budget)


def said(found: Recommendation, words: str) -> list[dict[str, float]]:
    """The numbers of the reasons that hold `words`."""
    return [reason.numbers for reason in found.reasons if words in reason.text]


@pytest.mark.parametrize(
    ("valid", "choice"), [(95, "parallel"), (85, "undecided"), (75, "undecided"), (60, "constrain")]
)
def test_the_rule_reads_the_whole_interval(valid: int, choice: str) -> None:
    found = advised(rows_of("ask", valid=valid, invalid=100 - valid), "ask")
    assert found.choice == choice
    (numbers,) = said(found, "q: ")
    assert (numbers["count"], numbers["n"]) == (valid, 100)
    assert found.q is not None
    assert (numbers["lower"], numbers["upper"]) == (found.q.lower, found.q.upper)
    assert ("more prompts" in numbers) == (choice == "undecided")


def test_without_unconstrained_outputs_nothing_is_decided() -> None:
    found = advised(rows_of("strict", valid=50), "strict")
    assert (found.choice, found.q, found.more_prompts) == ("undecided", None, None)
    assert said(found, "Add ask") == [{"outputs": 0}]


@pytest.mark.parametrize(("count", "n"), [(9, 10), (45, 50), (7, 10), (17, 20), (39, 50)])
def test_prompts_more_are_the_fewest_that_decide(count: int, n: int) -> None:
    """By brute force over the totals at which the share is a whole count."""
    more, share = more_prompts(rate(count, n)), count / n
    assert more is not None
    totals = (total for total in range(n, 10_000) if share * total == round(share * total))
    decided = next(t for t in totals if side_of(rate(round(share * t), t)) != "undecided")
    before = max(t for t in range(n, decided) if share * t == round(share * t))
    assert before < n + more <= decided


@pytest.mark.parametrize(("count", "n"), [(8, 10), (80, 100), (0, 0), (95, 100), (100, 100)])
def test_no_prompts_are_asked_for_where_none_would_help(count: int, n: int) -> None:
    assert more_prompts(rate(count, n)) is None


def test_a_share_within_a_hair_of_the_threshold_asks_for_no_million() -> None:
    assert more_prompts(rate(80_001, 100_000)) is None


def test_samples_side_by_side_are_reckoned_from_the_interval_and_measured() -> None:
    rows = [*rows_of("ask", valid=95, invalid=5), *rows_of("parallel-3", valid=97, invalid=3)]
    found = advised(rows, "ask", "parallel-3")
    (reckoned,) = said(found, "If q were the same")
    assert found.q is not None
    assert found.q.lower is not None
    assert reckoned["lower"] == pytest.approx(1 - (1 - found.q.lower) ** 3)
    (measured,) = said(found, "Measured, parallel-3")
    assert (measured["count"], measured["n"]) == (97, 100)


def test_latency_rules_out_retries_in_words_and_numbers() -> None:
    rows = [row(index, "ask", "valid", steps=40) for index in range(100)]
    found = advised(rows, "ask", budget=Budget(ms=1500))
    (numbers,) = said(found, "latency rules out retries")
    assert numbers == {"steps": 40, "attempt ms": 1000, "budget ms": 1500, "fit": 1}
    assert found.choice == "parallel"
    assert said(advised(rows, "ask", budget=Budget(ms=2000)), "2 attempts fit")
    assert not said(advised(rows, "ask"), "attempts fit")


def test_what_does_not_fit_gives_way() -> None:
    ask = [row(index, "ask", "valid", steps=40) for index in range(100)]
    strict = [row(index, "strict", "valid", steps=10) for index in range(100)]
    slow = advised(ask + strict, "ask", "strict", budget=Budget(ms=500))
    assert slow.choice == "constrain"
    assert said(slow, "side by side, each") == [{"ms": 1000, "budget ms": 500}]
    assert advised(ask + strict, "ask", "strict", budget=Budget(ms=100)).choice == "none"
    few = advised(ask, "ask", budget=Budget(calls=2))
    assert few.choice == "constrain"
    assert said(few, "calls") == [{"calls": 3, "budget calls": 2}]
    assert advised(ask, "ask", budget=Budget(ms=500)).choice == "none"


def contrasted(both: int, worse: int, better: int) -> list[Row]:
    """ask valid at a third of the prompts; strict and parallel-3 right at `both`, parallel-3 alone
    at `worse`, strict alone at `better`."""
    right: list[tuple[Category, Category]] = [("right", "right")] * both
    right += [("wrong", "right")] * worse + [("right", "wrong")] * better
    out = []
    for index, (strict, parallel) in enumerate(right):
        out.append(row(index, "ask", "invalid" if index % 3 else "right"))
        out += [row(index, "strict", strict), row(index, "parallel-3", parallel)]
    return out


@pytest.mark.parametrize(
    "methods", [("ask", "strict", "parallel-3"), ("parallel-3", "strict", "ask")]
)
def test_where_constrained_answers_are_worse_it_is_cars(methods: tuple[str, ...]) -> None:
    found = advised(contrasted(80, 18, 2), *methods, gold=GOLD)
    assert found.choice == "cars"
    (numbers,) = said(found, "how often they are right differs")
    assert (numbers["only constrained"], numbers["only conditional"]) == (2, 18)
    assert numbers["p"] == pytest.approx(2 * (1 + 20 + 190) / 2**20)
    better = advised(contrasted(80, 2, 18), *methods, gold=GOLD)
    assert better.choice == "constrain"
    assert said(better, "how often they are right differs")


def test_a_difference_that_chance_may_leave_decides_nothing() -> None:
    found = advised(contrasted(90, 7, 3), "ask", "strict", "parallel-3", gold=GOLD)
    assert found.choice == "constrain"
    assert said(found, "not significant")


def test_cars_takes_several_attempts_so_latency_may_rule_it_out() -> None:
    rows = contrasted(80, 18, 2)
    one_attempt = Budget(ms=300)  # 10 steps are 250 ms
    found = advised(rows, "ask", "strict", "parallel-3", gold=GOLD, budget=one_attempt)
    assert found.choice == "constrain"
    assert said(found, "cars: exact draws from p_V by rejection that learns takes")
    measured = [row(index, "cars", "right", steps=11) for index in range(100)]
    fast = advised(
        [*rows, *measured], "ask", "strict", "cars", "parallel-3", gold=GOLD, budget=one_attempt
    )
    assert fast.choice == "cars"


def test_several_tests_ask_for_more() -> None:
    """p = .039 of one test is significant, of one of two it isn't."""
    alone = contrasted(90, 8, 1)
    assert advised(alone, "ask", "strict", "parallel-3", gold=GOLD).choice == "cars"
    again = [
        each.model_copy(update={"method": "rejection"})
        for each in alone
        if each.method == "parallel-3"
    ]
    two = advised([*alone, *again], "ask", "strict", "parallel-3", "rejection", gold=GOLD)
    assert two.choice == "constrain"
    assert len(said(two, "one of 2 tests")) == 2


def test_json_mode_asks_for_the_schema_check() -> None:
    rows = [
        row(index, "json-mode", "invalid" if index < 4 else "valid", in_syntax=True)
        for index in range(10)
    ]
    found = advised(rows, "json-mode")
    assert said(found, "add the schema check") == [{"JSON": 10, "schema": 6, "n": 10}]
    assert not said(advised(rows_of("ask", valid=10), "ask"), "schema check")


def test_valid_is_not_right() -> None:
    found = advised(rows_of("ask", right=30, wrong=10, invalid=60), "ask", gold=GOLD)
    (numbers,) = said(found, "Valid is not right")
    assert (numbers["count"], numbers["n"]) == (30, 40)
    assert said(advised(rows_of("ask", valid=10), "ask"), "isn't known") == [{"gold": 0}]


def test_the_alarm_is_a_reason() -> None:
    rows = rows_of("ask", valid=40)
    rows += [row(index, "strict", "valid", log_p=-40.0) for index in range(40)]
    assert said(advised(rows, "ask", "strict"), "nats a token") == [{"nats a token": 2.0, "n": 40}]


def test_few_prompts_are_said_to_be_few() -> None:
    assert said(advised(rows_of("ask", valid=29), "ask"), "only 29 prompts")
    assert not said(advised(rows_of("ask", valid=30), "ask"), "only")


KINDS = st.sampled_from(["right", "wrong", "invalid", "truncated"])
LABELS = ("ask", "strict", "parallel-3", "cars", "json-mode", "retry")


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(*[KINDS] * len(LABELS)), max_size=40),
    st.sampled_from([None, 100.0, 400.0, 1e4]),
)
def test_no_reason_stands_without_its_numbers(
    table: list[tuple[Any, ...]], ms: float | None
) -> None:
    rows = [
        row(index, label, kind)
        for index, kinds in enumerate(table)
        for label, kind in zip(LABELS, kinds, strict=True)
    ]
    found = advised(rows, *LABELS, gold=GOLD, budget=Budget(ms=ms))
    json.dumps(found.model_dump(mode="json"), allow_nan=False)
    assert found.reasons
    for reason in found.reasons:
        assert reason.numbers
        assert re.search(r"\d", reason.text)
        for name in {"count", "n", "tests"} & reason.numbers.keys():
            assert f"{reason.numbers[name]:.0f}" in reason.text or name == "tests"
    if ms == 100.0:
        assert found.choice in ("none", "undecided")


@pytest.mark.parametrize(
    ("share", "words"),
    [(0.0, "0 %"), (1.0, "100 %"), (0.873, "87.3 %"), (0.9996, "99.96 %"), (0.00004, "0.004 %")],
)
def test_only_nothing_reads_as_nothing_and_all_as_all(share: float, words: str) -> None:
    assert percent(share) == words
