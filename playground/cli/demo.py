"""`python -m playground demo`: the lessons, their recordings, and the checks that keep them true."""

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from playground.cli.demo_text import failures, text
from playground.cli.flags import read_file
from playground.errors import InvalidInput
from playground.lessons.form import (
    form_document,
    form_text,
    read_form,
    require_small,
    summary_document,
)
from playground.lessons.lesson import Lesson
from playground.lessons.recording import record
from playground.lessons.shelf import RECORDED, load_lessons, recording_of, write_recording
from playground.record import Document
from playground.session import Playground

__all__ = ["command", "flags", "status", "text"]

STATIC = Path(__file__).parents[2] / "static"
ACTIONS: Mapping[str, str] = {
    "list": "every lesson",
    "show": "one lesson: beats, and claims with their numbers",
    "record": "record lessons and write them to demos/recorded",
    "check": "hold every claim against the recording; exit 1 when one fails",
}
ONE = "a slug, or FILE.json of a teacher's own lesson"
Source = tuple[Lesson, Document | None]
"""A lesson and its recording."""


def flags(command: argparse.ArgumentParser) -> None:
    """The flags of `demo`."""
    actions = command.add_subparsers(dest="action", required=True)
    parsers = {name: actions.add_parser(name, help=about) for name, about in ACTIONS.items()}
    parsers["show"].add_argument("lessons", nargs=1, metavar="LESSON", help=ONE)
    parsers["show"].add_argument("--html", metavar="FILE", help="write the handout, one HTML file")
    parsers["record"].add_argument("lessons", nargs="*", metavar="LESSON", help=ONE)
    parsers["record"].add_argument("--all", action="store_true", help="every built-in lesson")
    parsers["check"].add_argument(
        "lessons", nargs="*", metavar="LESSON", help=f"{ONE}; every one by default"
    )
    parsers["check"].add_argument(
        "--live", action="store_true", help="against a fresh recording, on the models themselves"
    )
    for parser in parsers.values():
        parser.add_argument(
            "--folder",
            type=Path,
            default=RECORDED,
            metavar="DIR",
            help="where recordings are (default: demos/recorded)",
        )
        parser.add_argument(
            "--json", action="store_true", help="one strict JSON document on standard output"
        )


def command(args: argparse.Namespace, playground: Playground) -> Document:
    """Do what the flags ask for and return its report, with the action as `action`.

    Raises:
        InvalidInput: no such lesson, a file that is none, or nothing to record.
    """
    actions: dict[str, Callable[[argparse.Namespace, Playground], Document]] = {
        "list": _list,
        "show": _show,
        "record": _record,
        "check": _check,
    }
    return {"action": args.action, **actions[args.action](args, playground)}


def status(report: Document) -> int:
    """1 when a claim that was checked, or recorded just now, isn't proved; else 0."""
    checked = report["lessons"] if report["action"] in ("check", "record") else []
    return int(any(failures(each) for each in checked))


def _source(name: str, folder: Path) -> Source:
    """A lesson by its slug, or in a file, which ends in .json or has a slash in its name.

    Raises:
        InvalidInput: there is none.
    """
    if name.endswith(".json") or "/" in name:
        return read_form(read_file("LESSON", name))
    lessons = load_lessons()
    if name not in lessons:
        raise InvalidInput(
            f"There is no lesson called {name[:60]!r}.",
            f"Use one of {', '.join(lessons)}, or a file that ends in .json.",
            "LESSON",
        )
    return lessons[name], recording_of(name, folder)


def _list(args: argparse.Namespace, _: Playground) -> Document:
    rows = []
    for lesson in load_lessons().values():
        form = form_document(lesson, recording_of(lesson.slug, args.folder))
        rows.append(
            {
                **summary_document(lesson),
                "recorded": form["recording"] is not None,
                "proved": sum(claim["holds"] for claim in form["claims"]),
            }
        )
    return {"lessons": rows}


def _show(args: argparse.Namespace, playground: Playground) -> Document:
    lesson, recording = _source(args.lessons[0], args.folder)
    if recording is None and lesson.on_toys:
        recording = record(playground, lesson)
    form = form_document(lesson, recording)
    written = None
    if args.html is not None:
        from playground.views.handout import handout_html

        _write(Path(args.html), handout_html(form, STATIC), "--html")
        written = args.html
    return {"form": form, "html": written}


def _record(args: argparse.Namespace, playground: Playground) -> Document:
    if bool(args.lessons) == args.all:
        raise InvalidInput("What is to be recorded?", "Name lessons, or give --all.", "LESSON")
    recorded = []
    for name in [*load_lessons()] if args.all else args.lessons:
        lesson, _ = _source(name, args.folder)
        _tell(f"recording {lesson.slug} ...")
        form = form_document(lesson, record(playground, lesson))
        if name in load_lessons():
            path = write_recording(form["recording"], args.folder)
        else:  # a teacher's own lesson keeps its recording in its file
            path = Path(name)
            _write(path, form_text(require_small(form)) + "\n", "LESSON")
        recorded.append(
            {"slug": lesson.slug, "file": str(path), "bytes": path.stat().st_size, **_claims(form)}
        )
    _tell("")
    return {"lessons": recorded}


def _check(args: argparse.Namespace, playground: Playground) -> Document:
    checked = []
    for name in args.lessons or [*load_lessons()]:
        lesson, recording = _source(name, args.folder)
        if args.live:
            _tell(f"recording {lesson.slug} ...")
            recording = record(playground, lesson)
        checked.append({"slug": lesson.slug, **_claims(form_document(lesson, recording))})
    _tell("")
    return {"live": args.live, "lessons": checked}


def _claims(form: Document) -> Document:
    provenance = None
    if form["recording"] is not None:
        pages = [scene["page"] for scene in form["recording"]["scenes"].values()]
        provenance = [json.loads(each) for each in sorted({_key(page) for page in pages})]
    return {"provenance": provenance, "claims": form["claims"]}


def _key(page: Document) -> str:
    return json.dumps(page["provenance"], sort_keys=True)


def _write(path: Path, content: str, flag: str) -> None:
    try:
        path.write_text(content, encoding="utf-8")
    except OSError as error:
        raise InvalidInput(f"{path} can't be written: {error.strerror}.", where=flag) from None


def _tell(words: str) -> None:
    if sys.stderr.isatty():
        print(f"\r{words:<60}\r", end="", file=sys.stderr, flush=True)
