"""What a hostile client sends: refused in words, nothing leaks, and the others are served.

| case                                            | test                                          |
| ----------------------------------------------- | --------------------------------------------- |
| `<script>`, `${`, `{{`, backticks, RTL, NUL     | test_hostile_page.py; test_schema.py, test_toy.py |
| 1 MB of text                                    | here; test_bad_input.py; schema/test_hostile.py |
| bodies over the limit                           | here; test_server.py; in the page: test_hostile_page.py |
| forged state, ids, functions, events, sessions  | here; test_server.py                          |
| private events asked directly                   | here                                          |
| paths out of a folder                           | here; test_server.py                          |
| uploads, proxies, files, other Gradio routes    | here; test_server.py                          |
| `$ref` to http and file addresses               | here; test_bad_input.py                       |
| `^(a+)+$` and its like                          | here; schema/test_hostile.py                  |
| links that unpack to much                       | test_links.py (Python); js/links_pack.test.mjs (page) |
| formulas in exported cells                      | study/test_export.py, test_study_calls.py     |
| slow clients: heads, bodies, unread answers     | test_serving.py                               |
| events that nobody listens to                   | test_sessions.py                              |
| requests too fast, too many                     | test_limits.py; in the page: test_hostile_page.py |
| 100 explosive constraints at once               | here; constraints/test_hardening.py           |
| kill -9 of a compiling process                  | here; constraints/test_compile.py             |
| what was typed in the log                       | here; test_quiet.py                           |
"""

import http.client
import json
import os
import re
import signal
import socket
import statistics
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest

from playground.ui.guard import MAX_BODY
from tests.ui.app_process import Answer, AppProcess, compiling
from tests.ui.driving import EXPLODING

MARK = "zebra7quartz"
"""In everything that these tests type: it must never be in the log."""
TOY: dict[str, Any] = {"model": "toy:sky"}
LEAKS = ("Traceback", "/playground/", "site-packages", "root:x:", "raceback (most")
"""What no answer may hold: traces, places in our code, files of the machine."""


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppProcess]:
    made = AppProcess(tmp_path_factory.mktemp("hostile"), PLAYGROUND_VISITOR_RATE="10000")
    try:
        yield made
        assert made.process.poll() is None, made.log
    finally:
        made.close()
    assert MARK not in made.log
    assert "Traceback" not in made.log


def constrained(source: str, kind: str = "regex") -> dict[str, Any]:
    """A request for a step of a toy under a constraint."""
    problem = {**TOY, "constraint": {"kind": kind, "source": source}}
    return {"problem": problem, "path": [], "action": {"draw": 0}}


def no_leak(answer: Answer | str) -> None:
    """An answer holds none of LEAKS."""
    text = answer if isinstance(answer, str) else answer.text
    assert not [leak for leak in LEAKS if leak in text], text[:2000]


def step(app: AppProcess) -> float:
    """Seconds of a step on a toy."""
    begun = time.perf_counter()
    answer = app.call("stage", "advance", {"problem": TOY, "path": [], "action": {"draw": 0}})
    assert answer.json["step"]["taken"]
    return time.perf_counter() - begun


FORGED: list[Any] = [
    None,
    [],
    {},
    "x",
    7,
    {"problem": {"model": f"/etc/{MARK}"}, "path": []},
    {"problem": {"model": "../../etc"}, "path": []},
    {"problem": TOY, "path": [10**30], "action": {"take": -1}},
    {"problem": {**TOY, "toy": {"name": MARK, "tokens": [MARK] * 5000, "rules": []}}, "path": []},
    {"problem": {**TOY, "prompt": MARK * 3}, "path": [[[]]], "action": {"__class__": MARK}},
    {"run": MARK, "id": "../../../etc/passwd", "spec": {"prompts": MARK}, "text": MARK},
    {"room": "ABCD", "question": MARK, "option": 99, "voter": MARK},
    {"lesson": {"slug": f"../{MARK}", "beats": [{}]}, "text": MARK},
]


