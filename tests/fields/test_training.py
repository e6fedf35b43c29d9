"""Training: reproducible by seed, the best kept, labels checked, and what it learns."""

import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch

from playground.errors import InvalidInput
from playground.fields.head_spec import HeadSpec, TrainingSpec
from playground.fields.heads import build
from playground.fields.record_type import RecordType
from playground.fields.training import Epoch, Training, cut, cut_as, temper, train
from tests.fields.random_heads import WIDTH, field, states, tickets

CHAIN = HeadSpec(kind="chained", order=("intent", "priority", "escalate", "amount"), hidden=8)


def problem(rows: int = 300, seed: int = 0, width: int = WIDTH) -> tuple[np.ndarray, np.ndarray]:
    """States and records: intent and amount can be read off the state, priority and escalate are
    what intent says."""
    x = states(rows, seed, width)
    intent = x[:, :3].argmax(1)
    amount = x[:, 3:6].argmax(1)
    return x * 5 + 3, np.stack([intent, intent % 2, intent // 2, amount], 1)


def run(spec: TrainingSpec, **more: object) -> Training:
    x, y = problem()
    dev_x, dev_y = problem(100, 1)
    return train(spec, tickets(), x, y, dev_x, dev_y, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["factorised", "chained", "joint"])
@pytest.mark.parametrize("pooling", ["mean", "attention"])
def test_it_learns_what_can_be_read_off_the_state(kind: str, pooling: str) -> None:
    spec = TrainingSpec(head=HeadSpec(kind=kind, pooling=pooling, hidden=16), epochs=40, rate=0.02)  # type: ignore[arg-type]
    x, y = problem()
    dev_x, dev_y = problem(100, 1)
    if pooling == "attention":
        x, dev_x = ([np.stack([row] * 3) for row in each] for each in (x, dev_x))
    ongoing = train(spec, tickets(), x, y, dev_x, dev_y)
    epochs = list(ongoing)
    assert epochs[0].epoch == 0
    assert epochs[0].dev_accuracy[0] < 0.7
    assert min(epochs[ongoing.best_epoch].dev_accuracy) > 0.85
    assert epochs[ongoing.best_epoch].dev_loss == min(each.dev_loss for each in epochs)
    decided = ongoing.best.decide(dev_x).indices
    assert tuple((decided == dev_y).mean(0)) == epochs[ongoing.best_epoch].dev_accuracy


def test_the_same_seed_gives_the_same_weights_and_touches_no_other_chance() -> None:
    spec = TrainingSpec(head=HeadSpec(kind="chained", hidden=8, dropout=0.3), epochs=3, seed=5)
    before = torch.get_rng_state()
    one, two = run(spec), run(spec)
    interleaved = list(zip(one, two, strict=True))
    assert (torch.get_rng_state() == before).all()
    for a, b in interleaved:
        assert (a.train_loss, a.dev_loss, a.dev_accuracy) == (
            b.train_loss,
            b.dev_loss,
            b.dev_accuracy,
        )
    other = run(spec.model_copy(update={"seed": 6}))
    list(other)
    for name, weights in one.best.state_dict().items():
        assert torch.equal(weights, two.best.state_dict()[name])
    assert not torch.equal(one.best.outputs[0].weight, other.best.outputs[0].weight)


def test_dropout_is_drawn_in_training_alone() -> None:
    torch.manual_seed(0)
    plain, dropped = (
        [each.train_loss for each in run(TrainingSpec(head=HeadSpec(dropout=share), epochs=3))]
        for share in (0.0, 0.5)
    )
    assert plain[0] == dropped[0]
    assert dropped[3] > plain[3]


def test_it_stops_early_and_keeps_the_best() -> None:
    spec = TrainingSpec(epochs=1000, patience=3, rate=0.5)
    ongoing = run(spec)
    epochs = list(ongoing)
    assert len(epochs) == ongoing.best_epoch + 3 + 1 < 900
    assert [each.epoch for each in epochs if each.best][-1] == ongoing.best_epoch
    dev_x, dev_y = problem(100, 1)
    with torch.no_grad():
        again = float(ongoing.best.loss(dev_x, torch.from_numpy(dev_y)))
    assert again == pytest.approx(epochs[ongoing.best_epoch].dev_loss, rel=1e-5)


def test_stopped_in_mid_epoch_it_keeps_what_it_had() -> None:
    asked = 0

    def cancelled() -> bool:
        nonlocal asked
        asked += 1
        return asked > 13

    ongoing = run(TrainingSpec(epochs=100), cancelled=cancelled)
    epochs = list(ongoing)
    assert 1 < len(epochs) < 5
    whole = list(run(TrainingSpec(epochs=100)))
    assert [each.dev_loss for each in epochs] == [each.dev_loss for each in whole[: len(epochs)]]
    left = run(TrainingSpec(epochs=100))
    next(left)
    assert isinstance(next(left), Epoch)
    assert left.best_epoch == 1


def test_two_thousand_examples_take_seconds() -> None:
    kinds = (HeadSpec(), CHAIN, HeadSpec(kind="joint"))
    x, y = problem(2000, width=576)
    dev_x, dev_y = problem(400, 1, width=576)
    for spec in kinds:
        began = time.monotonic()
        list(train(TrainingSpec(head=spec, epochs=20, patience=60), tickets(), x, y, dev_x, dev_y))
        assert time.monotonic() - began < 30


def test_a_field_can_be_tuned_alone() -> None:
    x, y = problem()
    start = run(TrainingSpec(head=HeadSpec(kind="chained"), epochs=2))
    list(start)
    start.best.set_temperatures({"priority": 3.0})
    spec = TrainingSpec(epochs=2)
    tuned = train(spec, tickets(), x, y, x, y, start=start.best, only=("amount",))
    list(tuned)
    assert tuned.best_epoch > 0
    assert start.best.temperatures["priority"] == 3
    assert tuned.best.temperatures == {"intent": 1, "priority": 3, "escalate": 1, "amount": 1}
    old, new = start.best.state_dict(), tuned.best.state_dict()
    moved = {name for name in old if not torch.equal(old[name], new[name])}
    assert moved == {"outputs.3.weight", "outputs.3.bias"}
    with pytest.raises(InvalidInput, match="another record type"):
        train(
            spec,
            RecordType((field("a", "x"),), "{}"),
            x,
            y[:, :1] * 0,
            x,
            y[:, :1] * 0,
            start=start.best,
        )


@pytest.mark.parametrize(
    ("row", "record", "said"),
    [
        (6, (3, 0, 0, 0), "intent has 3 options and none of number 3.*train, row 7"),
        (0, (0, -1, 0, 0), "priority has 2 options and none of number -1.*train, row 1"),
        (9, (2, 1, 1, 0), "allow these values together.*train, row 10"),
    ],
)
def test_a_label_outside_the_type_names_its_row(
    row: int, record: tuple[int, ...], said: str
) -> None:
    x, y = problem(20)
    allowed = frozenset(tuple(each) for each in np.ndindex(3, 2, 2, 3)) - {(2, 1, 1, 0)}
    y[row] = record
    with pytest.raises(InvalidInput, match=said):
        train(TrainingSpec(), tickets(allowed=allowed), x, y, x, np.zeros_like(y))


def test_what_cannot_be_trained_on_is_refused_in_words() -> None:
    x, y = problem(20)
    with pytest.raises(InvalidInput, match="19 texts and 20 records"):
        train(TrainingSpec(), tickets(), x[1:], y, x, y)
    with pytest.raises(InvalidInput, match="0 texts"):
        train(TrainingSpec(), tickets(), x, y, x[:0], y[:0])
    broken = x.copy()
    broken[3, 2] = np.nan
    with pytest.raises(InvalidInput, match="finite"):
        train(TrainingSpec(), tickets(), x, y, broken, y)
    with pytest.raises(InvalidInput, match="a field"):
        train(TrainingSpec(), tickets(), x, y[:, :3], x, y)


def test_dev_is_cut_from_train_by_the_seed_and_never_meets_it() -> None:
    for n in (2, 3, 50, 500, 5000):
        spec = TrainingSpec(train=400, dev=100, seed=n)
        rows, dev = cut(n, spec)
        assert not set(rows) & set(dev)
        assert set(rows) | set(dev) <= set(range(n))
        assert len(rows) >= 1
        assert len(dev) >= 1
        assert (len(rows), len(dev)) == (400, 100) if n >= 500 else len(rows) + len(dev) == n
        assert (cut(n, spec)[0] == rows).all()
    with pytest.raises(InvalidInput, match="1 example can't"):
        cut(1, TrainingSpec())


def test_a_head_is_fine_tuned_by_its_own_cut_whatever_the_seed() -> None:
    start = build(HeadSpec(kind="joint"), tickets(), WIDTH)
    asked = TrainingSpec(train=50, dev=20, seed=9, epochs=7)
    assert cut_as(start, asked) == asked.model_copy(update={"head": start.spec})  # unknown
    start.trained = TrainingSpec(head=start.spec, train=40, dev=10, seed=4)
    spec = cut_as(start, asked)
    assert (spec.seed, spec.epochs, spec.head) == (9, 7, start.spec)
    for own, again in zip(cut(100, start.trained), cut(100, spec), strict=True):
        assert own.tolist() == again.tolist()
    assert set(cut(100, asked)[1]) & set(cut(100, start.trained)[0]), "else nothing was at stake"
    assert cut_as(start, spec) == spec
    start.trained = spec  # once more fine-tuned, it is still that of the first training
    again = cut_as(start, asked.model_copy(update={"seed": 11}))
    assert cut(100, again)[1].tolist() == cut(100, spec)[1].tolist()


def test_training_runs_on_one_thread_and_leaves_the_others_theirs() -> None:
    """Threads that wait for each other make small steps slow on a busy machine."""

    def elsewhere() -> int:
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(torch.get_num_threads).result()

    seen: list[tuple[int, int]] = []

    def cancelled() -> bool:
        seen.append((torch.get_num_threads(), elsewhere()))
        return False

    usual = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        list(run(TrainingSpec(epochs=1), cancelled=cancelled))
        assert set(seen) == {(1, 2)}
        assert (torch.get_num_threads(), elsewhere()) == (2, 2)
    finally:
        torch.set_num_threads(usual)


def test_a_head_before_training_says_nearly_nothing() -> None:
    law = build(HeadSpec(kind="joint"), tickets(), WIDTH, 3).laws(states(1))[0]
    assert law == pytest.approx(1 / 36, rel=0.5)


@pytest.mark.parametrize("kind", ["factorised", "chained", "joint"])
def test_tempering_mends_an_overconfident_head_on_dev(kind: str) -> None:
    spec = TrainingSpec(head=HeadSpec(kind=kind), epochs=20, rate=0.02)  # type: ignore[arg-type]
    ongoing = run(spec)
    list(ongoing)
    head = ongoing.best
    with torch.no_grad():
        for output in head.outputs:
            output.weight.mul_(30)
            output.bias.mul_(30)
    dev_x, dev_y = problem(100, 1)
    gold = torch.from_numpy(dev_y)
    decided = head.decide(dev_x).indices
    with torch.no_grad():
        before = float(head.loss(dev_x, gold))
        found = temper(head, dev_x, dev_y)
        after = float(head.loss(dev_x, gold))
    assert after == pytest.approx(sum(each.fit.after for each in found), rel=1e-3)
    assert after < before
    assert (head.decide(dev_x).indices == decided).all()
    for each in found:
        assert {head.temperatures[name] for name in each.fields} == {each.fit.temperature}
    again = temper(head, dev_x, dev_y)
    for one, two in zip(found, again, strict=True):
        assert one.fit.temperature == pytest.approx(two.fit.temperature, rel=1e-6)


@pytest.mark.parametrize("kind", ["factorised", "chained", "joint"])
def test_only_the_softmaxes_of_some_fields_are_tempered(kind: str) -> None:
    head = build(HeadSpec(kind=kind), tickets(), WIDTH, 3)  # type: ignore[arg-type]
    head.set_temperatures(dict.fromkeys(tickets().names, 7.0))
    found = temper(head, *problem(100, 1), only=("intent",))
    tied = {"intent", "priority"} if kind == "joint" else {"intent"}
    assert [set(each.fields) for each in found] == [tied]
    assert {name for name, value in head.temperatures.items() if value != 7} == tied
