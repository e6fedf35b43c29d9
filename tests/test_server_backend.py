"""Studies answered by a real local server, `transformers serve`; strict by llama.cpp's (`make test-llama`)."""

import importlib.util
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from playground.cli import main
from playground.constraints.spec import ConstraintSpec
from playground.errors import InvalidInput, ModelUnavailable
from playground.models.gguf import find_gguf
from playground.models.server import Ask, Dialect, Refused, Server, is_served
from playground.models.source import locate
from playground.session import Playground
from playground.settings import Settings
from playground.studies_server import ServedStudies, only_model
from playground.study.row import Row
from playground.study.spec import StudySpec
from tests.ports import free_port

START_SECONDS = 120
needs_serving = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("openai", "accelerate")),
    reason="`transformers serve` lacks openai or accelerate: pip install -r requirements-dev.txt",
)
needs_llama = pytest.mark.skipif(
    "LLAMA_PYTHON" not in os.environ,
    reason="llama-cpp-python takes minutes to build: run `make test-llama`",
)
SCHEMA = ConstraintSpec(
    kind="schema",
    source='{"type": "object", "properties": {"team": {"type": "string", "enum": ["billing", '
    '"sales"]}}, "required": ["team"], "additionalProperties": false}',
)


@contextmanager
def serving(command: Sequence[str], port: int, folder: Path) -> Iterator[str]:
    """A server's address; it is ended afterwards."""
    log = folder / "server.log"
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    environment.pop("PYTHONPATH", None)
    with log.open("wb") as out:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=out, stderr=out)
    try:
        until = time.monotonic() + START_SECONDS
        while True:
            assert process.poll() is None, log.read_text()[-2000:]
            assert time.monotonic() < until, log.read_text()[-2000:]
            try:
                if httpx.get(f"http://127.0.0.1:{port}/v1/models", timeout=5).status_code == 200:
                    break
            except httpx.HTTPError:
                time.sleep(0.2)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def transformers_serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """`transformers serve` with SmolLM2, told to sample from the whole law, as it isn't by default."""
    folder = tmp_path_factory.mktemp("serve")
    source = locate("smollm2", Settings.from_env(), (), lambda _stage, _done: None).folder
    (folder / "smollm2").mkdir()
    for path in source.iterdir():
        (folder / "smollm2" / path.name).symlink_to(path)
    generation = json.loads((source / "generation_config.json").read_text())
    (folder / "smollm2" / "generation_config.json").unlink()
    generation |= {"do_sample": True, "top_k": 0}
    (folder / "smollm2" / "generation_config.json").write_text(json.dumps(generation))
    port = free_port()
    command = [sys.executable, "-m", "transformers.cli.transformers", "serve", "smollm2"]
    command += ["--device", "cpu", "--host", "127.0.0.1", "--port", str(port)]
    with serving(command, port, folder) as address:
        yield address


