"""The row store gives each model's own rows, at one token a step, within its budget."""

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.errors import InvalidInput
from playground.logspace import Logits
from playground.models.base import Incremental, LanguageModel, Prefix, Scorer
from playground.models.rows import ENTRY_BYTES, SPAN_SHARE, RowStore
from playground.models.scheduler import PIECE
from playground.models.toy import TOYS, ToyModel
from tests.models.echo import WIDTH, Echo, Spoken

TOLERANCE = 2e-4
MUCH = 10**9


class Counting:
    """A real model that counts the tokens of its forward passes."""

    def __init__(self, model: LanguageModel) -> None:
        assert isinstance(model, Incremental)
        self.vocabulary = model.vocabulary
        self.provenance = model.provenance
        self.context = model.context
        self.logits = model.logits
        self.render = model.render
        self.encode = model.encode
        self.model: Incremental = model
        self.read: list[int] = []

    def extend(self, past: Sequence[Any], tokens: Prefix) -> tuple[Logits, Any]:
        self.read.append(len(tokens))
        return self.model.extend(past, tokens)


@pytest.fixture
def counted(llama: LanguageModel) -> Counting:
    return Counting(llama)


PROMPT = (1, *range(3, 40))


def test_rows_are_those_of_plain_passes(counted: Counting) -> None:
    rows = RowStore(MUCH)
    run = (9, 8, 7, 60, 200, 9, 9, 5)
    prefixes = [PROMPT + run[:n] for n in range(len(run) + 1)]
    got = np.concatenate([rows.get(counted, [prefix]) for prefix in prefixes])
    assert got.dtype == np.float32
    assert np.abs(got - counted.logits(prefixes)).max() < TOLERANCE
    assert np.array_equal(rows.get(counted, prefixes), got)


def test_a_step_costs_one_token_and_a_return_costs_none(counted: Counting) -> None:
    rows = RowStore(MUCH)
    rows.get(counted, [PROMPT])
    assert counted.read == [len(PROMPT)]
    for n in range(1, 6):  # forward
        rows.get(counted, [PROMPT + (7,) * n])
    assert counted.read[1:] == [1] * 5
    for n in (4, 2, 0):  # back
        rows.get(counted, [PROMPT + (7,) * n])
    assert len(counted.read) == 6
    fork = (*PROMPT, 7, 7, 5)
    rows.get(counted, [fork])  # fork from the middle, go on, and return to the first branch
    rows.get(counted, [(*fork, 6)])
    rows.get(counted, [PROMPT + (7,) * 6])
    assert counted.read[6:] == [1, 1, 1]
    assert rows.computed == 9
    plain = counted.logits([(*fork, 6), PROMPT + (7,) * 6])
    got = rows.get(counted, [(*fork, 6), PROMPT + (7,) * 6])
    assert np.abs(got - plain).max() < TOLERANCE


def test_the_first_row_stored_is_the_law(counted: Counting) -> None:
    rows = RowStore(MUCH)
    whole = rows.get(counted, [(*PROMPT, 7, 8)]).copy()  # in one pass
    rows.get(counted, [PROMPT])
    rows.get(counted, [(*PROMPT, 7)])  # token by token: other rounding
    assert np.array_equal(rows.get(counted, [(*PROMPT, 7, 8)]), whole)
    assert rows.computed == 3


def test_the_first_row_stored_is_the_law_for_twins_that_run_at_once() -> None:
    rows = RowStore(MUCH)
    first = Echo()

    class Late(Echo):
        """The same model loaded again, whose pass ends after its twin's, with other rounding."""

        def extend(self, past: Sequence[Spoken], tokens: Prefix) -> tuple[Logits, Spoken]:
            rows.get(first, [tokens])
            row, memory = super().extend(past, tokens)
            return row + 1, memory

    assert np.array_equal(rows.get(Late(), [(1, 2)])[0], first.row((1, 2)))
    assert np.array_equal(rows.get(first, [(1, 2)])[0], first.row((1, 2)))


def test_rows_cannot_be_written_to(counted: Counting) -> None:
    rows = RowStore(MUCH)
    for got in (
        rows.get(counted, [PROMPT]),
        rows.get(counted, [PROMPT, (*PROMPT, 3)]),
        rows.get(ToyModel(TOYS["sky"]), [()]),
        rows.get(ToyModel(TOYS["sky"]), [(0,)] * 2),
    ):
        with pytest.raises(ValueError, match="read-only"):
            got[0, 0] = 1


