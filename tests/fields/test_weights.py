"""Weights as files: they come back as they were, know their record type, and hostile ones are refused."""

import io
import itertools
import json
import pickle
import struct
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.torch import save

from playground.errors import InvalidInput
from playground.fields.head_spec import HeadSpec, TrainingSpec
from playground.fields.heads import Head
from playground.fields.record_type import ABSENT, Field, Option, RecordType
from playground.fields.weights import MOST_BYTES, MOST_HEADER, SchemaDrift, dump, load, widened
from playground.fields.widening import DOWN
from playground.models.base import Provenance
from tests.fields.random_heads import WIDTH, boolean, field, heads, states, tickets, wild

MODEL = Provenance("small", "0123456789abcdef", "float32", "live")


@given(heads())
@settings(max_examples=40)
def test_a_head_comes_back_as_it_was(head: Head) -> None:
    data = dump(head, MODEL)
    again = load(data, head.record_type, MODEL)
    assert dump(again, MODEL) == data
    assert (again.laws(states(3)) == head.laws(states(3))).all()
    assert again.temperatures == head.temperatures
    assert again.spec == head.spec


def test_how_a_head_was_trained_comes_back_and_is_unknown_of_an_older_file() -> None:
    head = wild(HeadSpec(kind="chained", order=("amount",)), tickets(), 1)
    assert load(dump(head, MODEL), tickets(), MODEL).trained is None
    old = altered(lambda document: document.pop("training"), head)
    assert load(old, tickets(), MODEL).trained is None
    head.trained = TrainingSpec(head=head.spec, train=50, dev=7, seed=2**62, cut_seed=3, rate=0.02)
    data = dump(head, MODEL)
    assert load(data, tickets(), MODEL).trained == head.trained
    assert load(data, WIDER, MODEL, widen=True).trained == head.trained
    assert data != dump(wild(head.spec, tickets(), 1), MODEL)


def test_values_of_every_kind_come_back() -> None:
    options = (
        Option("none", None),
        Option("left out", ABSENT),
        Option("true", True),
        Option("1", 1),
        Option("1.5", 1.5),
        Option('é ⟂ "quoted"', "é"),
    )
    days = Option("a day", "2024-01-31", 738916, 738917)
    kind = RecordType((Field(("a", "b"), "choice", options), Field(("d",), "date", (days,))), "{}")
    head = wild(HeadSpec(), kind, 1)
    again = load(dump(head, MODEL), kind, MODEL)
    assert again.record_type.hash == kind.hash


def altered(change: Callable[[dict[str, Any]], object], head: Head | None = None) -> bytes:
    """A file whose document was changed, its tensors as they were."""
    head = head or wild(HeadSpec(kind="chained"), tickets(), 1)
    data = dump(head, MODEL)
    length = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8 : 8 + length])
    document = json.loads(header["__metadata__"]["playground.fields"])
    change(document)
    tensors = {name: each.contiguous() for name, each in head.state_dict().items()}
    return save(tensors, {"playground.fields": json.dumps(document)})


def with_header(header: Any, body: bytes = b"") -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + body


