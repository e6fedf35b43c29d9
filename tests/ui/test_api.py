"""The endpoints for programs, asked by `gradio_client` as a script would: documents, words, bounds."""

import asyncio
import json
import threading
import time
import urllib.request
from collections.abc import Callable

import pytest
from gradio_client import Client
from gradio_client.exceptions import AppError

from playground.cli import main
from playground.errors import BudgetExceeded, Busy
from playground.lessons.recording import timeless
from playground.session import Playground
from playground.settings import Settings
from playground.ui import api
from playground.ui.api_asked import LessonsAsked
from playground.ui.api_calls import Endpoint, Prepared, endpoints
from tests.apart import run_apart
from tests.ui.driving import NO_MODEL

NAMES = ["step", "follow", "exact", "compare", "schema", "lessons", "lesson", "decide"]
TWO_STEP = {"model": "toy:two-step", "kind": "regex", "source": "(A|B)x", "chat": False}
FLAGS = ["--model", "toy:two-step", "--regex", "(A|B)x", "--raw-prompt", ""]
SCHEMA = (
    '{"type": "object", "properties": {"a": {"type": "integer", "minimum": 2}}, "required": ["a"]}'
)


@pytest.fixture(scope="module")
def ask(app_url: str) -> Callable[..., dict]:
    """Asks an endpoint by its name."""
    client = Client(app_url, verbose=False)

    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is not strict JSON")

    def ask(name: str, **asked) -> dict:
        return json.loads(client.predict(**asked, api_name=f"/{name}"), parse_constant=refuse)

    return ask


@pytest.fixture
def printed(capsys, tmp_path, monkeypatch) -> Callable[..., dict]:
    """What `python -m playground ... --json` prints."""
    monkeypatch.setenv("PLAYGROUND_CACHE", str(tmp_path))

    def run(*args: str) -> dict:
        assert main([*args, "--json"]) in (0, 1)
        return json.loads(capsys.readouterr().out)

    return run


def fresh(document: dict) -> dict:
    """A document without times, and without what a cache may have made cheaper."""
    kept = timeless(json.loads(json.dumps(document)))

    def walk(value):
        if isinstance(value, dict):
            gone = ("cached", "seconds", "rows_computed", "ms")
            return {
                key: walk(each)
                for key, each in value.items()
                if key not in gone and not key.endswith("_seconds")
            }
        return [walk(each) for each in value] if isinstance(value, list) else value

    return walk(kept)


@pytest.mark.parametrize(
    ("name", "asked", "command"),
    [
        ("step", {**TWO_STEP, "seed": 3, "run": 2}, ["step", *FLAGS, "--seed", "3", "--run", "2"]),
        ("step", {"model": "toy:sky", "method": "unconstrained", "kind": "choices", "source": "sky"},
         ["step", "--model", "toy:sky", "--method", "unconstrained", "--choices", "sky"]),
        ("follow", {**TWO_STEP, "text": "Ay"}, ["step", *FLAGS, "--follow", "Ay"]),
        ("exact", {**TWO_STEP, "tolerance": 0}, ["exact", *FLAGS, "--tolerance", "0"]),
        ("exact", {**TWO_STEP, "aim": "z", "rows": 3}, ["exact", *FLAGS, "--aim", "z", "--budget", "3"]),
        ("compare", {**TWO_STEP, "methods": ["masked", "rejection", "conditional"], "n": 40, "seed": 5},
         ["compare", *FLAGS, "--methods", "masked,rejection,conditional", "--n", "40", "--seed", "5"]),
        ("schema", {"source": "a{2}", "kind": "regex", "text": "ab"},
         ["schema", "--regex", "a{2}", "--string", "ab"]),
        ("lessons", {}, ["demo", "list"]),
        ("lesson", {"slug": "two-step"}, ["demo", "show", "two-step"]),
    ],
)  # fmt: skip
def test_an_endpoint_returns_what_the_command_line_prints(
    ask, printed, name: str, asked: dict, command: list[str]
) -> None:
    answer = ask(name, **asked)
    assert fresh(answer) == fresh(printed(*command))


