"""The Decisions screen's tasks without a browser: what is asked, trained, decided, measured, refused."""

import base64
import json
import math
import re
import struct
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from playground.decisions import LONGEST
from playground.errors import Cancelled, InvalidInput, PlaygroundError
from playground.fields.drift import SchemaDrift
from playground.fields.split import SET
from playground.fields.ticket import TICKET_SCHEMA, country_currency, ticket
from playground.record import Document, error_document
from playground.session import Playground
from playground.settings import Settings
from playground.study.items import SETS
from playground.ui import decisions_work
from playground.ui.decisions import MODEL, SECONDS, decisions_page, lane_of, within
from playground.ui.decisions_asked import MOST_HEAD, Asked, asked_task
from playground.ui.decisions_work import DecisionsWork
from playground.ui.server import MAX_BODY
from playground.ui.streaming import LANES
from tests.ticket_model import NAME, TicketModel, with_stand_in
from tests.ui.driving import NO_MODEL

TEXT = "I was charged twice for order 4411, 79 dollars, and nobody answers."
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
Run = Callable[..., list[Document]]


def never() -> bool:
    return False


def after(count: int) -> Callable[[], bool]:
    """Says to stop once it was asked so often."""
    asked = iter(range(count))
    return lambda: next(asked, None) is None


def going(work: DecisionsWork, request: Document, cancelled: Any = never) -> Iterator[Document]:
    """The documents of a request, as the browser sends it: through JSON."""
    task = asked_task(json.loads(json.dumps(request)))
    made = getattr(work, request["task"])
    return made(task) if request["task"] in ("check", "decide") else made(task, cancelled)


def strict(document: Document) -> Document:
    """The document, once it is JSON without NaN, as the page reads it."""
    return json.loads(json.dumps(document, allow_nan=False))


@pytest.fixture(scope="module")
def stand_in(tmp_path_factory: pytest.TempPathFactory) -> tuple[Playground, TicketModel]:
    return with_stand_in(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="module")
def work(stand_in: tuple[Playground, TicketModel]) -> DecisionsWork:
    return DecisionsWork(stand_in[0], NAME)


@pytest.fixture(scope="module")
def run(work: DecisionsWork) -> Run:
    def ask(task: str, **more: object) -> list[Document]:
        return [strict(each) for each in going(work, {"task": task, **more})]

    return ask


@pytest.fixture(scope="module")
def training(run: Run) -> list[Document]:
    """Every document of a short training."""
    return run("train", type="ticket", size=60, spec={"epochs": 3, "seed": 3})


@pytest.fixture(scope="module")
def head(training: list[Document]) -> str:
    return str(training[-1]["head"])


def schema_with(intents: list[str], **more: object) -> str:
    """The ticket's schema with other intents."""
    properties = {**TICKET_SCHEMA["properties"], "intent": {"enum": intents}, **more}
    required = list(properties)
    return json.dumps({**TICKET_SCHEMA, "properties": properties, "required": required})


INTENTS = list(TICKET_SCHEMA["properties"]["intent"]["enum"])


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


# Train


def test_training_tells_the_reading_then_every_epoch_then_its_head(
    training: list[Document],
) -> None:
    stages = [each["stage"] for each in training]
    assert stages == sorted(stages)  # features, then training
    reading = [each["features"]["done"] for each in training]
    assert reading[0] == 0
    assert reading == sorted(reading)
    assert reading[-1] == training[-1]["features"]["total"] == 60
    counts = [len(each["epochs"]) for each in training if each["stage"] == "training"]
    assert counts == [1, 2, 3, 4, 4]  # epoch 0 is the head before any
    assert [each["epoch"] for each in training[-1]["epochs"]] == [0, 1, 2, 3]
    assert not any(each["done"] or each["head"] for each in training[:-1])
    last = training[-1]
    assert last["done"]
    assert not last["stopped"]
    assert last["sizes"] == {"train": 48, "dev": 12, "test": 500}
    losses = [each["dev_loss"] for each in last["epochs"]]
    assert last["best"] == int(np.argmin(losses))
    assert last["epochs"][0]["dev_loss"] == pytest.approx(math.log(320), abs=0.5)
    assert set(last["epochs"][0]["dev_accuracy"]) == set(TICKET_SCHEMA["properties"])
    assert last["parameters"] > 0
    assert last["file"].endswith(".safetensors")


