"""Lessons as they are served, and what the page asks of the server about them."""

import gzip
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from playground.lessons.facts import FACTS
from playground.lessons.form import MAX_FORM, read_form
from playground.lessons.shelf import load_lessons
from playground.session import Playground
from playground.settings import Settings
from playground.ui.lessons import (
    MAX_QR,
    QUIET,
    Kept,
    lesson_calls,
    lesson_view,
    page_props,
    qr_document,
)
from playground.ui.server import create_app

Call = Callable[[Any], dict[str, Any]]


@pytest.fixture(scope="module")
def playground(tmp_path_factory: pytest.TempPathFactory) -> Playground:
    return Playground(Settings(cache=tmp_path_factory.mktemp("cache")))


@pytest.fixture(scope="module")
def client(playground: Playground) -> TestClient:
    return TestClient(create_app(playground), raise_server_exceptions=False)


@pytest.fixture
def calls(playground: Playground) -> dict[str, Call]:
    return {call.__name__: call for call in lesson_calls(playground)}


@pytest.fixture
def lesson(client: TestClient) -> dict[str, Any]:
    """Lesson 1, as a teacher would change it into a lesson of their own."""
    found: dict[str, Any] = client.get("/lessons/two-step.json").json()["lesson"]
    return {**found, "slug": "my-own", "next": None}


def test_the_menu_has_every_lesson_in_its_order(client: TestClient) -> None:
    document = client.get("/lessons/index.json").json()
    assert document["v"] == 1
    assert [each["slug"] for each in document["lessons"]] == list(load_lessons())
    (first,) = [each for each in document["lessons"] if each["slug"] == "two-step"]
    known = load_lessons()["two-step"]
    assert first == {
        "slug": "two-step",
        "title": known.title,
        "question": known.question,
        "minutes": known.minutes,
        "kind": "toy",
        "beats": len(known.beats),
        "claims": len(known.claims),
    }


def test_a_lesson_is_served_as_the_one_form_with_its_claims_proved(client: TestClient) -> None:
    answer = client.get("/lessons/two-step.json")
    assert answer.headers["content-type"] == "application/json"
    form = answer.json()
    assert set(form) == {"v", "lesson", "recording", "claims"}
    assert all(claim["holds"] for claim in form["claims"])
    assert read_form(answer.text)[0] == load_lessons()["two-step"]


def test_a_lesson_is_served_as_a_handout(client: TestClient) -> None:
    answer = client.get("/lessons/two-step.html")
    assert answer.headers["content-type"].startswith("text/html")
    assert "<title>Two steps" in answer.text


