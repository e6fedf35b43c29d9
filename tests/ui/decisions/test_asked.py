"""What the Decisions screen may ask for, and what is refused naming its place; schemas, scores, free texts."""

import json
import math
import re
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from playground.errors import Cancelled, InvalidInput, PlaygroundError
from playground.fields.split import SET
from playground.fields.ticket import country_currency, ticket
from playground.record import Document, error_document
from playground.study.items import SETS
from playground.ui.decisions import SECONDS, decisions_page, lane_of, within
from playground.ui.decisions_asked import Asked, asked_task
from playground.ui.decisions_work import DecisionsWork
from playground.ui.streaming import LANES
from tests.ui.decisions_driving import TEXT, Run, after, going, never, strict

MIXED = {
    "type": "object",
    "properties": {
        "mood": {"enum": ["calm", "tense"]},
        "why": {"type": "string"},
        "loud": {"type": "boolean"},
        "notes": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["mood", "why", "loud", "notes"],
    "additionalProperties": False,
}
"""Two closed fields, and two that are no list of options."""


# What the screen opens with


def test_the_page_opens_with_types_examples_and_defaults_that_its_own_tasks_take(run: Run) -> None:
    page = strict(decisions_page({}))
    assert [each["name"] for each in page["types"]] == ["ticket", "country-currency"]
    for each in page["types"]:
        (checked,) = run("check", schema=each["schema"])
        assert checked["type"]["fields"] == each["fields"]
        assert math.prod(len(field["options"]) for field in each["fields"]) == each["combinations"]
    assert page["country"]["tc_bits"] == pytest.approx(1, abs=1e-12)
    assert page["country"]["product"] == [[0.25, 0.25], [0.25, 0.25]]
    assert page["country"]["incoherent"]["factorised"] == 0.5
    kinds = {"ticket": ticket(), "country-currency": country_currency()}
    assert {each["type"] for each in page["examples"]} == set(kinds)
    for each in page["examples"]:
        assert each["text"]
        kinds[each["type"]].indices(each["gold"])  # a record of its type
    asked = asked_task({"task": "train", "type": "ticket", "spec": page["defaults"]})
    assert strict(asked.spec.model_dump(mode="json")) == page["defaults"]  # type: ignore[union-attr]
    assert {each["name"] for each in page["heads"]} == {"factorised", "chained", "joint"}


def test_a_hand_written_example_is_no_ticket_that_is_trained_on() -> None:
    trained = {item.prompt for item in SETS[SET].make()}
    assert not trained & {each["text"] for each in decisions_page({})["examples"]}


# Check


def test_free_texts_are_named_and_what_is_left_is_a_type(run: Run) -> None:
    (found,) = run("check", schema=json.dumps(MIXED))
    assert found["free"] == ["why", "notes"]
    assert [field["name"] for field in found["type"]["fields"]] == ["mood", "loud"]
    assert found["type"]["combinations"] == 4
    # What it says is the closed part is one by itself.
    (closed,) = run("check", schema=found["type"]["schema"])
    assert closed["free"] == []
    assert closed["type"]["fields"] == found["type"]["fields"]


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ("{", "line 1"),
        ("", "end of the text"),
        ("3", "object"),
        (json.dumps({"type": "object", "properties": {"why": {"type": "string"}}}), "why|typed"),
        (json.dumps({"$ref": "https://example.org/s.json"}), r"\$ref|ref"),
        ("[" * 50_000, "nest|deep|line"),
        (json.dumps({"enum": ["<script>alert(1)</script>"]}), "object|field"),
    ],
)
def test_a_schema_that_is_no_record_is_refused_in_words(run: Run, schema: str, words: str) -> None:
    with pytest.raises(PlaygroundError) as found:
        run("check", schema=schema)
    told = error_document(found.value)
    assert told["what"]
    assert re.search(words, str(found.value), re.I), str(found.value)


def test_markup_in_names_and_options_comes_back_as_it_was(run: Run) -> None:
    evil = "<script>alert(1)</script>${x}{{y}}"
    schema = {"type": "object", "properties": {evil: {"enum": [evil, "b"]}}, "required": [evil]}
    (found,) = run("check", schema=json.dumps({**schema, "additionalProperties": False}))
    (field,) = found["type"]["fields"]
    assert field["name"] == evil
    assert any(evil in option for option in field["options"])


