"""What a visitor may ask for, and the guard that counts it: by visitor, never by address."""

import json
import re
from functools import partial

import pytest
from starlette.testclient import TestClient

from playground.session import Playground
from playground.settings import Settings
from playground.ui import server
from playground.ui.guard import COOKIE, session_of
from playground.ui.limits import BURST_SECONDS, IDLE, MAX_RECEIVING, MAX_VISITORS, Limits, Refused
from playground.ui.server import create_app
from playground.ui.stopping import STOPPING
from tests.clock import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()


def limits_of(clock: Clock, rate: float = 20) -> Limits:
    return Limits(rate, of_visitor=3, of_all=5, clock=clock)


def test_fifty_people_who_step_every_300_ms_are_never_refused(clock: Clock) -> None:
    limits = limits_of(clock)
    for _ in range(2000):
        for person in range(50):
            limits.admit(f"person {person}")
        clock.now += 0.3


def test_one_who_asks_without_a_pause_is_slowed_to_the_rate_and_told_how_long_to_wait(
    clock: Clock,
) -> None:
    limits, passed, waits = limits_of(clock), 0, []
    for _ in range(10_000):  # ten seconds at 1,000 a second
        try:
            limits.admit("hasty")
            passed += 1
        except Refused as refused:
            waits.append(refused.seconds)
        clock.now += 0.001
    assert passed == pytest.approx(20 * (BURST_SECONDS + 10), abs=1)
    assert set(waits) == {1}
    limits.admit("another one")


def test_after_the_told_wait_the_request_is_taken(clock: Clock) -> None:
    limits = limits_of(clock, rate=0.25)
    limits.admit("slow")
    with pytest.raises(Refused) as refused:
        limits.admit("slow")
    assert 3 <= refused.value.seconds <= 5
    clock.now += refused.value.seconds
    limits.admit("slow")


def test_requests_under_way_are_bounded_by_visitor_and_in_all(clock: Clock) -> None:
    limits = limits_of(clock)
    with limits.answering("a"), limits.answering("a"), limits.answering("a"):
        with pytest.raises(Refused, match="3 requests of this browser"), limits.answering("a"):
            pass
        with (
            limits.answering("b"),
            limits.answering("c"),
            pytest.raises(Refused, match="answering 5 requests"),
            limits.answering("d"),
        ):
            pass
        with limits.answering("d"):
            assert limits.under_way == 4
    assert limits.under_way == 0


def test_visitors_are_forgotten_when_idle_and_bounded_in_number(clock: Clock) -> None:
    limits = limits_of(clock)
    for number in range(MAX_VISITORS + 100):
        limits.admit(str(number))
    assert limits.visitors == MAX_VISITORS
    clock.now += IDLE + 1
    limits.admit("later")
    assert limits.visitors == 1


def test_bodies_held_are_bounded(clock: Clock) -> None:
    limits = limits_of(clock)
    assert limits.receive(MAX_RECEIVING)
    assert not limits.receive(1)
    limits.release(MAX_RECEIVING)
    assert limits.receive(1)


@pytest.fixture
def client(tmp_path, monkeypatch) -> TestClient:
    """The app, for which no time passes."""
    monkeypatch.setattr(server, "Limits", partial(Limits, clock=Clock()))
    settings = Settings(cache=tmp_path, models=(), visitor_rate=1)
    return TestClient(create_app(Playground(settings)), raise_server_exceptions=False)


def ask(client: TestClient, session: str):
    return client.post(
        "/gradio_api/component_server",
        json={"data": {}, "component_id": -1, "fn_name": "advance", "session_hash": session},
    )


def test_the_page_sets_a_cookie_that_no_script_can_read_and_files_set_none(client) -> None:
    told = client.get("/").headers["set-cookie"]
    assert re.fullmatch(rf"{COOKIE}=[\w-]{{22}}; Path=/; HttpOnly; SameSite=Lax", told)
    assert "set-cookie" not in client.get("/").headers, "it is kept"
    assert "set-cookie" not in client.get("/healthz").headers
    client.cookies.clear()
    assert (
        client.get("/", headers={"x-forwarded-proto": "https"})
        .headers["set-cookie"]
        .endswith("; Secure")
    )


def test_over_the_rate_a_card_says_so_and_when_to_come_back(client) -> None:
    answers = [ask(client, "one") for _ in range(BURST_SECONDS + 1)]
    assert all(answer.status_code != 429 for answer in answers[:-1])
    refused = answers[-1]
    assert refused.status_code == 429
    assert refused.headers["retry-after"] == "1"
    assert {"what", "hint"} <= set(refused.json()["error"])
    assert "More than 1 requests a second" in refused.json()["error"]["what"]
    assert refused.headers["x-content-type-options"] == "nosniff"
    assert ask(client, "two").status_code != 429, "another page, from the same address"
    assert client.get("/healthz").status_code == 200


def test_the_cookie_counts_before_the_session_so_that_tabs_share_it(client) -> None:
    client.get("/")
    answers = [ask(client, f"tab {number}").status_code for number in range(BURST_SECONDS + 1)]
    assert answers[-1] == 429
    assert 429 not in answers[:-1]


def test_a_session_hash_inside_a_visitors_text_is_no_session() -> None:
    inner = json.dumps({"session_hash": "forged"})
    body = json.dumps({"data": [inner], "session_hash": "own"}).encode()
    assert session_of({"query_string": b""}, body) == "own"
    assert session_of({"query_string": b"x=1&session_hash=ab12"}, b"") == "ab12"
    assert session_of({"query_string": b""}, b'{"session_hash": 3}') == ""


def test_while_the_process_ends_it_is_not_ready_and_takes_no_work(client, monkeypatch) -> None:
    assert client.get("/readyz").json() == {"ready": True, "models": {}}
    monkeypatch.setattr(STOPPING, "_begun", True)
    assert client.get("/readyz").status_code == 503
    assert client.get("/healthz").status_code == 200
    refused = ask(client, "one")
    assert refused.status_code == 503
    assert refused.json()["error"]["what"] == "The server is stopping."
