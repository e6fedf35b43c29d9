"""What a head reads of a text: read once, kept within bounds, and the same from every cache."""

import hashlib
import io
import os
import stat
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from playground.errors import Cancelled, InvalidInput, ModelUnavailable
from playground.fields import features
from playground.fields.features import LONGEST, features_of, prefix_of, reading
from playground.fields.kept import Kept, Shelf
from playground.models.base import Prefix, Provenance
from playground.models.loader import ModelHub
from playground.settings import Settings
from playground.study.prompts.tickets import items
from playground.vocabulary import Vocabulary

WIDTH = 4
BOS = 256


class Bytes:
    """A model of bytes whose states are sums of all tokens so far, to powers."""

    def __init__(self, revision: str = "1", bos: bool = True, scale: float = 1.0) -> None:
        self.vocabulary = Vocabulary((*(bytes([i]) for i in range(256)), None), frozenset({BOS}))
        self.provenance = Provenance("bytes", revision, "float32", "live")
        self.context = 1000
        self.width = WIDTH
        self.read: list[Prefix] = []
        self._bos = bos
        self._scale = scale

    def states(self, prefixes: Sequence[Prefix]) -> tuple[np.ndarray, ...]:
        self.read += prefixes
        return tuple(
            (
                self._scale
                * np.cumsum([[(t / 256) ** k for k in range(WIDTH)] for t in prefix], axis=0)
            ).astype(np.float32)
            for prefix in prefixes
        )

    def logits(self, prefixes: Sequence[Prefix]) -> np.ndarray:
        raise AssertionError("no row is needed")

    def render(self, prompt: str, chat: bool) -> Prefix:
        assert not chat
        if not self._bos:
            raise InvalidInput("The prompt is empty.")
        return (BOS,)

    def encode(self, text: str) -> Prefix:
        if "\x04" in text:
            raise InvalidInput("The vocabulary can't spell it.", where="byte 1")
        return tuple(text.encode())


