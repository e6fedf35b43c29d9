"""The documents of runs that are masked by something else than the constraint, or begin with given
text: spans, second verdicts, what is asked again."""

from itertools import pairwise

import pytest

from playground.compare import CompareSpec
from playground.errors import InvalidInput
from playground.problem import ProblemSpec, parse_problem
from playground.session import Playground
from playground.settings import Settings
from tests.toys_methods import JSONER, MARKERS, NUMBER, THINKER, YES_NO


@pytest.fixture(scope="module")
def playground(tmp_path_factory):
    return Playground(Settings(cache=tmp_path_factory.mktemp("cache")))


def thinking(**changes) -> ProblemSpec:
    base = {"toy": THINKER, "constraint": YES_NO, "method": "think", "markers": MARKERS}
    return parse_problem(base | changes)


def json(**changes) -> ProblemSpec:
    return parse_problem({"toy": JSONER, "constraint": NUMBER, "method": "json-mode"} | changes)


def ids(spec: ProblemSpec, *tokens: str) -> list[int]:
    known = (*spec.toy.tokens, "<eos>")
    return [known.index(token) for token in tokens]


def page(playground, spec: ProblemSpec, *tokens: str):
    return playground.replay(spec, ids(spec, *tokens))


def test_a_thinking_runs_record_says_where_the_mask_holds(playground) -> None:
    document = page(playground, thinking(), "so ", "<<", "no", ">> or ", "<<yes", ">>", "<eos>")
    steps = document["steps"]
    assert [step["free"] for step in steps] == [True, True, False, False, True, False, True]
    crossed = [[name for name in step["events"] if name in ("opens", "closes")] for step in steps]
    assert crossed == [[], ["opens"], [], ["closes"], ["opens"], ["closes"], []]
    assert [step["z"] for step in steps] == pytest.approx([1, 1, 0.5, 1, 1, 1, 1])
    assert document["judged"] == {
        "status": "valid",
        "spans": [{"start": 5, "end": 7}, {"start": 15, "end": 18}],
        "answer": "yes",
        "message": document["judged"]["message"],
    }
    assert "last of 2 spans" in document["judged"]["message"]
    assert document["verdict"]["status"] == "valid"
    text = "so <<no>> or <<yes>>"
    assert [text[span["start"] : span["end"]] for span in document["judged"]["spans"]] == [
        "no",
        "yes",
    ]


def test_one_token_that_opens_and_closes_is_both(playground) -> None:
    toy = {**THINKER, "tokens": [*THINKER["tokens"], "<<no>>"]}
    spec = thinking(toy=toy)
    (step,) = page(playground, spec, "<<no>>")["steps"]
    assert step["events"][:2] == ["opens", "closes"]


def test_free_text_is_no_place_worth_stopping_at(playground) -> None:
    steps = page(playground, thinking(), "so ", "so ", "<<")["steps"]
    assert all(step["may_stop"] for step in steps)
    assert not {"may_stop", "multi_state"} & {name for step in steps for name in step["events"]}


def test_a_run_without_a_span_has_no_answer(playground) -> None:
    document = page(playground, thinking(), "so ", "<eos>")
    assert document["outcome"] == "accepted"
    assert document["judged"]["status"] == "none"
    assert document["judged"]["answer"] is None
    assert "No span was opened" in document["judged"]["message"]
    assert document["verdict"]["status"] == "invalid"


def test_what_a_thinking_run_is_worth_on_its_way(playground) -> None:
    spec = thinking(max_tokens=2)
    assert page(playground, spec, "so ")["verdict"]["status"] == "none"
    cut = page(playground, spec, "so ", "<<")
    assert (cut["outcome"], cut["judged"]["status"]) == ("truncated", "open")
    assert cut["verdict"]["status"] == "incomplete"
    late = page(playground, thinking(max_tokens=2), "<<yes", ">>")
    assert (late["outcome"], late["verdict"]["status"]) == ("truncated", "incomplete")
    assert page(playground, thinking(), "<<yes", ">>")["verdict"]["status"] == "valid"


def test_json_mode_has_two_verdicts_and_the_first_place_refused(playground) -> None:
    good = page(playground, json(), "{", '"a"', ":", "1", "}", "<eos>")
    assert (good["verdict"]["status"], good["judged"]["status"]) == ("valid", "valid")
    bad = page(playground, json(), "{", '"a"', ":", '"x"', "}", "<eos>")
    assert (bad["verdict"]["status"], bad["judged"]["status"]) == ("valid", "refused")
    assert bad["judged"]["offset"] == len('{"a":')
    assert "At byte 6" in bad["judged"]["message"]
    half = page(playground, json(), "{", '"a"')
    assert (half["verdict"]["status"], half["judged"]["status"]) == ("incomplete", "incomplete")
    early = page(playground, json(), "{", "}", "<eos>")
    assert (early["judged"]["status"], early["judged"]["offset"]) == ("refused", 1)
    # Z is that of the mask for JSON: `Sure` alone is blocked, and "x" is not.
    assert [step["z"] for step in bad["steps"]] == pytest.approx([0.5, 1, 1, 1, 1, 1])