def functions(app: AppProcess) -> list[tuple[str, str]]:
    """Every server function that the page has, by its component."""
    found = [
        (each["props"]["elem_id"], name)
        for each in app.get("/config").json["components"]
        for name in each["props"].get("server_fns") or ()
    ]
    assert len(found) > 30
    return found


def test_every_server_function_answers_forged_payloads_with_documents(app: AppProcess) -> None:
    for screen, name in functions(app):
        for payload in FORGED:
            answer = app.call(screen, name, payload)
            assert answer.status == 200, (name, payload, answer.text[:500])
            assert isinstance(answer.json, dict), (name, payload)
            no_leak(answer)
            if answer.json.get("error"):
                assert not answer.json["error"]["where"].startswith("reference"), (name, payload)


@pytest.mark.parametrize(
    "change",
    [
        {"component_id": 10**9},
        {"component_id": "stage"},
        {"component_id": None},
        {"fn_name": "__init__"},
        {"fn_name": "postprocess"},
        {"fn_name": "stop.__globals__"},
        {"fn_name": 3},
        {"session_hash": "../../x"},
        {"session_hash": "x" * 100_000},
        {"session_hash": {"a": 1}},
        {"session_hash": None},
    ],
)
def test_a_forged_call_gets_a_status_and_no_trace(app: AppProcess, change: dict[str, Any]) -> None:
    body = {
        "data": {"problem": TOY, "path": [], "text": MARK},
        "component_id": app.components["stage"],
        "fn_name": "replay",
        "session_hash": "forger",
        **change,
    }
    answer = app.post("/gradio_api/component_server", body)
    assert 200 <= answer.status <= 500
    no_leak(answer)
    if "fn_name" in change or "component_id" in change:
        assert answer.status >= 400
    if answer.status == 500:
        assert answer.json["error"]["where"].startswith("reference")
    step(app)


def test_every_event_asked_directly_with_forged_data_ends_in_words(app: AppProcess) -> None:
    """A private event is no guarded one: each is asked with too little, too much and wrong kinds."""
    for event in app.events:
        width = len(event["inputs"])
        for number, (data, told) in enumerate(
            [
                ([], None),
                ([MARK] * width, {"run": MARK, "id": MARK, "text": MARK}),
                ([{"a": MARK}] * width, [MARK]),
                ([None] * (width + 3), {"run": "../" + MARK, "problem": 3}),
            ]
        ):
            session = f"forged{event['id']}x{number}"
            joined = app.join(event, data, told, session)
            no_leak(joined)
            if joined.status == 200:
                said = app.heard(session)
                assert "process_completed" in said or "close_stream" in said
                no_leak(said)
    step(app)


@pytest.mark.parametrize("number", [-1, 10**9, "x", None])
def test_a_forged_event_number_is_refused(app: AppProcess, number: Any) -> None:
    answer = app.join({"id": number}, [MARK], session="nobody")
    assert answer.status >= 400
    no_leak(answer)
    no_leak(app.post("/gradio_api/queue/join", b"{" * 1000))
    no_leak(app.post("/gradio_api/queue/join", b"[" * 100_000))
    no_leak(app.post("/gradio_api/cancel", {"session_hash": "x", "fn_index": 0, "event_id": "y"}))
    no_leak(app.get("/gradio_api/queue/data?session_hash=nobody"))
    step(app)


