"""The laws of retry, JSON mode and think-then-constrain, by enumerating every random choice."""

import re
from collections import defaultdict
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings

from playground.constraints.automaton import TokenAutomaton
from playground.constraints.compile import compile_constraint
from playground.constraints.marked import MarkedAutomaton
from playground.constraints.spec import ConstraintSpec, Markers
from playground.decoding.accept import Accept
from playground.decoding.methods import METHODS
from playground.decoding.refusal import refused, sentence
from playground.decoding.trace import Outcome
from playground.models.toy import EOS, Rule, ToySpec
from playground.models.toys import TOYS
from tests.decoding.bruteforce import Loose, outcomes, problem_of, random_toys, reference

random = settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


class Prompted(Loose):
    """Asks again under another prompt, and remembers what it was told."""

    def __init__(self, strict: TokenAutomaton, prompt: tuple[int, ...] | None) -> None:
        super().__init__(strict)
        self.prompt = prompt
        self.told: set[tuple[str, str]] = set()

    def again(self, output: str, error: str) -> tuple[int, ...] | None:
        self.told.add((output, error))
        return self.prompt


def accepted_law(problem, name: str, **settings) -> dict[tuple[int, ...], float]:
    """The chance of each accepted run of the method's first draw."""
    law: dict[tuple[int, ...], float] = defaultdict(float)

    def first(choose):
        return next(iter(METHODS[name].draws(problem, 1, choose=choose, **settings)))

    for chance, draw in outcomes(first):
        assert draw.accepted == (draw.log_weight == 0.0)
        if draw.accepted:
            law[draw.run.tokens] += chance
    return dict(law)


def same(found, expected) -> None:
    assert set(found) == {key for key, mass in expected.items() if mass}
    for key, mass in found.items():
        assert mass == pytest.approx(expected[key], rel=1e-12, abs=1e-15)


@settings(parent=random, max_examples=10)
@given(random_toys().filter(lambda toy: toy[2] <= 3))
def test_retry_is_the_mixture_of_its_attempts(playground, toy) -> None:
    """p on V, then, as often as nothing valid came, p under the other prompt on V."""
    problem = problem_of(playground, *toy)
    prompt = (1,)
    first, second = reference(*toy), reference(*toy, prompt=prompt)
    opener = Prompted(problem.constraint, prompt)
    retried = replace(problem, opener=opener, attempts=2)
    mixture = {
        run: first.p.get(run, 0.0) * (run in first.valid)
        + (1 - first.z) * second.p.get(run, 0.0) * (run in second.valid)
        for run in first.valid | second.valid
    }
    same(accepted_law(retried, "retry"), mixture)
    assert bool(opener.told) == (first.z < 1 - 1e-12)


def test_under_the_same_prompt_retry_draws_p_v_and_fails_less_and_less(playground) -> None:
    problem = problem_of(playground, TOYS["two-step"], "(A|B)x")
    truth = reference(TOYS["two-step"], "(A|B)x", 8)
    for attempts in (1, 2):
        found = accepted_law(replace(problem, attempts=attempts), "retry")
        total = sum(found.values())
        assert total == pytest.approx(1 - (1 - truth.z) ** attempts)
        same({run: mass / total for run, mass in found.items()}, truth.conditional)


def test_without_room_for_the_error_there_is_no_other_attempt(playground) -> None:
    problem = problem_of(playground, TOYS["two-step"], "(A|B)x")
    full = replace(problem, opener=Prompted(problem.constraint, None), attempts=5)
    truth = reference(TOYS["two-step"], "(A|B)x", 8)
    assert sum(accepted_law(full, "retry").values()) == pytest.approx(truth.z)
    assert {draw.attempts for draw in METHODS["retry"].draws(full, 20)} == {1}


@pytest.mark.parametrize(("pattern", "all_begin_so"), [("Ax", True), ("(A|B)x", False)])
def test_a_prefill_gives_p_v_only_if_every_valid_run_begins_with_it(
    playground, pattern, all_begin_so
) -> None:
    problem = problem_of(playground, TOYS["two-step"], pattern)
    truth = reference(TOYS["two-step"], pattern, 8)
    a = 0
    assert problem.model.vocabulary.tokens[a] == b"A"
    given_a = sum(mass for run, mass in truth.p.items() if run[0] == a)
    prefilled = replace(problem, prefill=(a,), attempts=1)
    found = accepted_law(prefilled, "retry")
    same(found, {run: truth.p[run] / given_a for run in truth.valid if run[0] == a})
    total = sum(found.values())
    assert (
        {run: pytest.approx(mass / total) for run, mass in found.items()} == truth.conditional
    ) == all_begin_so


def test_the_prefill_is_of_the_first_attempt_alone_and_is_not_counted_as_sampled(
    playground,
) -> None:
    problem = problem_of(playground, TOYS["two-step"], "Bx")
    truth = reference(TOYS["two-step"], "Bx", 8)
    prefilled = replace(problem, prefill=(0,), attempts=2)
    found = accepted_law(prefilled, "retry")
    assert sum(found.values()) == pytest.approx(truth.z)  # nothing valid begins with A
    for draw in METHODS["retry"].draws(prefilled, 30):
        assert draw.attempts == 2
        assert draw.spent >= len(draw.run.tokens) + 1


