"""Hidden states: padded passes give what single ones do, and others' steps come in between."""

import itertools
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.errors import Cancelled, InvalidInput, ModelUnavailable
from playground.models import states
from playground.models.base import LanguageModel
from playground.models.loader import ModelHub
from playground.models.states import TOKENS, batches, by_batch, embeds
from playground.study.prompts.tickets import items

TOLERANCE = 1e-3


def some_prefixes(model: LanguageModel, lengths: list[int]) -> list[tuple[int, ...]]:
    rng = np.random.default_rng(0)
    return [tuple(map(int, rng.integers(3, len(model.vocabulary), n))) for n in lengths]


def output_layer(model: LanguageModel, state: np.ndarray) -> np.ndarray:
    """The model's scores, from the state of one token."""
    import torch

    module = getattr(model, "_plain", model)._model  # type: ignore[attr-defined]
    with torch.inference_mode():
        row: np.ndarray = module.get_output_embeddings()(torch.from_numpy(state)).numpy()
    return row


@given(st.lists(st.integers(1, 700), max_size=60), st.integers(1, 600))
def test_passes_are_a_partition_within_the_bound(lengths: list[int], most: int) -> None:
    found = batches(lengths, most)
    order = [i for batch in found for i in batch]
    assert sorted(order) == list(range(len(lengths)))
    assert [lengths[i] for i in order] == sorted(lengths)
    for batch in found:
        assert len(batch) == 1 or len(batch) * max(lengths[i] for i in batch) <= most


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        ("llama", {}),
        ("mistral", {"sliding_window": 8}),
        ("qwen3", {"head_dim": 12}),
        ("gpt2", {}),
        ("gpt_neox", {"num_key_value_heads": 4}),
        ("mamba", {"num_hidden_layers": 2, "hidden_size": 32, "state_size": 4}),
    ],
)
def test_padding_changes_nothing_and_the_output_layer_reads_the_states(
    hub: ModelHub, make_tiny: Callable[..., Path], kind: str, settings: dict[str, Any]
) -> None:
    model = hub.get(str(make_tiny(kind, **settings)))
    embedding = embeds(model)
    assert embedding.width == 32
    prefixes = some_prefixes(model, [40, 3, 1, 17, 100, 33, 2, 90, 90, 90, 90])
    assert 1 < len(batches([len(p) for p in prefixes])) < len(prefixes)
    together = embedding.states(prefixes)
    rows = model.logits(prefixes)
    for prefix, got, row in zip(prefixes, together, rows, strict=True):
        (alone,) = embedding.states([prefix])
        assert got.dtype == np.float32
        assert got.shape == (len(prefix), 32)
        assert np.abs(got - alone).max() < TOLERANCE
        assert np.abs(output_layer(model, got[-1]) - row).max() < TOLERANCE
    assert embedding.states([]) == ()


def test_a_step_gets_in_between_two_passes(
    llama: LanguageModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    passes = 0
    real = states._pass

    def slow(*args: Any) -> Any:
        nonlocal passes
        time.sleep(0.01)
        passes += 1
        return real(*args)

    monkeypatch.setattr(states, "_pass", slow)
    prefixes = some_prefixes(llama, [200] * 2 * 40)
    reader = threading.Thread(target=embeds(llama).states, args=(prefixes,))
    reader.start()
    waited = []
    while reader.is_alive() and len(waited) < 5:
        before = passes
        llama.logits([(3, 4)])
        waited.append(passes - before)
    still_reading = reader.is_alive()
    reader.join()
    assert still_reading
    assert passes == 40
    assert max(waited) <= 2
    assert sum(waited[1:]) >= 2, "nor do steps that come one after another keep the reader out"


def test_a_reader_is_stopped_between_two_passes(llama: LanguageModel) -> None:
    prefixes = some_prefixes(llama, [200] * 7)
    read: list[int] = []
    reader = by_batch(embeds(llama), prefixes, lambda: len(read) >= 4)
    for batch, found in itertools.islice(reader, 2):
        assert len(batch) == len(found) == TOKENS // 200
        read += batch
    with pytest.raises(Cancelled):
        next(reader)
    assert read == [0, 1, 2, 3]


def test_models_without_states_are_refused_in_words(hub: ModelHub, llama: LanguageModel) -> None:
    with pytest.raises(ModelUnavailable, match="toy:sky is a table of probabilities"):
        embeds(hub.get("toy:sky"))
    scores: Any = SimpleNamespace(provenance=llama.provenance, logits=llama.logits)
    with pytest.raises(ModelUnavailable, match="gives only scores"):
        embeds(scores)


def test_too_long_a_prefix_is_refused(llama: LanguageModel) -> None:
    with pytest.raises(InvalidInput, match="257 tokens are more than the model's context of 256"):
        embeds(llama).states([(3,), (3,) * 257])
    with pytest.raises(ValueError, match="at least one token"):
        embeds(llama).states([(3,), ()])


def test_a_body_that_shows_no_states_is_refused(
    llama: LanguageModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = llama._plain._model  # type: ignore[attr-defined]
    monkeypatch.setattr(module.base_model, "forward", lambda **_: SimpleNamespace())
    with pytest.raises(ModelUnavailable, match="kind llama doesn't show its hidden states"):
        embeds(llama).states([(3, 4)])


def test_states_that_are_not_numbers_are_refused(
    hub: ModelHub, make_tiny: Callable[..., Path]
) -> None:
    from safetensors.torch import load_file, save_file

    folder = make_tiny("llama")
    weights = load_file(folder / "model.safetensors")
    weights["model.norm.weight"][:] = float("nan")
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(ModelUnavailable, match="isn't a number"):
        embeds(hub.get(str(folder))).states([(3, 4)])


@pytest.mark.model
def test_the_default_model_reads_tickets_together_as_alone(smollm2: LanguageModel) -> None:
    embedding = embeds(smollm2)
    assert embedding.width == 576
    prefixes = [smollm2.encode(item.prompt) for item in items()[:6]]
    for prefix, got in zip(prefixes, embedding.states(prefixes), strict=True):
        (alone,) = embedding.states([prefix])
        assert np.abs(got - alone).max() < TOLERANCE
    row = smollm2.logits(prefixes[-1:])[0]
    assert np.abs(output_layer(smollm2, got[-1]) - row).max() < TOLERANCE
