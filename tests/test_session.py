"""What a visitor can do, and what a hostile one can't."""

import json

import pytest

from playground.errors import InvalidInput, PlaygroundError
from playground.opened import Opened
from playground.problem import ProblemSpec, parse_problem
from playground.session import Playground
from playground.settings import Settings


@pytest.fixture(scope="module")
def playground(tmp_path_factory):
    return Playground(Settings(cache=tmp_path_factory.mktemp("cache")))


def spec(**changes) -> ProblemSpec:
    base = {"model": "toy:sky", "constraint": {"kind": "choices", "source": "skill\ncloud"}}
    return parse_problem(base | changes)


def token(playground, problem: ProblemSpec, text: bytes) -> int:
    return playground.open(problem).problem.model.vocabulary.tokens.index(text)


def test_stepping_to_the_end_gives_the_record_that_a_replay_gives(playground) -> None:
    problem, path, steps = spec(), [], []
    answer = {"outcome": "running"}
    while answer["outcome"] == "running":
        answer = playground.advance(problem, path, {"draw": 0})
        steps.append(answer["step"])
        path.append(answer["step"]["taken"]["id"])
    whole = playground.replay(problem, path)
    for step in steps:
        step.pop("seconds")
    for step in whole["steps"]:
        step.pop("seconds")
    assert whole["steps"] == steps
    assert whole["outcome"] == answer["outcome"] == "accepted"
    assert whole["frontier"] is None


def test_the_frontier_of_one_step_is_the_law_of_the_next(playground) -> None:
    problem = spec()
    sk = token(playground, problem, b"sk")
    frontier = playground.advance(problem, [], {"take": sk})["frontier"]
    step = playground.advance(problem, [sk], {"draw": 0})["step"]
    assert frontier["z"] == step["z"] == pytest.approx(0.002, rel=1e-12)
    assert frontier["candidates"] == step["candidates"]
    assert step["argmax_blocked"]
    assert "argmax_blocked" in step["events"]


def test_every_document_is_strict_json_and_its_columns_sum(playground) -> None:
    problem = spec()
    path = [token(playground, problem, b"sk")]
    document = playground.replay(problem, path)
    json.dumps(document, allow_nan=False)
    for at in [*document["steps"], document["frontier"]]:
        rows = at["candidates"]
        kept = sum(row["p"] for row in rows if row["allowed"]) + at["other_allowed"]["p"]
        cut = sum(row["p"] for row in rows if not row["allowed"]) + at["other_blocked"]["p"]
        assert kept == pytest.approx(at["z"], rel=1e-12)
        assert cut == pytest.approx(1 - at["z"], rel=1e-12)
        assert sum(row["masked"] for row in rows) + at["other_allowed"]["masked"] == pytest.approx(
            1
        )
        assert at["argmax"]["id"] in {row["id"] for row in rows}


def test_a_blocked_token_has_a_ghost_that_names_the_byte(playground) -> None:
    problem = spec()
    path = [token(playground, problem, b"sk")]
    ghost = playground.ghost(problem, path, token(playground, problem, b"y"))
    assert ghost["text_before"] == "sk"
    assert (ghost["valid_part"], ghost["bad_part"], ghost["offset"]) == ("", "y", 2)
    assert (ghost["line"], ghost["column"]) == (1, 3)
    assert "i" in ghost["expected"]
    assert ghost["sentence"].startswith("Byte 3 would be 'y'")


def test_taking_a_blocked_token_ends_the_run_outside_the_language(playground) -> None:
    problem = spec()
    y = token(playground, problem, b"y")
    answer = playground.advance(problem, [token(playground, problem, b"sk")], {"take": y})
    assert answer["outcome"] == "rejected"
    assert answer["verdict"]["status"] == "invalid"
    assert answer["step"]["log_proposal"] is None
    assert answer["step"]["next"] is None


