"""Languages and models at the edge: one text, endless texts, no mass, next to no mass."""

import math
from decimal import Decimal

import numpy as np
import pytest

from playground.decoding.masses import MassTree
from playground.exact.distances import Cells, kl_bounds
from playground.exact.interval import Interval
from playground.exact.posterior import Posterior
from playground.models.toyspec import ToySpec
from playground.vocabulary import Vocabulary
from tests.exact.checks import complaints
from tests.exact.enumerate import Truth, truth_of
from tests.exact.problems import LiveDouble, every_budget, live_problem, toy, toy_problem

END = {"p": {"<eos>": 1}}


def held(
    spec: ToySpec, source: str, max_tokens: int = 8, batch: int = 1, **sampling: object
) -> tuple[Posterior, Truth]:
    """The last snapshot of a search whose every claim was true, and the truth."""
    problem, law, pattern = toy_problem(spec, source, "regex", max_tokens, **sampling)
    truth = truth_of(
        law,
        problem.model.vocabulary,
        pattern,
        max_tokens=max_tokens,
        sampling=problem.sampling,
    )
    tree = MassTree(problem)
    every = 1 + len(truth.reached) // batch // 40
    for number, claims in enumerate(every_budget(tree, batch)):
        if number % every == 0 or claims.status == "exact":
            assert complaints(tree, claims, truth) == []
    return claims, truth


def test_a_language_with_one_text_is_never_squeezed() -> None:
    spec = toy("abc", [{"p": {"a": 0.2, "b": 0.3, "c": 0.4, "<eos>": 0.1}}])
    claims, truth = held(spec, "abc")
    assert claims.status == "exact"
    assert float(truth.z) == pytest.approx(0.2 * 0.3 * 0.4 * 0.1)
    (only,) = claims.texts
    assert only.conditional.upper == 1.0
    assert only.conditional.lower == pytest.approx(1.0, abs=1e-12)
    assert only.squeeze.middle == pytest.approx(1.0, abs=1e-9)
    assert claims.tv.upper < 1e-9


