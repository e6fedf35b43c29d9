"""Heads trained on the built-in tickets: the same seed the same bytes, and nothing of test before test."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest
from numpy.typing import NDArray

from playground import decisions as module
from playground.constraints.spec import ConstraintSpec
from playground.decisions import LONGEST, Decisions
from playground.decisions_found import Trained
from playground.decoding.run import never
from playground.errors import InvalidInput, ModelUnavailable
from playground.fields import calibration, features, training
from playground.fields.accepted import records_accepted
from playground.fields.evaluate import field_accuracy
from playground.fields.head_spec import HeadSpec, TrainingSpec
from playground.fields.heads import Head, build
from playground.fields.kept import Kept
from playground.fields.record_type import RecordType
from playground.fields.schema import record_type_of
from playground.fields.split import gold_laws, split_of
from playground.fields.ticket import TICKET_SCHEMA, ticket
from playground.fields.weights import dump, load
from playground.models.rows import RowStore
from playground.session import Playground
from playground.settings import Settings
from tests.ticket_model import NAME, WIDTH, TicketModel, with_stand_in

SMALL = TrainingSpec(train=60, dev=20, epochs=4)
SPECS = (
    HeadSpec(),
    HeadSpec(kind="chained", order=("intent", "priority"), pooling="last", dropout=0.2),
    HeadSpec(kind="joint", joint=("intent", "priority"), hidden=8, pooling="attention"),
)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Decisions, TicketModel]:
    """Nothing kept from another test."""
    monkeypatch.setattr(features, "_MEMORY", Kept())
    playground, model = with_stand_in(tmp_path)
    return Decisions(playground, NAME), model


def trained(decisions: Decisions, spec: TrainingSpec = SMALL) -> Trained:
    *_, found = decisions.train(spec)
    assert found.head is not None
    return found


def head_of(decisions: Decisions, spec: TrainingSpec = SMALL) -> Head:
    head = trained(decisions, spec).head
    assert head is not None
    return head


def tickets_of(spec: TrainingSpec) -> tuple[str, ...]:
    """The texts of its cut, train and dev."""
    tickets = split_of("train")
    return tuple(
        tickets.texts[row] for rows in training.cut(len(tickets.texts), spec) for row in rows
    )


def read(texts: tuple[str, ...]) -> set[str]:
    """What the stand-in sees of them."""
    return {text.encode()[:256].decode("utf-8", "replace") for text in texts}


def forbidden(*_: Any, **__: Any) -> NoReturn:
    raise AssertionError("this must not be asked")


# ---- training ----------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", SPECS, ids=lambda shape: shape.kind)
def test_training_is_reproducible_by_its_seed(
    place: tuple[Decisions, TicketModel], shape: HeadSpec
) -> None:
    decisions, _ = place
    first, again, other = (
        dump(
            head_of(decisions, SMALL.model_copy(update={"head": shape, "seed": seed})),
            decisions.provenance,
        )
        for seed in (0, 0, 1)
    )
    assert first == again
    assert first != other


def test_training_reads_no_ticket_of_test(
    place: tuple[Decisions, TicketModel], monkeypatch: pytest.MonkeyPatch
) -> None:
    decisions, model = place
    asked = list[str]()
    real = split_of
    monkeypatch.setattr(
        module, "split_of", lambda name, *more: (asked.append(name), real(name, *more))[1]
    )
    found = trained(decisions)
    assert set(asked) == {"train"}
    assert set(model.read) <= read(real("train").texts)
    assert not set(model.read) & read(real("test").texts)
    assert len(set(model.read)) == sum(found.sizes) == 80
    assert found.sizes == (60, 20)


def test_the_temperatures_are_those_of_dev(place: tuple[Decisions, TicketModel]) -> None:
    """Fitted anew on the tickets that the cut calls dev, they are the same."""
    decisions, _ = place
    head = head_of(decisions)
    before = head.temperatures
    assert any(value != 1 for value in before.values())
    tickets = split_of("train")
    fit, dev = (tickets.take(rows) for rows in training.cut(len(tickets.texts), SMALL))
    assert not set(fit.texts) & set(dev.texts)
    training.temper(head, decisions.features(dev.texts), dev.labels)
    assert head.temperatures == pytest.approx(before, rel=1e-9)


def test_a_training_streams_its_reading_its_epochs_and_its_head(
    place: tuple[Decisions, TicketModel],
) -> None:
    told = list(place[0].train(SMALL))
    reading = [each.reading for each in told if not each.epochs]
    assert reading[0] == (0, 80)
    assert reading[-1] == (80, 80)
    assert all(0 < b[0] - a[0] <= 20 for a, b in pairwise(reading))
    count = len(reading)
    assert [len(each.epochs) for each in told[count:-1]] == list(range(1, len(told) - count))
    assert [each.head is not None for each in told] == [False] * (len(told) - 1) + [True]


def test_stopped_while_reading_there_is_no_head(place: tuple[Decisions, TicketModel]) -> None:
    """After the pass under way, not after some more: what was read then is what is told."""
    decisions, model = place
    told = list(decisions.train(SMALL, lambda: bool(model.read)))
    assert told[-1].stopped
    assert told[-1].head is None
    assert not any(each.stopped for each in told[:-1])
    assert told[-1].reading == (len(model.read), 80)
    assert 0 < len(model.read) < 20, "the shortest of 80 tickets, 512 tokens"


def test_stopped_while_training_the_best_epoch_is_kept(
    place: tuple[Decisions, TicketModel],
) -> None:
    told = list[Trained]()
    spec = SMALL.model_copy(update={"epochs": 50, "patience": 50})
    for found in place[0].train(spec, lambda: bool(told) and len(told[-1].epochs) >= 3):
        told.append(found)
    assert told[-1].stopped
    assert len(told[-1].epochs) == 3
    best = min(told[-1].epochs, key=lambda epoch: epoch.dev_loss)
    whole = head_of(place[0], SMALL.model_copy(update={"epochs": max(1, best.epoch)}))
    head = told[-1].head
    assert head is not None
    assert head.trained == spec
    head.trained = whole.trained
    assert dump(head, place[0].provenance) == dump(whole, place[0].provenance)


def test_what_can_t_be_trained_is_refused_before_a_ticket_is_read(
    place: tuple[Decisions, TicketModel],
) -> None:
    decisions, model = place
    spec = SMALL.model_copy(update={"head": HeadSpec(kind="chained", order=("mood",))})
    with pytest.raises(InvalidInput, match="no field"):
        next(decisions.train(spec))
    with pytest.raises(InvalidInput, match=r"more than the 2,000 training tickets"):
        next(decisions.train(TrainingSpec(train=1_900)))
    one = SMALL.model_copy(update={"head": HeadSpec(kind="joint", joint=("intent",))})
    with pytest.raises(InvalidInput, match="two fields or more"):
        next(decisions.train(one))
    assert not model.read
    with pytest.raises(ModelUnavailable, match="no hidden states"):
        next(Decisions(decisions.playground, "toy:sky").train(SMALL))


# ---- fine-tuning --------------------------------------------------------------------------------


def wider_file(decisions: Decisions, head: Head) -> tuple[RecordType, bytes]:
    """The ticket with one intent more, and the head's file."""
    properties = dict(TICKET_SCHEMA["properties"])
    properties["intent"] = {"enum": [*properties["intent"]["enum"], "legal"]}
    source = json.dumps({**TICKET_SCHEMA, "properties": properties})
    wider = record_type_of(ConstraintSpec(kind="schema", source=source))
    return wider, dump(head, decisions.provenance)


