"""The one JSON form of a lesson: on the page, in a teacher's file, in a link, as a handout."""

import json
from typing import Any, NoReturn

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from playground.errors import InvalidInput
from playground.lessons.claims import proof_document, proofs
from playground.lessons.lesson import Lesson
from playground.page import problem_document
from playground.problem import ProblemSpec, invalid
from playground.record import Document

VERSION = 1
"""Of the form."""
MAX_FORM = 1_500_000
"""Largest form that is saved or opened, bytes of UTF-8."""


def form_document(lesson: Lesson, recording: Document | None) -> Document:
    """`{"v", "lesson", "recording", "claims"}`: every claim held against the recording; without one
    none of them is proved."""
    scenes = {} if recording is None else recording["scenes"]
    return {
        "v": VERSION,
        "lesson": lesson.model_dump(mode="json"),
        "recording": recording,
        "claims": [proof_document(proof) for proof in proofs(lesson, scenes)],
    }


def summary_document(lesson: Lesson) -> Document:
    """A lesson's line in a menu; kind is `toy` where everything is exact, else `recorded`."""
    return {
        "slug": lesson.slug,
        "title": lesson.title,
        "question": lesson.question,
        "minutes": lesson.minutes,
        "kind": "toy" if lesson.on_toys else "recorded",
        "beats": len(lesson.beats),
        "claims": len(lesson.claims),
    }


def form_text(form: Document) -> str:
    """A form as one line of strict JSON."""
    return json.dumps(form, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def require_small(form: Document) -> Document:
    """`form` itself.

    Raises:
        InvalidInput: as JSON it is larger than MAX_FORM.
    """
    size = len(form_text(form).encode("utf-8"))
    if size > MAX_FORM:
        raise InvalidInput(
            f"The recorded lesson has {size:,} bytes; at most {MAX_FORM:,} can be kept.",
            "Take out scenes, methods or strings, or shorten the runs.",
            "scenes",
        )
    return form


def lesson_of(document: Any) -> Lesson:
    """The lesson in a document that is trusted in nothing.

    Raises:
        InvalidInput: it is none; says where, as `beats.3.text` counted from 0, and what to do.
    """
    try:
        return Lesson.model_validate(document)
    except ValidationError as error:
        raise _told(error) from None


def _told(error: ValidationError) -> InvalidInput:
    """The first problem in words, where pydantic's own are a programmer's."""
    first = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    match first["type"]:
        case "string_too_short":
            return InvalidInput(f"The {place} is empty.", "Write something there.", place)
        case "too_short":
            least = first["ctx"]["min_length"]
            return InvalidInput(f"Too few {place}.", f"Give at least {least}.", place)
        case "string_pattern_mismatch":
            return InvalidInput(
                f"The {place} is {str(first['input'])[:60]!r}.",
                "Use small letters a to z, digits and hyphens, at most 40.",
                place,
            )
    return invalid(error)


def read_form(text: str) -> tuple[Lesson, Document | None]:
    """The lesson and the recording in the text of a file: a form, or a lesson alone.

    The file's own claims aren't read: they are proved again from its recording.

    Raises:
        InvalidInput: it is too large, no strict JSON, of another version, no lesson, or a recording
            that isn't this lesson's.
    """
    document = _parsed(text)
    whole = "lesson" in document
    if whole and document.get("v") != VERSION:
        shown = repr(document.get("v"))[:20]
        raise InvalidInput(
            f"The file's version is {shown}; this page reads {VERSION}.",
            "Open it on a page of its own version, or save the lesson again there.",
            "v",
        )
    lesson = lesson_of(document["lesson"] if whole else document)
    recording = document.get("recording") if whole else None
    if recording is not None:
        _require_recording(lesson, recording)
    return lesson, recording


def _parsed(text: str) -> Document:
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MAX_FORM:
        raise InvalidInput(
            f"The file has {size:,} bytes; a lesson has {MAX_FORM:,} at most.",
            "Choose a lesson's file.",
            "file",
        )
    try:
        document = json.loads(text, parse_constant=_no_number)
    except RecursionError:
        raise InvalidInput("The file is nested too deep.", "Choose a lesson's file.") from None
    except json.JSONDecodeError as error:
        raise InvalidInput(
            f"The file isn't JSON: {error.msg}.",
            "Choose a file that was saved from this page, or mend it there.",
            f"line {error.lineno}, column {error.colno}",
            error.lineno,
            error.colno,
        ) from None
    except ValueError as error:  # a number with thousands of digits, or NaN
        raise InvalidInput(f"The file isn't strict JSON: {str(error)[:80]}.", "Mend it.") from None
    if not isinstance(document, dict):
        raise InvalidInput("The file holds no lesson.", "Choose a lesson's file.", "file")
    return document


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


class _Part(BaseModel):
    """What must be there; more may be."""

    model_config = ConfigDict(extra="allow")


class _Token(_Part):
    id: int
    text: str
    special: bool


class _Row(_Token):
    p: float
    masked: float | None
    allowed: bool
    rank: int


class _Step(_Part):
    index: int
    z: float
    bits: float | None
    taken: _Row
    argmax: _Row
    candidates: list[_Row] = Field(max_length=1_000)
    state: dict[str, Any]
    events: list[str]


class _Page(_Part):
    v: int = Field(ge=1, le=1)
    problem: ProblemSpec
    provenance: dict[str, str | None]
    prompt: list[_Token]
    constraint: dict[str, Any]
    steps: list[_Step]
    frontier: dict[str, Any] | None
    outcome: str
    verdict: dict[str, Any] | None


class _Scene(_Part):
    page: _Page
    squeezing: dict[str, Any] | None = None
    compare: dict[str, Any] | None = None
    judged: dict[str, Any] | None = None
    exact: dict[str, dict[str, Any]] | None = None


class _Recording(_Part):
    v: int = Field(ge=1, le=1)
    slug: str
    scenes: dict[str, _Scene]


def _require_recording(lesson: Lesson, recording: Any) -> None:
    """
    Raises:
        InvalidInput: it has not the shape of a recording, or isn't of this lesson's scenes.
    """
    try:
        read = _Recording.model_validate(recording)
    except ValidationError as error:
        told = invalid(error)
        raise InvalidInput(
            f"The recording can't be read: {told.what}",
            "Save the lesson again.",
            f"recording.{told.where}",
        ) from None
    if set(read.scenes) != set(lesson.scenes):
        raise InvalidInput(
            f"The recording is of the scenes {', '.join(read.scenes)[:200]}, the lesson has "
            f"{', '.join(lesson.scenes)}.",
            "Save the lesson again.",
            "recording.scenes",
        )
    for name, scene in lesson.scenes.items():
        shown = ProblemSpec.model_validate(problem_document(scene.problem))
        if read.scenes[name].page.problem != shown:
            raise InvalidInput(
                f"The recording of the scene {name} is of another problem than the lesson's.",
                "Save the lesson again.",
                f"recording.scenes.{name}.page.problem",
            )
