"""What the new methods need beside a problem: made once, and what the Step screen draws by it."""

import json

import pytest

from playground.companions import MAX_OUTPUT, asked_again, json_object
from playground.constraints.spec import ConstraintSpec
from playground.decoding.trace import Outcome
from playground.errors import InvalidInput
from playground.models.toy import EOS, Rule, ToySpec
from playground.opened import staged
from playground.problem import MAX_PROMPT, ProblemSpec
from playground.session import Playground
from playground.settings import Settings

TOKENS = ('{"a": ', "1", "2", "}", "x", "<", ">")
TOY = ToySpec(
    name="braces",
    tokens=TOKENS,
    rules=(Rule(p={**dict.fromkeys(TOKENS, 0.1), EOS: 0.3}),),
)
SCHEMA = {
    "type": "object",
    "properties": {"a": {"const": 1}},
    "required": ["a"],
    "additionalProperties": False,
}


@pytest.fixture(scope="module")
def playground(tmp_path_factory) -> Playground:
    return Playground(Settings(cache=tmp_path_factory.mktemp("cache")))


def spec(**changes) -> ProblemSpec:
    constraint = ConstraintSpec(kind="schema", source=json.dumps(SCHEMA))
    return ProblemSpec(model="toy:braces", toy=TOY, constraint=constraint, **changes)


def ids(*tokens: str) -> tuple[int, ...]:
    return tuple(len(TOKENS) if token == EOS else TOKENS.index(token) for token in tokens)


def test_the_step_screen_masks_by_what_its_method_masks_by(playground) -> None:
    two = ids('{"a": ', "2", "}", EOS)
    assert staged(playground.open(spec())).walk(two[:2]).outcome is Outcome.REJECTED
    loose = staged(playground.open(spec(method="json-mode")))
    assert loose.walk(two).outcome is Outcome.ACCEPTED
    assert loose.walk(ids("x")).outcome is Outcome.REJECTED
    free = staged(playground.open(spec(method="think", markers={"open": "<", "close": ">"})))
    thought = ids("x", "2", "<", '{"a": ', "1", "}", ">", EOS)
    assert free.walk(thought).outcome is Outcome.ACCEPTED
    assert free.walk(ids("x", "<", "2")).outcome is Outcome.REJECTED


def test_a_companion_is_made_once(playground) -> None:
    one, other = playground.open(spec()), playground.open(spec())
    assert one.problem.companion().json() is other.problem.companion().json()
    assert one.problem.companion().marked() is other.problem.companion().marked()
    moved = playground.open(spec(markers={"open": "<", "close": ">"}))
    assert moved.problem.companion().marked() is not one.problem.companion().marked()


def test_json_mode_keeps_the_blanks_of_the_problem() -> None:
    constraint = ConstraintSpec(kind="schema", source="{}", whitespace="none")
    assert json_object(constraint).whitespace == "none"


def test_a_prefill_begins_a_free_run_and_no_masked_one(playground) -> None:
    begun = playground.open(spec(method="unconstrained", prefill='{"a": '))
    assert begun.beginning == ids('{"a": ')
    assert playground.open(spec(prefill='{"a": ')).beginning == ()
    with pytest.raises(InvalidInput):
        playground.open(spec(prefill="no token spells this"))


def test_a_refused_run_is_asked_again_with_its_error(playground) -> None:
    asked = spec(method="unconstrained", prompt="Which a?")
    again = playground.again(asked, ids('{"a": ', "2"))
    assert again["error"] == "At byte 7 '2' can't stand; expected there: 1."
    assert again["prompt"].startswith("Which a?\n")
    assert '{"a": 2' in again["prompt"]
    assert again["error"] in again["prompt"]
    with pytest.raises(InvalidInput, match="goes on"):
        playground.again(asked, ids('{"a": '))
    with pytest.raises(InvalidInput, match="valid"):
        playground.again(asked, ids('{"a": ', "1", "}", EOS))


def test_a_long_output_is_cut_before_it_is_shown_again(playground) -> None:
    shown = asked_again("?", "y" * (MAX_OUTPUT + 1), "long")
    assert shown.count("y") < MAX_OUTPUT + 20
    full = playground.open(spec(prompt="p" * (MAX_PROMPT - 10)))
    assert full.problem.companion().again("out", "error") is None


def test_the_exact_law_is_refused_where_another_mask_draws(playground) -> None:
    for method in ("json-mode", "think"):
        with pytest.raises(InvalidInput, match="constraint alone"):
            playground.exact(spec(method=method), ())