def test_a_schema_is_examined_as_on_the_command_line(ask, printed, tmp_path) -> None:
    file, other = tmp_path / "schema.json", tmp_path / "other.json"
    file.write_text(SCHEMA)
    other.write_text(SCHEMA.replace("2", "3"))
    asked = {"source": SCHEMA, "text": '{"a": 1}', "against": other.read_text()}
    flags = ["schema", str(file), "--string", '{"a": 1}', "--against", str(other)]
    answer = ask("schema", **asked)
    assert fresh(answer) == fresh(printed(*flags))
    assert answer["verdict"]["status"] != "valid"
    assert answer["difference"]["only_left"]["text"].replace(" ", "") == '{"a":2}'


def test_a_document_with_a_path_is_no_file_to_the_client(ask) -> None:
    closed = ask("schema", source=SCHEMA, text='{"a": 1}')["certain"]["closed"]
    assert closed[0]["path"] == "$.a"


@NO_MODEL
@pytest.mark.model
def test_a_text_is_decided_as_on_the_command_line(ask, printed, tmp_path, monkeypatch):
    import base64

    from playground.ui.decisions_page import page_props

    monkeypatch.delenv("PLAYGROUND_CACHE")  # the converted weights
    file = tmp_path / "head.safetensors"
    file.write_bytes(base64.b64decode(page_props()["recorded"]["head"]))
    text = "Please refund the amount that was charged twice."
    by_head = ask("decide", text=text)
    assert fresh(by_head) == fresh(
        printed("fields", "predict", "--head", str(file), "--text", text)
    )
    scored = ask("decide", text=text, by="scores")
    assert scored["record"] is None or set(scored["record"]) == set(by_head["record"])


def test_the_list_of_endpoints_is_exactly_these_each_argument_with_words(app_url: str) -> None:
    with urllib.request.urlopen(f"{app_url}/gradio_api/info") as answer:
        info = json.load(answer)
    assert list(info["named_endpoints"]) == [f"/{name}" for name in NAMES]
    assert not info["unnamed_endpoints"]
    for endpoint in info["named_endpoints"].values():
        assert len(endpoint["description"]) > 60
        assert [each["python_type"]["type"] for each in endpoint["returns"]] == ["str"]
        for parameter in endpoint["parameters"]:
            assert parameter["python_type"]["description"]
            assert parameter["python_type"]["type"] not in ("", "Any")
    step = {each["parameter_name"]: each for each in info["named_endpoints"]["/step"]["parameters"]}
    assert step["model"]["parameter_default"] == "toy:sky"
    assert "Literal" in step["kind"]["python_type"]["type"]


def test_every_other_event_is_private(app_url: str) -> None:
    with urllib.request.urlopen(f"{app_url}/config") as answer:
        events = json.load(answer)["dependencies"]
    assert len(events) > len(NAMES)
    shown = [each["api_name"] for each in events if each["api_visibility"] != "private"]
    assert sorted(shown) == sorted(NAMES)