def hostile() -> dict[str, tuple[bytes, str]]:
    """Name -> file and what is said of it."""
    good = dump(wild(HeadSpec(), tickets(), 1), MODEL)
    pickled, zipped = io.BytesIO(), io.BytesIO()
    torch.save({"a": torch.ones(3)}, zipped)
    pickle.dump({"a": 1}, pickled)
    document = json.loads(
        json.loads(good[8 : 8 + struct.unpack("<Q", good[:8])[0]])["__metadata__"][
            "playground.fields"
        ]
    )
    metadata = {"__metadata__": {"playground.fields": json.dumps(document)}}
    not_finite = wild(HeadSpec(), tickets(), 1)
    with torch.no_grad():
        not_finite.outputs[0].bias[0] = float("nan")
    cold = wild(HeadSpec(), tickets(), 1)
    cold.temperature[1] = -1
    tensors = {name: each.contiguous() for name, each in not_finite.state_dict().items()}
    wide = {**tensors, "outputs.0.weight": torch.zeros(3, WIDTH + 1)}
    wrong_type = {**tensors, "outputs.0.weight": torch.zeros(3, WIDTH, dtype=torch.float64)}
    extra = {**tensors, "extra": torch.zeros(3)}
    less = {name: each for name, each in tensors.items() if name != "outputs.1.bias"}
    meta = metadata["__metadata__"]
    return {
        "empty": (b"", "no safetensors"),
        "text": (b"hello, this is no such file", "no safetensors"),
        "pickle": (pickled.getvalue(), "can hold code"),
        "torch.save": (zipped.getvalue(), "can hold code"),
        "cut in the header": (good[:50], "cut short"),
        "cut in the weights": (good[:-4], "damaged or cut short"),
        "longer": (good + b"\0" * 8, "damaged"),
        "too large": (good + bytes(MOST_BYTES), "MB"),
        "huge header said": (struct.pack("<Q", 2**63) + b"{}", "no safetensors"),
        "huge header": (with_header(b'{"a":"' + b"x" * MOST_HEADER + b'"}'), "no safetensors"),
        "deep header": (with_header(b"[" * 500_000), "header"),
        "no object": (with_header([1]), "header"),
        "no metadata": (with_header({}), "header"),
        "metadata is no text": (
            with_header({"__metadata__": {"playground.fields": 3}}),
            "can't be read|header",
        ),
        "deep document": (
            with_header({"__metadata__": {"playground.fields": "[" * 90_000}}),
            "can't be read",
        ),
        "no tensors": (with_header(metadata), "missing"),
        "another tool's file": (save({"a": torch.ones(2)}, {"format": "pt"}), "header"),
        "not finite": (save(tensors, meta), "finite"),
        "cold": (dump(cold, MODEL), "above 0"),
        "wrong shape": (save(wide, meta), "shape"),
        "wrong type": (save(wrong_type, meta), "type F32"),
        "one too many": (save(extra, meta), "has not"),
        "one too few": (save(less, meta), "missing"),
        "wide": (altered(lambda d: d.update(width=60_000)), "MB|shape"),
        "wider": (altered(lambda d: d.update(width=10**12)), "can't be read"),
        "deep": (altered(lambda d: d["spec"].update(hidden=10**9)), "can't be read"),
        "another version": (altered(lambda d: d.update(version=2)), "another version"),
        "unknown key": (altered(lambda d: d.update(code="import os")), "can't be read"),
        "another hash": (altered(lambda d: d.update(hash="0" * 64)), "hash"),
        "two of a name": (
            altered(lambda d: d["record_type"]["fields"].append(d["record_type"]["fields"][0])),
            "contradicts",
        ),
        "rules of no options": (
            altered(lambda d: d["record_type"].update(allowed=[[9, 0, 0, 0]])),
            "contradicts",
        ),
        "a training of another head": (
            altered(lambda d: d.update(training={"head": {"kind": "joint"}})),
            "another head",
        ),
        "a training of no examples": (
            altered(lambda d: d.update(training={"head": d["spec"], "train": 0})),
            "can't be read",
        ),
        "no such order": (altered(lambda d: d["spec"].update(order=["size"])), "no field"),
        "nan edge": (
            altered(
                lambda d: d["record_type"]["fields"][3]["options"][0].update(lower=float("nan"))
            ),
            "can't be read",
        ),
    }


HOSTILE = hostile()


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused_in_words(name: str) -> None:
    data, said = HOSTILE[name]
    with pytest.raises(InvalidInput, match=said) as caught:
        load(data, tickets(), MODEL)
    assert not isinstance(caught.value, SchemaDrift)
    assert len(str(caught.value)) < 500


@given(st.data())
@settings(max_examples=150)
def test_a_file_with_any_byte_changed_is_read_or_refused(data: st.DataObject) -> None:
    file = bytearray(dump(wild(HeadSpec(kind="joint"), tickets(), 1), MODEL))
    for _ in range(data.draw(st.integers(1, 3))):
        file[data.draw(st.integers(0, len(file) - 1))] = data.draw(st.integers(0, 255))
    try:
        head = load(bytes(file), tickets(), MODEL)
    except InvalidInput:
        return
    assert head.laws(states(2)).reshape(2, -1).sum(1) == pytest.approx(1, abs=1e-9)


def test_the_head_of_another_model_is_refused() -> None:
    data = dump(wild(HeadSpec(), tickets(), 1), MODEL)
    other = Provenance("large", "fedcba9876543210", "float32", "live")
    with pytest.raises(InvalidInput, match=r"states of small \(0123456789ab\), not of large"):
        load(data, tickets(), other)


INTENT = ("refund", "bug", "other")


def changed(at: int, new: Field | None) -> RecordType:
    fields = list(tickets().fields)
    fields[at : at + 1] = [] if new is None else [new]
    return RecordType(tuple(fields), "{}")


