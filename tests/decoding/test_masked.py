"""Laws of masked decoding, checked exactly by walking every run of a toy: no sampling error."""

from collections.abc import Iterator

import numpy as np
import pytest

from playground.decoding.position import next_token
from playground.decoding.sampler import SAMPLERS, run, stepped, taken
from playground.decoding.trace import Outcome, Problem, Standing, Trace

TOYS = [
    ("two-step", "(A|B)x"),
    ("sky", "skill|cloud"),
    ("binary-len-3", "000|1[01][01]|100"),
    ("binary-len-5-0", "00000|1[01]{4}"),
    ("mars", r"0(\+0)*"),
    ("country-currency", "(US|DE)/(USD|EUR)"),
]
ENDED = (Outcome.ACCEPTED, Outcome.TRUNCATED)


def every_run(problem: Problem) -> Iterator[tuple[Trace, float, float]]:
    """Every complete valid run with its model probability and its chance under the mask."""

    def walk(trace: Trace, p: float, masked: float) -> Iterator[tuple[Trace, float, float]]:
        if trace.outcome is not Outcome.RUNNING:
            yield trace, p, masked
            return
        law = next_token(trace.standing)
        assert law.masked is not None
        for token in np.flatnonzero(law.masked > -np.inf):
            step = taken(trace.standing, SAMPLERS["masked"], int(token))
            yield from walk(
                trace.extended(step),
                p * float(np.exp(law.logprobs[token])),
                masked * float(np.exp(law.masked[token])),
            )

    return walk(Trace.start(problem), 1.0, 1.0)


def test_the_two_step_example_comes_out_as_by_hand(open_toy) -> None:
    law = {
        trace.standing.text: (p, masked)
        for trace, p, masked in every_run(open_toy("two-step", "(A|B)x").problem)
    }
    assert law[b"Ax"] == pytest.approx((0.009, 0.9), rel=1e-12)
    assert law[b"Bx"] == pytest.approx((0.1, 0.1), rel=1e-12)
    z = sum(p for p, _ in law.values())
    assert z == pytest.approx(0.109, rel=1e-12)
    assert law[b"Ax"][0] / z == pytest.approx(0.009 / 0.109, rel=1e-12)


def test_the_sky_toy_has_the_numbers_of_its_lesson(open_toy) -> None:
    law: dict[bytes, tuple[float, float]] = {}
    for trace, p, masked in every_run(open_toy("sky", "skill|cloud").problem):
        old = law.get(trace.standing.text, (0.0, 0.0))
        law[trace.standing.text] = (old[0] + p, old[1] + masked)
    z = sum(p for p, _ in law.values())
    assert law[b"skill"][1] == pytest.approx(0.60 / 0.85, rel=1e-12)
    assert law[b"skill"][0] / z == pytest.approx(0.0012 / 0.2512, rel=1e-12)


def test_the_age_toy_keeps_three_percent_and_stretches_it(playground) -> None:
    from playground.demo import load_demos

    opened = playground.open(load_demos()["age"].problem)
    standing = Standing.start(opened.problem)
    while not next_token(standing).mask.sum() or np.exp(next_token(standing).log_z) > 0.5:
        standing = standing.after(int(np.argmax(next_token(standing).logits)))
    law = next_token(standing)
    vocabulary = opened.problem.model.vocabulary
    five = vocabulary.tokens.index(b"5")
    assert float(np.exp(law.log_z)) == pytest.approx(0.032416, abs=5e-7)
    assert law.masked is not None
    assert float(np.exp(law.masked[five])) == pytest.approx(0.98523, abs=5e-6)
    assert law.logits[five] == pytest.approx(12.3, rel=1e-6)
    assert vocabulary.tokens[int(np.argmax(law.logits))] == b"x"


@pytest.mark.parametrize(("toy", "regex"), TOYS)
def test_masked_chance_times_the_product_of_z_is_the_models_probability(
    open_toy, toy, regex
) -> None:
    for trace, p, masked in every_run(open_toy(toy, regex).problem):
        assert masked * np.exp(trace.log_z) == pytest.approx(p, rel=1e-12)
        assert trace.log_weight == pytest.approx(trace.log_z, abs=1e-12)