def test_equal_requests_give_equal_heads_and_another_seed_another(run: Run, head: str) -> None:
    asked = {"type": "ticket", "size": 60}
    assert run("train", **asked, spec={"epochs": 3, "seed": 3})[-1]["head"] == head
    assert run("train", **asked, spec={"epochs": 3, "seed": 4})[-1]["head"] != head


def test_a_training_that_is_stopped_keeps_its_best_head_and_that_decides(
    work: DecisionsWork, run: Run
) -> None:
    seen: list[Document] = []
    request = {"task": "train", "type": "ticket", "size": 60, "spec": {"epochs": 200}}
    for document in going(work, request, lambda: bool(seen) and len(seen[-1]["epochs"]) >= 3):
        seen.append(document)
    last = strict(seen[-1])
    assert last["stopped"]
    assert len(last["epochs"]) == 3
    assert last["best"] == int(np.argmin([each["dev_loss"] for each in last["epochs"]]))
    (decided,) = run("decide", type="ticket", text=TEXT, head=last["head"])
    assert set(decided["record"]) == set(TICKET_SCHEMA["properties"])


def test_stopped_while_it_reads_a_training_ends_without_a_head(work: DecisionsWork) -> None:
    request = {"task": "train", "type": "ticket", "size": 60, "spec": {"epochs": 3}}
    documents = list(going(work, request, after(0)))
    assert documents[-1]["stopped"]
    assert documents[-1]["head"] is None
    assert documents[-1]["epochs"] == []


def test_no_label_of_test_is_read_in_training(
    work: DecisionsWork, stand_in: tuple[Playground, TicketModel]
) -> None:
    _, model = stand_in
    model.read.clear()
    list(going(work, {"task": "train", "type": "ticket", "size": 20, "spec": {"epochs": 1}}))
    test = {item.prompt for item in SETS[SET].make() if item.split == "test"}
    assert not test & set(model.read)


@pytest.mark.parametrize("kind", ["factorised", "chained", "joint"])
def test_every_kind_of_head_is_trained_and_decides_a_record_of_the_type(
    run: Run, kind: str
) -> None:
    spec = {"epochs": 1, "head": {"kind": kind, "pooling": "attention"}}
    file = run("train", type="ticket", size=20, spec=spec)[-1]["head"]
    (decided,) = run("decide", type="ticket", text=TEXT, head=file)
    assert decided["head"]["kind"] == kind
    assert decided["text"] == TEXT
    assert decided["known"] == "exact"
    labels = {field["name"]: field for field in decided["fields"]}
    assert set(labels) == set(decided["record"])
    for field in decided["fields"]:
        own = [option["p"] for option in field["options"]]
        assert sum(own) == pytest.approx(1, abs=1e-9)
        assert own[field["decided"]] == pytest.approx(field["marginal"], abs=1e-9)
        assert 0 <= field["confidence"] <= 1
    for pair in decided["pairs"]:
        joint, apart = np.array(pair["joint"]), np.array(pair["product"])
        assert joint.sum() == pytest.approx(1, abs=1e-9)
        assert joint.sum(1) == pytest.approx(apart.sum(1), abs=1e-9)
    if kind == "factorised":
        assert decided["tc_bits"] == pytest.approx(0, abs=1e-9)


# Head files


def test_a_file_that_is_no_head_is_refused_in_words(run: Run, head: str) -> None:
    good = base64.b64decode(head)
    wide = bytearray(good)
    wide[:8] = struct.pack("<Q", 2**40)
    files = {
        "foreign": b"PK\x03\x04" + bytes(200),
        "a pickle": b"\x80\x04cos\nsystem\n(S'true'\ntR.",
        "cut": good[:-5],
        "a header too long": bytes(wide),
        "empty": b"",
        "markup": b"<script>alert(1)</script>",
    }
    for name, data in files.items():
        for task in ("decide", "evaluate"):
            more = {"text": TEXT} if task == "decide" else {"n": 1}
            with pytest.raises(InvalidInput) as found:
                run(task, type="ticket", head=base64.b64encode(data).decode(), **more)
            assert found.value.hint, name
    with pytest.raises(InvalidInput, match="can't be read") as found:
        run("decide", type="ticket", text=TEXT, head="not base64!")
    assert found.value.where == "head"


