"""Every built-in lesson: it can be read and shown, and each of its claims is proved by its numbers."""

import json
from pathlib import Path

import pytest

from playground.cli.demo_text import failures
from playground.lessons.form import form_document, form_text, read_form
from playground.lessons.lesson import MOST_WORDS, Lesson
from playground.lessons.recording import record, timeless
from playground.lessons.saving import require_shown
from playground.lessons.shelf import astray, load_lessons, recording_of
from playground.record import Document
from playground.session import Playground

LESSONS = load_lessons()
ALL = pytest.mark.parametrize("lesson", LESSONS.values(), ids=lambda lesson: lesson.slug)
TOYS = pytest.mark.parametrize(
    "lesson",
    [each for each in LESSONS.values() if each.on_toys],
    ids=lambda lesson: lesson.slug,
)


def stored(lesson: Lesson) -> Document:
    """The recording beside the lesson."""
    recording = recording_of(lesson.slug)
    assert recording is not None, f"python -m playground demo record {lesson.slug}"
    return recording


def unproved(form: Document) -> list[str]:
    """The checks of a form that fail, in words."""
    return failures({"slug": form["lesson"]["slug"], "provenance": [], "claims": form["claims"]})


def test_there_are_lessons_and_each_goes_on_with_one_that_is_there() -> None:
    assert "two-step" in LESSONS
    assert not astray(LESSONS)
    assert len({each.title for each in LESSONS.values()}) == len(LESSONS)


@ALL
def test_a_beat_is_read_from_the_last_row(lesson: Lesson) -> None:
    for beat in lesson.beats:
        assert 1 <= len(beat.text.split()) <= MOST_WORDS


@ALL
def test_a_lesson_shows_steps_and_screens_that_were_recorded(lesson: Lesson) -> None:
    require_shown(lesson, stored(lesson))


@ALL
def test_the_recording_proves_every_claim(lesson: Lesson) -> None:
    form = form_document(lesson, stored(lesson))
    assert len(form["claims"]) == len(lesson.claims) > 0
    assert not unproved(form)


@ALL
def test_the_recording_is_of_this_lesson_and_can_be_opened_as_a_file(lesson: Lesson) -> None:
    form = form_document(lesson, stored(lesson))
    again, recording = read_form(form_text(form))
    assert again == lesson
    assert recording == form["recording"]


@TOYS
def test_a_lesson_on_toys_is_recorded_again_with_the_same_numbers(
    lesson: Lesson, playground: Playground
) -> None:
    fresh = record(playground, lesson)
    assert not unproved(form_document(lesson, fresh))
    for scene in fresh["scenes"].values():
        if scene["squeezing"] is not None:
            assert scene["squeezing"]["exact"]["status"] == "exact"
    assert timeless(json.loads(json.dumps(fresh))) == timeless(stored(lesson))


def test_the_readme_counts_the_lessons_and_their_squeezing() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    cases = [slug for slug in load_lessons() if slug.startswith("squeeze-")]
    worst = []
    for slug in cases:
        scenes = (recording_of(slug) or {"scenes": {}})["scenes"].values()
        tvs = [each["squeezing"]["exact"]["tv"] for each in scenes if each.get("squeezing")]
        worst.append(max(tvs, key=lambda tv: tv["lower"]))
    least, most = min(tv["lower"] for tv in worst), max(tv["upper"] for tv in worst)
    assert least > 0.3
    assert f"are played: {len(load_lessons())} of them" in readme
    words = f"{len(cases)} lessons show\nsqueezing on SmolLM2 (total variation {least:.2f} to {most:.2f})"
    assert words.replace("0.", ".") in readme
