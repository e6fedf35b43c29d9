"""Models load once, in the background, and whatever goes wrong is said in one sentence."""

import os
import shutil
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

from playground.errors import ModelUnavailable
from playground.models.base import LanguageModel
from playground.models.loader import LoadStatus, ModelHub
from playground.models.source import folder_hash
from playground.models.toy import TOYS
from playground.settings import Settings

ROOT = Path(__file__).parents[2]


def fresh(tmp_path: Path, *models: str) -> ModelHub:
    return ModelHub(Settings(models=models, cache=tmp_path / "cache", threads=1))


def run_python(source: str, **environment: str) -> str:
    """Output of a fresh interpreter."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(source)],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_visitor_chooses_toys_and_the_operators_list(tmp_path: Path) -> None:
    names = fresh(tmp_path, "smollm2", "some/model").names()
    assert names[: len(TOYS)] == tuple(f"toy:{name}" for name in TOYS)
    assert names[len(TOYS) :] == ("smollm2", "some/model")


def test_toys_are_ready_at_once(tmp_path: Path) -> None:
    hub = fresh(tmp_path)
    assert hub.status("toy:sky") == LoadStatus("ready", "ready", 1.0)
    assert hub.get("toy:sky") is hub.get("toy:sky")
    assert hub.get("toy:sky").provenance.revision == TOYS["sky"].revision
    hub.start("toy:sky")


def test_equal_edited_toys_are_one_model_and_old_ones_are_forgotten(tmp_path: Path) -> None:
    hub = fresh(tmp_path)
    spec = TOYS["two-step"]
    again = type(spec).read(spec.model_dump(mode="json"))
    first = hub.toy(spec)
    assert hub.toy(again) is first
    for number in range(300):
        hub.toy(spec.model_copy(update={"name": f"toy-{number}"}))
    assert len(hub._edited) <= 256
    assert hub.toy(spec) is not first


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("toy:moon", "no toy called 'moon'"),
        ("../no/such/folder", "no folder here"),
        ("what is this?", "no folder here"),
        ("x" * 10_000, "can't be a hub id"),
    ],
    ids=["toy", "path", "words", "long"],
)
def test_an_unknown_model_lists_the_choices(tmp_path: Path, name: str, says: str) -> None:
    hub = fresh(tmp_path, "smollm2")
    with pytest.raises(ModelUnavailable, match=says) as refusal:
        hub.get(name)
    assert "toy:sky" in refusal.value.hint
    assert "smollm2" in refusal.value.hint
    assert len(str(refusal.value)) < 600


def test_visitors_who_ask_at_once_share_one_load(tmp_path: Path, llama_folder: Path) -> None:
    hub = fresh(tmp_path)
    got: list[LanguageModel] = []
    gate = threading.Barrier(6)

    def ask(background: bool) -> None:
        gate.wait()
        if background:
            hub.start(str(llama_folder))
        got.append(hub.get(str(llama_folder)))

    threads = [threading.Thread(target=ask, args=(number % 2 == 0,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == 6
    assert len({id(model) for model in got}) == 1


def test_the_background_tells_how_far_it_is(tmp_path: Path, llama_folder: Path) -> None:
    hub = fresh(tmp_path)
    name = str(llama_folder)
    assert hub.status(name) == LoadStatus("absent")
    hub.start(name)
    seen = [hub.status(name)]
    while seen[-1].state == "loading":
        time.sleep(0.001)
        seen.append(hub.status(name))
    assert seen[-1] == LoadStatus("ready", "ready", 1.0)
    assert {status.state for status in seen} <= {"loading", "ready"}
    done = [status.done for status in seen]
    assert done == sorted(done)
    assert all(status.stage for status in seen)
    assert hub.get(name).provenance.name == llama_folder.name


def test_a_failure_is_kept_for_the_page_and_tried_again(tmp_path: Path, llama_folder: Path) -> None:
    hub = fresh(tmp_path)
    folder = tmp_path / "model"
    folder.mkdir()
    hub.start(str(folder))
    while hub.status(str(folder)).state == "loading":
        time.sleep(0.001)
    status = hub.status(str(folder))
    assert status.state == "failed"
    assert isinstance(status.error, ModelUnavailable)
    assert "no safetensors" in str(status.error)
    with pytest.raises(ModelUnavailable):
        hub.get(str(folder))
    shutil.copytree(llama_folder, folder, dirs_exist_ok=True)
    assert hub.get(str(folder)).context == 256
    assert hub.status(str(folder)).state == "ready"


def test_a_folders_hash_follows_its_contents(tmp_path: Path) -> None:
    weights = tmp_path / "model.safetensors"
    weights.write_bytes(bytes(10**6))
    (tmp_path / "config.json").write_text("{}")
    first = folder_hash(tmp_path)
    assert len(first) == 12
    (tmp_path / "README.md").write_text("words")
    os.utime(weights, (0, 0))
    assert folder_hash(tmp_path) == first
    weights.write_bytes(bytes(10**6 - 1) + b"\1")
    second = folder_hash(tmp_path)
    (tmp_path / "config.json").write_text("{ }")
    assert len({first, second, folder_hash(tmp_path)}) == 3


def test_starting_up_imports_no_heavy_library() -> None:
    loaded = run_python(
        """
        import sys
        from playground.models.loader import ModelHub
        from playground.models.rows import RowStore
        from playground.settings import Settings

        hub = ModelHub(Settings())
        RowStore(10**6).get(hub.get("toy:sky"), [()])
        heavy = {"torch", "transformers", "outlines", "tokenizers", "safetensors", "gguf"}
        print(sorted(heavy & {name.split(".")[0] for name in sys.modules}))
        """
    )
    assert loaded.strip() == "[]"


OFFLINE = """
    import socket

    def refuse(*args, **kwargs):
        raise AssertionError("a network call")

    socket.socket.connect = refuse
    socket.getaddrinfo = refuse
    from pathlib import Path
    from playground.errors import ModelUnavailable
    from playground.models.loader import ModelHub
    from playground.settings import Settings

    hub = ModelHub(Settings(models=("smollm2",), cache=Path(FOLDER) / "cache", threads=1))