def tuned(decisions: Decisions, file: bytes, wider: RecordType, spec: TrainingSpec) -> Trained:
    start, only = decisions.widened(file, wider)
    assert only == ("intent",)
    *_, found = decisions.train(spec, never, wider, start, only)
    assert found.head is not None
    return found


def others(decisions: Decisions, head: Head) -> list[NDArray[np.float64]]:
    """The laws of every field but intent on some test tickets."""
    return list(head.marginals(decisions.features(split_of("test").texts[:20])))[1:]


OTHERS = (SMALL.model_copy(update={"seed": 7}), SMALL.model_copy(update={"train": 30, "dev": 11}))


@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
@pytest.mark.parametrize("asked", OTHERS, ids=["another seed", "other sizes"])
@pytest.mark.parametrize("kind", ["factorised", "joint"])
def test_fine_tuning_a_field_leaves_the_laws_of_the_others_bit_for_bit(
    place: tuple[Decisions, TicketModel], asked: TrainingSpec, known: bool, kind: str
) -> None:
    decisions, _ = place
    shape = HeadSpec(kind=kind, joint=("priority", "escalate") if kind == "joint" else ())  # type: ignore[arg-type]
    head = head_of(decisions, SMALL.model_copy(update={"head": shape}))
    before = others(decisions, head)
    assert len(set(head.temperatures.values()) - {1.0}) > 1
    if not known:
        head.trained = None
    wider, file = wider_file(decisions, head)
    found = tuned(decisions, file, wider, asked).head
    assert found is not None
    for old, new in zip(before, others(decisions, found), strict=True):
        assert (old == new).all()
    assert found.temperatures["intent"] not in (1.0, head.temperatures["intent"])


