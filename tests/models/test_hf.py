"""A transformers model in a folder gives the rows of plain passes, or is refused in a sentence."""

import json
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from playground.errors import InvalidInput, ModelUnavailable
from playground.models.base import Incremental, LanguageModel
from playground.models.loader import ModelHub

TOLERANCE = 2e-4
"""Largest difference of a logit, as DESIGN.md's bounds assume."""


def a_path(model: LanguageModel, length: int = 40) -> tuple[int, ...]:
    rng = np.random.default_rng(0)
    return tuple(int(i) for i in rng.integers(3, len(model.vocabulary), length))


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        ("llama", {}),
        ("mistral", {"sliding_window": 8}),
        ("qwen2", {}),
        ("qwen3", {"head_dim": 12}),
        ("gpt2", {}),
        ("gpt_neox", {"num_key_value_heads": 4}),
        ("gemma2", {"head_dim": 8, "sliding_window": 8}),
    ],
)
def test_continuing_gives_the_rows_of_plain_passes(
    hub: ModelHub, make_tiny: Callable[..., Path], kind: str, settings: dict[str, Any]
) -> None:
    model = hub.get(str(make_tiny(kind, **settings)))
    assert isinstance(model, Incremental)
    path = a_path(model)
    plain = model.logits([path[:n] for n in range(1, len(path) + 1)])
    assert plain.dtype == np.float32
    assert plain.shape == (len(path), len(model.vocabulary))
    past: list[Any] = []
    for start, end in [(0, 13), (13, 14), (14, 15), (15, 22), *((n, n + 1) for n in range(22, 40))]:
        row, memory = model.extend(past, path[start:end])
        past.append(memory)
        assert np.abs(row - plain[end - 1]).max() < TOLERANCE
    # Forks: from the middle, from another prompt, and back to the first path.
    for cut in (3, 1, 10, 2):
        row, _ = model.extend(past[:cut], (5,))
        read = sum(map(len, past[:cut]))
        assert np.abs(row - model.logits([(*path[:read], 5)])[0]).max() < TOLERANCE
    row, _ = model.extend(past[:-1], path[-1:])
    assert np.abs(row - plain[-1]).max() < TOLERANCE


def test_a_model_with_a_recurrent_state_runs_plainly(
    hub: ModelHub, make_tiny: Callable[..., Path]
) -> None:
    model = hub.get(str(make_tiny("mamba", num_hidden_layers=2, hidden_size=32, state_size=4)))
    assert not isinstance(model, Incremental)
    path = a_path(model, 6)
    assert np.isfinite(model.logits([path, path[:3]])).all()


def test_memories_outlive_the_model_that_made_them(llama_folder: Path, hub: ModelHub) -> None:
    from playground.settings import Settings

    first = hub.get(str(llama_folder))
    second = ModelHub(Settings(models=(), threads=1)).get(str(llama_folder))
    assert isinstance(first, Incremental)
    assert isinstance(second, Incremental)
    assert first is not second
    assert first.provenance == second.provenance
    path = a_path(first, 9)
    _, memory = first.extend((), path[:6])
    row, _ = second.extend((memory,), path[6:])
    assert np.abs(row - first.logits([path])[0]).max() < TOLERANCE


def test_a_failed_pass_leaves_no_trace(llama: LanguageModel) -> None:
    assert isinstance(llama, Incremental)
    path = a_path(llama, 8)
    _, memory = llama.extend((), path[:5])
    with pytest.raises(IndexError):
        llama.extend((memory,), (10**6,))
    row, _ = llama.extend((memory,), path[5:])
    assert np.abs(row - llama.logits([path])[0]).max() < TOLERANCE


