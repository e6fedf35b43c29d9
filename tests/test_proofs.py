"""Comparisons, flows and sweeps say what is proved, and keep what was drawn."""

import json
import math

import pytest

from playground.compare import CompareSpec
from playground.constraints.spec import ConstraintSpec
from playground.decoding.masses import MassTree
from playground.decoding.methods import METHODS
from playground.decoding.refusal import refused
from playground.errors import BudgetExceeded, InvalidInput
from playground.exact.search import Budget, search
from playground.judge import accept_of
from playground.problem import ProblemSpec, parse_problem
from playground.proofs import Proofs
from playground.session import Playground
from playground.settings import Settings


@pytest.fixture(scope="module")
def playground(tmp_path_factory):
    return Playground(Settings(cache=tmp_path_factory.mktemp("cache")))


@pytest.fixture
def proofs() -> Proofs:
    return Proofs()


def spec(**changes) -> ProblemSpec:
    base = {"model": "toy:two-step", "constraint": {"kind": "regex", "source": "(A|B)x"}}
    return parse_problem(base | changes)


def compared(playground, proofs, problem=None, cancelled=lambda: False, **asked) -> dict:
    *_, last = proofs.compare(
        playground.open(problem or spec()), CompareSpec(**asked), cancelled=cancelled
    )
    json.dumps(last, allow_nan=False)
    return last


def test_every_method_runs_on_a_toy_and_says_its_law(playground, proofs) -> None:
    last = compared(playground, proofs, methods=tuple(METHODS), n=20)
    assert set(last["methods"]) == set(METHODS)
    for name, column in last["methods"].items():
        assert column["done"], name
        if name == "json-mode":  # this toy can't spell JSON
            assert "vocabulary" in column["error"]
            continue
        assert column["error"] is None, name
        assert column["draws"] >= 20, name
        assert column["law"] == METHODS[name].law
        seen = column["accepted"] + column["unfinished"]["count"] + column["invalid"]["count"]
        assert seen == column["draws"], name


def test_the_three_columns_of_two_step_have_the_numbers_that_a_hand_finds(playground, proofs):
    last = compared(playground, proofs, n=50)
    exact = {row["text"]: row for row in last["exact"]["texts"]}
    assert exact["Ax"]["fraction"] == "0.009/0.109"
    assert exact["Ax"]["p_V"]["lower"] == pytest.approx(0.009 / 0.109, rel=1e-9)
    assert exact["Ax"]["masked"]["upper"] == pytest.approx(0.9, rel=1e-9)
    tv = {name: column["tv_to_p_V"] for name, column in last["methods"].items()}
    assert tv["masked"]["lower"] == pytest.approx(0.9 - 0.009 / 0.109, rel=1e-9)
    assert tv["unconstrained"]["lower"] == pytest.approx(1 - 0.109, rel=1e-9)
    assert tv["rejection"] == {
        "lower": 0.0, "upper": 0.0, "status": "exact", "why": "Every accepted draw has the law p_V.",
    }  # fmt: skip
    assert last["q"]["certified"]["lower"] == pytest.approx(0.109, rel=1e-9)
    three = next(row for row in last["none_valid"] if row["n"] == 3)
    assert three["lower"] == pytest.approx(0.891**3, rel=1e-9)
    assert last["for_one_percent"]["upper"] == math.ceil(math.log(0.01) / math.log(0.891))


def test_a_seed_gives_the_same_draws_whatever_ran_before(playground, proofs) -> None:
    def texts(column):
        return {row["text"]: row["count"] for row in column["texts"]}

    both = compared(playground, proofs, methods=("masked", "rejection", "cars"), n=40)
    alone = compared(playground, Proofs(), methods=("cars",), n=40)
    assert texts(alone["methods"]["cars"]) == texts(both["methods"]["cars"])


def test_stopping_keeps_what_was_drawn(playground, proofs) -> None:
    calls = iter(range(10**9))
    last = compared(
        playground, proofs, cancelled=lambda: next(calls) > 200, methods=("masked",), n=10_000
    )
    assert last["done"]
    assert last["stopped"]
    assert 0 < last["methods"]["masked"]["draws"] < 10_000