def test_repeated_and_missing_prefixes_come_in_order() -> None:
    model = ToyModel(TOYS["sky"])
    rows = RowStore(MUCH)
    wanted = [(0,), (), (0,), (1,), ()]
    assert np.array_equal(rows.get(model, wanted), model.logits(wanted))
    assert rows.computed == 3
    assert rows.get(model, []).shape == (0, 7)
    assert rows.held == (3, 0)


def test_edited_toys_and_other_models_do_not_share_rows() -> None:
    rows = RowStore(MUCH)
    spec = TOYS["two-step"]
    edited = spec.model_copy(update={"rules": spec.rules[1:]})
    one, other = ToyModel(spec), ToyModel(edited)
    assert not np.array_equal(rows.get(one, [()]), rows.get(other, [()]))
    assert np.array_equal(rows.get(ToyModel(spec), [()]), rows.get(one, [()]))
    assert rows.computed == 2


def test_a_prefix_longer_than_the_context_is_refused_before_any_work(counted: Counting) -> None:
    with pytest.raises(InvalidInput, match="context of 256"):
        RowStore(MUCH).get(counted, [(3,) * 257])
    assert not counted.read


def test_a_long_prompt_is_read_in_pieces_and_others_come_in_between() -> None:
    long = tuple(i % 5 for i in range(3 * PIECE + 7))
    rows = RowStore(MUCH)
    order: list[int] = []
    started, waiting = threading.Event(), threading.Event()

    class Slow(Echo):
        def extend(self, past: Sequence[Spoken], tokens: Prefix) -> tuple[Logits, Spoken]:
            order.append(len(tokens))
            if len(order) == 1:
                started.set()
                waiting.wait(5)
            return super().extend(past, tokens)

    model = Slow()
    other = threading.Thread(target=lambda: rows.get(model, [(4, 4)]))
    reader = threading.Thread(target=lambda: rows.get(model, [long]))
    reader.start()
    started.wait(5)
    other.start()
    while len(rows._turn(model)._queue) < 2:
        pass
    waiting.set()
    reader.join()
    other.join()
    assert order == [PIECE, 2, PIECE, PIECE, 7]
    assert np.array_equal(rows.get(model, [long])[0], model.row(long))


def test_threads_that_want_the_same_row_compute_it_once() -> None:
    rows = RowStore(MUCH)
    model = Echo()
    got: list[Logits] = []
    gate = threading.Barrier(8)

    def ask() -> None:
        gate.wait()
        got.append(rows.get(model, [(1, 2, 3)]))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert rows.computed == 1
    assert model.read == 3
    assert all(np.array_equal(row, got[0]) for row in got)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 1),
            st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=7), min_size=1, max_size=3),
        ),
        max_size=25,
    ),
    st.sampled_from([0, 700, 1500, 3000, 8000, MUCH]),
    st.sampled_from([10, 400]),
)
def test_every_row_is_right_whatever_was_evicted_and_the_budget_holds(
    calls: list[tuple[int, list[list[int]]]], budget: int, token_bytes: int
) -> None:
    rows = RowStore(budget)
    models = [Echo("one", token_bytes), Echo("other", token_bytes)]
    laws: dict[Any, Logits] = {}
    for which, prefixes in calls:
        model = models[which]
        wanted = [tuple(prefix) for prefix in prefixes]
        got = rows.get(model, wanted)
        assert np.array_equal(got, model.logits(wanted))
        assert rows.nbytes <= budget
        spans = sum(span.nbytes for span in rows._spans.values())
        held = sum(rows._row_size(key, row) for key, row in rows._rows.items())
        assert rows.nbytes == spans + held
        for key, span in rows._spans.items():  # no span outlives one before it
            assert span.parent is None or rows._spans[span.parent.key] is span.parent
            assert key == span.key
        assert set(rows._span_order.values()) == set(rows._spans.values())
        laws |= {(which, prefix): row for prefix, row in zip(wanted, got, strict=True)}
    counts = {owner: sum(lengths.values()) for owner, lengths in rows._lengths.items()}
    assert sum(counts.values()) == len(rows._spans)