@pytest.mark.parametrize("max_tokens", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("regex", ["a*", "(a|b)+", "(ab)*", "a{3}|b"])
def test_runs_that_are_cut_are_an_outcome_of_their_own(regex, max_tokens) -> None:
    spec = toy(["a", "b", "ab"], [{"p": {"a": 0.4, "b": 0.2, "ab": 0.1, "<eos>": 0.3}}])
    claims, truth = held(spec, regex, max_tokens)
    assert claims.status == "exact"
    assert claims.cut == pytest.approx(float(truth.cut), abs=1e-9)
    if regex == "a*":
        assert truth.cut == pytest.approx(Decimal((4 / 7) ** max_tokens))


def test_an_endless_language_closes_as_far_as_asked() -> None:
    spec = toy("a", [{"p": {"a": 0.5, "<eos>": 0.5}}])
    claims, truth = held(spec, "a*", 40)
    assert float(truth.z) == pytest.approx(1 - 2**-40, rel=1e-15)
    assert claims.cut == pytest.approx(2**-40, rel=1e-9)


def test_a_text_with_hundreds_of_tokenisations_is_one_text() -> None:
    spec = toy(["a", "aa", "aaa"], [{"p": {"a": 0.5, "aa": 0.3, "aaa": 0.1, "<eos>": 0.1}}])
    claims, truth = held(spec, "a{11}", 16, batch=5)
    (only,) = claims.texts
    assert only.runs == truth.tokenisations[b"a" * 11] == 504
    assert only.p.middle == pytest.approx(float(truth.z), rel=1e-9)


def test_a_live_text_with_hundreds_of_tokenisations_is_settled_from_its_first_token() -> None:
    vocabulary = Vocabulary((b"a", b"aa", b"aaa", b"b", None), frozenset({4}))
    model = LiveDouble(vocabulary, noise=1e-4)
    problem, law, pattern = live_problem(model, "a{9}|ba{3}", max_tokens=12)
    truth = truth_of(law, vocabulary, pattern, max_tokens=12)
    assert truth.tokenisations == {b"a" * 9: 149, b"baaa": 4}
    tree = MassTree(problem)
    for number, claims in enumerate(every_budget(tree)):
        if number % 10 < 2 or claims.status == "exact":
            assert complaints(tree, claims, truth) == []
        if number >= 1:  # one row: each of its children can end as one text only
            assert claims.open_masked == 0.0
            assert {mass.text for mass in claims.texts} == set(truth.texts)
            for mass in claims.texts:
                assert mass.masked.width < 2e-3
    assert claims.status == "exact"


@pytest.mark.parametrize("nats", [69.1, 230.0, 690.8, 700.0, 720.0, 740.0, 744.3, 800.0, 9000.0])
def test_next_to_no_valid_mass_and_less_than_a_float_can_hold(nats) -> None:
    # Two texts, 3 : 1 within a valid mass of exp(-nats).
    spec = toy(
        "abx",
        [
            {"prefix": [], "logits": {"a": math.log(3) - nats, "b": -nats, "x": 0.0}},
            END,
        ],
    )
    claims, truth = held(spec, "a|b")
    log_z = math.log(4) - nats
    assert claims.log_z.lower <= log_z + 1e-12
    assert claims.log_z.upper >= log_z - 1e-12
    assert claims.log_z.width < 1e-9
    assert float(truth.conditional(b"a")) == pytest.approx(0.75)
    by_text = {mass.text: mass for mass in claims.texts}
    assert by_text[b"a"].conditional.middle == pytest.approx(0.75, abs=1e-9)
    assert by_text[b"b"].squeeze.middle == pytest.approx(1.0, abs=1e-9)
    assert claims.tv.upper < 1e-9
    assert claims.kl.upper < 1e-9


def test_a_valid_mass_of_1e_30_after_many_ordinary_steps() -> None:
    spec = toy("abx", [{"p": {"a": 0.02, "b": 0.01, "x": 0.9, "<eos>": 0.07}}])
    claims, _ = held(spec, "a{18}|a{17}b", 24)
    assert 1e-33 < claims.Z.lower <= claims.Z.upper < 1e-30
    assert claims.log_z.width < 1e-9


@pytest.mark.parametrize("logit", [-9.87, -987.6, -9876.54321, -9123.45678, -8888.777])
def test_errors_of_long_sums_of_large_logs_are_allowed_for(logit) -> None:
    # At log Z = -1e6 a float64 has nine decimals, and sixty sums have been rounded.
    spec = toy("AB", [{"logits": {"A": logit, "B": -logit, "<eos>": -3.3333}}])
    claims, truth = held(spec, "A{60}", 64)
    assert claims.log_z.middle == pytest.approx(truth.log(truth.z), rel=1e-14)


@pytest.mark.parametrize(
    "logits",
    [
        (9997.135880626773, 9998.770134733439, 9997.541969765847),
        (9998.695984194956, 9997.8200788147, 9997.607569787793),
        (9997.059101186504, 9998.857182805894, 9997.437389469544),
        (9997.870767641825, 9998.754486243226, 9997.716186870688),
        (9997.6303799138, 9998.265397195495, 9997.178483339234),
    ],
)
def test_rounding_of_the_largest_logits_over_a_temperature_is_allowed_for(logits) -> None:
    # 9999 / 0.59 is known to 2e-12; found by search, these add three such errors up.
    scores = dict(zip(("A", "B", "<eos>"), logits, strict=True))
    held(toy("AB", [{"logits": scores}]), "A?", 1, temperature=0.59)


@pytest.mark.parametrize("nats", [50, 400, 740, 900])
def test_one_text_may_be_beyond_float64_below_another(nats) -> None:
    # p~ gives half to each; p_V all but nothing to ac.
    spec = toy(
        "abcx",
        [
            {"prefix": [], "p": {"a": 0.5, "b": 0.5}},
            {"last": "a", "logits": {"c": -float(nats), "x": 0.0}},
            END,
        ],
    )
    claims, _ = held(spec, "ac|b")
    by_text = {mass.text: mass for mass in claims.texts}
    assert by_text[b"ac"].masked.middle == pytest.approx(0.5, abs=1e-9)
    assert by_text[b"ac"].conditional.upper <= math.exp(-min(nats, 600)) * 1.001
    assert claims.tv.middle == pytest.approx(0.5, abs=1e-9)


def test_open_mass_beyond_float64_above_what_was_found_leaves_all_in_doubt() -> None:
    # CCC is found while AA, exp(20000) times heavier, is still open.
    spec = toy(
        "ABC", [{"logits": {"A": -9876.54321, "B": 9999.4321, "C": -9876.1, "<eos>": -3.3333}}]
    )
    held(spec, "[AC]{3}")
    held(spec, "[AC]{3}", temperature=0.03)


def test_masking_may_all_but_forbid_what_the_model_believes() -> None:
    # b's p~ is exp(-900): it underflows, its share of p_V is near 1.
    spec = toy(
        "abcx",
        [
            {"prefix": [], "logits": {"a": 0.0, "b": -900.0}},
            {"last": "a", "logits": {"c": -1800.0, "x": 0.0}},
            END,
        ],
    )
    claims, truth = held(spec, "ac|b")
    assert float(truth.kl) == pytest.approx(900.0)
    assert claims.kl.upper < 901


@pytest.mark.parametrize("count", range(2, 9))
@pytest.mark.parametrize("small", [3e-17, 8e-17, 1.2e-16, 1e-15])
def test_texts_lost_in_the_rounding_of_another_do_no_harm(count, small) -> None:
    letters = "ABCDEFGH"[:count]
    weights = dict.fromkeys(letters[1:], small)
    for big in (letters[0], letters[-1]):
        spec = toy(letters, [{"prefix": [], "p": {**weights, letters[0]: small, big: 1.0}}, END])
        claims, _ = held(spec, f"[{letters}]")
        assert claims.status == "exact"


def test_a_model_that_gives_a_valid_token_no_mass_leaves_dead_ends() -> None:
    spec = toy(
        "ABC", [{"prefix": [], "p": {"A": 0.5, "B": 0.5}}, {"last": "A", "p": {"C": 1}}, END]
    )
    claims, truth = held(spec, "AB|B")
    assert claims.dead == pytest.approx(0.5) == float(truth.dead)
    assert claims.Z.middle == pytest.approx(0.5)
    assert claims.tv.middle == pytest.approx(0.5)
    assert claims.kl.middle == pytest.approx(math.log(2))


@pytest.mark.parametrize("regex", ["[BC]{2}", "AB", "A{9}"])
def test_nothing_valid_is_proved_and_leaves_p_v_open(regex) -> None:
    claims, truth = held(toy("ABC", [{"p": {"A": 1}}]), regex)
    assert not truth.z
    assert claims.status == "exact"
    assert claims.Z.upper == 0.0
    assert claims.log_z.upper == -math.inf
    assert claims.texts == ()
    assert claims.dead + claims.cut == pytest.approx(1.0)


def test_tokens_that_cannot_spell_the_rest_are_dead_ends() -> None:
    spec = toy(["ab", "a"], [{"p": {"ab": 0.5, "a": 0.3, "<eos>": 0.2}}])
    claims, truth = held(spec, "ab?c|a")
    assert set(truth.texts) == {b"a"}
    assert claims.dead == pytest.approx(float(truth.dead))
    assert float(truth.dead) > 0.5


def test_before_filters_can_draw_what_p_cannot_and_miss_what_it_can() -> None:
    spec = toy("ABC", [{"prefix": [], "p": {"A": 0.5, "B": 0.3, "C": 0.2}}, END])
    # p keeps A and B; masked first, B and C are left and the larger is kept.
    claims, truth = held(spec, "B|C", top_k=1, mask_order="before-filters")
    assert not truth.z
    assert claims.found_masked == pytest.approx(1.0)
    claims, truth = held(spec, "A|B", top_p=0.6, mask_order="before-filters")
    assert truth.texts[b"B"][0]
    assert not truth.texts[b"B"][1]
    assert truth.kl == Decimal("inf")
    assert claims.kl.upper == math.inf


def test_a_divergence_from_a_law_that_a_float64_can_t_hold_is_still_bounded() -> None:
    """p~ of the only text is near e^-725: the fuzzer found its log off in the tenth digit."""
    one, tiny = np.array([1.0]), np.array([1e-315])
    cells = Cells(
        found=(one, one, one),
        settled=np.zeros(1),
        masked=(tiny, tiny, np.array([1e-290])),
        open_p=0.0,
        settled_p=0.0,
        open_q=0.0,
        unfinished=1.0,
        doubt=1e-11,
    )
    log_z = Interval(-730.0, -730.0)
    bounds = kl_bounds(cells, Interval(1.0, 1.0), log_z, strict=True)
    assert bounds.upper == 730.0
    assert kl_bounds(cells, Interval(1.0, 1.0), log_z, strict=False).upper == float("inf")