def test_another_judge_turns_the_distances_off(playground, proofs) -> None:
    last = compared(playground, proofs, n=20, accept="syntax")
    assert {column["tv_to_p_V"]["status"] for column in last["methods"].values()} == {"off"}
    assert last["methods"]["masked"]["accepted"] == 0  # Ax is no JSON


def test_a_constraint_without_a_schema_cant_be_accepted_by_one(playground, proofs) -> None:
    with pytest.raises(InvalidInput, match="no schema"):
        next(proofs.compare(playground.open(spec()), CompareSpec(accept="schema")))


def test_temperature_zero_is_refused_in_words(playground, proofs) -> None:
    cold = playground.open(spec(sampling={"temperature": 0}))
    for ask in (
        lambda: next(proofs.compare(cold, CompareSpec())),
        lambda: next(proofs.squeezing(cold)),
        lambda: proofs.here(cold, ()),
    ):
        with pytest.raises(InvalidInput, match="temperature 0"):
            ask()


def test_an_unknown_method_is_named() -> None:
    with pytest.raises(ValueError, match="'foo' is no method"):
        CompareSpec(methods=("foo",))


def test_the_exact_law_at_a_place_reverses_the_order_of_sky(playground, proofs) -> None:
    sky = playground.open(
        spec(model="toy:sky", constraint={"kind": "choices", "source": "skill\ncloud"})
    )
    here = proofs.here(sky, ())
    vocabulary = sky.problem.model.vocabulary
    law = {vocabulary.name(row["token_id"]): row for row in here["tokens"]}
    assert here["future"]["lower"] == pytest.approx(0.2512, rel=1e-9)
    assert law["sk"]["F"]["upper"] == pytest.approx(0.002, rel=1e-9)
    assert law["cloud"]["F"]["upper"] == pytest.approx(1.0, rel=1e-9)
    assert law["cloud"]["exact"]["lower"] == pytest.approx(0.25 / 0.2512, rel=1e-9)
    assert law["sk"]["exact"]["lower"] == pytest.approx(0.0012 / 0.2512, rel=1e-9)


def test_the_flow_keeps_mass_at_every_node(playground, proofs) -> None:
    binary = playground.open(
        spec(model="toy:binary-len-5-0", constraint={"kind": "regex", "source": "00000|1[01]{4}"})
    )
    *_, last = proofs.squeezing(binary)
    nodes = {node["id"]: node for node in last["nodes"]}
    for node in nodes.values():
        below = [child for child in nodes.values() if child["parent"] == node["id"]]
        if node["kind"] != "inner":
            assert not below
            continue
        assert sum(child["p"] for child in below) + node["blocked"] == pytest.approx(
            node["p"], rel=1e-9
        )
        assert sum(child["masked"] for child in below) == pytest.approx(node["masked"], rel=1e-9)
        assert sum(child["share"]["upper"] for child in below) == pytest.approx(
            node["share"]["upper"], rel=1e-6
        )


def test_a_picture_too_wide_keeps_the_rest_as_one_node(playground, proofs) -> None:
    from playground.exact.laws import flow

    binary = playground.open(
        spec(model="toy:binary-len-5-0", constraint={"kind": "regex", "source": "00000|1[01]{4}"})
    )
    tree = proofs.forest.tree(binary)
    for _ in search(tree, Budget(tolerance=0.0)):
        pass
    nodes = flow(tree, most=8)
    rests = [node for node in nodes if node.kind == "rest"]
    assert rests
    for node in nodes:
        below = [child for child in nodes if child.parent == node.id and node.kind == "inner"]
        if below:
            assert sum(child.masked for child in below) == pytest.approx(node.masked, rel=1e-9)


