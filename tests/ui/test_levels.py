"""The Levels screen: its arithmetic, what it runs, and where it says that an output goes wrong."""

import json
import math
import re
import threading
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from playground.constraints.bytes_vocabulary import BYTES
from playground.constraints.compile import compile_constraint
from playground.constraints.spec import ConstraintSpec
from playground.decoding.sampling import Sampling
from playground.errors import InvalidInput, ModelUnavailable
from playground.exact.estimates import acceptance
from playground.exact.interval import Interval
from playground.judge import accept_of
from playground.models.toyspec import EOS, Rule, ToySpec
from playground.models.turns import Turns
from playground.problem import ProblemSpec
from playground.session import Playground
from playground.settings import Settings
from playground.study import levels as maths
from playground.study.classes import CLASSES, classify
from playground.ui import levels_run
from playground.ui.levels_offence import offence
from playground.ui.levels_run import groups, levels_documents
from playground.ui.levels_study import first_problem, levels_spec, prepared, study_spec

TABLE = Path(__file__).parents[1] / "js" / "levels_table.json"
AGE = '{"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}'
BRACED = ToySpec(
    name="two-step",
    title="With a brace",
    note="",
    tokens=("{", '"a"', ":", "1", "}", "Sure: "),
    rules=(
        Rule(prefix=(), p={"{": 0.5, "Sure: ": 0.5}),
        Rule(last="Sure: ", p={"{": 1}),
        Rule(last="{", p={'"a"': 1}),
        Rule(last='"a"', p={":": 1}),
        Rule(last=":", p={"1": 1}),
        Rule(last="1", p={"}": 1}),
        Rule(p={EOS: 1}),
    ),
    constraint_kind="schema",
    constraint_source=AGE,
)
"""A toy that writes a preamble half of the time, and valid JSON after a brace."""


# The arithmetic, here and in the browser


def printed(value: Any) -> Any:
    """A result as the table holds it: JSON has no infinity."""
    if isinstance(value, Interval):
        return {"lower": printed(value.lower), "upper": printed(value.upper)}
    if isinstance(value, float) and math.isinf(value):
        return "inf"
    return value


def planned(q: Interval, steps: float, budget: maths.Budget, **more: Any) -> list[Any]:
    keep = ("level", "valid", "mean_calls", "most_calls", "mean_ms", "most_ms", "fits")
    return [
        {name: printed(getattr(plan, name)) for name in keep}
        for plan in maths.plans(q, steps, budget, **more)
    ]


def table() -> dict[str, list[list[Any]]]:
    """Name of a function -> [arguments, result] of each case."""
    rates = (0.0, 1e-9, 0.05, 0.5, 0.91, 0.99, 1.0)
    q, wide = Interval.point(0.91), Interval(0.0, 0.265)
    plans = [
        (q, 40.0, maths.Budget(1500.0, 3), {}),
        (q, 40.0, maths.Budget(1500.0, 2, 25.0, 130.0), {"attempts": 2}),
        (wide, 6.04, maths.Budget(None, None, 0.02, 0.1), {"attempts": 5}),
        (
            wide,
            64.0,
            maths.Budget(10.0, None),
            {"prefilled": Interval(0.2, 0.7), "constrained": Interval(0.735, 1.0)},
        ),
        (Interval.point(1.0), 40.0, maths.Budget(3000.0, None), {"attempts": 3}),
    ]
    return {
        "fewerFailures": [
            [[a, b], printed(maths.fewer_failures(a, b))] for a in rates for b in rates
        ],
        "latency": [
            [list(each), maths.latency(*each)] for each in ((40, 25, 0), (6.5, 254.1, 1708))
        ],
        "expectedAttempts": [[[q], printed(maths.expected_attempts(q))] for q in rates],
        "someValid": [[[q, n], maths.some_valid(q, n)] for q in rates for n in (0, 1, 3, 32)],
        "meanAttempts": [[[q, n], maths.mean_attempts(q, n)] for q in rates for n in (1, 3, 32)],
        "attemptsFor": [
            [[q, chance], printed(maths.attempts_for(q, chance))]
            for q in rates
            for chance in (0.0, 0.5, 0.99, 0.999999)
        ],
        "attemptsThatFit": [
            [list(each), maths.attempts_that_fit(*each)]
            for each in (
                (1000.0, 1500.0, None),
                (1000.0, 3000.0, 2),
                (1000.0, 999.0, 3),
                (40 * 0.1, 4.0, None),
                (1000.0, None, None),
                (0.0, 5.0, None),
            )
        ],
        "reliability": [
            [[printed(r), n], printed(maths.reliability(r, n))]
            for r in (Interval.point(0.99), Interval(0.735, 1.0))
            for n in (0, 1, 20, 50)
        ],
        "plans": [
            [
                [
                    printed(q),
                    steps,
                    asdict(budget),
                    {name: printed(value) for name, value in more.items()},
                ],
                planned(q, steps, budget, **more),
            ]
            for q, steps, budget, more in plans
        ],
    }


