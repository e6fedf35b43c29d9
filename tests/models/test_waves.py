"""Missing rows of many branches come out of few passes, and are those of plain ones."""

import gc
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.errors import InvalidInput
from playground.logspace import Logits
from playground.models.base import LanguageModel, Packed, Prefix
from playground.models.loader import ModelHub
from playground.models.rows import RowStore
from playground.models.scheduler import PIECE, SHARE
from playground.models.waves import TAIL, UNION, WAVE
from tests.models.echo import Echo, PackedEcho, Spoken

TOLERANCE = 1e-4
MUCH = 10**9
PROMPT = (1, *range(3, 43))


def a_tree(prompt: Prefix, size: int, count: int, rng: Any, tail: int = 3) -> list[Prefix]:
    """Prefixes of ragged depths under `prompt`, some of them extensions of others."""
    nodes = [prompt]
    while len(nodes) < count:
        parent = nodes[int(rng.integers(len(nodes)))]
        ids = rng.integers(3, size, int(rng.integers(1, tail + 1)))
        nodes.append(parent + tuple(int(i) for i in ids))
    return nodes


# ---- what is run


def test_leaves_of_an_unread_prompt_read_it_once_and_run_together() -> None:
    model, rows = PackedEcho(), RowStore(MUCH)
    leaves = [(*PROMPT, token) for token in range(16)]
    assert np.array_equal(rows.get(model, leaves), model.logits(leaves))
    assert (model.extended, model.packed) == ([len(PROMPT)], [16])
    assert rows.computed == 16


def test_children_of_held_leaves_cost_a_token_each_and_held_rows_none() -> None:
    model, rows = PackedEcho(), RowStore(MUCH)
    leaves = [(*PROMPT, token) for token in range(16)]
    first = rows.get(model, leaves)
    children = [(*leaf, 7) for leaf in leaves[:9]]
    got = rows.get(model, [*children, *leaves, children[0]])
    assert np.array_equal(got[9:25], first)
    assert np.array_equal(got[25], got[0])
    assert model.packed == [16, 9]
    assert len(model.extended) == 1


def test_a_prefix_and_its_own_extensions_come_from_one_pass() -> None:
    model, rows = PackedEcho(), RowStore(MUCH)
    rows.get(model, [PROMPT])
    line = [PROMPT + (5,) * n for n in (3, 1, 2, 4, 9)]
    fork = [PROMPT + (5,) * 2 + (6,) * n for n in (4, 2)]
    assert np.array_equal(rows.get(model, line + fork), model.logits(line + fork))
    assert model.packed == [9 + 4]
    assert rows.computed == 1 + 7, "only the rows that were asked for are kept"


def test_long_tails_are_read_in_stretches_up_to_where_they_fork() -> None:
    model, rows = PackedEcho(), RowStore(MUCH)
    rows.get(model, [PROMPT])
    stem = PROMPT + (4,) * 30
    ask = [(*stem, 1), (*stem, 2, *(9,) * 40), stem[:-10], (*PROMPT, 8)]
    assert np.array_equal(rows.get(model, ask), model.logits(ask))
    assert model.extended[1:] == [20, 41]
    assert model.packed == [10 + 1 + 1]
    rows.get(model, [(*stem, 2), (*stem, 3)])
    assert model.packed[1:] == [2]