@pytest.mark.parametrize(
    "path",
    [
        "/gradio_api/file=/etc/passwd",
        "/gradio_api/file=app.py",
        "/gradio_api/file=http://127.0.0.1/x",
        "/gradio_api/proxy=http://127.0.0.1/x",
        "/gradio_api/upload",
        "/gradio_api/deep_link?session_hash=x",
        "/gradio_api/run-history/buckets",
        "/gradio_api/vibe-code/",
        "/gradio_api/dev/reload",
        "/gradio_api/custom_component/1/client/component/../../../etc/passwd",
        "/app-static/../app.py",
        "/app-static/%2e%2e/app.py",
        "/app-static/%2e%2e%2f%2e%2e%2fetc/passwd",
        "/app-static/..%5capp.py",
        "/app-static/stage/%00.js",
        "/lessons/../app.py",
        "/lessons/..%2f..%2fapp.py",
        "/lessons/..%2fsky.json",
        "/lessons/%2e%2e%2f%2e%2e%2fetc%2fpasswd.html",
        "/static/../../../etc/passwd",
        "/assets/..%2f..%2f..%2fqueueing.py",
        "/monitoring",
        "/monitoring/summary",
        "/docs",
        "/openapi.json",
        f"/{MARK}",
    ],
)
def test_no_path_leads_out_of_what_is_served(app: AppProcess, path: str) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", app.port, timeout=30)  # sends it as it is
    connection.request("GET", path)
    answer = connection.getresponse()
    text = answer.read().decode("utf-8", "replace")
    connection.close()
    assert 400 <= answer.status < 500, (answer.status, text[:300])
    assert "Composition root" not in text
    no_leak(text)


def test_a_megabyte_is_refused_in_words_and_four_before_they_are_read(app: AppProcess) -> None:
    answer = app.call("stage", "advance", constrained(MARK + "y" * 1_000_000))
    assert "characters" in answer.json["error"]["what"]
    for screen, name in (("stage", "follow"), ("study", "check"), ("lesson", "open_lesson")):
        told = app.call(screen, name, {"problem": TOY, "text": MARK + "é" * 700_000, "path": []})
        assert told.status == 200
        no_leak(told)
        assert len(told.body) < 50_000
    told = app.call("stage", "follow", {"problem": TOY, "text": MARK + "y" * 4_000_000})
    assert told.status == 413
    assert f"{MAX_BODY:,}" in told.json["error"]["what"]
    # Nothing of a body that is declared far too large is waited for.
    with socket.create_connection(("127.0.0.1", app.port), timeout=30) as client:
        client.sendall(
            b"POST /gradio_api/component_server HTTP/1.1\r\nhost: x\r\ncontent-length: 40000000\r\n\r\n"
        )
        told = "".join(iter(lambda: client.recv(65_536).decode(), ""))  # until it hangs up
    assert " 413 " in told.splitlines()[0]
    assert f"{MAX_BODY:,}" in told
    step(app)


def test_references_to_elsewhere_are_refused_and_never_fetched(app: AppProcess) -> None:
    with socket.create_server(("127.0.0.1", 0)) as trap:
        trap.settimeout(0.5)
        here = f"http://127.0.0.1:{trap.getsockname()[1]}/{MARK}.json"
        for address in (
            here,
            "file:///etc/passwd",
            "//127.0.0.1/x",
            "\\\\host\\share",
            "ftp://x/y",
        ):
            schema = json.dumps({"properties": {"a": {"$ref": address}}, "required": ["a"]})
            answer = app.call("stage", "advance", constrained(schema, "schema"))
            assert answer.json["error"]["what"], address
            assert "reference" not in answer.json["error"]["where"]
            no_leak(answer)
            spec = {"kind": "schema", "source": schema}
            for name in ("report", "judge", "examples"):
                if ("schema", name) in functions(app):
                    no_leak(app.call("schema", name, {"spec": spec, "strings": ["{}"]}))
        with pytest.raises(TimeoutError):
            trap.accept()


@pytest.mark.parametrize(
    "source", ["^(a+)+$", "(a*)*b", "(a|a)*$", "(.*a){20}", "((a{0,9}){0,9}){0,9}"]
)
def test_what_blows_up_a_backtracking_matcher_costs_nothing(app: AppProcess, source: str) -> None:
    begun = time.monotonic()
    answer = app.call("stage", "advance", constrained(source))
    assert answer.status == 200
    strings = ["a" * 5000 + "!"]
    spec = {"kind": "regex", "source": source}
    for name in ("report", "judge", "examples"):
        if ("schema", name) in functions(app):
            no_leak(
                app.call("schema", name, {"spec": spec, "strings": strings, "text": strings[0]})
            )
    assert time.monotonic() - begun < 30
    step(app)


