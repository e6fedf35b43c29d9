"""Numbers worked out by hand or published, by the search and by the enumeration alike."""

import math

import pytest

from playground.decoding.masses import MassTree
from playground.exact.posterior import Posterior
from playground.models.toys import TOYS
from tests.exact.checks import complaints
from tests.exact.enumerate import Truth, truth_of
from tests.exact.problems import every_budget, finished, toy, toy_problem

RIGHT = 1e-9

WORKED = [
    # toy, regex, Z, TV, KL(p_V || p~)
    ("two-step", "(A|B)x", 0.109, 0.9 - 0.009 / 0.109, None),
    ("binary-len-3", "000|100|101|110|111", 5 / 8, 0.3, 0.19274475702175742),
    ("binary-len-5-0", "00000|1[01]{4}", 17 / 32, 15 / 34, 0.46942910449411157),
    ("mars", r"0(\+0)*", 0.175, 0.3107142857142857, 0.21653690891553157),
    ("sky", "skill|cloud", 0.2512, 0.701105282877, None),
    ("country-currency", "(US|DE)/(USD|EUR)", 1.0, 0.0, 0.0),
]


def solved(name: str, regex: str, **settings: object) -> tuple[MassTree, Posterior, Truth]:
    """The finished search of a toy, and its truth."""
    problem, law, pattern = toy_problem(TOYS[name], regex, **settings)  # type: ignore[arg-type]
    truth = truth_of(law, problem.model.vocabulary, pattern, max_tokens=problem.max_tokens)
    tree = MassTree(problem)
    return tree, finished(tree), truth


@pytest.mark.parametrize(("name", "regex", "z", "tv", "kl"), WORKED)
def test_worked_numbers_come_out(name, regex, z, tv, kl) -> None:
    _, result, truth = solved(name, regex)
    assert result.status == "exact"
    assert result.stopped == "complete"
    assert float(truth.z) == pytest.approx(z, rel=1e-15)
    for claim, value in (
        (result.Z, z),
        (result.log_z, math.log(z)),
        (result.tv, tv),
        (result.kl, kl),
    ):
        if value is not None:
            assert claim.middle == pytest.approx(value, abs=RIGHT)
            assert claim.width < RIGHT
            assert claim.lower - 1e-15 <= value <= claim.upper + 1e-15


@pytest.mark.parametrize(("name", "regex", "z", "tv", "kl"), WORKED)
def test_the_enumeration_agrees_with_the_worked_numbers(name, regex, z, tv, kl) -> None:
    _, _, truth = solved(name, regex)
    assert float(truth.tv) == pytest.approx(tv, abs=1e-12)
    if kl is not None:
        assert float(truth.kl) == pytest.approx(kl, abs=1e-15)


@pytest.mark.parametrize(("name", "regex", "z", "tv", "kl"), WORKED)
@pytest.mark.parametrize("batch", [1, 2, 5])
@pytest.mark.parametrize("aim", ["both", "z"])
def test_the_worked_numbers_are_inside_at_every_budget(name, regex, z, tv, kl, batch, aim) -> None:
    problem, law, pattern = toy_problem(TOYS[name], regex)
    truth = truth_of(law, problem.model.vocabulary, pattern, max_tokens=problem.max_tokens)
    tree = MassTree(problem)
    for claims in every_budget(tree, batch, aim):
        assert complaints(tree, claims, truth) == []
    assert claims.status == "exact"


def test_the_two_step_lesson() -> None:
    _, result, _ = solved("two-step", "(A|B)x")
    by_text = {mass.text: mass for mass in result.texts}
    assert by_text[b"Ax"].conditional.middle == pytest.approx(0.009 / 0.109, abs=RIGHT)
    assert by_text[b"Bx"].conditional.middle == pytest.approx(0.1 / 0.109, abs=RIGHT)
    assert by_text[b"Ax"].masked.middle == pytest.approx(0.9, abs=RIGHT)
    assert by_text[b"Bx"].masked.middle == pytest.approx(0.1, abs=RIGHT)
    assert by_text[b"Ax"].squeeze.middle == pytest.approx(0.109 / 0.01, abs=RIGHT)
    # For one run, s = Z / prod Z_t.
    for mass in result.texts:
        one_run = result.log_z.middle - sum(mass.log_zs)
        assert math.log(mass.squeeze.middle) == pytest.approx(one_run, abs=RIGHT)


def test_sky_is_pushed_to_skill_148_times_too_often() -> None:
    _, result, _ = solved("sky", "skill|cloud")
    skill = next(mass for mass in result.texts if mass.text == b"skill")
    assert skill.squeeze.middle == pytest.approx(0.6 / 0.85 / (0.0012 / 0.2512), abs=1e-7)
    assert round(skill.squeeze.middle) == 148
    assert result.tv.middle == pytest.approx(0.701, abs=5e-4)


@pytest.mark.parametrize(
    ("name", "regex", "conditional", "masked"),
    [
        ("binary-len-3", "000|1[01]{2}", {b"000": 1 / 5, b"110": 1 / 5}, {b"000": 1 / 2}),
        (
            "binary-len-5-0",
            "00000|1[01]{4}",
            {b"00000": 1 / 17},
            {b"00000": 1 / 2, b"10110": 1 / 32},
        ),
        (
            "mars",
            r"0(\+0)*",
            {b"0": 0.12 / 0.175, b"0+0": 0.03 / 0.175, b"0+0+0": 0.025 / 0.175},
            {b"0": 0.375, b"0+0": 0.234375, b"0+0+0": 0.390625},
        ),
    ],
)
def test_published_laws_come_out(name, regex, conditional, masked) -> None:
    _, result, _ = solved(name, regex)
    by_text = {mass.text: mass for mass in result.texts}
    for text, value in conditional.items():
        assert by_text[text].conditional.middle == pytest.approx(value, abs=RIGHT)
    for text, value in masked.items():
        assert by_text[text].masked.middle == pytest.approx(value, abs=RIGHT)


def test_a_small_z_at_every_step_is_no_squeezing_when_all_pay_the_same() -> None:
    # The model wants prose; every valid text pays .008 for the brace, .006 and .009 for the rest.
    spec = toy(
        ["{", "a", "b", "}", "prose"],
        [
            {"prefix": [], "p": {"{": 0.008, "prose": 0.992}},
            {"last": "{", "p": {"a": 0.004, "b": 0.002, "prose": 0.994}},
            {"last": "a", "p": {"}": 0.009, "prose": 0.991}},
            {"last": "b", "p": {"}": 0.009, "prose": 0.991}},
            {"last": "}", "p": {"<eos>": 0.005, "prose": 0.995}},
            {"p": {"prose": 1}},
        ],
    )
    problem, law, pattern = toy_problem(spec, r"\{(a|b)\}")
    truth = truth_of(law, problem.model.vocabulary, pattern, max_tokens=problem.max_tokens)
    assert max(truth.steps.values()) < 0.01
    assert abs(truth.tv) < 1e-30
    tree = MassTree(problem)
    for claims in every_budget(tree):
        assert complaints(tree, claims, truth) == []
    assert claims.tv.upper < RIGHT
    assert claims.kl.upper < RIGHT
    for mass in claims.texts:
        assert mass.squeeze.middle == pytest.approx(1.0, abs=RIGHT)
        assert all(math.exp(log_z) < 0.01 for log_z in mass.log_zs)
