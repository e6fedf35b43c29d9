"""The toys give numbers that can be checked by hand, and no edited table breaks anything."""

import itertools
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.errors import InvalidInput
from playground.models.toy import EOS, TOYS, Rule, ToyModel, ToySpec

Law = dict[str, float]


def next_law(model: ToyModel, text: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """(V,) float64 probabilities after `text`."""
    logits = model.logits([text])[0].astype(np.float64)
    return np.exp(logits - np.logaddexp.reduce(logits))


def laws(name: str, language: set[str], longest: int) -> tuple[Law, Law, list[float]]:
    """p and the masked law of every text of `language`, by trying every run of the toy."""
    model = ToyModel(TOYS[name])
    eos = len(model.vocabulary) - 1
    texts = {text.encode() for text in language}
    p: Law = {}
    masked: Law = {}
    factors: list[float] = []

    def visit(run: tuple[int, ...], p_run: float, p_masked: float) -> None:
        law = next_law(model, run)
        done = model.vocabulary.decode(run)
        allowed = [
            token
            for token, text in enumerate(model.vocabulary.tokens)
            if (done in texts if text is None else any(t.startswith(done + text) for t in texts))
        ]
        z = float(law[allowed].sum())
        factors.append(z)
        for token in allowed:
            if law[token] == 0:
                continue
            if token == eos:
                text = done.decode()
                p[text] = p.get(text, 0) + p_run * law[eos]
                masked[text] = masked.get(text, 0) + p_masked * law[eos] / z
            elif len(run) < longest:
                visit((*run, token), p_run * law[token], p_masked * law[token] / z)

    visit((), 1.0, 1.0)
    return p, masked, factors


def conditional(p: Law) -> Law:
    total = sum(p.values())
    return {text: mass / total for text, mass in p.items()}


def distance(a: Law, b: Law) -> float:
    return 0.5 * sum(abs(a.get(text, 0) - b.get(text, 0)) for text in a.keys() | b.keys())


def divergence(a: Law, b: Law) -> float:
    return sum(mass * np.log(mass / b[text]) for text, mass in a.items())


def test_two_step_is_the_example_of_the_design() -> None:
    p, masked, factors = laws("two-step", {"Ax", "Bx"}, 2)
    assert sum(p.values()) == pytest.approx(0.109)
    assert conditional(p) == pytest.approx({"Ax": 0.009 / 0.109, "Bx": 0.1 / 0.109})
    assert masked == pytest.approx({"Ax": 0.9, "Bx": 0.1})
    assert factors == pytest.approx([1, 0.01, 1, 1, 1])


def test_sky_gives_the_worked_numbers() -> None:
    p, masked, factors = laws("sky", {"skill", "cloud"}, 2)
    assert factors[:2] == pytest.approx([0.85, 0.002])
    assert masked == pytest.approx({"skill": 0.7059, "cloud": 0.2941}, abs=5e-5)
    assert conditional(p) == pytest.approx({"skill": 0.0048, "cloud": 0.9952}, abs=5e-5)
    assert sum(p.values()) == pytest.approx(0.2512)
    assert distance(masked, conditional(p)) == pytest.approx(0.701, abs=5e-4)
    assert divergence(masked, conditional(p)) == pytest.approx(3.17, abs=5e-3)
    assert masked["skill"] / conditional(p)["skill"] == pytest.approx(148, abs=0.5)


def bits(length: int) -> set[str]:
    return {"".join(bits) for bits in itertools.product("01", repeat=length)}


@pytest.mark.parametrize(
    ("name", "language", "z", "total_variation", "kl"),
    [
        ("binary-len-3", {"000"} | {b for b in bits(3) if b[0] == "1"}, 5 / 8, 0.3, 0.192745),
        (
            "binary-len-5-0",
            {"00000"} | {b for b in bits(5) if b[0] == "1"},
            17 / 32,
            0.441176,
            0.469429,
        ),
        ("mars", {"0", "0+0", "0+0+0"}, 0.175, 0.310714, 0.216537),
    ],
)
def test_published_toys_give_their_closed_forms(
    name: str, language: set[str], z: float, total_variation: float, kl: float
) -> None:
    p, masked, _ = laws(name, language, 5)
    assert sum(p.values()) == pytest.approx(z)
    assert distance(conditional(p), masked) == pytest.approx(total_variation, abs=1e-6)
    assert divergence(conditional(p), masked) == pytest.approx(kl, abs=1e-6)


def test_mars_gives_its_table() -> None:
    p, masked, _ = laws("mars", {"0", "0+0", "0+0+0"}, 5)
    expected = {"0": 0.685714, "0+0": 0.171429, "0+0+0": 0.142857}
    assert conditional(p) == pytest.approx(expected, abs=1e-6)
    assert masked == pytest.approx({"0": 0.375, "0+0": 0.234375, "0+0+0": 0.390625})


def test_country_and_currency_share_one_bit() -> None:
    every = {f"{c}/{m}" for c in ("US", "DE") for m in ("USD", "EUR")}
    p, _, factors = laws("country-currency", every, 3)
    assert p == pytest.approx({"US/USD": 0.5, "DE/EUR": 0.5})
    assert factors == pytest.approx([1.0] * len(factors))


def test_age_erases_what_the_model_wanted() -> None:
    model = ToyModel(TOYS["age"])
    before = model.encode('{"name": "Ada", "age":')
    for i in range(len(before)):
        assert next_law(model, before[:i])[before[i]] == 1
    law = next_law(model, before)
    five, blank, x = (model.encode(text)[0] for text in ("5", " ", "x"))
    z = law[five] + law[blank]
    assert z == pytest.approx(0.032416, abs=5e-7)
    assert law[five] / z == pytest.approx(0.98523, abs=5e-6)
    assert int(np.argmax(law)) == x
    logits = model.logits([before])[0]
    assert logits[five] == 12.3
    assert logits[x] == 15.7


def test_the_valid_texts_of_age_can_be_reached() -> None:
    ages = {'{"name": "Ada", "age":' + rest for rest in ("5}", " 36}", "50 }", " 5 }", "5 }")}
    p, _, _ = laws("age", ages, 8)
    assert p.keys() == ages


@pytest.mark.parametrize("name", TOYS)
def test_every_toy_is_total_and_survives_the_browser(name: str) -> None:
    spec = TOYS[name]
    assert spec.name == name
    assert spec.title
    assert spec.constraint_kind != "free"
    assert ToySpec.read(json.loads(spec.model_dump_json())) == spec
    model = ToyModel(spec)
    assert model.provenance.name == f"toy:{name}"
    assert model.provenance.kind == "toy"
    assert len(model.provenance.revision) == 12
    runs: list[tuple[int, ...]] = [()]
    while runs:
        run = runs.pop()
        law = next_law(model, run)
        assert law.sum() == pytest.approx(1)
        assert len(run) < 10, "a run must end"
        runs += [(*run, int(token)) for token in np.flatnonzero(law[:-1])]


def test_probabilities_come_back_to_twelve_digits() -> None:
    law = next_law(ToyModel(TOYS["sky"]), (0,))
    assert law[[3, 4, 5]] == pytest.approx([0.98, 0.002, 0.018], rel=1e-12)


def test_a_toy_has_no_prompt_and_spells_its_texts() -> None:
    model = ToyModel(TOYS["sky"])
    assert model.render("anything", chat=True) == ()
    assert model.encode("skill") == (0, 4)
    assert model.logits([]).shape == (0, 7)
    with pytest.raises(InvalidInput, match="can't spell"):
        model.encode("skiing")


def test_the_revision_follows_the_table_and_nothing_else() -> None:
    spec = TOYS["sky"]
    renamed = spec.model_copy(update={"title": "x", "note": "y", "name": "sky-2"})
    assert renamed.revision == spec.revision
    edited = json.loads(spec.model_dump_json())
    edited["rules"][1]["p"]["ill"] = 0.003
    assert ToySpec.read(edited).revision != spec.revision


def test_the_first_rule_that_holds_wins() -> None:
    spec = ToySpec(
        name="order",
        tokens=("a", "b"),
        rules=(
            Rule(prefix=("a", "b"), logits={"a": 1, "b": -1}),
            Rule(last="b", position=1, p={"b": 1}),
            Rule(last="b", p={EOS: 1}),
            Rule(p={"a": 3, "b": 1}),
        ),
    )
    model = ToyModel(spec)
    assert [model.rule(run) for run in [(0, 1), (1,), (1, 1), (), (0,)]] == [0, 1, 2, 3, 3]
    assert next_law(model, ()) == pytest.approx([0.75, 0.25, 0])
    assert model.logits([(0, 1)])[0].tolist() == [1, -1, -np.inf]


Edit = tuple[str, Any]


def edited(path: list[Any], value: Any) -> Any:
    """The sky toy as JSON with one entry replaced."""
    toy: Any = json.loads(TOYS["sky"].model_dump_json())
    at = toy
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return toy


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        (["rules", 1, "p", "y"], -1, ["rule 2", "'y'", "greater than or equal to 0"]),
        (["rules", 1, "p", "y"], float("nan"), ["rule 2", "'y'", "finite"]),
        (["rules", 1, "p", "y"], 1e300, ["rule 2", "'y'", "less than"]),
        (["rules", 1, "p", "y"], "0.5", ["rule 2", "'y'", "valid number"]),
        (["rules", 1, "p", "y"], True, ["rule 2", "'y'", "valid number"]),
        (["rules", 1, "p", "zz"], 1, ["rule 2", "'zz'", "not a token"]),
        (["rules", 1, "p", "z" * 41], 1, ["rule 2", "at most 40"]),
        (["rules", 1, "p"], {"y": 0}, ["rule 2", "sum to 0"]),
        (["rules", 1, "p"], {}, ["rule 2", "no token"]),
        (["rules", 1, "p"], None, ["rule 2", "exactly one"]),
        (["rules", 1, "logits"], {"y": 0}, ["rule 2", "exactly one"]),
        (["rules", 1, "prefix"], ["sk", EOS], ["rule 2", "nothing comes after"]),
        (["rules", 1, "prefix"], ["sk"] * 65, ["rule 2", "at most 64"]),
        (["rules", 1, "last"], "no", ["rule 2", "'no'", "not a token"]),
        (["rules", 1, "position"], -1, ["rule 2", "position"]),
        (["rules", 1, "position"], True, ["rule 2", "position"]),
        (["rules", 1, "surprise"], 1, ["rule 2", "surprise", "not permitted"]),
        (["rules", 2, "last"], "y", ["rule 3", "last", "no condition"]),
        (["rules", 0, "prefix"], None, ["rule 1", "can never hold"]),
        (["rules"], [], ["rules", "at least 1"]),
        (["rules"], [{"p": {"y": 1}}] * 201, ["rules", "at most 200"]),
        (["tokens", 1], "sk", ["'sk'", "twice"]),
        (["tokens", 1], "", ["token 2", "at least 1"]),
        (["tokens", 1], EOS, [EOS, "leave it out"]),
        (["tokens", 1], "\ud800", ["token 2", "unicode"]),
        (["tokens"], [str(i) for i in range(65)], ["tokens", "at most 64"]),
        (["name"], "A b", ["name", "pattern"]),
        (["title"], "x" * 1000, ["title", "at most"]),
        (["constraint_source"], "x" * 10_000, ["constraint_source", "at most"]),
    ],
)
def test_a_bad_edit_is_refused_by_rule_and_token(
    path: list[Any], value: Any, says: list[str]
) -> None:
    with pytest.raises(InvalidInput) as refusal:
        ToySpec.read(edited(path, value))
    message = str(refusal.value)
    assert all(words in message for words in says), message
    assert len(message) < 400
    message.encode()


@pytest.mark.parametrize("data", [None, 3, [], {}, "x" * 10**6, {5: 1}, {"tokens": {"a": 1}}])
def test_what_is_no_toy_at_all_is_refused(data: object) -> None:
    with pytest.raises(InvalidInput) as refusal:
        ToySpec.read(data)
    assert len(str(refusal.value)) < 400


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["p", "logits", "last", "sk", EOS, "prefix", "position", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from([["rules"], ["rules", 1], ["rules", 1, "p"], ["tokens"], ["name"]]), junk)
def test_an_edit_is_either_a_working_toy_or_refused(path: list[Any], value: Any) -> None:
    try:
        spec = ToySpec.read(edited(path, value))
    except InvalidInput:
        return
    model = ToyModel(spec)
    for run in [(), (0,), (0, 1), (5,)]:
        logits = model.logits([run])[0]
        assert not np.isnan(logits).any()
        assert np.isfinite(logits.max())