@pytest.mark.parametrize(
    ("name", "asked", "words"),
    [
        ("step", {"model": "/etc/passwd"}, "can't be chosen here"),
        ("step", {"temperature": "hot"}, "The temperature is 'hot'"),
        ("step", {"temperature": -1}, "temperature is -1"),
        ("step", {"max_tokens": 100_000}, "max tokens is 100000"),
        ("step", {"run": -1}, "run is -1"),
        ("step", {"kind": "regex", "source": "(a"}, ""),
        ("step", {"kind": "spell"}, "kind is 'spell'"),
        ("step", {"prompt": ["a"]}, "prompt is"),
        ("step", {"prompt": "p" * 20_001}, "20,000"),
        ("step", {"kind": "regex", "source": "a", "engine": "no-such"}, "no-such"),
        ("follow", {"text": "\ud800"}, ""),
        ("exact", {"rows": 10**9}, "rows is 1000000000"),
        ("exact", {"seconds": 1e9}, "at most 60"),
        ("exact", {"temperature": 0.0}, ""),
        ("compare", {"n": 10**7}, "at most 1,000"),
        ("compare", {"methods": ["magic"]}, "magic"),
        ("compare", {"methods": [{}]}, "methods"),
        ("schema", {"source": "x" * 100_001}, "100,000"),
        ("schema", {"source": "", "kind": "free"}, "There is no constraint"),
        ("schema", {"source": '{"$ref": "file:///etc/passwd"}', "text": "1"}, ""),
        ("lesson", {"slug": "../../etc/passwd"}, "There is no lesson called"),
        ("lesson", {"slug": "two-step.json"}, "There is no lesson called"),
        ("decide", {"text": "a" * 8_001}, "8,000"),
        ("decide", {"text": "a", "by": "magic"}, "by is 'magic'"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_told_in_words(ask, name, asked, words) -> None:
    try:
        told = json.dumps(ask(name, **asked))
        assert not words  # a schema that can't be compiled is a report, not an error
        assert "root:" not in told
    except (AppError, UnicodeEncodeError) as error:
        told = str(error)
        assert words in told
    assert "Traceback" not in told
    assert "site-packages" not in told


def call_of(work: Callable[[Callable[[], bool]], dict]) -> Endpoint:
    """An endpoint without arguments that does `work`."""
    return Endpoint("call", LessonsAsked, "A call.", lambda _: Prepared(work))


@pytest.fixture
def programs() -> api.Programs:
    return api.Programs(Playground(Settings()))


def test_few_calls_run_at_a_time_and_what_is_too_much_is_refused(programs, monkeypatch) -> None:
    monkeypatch.setattr(api, "MOST_WAITING", 3)
    running, most, free = 0, 0, threading.Event()
    names: set[str] = set()
    lock = threading.Lock()

    def work(_) -> dict:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
            names.add(threading.current_thread().name)
        free.wait(10)
        with lock:
            running -= 1
        return {}

    async def ask() -> list:
        asked = [asyncio.create_task(programs.answer(call_of(work), {})) for _ in range(8)]
        await asyncio.sleep(0.3)
        free.set()
        return await asyncio.gather(*asked, return_exceptions=True)

    told = run_apart(ask())
    assert most == api.PLACES
    assert sum(each == {} for each in told) == api.PLACES + 3
    assert sum(isinstance(each, Busy) for each in told) == 8 - api.PLACES - 3
    assert all(name.startswith("program") for name in names)  # no thread of the page's
    assert programs.under_way == 0


def test_a_call_ends_at_its_time_and_says_so(programs, monkeypatch) -> None:
    monkeypatch.setattr(api, "SECONDS", 0.2)
    explosion = {"model": "toy:sky", "kind": "regex", "source": "(a|b)*a(a|b){20}"}
    step = next(each for each in endpoints(programs.playground) if each.name == "step")
    started = time.monotonic()
    with pytest.raises(BudgetExceeded, match=r"took more than 0 seconds|[Ss]econds"):
        run_apart(programs.answer(step, explosion))
    assert time.monotonic() - started < 15


def test_a_caller_who_goes_away_ends_the_work(programs) -> None:
    ended = threading.Event()

    def work(cancelled) -> dict:
        while not cancelled():
            time.sleep(0.01)
        ended.set()
        return {}

    async def leave() -> None:
        task = asyncio.create_task(programs.answer(call_of(work), {}))
        await asyncio.sleep(0.2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run_apart(leave())
    assert ended.wait(5)
    assert programs.under_way == 0


def test_a_defect_is_a_reference_not_a_traceback(programs) -> None:
    def broken(_) -> dict:
        raise RuntimeError("/secret/path")

    call = api.function_of(call_of(broken), programs)
    with pytest.raises(Exception, match="Something broke on the server") as told:
        run_apart(call())
    assert "secret" not in str(told.value)
    assert "reference" in str(told.value)