def explosion(number: int) -> str:
    """One of many constraints that need more time and memory than there is."""
    return f"(a|b)*a(a|b){{{18 + number % 80}}}{MARK}"


def watched(app: AppProcess, work: list[Future[Any]]) -> tuple[list[float], list[float]]:
    """Seconds of health checks and of steps on a toy, until all of `work` is done."""
    health, steps = [], []
    while not all(each.done() for each in work):
        begun = time.perf_counter()
        app.get("/healthz")
        health.append(time.perf_counter() - begun)
        steps.append(step(app))
        time.sleep(0.1)
    return health, steps


def test_a_hundred_explosive_moves_at_once_all_get_words_and_others_go_on(app: AppProcess) -> None:
    before = app.resident()
    with ThreadPoolExecutor(100) as crowd:
        work = [
            crowd.submit(app.call, "stage", "advance", constrained(explosion(number)))
            for number in range(100)
        ]
        health, steps = watched(app, work)
    for each in work:
        told = each.result()
        assert told.json["error"]["what"]
        assert "reference" not in told.json["error"]["where"]
    assert statistics.median(health) < 1
    assert statistics.median(steps) < 1
    assert app.resident() - before < 300 * 2**20


def test_a_hundred_explosive_starts_at_once_all_get_words_and_others_go_on(app: AppProcess) -> None:
    before = app.resident()

    def start(number: int) -> str:
        session = f"crowd{number}"
        assert app.start(explosion(number), session).status == 200
        return app.heard(session, timeout=240)

    with ThreadPoolExecutor(100) as crowd:
        work = [crowd.submit(start, number) for number in range(100)]
        health, steps = watched(app, work)
    for each in work:
        told = each.result()
        assert '"what"' in told
        assert "process_completed" in told
        no_leak(told)
    assert statistics.median(health) < 1
    assert statistics.median(steps) < 1
    assert app.resident() - before < 300 * 2**20
    assert "reference" not in "".join(each.result() for each in work)


def test_one_page_can_not_fill_the_queue(app: AppProcess) -> None:
    answers = [app.start(explosion(number), "greedy") for number in range(20)]
    taken = [answer for answer in answers if answer.status == 200]
    refused = [answer for answer in answers if answer.status == 429]
    assert len(taken) >= 16
    assert len(taken) + len(refused) == 20
    assert "still being answered" in refused[-1].json["error"]["what"]
    assert app.start("skill|cloud", "modest").status == 200
    assert "frontier" in app.heard("modest")
    app.heard("greedy", timeout=240)


def test_a_compiling_process_that_is_killed_gives_one_message_and_the_next_click_works(
    app: AppProcess,
) -> None:
    for victim in ("child", "server"):
        session = f"killed{victim}"
        assert app.start(EXPLODING, session).status == 200
        server, below = compiling(app)
        os.kill(below[0] if victim == "child" else server, signal.SIGKILL)
        told = app.heard(session)
        (said,) = set(re.findall(r'"what":"([^"]*)"', told))
        # Without its parent a child ends at the limit of time.
        assert ("its process was killed" if victim == "child" else "was stopped") in said
        assert app.start("skill|cloud", f"after{victim}").status == 200
        after = app.heard(f"after{victim}")
        assert '"success":true' in after
        assert "frontier" in after


def test_nothing_that_was_typed_is_in_the_log(app: AppProcess) -> None:
    """Wherever it is typed, refused or not; the fixture looks once more at the end."""
    for kind in ("regex", "schema", "choices", "lark", "pydantic", "tool", "type"):
        app.call("stage", "advance", constrained(f"({MARK}", kind))
        app.start(f"({MARK}", f"log{kind}")
        app.heard(f"log{kind}")
    app.get(f"/?prompt={MARK}")
    app.get(f"/lessons/{MARK}.json")
    app.ask("PUT", f"/{MARK}", MARK.encode())
    assert MARK not in app.log
    assert "127.0.0.1 -" not in app.log, "no log of who asked what"