@pytest.fixture(scope="module")
def llama_cpp(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """llama-cpp-python's server with the same model, in the environment of LLAMA_PYTHON."""
    port = free_port()
    command = [os.environ["LLAMA_PYTHON"], "-m", "llama_cpp.server", "--model", str(find_gguf())]
    command += ["--model_alias", "smollm2", "--host", "127.0.0.1", "--port", str(port)]
    command += ["--n_ctx", "2048", "--n_threads", "1", "--logits_all", "true"]
    with serving(command, port, tmp_path_factory.mktemp("llama")) as address:
        yield address


def studies(address: str) -> ServedStudies:
    return ServedStudies(Playground(replace(Settings.from_env(), server=address)))


def rows_of(found: ServedStudies, spec: StudySpec) -> tuple[Row, ...]:
    *_, last = found.run(found.prepare(spec))
    assert last.done
    return last.rows


ASKED = StudySpec(
    model="server:smollm2",
    n=2,
    methods=("ask", "retry"),
    attempts=2,
    max_tokens=12,
    constraint=SCHEMA,
)


@needs_serving
@pytest.mark.model
def test_ask_and_retry_of_a_server_are_rows_like_others(transformers_serve: str) -> None:
    found = studies(transformers_serve)
    study = found.prepare(ASKED)
    rows = rows_of(found, ASKED)
    assert [(row.index, row.method) for row in rows] == [
        (index, method) for index in range(2) for method in ("ask", "retry")
    ]
    for row in rows:
        assert row.text
        assert 1 <= row.attempts <= (2 if row.method == "retry" else 1)
        assert 1 <= row.length <= 12
        assert row.tokens <= 12 * row.attempts
        assert row.valid == (row.category in ("right", "wrong", "valid"))
        assert (row.attempts == 1) or not rows[2 * row.index].in_salvaged
        assert (row.log_p, row.bits, row.path) == (None, None, ())
    asks, retries = rows[::2], rows[1::2]
    assert len({row.text for row in asks}) == 2
    for ask, retry in zip(asks, retries, strict=True):  # the first attempt has the ask's seed
        if retry.attempts == 1:
            assert retry.text == ask.text
    assert rows_of(found, ASKED) == rows, "a seed gives the same answers again"
    assert study.provenance()["kind"] == "server"
    assert transformers_serve not in json.dumps(dict(study.provenance()))


@needs_serving
@pytest.mark.model
def test_what_a_server_says_of_a_request_is_told(transformers_serve: str) -> None:
    server = Server(transformers_serve)
    dialect = server.dialect("smollm2")
    assert dialect == Dialect(filters=False, logprobs=True)
    with pytest.raises(Refused, match=r"status 400: Server is pinned to 'smollm2'"):
        server.complete("another", dialect, "Hello", Ask(max_tokens=1))
    with pytest.raises(ModelUnavailable, match="status 404"):
        Server(transformers_serve + "/v2").dialect("smollm2")
    slow = Server(transformers_serve, seconds=0.05)
    with pytest.raises(ModelUnavailable, match=r"not answered within 0\.05 seconds"):
        slow.complete("smollm2", dialect, "Write a long story.", Ask(max_tokens=200))


@needs_serving
@pytest.mark.model
def test_strict_is_refused_where_the_server_ignores_the_schema(transformers_serve: str) -> None:
    strict = ASKED.model_copy(update={"methods": ("ask", "strict")})
    with pytest.raises(InvalidInput, match=r"doesn't constrain: .* it wrote another"):
        studies(transformers_serve).prepare(strict)


@needs_llama
@pytest.mark.model
def test_strict_of_llama_cpp_is_valid_and_has_log_probabilities(llama_cpp: str) -> None:
    found = studies(llama_cpp)
    assert only_model(Server(llama_cpp)) == "server:smollm2"
    spec = ASKED.model_copy(update={"methods": ("ask", "retry", "strict"), "max_tokens": 32})
    study = found.prepare(spec)
    assert study.provenance()["engine"] == "the server's, by json_object"
    assert study.provenance()["filters"] == "as asked"
    rows = rows_of(found, spec)
    strict = [row for row in rows if row.method == "strict"]
    assert all(row.valid and row.in_schema for row in strict)
    assert not all(row.valid for row in rows if row.method == "ask")
    assert all(row.mean_log_p is not None and row.mean_log_p < 0 for row in rows)
    assert rows_of(found, spec) == rows


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"methods": ("parallel-3",)}, "'parallel-3' can't be asked of a server"),
        ({"methods": ("retry-prefill",)}, "'retry-prefill' can't be asked of a server"),
        ({"yes": True}, r"can't give p\(yes\)"),
        ({"exact_rows": 10}, "can't give bounds on Z and TV"),
        ({"chat": False}, "can't give a bare prompt"),
        (
            {
                "methods": ("strict",),
                "valid": "language",
                "constraint": ConstraintSpec(kind="regex", source="a+"),
            },
            "constrains by a JSON Schema",
        ),
    ],
)
def test_what_needs_more_than_texts_is_refused_in_words(
    change: dict[str, object], words: str
) -> None:
    with pytest.raises(InvalidInput, match=words):
        studies("http://127.0.0.1:9/v1").prepare(ASKED.model_copy(update=change))


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--server"], "No model server is set"),
        (["--server", "--model", "smollm2"], "--server chooses the model itself"),
        (["--model", "server:any"], "No model server is set"),
        (["--model", "server:any", "--ray", "local"], "computes on its server"),
        (["--ray", "local", "--threads", "2"], "On Ray a worker has one thread"),
        (["--workers", "2"], "--workers is a number from 1, for --ray"),
        (["--ray", "local", "--workers", "0"], "--workers is a number from 1, for --ray"),
    ],
)
def test_flags_that_name_no_place_end_with_status_2(
    flags: list[str],
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delenv("PLAYGROUND_SERVER", raising=False)
    assert main(["study", "--methods", "ask", *flags]) == 2
    assert words in capsys.readouterr().err


def test_a_server_that_is_not_there_is_told_without_its_address() -> None:
    with pytest.raises(ModelUnavailable, match="can't be reached") as caught:
        studies(f"http://127.0.0.1:{free_port()}/v1").prepare(ASKED)
    assert "127.0.0.1" not in str(caught.value)


def test_without_a_server_its_setting_is_named() -> None:
    with pytest.raises(InvalidInput, match="PLAYGROUND_SERVER"):
        studies("").prepare(ASKED)


def test_full_vocabulary_views_say_why_they_are_off() -> None:
    hub = Playground(replace(Settings.from_env(), models=("server:any",))).hub
    assert "server:any" in hub.names()
    with pytest.raises(ModelUnavailable, match="not the probabilities of the whole vocabulary"):
        hub.get("server:any")


@pytest.mark.parametrize(
    "address",
    [
        "localhost:8000/v1",
        "file:///etc/passwd",
        "http://",
        "http://user:secret@host/v1",
        "http://host:99999/v1",
        "http://host/v1?key=secret",
        "http://host/\nv1",
    ],
)
def test_an_address_that_is_none_is_refused_and_not_repeated(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLAYGROUND_SERVER", address)
    with pytest.raises(InvalidInput, match="PLAYGROUND_SERVER is no address") as caught:
        Settings.from_env()
    assert "secret" not in str(caught.value)


def test_the_operator_sets_server_key_and_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAYGROUND_SERVER", "http://localhost:8000/v1/")
    monkeypatch.setenv("PLAYGROUND_SERVER_KEY", "secret")
    monkeypatch.setenv("PLAYGROUND_MODELS", "smollm2,server:Qwen/Qwen3-0.6B")
    settings = Settings.from_env()
    assert settings.server == "http://localhost:8000/v1"
    assert [is_served(name) for name in settings.models] == [False, True]
    assert "secret" not in repr(settings)
    assert "secret" not in repr(Server(settings.server, settings.server_key))
    monkeypatch.setenv("PLAYGROUND_MODELS", "server:")
    with pytest.raises(InvalidInput, match="is no model"):
        Settings.from_env()


@pytest.mark.model
def test_the_app_needs_none_of_the_packages_that_only_tests_have() -> None:
    code = (
        "import sys; sys.modules.update(dict.fromkeys(['accelerate', 'openai', 'ray', 'psutil'])); "
        "from playground.session import Playground; from playground.settings import Settings; "
        "model = Playground(Settings.from_env()).hub.get('smollm2'); "
        "print(model.logits([model.render('Hello', True)]).shape)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.startswith("(1, ")