def test_waves_are_bounded_in_tokens_and_in_what_they_read() -> None:
    model, rows = PackedEcho(), RowStore(MUCH)
    many = [(*PROMPT, i // 40, i % 40) for i in range(200)]
    assert np.array_equal(rows.get(model, many), model.logits(many))
    assert max(model.packed) <= WAVE
    assert len(model.packed) == 4

    class Reading(PackedEcho):
        def extend_packed(
            self, after: Sequence[Sequence[Spoken] | int], tokens: Prefix
        ) -> tuple[Logits, tuple[Spoken, ...]]:
            pasts = [before for before in after if not isinstance(before, int)]
            union = {id(span): len(span.tokens) for past in pasts for span in past}
            unions.append(sum(union.values()))
            return super().extend_packed(after, tokens)

    unions: list[int] = []
    wide = Reading("wide")
    stems = [(i,) * (UNION // 4) for i in range(16)]
    rows.get(wide, stems)
    leaves = [(*stem, i) for stem in stems for i in range(2)]
    assert np.array_equal(rows.get(wide, leaves), wide.logits(leaves))
    assert unions == [UNION] * 4


def test_an_empty_prefix_is_left_to_the_model() -> None:
    class Starting(PackedEcho):
        def extend(self, past: Sequence[Spoken], tokens: Prefix) -> tuple[Logits, Spoken]:
            if not tokens:
                raise ValueError("at least one token")
            return super().extend(past, tokens)

    with pytest.raises(ValueError, match="at least one token"):
        RowStore(MUCH).get(Starting(), [(), (1,)])


def test_a_prefix_longer_than_the_context_is_refused_before_any_work() -> None:
    model = PackedEcho()
    with pytest.raises(InvalidInput, match="context"):
        RowStore(MUCH).get(model, [(1,), (1,) * (model.context + 1)])
    assert not model.read


def test_others_come_in_between_waves_and_the_pieces_of_a_prompt() -> None:
    rows, order = RowStore(MUCH), []
    started, waiting = threading.Event(), threading.Event()

    class Slow(PackedEcho):
        def note(self, count: int) -> None:
            order.append(count)
            if len(order) == 2:
                started.set()
                waiting.wait(5)

        def extend(self, past: Sequence[Spoken], tokens: Prefix) -> tuple[Logits, Spoken]:
            self.note(len(tokens))
            return super().extend(past, tokens)

        def extend_packed(
            self, after: Sequence[Sequence[Spoken] | int], tokens: Prefix
        ) -> tuple[Logits, tuple[Spoken, ...]]:
            self.note(len(tokens))
            return super().extend_packed(after, tokens)

    model = Slow()
    long = (6,) * (2 * PIECE)
    many = [(*long, i) for i in range(WAVE + 8)]
    reader = threading.Thread(target=lambda: rows.get(model, many))
    other = threading.Thread(target=lambda: rows.get(model, [(4, 4)]))
    reader.start()
    started.wait(5)
    other.start()
    while rows.scheduler(model).waiting < 2:
        pass
    waiting.set()
    reader.join()
    other.join()
    assert order == [PIECE, PIECE, 2 + SHARE, WAVE + 8 - SHARE], "the step joined a wave"
    assert np.array_equal(rows.get(model, many), model.logits(many))


def test_threads_that_want_the_same_rows_compute_them_once() -> None:
    model, rows = PackedEcho(), RowStore(MUCH)
    leaves = [(*PROMPT, i) for i in range(40)]
    got: list[Logits] = []
    gate = threading.Barrier(6)

    def ask(start: int) -> None:
        gate.wait()
        got.append(np.roll(rows.get(model, leaves[start:] + leaves[:start]), start, axis=0))

    threads = [threading.Thread(target=ask, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert rows.computed == 40
    assert model.read == len(PROMPT) + 40
    assert all(np.array_equal(each, model.logits(leaves)) for each in got)


def test_the_row_first_stored_stays_whatever_runs_later() -> None:
    rows, first = RowStore(MUCH), PackedEcho()

    class Late(PackedEcho):
        """The same model loaded again, whose pass ends after its twin's, with other rounding."""

        def extend_packed(
            self, after: Sequence[Sequence[Spoken] | int], tokens: Prefix
        ) -> tuple[Logits, tuple[Spoken, ...]]:
            rows.get(first, [(1, 2)])
            got, memories = super().extend_packed(after, tokens)
            return got + 1, memories

    model = Late()
    got = rows.get(model, [(1, 2), (1, 3)])
    assert np.array_equal(got[0], first.row((1, 2)))
    assert np.array_equal(got[1], first.row((1, 3)) + 1)
    assert np.array_equal(rows.get(first, [(1, 2), (1, 3)]), got)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.lists(
            st.one_of(
                st.lists(st.integers(0, 2), min_size=1, max_size=7),
                st.lists(st.integers(0, 1), min_size=TAIL, max_size=3 * TAIL),
            ),
            min_size=1,
            max_size=6,
        ),
        max_size=15,
    ),
    st.sampled_from([0, 700, 1500, 3000, 8000, 30_000, MUCH]),
    st.sampled_from([10, 400]),
)
def test_every_row_is_right_whatever_was_evicted_and_the_budget_holds(
    calls: list[list[list[int]]], budget: int, token_bytes: int
) -> None:
    rows, model = RowStore(budget), PackedEcho("packed", token_bytes)
    for prefixes in calls:
        wanted = [tuple(prefix) for prefix in prefixes]
        assert np.array_equal(rows.get(model, wanted), model.logits(wanted))
        assert rows.nbytes <= budget
        spans = sum(span.nbytes for span in rows._spans.values())
        assert rows.nbytes == spans + sum(rows._row_size(*item) for item in rows._rows.items())
        for key, span in rows._spans.items():  # no span outlives one before it
            assert span.parent is None or rows._spans[span.parent.key] is span.parent
            assert key == span.key
            assert len(span) == len(span.memory.tokens)


def test_a_store_without_room_reads_a_shared_prompt_once_a_call() -> None:
    model, rows = PackedEcho(), RowStore(0)
    leaves = [(*PROMPT, i, i) for i in range(30)]
    assert np.array_equal(rows.get(model, leaves), model.logits(leaves))
    assert model.extended == [len(PROMPT)]
    assert sum(model.packed) == 60


# ---- transformers models


class Passes:
    """A live model that notes its passes."""

    def __init__(self, model: LanguageModel) -> None:
        assert isinstance(model, Packed)
        self.vocabulary, self.provenance = model.vocabulary, model.provenance
        self.context, self.logits = model.context, model.logits
        self.render, self.encode = model.render, model.encode
        self.model = model
        self.noted: list[tuple[str, int]] = []

    def extend(self, past: Sequence[Any], tokens: Prefix) -> tuple[Logits, Any]:
        self.noted.append(("one", len(tokens)))
        return self.model.extend(past, tokens)

    def extend_packed(
        self, after: Sequence[Sequence[Any] | int], tokens: Prefix
    ) -> tuple[Logits, tuple[Any, ...]]:
        self.noted.append(("packed", len(tokens)))
        return self.model.extend_packed(after, tokens)


@pytest.mark.parametrize(
    ("kind", "options", "packs"),
    [
        ("llama", {}, True),
        ("qwen2", {}, True),
        ("qwen3", {"head_dim": 12}, True),
        ("gpt2", {}, True),
        ("gpt_neox", {"num_key_value_heads": 4}, True),
        ("mistral", {"sliding_window": None}, True),
        ("mistral", {"sliding_window": 8}, False),
        ("gemma2", {"head_dim": 8, "sliding_window": 8}, False),
        ("falcon", {"alibi": True}, False),
        ("mpt", {"d_model": 32, "n_heads": 4, "n_layers": 2}, False),
        (
            "gpt_neo",
            {"num_layers": 2, "num_heads": 4, "attention_types": [[["global", "local"], 1]]},
            False,
        ),
        (
            "llama",
            {"rope_parameters": {"rope_type": "dynamic", "factor": 2.0, "rope_theta": 10_000.0}},
            False,
        ),
    ],
)
def test_rows_of_random_trees_are_those_of_plain_passes(
    hub: ModelHub,
    make_tiny: Callable[..., Path],
    kind: str,
    options: dict[str, Any],
    packs: bool,
) -> None:
    model = hub.get(str(make_tiny(kind, **options)))
    assert isinstance(model, Packed) == packs
    rng, size = np.random.default_rng(1), len(model.vocabulary)
    rows = RowStore(MUCH)
    nodes = a_tree(PROMPT, size, 60, rng) + a_tree((9, 8, 7), size, 12, rng, tail=30)
    wanted = [nodes[i] for i in rng.permutation(len(nodes))]
    plain = dict(zip(wanted, model.logits(wanted), strict=True))
    for start in range(0, len(wanted), 16):
        wave = wanted[start : start + 16]
        got = rows.get(model, wave)
        assert got.dtype == np.float32
        assert np.abs(got - np.stack([plain[prefix] for prefix in wave])).max() < TOLERANCE
    assert rows.computed == len(set(wanted))


def test_a_best_first_search_runs_a_pass_a_wave(llama: LanguageModel) -> None:
    model, rows = Passes(llama), RowStore(MUCH)
    rows.get(model, [PROMPT])
    rng, leaves = np.random.default_rng(2), [PROMPT]
    for _ in range(12):
        picks = [leaves[int(rng.integers(max(0, len(leaves) - 24), len(leaves)))] for _ in "x" * 16]
        wave = [(*p, int(t)) for p, t in zip(picks, rng.integers(3, 300, 16), strict=True)]
        got = rows.get(model, wave)
        assert np.abs(got - llama.logits(wave)).max() < TOLERANCE
        leaves += wave
    assert model.noted[0] == ("one", len(PROMPT))
    assert [kind for kind, _ in model.noted[1:]] == ["packed"] * 12
    assert max(map(len, leaves)) > len(PROMPT) + 5


def test_lockstep_draws_run_a_pass_a_token(llama: LanguageModel) -> None:
    model, rows = Passes(llama), RowStore(MUCH)
    rng, runs = np.random.default_rng(3), [PROMPT] * 64
    for _ in range(8):
        runs = [(*run, int(token)) for run, token in zip(runs, rng.integers(3, 6, 64), strict=True)]
        got = rows.get(model, runs)
        assert np.abs(got - llama.logits(runs)).max() < TOLERANCE
    assert [kind for kind, _ in model.noted] == ["one"] + ["packed"] * 8


@pytest.mark.parametrize("limit", ["tokens", "bytes"])
def test_the_packed_cache_drops_what_nobody_needs_and_gives_its_room_back(
    llama: LanguageModel, limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from playground.models import packed
    from playground.models.hf import PackedModel

    assert isinstance(llama, PackedModel)
    waste = 128
    if limit == "tokens":
        monkeypatch.setattr(packed, "WASTE", waste)
    else:
        _, memory = llama.extend((), PROMPT)
        monkeypatch.setattr(packed, "WASTE_BYTES", waste * memory.nbytes // len(memory))
    cache, rows = llama._packed, RowStore(MUCH)
    cache.forget()
    rng = np.random.default_rng(4)
    for long in (False, True, False):
        for _ in range(12):
            prompt = tuple(int(i) for i in rng.integers(3, 300, 30))
            leaves = [
                prompt + tuple(int(i) for i in rng.integers(3, 300, 12 if long else 1))
                for _ in range(20)
            ]
            got = rows.get(llama, leaves)
            assert np.abs(got - llama.logits(leaves)).max() < TOLERANCE
            assert len(cache) >= sum(map(len, cache._slots))
            assert len(cache) <= 2 * (30 + 20 * 11) + waste + WAVE
            for layer in cache.cache.layers:
                assert layer.length == len(cache)
    assert len(cache) <= 2 * 30 + waste + WAVE
    assert cache.cache.layers[0].keys.shape[2] < 1400


def test_those_who_take_turns_find_their_tokens_in_the_packed_cache(
    llama: LanguageModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    from playground.models import packed

    model, rows = Passes(llama), RowStore(MUCH)
    written: list[int] = []
    usual = packed.append

    def noting(cache: Any, memories: Any) -> None:
        written.append(sum(map(len, memories)))
        usual(cache, memories)

    monkeypatch.setattr(packed, "append", noting)
    rng = np.random.default_rng(8)
    runs = [tuple(int(i) for i in rng.integers(3, 300, 30)) for _ in range(30)]
    for _ in range(4):
        for third in range(3):
            here = slice(third, None, 3)
            runs[here] = [(*run, int(rng.integers(3, 300))) for run in runs[here]]
            got = rows.get(model, runs[here])
            assert np.abs(got - llama.logits(runs[here])).max() < TOLERANCE
    assert [kind for kind, _ in model.noted] == ["one"] * 30 + ["packed"] * 9
    assert written == [10 * 31] * 3, "their prompts, once each"


def test_the_packed_cache_does_not_keep_what_the_store_evicts(llama: LanguageModel) -> None:
    from playground.models.hf import PackedModel

    assert isinstance(llama, PackedModel)
    rows = RowStore(0)
    for token in range(3, 6):
        leaves = [(token, *PROMPT, i) for i in range(5)]
        got = rows.get(llama, leaves)
        assert np.abs(got - llama.logits(leaves)).max() < TOLERANCE
    gc.collect()
    assert rows.held == (0, 0)
    assert len(llama._packed._slots) <= 1, "only the prompt, which the path of the last run holds"


def test_a_failed_packed_pass_leaves_no_trace(llama: LanguageModel) -> None:
    assert isinstance(llama, Packed)
    _, memory = llama.extend((), PROMPT)
    with pytest.raises(IndexError):
        llama.extend_packed(((memory,), (memory,)), (5, 10**6))
    with pytest.raises(InvalidInput, match="context"):
        llama.extend_packed(((memory,) * 7,), (5,))
    rows, _ = llama.extend_packed(((memory,), 0, (memory,)), (5, 6, 7))
    plain = llama.logits([(*PROMPT, 5), (*PROMPT, 5, 6), (*PROMPT, 7)])
    assert np.abs(rows - plain).max() < TOLERANCE


def test_a_packed_pass_that_is_not_exact_is_noticed(
    llama: LanguageModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    from playground.models.hf import PackedModel

    assert isinstance(llama, PackedModel)
    assert llama.packs_exactly()
    plain = llama._plain
    right = plain.forward_each

    def blind(tokens: Prefix, **given: Any) -> Logits:
        if "attention_mask" in given:  # everything in the cache is seen
            given["attention_mask"] = given["attention_mask"] * 0
        return right(tokens, **given)

    monkeypatch.setattr(plain, "forward_each", blind)
    assert not PackedModel(plain).packs_exactly()


def test_threads_with_trees_of_their_own_do_not_mix(llama: LanguageModel) -> None:
    rows, worst = RowStore(MUCH), []

    def walk(seed: int) -> None:
        rng = np.random.default_rng(seed)
        nodes = a_tree((seed, *PROMPT[:20]), 300, 40, rng)
        for start in range(0, 40, 8):
            wave = nodes[start : start + 8]
            worst.append(np.abs(rows.get(llama, wave) - llama.logits(wave)).max())

    threads = [threading.Thread(target=walk, args=(seed,)) for seed in range(3, 7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(worst) == 20
    assert max(worst) < TOLERANCE


def test_a_model_without_packed_passes_runs_one_at_a_time() -> None:
    model, rows = Echo(), RowStore(MUCH)
    leaves = [(*PROMPT, token) for token in range(5)]
    assert np.array_equal(rows.get(model, leaves), model.logits(leaves))


@pytest.mark.model
def test_packed_rows_of_the_default_model_are_plain_rows(smollm2: LanguageModel) -> None:
    prompt = smollm2.render("Is the sky blue? Answer yes or no.", chat=True)
    rng, rows = np.random.default_rng(5), RowStore(MUCH)
    nodes = a_tree(prompt, 40_000, 14, rng)
    for start in (0, 7):
        wave = nodes[start : start + 7]
        assert np.abs(rows.get(smollm2, wave) - smollm2.logits(wave)).max() < TOLERANCE