def test_the_table_that_the_browsers_arithmetic_is_held_to_is_pythons() -> None:
    """To print it anew: `python -m tests.ui.test_levels`."""
    # Through text, as the file was: tuples and lists are one there.
    assert json.loads(TABLE.read_text()) == json.loads(json.dumps(table()))


def test_the_textbooks_ladder_is_nine_times_fewer_then_none() -> None:
    first, second, third = maths.ladder()
    assert [round(1000 * rung.failing) for rung in (first, second, third)] == [90, 10, 0]
    assert second.fewer == pytest.approx(9)
    assert third.fewer == math.inf


# Where an output goes wrong


@pytest.mark.parametrize(
    ("failure", "text", "place"),
    [
        ("markdown-fence", '```json\n{"a": 1}\n```', "```json\n"),
        ("markdown-fence", '```json\n{"a": ', "```json\n"),
        ("preamble", 'Sure! {"a": 1}', "Sure! "),
        ("postscript", '{"a": 1} There you are.', "There you are."),
        ("several-objects", '{"a": 1} {"a": 2}', '{"a": 2}'),
        ("trailing-comma", '{"a": 1, }', ", }"),
        ("trailing-comma", '{"a": [1,]}', ",]"),
        ("single-quotes", "{'a': 1}", "'"),
        ("comment", '{"a": // one\n1}', "//"),
        ("mismatched-brackets", '{"a": 1]', "]"),
        ("truncated", '{"a": 1', ""),
        ("schema", '{"a": "é", "b": 1}', '"'),
        ("schema", '{"b": 1}', "b"),
        ("other", '{"a": Nope}', "N"),
        ("other", "", ""),
    ],
)
def test_an_output_is_cut_at_the_place_that_is_to_blame(
    failure: str, text: str, place: str
) -> None:
    spec = ConstraintSpec(kind="schema", source=AGE)
    accept = accept_of(spec, "schema")
    assert accept.judge is not None
    valid = lambda value: accept.judge(json.dumps(value))  # noqa: E731
    assert classify(text, truncated=failure == "truncated", valid=valid) == failure
    automaton = compile_constraint(spec, BYTES).automaton
    found = offence(text, failure, "invalid", automaton, accept.why)
    assert found["place"] == place
    assert found["before"] + found["place"] + found["after"] == text
    assert found["message"].endswith(".")
    assert not found["cut"]


def test_every_class_has_a_place_in_the_test_above() -> None:
    mark = test_an_output_is_cut_at_the_place_that_is_to_blame.pytestmark[0]
    assert {case[0] for case in mark.args[1]} == set(CLASSES)


def test_a_long_output_is_shown_around_its_place() -> None:
    automaton = compile_constraint(ConstraintSpec(kind="regex", source="a*"), BYTES).automaton
    found = offence("a" * 5000 + "b" + "a" * 5000, None, "invalid", automaton, None)
    assert found["place"] == "b"
    assert found["cut"]
    assert len(found["before"]) == len(found["after"]) == 600
    cut = offence("aaa", None, "truncated", automaton, None)
    assert (cut["before"], cut["place"], cut["after"]) == ("aaa", "", "")


# What is run


@pytest.fixture(scope="module")
def playground() -> Playground:
    return Playground(Settings.from_env())


def problem(name: str = "two-step", source: str = "(A|B)x", **more: Any) -> ProblemSpec:
    kind = more.pop("kind", "regex")
    return ProblemSpec(
        model=f"toy:{name}", constraint=ConstraintSpec(kind=kind, source=source), **more
    )


def documents(playground: Playground, rail: ProblemSpec, **asked: Any) -> list[dict[str, Any]]:
    spec = study_spec(playground, levels_spec(asked), rail)
    opened = playground.open(first_problem(spec, rail))
    found = list(levels_documents(playground, spec, opened, lambda: False, Turns()))
    json.dumps(found, allow_nan=False)
    return found