def test_fine_tuning_a_link_of_a_chain_leaves_the_temperatures_of_the_others(
    place: tuple[Decisions, TicketModel],
) -> None:
    decisions, _ = place
    shape = HeadSpec(kind="chained", order=ticket().names)
    head = head_of(decisions, SMALL.model_copy(update={"head": shape}))
    wider, file = wider_file(decisions, head)
    found = tuned(decisions, file, wider, OTHERS[0]).head
    assert found is not None
    old, new = head.temperatures, found.temperatures
    assert {name for name in old if old[name] != new[name]} == {"intent"}


@pytest.mark.parametrize("asked", OTHERS, ids=["another seed", "other sizes"])
def test_what_was_dev_stays_dev_when_a_head_is_fine_tuned(
    place: tuple[Decisions, TicketModel], asked: TrainingSpec
) -> None:
    """And once more, from the file of the fine-tuned head, it does."""
    decisions, model = place
    head = head_of(decisions)
    wider, file = wider_file(decisions, head)
    first = tuned(decisions, file, wider, asked)
    assert set(model.read) == read(tickets_of(SMALL)), "no ticket of another cut was read"
    assert first.sizes == (60, 20)
    assert first.head is not None
    assert first.head.trained is not None
    assert first.head.trained.seed == asked.seed
    again = load(dump(first.head, decisions.provenance), wider, decisions.provenance)
    dev = decisions.tickets(again, 500)[1]
    assert dev is not None
    assert dev.texts == decisions.tickets(head, 500)[1].texts  # type: ignore[union-attr]


def test_where_nobody_knows_what_was_dev_nobody_knows_it_after(
    place: tuple[Decisions, TicketModel],
) -> None:
    decisions, _ = place
    head = head_of(decisions)
    head.trained = None
    wider, file = wider_file(decisions, head)
    found = tuned(decisions, file, wider, OTHERS[1])
    assert found.sizes == (30, 11)
    assert found.head is not None
    assert found.head.trained is None
    assert decisions.tickets(found.head, 5)[1] is None


# ---- measuring ---------------------------------------------------------------------------------


def test_an_evaluation_fits_nothing_and_reads_test_alone(
    place: tuple[Decisions, TicketModel], monkeypatch: pytest.MonkeyPatch
) -> None:
    decisions, model = place
    head = head_of(decisions)
    head.trained = None
    before = dump(head, decisions.provenance)
    model.read.clear()
    for owner, name in (
        (training, "cut"),
        (training, "temper"),
        (training, "train"),
        (training, "fit_temperature"),
        (calibration, "fit_temperature"),
    ):
        monkeypatch.setattr(owner, name, forbidden)
    found = decisions.evaluate(head, 30)
    assert set(model.read) == read(split_of("test").texts[:30])
    assert dump(head, decisions.provenance) == before
    assert (found.n, found.dev) == (30, None)
    assert all(each.dev is None for each in found.fields)


def test_other_labels_of_test_change_no_temperature(
    place: tuple[Decisions, TicketModel],
) -> None:
    """And where the training is known the thresholds' rows are dev's, not test's."""
    decisions, model = place
    head = head_of(decisions)
    assert head.trained == SMALL
    head = load(dump(head, decisions.provenance), ticket(), decisions.provenance)
    found = decisions.evaluate(head, 30)
    assert (found.n, found.dev) == (30, 20)
    tickets = split_of("train")
    dev = tickets.take(training.cut(len(tickets.texts), SMALL)[1])
    for at, each in enumerate(found.fields):
        assert each.dev is not None
        assert each.dev.split == "dev"
        assert each.dev.labels.tolist() == dev.labels[:, at].tolist()
        assert each.scored.split == "test"
        assert each.temperature == head.temperatures[each.name]
    fit = tickets.take(training.cut(len(tickets.texts), SMALL)[0])
    assert set(model.read) == read(fit.texts) | read(dev.texts) | read(split_of("test").texts[:30])


