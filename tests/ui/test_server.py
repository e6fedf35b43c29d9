"""The server around the page: bounded, closed where nothing is served, and served from here alone."""

import json
import re

import pytest
from starlette.testclient import TestClient

from playground.session import Playground
from playground.settings import Settings
from playground.ui.guard import MAX_BODY
from playground.ui.inputs import server_functions
from playground.ui.joined import PRESENTING, SCRIPTS, STATIC, STYLES, head, modules, scripts, styles
from playground.ui.server import create_app


@pytest.fixture(scope="module")
def playground(tmp_path_factory) -> Playground:
    return Playground(Settings(cache=tmp_path_factory.mktemp("cache")))


@pytest.fixture(scope="module")
def client(playground) -> TestClient:
    return TestClient(create_app(playground), raise_server_exceptions=False)


def test_it_is_healthy_and_ready_at_once_and_says_how_far_its_models_are(client) -> None:
    """The toys and every recording need no model, which loads when it is first chosen."""
    assert client.get("/healthz").json() == {"status": "ok"}
    ready = client.get("/readyz")
    assert ready.status_code == 200
    assert ready.json() == {"ready": True, "models": {"smollm2": "absent"}}


@pytest.mark.parametrize("path", ["/", "/app-static/stage.css", "/healthz", "/app-static/none"])
def test_every_answer_carries_the_security_headers(client, path) -> None:
    headers = client.get(path).headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"


def test_the_page_and_its_files_name_no_other_host(client) -> None:
    page = client.get("/").text
    assert json.loads(re.search(r'"head":("(?:[^"\\]|\\.)*")', page)[1]) == head()
    early = re.findall(r"<([^>]+)>; rel=", client.get("/").headers["link"])
    assert set(early) == {each.address for each in (styles(), scripts(), modules())}
    assert "link" not in client.get("/healthz").headers
    for name in re.findall(r'(?:href|src)="(/[^"]+)"', head()):
        assert client.get(name).status_code == 200
    assert {path.stem for path in STATIC.glob("*.css")} - {"handout", PRESENTING} == set(STYLES)
    assert {path.stem for path in STATIC.glob("*.js")} == set(SCRIPTS)
    for file in STATIC.rglob("*.*"):
        if file.suffix in {".js", ".css", ".html"}:
            loads = re.findall(
                r"(?:src=|href=|url\(|from |import\()['\"]?https?://", file.read_text()
            )
            assert not loads, file.name


def test_uploads_are_off(client) -> None:
    sent = client.post("/gradio_api/upload", files={"files": ("a.txt", b"x")})
    assert sent.status_code == 404


def test_a_body_over_the_limit_is_refused_in_words(client) -> None:
    sent = client.post("/gradio_api/queue/join", content=b"x" * (MAX_BODY + 1))
    assert sent.status_code == 413
    assert "larger than" in sent.json()["error"]["what"]


def test_a_chunked_body_over_the_limit_is_refused_too(client) -> None:
    def chunks():
        for _ in range(MAX_BODY // 100_000 + 2):
            yield b"x" * 100_000

    sent = client.post("/gradio_api/queue/join", content=chunks())
    assert sent.status_code == 413
    assert "larger than" in sent.json()["error"]["what"]


def test_files_of_the_machine_are_not_served(client) -> None:
    for path in (
        "/gradio_api/file=/etc/passwd",
        "/app-static/../app.py",
        "/app-static/%2e%2e/app.py",
    ):
        answer = client.get(path)
        assert answer.status_code in (403, 404)
        assert "root:" not in answer.text
        assert "Composition root" not in answer.text


def test_plotly_comes_from_the_installed_package(client) -> None:
    script = client.get("/app-static/plotly.min.js")
    assert script.headers["content-encoding"] == "gzip"
    assert "plotly.js" in script.text[:200]


def test_a_visitor_can_only_choose_from_the_operators_list(playground) -> None:
    calls = {fn.__name__: fn for fn in server_functions(playground)}
    for model in ("/etc", "someone/some-model", "../x", "toy:nowhere"):
        answer = calls["replay"]({"problem": {"model": model}, "path": []})
        assert "can't be chosen here" in answer["error"]["what"]


@pytest.mark.parametrize(
    "payload",
    [
        None,
        3,
        [],
        {},
        {"problem": 3},
        {"problem": {}, "path": 3},
        {"problem": {}, "path": ["<script>"], "action": {"draw": 0}},
        {"problem": {"constraint": {"kind": "schema", "source": "{" * 50_000}}, "path": []},
        {"problem": {}, "path": [], "query": 3, "text": 4, "token": "x"},
    ],
)
@pytest.mark.parametrize("name", ["advance", "replay", "follow", "find", "ghost", "graph"])
def test_malformed_requests_get_an_answer_and_never_an_exception(playground, name, payload) -> None:
    calls = {fn.__name__: fn for fn in server_functions(playground)}
    answer = calls[name](payload)
    assert isinstance(answer, dict)
    if answer.get("error"):
        assert "reference" not in answer["error"]["where"], "a defect, not a refusal"


@pytest.mark.parametrize("path", [["a"], [1.5], [True], {}, None, [0] * 1025])
def test_a_malformed_path_is_refused_and_never_read_as_another(playground, path) -> None:
    calls = {fn.__name__: fn for fn in server_functions(playground)}
    for name in ("advance", "replay", "find", "ghost", "graph"):
        answer = calls[name]({"problem": {}, "path": path, "action": {"draw": 0}, "token": 0})
        assert "The path must be a list" in answer["error"]["what"]
