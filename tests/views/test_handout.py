"""The handout: every number of the recording, answers hidden, and nothing typed becomes markup."""

import copy
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from playground.lessons.form import form_document
from playground.lessons.lesson import Lesson
from playground.lessons.shelf import load_lessons, recording_of
from playground.record import Document
from playground.views.checks import said
from playground.views.handout import handout_html
from playground.views.handout_parts import between, provenance_of, scene_of, text, times

STATIC = Path(__file__).parents[2] / "static"
HOSTILE = (
    "</script><script>window.bad=1</script><img src=x onerror=window.bad=2> "
    "${window.bad=3} {{7*7}} ` ' \" &amp; </title> \u202e"
)


class Outline(HTMLParser):
    """Tags in order, and the text of each kind of element."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.said: dict[str, list[str]] = {}
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in ("meta", "img"):
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag, "an element isn't closed where it should be"

    def handle_data(self, data: str) -> None:
        if self._open:
            self.said.setdefault(self._open[-1], []).append(data)


def outline(page: str) -> Outline:
    read = Outline()
    read.feed(page)
    assert not read._open
    return read


@pytest.fixture(scope="module")
def form() -> Document:
    """Lesson 1 with notes."""
    lesson = load_lessons()["two-step"].model_copy(update={"notes": "Ask first.\n\nThen show."})
    return form_document(lesson, recording_of("two-step"))


@pytest.fixture(scope="module")
def page(form: Document) -> str:
    return handout_html(form, STATIC)


def test_it_shows_every_beat_claim_exercise_and_note(form: Document, page: str) -> None:
    said = " ".join(part for parts in outline(page).said.values() for part in parts)
    lesson = form["lesson"]
    for words in (
        lesson["title"],
        lesson["question"],
        *(beat["text"] for beat in lesson["beats"]),
        *(claim["text"] for claim in form["claims"]),
        *(each["question"] for each in lesson["exercises"]),
        "Ask first.",
        "toy:two-step 052b7ab361a1 float64",
    ):
        assert words in said


def test_its_tables_hold_the_numbers_of_the_recording(page: str) -> None:
    cells = outline(page).said["td"]
    for number in (
        "90.0 %",
        "91.7 %",
        "8.3 %",
        "0.90 %",
        "11× too often",
        "9.2× too rare",
        "0 (blocked)",
    ):
        assert number in cells
    captions = " ".join(outline(page).said["caption"])
    assert "valid: 10.9 %" in captions
    assert "Step 2, after A: Z_t is 1.0 % (6.6 bits), and 1 of 5 tokens are allowed." in captions


def test_answers_are_inside_what_has_to_be_opened(form: Document, page: str) -> None:
    closed = re.findall(r'<details class="answer">.*?</details>', page, re.DOTALL)
    predicted = [beat for beat in form["lesson"]["beats"] if beat["predict"]]
    assert len(closed) == len(predicted) + len(form["lesson"]["exercises"]) == 2
    assert "90 %" in closed[0]
    answer = text(form["lesson"]["exercises"][0]["answer"])
    assert answer in closed[1]
    assert page.count(answer) == 1, "nowhere else"
    assert not re.search(r"<details[^>]* open", page)


def test_the_worksheet_has_the_questions_and_no_answer(form: Document, page: str) -> None:
    (sheet,) = re.findall(r'<section class="worksheet">.*?</section>', page, re.DOTALL)
    assert text(form["lesson"]["exercises"][0]["question"]) in sheet
    assert sheet.count("☐") == 3
    assert sheet.count('class="line"') >= 4
    assert text(form["lesson"]["exercises"][0]["answer"]) not in sheet
    assert "details" not in sheet


def test_each_run_is_there_once_for_the_stage(form: Document, page: str) -> None:
    (held,) = re.findall(r'<script type="application/json" id="recording">(.*?)</script>', page)
    scenes = form["recording"]["scenes"]
    assert json.loads(held) == {"pages": {name: scene["page"] for name, scene in scenes.items()}}
    assert re.findall(r'data-scene="([\w-]+)" data-step="(\d)"', page) == [
        ("popular", "0"), ("popular", "1"), ("popular", "1"), ("locked-out", "1"),
    ]  # fmt: skip


def poisoned(value: Any) -> Any:
    """The same lesson with HOSTILE behind each of its free texts."""
    if isinstance(value, dict):
        return {
            key: each + HOSTILE if isinstance(each, str) and key in FREE else poisoned(each)
            for key, each in value.items()
        }
    if isinstance(value, list):
        return [poisoned(each) for each in value]
    return value


FREE = {
    "title", "question", "text", "answer", "notes", "of", "why", "model", "revision", "engine", "app", "text_before",
    "status", "about",
}  # fmt: skip


def test_nothing_that_was_typed_becomes_markup(form: Document, page: str) -> None:
    bad = poisoned(copy.deepcopy(form))
    bad["lesson"]["beats"][2]["predict"]["options"][0] += HOSTILE
    hostile = handout_html(bad, STATIC)
    assert outline(hostile).tags == outline(page).tags
    assert outline(hostile).said["h1"] == [form["lesson"]["title"] + HOSTILE]


def test_without_a_recording_it_has_words_and_no_numbers(form: Document) -> None:
    lesson = load_lessons()["two-step"]
    bare = handout_html(form_document(lesson, None), STATIC)
    assert "not recorded" in bare
    assert "Not proved" in bare
    assert 'data-scene="' not in bare


def test_it_loads_nothing(page: str) -> None:
    assert "default-src 'none'" in page
    assert not re.search(r"<link|<img|<iframe|\bsrc=|@import|url\(", page.split("<script")[0])


@pytest.mark.parametrize(
    ("bounds", "words"),
    [
        ({"lower": 0.25, "upper": 0.25}, "25.0 %"),
        ({"lower": 0.25, "upper": 0.25001}, "25.0 %"),
        ({"lower": 0.1, "upper": 0.2}, "10.0 % to 20.0 %"),
        ({"lower": 0.0, "upper": 0.2}, "0 to 20.0 %"),
        (None, "–"),
        ({"lower": None, "upper": None}, "–"),
    ],
)
def test_bounds_are_one_number_only_where_they_print_alike(
    bounds: dict[str, float | None] | None, words: str
) -> None:
    assert between(bounds) == words


@pytest.mark.parametrize(
    ("lower", "upper", "words"),
    [
        (2.0, None, "at least 2× too often"),
        (1548.5488, 1558.2225, "1,549 to 1,558× too often"),
        (0.0206027, 0.0206194, "48 to 49× too rare"),
        (10.9, 10.9, "11× too often"),
        (1.0, 1.0, "just right"),
        (0.0, 0.25, "at least 4× too rare"),
        (0.0, 0.0, "never given"),
        (0.8, 1.3, "0.8 to 1.3× as often as it should be"),
        (2e6, 2e6, "2.0e6× too often"),
    ],
)
def test_the_squeeze_is_said_as_the_page_says_it(
    lower: float, upper: float | None, words: str
) -> None:
    assert times({"lower": lower, "upper": upper}) == words


def check_of(**changed: Any) -> Document:
    """A check of lesson 1 as the form holds it, with changes."""
    base = {"fact": "argmax-p", "scene": None, "step": 0, "of": "", "relation": "near", "value": 0.629, "within": 0.01,
            "found": {"lower": 0.6294321, "upper": 0.6294321}, "holds": True, "why": "",
            "about": "its model p"}  # fmt: skip
    return {**base, **changed}


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({}, "step 1: the model's first choice has p 0.629 ± 0.01 (found 0.629)"),
        (
            {"within": 1e-9, "value": 0.9, "found": {"lower": 0.9000000000001, "upper": 0.9000000000002}},
            "step 1: the model's first choice has p 0.9 (found 0.9)",
        ),
        (
            {"fact": "squeeze-of", "of": "The Hague", "step": None, "relation": ">", "value": 1400.0, "scene": "hague",
             "found": {"lower": 1548.5488, "upper": None}},
            "scene hague: s of “The Hague”, how many times too often, is above 1,400 (found at least 1,549)",
        ),
        (
            {"fact": "z", "value": 3.55e-5, "within": 1e-6, "about": "Z_t: the share",
             "found": {"lower": 3.7e-5, "upper": 3.7e-5}},
            "step 1: Z_t: 1 in 28,000 (found 1 in 27,000)",
        ),
        (
            {"fact": "token-allowed", "of": "city", "relation": "is", "value": False, "found": False},
            "step 1: the mask keeps “city”: no (found no)",
        ),
        (
            {"found": None, "why": "not recorded"},
            "step 1: the model's first choice has p 0.629 ± 0.01 (nothing found: not recorded)",
        ),
    ],
)  # fmt: skip
def test_a_check_is_a_sentence_with_the_digits_of_its_tolerance(
    changed: dict[str, Any], words: str
) -> None:
    assert said(check_of(**changed)) == words


def test_every_scene_says_its_prompt_and_its_constraint() -> None:
    lesson = load_lessons()["squeeze-netherlands"]
    page = handout_html(form_document(lesson, None), STATIC)
    (found,) = re.findall(r'<section class="scenes">.*?</section>', page, re.DOTALL)
    for scene in lesson.scenes.values():
        assert text(scene.problem.prompt) in found
        assert text(scene.problem.constraint.source) in found
    assert found.count("<dt>") == 2, "scenes that differ in their path alone are told once"


def test_what_tells_the_answer_is_inside_what_has_to_be_opened() -> None:
    lesson = load_lessons()["sky"]
    page = handout_html(form_document(lesson, recording_of("sky")), STATIC)
    ((beat, asked),) = [(each, each.predict) for each in lesson.beats if each.predict]
    outside = re.sub(r'<details class="answer">.*?</details>', "", page, flags=re.DOTALL)
    assert text(beat.text) in page
    assert text(beat.text) not in outside
    assert text(asked.question) in outside


def test_notes_are_closed_and_the_worksheet_is_first(page: str) -> None:
    assert re.search(r'<details class="notes"><summary>Notes for the teacher</summary>', page)
    assert page.index('class="worksheet"') < page.index("<h1>")


@pytest.mark.parametrize("lesson", load_lessons().values(), ids=lambda lesson: lesson.slug)
def test_a_predicting_beat_says_its_question_or_its_answer(lesson: Lesson) -> None:
    """Where both are shown, the sentence and the question are one."""
    for beat in lesson.beats:
        if beat.predict is not None:
            assert beat.text == beat.predict.question or "?" not in beat.text


def test_a_beat_keeps_the_scene_of_the_one_before() -> None:
    beats = [{"scene": None}, {"scene": "b"}, {"scene": None}, {"scene": "a"}]
    lesson = {"scenes": {"a": {}, "b": {}}, "beats": beats}
    assert [scene_of(lesson, index) for index in range(4)] == ["a", "b", "b", "a"]


def test_weights_are_named_once() -> None:
    one = {"page": {"provenance": {"model": "m", "revision": "r", "kind": "live", "dtype": "f"}}}
    assert provenance_of({"a": one, "b": one}) == ["recorded m r f"]