@pytest.mark.parametrize(
    ("now", "said"),
    [
        (changed(0, field("intent", "refund", "bug")), "intent lost the option other"),
        (changed(0, field("intent", "refund", "crash", "other")), "option bug is now crash"),
        (
            changed(0, field("intent", "bug", "refund", "other")),
            "options of intent stand in another order",
        ),
        (
            changed(0, field("intent", "refund", "spam", "fraud")),
            "bug is now spam; intent's option other is now fraud",
        ),
        (
            changed(0, field("intent", "other", "bug", "refund", "spam")),
            "new option spam; the other options",
        ),
        (
            changed(0, field("intent", "bug", "new", "newer", "other")),
            "lost the option refund.*new options new, newer",
        ),
        (changed(0, field("aim", *INTENT)), "intent is no field any more; aim is a new field"),
        (changed(2, None), "escalate is no field any more"),
        (changed(2, field("escalate", "no", "yes")), r'no \(false\) is now no \("no"\)'),
        (changed(3, field("amount", "a")), "amount was binned and is choice"),
        (
            RecordType(tickets().fields[::-1], "{}"),
            "another order, amount, escalate, priority, intent",
        ),
        (tickets(allowed=frozenset({(0, 0, 0, 0)})), "rules between the fields"),
    ],
)
def test_schema_drift_says_what_differs(now: RecordType, said: str) -> None:
    data = dump(wild(HeadSpec(), tickets(), 1), MODEL)
    for widen in (False, True):
        with pytest.raises(SchemaDrift, match=said) as caught:
            load(data, now, MODEL, widen)
        assert caught.value.added == ()


def test_only_more_options_offer_to_widen() -> None:
    data = dump(wild(HeadSpec(), tickets(), 1), MODEL)
    now = changed(0, field("intent", "spam", "refund", "bug", "fraud", "other"))
    with pytest.raises(SchemaDrift, match=r"new options spam, fraud.*fine-tune intent") as caught:
        load(data, now, MODEL)
    assert caught.value.added == (("intent", ("spam", "fraud")),)
    assert load(data, now, MODEL, widen=True).record_type.hash == now.hash


WIDER = RecordType(
    (
        field("intent", "spam", "refund", "bug", "other"),
        *tickets().fields[1:2],
        Field(("escalate",), "choice", (*boolean("escalate").options, Option("unknown", None))),
        tickets().fields[3],
    ),
    "{}",
)
PLACES = ((1, 2, 3), (0, 1), (0, 1), (0, 1, 2))


@given(st.integers(0, 2**31), st.sampled_from(("factorised", "joint")), st.sampled_from((0, 5)))
@settings(max_examples=40)
def test_a_widened_head_keeps_its_law_of_the_old_options(seed: int, kind: str, hidden: int) -> None:
    head = wild(HeadSpec(kind=kind, hidden=hidden), tickets(), seed, 0.5)  # type: ignore[arg-type]
    x = states(3, seed)
    new = widened(head, WIDER).laws(x)
    kept = new[np.ix_(range(3), *PLACES)]
    mass = kept.reshape(3, -1).sum(1)
    assert kept / mass[:, None, None, None, None] == pytest.approx(head.laws(x), abs=1e-9)
    assert (mass < 1).all()


@given(st.integers(0, 2**31), st.integers(1, 4))
@settings(max_examples=40)
def test_a_widened_chain_keeps_its_conditionals_and_new_options_start_unlikely(
    seed: int, length: int
) -> None:
    order = tickets().names[:length]
    head = wild(HeadSpec(kind="chained", order=order), tickets(), seed)
    wide = widened(head, WIDER)
    x = states(3, seed)
    gold = np.array([[1, 0, 1, 2], [0, 1, 0, 0], [2, 1, 1, 1]])
    moved = np.array([[PLACES[at][value] for at, value in enumerate(row)] for row in gold])
    blocks = zip(head.block_laws(x, gold), wide.block_laws(x, moved), strict=True)
    for at, (old, new) in enumerate(blocks):
        kept = new.laws[:, PLACES[at]]
        assert kept / kept.sum(1, keepdims=True) == pytest.approx(old.laws, abs=1e-9)
        added = new.laws.shape[1] - kept.shape[1]
        assert (1 - kept.sum(1) <= added * np.exp(-DOWN) / kept.shape[1] + 1e-9).all()


def test_a_widened_joint_head_keeps_its_rules() -> None:
    records = set(itertools.product(range(3), range(2), range(2), range(3)))
    before = tickets(allowed=frozenset(records - {(0, 1, 0, 0)}))
    spec = HeadSpec(kind="joint", joint=before.names)
    head = wild(spec, before, 1)
    fields = (field("intent", *INTENT, "spam"), *before.fields[1:])
    now = RecordType(fields, "{}", before.allowed | {(3, 0, 0, 0)})  # type: ignore[operator]
    law = widened(head, now).laws(states(2))
    assert (law[:, ~now.mask] == 0).all()
    assert law[:, 3, 0, 0, 0].min() > 0
    with pytest.raises(SchemaDrift, match="rules"):
        widened(head, RecordType(fields, "{}", frozenset({(0, 0, 0, 0), (3, 0, 0, 0)})))
    with pytest.raises(SchemaDrift, match="rules"):
        widened(head, RecordType(fields, "{}"))