def test_keys_and_values_go_before_rows() -> None:
    entry = ENTRY_BYTES + 8 + 4 * WIDTH
    span = ENTRY_BYTES + 8 + 5000
    rows = RowStore(10 * entry + 2 * span)
    model = Echo(token_bytes=5000)
    for token in range(5):
        rows.get(model, [(token,)])
    held_rows, held_spans = rows.held
    assert held_rows == 5
    assert held_spans < 5
    computed = rows.computed
    rows.get(model, [(token,) for token in range(5)])
    assert rows.computed == computed


def test_a_full_store_still_steps_by_one_token() -> None:
    model = Echo(token_bytes=50)
    rows = RowStore(60_000)
    for run in range(12):
        path: Prefix = (run, 2, 3)
        for step in range(20):
            before = model.read
            rows.get(model, [path])
            assert model.read - before == (1 if step else 3)
            path = (*path, step % 5)
    spans = sum(span.nbytes for span in rows._spans.values())
    assert rows.held[0] < 12 * 20, "nothing was evicted: this shows nothing"
    assert rows.nbytes > 0.9 * 60_000
    assert spans > 0.8 * 60_000 / SPAN_SHARE


def test_the_least_recently_used_go_first() -> None:
    model = ToyModel(TOYS["mars"])
    entry = ENTRY_BYTES + 8 + model.logits([()]).nbytes
    rows = RowStore(3 * entry)
    for prefix in [(0,), (1,), (2,)]:
        rows.get(model, [prefix])
    rows.get(model, [(0,)])
    rows.get(model, [(3,)])  # drops (1,)
    assert rows.computed == 4
    rows.get(model, [(0,), (2,), (3,)])
    assert rows.computed == 4
    rows.get(model, [(1,)])
    assert rows.computed == 5


def test_the_store_does_not_keep_a_model_alive() -> None:
    import gc
    import weakref

    rows = RowStore(MUCH)
    model = ToyModel(TOYS["sky"])
    rows.get(model, [()])
    gone = weakref.ref(model)
    del model
    gc.collect()
    assert gone() is None


class CountingScorer(Counting):
    """The same, with the passes that score many tokens."""

    def extend_each(self, past: Sequence[Any], tokens: Prefix) -> tuple[Logits, tuple[Any, ...]]:
        assert isinstance(self.model, Scorer)
        self.read.append(len(tokens))
        return self.model.extend_each(past, tokens)


def test_a_given_text_is_scored_in_one_pass_and_its_rows_are_those_of_plain_passes(
    llama: LanguageModel,
) -> None:
    model, rows, text = CountingScorer(llama), RowStore(MUCH), (9, 8, 7, 60, 200, 9, 9, 5)
    rows.prime(model, PROMPT, text)
    assert model.read == [len(PROMPT), len(text)]
    prefixes = [PROMPT + text[:n] for n in range(len(text) + 1)]
    got = rows.get(model, prefixes)
    assert np.abs(got - model.logits(prefixes)).max() < TOLERANCE
    fork = (*PROMPT, *text[:3], 1)
    assert np.abs(rows.get(model, [fork]) - model.logits([fork])).max() < TOLERANCE
    assert model.read == [len(PROMPT), len(text), 1]
    rows.prime(model, PROMPT, text)
    rows.prime(model, PROMPT, (*text, 3, 4))
    assert model.read[3:] == [2]


@given(st.integers(0, 40_000), st.data())
@settings(max_examples=20, deadline=None)
def test_scored_rows_are_right_whatever_the_budget(budget: int, data: st.DataObject) -> None:
    class Scoring(Echo):
        def extend_each(
            self, past: Sequence[Spoken], tokens: Prefix
        ) -> tuple[Logits, tuple[Spoken, ...]]:
            before = tuple(token for span in past for token in span.tokens)
            self.read += len(tokens)
            rows = [self.row(before + tokens[: n + 1]) for n in range(len(tokens))]
            return np.stack(rows), tuple(Spoken((t,), self.token_bytes) for t in tokens)

    model, rows = Scoring(), RowStore(budget)
    for _ in range(3):
        text = tuple(data.draw(st.lists(st.integers(0, 2), max_size=90)))
        rows.prime(model, (1, 2), text)
        n = data.draw(st.integers(0, len(text)))
        assert np.array_equal(rows.get(model, [(1, 2, *text[:n])])[0], model.row((1, 2, *text[:n])))
        assert rows.nbytes <= budget