@pytest.mark.parametrize(
    ("text", "verdict", "offset"),
    [("skill", "valid", None), ("ski", "incomplete", None), ("sky", "invalid", 2)],
)
def test_a_followed_text_gets_its_verdict_and_place(playground, text, verdict, offset) -> None:
    problem = spec()
    if text == "ski":
        problem = spec(constraint={"kind": "regex", "source": "skill(cloud)+"})
        text = "skill"
    follow = playground.follow(problem, text)["follow"]
    assert follow["verdict"] == verdict
    if offset is not None:
        assert follow["blocked_at"]["offset"] == offset
        assert follow["blocked_at"]["got"] == "y"
        assert "i" in follow["blocked_at"]["expected"]
    if verdict == "incomplete":
        assert follow["needs"] == "cloud"


def test_a_cut_that_an_engine_refuses_is_told_from_an_invalid_text(playground, monkeypatch) -> None:
    rows = [{"p": {"a": 0.5, "b": 0.2, "ab": 0.2, "<eos>": 0.1}}]
    toy = {"name": "cuts", "tokens": ["a", "b", "ab"], "rules": rows}
    problem = spec(
        model="toy:cuts",
        toy=toy,
        constraint={"kind": "regex", "source": "ab", "engine": "llguidance"},
    )
    a, b = (token(playground, problem, text) for text in (b"a", b"b"))
    answer = playground.advance(problem, [], {"take": a})
    assert answer["verdict"]["status"] == "invalid"
    assert "this way of cutting" in answer["verdict"]["message"]
    assert playground.follow(problem, "ab")["follow"]["verdict"] == "valid"
    monkeypatch.setattr(Opened, "spelled", lambda opened, text: (a, b))
    follow = playground.follow(problem, "ab")["follow"]
    assert follow["verdict"] == "refused"
    assert follow["message"].endswith("the text itself is valid.")
    monkeypatch.setattr(Opened, "spelled", lambda opened, text: (a, a))
    follow = playground.follow(problem, "aa")["follow"]
    assert (follow["verdict"], follow["message"]) == ("invalid", "")
    wrong = playground.advance(problem, [], {"take": b})["verdict"]["message"]
    assert wrong == "The last token leaves the language."


def test_any_token_can_be_found_with_its_reason(playground) -> None:
    found = playground.find(spec(), [], "s")
    texts = {row["text"]: row for row in found["matches"]}
    assert texts["sk"]["allowed"]
    assert found["total"] >= len(texts)
    assert playground.find(spec(), [], "nowhere") == {"matches": [], "total": 0}
    assert playground.find(spec(), [], "") == {"matches": [], "total": 0}


def test_watched_tokens_are_always_among_the_rows(playground) -> None:
    problem = spec()
    cloud = token(playground, problem, b"cloud")
    watching = spec(watch=[cloud])
    document = playground.replay(watching, [token(playground, problem, b"sk")])
    for at in [*document["steps"], document["frontier"]]:
        assert [row["watched"] for row in at["candidates"] if row["id"] == cloud] == [True]


def test_an_edited_toy_changes_every_number_and_leaves_the_registry_alone(playground) -> None:
    from playground.models.toy import TOYS

    edited = TOYS["two-step"].model_dump(mode="json")
    edited["rules"][0]["p"] = {"A": 1.0, "B": 3.0}
    base = {"model": "toy:two-step", "constraint": {"kind": "regex", "source": "(A|B)x"}}
    changed = playground.replay(parse_problem(base | {"toy": edited}))["frontier"]
    rows = {row["text"]: row["p"] for row in changed["candidates"]}
    assert (rows["A"], rows["B"]) == pytest.approx((0.25, 0.75), rel=1e-12)
    original = playground.replay(parse_problem(base))["frontier"]
    rows = {row["text"]: row["p"] for row in original["candidates"]}
    assert rows["A"] == pytest.approx(0.9, rel=1e-12)