@pytest.mark.parametrize(("toy", "regex"), TOYS)
def test_masked_chances_of_all_runs_sum_to_one_and_weights_to_the_valid_rate(
    open_toy, toy, regex
) -> None:
    runs = list(every_run(open_toy(toy, regex).problem))
    assert sum(masked for *_, masked in runs) == pytest.approx(1.0, rel=1e-12)
    mean_weight = sum(
        masked * np.exp(trace.log_z)
        for trace, _, masked in runs
        if trace.outcome is Outcome.ACCEPTED
    )
    valid = sum(p for trace, p, _ in runs if trace.outcome is Outcome.ACCEPTED)
    assert mean_weight == pytest.approx(valid, rel=1e-12)


@pytest.mark.parametrize(
    ("toy", "regex", "z", "masked"),
    [
        ("binary-len-3", "000|100|101|110|111", 5 / 8, {b"000": 1 / 2, b"101": 1 / 8}),
        ("binary-len-5-0", "00000|1[01]{4}", 17 / 32, {b"00000": 1 / 2, b"10110": 1 / 32}),
        ("mars", r"0(\+0)*", 0.175, {b"0": 0.375, b"0+0": 0.234375, b"0+0+0": 0.390625}),
    ],
)
def test_published_closed_forms_come_out(open_toy, toy, regex, z, masked) -> None:
    runs = list(every_run(open_toy(toy, regex).problem))
    assert sum(p for _, p, _ in runs) == pytest.approx(z, rel=1e-12)
    found = {trace.standing.text: chance for trace, _, chance in runs}
    assert {text: found[text] for text in masked} == pytest.approx(masked, rel=1e-12)


@pytest.mark.parametrize("name", sorted(SAMPLERS))
@pytest.mark.parametrize(("toy", "regex"), TOYS)
def test_a_seed_replays_a_run_and_undo_then_next_redraws_the_same_token(
    open_toy, name, toy, regex
) -> None:
    for seed in range(10):
        problem = open_toy(toy, regex, seed=seed).problem
        *_, first = run(Trace.start(problem), SAMPLERS[name], 3)
        *_, again = run(Trace.start(problem), SAMPLERS[name], 3)
        assert first.tokens == again.tokens
        short = first.back(1)
        assert short.outcome is Outcome.RUNNING
        assert stepped(short, SAMPLERS[name], 3).tokens == first.tokens


def test_an_ended_run_takes_no_step(open_toy) -> None:
    problem = open_toy("two-step", "(A|B)x").problem
    *_, done = run(Trace.start(problem), SAMPLERS["masked"])
    assert done.outcome in ENDED
    with pytest.raises(ValueError, match="accepted"):
        stepped(done, SAMPLERS["masked"])


def test_max_tokens_counts_eos(open_toy) -> None:
    *_, cut = run(
        Trace.start(open_toy("two-step", "(A|B)x", max_tokens=2).problem), SAMPLERS["masked"]
    )
    assert cut.outcome is Outcome.TRUNCATED
    *_, whole = run(
        Trace.start(open_toy("two-step", "(A|B)x", max_tokens=3).problem), SAMPLERS["masked"]
    )
    assert whole.outcome is Outcome.ACCEPTED


def test_unconstrained_runs_end_at_the_first_token_outside_the_language(open_toy) -> None:
    problem = open_toy("two-step", "Bx").problem
    outcomes = set()
    for number in range(20):
        *_, trace = run(Trace.start(problem), SAMPLERS["unconstrained"], number)
        outcomes.add(trace.outcome)
        if trace.outcome is Outcome.REJECTED:
            assert trace.standing.text.startswith(b"A")
            assert trace.log_weight == pytest.approx(0.0)
    assert outcomes == {Outcome.REJECTED, Outcome.ACCEPTED}


def test_forks_share_the_past_and_leave_each_other_alone(open_toy) -> None:
    problem = open_toy("two-step", "(A|B)x").problem
    trace = Trace.start(problem)
    vocabulary = problem.model.vocabulary
    a, b = (vocabulary.tokens.index(text) for text in (b"A", b"B"))
    left = trace.extended(taken(trace.standing, SAMPLERS["masked"], a))
    right = trace.extended(taken(trace.standing, SAMPLERS["masked"], b))
    assert trace.steps == ()
    assert (left.standing.text, right.standing.text) == (b"A", b"B")
    assert left.back().standing.state == trace.standing.state
