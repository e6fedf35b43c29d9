"""The built-in lessons, one file each in `demos/lessons`, and their recordings."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from playground.demo import defined
from playground.lessons.lesson import Lesson
from playground.record import Document

ROOT = Path(__file__).parents[2] / "demos"
FOLDER = ROOT / "lessons"
RECORDED = ROOT / "recorded"


@cache
def load_lessons(folder: Path = FOLDER) -> dict[str, Lesson]:
    """Every lesson of `folder` by slug, in menu order.

    Raises:
        ValueError: a file has no LESSON, or a slug that isn't its name.
    """
    return defined(folder, "demos.lessons", "LESSON", Lesson)


def astray(lessons: Mapping[str, Lesson]) -> list[str]:
    """The lessons that go on with one that isn't there, in words; empty where all is well."""
    return [
        f"{each.slug} goes on with {each.next!r}, which is no lesson"
        for each in lessons.values()
        if each.next is not None and each.next not in lessons
    ]


def recording_of(slug: str, folder: Path = RECORDED) -> Document | None:
    """The recording of a lesson; None where it has none."""
    path = folder / f"{slug}.json"
    if not path.is_file():
        return None
    found: Document = json.loads(path.read_text(encoding="utf-8"))
    return found


def write_recording(recording: Document, folder: Path = RECORDED) -> Path:
    """Write a recording beside the others, in one line of JSON, and return where it is."""
    folder.mkdir(exist_ok=True)
    path = folder / f"{recording['slug']}.json"
    text = json.dumps(recording, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    path.write_text(text + "\n", encoding="utf-8")
    return path