def test_why_a_property_is_no_field_is_said_for_each(run: Run) -> None:
    fields = {
        "mood": {"enum": ["calm", "tense", "calm"]},
        "count": {"type": "integer"},
        "price": {"type": "number", "minimum": 0},
        "why": {"type": "string"},
    }
    (found,) = run("check", schema=json.dumps({"type": "object", "properties": fields}))
    assert found["free"] == ["count", "price", "why"]
    said = {each["name"]: (each["what"], each["hint"]) for each in found["reasons"]}
    assert said["count"] == (
        "`count` is a number without minimum and maximum.",
        "Add minimum and maximum.",
    )
    assert said["price"] == ("`price` is a number without maximum.", "Add maximum.")
    assert said["why"][0].startswith("`why` is free text")
    assert found["type"]["notes"] == ['`mood` lists "calm" more than once: it is one option.']


def test_the_recorded_decision_says_what_its_amount_stands_for() -> None:
    recorded = decisions_page({})["recorded"]
    amount = recorded["decision"]["record"]["amount"]
    (said,) = recorded["decision"]["stands"]
    assert said.startswith(f"amount {amount} is the middle of its bin, ")


# Score and compare


def test_the_model_scores_every_field_and_then_how_far_the_first_moves_the_others(
    run: Run,
) -> None:
    schema = json.dumps(
        {
            "type": "object",
            "properties": {"mood": {"enum": ["calm", "tense"]}, "loud": {"type": "boolean"}},
            "required": ["mood", "loud"],
            "additionalProperties": False,
        }
    )
    for mode, order in (("parallel", []), ("autoregressive", ["loud", "mood"])):
        documents = run("score", schema=schema, text=TEXT, mode=mode, order=order)
        assert all(each["kind"] == "scores" for each in documents)
        assert [len(each["fields"]) for each in documents] == sorted(
            len(each["fields"]) for each in documents
        )
        last = documents[-1]
        assert last["done"]
        assert last["order"] == (order or ["mood", "loud"])
        for field in last["fields"]:
            low, high = (sum(option["p_V"][end] for option in field["options"]) for end in (0, 1))
            assert low <= 1 + 1e-9
            assert high >= 1 - 1e-9
            raw = [sum(option["p"][end] for option in field["options"]) for end in (0, 1)]
            assert raw[0] + field["none"][0] <= 1 + 1e-9 <= raw[1] + field["none"][1] + 2e-9
        (moved,) = last["moved"]
        assert (moved["a"], moved["b"]) == tuple(last["order"])
        # Asked alone, a model needn't say what it says in the mean after each option.
        assert (moved["alone"] is None) == (mode == "autoregressive")
        if moved["alone"] is not None:
            low, high = moved["alone"]
            assert 0 <= low <= high <= 1


def test_scoring_ends_when_it_is_told_to(work: DecisionsWork) -> None:
    seen: list[Document] = []
    request = {"task": "score", "type": "ticket", "text": TEXT}
    with suppress(Cancelled):  # where it was told so while options were compiled
        for document in going(work, request, lambda: bool(seen)):
            seen.append(document)
    assert 1 <= len(seen) <= 3
    assert not seen[-1]["done"]
    assert len(seen[-1]["fields"]) == 1