def test_the_tokenisations_of_a_text_sum_to_its_mass(playground, proofs) -> None:
    toy = {
        "name": "split",
        "title": "Split",
        "tokens": ["a", "b", "ab"],
        "rules": [{"p": {"a": 0.3, "b": 0.3, "ab": 0.2, "<eos>": 0.2}}],
    }
    opened = playground.open(
        spec(model="toy:split", toy=toy, constraint={"kind": "choices", "source": "ab\nb"})
    )
    *_, last = proofs.squeezing(opened)
    row = next(row for row in last["exact"]["texts"] if row["text"] == "ab")
    assert row["runs"] == 2
    listed = proofs.tokenisations(opened, "ab")
    assert [run["tokens"] for run in listed["runs"]] == [["ab"], ["a", "b"]]
    assert [run["canonical"] for run in listed["runs"]] == [True, False]
    assert listed["runs"][0]["p_V"]["lower"] == pytest.approx(
        0.04 / last["exact"]["Z"]["upper"], rel=1e-9
    )
    total = sum(math.exp(run["log_p"]) for run in listed["runs"])
    assert total == pytest.approx(0.2 * 0.2 + 0.3 * 0.3 * 0.2, rel=1e-9)
    assert row["p"]["lower"] <= total <= row["p"]["upper"]


def test_a_sweep_moves_q_and_the_distance(playground, proofs) -> None:
    *_, last = proofs.sweep(playground.open, spec(), "temperature", [0.5, 1.0, 2.0])
    assert [point["value"] for point in last["points"]] == [0.5, 1.0, 2.0]
    assert last["points"][1]["q"]["lower"] == pytest.approx(0.109, rel=1e-9)
    cold = (0.9**2 * 0.01**2 / (0.01**2 + 0.99**2) + 0.1**2) / (0.9**2 + 0.1**2)
    assert last["points"][0]["q"]["upper"] == pytest.approx(cold, rel=1e-9)


def test_a_tree_is_kept_and_grows_for_the_same_problem_alone(playground, proofs) -> None:
    tree = proofs.forest.tree(playground.open(spec()))
    assert isinstance(tree, MassTree)
    assert proofs.forest.tree(playground.open(spec(sampling={"seed": 7}))) is tree
    assert proofs.forest.tree(playground.open(spec(max_tokens=5))) is not tree
    assert proofs.forest.tree(playground.open(spec(sampling={"temperature": 0.5}))) is not tree


def test_a_schema_judges_the_text_whatever_the_mask_says(playground, proofs) -> None:
    toy = {
        "name": "digits",
        "title": "Digits",
        "tokens": ["1", "2", "x"],
        "rules": [
            {"position": 0, "p": {"1": 0.5, "2": 0.3, "x": 0.2}},
            {"p": {"<eos>": 1.0}},
        ],
    }
    schema = {"kind": "schema", "source": '{"type": "integer", "maximum": 1}'}
    problem = spec(model="toy:digits", toy=toy, constraint=schema)
    last = compared(playground, proofs, problem, n=200, accept="schema")
    free = last["methods"]["unconstrained"]
    assert free["accepted"] == next(row for row in free["texts"] if row["text"] == "1")["count"]
    assert 0 < free["accepted"] < 200


def test_a_pattern_that_runs_away_is_stopped_in_words() -> None:
    hostile = ConstraintSpec(kind="schema", source='{"type": "string", "pattern": "^(a|aa)+$"}')
    judge = accept_of(hostile, "schema").judge
    assert judge is not None
    assert judge('"aaa"')
    with pytest.raises(BudgetExceeded, match="too long"):
        judge('"' + "a" * 40 + 'b"')


def test_what_is_drawn_gets_bounds_though_the_search_never_came_there(playground, proofs) -> None:
    problem = spec(model="toy:binary-len-5-0", constraint={"kind": "regex", "source": "[01]{5}"})
    opened = playground.open(problem)
    tree = proofs.forest.tree(opened)
    *_, little = search(tree, Budget(rows=1))
    assert not little.texts
    last = compared(playground, proofs, problem, methods=("masked",), n=4, rows=1)
    drawn = {row["text"] for row in last["methods"]["masked"]["texts"] if row["count"]}
    assert drawn
    proved = {row["text"]: row for row in last["exact"]["texts"]}
    assert drawn <= proved.keys()
    for text in drawn:
        assert proved[text]["p"]["lower"] == pytest.approx(1 / 32, rel=1e-9)
        assert proved[text]["p_V"]["lower"] <= 1 / 32 <= proved[text]["p_V"]["upper"]