def level(document: dict[str, Any], name: str) -> dict[str, Any]:
    return next(each for each in document["levels"] if each["level"] == name)


def counts(document: dict[str, Any], name: str) -> tuple[int, int]:
    valid = level(document, name)["summary"]["valid"]
    return valid["count"], valid["n"]


def test_the_levels_of_a_toy_keep_what_each_promises(playground: Playground) -> None:
    *partial, last = documents(playground, problem(), n=48)
    assert last["done"]
    assert not last["stopped"]
    assert [each["drawn"] for each in partial] == [0, 8, 16, 24, 32, 40]
    assert counts(last, "3") == (48, 48)  # by construction
    asked, retried = counts(last, "1"), counts(last, "2")
    # The first attempt of a retry is the very run that asking makes.
    assert asked[0] <= retried[0]
    spent = level(last, "2")["summary"]["attempts"]
    assert 48 <= spent["total"] <= 3 * 48
    assert spent["total"] >= 48 + (48 - asked[0])  # each refused first attempt was made again
    found = acceptance(*asked)
    assert found is not None
    valid = level(last, "1")["summary"]["valid"]
    assert (valid["lower"], valid["upper"]) == (found.interval.lower, found.interval.upper)
    assert level(last, "1")["failures"][0]["count"] == 48 - asked[0]
    assert "begins with {" in level(last, "1.5")["off"]
    assert level(last, "1.5")["summary"] is None


def test_draws_at_one_prompt_differ_and_come_again(playground: Playground) -> None:
    once = documents(playground, problem("binary-len-5-0", "00000|1[01]{4}"), n=30)[-1]
    again = documents(playground, problem("binary-len-5-0", "00000|1[01]{4}"), n=30)[-1]
    assert once["levels"] == again["levels"]
    # Half of the draws are valid: all alike would give 0 or 30.
    assert 0 < counts(once, "1")[0] < 30


def test_the_brace_given_removes_a_preamble(playground: Playground) -> None:
    rail = problem("two-step", AGE, kind="schema", toy=BRACED)
    last = documents(playground, rail, n=24, attempts=1)[-1]
    assert counts(last, "1.5") == (24, 24)
    assert level(last, "1.5")["failures"] == []
    (failure,) = level(last, "1")["failures"]
    assert (failure["name"], failure["refused"]) == ("preamble", failure["count"])
    assert counts(last, "1")[0] == 24 - failure["count"]
    assert failure["example"]["place"] == "Sure: "
    # Level 2 is judged after salvage, and asks here but once.
    assert counts(last, "2") == (24, 24)
    assert level(last, "2")["failures"][0]["refused"] == 0


def test_every_invalid_output_has_one_class_and_every_class_an_example(
    playground: Playground,
) -> None:
    *rules, ends = BRACED.rules
    rules = [rule for rule in rules if rule.last != "1"]
    unclosed = Rule(last="1", p={"}": 0.5, EOS: 0.5})
    toy = BRACED.model_copy(update={"rules": (*rules, unclosed, ends)})
    rail = problem("two-step", AGE, kind="schema", toy=toy)
    last = documents(playground, rail, n=48, attempts=1)[-1]
    failures = level(last, "1")["failures"]
    assert {each["name"] for each in failures} == {"preamble", "mismatched-brackets"}
    valid, n = counts(last, "1")
    assert sum(each["refused"] for each in failures) == n - valid
    for each in failures:
        shown = each["example"]
        text = shown["before"] + shown["place"] + shown["after"]
        assert not shown["valid"]
        assert classify(text, truncated=False, valid=lambda _: True) == each["name"]


def test_a_stopped_run_keeps_the_prompts_that_are_done(playground: Playground) -> None:
    spec = study_spec(playground, levels_spec({"n": 40}), problem())
    opened = playground.open(problem())
    seen: list[dict[str, Any]] = []
    for document in levels_documents(
        playground, spec, opened, lambda: bool(seen) and seen[-1]["drawn"] >= 12, Turns()
    ):
        seen.append(document)
    assert seen[-1]["stopped"]
    assert seen[-1]["drawn"] == 12
    assert counts(seen[-1], "3") == (12, 12)


class Watched(Turns):
    """Turns that count who has one, and who has had one."""

    def __init__(self) -> None:
        super().__init__()
        self.inside = self.taken = self.most = 0

    def __enter__(self) -> None:
        super().__enter__()
        self.taken += 1
        self.inside += 1
        self.most = max(self.most, self.inside)

    def __exit__(self, *error: Any) -> None:
        self.inside -= 1
        super().__exit__(*error)


