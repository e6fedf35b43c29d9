"""A converted model that was altered without a change of size is noticed and made again."""

import runpy
from collections.abc import Callable
from pathlib import Path

import pytest

from playground.models import gguf
from playground.models.gguf import converted, is_whole


def quiet(stage: str, done: float) -> None:
    """Report to nobody."""


def refuse(stage: str, done: float) -> None:
    raise AssertionError(f"converted again: {stage}")


@pytest.fixture(scope="module")
def tiny(llama_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A small GGUF file, and the cache in which it was converted."""
    folder = tmp_path_factory.mktemp("hardening")
    write = runpy.run_path(str(Path(__file__).with_name("test_gguf.py")))["write_gguf"]
    file = write(llama_folder, folder / "tiny.gguf")
    converted(file, folder / "cache", quiet)
    return file, folder / "cache"


def zeros_in_the_middle(data: bytearray) -> None:
    data[len(data) // 2 : len(data) // 2 + 4096] = bytes(4096)


def one_flipped_bit(data: bytearray) -> None:
    data[-5] ^= 1


def all_zeros(data: bytearray) -> None:
    data[:] = bytes(len(data))


def a_damaged_header(data: bytearray) -> None:
    data[:8] = b"\xff" * 8


@pytest.mark.parametrize(
    "damage", [zeros_in_the_middle, one_flipped_bit, all_zeros, a_damaged_header]
)
@pytest.mark.parametrize("large", [False, True])
def test_weights_altered_in_place_are_made_again(
    tiny: tuple[Path, Path],
    damage: Callable[[bytearray], None],
    large: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if large:
        monkeypatch.setattr(gguf, "_LARGE", 0)  # PyTorch is imported beside the hashing
    folder, digest = converted(*tiny, refuse)
    weights = folder / "model.safetensors"
    original = weights.read_bytes()
    data = bytearray(original)
    damage(data)
    assert bytes(data) != original
    weights.write_bytes(data)
    assert not is_whole(folder)
    assert converted(*tiny, quiet) == (folder, digest)
    assert is_whole(folder)
    assert weights.read_bytes() == original
    converted(*tiny, refuse)


def test_a_manifest_that_vouches_for_sizes_alone_is_not_believed(tiny: tuple[Path, Path]) -> None:
    import json

    folder, _ = converted(*tiny, refuse)
    manifest = json.loads((folder / "complete.json").read_text())
    size, digest = manifest["model.safetensors"]
    assert len(digest) == 64
    (folder / "complete.json").write_text(
        json.dumps({**manifest, "model.safetensors": [size, None]})
    )
    assert not is_whole(folder)
    converted(*tiny, quiet)
    assert is_whole(folder)
