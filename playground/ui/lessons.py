"""Lessons on the page: served as documents, and what the lesson's part of the page asks."""

import gzip
import hashlib
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import gradio as gr
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response

from playground.errors import InvalidInput
from playground.lessons.facts import FACTS
from playground.lessons.form import MAX_FORM, form_document, form_text, summary_document
from playground.lessons.lesson import MOST_EXERCISES, MOST_WORDS, Lesson, Part, Relation, View
from playground.lessons.recording import record
from playground.lessons.saving import MAX_SCENES, SECONDS, Desk
from playground.lessons.shelf import load_lessons, recording_of
from playground.record import Document, error_document, spellable
from playground.session import Playground
from playground.ui.inputs import guarded, text_of
from playground.ui.screen import mount_script
from playground.votes import Votes

STATIC = Path(__file__).parents[2] / "static"
MAX_QR = 2_000
"""Longest text in a QR code, characters: a phone still reads it from a projector below about 300."""
QUIET = 4
"""Modules of white around a QR code."""


def index_document() -> Document:
    """The menu: `{"v", "lessons": [{"slug", "title", "question", "minutes", "kind", "beats",
    "claims"}]}`; kind is `toy` where everything is exact, else `recorded`."""
    return {"v": 1, "lessons": [summary_document(each) for each in load_lessons().values()]}


def builtin_form(playground: Playground, lesson: Lesson) -> Document:
    """The form of a built-in lesson. One on toys that has no recording yet is recorded now; one on a
    model is then shown without."""
    recording = recording_of(lesson.slug)
    if recording is None and lesson.on_toys:
        recording = record(playground, lesson)
    return form_document(lesson, recording)