def test_the_first_bad_byte_of_a_draw_is_where_the_mask_would_have_said_no(playground) -> None:
    problem = playground.open(spec()).problem
    ids = {name: i for i, name in enumerate(map(problem.model.vocabulary.name, range(5)))}

    def offset(*names: str) -> int | None:
        tokens = tuple(ids[name] for name in names)
        found = refused(problem.constraint, tokens)
        return None if found is None else found.offset

    assert offset("A", "x", "<eos>") is None
    assert offset("A", "y") == 1
    assert offset("y") == 0
    assert offset("A", "<eos>") == 1


DIE = {
    "name": "die",
    "title": "Die",
    "tokens": ["a", "b", "c"],
    "rules": [{"position": 0, "p": {"a": 0.5, "b": 0.3, "c": 0.2}}, {"p": {"<eos>": 1.0}}],
}


def test_weights_claim_nothing_where_the_mask_comes_before_the_filters(playground, proofs) -> None:
    """top-k 2 of p leaves a and b, of the masked law b and c: a weight can be above Z_1."""
    problem = spec(
        model="toy:die",
        toy=DIE,
        constraint={"kind": "regex", "source": "b|c"},
        sampling={"top_k": 2, "mask_order": "before-filters"},
    )
    last = compared(playground, proofs, problem, methods=("masked", "rejection"), n=50)
    assert last["q"]["weights"] is None
    assert last["q"]["covers"] is False
    assert last["q"]["certified"]["lower"] == pytest.approx(0.375, rel=1e-9)
    again = spec(**{**problem.model_dump(), "sampling": {"top_k": 2}})
    after = compared(playground, proofs, again, methods=("masked",), n=50)
    assert after["q"]["weights"]["value"] == pytest.approx(0.375, rel=1e-9)


def test_another_judge_s_q_is_not_mixed_with_the_mask_s(playground, proofs) -> None:
    digits = {**DIE, "name": "json", "tokens": ["1", "2", "x"]}
    digits["rules"] = [{"position": 0, "p": {"1": 0.5, "2": 0.2, "x": 0.3}}, {"p": {"<eos>": 1.0}}]
    problem = spec(model="toy:json", toy=digits, constraint={"kind": "choices", "source": "1"})
    last = compared(playground, proofs, problem, n=400, accept="syntax")
    assert last["q"]["certified"] is None
    found = last["q"]["acceptance"]
    assert last["none_valid"][0]["upper"] == pytest.approx(1 - found["lower"])


def test_a_run_that_has_ended_has_no_next_law(playground, proofs) -> None:
    opened = playground.open(spec())
    names = opened.problem.model.vocabulary
    path = tuple(names.tokens.index(text) for text in (b"A", b"x"))
    eos = min(names.eos_ids)
    with pytest.raises(InvalidInput, match="has ended"):
        proofs.here(opened, (*path, eos))
    short = playground.open(spec(max_tokens=2))
    with pytest.raises(InvalidInput, match="has ended"):
        proofs.here(short, path)


def test_the_distance_of_draws_counts_the_texts_beyond_the_list(playground, proofs) -> None:
    """256 equal texts, 60 of them listed: exact weights must not look far from p_V."""
    bits = {
        "name": "bits",
        "title": "Bits",
        "tokens": ["0", "1"],
        "rules": [{"position": 8, "p": {"<eos>": 1.0}}, {"p": {"0": 0.5, "1": 0.5}}],
    }
    problem = spec(model="toy:bits", toy=bits, constraint={"kind": "regex", "source": "[01]{8}"})
    last = compared(playground, proofs, problem, methods=("importance",), n=1000)
    tv = last["methods"]["importance"]["tv_to_p_V"]
    assert last["exact"]["others"] == 256 - len(last["exact"]["texts"])
    assert tv["status"] == "estimated"
    assert tv["value"] < 0.15


def test_conditional_draws_are_the_seed_s_whatever_the_shared_tree_knows(playground) -> None:
    problem = spec(model="toy:binary-len-5-0", constraint={"kind": "regex", "source": "[01]{5}"})

    def drawn(proofs):
        last = compared(playground, proofs, problem, methods=("conditional",), n=20)
        return {row["text"]: row["count"] for row in last["methods"]["conditional"]["texts"]}

    grown = Proofs()
    for _ in search(grown.forest.tree(playground.open(problem)), Budget(tolerance=0.0)):
        pass
    assert drawn(grown) == drawn(Proofs())