@pytest.mark.parametrize(
    ("more", "words"),
    [({"order": ["nobody"]}, "nobody"), ({"order": ["intent", "intent"]}, "intent|twice")],
)
def test_an_order_of_no_fields_is_refused(run: Run, more: Document, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        run("score", type="ticket", text=TEXT, mode="autoregressive", **more)


# Free texts after the decided fields

EXPLAINED = {
    "type": "object",
    "properties": {
        "mood": {"enum": ["calm", "tense"]},
        "why": {"type": "string", "maxLength": 8},
        "loud": {"type": "boolean"},
    },
    "required": ["mood", "why", "loud"],
    "additionalProperties": False,
}


def test_free_texts_are_written_after_the_decided_fields_which_stay(run: Run) -> None:
    schema = json.dumps(EXPLAINED)
    (checked,) = run("check", schema=schema)
    names = [field["name"] for field in checked["type"]["fields"]]
    assert names == ["mood", "loud"]
    for choices in ([0, 0], [1, 1]):
        (found,) = run("explain", schema=schema, text=TEXT, choices=choices)
        decided = {"mood": ("calm", "tense")[choices[0]], "loud": bool(choices[1])}
        assert found["record"] == decided
        assert found["tokens"] > 0
        assert found["law"]
        if found["finished"]:
            written = json.loads(found["text"])
            assert set(written) == {"mood", "why", "loud"}
            assert {name: written[name] for name in decided} == decided
        assert found["text"].startswith("{")


@pytest.mark.parametrize("choices", [[], [0], [0, 0, 0], [2, 0], [0, -1], [10**9, 0]])
def test_decided_options_that_are_none_are_refused(run: Run, choices: list[int]) -> None:
    with pytest.raises(InvalidInput, match="aren't the schema's") as found:
        run("explain", schema=json.dumps(EXPLAINED), text=TEXT, choices=choices)
    assert found.value.where == "choices"


# What may be asked


@pytest.mark.parametrize(
    ("request_", "where"),
    [
        (None, ""),
        (3, ""),
        ([], ""),
        ({}, "task"),
        ({"task": "<script>"}, "task"),
        ({"task": "train", "type": "ticket", "more": 1}, "more"),
        ({"task": "train", "type": "/etc/passwd"}, "type"),
        ({"task": "train", "type": "ticket", "size": 10**9}, "size"),
        ({"task": "train", "type": "ticket", "size": float("nan")}, "size"),
        ({"task": "train", "type": "ticket", "spec": {"rate": float("nan")}}, "spec.rate"),
        ({"task": "train", "type": "ticket", "spec": {"epochs": 10**6}}, "spec.epochs"),
        ({"task": "train", "type": "ticket", "spec": {"head": {"kind": "x"}}}, "spec.head.kind"),
        ({"task": "train", "type": "ticket", "spec": {"head": {"hidden": 10**6}}}, "hidden"),
        (
            {"task": "train", "type": "ticket", "spec": {"head": {"order": ["a"] * 10**5}}},
            "spec.head.order",
        ),
        ({"task": "train", "type": "ticket", "spec": {"path": "/etc/passwd"}}, "spec.path"),
        ({"task": "decide", "type": "ticket", "text": 3}, "text"),
        ({"task": "decide", "type": "ticket", "text": "x" * 10**6}, "text"),
        ({"task": "decide", "type": "ticket", "text": TEXT, "head": ["a"]}, "head"),
        ({"task": "decide", "text": TEXT, "schema": "x" * 10**6}, "schema"),
        ({"task": "score", "text": TEXT, "mode": "fast"}, "mode"),
        ({"task": "score", "text": TEXT, "order": ["a"] * 10**5}, "order"),
        ({"task": "score", "text": TEXT, "order": ["a" * 10**5]}, "order.0"),
        ({"task": "explain", "schema": "{}", "text": "", "choices": [0] * 10**5}, "choices"),
        ({"task": "explain", "schema": "{}", "text": "", "choices": [0.5]}, "choices.0"),
        ({"task": "evaluate", "type": "ticket", "n": 0}, "n"),
        ({"task": "evaluate", "type": "ticket", "costs": {"a": [[0]]}}, "costs.a"),
        (
            {
                "task": "evaluate",
                "type": "ticket",
                "costs": {"escalate": {"costs": [[0, float("nan")], [1, 0]]}},
            },
            "costs.escalate.costs.0.1",
        ),
        (
            {"task": "evaluate", "costs": {"a": {"costs": [[0.0] * 10**5]}}},
            "costs.a.costs.0",
        ),
        ({"task": "evaluate", "costs": {"a": {"costs": [], "abstain": 1e300}}}, "abstain"),
        ({"task": "evaluate", "costs": {str(at): {"costs": []} for at in range(99)}}, "costs"),
        ({"task": "table", "n": 10**6}, "n"),
        ({"task": "table", "size": 2_001}, "size"),
        ({"task": "check", "schema": None}, "schema"),
    ],
    ids=lambda each: str(each)[:60],
)
def test_a_request_that_can_t_be_read_is_refused_naming_its_field(
    request_: object, where: str
) -> None:
    with pytest.raises(InvalidInput) as found:
        asked_task(request_)
    assert where in found.value.where
    told = error_document(found.value)
    assert len(told["what"]) < 1_000
    assert len(told["where"]) <= 100
    json.dumps(told)


def test_what_takes_a_moment_never_waits_for_what_takes_minutes() -> None:
    def lane(task: str, **more: object) -> str:
        asked: Asked = asked_task({"task": task, **more})
        return lane_of(asked)

    assert lane("check", schema="{}") == lane("decide", text=TEXT) == "quick"
    for task in ("train", "evaluate", "table"):
        assert lane(task) == "study"
    assert lane("score", text=TEXT) == lane("explain", text=TEXT, schema="{}", choices=[]) == "long"


def test_a_task_that_runs_too_long_ends_as_if_it_was_stopped() -> None:
    def make(cancelled: Callable[[], bool]) -> Iterator[Document]:
        at = -1
        while not cancelled():
            yield {"n": (at := at + 1)}

    told = list(within(0.05, make)(never))
    assert told[-1] == {"n": len(told) - 2, "limit": 0.05}, "also where nothing came after it"
    assert not any("limit" in each for each in told[:-1])
    assert not list(within(60, make)(lambda: True))
    stopped = list(within(60, make)(after(3)))
    assert stopped == [{"n": 0}, {"n": 1}, {"n": 2}], "stopped by its visitor"
    assert set(SECONDS) == set(LANES)