def test_attempts_have_streams_of_their_own(playground) -> None:
    problem = replace(problem_of(playground, TOYS["two-step"], "Bx"), attempts=10)
    asked: list[tuple[int, int]] = []

    def choose(law, run, t):
        asked.append((run, t))
        return int(law.logprobs.argmax())

    list(METHODS["retry"].draws(problem, 3, choose=choose))
    assert len(set(asked)) == len(asked) > 60
    firsts = [t for run, t in asked if run == 0 and t < 2**32]
    assert firsts == list(range(len(firsts)))


def test_the_first_attempts_are_the_runs_of_the_model_left_alone(playground) -> None:
    problem = replace(problem_of(playground, TOYS["mars"], r"0(\+0)*"), attempts=1)
    alone = [draw.run.tokens for draw in METHODS["unconstrained"].draws(problem, 40)]
    assert [draw.run.tokens for draw in METHODS["retry"].draws(problem, 40)] == alone


def test_what_is_wrong_is_told_in_a_sentence(playground) -> None:
    problem = problem_of(playground, TOYS["two-step"], "(A|B)x", 3)
    ids = {problem.model.vocabulary.name(i): i for i in range(len(problem.model.vocabulary))}
    accept = Accept("language")

    def told(*names: str, judge: Accept = accept) -> str:
        return sentence(problem, tuple(ids[name] for name in names), judge)

    assert told("A", "y", "<eos>") == "At byte 2 'y' can't stand; expected there: x."
    assert told("A", "<eos>") == "At byte 2 the end can't stand; expected there: x."
    assert told("A", "x", "x") == "At byte 3 'x' can't stand; expected there: the end."
    assert told("A") == "It was cut off after 1 tokens, before its end."
    picky = Accept("schema", lambda text: False, lambda text: f"{text} is too short")
    assert told("A", "x", "<eos>", judge=picky) == "Ax is too short"
    assert refused(problem.constraint, (ids["A"], ids["x"], ids["<eos>"])) is None


class Looser(Loose):
    """In the place of JSON, another regex."""

    def __init__(self, strict: TokenAutomaton, pattern: str) -> None:
        super().__init__(strict)
        spec = ConstraintSpec(kind="regex", source=pattern)
        self._loose = compile_constraint(spec, strict.vocabulary).automaton

    def json(self) -> TokenAutomaton:
        return self._loose


@random
@given(random_toys())
def test_json_mode_draws_the_looser_mask_and_keeps_what_the_constraint_accepts(
    playground, toy
) -> None:
    spec, pattern, most = toy
    problem = problem_of(playground, spec, pattern, most)
    loose = reference(spec, "[ab]*", most)
    opened = replace(problem, opener=Looser(problem.constraint, "[ab]*"))
    strict = reference(spec, pattern, most)
    expected = {run: mass for run, mass in loose.masked.items() if run in strict.valid}
    same(accepted_law(opened, "json-mode"), expected)
    judge = Accept("syntax", lambda text: text.startswith("a"))
    judged = accepted_law(opened, "json-mode", accept=judge)
    assert all(problem.model.vocabulary.decode(run).startswith(b"a") for run in judged)


THINKING = ToySpec(
    name="thinking",
    tokens=("a", "b", "<", ">", "<a", "b>"),
    rules=(
        Rule(prefix=("<",), p={"a": 0.2, "b": 0.5, ">": 0.2, EOS: 0.1}),
        Rule(p={"a": 0.2, "b": 0.1, "<": 0.2, ">": 0.1, "<a": 0.1, "b>": 0.1, EOS: 0.2}),
    ),
)


class Thinking(Loose):
    def __init__(self, strict: TokenAutomaton) -> None:
        super().__init__(strict)
        self._marked = MarkedAutomaton(strict, Markers(open="<", close=">"))


def test_think_masks_inside_the_spans_alone_and_its_answer_is_the_last_one(playground) -> None:
    problem = problem_of(playground, THINKING, "ab?", 5)
    problem = replace(problem, opener=Thinking(problem.constraint))
    truth = reference(THINKING, "([ab>]|<ab?>)*", 5)
    law: dict[tuple[int, ...], float] = defaultdict(float)
    answers = 0

    def first(choose):
        return next(iter(METHODS["think"].draws(problem, 1, choose=choose)))

    for chance, draw in outcomes(first):
        law[draw.run.tokens] += chance
        text = problem.model.vocabulary.decode(draw.run.tokens).decode()
        spans = re.findall("<([^>]*)>", text)
        assert draw.accepted == (draw.run.outcome is Outcome.ACCEPTED and bool(spans))
        if draw.accepted:
            assert draw.text.decode() == spans[-1]
            answers += len(spans) > 1
        for t, log_z in enumerate(draw.run.log_z):
            before = problem.model.vocabulary.decode(draw.run.tokens[:t]).decode()
            # Outside, only "<b" and "<>" would break the constraint, and no token spells them.
            if before.count("<") == len(re.findall("<[^>]*>", before)):
                assert log_z == pytest.approx(0.0, abs=1e-12)
    assert answers
    same(law, truth.masked)