"""


def offline(folder: Path, source: str, **environment: str) -> list[str]:
    """Lines printed by `source` in an interpreter where any use of the network fails."""
    start = textwrap.dedent(OFFLINE).replace("FOLDER", repr(str(folder)))
    return run_python(start + textwrap.dedent(source), **environment).splitlines()


def test_the_hubs_cache_is_read_without_the_network(tmp_path: Path, llama_folder: Path) -> None:
    commit = "0123456789abcdef0123456789abcdef01234567"
    repository = tmp_path / "home" / "hub" / "models--some--tiny"
    shutil.copytree(llama_folder, repository / "snapshots" / commit)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(commit)
    lines = offline(
        tmp_path,
        """
        model = hub.get("some/tiny")
        print(model.provenance.name, model.provenance.revision, len(model.logits([(3, 4)])))
        try:
            hub.get("some/other")
        except ModelUnavailable as error:
            print(error)
        """,
        HF_HUB_OFFLINE="1",
        HF_HOME=str(tmp_path / "home"),
    )
    assert lines[0] == "some/tiny 0123456789ab 1"
    assert "no model 'some/other'" in lines[1]
    assert "HF_HUB_OFFLINE" in lines[1]
    assert "toy:sky" in lines[1]


def test_without_its_wheel_the_default_model_is_the_hubs_and_else_says_what_to_do(
    tmp_path: Path, llama_folder: Path
) -> None:
    source = """
        import playground.models.gguf
        playground.models.gguf.PACKAGE = "no_such_wheel"
        try:
            model = hub.get("smollm2")
            print(model.provenance.name, model.provenance.revision)
        except ModelUnavailable as error:
            print(error)
        """
    settings = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "home")}
    assert "isn't installed. Run `make setup`" in offline(tmp_path, source, **settings)[0]
    commit = "0123456789abcdef0123456789abcdef01234567"
    name = "models--HuggingFaceTB--SmolLM2-135M-Instruct"
    repository = tmp_path / "home" / "hub" / name
    shutil.copytree(llama_folder, repository / "snapshots" / commit)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(commit)
    assert offline(tmp_path, source, **settings)[0] == "smollm2 0123456789ab"


def test_local_folders_never_ask_the_hub(tmp_path: Path, llama_folder: Path) -> None:
    lines = offline(
        tmp_path,
        f"""
        model = hub.get({str(llama_folder)!r})
        print(model.vocabulary.decode(model.render("hello", chat=True)))
        """,
        HF_HUB_OFFLINE="0",
        HF_HOME=str(tmp_path / "home"),
    )
    assert lines == [repr(b"user\nhello\nassistant\n")]