@pytest.mark.parametrize("method", ["masked", "unconstrained"])
def test_the_other_methods_have_one_verdict(playground, method) -> None:
    document = page(playground, json(method=method), "{", '"a"', ":", "1", "}", "<eos>")
    assert document["judged"] is None
    assert not any(step["free"] or step["given"] for step in document["steps"])


def test_a_free_run_begins_with_what_is_given(playground) -> None:
    spec = json(method="unconstrained", prefill='{"a"')
    document = playground.replay(spec)
    assert [step["given"] for step in document["steps"]] == [True, True]
    assert [step["log_proposal"] for step in document["steps"]] == [0, 0]
    assert document["steps"][0]["log_p"] == pytest.approx(-0.6931, abs=1e-4)
    # Drawing from within the given text gives its tokens, and going on draws.
    path: list[int] = []
    for given in (True, True, False):
        step = playground.advance(spec, path, {"draw": 0})["step"]
        assert step["given"] == given
        path.append(step["taken"]["id"])
    assert path[:2] == ids(spec, "{", '"a"')
    other = playground.advance(spec, [], {"take": ids(spec, "Sure")[0]})["step"]
    assert not other["given"]
    assert other["log_proposal"] == other["log_p"]


def test_a_masked_run_takes_nothing_from_what_is_given_to_free_ones(playground) -> None:
    assert playground.replay(json(method="masked", prefill="{"))["steps"] == []
    assert playground.replay(thinking(prefill="so "))["steps"] == []


def test_a_path_of_its_own_is_kept_where_something_is_given(playground) -> None:
    spec = json(method="unconstrained", prefill="{")
    document = page(playground, spec, "Sure")
    assert [step["taken"]["text"] for step in document["steps"]] == ["Sure"]


def test_a_refused_run_is_asked_for_again_with_its_error(playground) -> None:
    spec = json(method="unconstrained", prompt="Why?")
    answer = playground.again(spec, ids(spec, "Sure"))
    assert answer["prompt"].startswith("Why?\n")
    assert answer["error"] in answer["prompt"]
    with pytest.raises(InvalidInput, match="goes on"):
        playground.again(spec, ids(spec, "{"))


@pytest.mark.parametrize("spec", [json(), thinking()], ids=["json-mode", "think"])
def test_the_exact_layer_is_off_with_a_reason(playground, spec) -> None:
    with pytest.raises(InvalidInput, match="constraint alone"):
        playground.exact(spec, ())


def compared(playground, spec: ProblemSpec, *methods: str, n: int = 60):
    what = CompareSpec(methods=methods, n=n)
    *_, last = playground.proofs.compare(playground.open(spec), what)
    return last["methods"]


def test_compare_counts_attempts_and_tokens(playground) -> None:
    found = compared(playground, json(method="masked", attempts=3), "retry", "json-mode")
    retry, loose = found["retry"], found["json-mode"]
    assert retry["draws"] == loose["draws"] == loose["attempts"] == 60
    assert 60 < retry["attempts"] <= 180
    assert retry["spent"] > retry["draws"]
    assert loose["spent"] == 6 * 60  # every run is as long: { "a" : value } <eos>
    assert retry["sample"]["attempts"] >= 1
    assert loose["sample"]["thought"] is None
    shares = [row["value"] for row in retry["texts"]]
    assert sum(shares) + retry["other"]["p"] == pytest.approx(1)


def test_compare_shows_a_thinking_run_whole_around_its_answer(playground) -> None:
    think = compared(playground, thinking(), "think", n=40)["think"]
    assert 0 < think["accepted"] < think["draws"]
    thought = think["sample"]["thought"]
    whole = "".join(think["sample"]["tokens"])
    assert whole.startswith(thought["before"] + (thought["answer"] or "") + thought["after"])
    assert think["sample"]["offset"] is None
    assert {row["text"] for row in think["texts"] if row["count"]} <= {"yes", "no"}


def test_the_order_of_what_is_told_is_the_runs(playground) -> None:
    """Spans never overlap, and each lies within the text."""
    document = page(playground, thinking(), "<<yes", ">> or ", "<<yes", ">>")
    spans = document["judged"]["spans"]
    assert all(left["end"] < right["start"] for left, right in pairwise(spans))
