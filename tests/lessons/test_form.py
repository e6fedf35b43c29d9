"""A lesson's one JSON form: written and read again, and a file that is none refused in words."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from playground.errors import InvalidInput
from playground.lessons.form import MAX_FORM, form_document, form_text, lesson_of, read_form
from playground.lessons.lesson import Lesson
from playground.lessons.recording import record
from playground.record import Document
from playground.session import Playground

Make = Callable[..., dict[str, Any]]


@pytest.fixture
def form(own: Make, playground: Playground) -> Document:
    """A teacher's lesson, recorded."""
    lesson = lesson_of(own())
    return form_document(lesson, record(playground, lesson))


def test_a_form_is_read_as_it_was_written(form: Document) -> None:
    lesson, recording = read_form(form_text(form))
    assert form_document(lesson, recording) == form
    assert [claim["holds"] for claim in form["claims"]] == [True]


def test_a_lesson_alone_is_read_without_a_recording(own: Make) -> None:
    lesson, recording = read_form(json.dumps(own()))
    assert isinstance(lesson, Lesson)
    assert recording is None


def test_without_a_recording_no_claim_is_proved(own: Make) -> None:
    (claim,) = form_document(lesson_of(own()), None)["claims"]
    assert not claim["holds"]
    assert "isn't recorded" in claim["checks"][0]["why"]


def test_claims_of_the_file_are_not_believed(form: Document) -> None:
    form["lesson"]["claims"][0]["checks"][0]["value"] = 0.5
    form["claims"][0]["holds"] = True
    (claim,) = form_document(*read_form(form_text(form)))["claims"]
    assert not claim["holds"]
    assert claim["checks"][0]["found"]["lower"] == pytest.approx(0.109)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "isn't JSON"),
        ("{", "isn't JSON"),
        ("[1]", "holds no lesson"),
        ("3", "holds no lesson"),
        ('{"lesson": {}}', "version is None"),
        ('{"v": 2, "lesson": {}}', "version is 2"),
        ('{"v": 1, "lesson": {}}', "slug is missing"),
        ('{"v": 1, "lesson": 3}', "lesson|dictionary|valid"),
        ("{}", "slug is missing"),
        ('{"v": NaN}', "strict JSON"),
        ('{"v": ' + "1" * 5_000 + "}", "strict JSON"),
        ("[" * 100_000, "nested too deep"),
        ("x" * (MAX_FORM + 1), "bytes"),
        ("\ud800", "isn't JSON"),
    ],
    ids=range(14),
)
def test_a_file_that_is_no_lesson_is_refused_in_words(text: str, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        read_form(text)


@pytest.mark.parametrize(
    ("changed", "where"),
    [
        ({"slug": "No Name"}, "slug"),
        ({"minutes": 0}, "minutes"),
        ({"scenes": {}}, "scenes"),
        ({"beats": []}, "beats"),
        ({"beats": [{"text": "ok"}, {"text": "word " * 26}]}, "beats.1.text"),
        ({"beats": [{"text": "ok", "view": "video"}]}, "beats.0.view"),
        (
            {"claims": [{"text": "c", "checks": [{"fact": "zz", "value": 1}]}]},
            "claims.0.checks.0.fact",
        ),
        ({"notes": "x" * 4_001}, "notes"),
        ({"script": "alert(1)"}, "script"),
        ({"exercises": [{"question": "", "answer": "a"}]}, "exercises.0.question"),
        ({"title": "half \ud800"}, "title"),
        (
            {
                "beats": [
                    {"text": "b", "predict": {"question": "q", "options": ["one"], "answer": 0}}
                ]
            },
            "beats.0.predict.options",
        ),
    ],
)
def test_what_is_wrong_with_a_lesson_is_told_with_its_place(own: Make, changed, where) -> None:
    with pytest.raises(InvalidInput) as told:
        lesson_of({**own(), **changed})
    assert told.value.where == where
    assert told.value.what
    assert told.value.hint
    assert not {"String", "pattern", "Tuple", "Dictionary", "item"} & set(str(told.value).split())


def edited(form: Document, where: str, value: object) -> str:
    """The form with one value of its recording changed, `where` as recorded scenes name it."""
    *above, last = where.split(".")
    part: Any = form["recording"]
    for key in above:
        part = part[int(key)] if isinstance(part, list) else part[key]
    if isinstance(part, list):
        part[int(last)] = value
    else:
        part[last] = value
    return json.dumps(form)


@pytest.mark.parametrize(
    ("where", "value", "words"),
    [
        ("v", 2, "can't be read"),
        ("scenes", {}, "of the scenes"),
        ("scenes.doors", 3, "can't be read"),
        ("scenes.doors.page", None, "can't be read"),
        ("scenes.doors.page.steps", "x", "can't be read"),
        ("scenes.doors.page.steps.0", {}, "can't be read"),
        ("scenes.doors.page.steps.0.candidates.0.text", 3, "can't be read"),
        ("scenes.doors.page.steps.0.taken.p", "<b>", "can't be read"),
        ("scenes.doors.page.problem.max_tokens", 3, "another problem"),
        ("scenes.doors.page.problem.toy.tokens", ["A"], "can't be read"),
        ("scenes.doors.squeezing", 3, "can't be read"),
    ],
)
def test_a_recording_that_isnt_this_lessons_is_refused(form, where, value, words) -> None:
    with pytest.raises(InvalidInput, match=words):
        read_form(edited(form, where, value))