@pytest.mark.parametrize("name", ["index.json", "two-step.json", "two-step.html"])
def test_what_a_browser_has_is_not_sent_again(client: TestClient, name: str) -> None:
    first = client.get(f"/lessons/{name}")
    assert first.headers["cache-control"] == "no-cache"
    assert first.headers["content-encoding"] == "gzip"
    tag = first.headers["etag"]
    for known in (tag, f"W/{tag}", f'"other", {tag}'):
        again = client.get(f"/lessons/{name}", headers={"if-none-match": known})
        assert (again.status_code, again.content) == (304, b"")
    assert client.get(f"/lessons/{name}", headers={"if-none-match": '"other"'}).status_code == 200
    plain = client.get(f"/lessons/{name}", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.text == first.text


@pytest.mark.parametrize("slug", ["nope", "..%2f..%2fapp", "%3Cscript%3E", "two_step", "_x"])
def test_a_lesson_that_isnt_there_is_404_with_a_card(client: TestClient, slug: str) -> None:
    answer = client.get(f"/lessons/{slug}.json")
    assert answer.status_code == 404
    if "%2f" not in slug:
        assert "no lesson called" in answer.json()["error"]["what"]
        told = client.get(f"/lessons/{slug}.html")
        assert told.status_code == 404
        assert told.headers["content-type"].startswith("text/plain")


def test_a_document_is_made_once_and_only_when_it_is_asked_for() -> None:
    made: list[str] = []

    def make() -> str:
        made.append("x")
        return "text"

    class Request:
        headers = {"accept-encoding": "gzip"}

    kept = Kept()
    for _ in range(3):
        answer = kept.answer(Request(), "name", make, "text/plain")  # type: ignore[arg-type]
        assert gzip.decompress(answer.body) == b"text"
    assert made == ["x"]


def test_a_lesson_is_saved_and_opened(calls, lesson) -> None:
    form = calls["save_lesson"]({"lesson": lesson})
    assert all(claim["holds"] for claim in form["claims"])
    assert calls["open_lesson"]({"text": json.dumps(form)}) == form
    html = calls["handout"]({"text": json.dumps(form)})["html"]
    assert html.startswith("<!doctype html>")


def test_what_is_wrong_with_a_lesson_is_a_card_with_its_place(calls, lesson) -> None:
    lesson["beats"][3]["text"] = "word " * 26
    card = calls["save_lesson"]({"lesson": lesson})["error"]
    assert card["where"] == "beats.3.text"
    assert "26 words" in card["hint"]


@pytest.mark.parametrize(
    "payload",
    [
        None, 3, [], {}, {"lesson": 3}, {"lesson": {}}, {"lesson": {"scenes": {"a": None}}}, {"text": 3},
        {"text": "\ud800"}, {"text": "[" * 50_000}, {"text": "x" * (MAX_FORM + 1)}, {"room": "A1B2"},
        {"lesson": {"slug": "\ud800", "title": "\ud800"}},
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["save_lesson", "open_lesson", "handout", "vote", "votes", "qr"])
def test_a_malformed_request_gets_a_card_and_never_a_defect(calls, name, payload) -> None:
    card = calls[name](payload)
    if name == "qr" and payload == {"text": "\ud800"}:
        assert card == calls[name]({"text": "?"})
        return
    assert card["error"]["what"]
    assert "reference" not in card["error"]["where"], "a defect, not a refusal"
    json.dumps(card).encode()


def test_a_room_votes(calls) -> None:
    asked = {"room": "AB23", "question": "two-step:2", "options": 3}
    assert calls["votes"](asked) == {"counts": [0, 0, 0], "voters": 0}
    assert calls["vote"]({**asked, "option": 2, "voter": "v1"})["counts"] == [0, 0, 1]
    assert calls["vote"]({**asked, "option": 1, "voter": "v1"})["counts"] == [0, 1, 0]
    assert (
        calls["vote"]({**asked, "room": "ZZZZ", "option": 1, "voter": "v1"})["error"]["where"]
        == "room"
    )


def drawn(document: dict[str, Any]) -> list[list[bool]]:
    """The modules that the path of a QR code fills."""
    size = document["size"]
    dark = [[False] * size for _ in range(size)]
    for x, y, width, back in re.findall(r"M(\d+) (\d+)h(\d+)v1h-(\d+)z", document["path"]):
        assert width == back
        for at in range(int(x), int(x) + int(width)):
            assert not dark[int(y)][at], "drawn twice"
            dark[int(y)][at] = True
    return dark


@pytest.mark.parametrize("text", ["a", "https://example.org/?lesson=sky&beat=4", "é" * 300])
def test_a_qr_code_is_the_librarys_with_a_white_edge(text: str) -> None:
    import segno

    dark = drawn(qr_document(text))
    edge = range(QUIET)
    size = len(dark)
    for n in edge:
        for line in (
            dark[n],
            dark[size - 1 - n],
            [row[n] for row in dark],
            [row[size - 1 - n] for row in dark],
        ):
            assert not any(line)
    inner = [row[QUIET : size - QUIET] for row in dark[QUIET : size - QUIET]]
    library = segno.make_qr(text, error="m", boost_error=False)
    assert inner == [[bool(module) for module in row] for row in library.matrix]


def test_a_text_too_long_for_a_qr_code_is_told(calls) -> None:
    card = calls["qr"]({"text": "x" * (MAX_QR + 1)})["error"]
    assert "Copy the link instead" in card["hint"]
    assert calls["qr"]({"text": "x" * MAX_QR})["size"] > 100


def test_the_page_is_told_what_a_lesson_can_hold(playground: Playground) -> None:
    view = lesson_view(playground)
    assert view.elem_id == "lesson"
    assert "${" not in view.html_template
    props = page_props()
    assert [each["name"] for each in props["facts"]] == list(FACTS)
    assert props["words"] == 25
    json.dumps(props, allow_nan=False)
