"""Every demo opens, its path is a run, and it shows the step that it promises."""

import os
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from playground.decoding.methods import METHODS
from playground.decoding.position import next_token
from playground.decoding.trace import Outcome, Standing
from playground.demo import Demo, load_demos
from playground.opened import Opened, staged
from playground.session import Playground
from playground.settings import Settings
from playground.ui.opening import demo_document
from tests.decoding.bruteforce import outcomes

DEMOS = load_demos()
TOYS = [demo for demo in DEMOS.values() if demo.toy]
REAL = [demo for demo in DEMOS.values() if not demo.toy]
TOO_LONG = 12
"""Tokens within which every toy can be done."""
RUNS = 20
"""Runs on which the demo of spans on the real model says what it says."""


@pytest.fixture(scope="module")
def playground(tmp_path_factory: pytest.TempPathFactory) -> Playground:
    """The toys, with caches of their own."""
    return Playground(Settings(cache=tmp_path_factory.mktemp("cache")))


@pytest.fixture(scope="module")
def real() -> Playground:
    """The default model as well, from the machine's own cache of it."""
    if os.environ.get("PLAYGROUND_NO_MODEL") == "1":
        pytest.skip("PLAYGROUND_NO_MODEL=1: without the default model")
    return Playground(Settings.from_env())


def ids(opened: Opened, demo: Demo) -> list[int]:
    """The tokens of the demo's path: each of its texts is one."""
    pieces = [opened.problem.model.encode(text) for text in demo.path]
    assert [len(piece) for piece in pieces] == [1] * len(pieces)
    return [piece[0] for piece in pieces]


def drawable(standing: Standing) -> Iterator[Standing]:
    """Where the run may stand one token later."""
    law = next_token(standing).masked
    for token in () if law is None else np.flatnonzero(np.isfinite(law)):
        yield standing.after(int(token))


def test_there_are_demos_of_both_kinds_and_the_toys_come_first() -> None:
    assert len(TOYS) >= 6
    assert len(REAL) >= 6
    assert [demo.toy for demo in DEMOS.values()] == [True] * len(TOYS) + [False] * len(REAL)
    assert len({demo.title for demo in DEMOS.values()}) == len(DEMOS)
    assert all(demo.title and demo.question for demo in DEMOS.values())


@pytest.mark.parametrize("demo", TOYS, ids=lambda demo: demo.slug)
def test_a_toys_path_is_a_run_that_the_mask_allows(demo: Demo, playground: Playground) -> None:
    opened = staged(playground.open(demo.problem))
    path = ids(opened, demo)
    trace = opened.trace(path)
    assert list(trace.tokens) == path
    assert trace.outcome in (Outcome.RUNNING, Outcome.ACCEPTED)
    assert all(np.isfinite(step.log_proposal) for step in trace.steps)


@pytest.mark.parametrize("demo", [demo for demo in TOYS if demo.path], ids=lambda demo: demo.slug)
def test_a_toy_opens_on_its_most_surprising_step(demo: Demo, playground: Playground) -> None:
    document = demo_document(playground, demo)
    masses = [step["z"] for step in document["steps"]]
    assert document["cursor"] == demo.cursor
    assert masses[demo.cursor] == min(masses)
    assert min(masses) < 1, "a path without a surprise"


@pytest.mark.parametrize("demo", TOYS, ids=lambda demo: demo.slug)
def test_a_toys_run_can_end_valid(demo: Demo, playground: Playground) -> None:
    opened = staged(playground.open(demo.problem))
    waiting = [opened.walk(ids(opened, demo))]
    while all(standing.outcome is not Outcome.ACCEPTED for standing in waiting):
        assert waiting, "every way is a dead end"
        assert len(waiting[0].tokens) < TOO_LONG
        waiting = [
            after
            for standing in waiting
            if standing.outcome is Outcome.RUNNING
            for after in drawable(standing)
        ]


def answer_law(playground: Playground, demo: Demo, method: str) -> dict[str | None, float]:
    """The chance of every answer of the demo by `method`, None for none, over all its runs."""
    problem = playground.open(demo.problem).problem
    law: dict[str | None, float] = defaultdict(float)
    for chance, draw in outcomes(
        lambda choose: next(iter(METHODS[method].draws(problem, 1, choose=choose)))
    ):
        law[draw.text.decode() if draw.accepted else None] += chance
    return law