def test_a_head_file_that_is_too_large_is_refused_before_it_is_read(run: Run) -> None:
    assert MOST_HEAD < MAX_BODY
    with pytest.raises(InvalidInput) as found:
        run("decide", type="ticket", text=TEXT, head="A" * (MOST_HEAD + 4))
    assert "head" in found.value.where


def test_a_head_of_another_schema_says_which_field_differs(run: Run, head: str) -> None:
    renamed = schema_with(["complaint", *INTENTS[1:]])
    for schema in (renamed, schema_with(INTENTS[:-1]), schema_with(INTENTS, mood={"enum": ["a"]})):
        with pytest.raises(SchemaDrift) as found:
            run("decide", schema=schema, text=TEXT, head=head)
        assert error_document(found.value)["added"] == []
    with pytest.raises(SchemaDrift, match="intent"):
        run("decide", schema=renamed, text=TEXT, head=head)


def test_a_head_of_another_model_is_refused(tmp_path: Path, head: str) -> None:
    playground, model = with_stand_in(tmp_path)
    model.provenance = type(model.provenance)(NAME, "2", "float32", "live")
    request = {"task": "decide", "type": "ticket", "text": TEXT, "head": head}
    with pytest.raises(InvalidInput, match="states of stand-in"):
        list(going(DecisionsWork(playground, NAME), request))


def test_an_added_option_is_offered_and_fine_tunes_its_field_alone(
    work: DecisionsWork, run: Run, head: str
) -> None:
    wider = schema_with([*INTENTS, "legal"])
    with pytest.raises(SchemaDrift) as found:
        run("decide", schema=wider, text=TEXT, head=head)
    told = strict(error_document(found.value))
    assert told["added"] == [["intent", ["legal"]]]
    assert "intent" in told["hint"]
    (before,) = run("decide", type="ticket", text=TEXT, head=head)
    spec = {"epochs": 5, "seed": 3}
    last = run("train", schema=wider, size=60, spec=spec, widen=head)[-1]
    assert last["epochs"][-1]["train_loss"] < last["epochs"][0]["train_loss"]
    (wide,) = run("decide", schema=wider, text=TEXT, head=last["head"])
    intent, *others = wide["fields"]
    assert [option["label"] for option in intent["options"]] == [*INTENTS, "legal"]
    for old, new in zip(before["fields"][1:], others, strict=True):
        for was, now in zip(old["options"], new["options"], strict=True):
            assert was["label"] == now["label"]
            assert was["p"] == pytest.approx(now["p"], abs=1e-12)
    again = run("decide", schema=wider, text=TEXT, head=last["head"])
    assert again[0]["record"] == wide["record"]
    # The old schema is another one for it.
    with pytest.raises(SchemaDrift, match="lost"):
        run("decide", type="ticket", text=TEXT, head=last["head"])


def test_a_head_of_a_quite_other_schema_is_not_widened(run: Run, head: str) -> None:
    schema = schema_with(["complaint", *INTENTS[1:]])
    with pytest.raises(PlaygroundError):
        run("train", schema=schema, size=20, spec={"epochs": 1}, widen=head)


