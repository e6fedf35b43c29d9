"""On SmolLM2 the bounds hold what a plain enumeration of every tokenisation finds."""

import math
import os

import numpy as np
import pytest

from playground.compare import CompareSpec
from playground.demo import load_demos
from playground.exact.search import Budget, search
from playground.forest import Forest
from playground.problem import ProblemSpec, parse_problem
from playground.proofs import Proofs
from playground.session import Playground
from playground.settings import Settings

SKY = 'Pick the word that is most similar to "sky". The word is:'
pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def real() -> Playground:
    if os.environ.get("PLAYGROUND_NO_MODEL") == "1":
        pytest.skip("PLAYGROUND_NO_MODEL=1: without the default model")
    return Playground(Settings.from_env())


def raw(prompt: str, regex: str, **changes) -> ProblemSpec:
    return parse_problem(
        {
            "model": "smollm2",
            "prompt": prompt,
            "chat": False,
            "constraint": {"kind": "regex", "source": regex},
            **changes,
        }
    )


def posterior(playground: Playground, spec: ProblemSpec, **budget):
    *_, last = search(Forest().tree(playground.open(spec)), Budget(**budget))
    return last


def enumerated(playground: Playground, spec: ProblemSpec, texts: list[bytes]):
    """Z, p and p~ of each of `texts`, which are all that is valid: every split into tokens, each
    row by a plain forward pass, every mask by comparing bytes. Nothing of the search is used."""
    problem = playground.open(spec).problem
    model, tokens = problem.model, problem.model.vocabulary.tokens
    pieces = [
        (i, spelled)
        for i, spelled in enumerate(tokens)
        if spelled and any(spelled in each for each in texts)
    ]
    eos = sorted(model.vocabulary.eos_ids)
    p, masked = dict.fromkeys(texts, 0.0), dict.fromkeys(texts, 0.0)
    stack = [((), b"", 0.0, 0.0)]
    while stack:
        path, text, log_p, log_q = stack.pop()
        row = model.logits([problem.prompt + path])[0].astype(np.float64)
        row /= spec.sampling.temperature
        law = row - (row.max() + math.log(np.exp(row - row.max()).sum()))
        allowed = [
            i for i, spelled in pieces if any(each.startswith(text + spelled) for each in texts)
        ]
        ends = eos if text in texts else []
        log_z = math.log(np.exp(law[allowed + ends]).sum())
        for end in ends:
            p[text] += math.exp(log_p + law[end])
            masked[text] += math.exp(log_q + law[end] - log_z)
        for i in allowed:
            stack.append(((*path, i), text + tokens[i], log_p + law[i], log_q + law[i] - log_z))
    return sum(p.values()), p, masked


@pytest.mark.parametrize(
    ("prompt", "regex", "texts"),
    [
        (SKY, " (skill|cloud)", [b" skill", b" cloud"]),
        ("The opposite of hot is", " (cold|warm)", [b" cold", b" warm"]),
    ],
)
def test_a_plain_enumeration_lies_within_the_bounds(real, prompt, regex, texts) -> None:
    spec = raw(prompt, regex)
    z, p, masked = enumerated(real, spec, texts)
    for rows in (8, 30, 4000):
        found = posterior(real, spec, rows=rows, tolerance=0.0)
        assert found.Z.lower <= z <= found.Z.upper
        for text in found.texts:
            assert text.p.lower <= p[text.text] <= text.p.upper
            assert text.conditional.lower <= p[text.text] / z <= text.conditional.upper
            assert text.masked.lower <= masked[text.text] <= text.masked.upper
            ratio = masked[text.text] / (p[text.text] / z)
            assert text.squeeze.lower <= ratio <= text.squeeze.upper
        tv = sum(abs(masked[text] - p[text] / z) for text in texts) / 2
        assert found.tv.lower <= tv <= found.tv.upper
        kl = sum(p[text] / z * math.log(p[text] / z / masked[text]) for text in texts)
        assert found.kl.lower <= kl <= found.kl.upper
    assert found.status == "exact"


def test_sky_has_the_figures_that_were_measured_elsewhere(real) -> None:
    found = posterior(real, raw(SKY, " (skill|cloud)"), rows=4000, tolerance=0.0)
    by_text = {text.text: text for text in found.texts}
    assert found.Z.middle == pytest.approx(2.138895e-6, rel=1e-3)
    assert by_text[b" cloud"].conditional.middle == pytest.approx(0.998799, rel=1e-3)
    assert by_text[b" skill"].masked.middle == pytest.approx(0.871507, rel=1e-3)


def test_capital_cities_have_the_figures_that_were_measured_elsewhere(real) -> None:
    spec = raw("The capital of France is", r" (Paris|London|Rome|Berlin)\.")
    found = posterior(real, spec, rows=4000, tolerance=1e-5)
    law = {text.text: (text.conditional.middle, text.masked.middle) for text in found.texts}
    assert found.Z.middle == pytest.approx(0.0287621, rel=1e-3)
    for text, p_v, masked in (
        (b" Paris.", 0.976949, 0.971647),
        (b" London.", 0.020027, 0.022907),
        (b" Berlin.", 0.002025, 0.004331),
        (b" Rome.", 0.000999, 0.001116),
    ):
        assert law[text][0] == pytest.approx(p_v, rel=1e-3)
        assert law[text][1] == pytest.approx(masked, rel=1e-3)
    assert found.kl.lower <= 0.000976 <= found.kl.upper
    assert found.tv.lower <= 0.0053 <= found.tv.upper


def test_sky_is_proved_to_one_per_cent_in_few_rows(real) -> None:
    aimed = posterior(real, raw(SKY, " (skill|cloud)"), aim="z", batch=8)
    assert aimed.stopped == "tolerance"
    assert aimed.rows_used <= 26
    both = posterior(real, raw(SKY, " (skill|cloud)"))
    assert both.stopped == "tolerance"
    assert both.rows_used <= 80
    assert both.open_masked <= 0.01


@pytest.mark.parametrize(
    ("slug", "low", "high", "tv"),
    [
        ("fire-cool", 0.7, 0.9, 0.0),
        ("fire", 0.15, 0.3, 0.1),
        ("capital", 0.03, 0.08, 0.0),
        ("rating", 0.01, 0.05, 0.4),
        ("rating-cold", 1e-6, 1e-3, 0.7),
        ("sky-real", 1e-6, 1e-3, 0.8),
    ],
)
def test_the_presets_cover_the_range_of_q(real, slug, low, high, tv) -> None:
    found = posterior(real, load_demos()[slug].problem)
    assert low < found.Z.lower <= found.Z.upper < high
    assert found.Z.upper <= 1.02 * found.Z.lower
    assert found.tv.lower >= tv


def test_all_three_columns_fill_where_one_draw_in_four_is_valid(real) -> None:
    opened = real.open(load_demos()["fire"].problem)
    *_, last = Proofs().compare(opened, CompareSpec(n=40, rows=200))
    columns = last["methods"]
    assert columns["masked"]["accepted"] == 40
    assert columns["rejection"]["accepted"] > 0
    assert columns["unconstrained"]["draws"] == 40
    q = last["q"]
    assert q["acceptance"]["lower"] <= q["certified"]["upper"]
    assert q["certified"]["lower"] <= q["acceptance"]["upper"]
    assert last["parallel"] > 0