def test_the_thought_turns_the_answer_by_the_numbers_that_the_demo_states(
    playground: Playground,
) -> None:
    demo = DEMOS["think"]
    stated = {
        answer: int(times) / int(of)
        for answer, times, of in re.findall(r"is (yes|no) (\d) times in (\d)", demo.question)
    }
    assert stated == {"yes": 0.75, "no": 0.875}
    at_once = answer_law(playground, demo, "masked")
    assert at_once == pytest.approx({"yes": stated["yes"], "no": 1 - stated["yes"]})
    thinking = answer_law(playground, demo, "think")
    assert thinking == pytest.approx({"yes": 0.1, "no": 0.7, None: 0.2})
    assert thinking["no"] / (1 - thinking[None]) == pytest.approx(stated["no"])
    unmasked = answer_law(playground, demo, "unconstrained")
    assert unmasked == pytest.approx({"yes": 0.15, "no": 0.05, None: 0.8})


@pytest.mark.model
@pytest.mark.parametrize("demo", REAL, ids=lambda demo: demo.slug)
def test_a_real_demo_compiles_over_the_models_vocabulary(demo: Demo, real: Playground) -> None:
    assert demo.problem.model == "smollm2"
    opened = real.open(demo.problem)
    automaton = opened.problem.constraint
    assert 0 < automaton.mask(automaton.initial).sum() < len(automaton.vocabulary)
    assert not automaton.is_final(automaton.initial), "an empty text would do"
    assert opened.problem.prompt
    trace = opened.trace(ids(opened, demo))
    assert trace.outcome is Outcome.RUNNING


def spoken(real: Playground, demo: Demo, prompt: str) -> tuple[int, int, int]:
    """Of the demo's first RUNS runs under `prompt`: how many open a span, how many have an answer,
    and in how many of those it is the last number that was written before it."""
    opened = real.open(demo.problem.model_copy(update={"prompt": prompt}))
    marked, vocabulary = opened.problem.companion().marked(), opened.problem.model.vocabulary
    opens = answers = repeats = 0
    for draw in METHODS["think"].draws(opened.problem, RUNS):
        text = vocabulary.decode(draw.run.tokens)
        spans = marked.spans(text)
        opens += bool(spans)
        if draw.accepted:
            answers += 1
            *_, before = re.findall(rb"[0-9]+", text[: spans[-1].start])
            repeats += before == draw.text
    return opens, answers, repeats


@pytest.mark.model
def test_the_example_makes_the_real_model_open_spans_that_repeat_its_thought(
    real: Playground,
) -> None:
    demo = DEMOS["think-real"]
    prompt = demo.problem.prompt
    opens, answers, repeats = spoken(real, demo, prompt)  # 18, 13 and 13 when it was written
    assert opens >= 0.75 * RUNS
    assert answers >= 0.4 * RUNS
    assert repeats >= 0.8 * answers
    (habit,) = re.findall(r"<<7 nuts>>", demo.question)
    opens, answers, repeats = spoken(real, demo, prompt.replace("<<7>>", habit))  # 19, 12 and 1
    assert opens >= 0.75 * RUNS
    assert answers >= 0.4 * RUNS
    assert repeats <= 0.3 * answers


@pytest.mark.model
def test_the_real_models_run_shows_its_spans_in_step(real: Playground) -> None:
    demo = DEMOS["think-real"]
    path: list[int] = []
    while len(path) < demo.problem.max_tokens:
        moved = real.advance(demo.problem, path, {"draw": 0})
        path.append(moved["step"]["taken"]["id"])
        if moved["outcome"] != "running":
            break
    document = real.replay(demo.problem, path)
    steps, spans = document["steps"], document["judged"]["spans"]
    assert {"opens", "closes"} <= {event for step in steps for event in step["events"]}
    assert {step["free"] for step in steps} == {True, False}
    assert spans
    text = real.hub.get(demo.problem.model).vocabulary.decode(path)
    for span in spans:
        assert re.fullmatch(rb"[0-9]{1,3}", text[span["start"] : span["end"]])


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("empty.py", '"""Nothing."""\n'),
        ("text.py", 'DEMO = "text"\n'),
        (
            "other_name.py",
            "from playground.demo import Demo\nfrom playground.problem import ProblemSpec\n"
            'DEMO = Demo("name", "Title", "Why?", ProblemSpec())\n',
        ),
    ],
)
def test_a_file_that_is_no_demo_is_named(tmp_path: Path, name: str, source: str) -> None:
    (tmp_path / name).write_text(source)
    with pytest.raises(ValueError, match=name):
        load_demos(tmp_path)