@pytest.fixture(autouse=True)
def empty_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    forget(monkeypatch)


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a new process."""
    monkeypatch.setattr(features, "_MEMORY", Kept())


def test_a_text_is_read_from_its_start_after_bos() -> None:
    assert prefix_of(Bytes(), "ab") == (BOS, 97, 98)
    assert prefix_of(Bytes(bos=False), "ab") == (97, 98)
    assert prefix_of(Bytes(), "") == (BOS,)
    long = "".join(chr(32 + i % 90) for i in range(900))
    assert prefix_of(Bytes(), long) == (BOS, *long.encode()[: LONGEST - 1])


def test_an_unreadable_text_is_named() -> None:
    with pytest.raises(InvalidInput, match="empty") as error:
        features_of(Bytes(bos=False), ["a", ""])
    assert error.value.where == "text 2"
    with pytest.raises(InvalidInput, match="spell") as error:
        features_of(Bytes(), ["a", "a", "\x04"])
    assert error.value.where == "text 3, byte 1"


def test_a_toy_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="no hidden states"):
        features_of(ModelHub(Settings(models=(), cache=tmp_path)).get("toy:sky"), ["a"])


def test_pooling_is_the_mean_and_the_last_token() -> None:
    model = Bytes()
    texts = ["abc", "", "abc", "z" * 300]
    got = features_of(model, texts)
    exact = [model.states([prefix_of(model, text)])[0] for text in texts]
    assert got.provenance == model.provenance
    assert [len(states) for states in got.states] == [4, 1, 4, LONGEST]
    mean, last = got.pooled("mean"), got.pooled("last")
    assert mean.shape == last.shape == (4, WIDTH)
    assert mean.dtype == last.dtype == np.float32
    assert np.allclose(mean, [states.mean(axis=0) for states in exact], rtol=1e-3)
    assert np.allclose(last, [states[-1] for states in exact], rtol=1e-3)


def test_no_texts_have_no_features() -> None:
    got = features_of(Bytes(), [])
    assert got.pooled("mean").shape == (0, WIDTH)


def test_equal_texts_are_read_once_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = Bytes()
    told: list[tuple[int, int]] = []
    first = features_of(model, ["a", "b", "a"], lambda *at: told.append(at), cache_folder=tmp_path)
    assert sorted(model.read) == [(BOS, 97), (BOS, 98)]
    assert told[0] == (0, 3)
    assert told[-1] == (3, 3)
    assert told == sorted(told)
    features_of(model, ["b", "a"])
    assert len(model.read) == 2
    forget(monkeypatch)
    again = features_of(model, ["a", "b", "a"], cache_folder=tmp_path)
    assert len(model.read) == 2
    for a, b in zip(first.states, again.states, strict=True):
        assert a.dtype == b.dtype == np.float16
        assert np.array_equal(a, b)
        assert not a.flags.writeable
        assert not b.flags.writeable
    forget(monkeypatch)
    features_of(model, ["a"])
    assert len(model.read) == 3, "without a folder nothing is read from disk"


def test_reading_tells_every_pass_as_it_comes_and_ends_between_two() -> None:
    model = Bytes()
    texts = ["x" * (100 + at) for at in range(12)]  # 512 tokens a pass: 4 of them, or 5
    steps = reading(model, texts)
    told = [next(steps)]
    while len(model.read) < len(texts):
        before = len(model.read)
        told.append(next(steps))
        assert told[-1] == (len(model.read), 12)
        assert 0 < len(model.read) - before <= 5, "one pass"
    with pytest.raises(StopIteration) as end:
        next(steps)
    assert [len(states) for states in end.value.value.states] == [101 + at for at in range(12)]
    other = Bytes("2")
    steps = reading(other, texts, lambda: bool(other.read))
    assert next(steps) == (0, 12)
    next(steps)
    once = len(other.read)
    with pytest.raises(Cancelled):
        next(steps)
    assert len(other.read) == once < 12


def test_states_are_another_models_never(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    features_of(Bytes("1"), ["a"], cache_folder=tmp_path)
    other = Bytes("2")
    features_of(other, ["a"], cache_folder=tmp_path)
    assert len(other.read) == 1
    forget(monkeypatch)
    monkeypatch.setattr(features, "VERSION", features.VERSION + 1)
    features_of(other, ["a"], cache_folder=tmp_path)
    assert len(other.read) == 2


def the_file(folder: Path) -> Path:
    (file,) = (folder / "states").iterdir()
    return file


def signed(array: np.ndarray) -> bytes:
    """What a file of `array` would hold, pickled if need be."""
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=True)
    return buffer.getvalue() + hashlib.sha256(buffer.getvalue()).digest()


@pytest.mark.parametrize("kind", ["cut", "flipped", "empty", "longer", "pickled", "wide"])
def test_a_damaged_file_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    model = Bytes()
    right = features_of(model, ["abc"], cache_folder=tmp_path).states[0]
    file = the_file(tmp_path)
    data = file.read_bytes()
    flipped = bytearray(data)
    flipped[-40] ^= 1
    damaged = {
        "cut": data[:-9],
        "flipped": bytes(flipped),
        "empty": b"",
        "longer": data + b"x",
        "pickled": signed(np.array([[None] * WIDTH])),
        "wide": signed(np.zeros((3, WIDTH + 1), dtype=np.float16)),
    }
    file.write_bytes(damaged[kind])
    forget(monkeypatch)
    again = features_of(model, ["abc"], cache_folder=tmp_path).states[0]
    assert len(model.read) == 2
    assert np.array_equal(again, right)
    assert the_file(tmp_path).read_bytes() == data


def test_what_was_read_before_a_stop_is_kept(tmp_path: Path) -> None:
    model = Bytes()
    texts = [chr(97 + i) * 200 for i in range(7)]
    with pytest.raises(Cancelled):
        features_of(model, texts, cancelled=lambda: len(model.read) >= 4, cache_folder=tmp_path)
    assert len(model.read) == 4
    assert len(list((tmp_path / "states").iterdir())) == 4
    got = features_of(model, texts, cache_folder=tmp_path)
    assert len(model.read) == 7
    assert len(got.states) == 7


def test_numbers_too_large_for_half_precision_are_kept_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = Bytes(scale=1e5)
    first = features_of(model, ["ab"], cache_folder=tmp_path).states[0]
    assert first.dtype == np.float32
    assert np.isfinite(first).all()
    forget(monkeypatch)
    assert np.array_equal(features_of(model, ["ab"], cache_folder=tmp_path).states[0], first)
    assert len(model.read) == 1


def test_a_disk_that_cannot_be_written_costs_the_cache_alone(tmp_path: Path) -> None:
    (tmp_path / "states").write_text("in the way")
    assert len(features_of(Bytes(), ["a", "b"], cache_folder=tmp_path).states) == 2


def test_the_folder_is_ones_own_and_bounded(tmp_path: Path) -> None:
    states = np.ones((10, WIDTH), dtype=np.float16)
    folder = tmp_path / "states"
    shelf = Shelf(folder, most=5 * 300)
    for i in range(5):
        shelf.store(f"{i}", states)
        os.utime(folder / f"{i}.npy", (i, i))
    size = (folder / "0.npy").stat().st_size
    assert size <= 300
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert shelf.load("0", WIDTH) is not None  # used just now: the last to go
    for i in range(5, 20):
        shelf.store(f"{i}", states)
        held = sum(path.stat().st_size for path in folder.iterdir())
        assert held <= 5 * 300 * 9 / 8 + size
    shelf.trim()
    assert sum(path.stat().st_size for path in folder.iterdir()) <= 5 * 300
    assert shelf.load("1", WIDTH) is None


def test_the_last_used_stays_in_memory() -> None:
    states = np.ones((10, WIDTH), dtype=np.float16)
    kept = Kept(most=3 * states.nbytes)
    for key in "abc":
        kept.put(key, states.copy())
    assert kept.get("a") is not None
    held = kept.put("d", states.copy())
    assert kept.put("d", states.copy()) is held
    assert kept.nbytes == 3 * states.nbytes
    assert kept.get("b") is None
    assert kept.get("a") is not None


@pytest.mark.model
def test_the_default_model_reads_tickets(tmp_path: Path) -> None:
    if os.environ.get("PLAYGROUND_NO_MODEL") == "1":
        pytest.skip("PLAYGROUND_NO_MODEL=1: without the default model")
    model = ModelHub(Settings.from_env()).get("smollm2")
    texts = [item.prompt for item in items()[:3]]
    assert all(prefix_of(model, text)[0] == 1 for text in texts)
    got = features_of(model, [*texts, ""], cache_folder=tmp_path)
    assert got.pooled("mean").shape == (4, 576)
    assert all(states.dtype == np.float16 for states in got.states)
    assert np.isfinite(got.pooled("last")).all()