def test_the_alarm_is_raised_and_then_shown_to_be_false(playground, proofs) -> None:
    """Every valid text pays the same Z_t of .001 at its first token: costly, and nothing is wrong."""
    forced = {
        "name": "forced",
        "title": "Forced",
        "tokens": ["{", "x", "a", "b"],
        "rules": [
            {"position": 0, "p": {"{": 0.001, "x": 0.999}},
            {"last": "{", "p": {"a": 0.4, "b": 0.6}},
            {"p": {"<eos>": 1.0}},
        ],
    }
    problem = spec(
        model="toy:forced", toy=forced, constraint={"kind": "regex", "source": r"\{(a|b)"}
    )
    last = compared(playground, proofs, problem, methods=("unconstrained", "masked"), n=60)
    assert last["exact"]["tv"]["upper"] < 1e-9
    assert last["alarm"]["raised"] is True
    assert "false alarm" in last["alarm"]["words"]
    assert last["alarm"]["constrained"] < last["alarm"]["unconstrained"] - 1


def test_the_forest_drops_the_trees_that_nobody_looks_at(playground, monkeypatch) -> None:
    monkeypatch.setattr("playground.forest.MAX_TREES", 3)
    forest = Proofs().forest
    trees = [forest.tree(playground.open(spec(max_tokens=n))) for n in range(2, 7)]
    assert forest.tree(playground.open(spec(max_tokens=6))) is trees[-1]
    assert forest.tree(playground.open(spec(max_tokens=2))) is not trees[0]


def test_a_dash_and_not_a_crash_where_a_drawn_token_has_no_mass_under_p(playground, proofs):
    problem = spec(
        model="toy:sky",
        constraint={"kind": "choices", "source": "skill\ncloud"},
        sampling={"top_k": 1, "mask_order": "before-filters"},
    )
    last = compared(playground, proofs, problem, methods=("masked",), n=20)
    assert last["methods"]["masked"]["mean_log_p"] is None


def test_the_run_that_masking_gives_most_often_is_named_beside_the_likeliest(playground, proofs):
    """`ab` is likeliest whole, but masking reaches it by `a`, `b`: at `a` it pays and is repaid."""
    split = {
        "name": "split",
        "title": "Split",
        "tokens": ["a", "b", "ab", "c"],
        "rules": [
            {"position": 0, "p": {"a": 0.6, "ab": 0.3, "c": 0.1}},
            {"last": "a", "p": {"b": 0.01, "c": 0.99}},
            {"p": {"<eos>": 1.0}},
        ],
    }
    problem = spec(model="toy:split", toy=split, constraint={"kind": "choices", "source": "ab"})
    *_, last = proofs.squeezing(playground.open(problem))
    (text,) = last["exact"]["texts"]
    assert text["tokens"] == ["ab", "<eos>"]
    assert text["drawn"]["tokens"] == ["a", "b", "<eos>"]
    assert math.exp(text["drawn"]["log_masked"]) == pytest.approx(0.6 / 0.9, rel=1e-9)
    assert text["drawn"]["squeeze"]["lower"] == pytest.approx(0.306 / (0.9 * 0.01), rel=1e-9)


def test_a_method_that_keeps_only_valid_draws_shows_one_that_it_kept(playground, proofs) -> None:
    last = compared(playground, proofs, methods=("rejection", "unconstrained"), n=100)
    assert last["methods"]["rejection"]["sample"]["accepted"] is True
    first = last["methods"]["unconstrained"]["sample"]
    assert first["accepted"] is (first["text"] in ("Ax", "Bx") and first["outcome"] == "accepted")


def test_only_independent_draws_of_a_stated_law_claim_intervals(playground, proofs) -> None:
    drawing = tuple(name for name in METHODS if name not in ("json-mode", "think"))
    last = compared(playground, proofs, methods=drawing, n=20)
    silent = {
        name
        for name, column in last["methods"].items()
        if all(row["p"] is None for row in column["texts"] if row["count"])
    }
    assert silent == {"asap", "smc", "importance", "mcmc"}
