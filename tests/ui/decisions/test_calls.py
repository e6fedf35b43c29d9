"""Heads of the Decisions screen without a browser: trained, decided by, and measured."""

import base64
import math
import re
from itertools import pairwise

import numpy as np
import pytest

from playground.decisions import LONGEST
from playground.errors import InvalidInput, PlaygroundError
from playground.fields.drift import SchemaDrift
from playground.fields.split import SET
from playground.fields.ticket import TICKET_SCHEMA, ticket
from playground.fields.weights import dump, load
from playground.record import Document
from playground.session import Playground
from playground.settings import Settings
from playground.study.items import SETS
from playground.ui.decisions import MODEL, decisions_page
from playground.ui.decisions_asked import MOST_HEAD, Evaluate, asked_task
from playground.ui.decisions_work import DecisionsWork
from tests.ticket_model import PROVENANCE, TicketModel
from tests.ui.decisions_driving import TEXT, Run, after, going, strict
from tests.ui.driving import NO_MODEL

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
    file = training[-1]["head"]
    costs = {"escalate": {"costs": [[0, 1], [5, 0]], "abstain": 0.25}}
    *reading, last = run("evaluate", type="ticket", head=file, n=70, costs=costs)
    done = [each["reading"]["done"] for each in reading]
    spent = [each["reading"]["seconds"] for each in reading]
    assert {each["reading"]["total"] for each in reading} == {82}
    assert done == sorted(done)
    assert done[0] == 12, "dev was read in training"
    assert done[-1] == 82
    assert all(b - a <= 20 for a, b in pairwise(done)), "told after every pass"
    assert spent == sorted(spent)
    assert last["done"]
    assert last["n"] == {"test": 70, "dev": 12}
    assert [field["name"] for field in last["fields"]] == list(TICKET_SCHEMA["properties"])
    for field in last["fields"]:
        rate = field["accuracy"]
        assert rate["n"] == 70
        assert 0 <= rate["lower"] <= rate["value"] <= rate["upper"] <= 1
        assert sum(each["n"] for each in field["bins"]) == 70
    # A field without a table pays one unit for any mistake.
    assert last["policy"]["intent"]["costs"] == (1.0 - np.eye(5)).tolist()
    assert all(each["lower"] <= each["value"] <= each["upper"] for each in last["tc"])
    assert last["policy"]["escalate"]["least"] is not None  # the file says which tickets are dev
    old = load(base64.b64decode(file), ticket(), PROVENANCE)
    old.trained = None
    blind_file = base64.b64encode(dump(old, PROVENANCE)).decode()
    *_, blind = run("evaluate", type="ticket", head=blind_file, n=5)
    assert blind["n"] == {"test": 5, "dev": None}
    assert blind["policy"]["escalate"]["least"] is None


def test_a_request_that_names_no_number_measures_on_a_hundred() -> None:
    asked = asked_task({"task": "evaluate", "type": "ticket"})
    assert isinstance(asked, Evaluate)
    assert asked.n == 100
    assert decisions_page({})["measured"] == [100, 500]


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
    # Told between two passes: what was read before is told, and no figure is made of it.
    asked: list[int] = []
    documents = []
    for document in going(work, request, lambda: len(asked) >= 2):
        asked.append(len(documents))
        documents.append(document)
    assert [each.get("done") for each in documents] == [False, False]
    assert documents[-1]["reading"]["done"] < documents[-1]["reading"]["total"]


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
    request = {"task": "evaluate", "type": "ticket", "n": 12, "head": trained["head"]}
    *_, measured = going(again, request)
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