@pytest.mark.parametrize(
    "document",
    [
        None,
        [],
        "x",
        {"model": 3},
        {"model": "toy:sky", "surprise": 1},
        {"prompt": "x" * 20_001},
        {"prompt": "x" * 1_000_000},
        {"constraint": {"kind": "regex", "source": "a" * 100_001}},
        {"max_tokens": 10**9},
        {"max_tokens": 0},
        {"sampling": {"temperature": float("nan")}},
        {"sampling": {"temperature": -1}},
        {"sampling": {"top_p": 0}},
        {"sampling": {"seed": 2**70}},
        {"watch": list(range(17))},
        {"toy": {"name": "x", "title": "x", "tokens": [], "rules": []}},
        {"toy": {"name": "x", "title": "x", "tokens": ["a"], "rules": [{"p": {"a": -1}}]}},
        {"toy": {"name": "x", "title": "x", "tokens": ["a"], "rules": [{"p": {"b": 1}}]}},
    ],
)
def test_a_hostile_problem_is_refused_in_words(document) -> None:
    with pytest.raises(InvalidInput) as caught:
        parse_problem(document)
    assert len(str(caught.value)) < 600
    assert caught.value.what.endswith(".")


@pytest.mark.parametrize(
    ("path", "action"),
    [
        ([], None),
        ([], {}),
        ([], {"draw": "0"}),
        ([], {"draw": True}),
        ([], {"draw": -1}),
        ([], {"take": 10**9}),
        ([], {"take": -1}),
        ([], {"take": "sk"}),
        ([], {"draw": 0, "take": 0}),
        ([10**9], {"draw": 0}),
        ([-1], {"draw": 0}),
        ([0] * 100, {"draw": 0}),
        (["sk"], {"draw": 0}),
    ],
)
def test_a_hostile_request_is_refused_in_words(playground, path, action) -> None:
    with pytest.raises(PlaygroundError):
        playground.advance(spec(), path, action)


def test_unknown_names_say_what_there_is(playground) -> None:
    with pytest.raises(PlaygroundError, match="toy:sky"):
        playground.open(spec(model="toy:rain"))
    with pytest.raises(PlaygroundError, match="bytes"):
        playground.open(spec(constraint={"kind": "regex", "source": "skill", "engine": "abacus"}))


def test_following_a_long_text_raises_max_tokens_and_says_so(playground) -> None:
    problem = spec(constraint={"kind": "regex", "source": "(cloud)+"}, max_tokens=3)
    document = playground.follow(problem, "cloud" * 5)
    assert document["follow"]["verdict"] == "valid"
    assert document["problem"]["max_tokens"] == 6
    assert "6" in document["note"]
    assert document["verdict"]["status"] == "valid"


def test_a_text_that_just_fills_max_tokens_gets_one_verdict(playground) -> None:
    problem = spec(constraint={"kind": "regex", "source": "(cloud)+"}, max_tokens=5)
    document = playground.follow(problem, "cloud" * 5)
    assert (document["follow"]["verdict"], document["verdict"]["status"]) == ("valid", "valid")


def test_a_text_beyond_the_longest_run_is_refused_in_words(playground) -> None:
    problem = spec(constraint={"kind": "regex", "source": "(cloud)+"})
    with pytest.raises(InvalidInput, match="1,500 tokens"):
        playground.follow(problem, "cloud" * 1500)


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ({"model": "x" * 300}, "At most 200"),
        ({"watch": list(range(17))}, "At most 16"),
        ({"surprise": 1}, "no setting called surprise"),
        ({"prompt": "\ud800"}, "half a character"),
        ({"sampling": {"temperature": 11}}, "at most 10"),
        ({"sampling": {"top_p": 0}}, "above 0"),
        ({"method": "magic"}, "'masked', 'unconstrained', 'json-mode' or 'think'"),
    ],
)
def test_a_refusal_says_what_to_do(document, words) -> None:
    with pytest.raises(InvalidInput) as caught:
        parse_problem(document)
    assert words in str(caught.value)