def test_threads_do_not_mix_their_paths(llama: LanguageModel) -> None:
    assert isinstance(llama, Incremental)
    model = llama
    wrong: list[float] = []

    def walk(seed: int) -> None:
        rng = np.random.default_rng(seed)
        path = tuple(int(i) for i in rng.integers(3, len(llama.vocabulary), 12))
        past: list[Any] = []
        for n in range(12):
            row, memory = model.extend(past, path[n : n + 1])
            past.append(memory)
            difference = np.abs(row - llama.logits([path[: n + 1]])[0]).max()
            if difference >= TOLERANCE:
                wrong.append(float(difference))

    threads = [threading.Thread(target=walk, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_prefix_longer_than_the_context_is_refused(llama: LanguageModel) -> None:
    assert llama.context == 256
    assert isinstance(llama, Incremental)
    _, memory = llama.extend((), (3,) * 256)
    with pytest.raises(InvalidInput, match="257 tokens are more than the model's context of 256"):
        llama.extend((memory,), (3,))
    with pytest.raises(InvalidInput, match="257 tokens"):
        llama.logits([(3,) * 257])


def test_equal_prefixes_give_equal_rows(llama: LanguageModel) -> None:
    path = a_path(llama, 7)
    rows = llama.logits([path, path[:3], path])
    assert np.array_equal(rows[0], rows[2])
    assert llama.logits([]).shape == (0, len(llama.vocabulary))


def test_every_source_of_eos_counts(
    hub: ModelHub, make_tiny: Callable[..., Path], byte_level: Any
) -> None:
    folder = make_tiny("llama", eos_token_id=0)
    generation = json.loads((folder / "generation_config.json").read_text())
    word = byte_level.get_vocab()["The"]
    (folder / "generation_config.json").write_text(
        json.dumps({**generation, "eos_token_id": [0, word]})
    )
    model = hub.get(str(folder))
    assert model.vocabulary.eos_ids == {0, 2, word}


def test_the_padded_end_of_the_scores_is_never_text(llama: LanguageModel, byte_level: Any) -> None:
    assert len(llama.vocabulary) == len(byte_level) + 7
    assert llama.vocabulary.tokens[-7:] == (None,) * 7


def test_weights_that_are_not_numbers_are_refused(
    hub: ModelHub, make_tiny: Callable[..., Path]
) -> None:
    from safetensors.torch import load_file, save_file

    folder = make_tiny("llama")
    weights = load_file(folder / "model.safetensors")
    weights["model.norm.weight"][:] = float("nan")
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(ModelUnavailable, match="isn't a number"):
        hub.get(str(folder)).logits([(3, 4)])


def test_only_safetensors_are_read(
    hub: ModelHub, make_tiny: Callable[..., Path], tmp_path: Path
) -> None:
    import torch
    from safetensors.torch import load_file

    folder = tmp_path / "pickled"
    shutil.copytree(make_tiny("llama"), folder)
    torch.save(load_file(folder / "model.safetensors"), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    with pytest.raises(ModelUnavailable, match="no safetensors weights"):
        hub.get(str(folder))


def test_code_in_a_folder_is_never_run(
    hub: ModelHub, make_tiny: Callable[..., Path], tmp_path: Path
) -> None:
    folder = tmp_path / "evil"
    shutil.copytree(make_tiny("llama"), folder)
    config = json.loads((folder / "config.json").read_text())
    config["model_type"] = "evil"
    config["auto_map"] = {"AutoConfig": "evil.C", "AutoModelForCausalLM": "evil.M"}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    with pytest.raises(ModelUnavailable, match="can't be loaded"):
        hub.get(str(folder))
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("broken", ["model.safetensors", "config.json", "tokenizer.json"])
def test_a_damaged_folder_is_refused_with_a_hint(
    hub: ModelHub, make_tiny: Callable[..., Path], tmp_path: Path, broken: str
) -> None:
    folder = tmp_path / "damaged"
    shutil.copytree(make_tiny("llama"), folder)
    data = (folder / broken).read_bytes()
    (folder / broken).write_bytes(data[: len(data) // 2])
    with pytest.raises(ModelUnavailable, match="can't be loaded") as refusal:
        hub.get(str(folder))
    assert "safetensors" in refusal.value.hint


def test_a_tokenizer_without_bytes_is_refused(
    hub: ModelHub, make_tiny: Callable[..., Path]
) -> None:
    from tokenizers import Tokenizer, models
    from transformers import PreTrainedTokenizerFast

    backend = Tokenizer(models.WordLevel({"[UNK]": 0, "a": 1, "b": 2}, unk_token="[UNK]"))
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=backend, unk_token="[UNK]")
    folder = make_tiny("llama", tokenizer, vocab_size=64)
    with pytest.raises(ModelUnavailable, match="no bytes for its tokens"):
        hub.get(str(folder))


@pytest.mark.parametrize("kind", ["bpe", "unigram"])
def test_sentencepiece_models_render_and_encode(
    hub: ModelHub,
    make_tiny: Callable[..., Path],
    sentencepiece: Callable[[str], Any],
    kind: str,
) -> None:
    model = hub.get(str(make_tiny("llama", sentencepiece(kind))))
    text = '{"name": "Ada"}\n😀'
    assert model.vocabulary.decode(model.encode(text)) == text.encode()
    assert model.render("", chat=False) == (1,)
    with pytest.raises(InvalidInput, match="no chat template"):
        model.render("hello", chat=True)


def test_a_continuation_that_is_not_exact_is_noticed(
    llama: LanguageModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    from playground.models.hf import ContinuedModel

    assert isinstance(llama, ContinuedModel)
    assert llama.continues_exactly()
    plain = llama._plain
    right = plain.forward

    def wrong(tokens: tuple[int, ...], **settings: Any) -> Any:
        return right(tokens[::-1] if settings["use_cache"] else tokens, **settings)

    monkeypatch.setattr(plain, "forward", wrong)
    assert not ContinuedModel(plain).continues_exactly()