def test_levels_hold_their_rows_in_turns(
    playground: Playground, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two visitors: no group of one is run while a group of the other is."""
    turns, running = Watched(), list[int]()
    real = levels_run.rows_of

    def rows_of(*asked: Any) -> Any:
        running.append(turns.inside)
        return real(*asked)

    def pace_of(_: Any) -> levels_run.Pace:
        running.append(turns.inside)
        return levels_run.Pace(1.0, 1.0, 1, 1)

    monkeypatch.setattr(levels_run, "rows_of", rows_of)
    monkeypatch.setattr(levels_run, "pace_of", pace_of)
    spec = study_spec(playground, levels_spec({"n": 40}), problem())
    order, both = list[str](), threading.Barrier(2)

    def work(key: str) -> None:
        both.wait(20)
        opened = playground.open(problem())
        for _ in levels_documents(playground, spec, opened, lambda: False, turns):
            order.append(key)

    threads = [threading.Thread(target=work, args=(key,)) for key in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert turns.taken == 2 * (1 + len(groups(40)))
    assert set(running) == {1}
    assert turns.most == 1
    assert sorted(order) == ["a"] * 8 + ["b"] * 8


def test_a_group_is_run_whole_however_small_its_chunks_are(playground: Playground) -> None:
    """Chunks shrink with what a prompt needs; the draws stay those of their seeds."""
    spec = study_spec(playground, levels_spec({"n": 24}), problem())
    opened = playground.open(problem())
    study = prepared(playground, spec, opened, lambda: False).study
    many = replace(study, spec=study.spec.model_copy(update={"draws": 10}))
    assert len(many.chunks) > len(study.chunks)
    rows = levels_run.rows_of(many, range(8, 24), lambda: False)
    assert rows is not None
    once = levels_run.rows_of(study, range(8, 24), lambda: False)
    assert once is not None
    assert [row.index for row in once] == sorted(list(range(8, 24)) * len(study.spec.methods))
    first = [row.model_copy(update={"rows": 0}) for row in rows if row.draw == 0]
    assert first == [row.model_copy(update={"rows": 0}) for row in once]


def test_a_servers_model_is_refused_in_words(tmp_path: Path) -> None:
    settings = Settings(cache=tmp_path, models=("server:m",), server="http://127.0.0.1:9/v1")
    there = Playground(settings)
    served = ProblemSpec(model="server:m", prompt="a", constraint=problem().constraint)
    for asked in ({}, {"source": "tickets-hand"}):
        with pytest.raises(ModelUnavailable, match="sends texts alone") as caught:
            study_spec(there, levels_spec(asked), served)
        assert caught.value.where == "model"
        assert "--model server:m --methods ask,retry,strict" in caught.value.hint
    with pytest.raises(ModelUnavailable, match="No model on this machine"):
        study_spec(there, levels_spec({"source": "tickets-hand"}), problem())
    assert there.hub.status("server:m").state == "absent"


def test_groups_cover_every_prompt_once() -> None:
    for count in (1, 4, 12, 13, 100, 200):
        assert [at for group in groups(count) for at in group] == list(range(count))


@pytest.mark.parametrize(
    ("asked", "rail", "words"),
    [
        ({"n": 0}, problem(), "at least 1"),
        ({"source": "nowhere"}, problem(), "no prompts called 'nowhere'"),
        ({"tempo": 3}, problem(), "no setting called tempo"),
        ({}, problem(source="", kind="free"), "no constraint"),
        ({}, problem(heal=True), "rewrite the prompt's last token"),
        ({}, problem(sampling=Sampling(temperature=0)), "temperature"),
    ],
)
def test_what_can_t_be_run_is_said_in_words(
    playground: Playground, asked: dict[str, Any], rail: ProblemSpec, words: str
) -> None:
    with pytest.raises(InvalidInput, match=re.escape(words)) as caught:
        study_spec(playground, levels_spec(asked), rail)
    assert words in str(caught.value)


def test_a_set_is_asked_of_a_model_that_reads_prompts(playground: Playground) -> None:
    spec = study_spec(playground, levels_spec({"source": "tickets-hand", "n": 4}), problem())
    assert not spec.model.startswith("toy:")
    first = first_problem(spec, problem())
    assert first.constraint.kind == "schema"
    assert "Ticket:" in first.prompt


if __name__ == "__main__":
    TABLE.write_text(json.dumps(table(), indent=1) + "\n")