class Kept:
    """Documents that are made when they are first asked for and kept, compressed: one for each name,
    and the names are those of the built-in lessons."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[str, tuple[str, bytes]] = {}

    def answer(self, request: Request, name: str, make: Callable[[], str], kind: str) -> Response:
        """What `make` gives, as a response of the media type `kind`; 304 where the browser has it."""
        with self._lock:
            if name not in self._kept:
                body = make().encode("utf-8")
                tag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
                self._kept[name] = (tag, gzip.compress(body, 6, mtime=0))
        tag, packed = self._kept[name]
        headers = {"etag": tag, "cache-control": "no-cache", "vary": "accept-encoding"}
        known = request.headers.get("if-none-match", "")
        if tag in (each.strip().removeprefix("W/") for each in known.split(",")):
            return Response(status_code=304, headers=headers)
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(gzip.decompress(packed), media_type=kind, headers=headers)
        headers["content-encoding"] = "gzip"
        return Response(packed, media_type=kind, headers=headers)


def lesson_routes(app: FastAPI, playground: Playground) -> None:
    """Serve `/lessons/index.json`, and each lesson as `<slug>.json` (its form) and `<slug>.html` (the
    handout). Nothing is made before it is asked for."""
    kept = Kept()

    @app.get("/lessons/index.json")
    def index(request: Request) -> Response:
        return kept.answer(
            request, "index", lambda: form_text(index_document()), "application/json"
        )

    @app.get("/lessons/{slug}.json")
    def form(request: Request, slug: str) -> Response:
        lesson = load_lessons().get(slug)
        if lesson is None:
            return JSONResponse({"error": error_document(_no_lesson(slug))}, 404)
        return kept.answer(
            request,
            f"{slug}.json",
            lambda: form_text(builtin_form(playground, lesson)),
            "application/json",
        )

    @app.get("/lessons/{slug}.html")
    def handout(request: Request, slug: str) -> Response:
        lesson = load_lessons().get(slug)
        if lesson is None:
            return PlainTextResponse(str(_no_lesson(slug)), 404)

        def make() -> str:
            from playground.views.handout import handout_html

            return handout_html(builtin_form(playground, lesson), STATIC)

        return kept.answer(request, f"{slug}.html", make, "text/html")


def _no_lesson(slug: str) -> InvalidInput:
    return InvalidInput(
        f"There is no lesson called {slug[:40]!r}.",
        f"Choose one of {', '.join(load_lessons())}.",
        "lesson",
    )


def lesson_calls(playground: Playground) -> list[Callable[[Any], Document]]:
    """What the page asks, by name: each takes one JSON object and returns one."""
    desk, votes_ = Desk(playground, load_lessons), Votes()

    def answered(answer: Callable[[], Document]) -> Document:
        told: Document = spellable(guarded(answer))
        return told

    def save_lesson(payload: Any) -> Document:
        """`{"lesson"}`, recorded and its claims checked, as the one form."""
        return answered(lambda: desk.save(_told(payload).get("lesson")))

    def open_lesson(payload: Any) -> Document:
        """`{"text": of a file}`, as the one form."""
        return answered(lambda: desk.open(text_of(_told(payload), "text")))

    def handout(payload: Any) -> Document:
        """`{"text": of a file}`, as `{"html": its handout}`."""

        def make() -> Document:
            from playground.views.handout import handout_html

            form = desk.open(text_of(_told(payload), "text"))
            return {"html": handout_html(form, STATIC)}

        return answered(make)

    def vote(payload: Any) -> Document:
        """`{"room", "question", "option", "voter"}`: take it, and answer as `votes`."""
        return answered(lambda: votes_.vote(payload))

    def votes(payload: Any) -> Document:
        """`{"room", "question"}` -> `{"counts", "voters"}`."""
        return answered(lambda: votes_.counts(payload))

    def qr(payload: Any) -> Document:
        """`{"text"}` -> `{"size", "path"}`: what is dark in a square of that side, white edge included,
        as an SVG path."""
        return answered(lambda: qr_document(text_of(_told(payload), "text")))

    return [save_lesson, open_lesson, handout, vote, votes, qr]


def _told(payload: Any) -> Document:
    return payload if isinstance(payload, dict) else {}


def qr_document(text: str) -> Document:
    """A QR code: `{"size", "path"}` in modules, the white edge around it counted.

    Raises:
        InvalidInput: the text is empty or too long for one.
    """
    if not 0 < len(text) <= MAX_QR:
        raise InvalidInput(
            f"The link has {len(text):,} characters; a QR code holds 1 to {MAX_QR:,} here.",
            "Copy the link instead, or link to a built-in lesson, whose links are short.",
            "text",
        )
    import segno

    text = text.encode("utf-8", "replace").decode()  # half a character can't be spelled
    rows = segno.make_qr(text, error="m", boost_error=False).matrix
    path = []
    for y, row in enumerate(rows):
        x = 0
        while x < len(row):
            width = 0
            while x + width < len(row) and row[x + width]:
                width += 1
            if width:
                path.append(f"M{x + QUIET} {y + QUIET}h{width}v1h-{width}z")
            x += width + 1
    return {"size": len(rows) + 2 * QUIET, "path": "".join(path)}


def page_props() -> Document:
    """What the form of a teacher's lesson offers and what it is held to: words of a beat,
    exercises, scenes, bytes and seconds of a lesson, and the names of facts, relations, screens and
    their parts."""
    return {
        "words": MOST_WORDS,
        "exercises": MOST_EXERCISES,
        "scenes": MAX_SCENES,
        "bytes": MAX_FORM,
        "seconds": SECONDS,
        "views": list(get_args(View)),
        "parts": [part for part in get_args(Part) if part],
        "relations": list(get_args(Relation)),
        "facts": [
            {"name": name, "about": fact.about, "needs": fact.needs} for name, fact in FACTS.items()
        ],
        "votes": Votes.status,
    }


def lesson_view(playground: Playground) -> gr.HTML:
    """The lesson's part of the page, empty until its script draws it. Its template is static and its
    script uses textContent alone."""
    return gr.HTML(
        None,
        html_template='<div class="screen-mount"></div>',
        js_on_load=mount_script("lesson", "server, page: plain(props.page)", at_once=True),
        apply_default_css=False,
        elem_id="lesson",
        padding=False,
        page=page_props(),
        notice=None,
        server_functions=lesson_calls(playground),
    )
