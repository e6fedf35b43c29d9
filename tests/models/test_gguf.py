"""A GGUF file is converted once, whole, and to the same model."""

import json
import multiprocessing
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from playground.errors import ModelUnavailable
from playground.models.gguf import converted, file_hash, find_gguf, is_whole


def write_gguf(folder: Path, target: Path) -> Path:
    """The tiny Llama of `folder` as llama.cpp would write it: q and k rows permuted, float32."""
    import gguf
    from safetensors.numpy import load_file

    config = json.loads((folder / "config.json").read_text())
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    weights = load_file(folder / "model.safetensors")
    heads, kv_heads = config["num_attention_heads"], config["num_key_value_heads"]
    writer = gguf.GGUFWriter(str(target), "llama")
    writer.add_name("tiny")
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(heads)
    writer.add_head_count_kv(kv_heads)
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_rope_freq_base(config["rope_parameters"]["rope_theta"])
    writer.add_rope_dimension_count(config["hidden_size"] // heads)
    writer.add_vocab_size(config["vocab_size"])
    pieces = {token: piece for piece, token in tokenizer["model"]["vocab"].items()}
    special = {entry["id"]: entry["content"] for entry in tokenizer["added_tokens"]}
    names = [special.get(i, pieces.get(i, f"<pad{i}>")) for i in range(config["vocab_size"])]
    writer.add_tokenizer_model("gpt2")
    writer.add_token_list(names)
    writer.add_token_types([3 if i in special or i not in pieces else 1 for i in range(len(names))])
    writer.add_token_merges([" ".join(pair) for pair in tokenizer["model"]["merges"]])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_chat_template("{{ messages[0]['content'] }}")

    def permuted(weight: Any, count: int) -> Any:
        rows, columns = weight.shape
        halves = weight.reshape(count, 2, rows // count // 2, columns)
        return np.ascontiguousarray(halves.swapaxes(1, 2).reshape(rows, columns))

    writer.add_tensor("token_embd.weight", weights["model.embed_tokens.weight"])
    writer.add_tensor("output.weight", weights["lm_head.weight"])
    writer.add_tensor("output_norm.weight", weights["model.norm.weight"])
    for layer in range(config["num_hidden_layers"]):
        ours, theirs = f"model.layers.{layer}.", f"blk.{layer}."
        for name, source in {
            "attn_norm": "input_layernorm",
            "ffn_norm": "post_attention_layernorm",
            "attn_v": "self_attn.v_proj",
            "attn_output": "self_attn.o_proj",
            "ffn_gate": "mlp.gate_proj",
            "ffn_up": "mlp.up_proj",
            "ffn_down": "mlp.down_proj",
        }.items():
            writer.add_tensor(f"{theirs}{name}.weight", weights[f"{ours}{source}.weight"])
        for name, count in {"q": heads, "k": kv_heads}.items():
            weight = permuted(weights[f"{ours}self_attn.{name}_proj.weight"], count)
            writer.add_tensor(f"{theirs}attn_{name}.weight", weight)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return target


@pytest.fixture(scope="module")
def tiny_gguf(llama_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_gguf(llama_folder, tmp_path_factory.mktemp("gguf") / "tiny.gguf")


@pytest.fixture(scope="module")
def saved(tiny_gguf: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A cache in which the file was converted, and the stages that were reported."""
    cache = tmp_path_factory.mktemp("outer") / "cache"
    stages: list[str] = []
    converted(tiny_gguf, cache, lambda stage, done: stages.append(f"{done} {stage}"))
    return cache, stages


@pytest.fixture
def cache(saved: tuple[Path, list[str]], tmp_path: Path) -> Path:
    """A copy of that cache, to be damaged."""
    shutil.copytree(saved[0], tmp_path / "cache")
    return tmp_path / "cache"


def quiet(stage: str, done: float) -> None:
    """Report to nobody."""


def refuse(stage: str, done: float) -> None:
    raise AssertionError(f"converted again: {stage}")


def test_the_converted_model_is_the_same_model(
    saved: tuple[Path, list[str]], tiny_gguf: Path, llama_folder: Path
) -> None:
    from playground.models.hf import load_folder

    folder, digest = converted(tiny_gguf, saved[0], refuse)
    ours = load_folder(folder, "tiny", digest[:12], 1, quiet)
    original = load_folder(llama_folder, "tiny", "0", 1, quiet)
    path = (1, 5, 60, 200, 9)
    assert np.allclose(ours.logits([path]), original.logits([path]), atol=1e-5)
    assert (
        ours.vocabulary.tokens[: len(original.vocabulary) - 8]
        == (original.vocabulary.tokens[: len(original.vocabulary) - 8])
    )
    assert ours.vocabulary.eos_ids == {2}
    assert ours.vocabulary.decode(ours.render("The dog", chat=True)) == b"The dog"


def test_progress_is_told_in_order(saved: tuple[Path, list[str]]) -> None:
    done = [float(stage.split()[0]) for stage in saved[1]]
    assert done == sorted(done)
    assert len(done) >= 4
    assert all("converting" in stage for stage in saved[1])


def test_the_folders_are_the_owners_alone(saved: tuple[Path, list[str]], tiny_gguf: Path) -> None:
    folder, _ = converted(tiny_gguf, saved[0], refuse)
    for path in (saved[0], folder.parent, folder):
        assert path.stat().st_mode & 0o777 == 0o700


def test_the_folder_is_keyed_by_the_files_bytes_and_the_library(
    cache: Path, tiny_gguf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from playground.models import gguf

    folder, digest = converted(tiny_gguf, cache, refuse)
    assert digest[:16] in folder.name
    copy = tmp_path / "copy" / tiny_gguf.name
    copy.parent.mkdir()
    shutil.copy(tiny_gguf, copy)
    assert converted(copy, cache, refuse) == (folder, digest)
    monkeypatch.setattr(gguf, "version", lambda package: "9.9")
    with pytest.raises(AssertionError, match="converted again"):
        converted(tiny_gguf, cache, refuse)


def test_the_hash_is_remembered_until_the_file_changes(tmp_path: Path) -> None:
    file = tmp_path / "a.gguf"
    file.write_bytes(b"one")
    first = file_hash(file, tmp_path)
    (note,) = tmp_path.glob("*.sha256")
    note.write_text("f" * 64)
    assert file_hash(file, tmp_path) == "f" * 64
    note.write_text("damaged")
    assert file_hash(file, tmp_path) == first
    file.write_bytes(b"another")
    assert file_hash(file, tmp_path) not in (first, "f" * 64)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def alter(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:50] + b"#" + data[51:])


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("model.safetensors", cut),
        ("model.safetensors", Path.unlink),
        ("tokenizer.json", alter),
        ("config.json", Path.unlink),
        ("complete.json", Path.unlink),
        ("complete.json", alter),
    ],
)
def test_a_damaged_folder_is_made_again(
    cache: Path, tiny_gguf: Path, name: str, damage: Callable[[Path], None]
) -> None:
    folder, _ = converted(tiny_gguf, cache, refuse)
    original = (folder / "model.safetensors").read_bytes()
    damage(folder / name)
    assert not is_whole(folder)
    again, _ = converted(tiny_gguf, cache, quiet)
    assert again == folder
    assert is_whole(folder)
    assert (folder / "model.safetensors").read_bytes() == original


def test_half_a_conversion_is_never_seen_and_is_swept_up(
    cache: Path, tiny_gguf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from playground.models import gguf

    folder, _ = converted(tiny_gguf, cache, refuse)
    shutil.rmtree(folder)
    leftover = folder.parent / f".{folder.name}-crashed"
    leftover.mkdir()

    def full_disk(folder: Path) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(gguf, "_seal", full_disk)
    with pytest.raises(ModelUnavailable, match="No space left") as refusal:
        converted(tiny_gguf, cache, quiet)
    assert "room" in refusal.value.hint
    assert not folder.exists()
    assert not list(folder.parent.glob(".*-*"))


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "broken.gguf"
    file.write_bytes(b"GGUF" + b"\0" * 64)
    with pytest.raises(ModelUnavailable, match="can't be converted"):
        converted(file, tmp_path / "cache", quiet)


def convert_in_a_process(gguf: Path, cache: Path, gate: Any, results: Any) -> None:
    count = 0

    def counting(stage: str, done: float) -> None:
        nonlocal count
        count += "saving" in stage

    gate.wait()
    folder, digest = converted(gguf, cache, counting)
    results.put((str(folder), digest, count, is_whole(folder)))


def test_two_processes_at_once_convert_once(tiny_gguf: Path, tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    gate, results = context.Barrier(2), context.Queue()
    workers = [
        context.Process(
            target=convert_in_a_process, args=(tiny_gguf, tmp_path / "cache", gate, results)
        )
        for _ in range(2)
    ]
    for worker in workers:
        worker.start()
    answers = [results.get(timeout=60) for _ in workers]
    for worker in workers:
        worker.join()
    assert answers[0][:2] == answers[1][:2]
    assert sorted(count for _, _, count, _ in answers) == [0, 1]
    assert all(whole for *_, whole in answers)


def test_a_missing_wheel_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    from playground.models import gguf

    monkeypatch.setattr(gguf, "PACKAGE", "no_such_wheel")
    with pytest.raises(ModelUnavailable, match="isn't installed") as refusal:
        find_gguf()
    assert "pip install" in refusal.value.hint
