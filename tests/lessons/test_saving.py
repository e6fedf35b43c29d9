"""A teacher's lesson is saved with its numbers, within bounds; and opened as it was saved."""

import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from playground.errors import BudgetExceeded, Busy, InvalidInput, ModelUnavailable
from playground.lessons import saving
from playground.lessons.form import form_text
from playground.lessons.lesson import scene
from playground.lessons.saving import MAX_SCENES, Desk
from playground.session import Playground

Make = Callable[..., dict[str, Any]]


@pytest.fixture
def desk(playground: Playground) -> Desk:
    return Desk(playground, lambda: ("two-step", "sky"))


def test_a_saved_lesson_has_its_numbers_and_is_opened_as_it_was_saved(desk, own: Make) -> None:
    form = desk.save(own(next="sky"))
    assert form["v"] == 1
    assert form["lesson"] == own(next="sky")
    assert form["recording"]["scenes"]["doors"]["squeezing"]["exact"]["status"] == "exact"
    assert [claim["holds"] for claim in form["claims"]] == [True]
    assert desk.open(form_text(form)) == form


def test_a_claim_that_fails_is_told_with_what_was_found_and_is_saved(desk, own: Make) -> None:
    wrong = {"fact": "Z", "relation": ">", "value": 0.5}
    (claim,) = desk.save(own(claims=[{"text": "Z is large.", "checks": [wrong]}]))["claims"]
    assert not claim["holds"]
    assert claim["checks"][0]["found"]["upper"] == pytest.approx(0.109)


def test_a_lesson_may_claim_nothing(desk, own: Make) -> None:
    assert desk.save(own(claims=[]))["claims"] == []


def test_a_file_without_a_recording_is_recorded(desk, own: Make) -> None:
    form = desk.open(json.dumps(own()))
    assert form["recording"] is not None
    assert [claim["holds"] for claim in form["claims"]] == [True]


def door(**more: object) -> dict[str, Any]:
    return scene("toy:two-step", "regex", "(A|B)x", **more).model_dump(mode="json")


@pytest.mark.parametrize(
    ("changed", "where"),
    [
        ({"slug": "two-step"}, "slug"),
        ({"next": "nowhere"}, "next"),
        ({"beats": [{"text": "late", "step": 2}]}, "beats.0.step"),
        ({"beats": [{"text": "ok"}, {"text": "no law", "view": "compare"}]}, "beats.1.view"),
        ({"scenes": {f"s{n}": door() for n in range(MAX_SCENES + 1)}}, "scenes"),
        ({"scenes": {"s": door(path=("Q",))}, "beats": [{"text": "b"}]}, "scenes.s, byte 0"),
        (
            {"scenes": {"s": door(path=(99,))}, "beats": [{"text": "b"}]},
            "scenes.s, token",
        ),
    ],
)
def test_a_lesson_that_couldnt_be_shown_is_refused_with_its_place(
    desk, own: Make, changed, where
) -> None:
    with pytest.raises(InvalidInput) as told:
        desk.save({**own(), **changed})
    assert told.value.where == where
    assert told.value.hint


def test_only_models_of_the_operators_list_are_recorded(desk, own: Make, tmp_path) -> None:
    for model in ("/etc", str(tmp_path), "someone/some-model", "toy:nowhere"):
        lesson = own()
        lesson["scenes"]["doors"]["problem"]["model"] = model
        with pytest.raises(ModelUnavailable, match="can't be chosen here") as told:
            desk.save(lesson)
        assert told.value.where == "scenes.doors.problem.model"


def test_what_was_typed_is_kept_as_text(desk, own: Make) -> None:
    hostile = "<script>window.x=1</script> ${1+1} {{7*7}} `id` \u202e"
    form = desk.save(own(title=hostile, notes=hostile))
    assert form["lesson"]["title"] == hostile
    assert desk.open(form_text(form)) == form


def test_recording_ends_in_time_and_in_words(playground, own: Make) -> None:
    short = Desk(playground, tuple, seconds=0.05)
    with pytest.raises(BudgetExceeded, match="longer than"):
        short.save(own(scenes={"doors": door(methods=("rejection", "cars"), n=2_000)}))


def test_a_lesson_too_large_to_be_opened_again_is_not_saved(desk, own: Make, monkeypatch) -> None:
    monkeypatch.setattr("playground.lessons.form.MAX_FORM", 5_000)
    with pytest.raises(InvalidInput, match="at most 5,000 can be kept"):
        desk.save(own())


def test_more_than_a_few_at_a_time_wait_and_are_then_told(
    playground, own: Make, monkeypatch
) -> None:
    go, running = threading.Event(), threading.Semaphore(0)

    def slow(*_: object) -> dict[str, Any]:
        running.release()
        go.wait(20)
        return {
            "v": 1,
            "slug": "s",
            "scenes": {"doors": {"page": {"steps": [1, 2]}, "squeezing": {}}},
        }

    monkeypatch.setattr(saving, "record", slow)
    monkeypatch.setattr(saving, "PATIENCE", 0.05)
    desk = Desk(playground, tuple)
    lessons = [own(title=f"Lesson {number}") for number in range(saving.AT_ONCE)]
    threads = [threading.Thread(target=desk.save, args=(each,)) for each in lessons]
    for thread in threads:
        thread.start()
    try:
        for _ in threads:
            assert running.acquire(timeout=20)
        with pytest.raises(Busy):
            desk.save(own())
    finally:
        go.set()
        for thread in threads:
            thread.join(20)
    assert desk.save(own())["v"] == 1, "the places are free again"


def test_a_class_that_opens_one_lesson_has_it_recorded_once(
    playground, own: Make, monkeypatch
) -> None:
    made: list[str] = []
    plain = saving.record

    def counted(playground: Playground, lesson: Any, *more: Any) -> dict[str, Any]:
        made.append(lesson.title)
        return plain(playground, lesson, *more)

    monkeypatch.setattr(saving, "record", counted)
    monkeypatch.setattr(saving, "KEPT", 2)
    desk = Desk(playground, tuple)
    with ThreadPoolExecutor(max_workers=8) as pupils:
        forms = list(pupils.map(desk.save, [own()] * 8))
    assert len(made) == 1
    assert all(form == forms[0] for form in forms)
    for number in range(3):
        desk.save(own(title=str(number)))
    desk.save(own())
    assert made == [own()["title"], "0", "1", "2", own()["title"]]


def test_who_waits_for_the_same_lesson_waits_no_longer_than_it_may_take(
    playground, own: Make, monkeypatch
) -> None:
    go, running = threading.Event(), threading.Event()
    plain = saving.record

    def slow(*asked: Any) -> dict[str, Any]:
        running.set()
        go.wait(20)
        return plain(asked[0], asked[1])

    monkeypatch.setattr(saving, "record", slow)
    monkeypatch.setattr(saving, "PATIENCE", 0.05)
    desk = Desk(playground, tuple, seconds=0.05)
    with ThreadPoolExecutor(max_workers=1) as first:
        form = first.submit(desk.save, own())
        try:
            assert running.wait(20)
            with pytest.raises(Busy):
                desk.save(own())
        finally:
            go.set()
        assert desk.save(own()) == form.result()