def test_no_more_of_dev_is_read_than_of_test_and_all_of_it_is_told(
    place: tuple[Decisions, TicketModel],
) -> None:
    decisions, _ = place
    head = head_of(decisions)
    told = list[tuple[int, int]]()
    found = decisions.evaluate(head, 5, lambda *at: told.append(at))
    assert (found.n, found.dev) == (5, 5)
    assert told[-1] == (10, 10)
    assert all(each.dev is not None and len(each.dev.labels) == 5 for each in found.fields)


def test_what_is_measured_is_what_the_head_decides(place: tuple[Decisions, TicketModel]) -> None:
    decisions, _ = place
    head = head_of(decisions)
    test = split_of("test").take(range(25))
    found = decisions.evaluate(head, 25)
    indices = head.decide(decisions.features(test.texts)).indices
    right = field_accuracy(indices, test.labels, ticket().names)
    assert {each.name: each.accuracy for each in found.fields} == right
    assert found.record.count == int((indices == test.labels).all(1).sum())
    for at, each in enumerate(found.fields):
        counts = np.bincount(test.labels[:, at])
        assert each.majority == counts.max() / 25


def test_the_gold_laws_are_laws_and_hold_the_labels() -> None:
    test = split_of("test")
    laws = gold_laws(test, ticket())
    assert np.allclose(laws.reshape(len(laws), -1).sum(1), 1)
    held = laws[(np.arange(len(laws)), *test.labels.T)]
    assert (held > 0).all()
    doubtful = np.array([bool(item.law) for item in test.items])
    assert (held[~doubtful] == 1).all()
    assert doubtful.any()


# ---- deciding ----------------------------------------------------------------------------------


def test_a_text_is_decided_from_one_pass_each_time(place: tuple[Decisions, TicketModel]) -> None:
    decisions, model = place
    head = build(HeadSpec(kind="chained"), ticket(), WIDTH, seed=3)
    text = "My invoice lists 40 dollars twice."
    first, again = (decisions.decide(head, text) for _ in range(2))
    assert model.read == [text, text], "what was read before is no decision's time"
    assert first.record == again.record
    assert first.law.shape == ticket().sizes
    assert first.law.sum() == pytest.approx(1, abs=1e-12)
    indices = tuple(first.decision.indices[0])
    assert first.law[indices] == pytest.approx(first.decision.record[0], abs=1e-12)
    assert records_accepted(ticket().schema, [json.loads(json.dumps(first.record))]) == [True]
    assert (first.tokens, first.truncated) == (len(text), False)
    long = decisions.decide(head, "a" * 300)
    assert (long.tokens, long.truncated) == (256, True)


def test_read_gives_the_kept_states(place: tuple[Decisions, TicketModel]) -> None:
    decisions, _ = place
    text = split_of("test").texts[0]
    fresh, kept = decisions.read(text), decisions.features([text])
    assert np.array_equal(fresh.states[0], kept.states[0])
    assert fresh.states[0].dtype == kept.states[0].dtype


@pytest.mark.parametrize("text", ["", " \n", "a" * (LONGEST + 1)])
def test_a_text_that_can_t_be_decided_is_refused(
    place: tuple[Decisions, TicketModel], text: str
) -> None:
    head = build(HeadSpec(), ticket(), WIDTH)
    with pytest.raises(InvalidInput):
        place[0].decide(head, text)
    assert not place[1].read


def test_options_are_scored_on_a_store_of_one_s_own(place: tuple[Decisions, TicketModel]) -> None:
    decisions, _ = place
    rows = RowStore(2**26)
    before = decisions.playground.rows.computed
    *_, score = decisions.scorer(ticket(), "Hello", rows=rows).record("parallel")
    assert decisions.playground.rows.computed == before
    assert rows.computed > 0
    assert score.indices is not None
    ticket().record(score.indices)


@pytest.mark.model
def test_a_head_on_the_real_model() -> None:
    """Trained on some tickets it decides by one pass, and its law is a law."""
    decisions = Decisions(Playground(Settings.from_env()))
    spec = TrainingSpec(train=24, dev=8, epochs=3)
    first, again = (head_of(decisions, spec) for _ in range(2))
    assert dump(first, decisions.provenance) == dump(again, decisions.provenance)
    found = decisions.evaluate(first, 4)
    assert found.n == 4
    decided = decisions.decide(first, "My invoice lists 40 dollars twice.")
    assert decided.law.sum() == pytest.approx(1, abs=1e-9)