def test_where_no_head_was_recorded_that_is_said(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = {**decisions_page({}), "recorded": None}
    monkeypatch.setattr(decisions_work, "page_props", lambda: bare)
    for task, more in (("decide", {"text": TEXT}), ("evaluate", {"n": 1})):
        with pytest.raises(InvalidInput, match="no recorded head") as found:
            run(task, type="ticket", **more)
        assert "Train" in found.value.hint


# Decide


@pytest.mark.parametrize(
    ("text", "words"),
    [("", "empty"), (" \n", "empty"), ("x" * (LONGEST + 1), "8,?000")],
)
def test_a_text_that_can_t_be_decided_is_refused(
    run: Run, head: str, text: str, words: str
) -> None:
    with pytest.raises(InvalidInput, match=words):
        run("decide", type="ticket", text=text, head=head)


def test_a_long_text_is_cut_and_that_is_said(run: Run, head: str) -> None:
    short, long = (
        run("decide", type="ticket", text=text, head=head)[0] for text in ("late", "late " * 800)
    )
    assert (short["tokens"], short["truncated"]) == (4, False)
    assert (long["tokens"], long["truncated"]) == (256, True)


def test_a_visitors_text_is_kept_nowhere(
    work: DecisionsWork, stand_in: tuple[Playground, TicketModel], head: str
) -> None:
    playground, model = stand_in
    before = sorted(playground.settings.cache.rglob("*"))
    state = dict(vars(work)), dict(vars(work.decisions))
    for _ in range(2):
        model.read.clear()
        request = {"task": "decide", "type": "ticket", "text": "only mine", "head": head}
        list(going(work, request))
        assert model.read == ["only mine"]  # read anew: nothing was kept
    assert sorted(playground.settings.cache.rglob("*")) == before
    assert (dict(vars(work)), dict(vars(work.decisions))) == state


def test_one_visitors_head_never_reaches_another(run: Run, head: str) -> None:
    other = run("train", type="ticket", size=60, spec={"epochs": 3, "seed": 9})[-1]["head"]
    mine = run("decide", type="ticket", text=TEXT, head=head)[0]["fields"]
    theirs = run("decide", type="ticket", text=TEXT, head=other)[0]["fields"]
    assert mine != theirs
    assert run("decide", type="ticket", text=TEXT, head=head)[0]["fields"] == mine
    recorded = decisions_page({})["recorded"]
    if recorded is None:
        with pytest.raises(InvalidInput, match="no recorded head"):
            run("decide", type="ticket", text=TEXT)


# Measure


def test_a_head_is_measured_on_test_and_its_costs_count(run: Run, training: list[Document]) -> None:
    file, spec = training[-1]["head"], training[-1]["spec"]
    costs = {"escalate": {"costs": [[0, 1], [5, 0]], "abstain": 0.25}}
    *reading, last = run("evaluate", type="ticket", head=file, n=70, spec=spec, costs=costs)
    assert [each["reading"]["done"] for each in reading] == [0, 32, 64]
    assert last["done"]
    assert last["n"]["test"] == 70
    assert [field["name"] for field in last["fields"]] == list(TICKET_SCHEMA["properties"])
    for field in last["fields"]:
        rate = field["accuracy"]
        assert rate["n"] == 70
        assert 0 <= rate["lower"] <= rate["value"] <= rate["upper"] <= 1
        assert sum(each["n"] for each in field["bins"]) == 70
    # A field without a table pays one unit for any mistake.
    assert last["policy"]["intent"]["costs"] == (1.0 - np.eye(5)).tolist()
    assert all(each["lower"] <= each["value"] <= each["upper"] for each in last["tc"])
    assert last["policy"]["escalate"]["least"] is not None  # the spec says which tickets are dev
    *_, blind = run("evaluate", type="ticket", head=file, n=5)
    assert blind["policy"]["escalate"]["least"] is None


def test_a_policy_pays_what_its_decisions_pay_by_hand(run: Run, head: str) -> None:
    matrix, abstain = [[0, 1], [5, 0]], 0.25
    costs = {"escalate": {"costs": matrix, "abstain": abstain}}
    *_, last = run("evaluate", type="ticket", head=head, n=20, costs=costs)
    policy = last["policy"]["escalate"]
    assert (policy["costs"], policy["abstain"]) == (matrix, abstain)
    test = [item for item in SETS[SET].make() if item.split == "test"][:20]
    laws = []
    for item in test:
        (decided,) = run("decide", type="ticket", text=item.prompt, head=head)
        laws.append([option["p"] for option in decided["fields"][2]["options"]])
    assert policy["options"] == ["false", "true"]
    gold = [int(item.gold["escalate"]) for item in test]
    wanted = [
        [sum(p * row[at] for p, row in zip(law, matrix, strict=True)) for at in (0, 1)]
        for law in laws
    ]
    taken = [int(np.argmin(each)) for each in wanted]
    for point in policy["curve"]:
        kept = [law[at] >= point["threshold"] for law, at in zip(laws, taken, strict=True)]
        paid = [
            matrix[true][at] if sure else abstain
            for at, true, sure in zip(taken, gold, kept, strict=True)
        ]
        assert point["coverage"] == pytest.approx(np.mean(kept))
        assert point["cost"] == pytest.approx(np.mean(paid))
    sent = [at if each[at] <= abstain else 2 for each, at in zip(wanted, taken, strict=True)]
    paid = [abstain if at == 2 else matrix[true][at] for at, true in zip(sent, gold, strict=True)]
    assert policy["expected"]["cost"] == pytest.approx(np.mean(paid))
    assert policy["routed"] == [sent.count(at) for at in range(3)]


@pytest.mark.parametrize(
    ("costs", "words"),
    [
        ({"nobody": {"costs": [[0, 1], [1, 0]]}}, "nobody"),
        ({"escalate": {"costs": [[0, 1]]}}, "escalate"),
        ({"escalate": {"costs": [[0, 1], [1]]}}, "escalate"),
        ({"escalate": {"costs": []}}, "escalate"),
        ({"escalate": {"costs": [[0, 1e9], [1, 0]]}}, "1e\\+?09|1,?000,?000,?000|escalate|false"),
    ],
)
def test_a_bad_table_of_costs_is_refused_naming_its_field(
    run: Run, head: str, costs: Document, words: str
) -> None:
    with pytest.raises(PlaygroundError) as found:
        run("evaluate", type="ticket", head=head, n=2, costs=costs)
    assert re.search(words, str(found.value)), str(found.value)


def test_measuring_ends_when_it_is_told_to(work: DecisionsWork, head: str) -> None:
    request = {"task": "evaluate", "type": "ticket", "head": head, "n": 300}
    documents = list(going(work, request, after(2)))
    assert [each.get("done") for each in documents] == [False, False]


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
        while not cancelled():
            yield {}

    assert list(within(0.05, make)(never))
    assert not list(within(60, make)(lambda: True))
    assert set(SECONDS) == set(LANES)


# The default model


@NO_MODEL
@pytest.mark.model
def test_a_head_on_the_default_model_is_trained_decides_and_is_measured() -> None:
    work = DecisionsWork(Playground(Settings.from_env()), MODEL)
    spec = {"epochs": 20, "head": {"kind": "chained", "order": ["intent"]}}
    request = {"task": "train", "type": "ticket", "size": 40, "spec": spec}
    *_, trained = going(work, request)
    assert trained["sizes"] == {"train": 32, "dev": 8, "test": 500}
    assert trained["epochs"][-1]["train_loss"] < trained["epochs"][0]["train_loss"]
    (decided,) = going(
        work, {"task": "decide", "type": "ticket", "text": TEXT, "head": trained["head"]}
    )
    assert sum(option["p"] for option in decided["fields"][1]["options"]) == pytest.approx(1)
    assert len(base64.b64decode(trained["head"])) < MOST_HEAD * 3 / 4
    again = DecisionsWork(Playground(Settings.from_env()), MODEL)
    more = {"head": trained["head"], "spec": trained["spec"]}
    *_, measured = going(again, {"task": "evaluate", "type": "ticket", "n": 12, **more})
    assert strict(measured)["fields"][0]["accuracy"]["n"] == 12


@NO_MODEL
@pytest.mark.model
def test_the_recorded_head_decides_where_a_visitor_has_none() -> None:
    recorded = decisions_page({})["recorded"]
    if recorded is None:
        pytest.skip("nothing is recorded in this checkout")
    work = DecisionsWork(Playground(Settings.from_env()), MODEL)
    old = recorded["decision"]
    (found,) = going(work, {"task": "decide", "type": "ticket", "text": old["text"]})
    assert found["record"] == old["record"]
    for was, now in zip(old["fields"], found["fields"], strict=True):
        assert [each["p"] for each in now["options"]] == pytest.approx(
            [each["p"] for each in was["options"]], abs=2e-3
        )
    with pytest.raises(SchemaDrift):
        list(going(work, {"task": "decide", "type": "country-currency", "text": TEXT}))
