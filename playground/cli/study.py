"""`python -m playground study`: methods over many prompts, kept as they come."""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from playground.cli.flags import whole_number
from playground.cli.study_out import SETTINGS, Report, folder, interruptible, keep, pretty, told
from playground.cli.study_out import replace as written
from playground.cli.study_spec import arguments, milliseconds, spec_of, study_flags
from playground.cli.study_text import text
from playground.cli.study_where import placed, require_place, studies_of, where_flags
from playground.errors import Cancelled, InvalidInput
from playground.record import Document
from playground.session import Playground
from playground.studies import Progress, Studies, Study
from playground.study.checkpoint import Checkpoint
from playground.study.command import command_of
from playground.study.export import study_document
from playground.study.gold_check import check_golds, gold_warning
from playground.study.levels import MS_PER_STEP, Budget
from playground.study.recommend import recommend
from playground.study.row import Row
from playground.study.spec import StudySpec
from playground.study.summary import summarise

__all__ = ["command", "flags", "status", "text"]

LOCK = ".study.lock"
"""Held while a study's file is written; the system lets go of it however the process ends."""
INTERRUPTED = 130
"""Exit status after Ctrl-C, as of a program that it ended."""


def flags(command: argparse.ArgumentParser) -> None:
    """The flags of `study`."""
    study_flags(command)
    add = command.add_argument
    add("--out", metavar="FOLDER", help="made if missing; study.jsonl in it is gone on with, and "
        "rows.csv, rows.parquet, summary.json and report.html are written beside it")  # fmt: skip
    add("--budget-ms", type=milliseconds, metavar="MS", help="milliseconds that one answer may take: "
        "what is recommended must fit")  # fmt: skip
    add("--step-ms", type=milliseconds, default=MS_PER_STEP, metavar="MS", help="milliseconds that "
        f"one token takes, for --budget-ms (default {MS_PER_STEP:g})")  # fmt: skip
    add("--threads", type=whole_number, metavar="N", help="torch threads (default: cores less one)")
    where_flags(command)


def command(args: argparse.Namespace, playground: Playground) -> Document:
    """Run `study` and return its document; of a sweep one for each value."""
    require_place(args)
    spec = placed(args, spec_of(args), playground)
    if args.threads:
        settings = replace(playground.settings, threads=args.threads)
        playground = Playground(settings)
    out = None if args.out is None else folder(args.out)
    studies = studies_of(args, playground)
    with interruptible() as cancelled:
        if args.sweep is None:
            document = _study(args, studies, spec, out, cancelled)
        else:
            document = _sweep(args, studies, spec, out, cancelled)
    if not document["done"]:
        print(_how_to_go_on(args, document), file=sys.stderr)
    return document


def status(document: Document) -> int:
    """The exit status: 0, or 130 if Ctrl-C left prompts out."""
    return 0 if document["done"] else INTERRUPTED


def _how_to_go_on(args: argparse.Namespace, document: Document) -> str:
    if args.out is None:
        return "Stopped: what is done is shown. Add --out FOLDER to be able to go on with a study."
    return f"Stopped: what is done is in {args.out}. Go on with: {document['command']}"


def _sweep(
    args: argparse.Namespace,
    studies: Studies,
    spec: StudySpec,
    out: Path | None,
    cancelled: Callable[[], bool],
) -> Document:
    """The study at each value, each in a folder of its own."""
    swept, studied = args.sweep.flag, list[Document]()
    for value, each in args.sweep.specs(spec).items():
        own = None if out is None else folder(str(out / f"{swept}-{_short(value)}"))
        studied.append(_study(args, studies, each, own, cancelled, f"{swept} {_short(value)}: "))
        if cancelled():
            break
    values = args.sweep.values
    done = len(studied) == len(values) and all(each["done"] for each in studied)
    more = ("--sweep", f"{swept}={','.join(map(_short, values))}")
    document = {
        "v": 1,
        "sweep": swept,
        "command": _command(args, spec, more),
        "done": done,
        "studies": [{"value": value, **each} for value, each in zip(values, studied, strict=False)],
    }
    if out is not None:
        written(out / "sweep.json", pretty(document))
    return document


def _short(value: float) -> str:
    """The value with all its digits and no more: 0.5, 1."""
    return str(value).removesuffix(".0")


def _study(
    args: argparse.Namespace,
    studies: Studies,
    spec: StudySpec,
    out: Path | None,
    cancelled: Callable[[], bool],
    name: str = "",
) -> Document:
    try:
        study = studies.prepare(spec, cancelled)
    except Cancelled:
        return _report(args, spec, {}, (), False).document
    if warning := gold_warning(check_golds(study.constraint, study.items)):
        print(warning, file=sys.stderr)
    provenance = study.provenance()
    rows, done = tuple[Row, ...](), False
    with _kept(out, spec, provenance) as checkpoint:
        for progress in told(_progress(args, studies, study, checkpoint, cancelled), study, name):
            rows, done = progress.rows, progress.done
    report = _report(args, spec, dict(provenance), rows, done)
    if out is not None:
        keep(out, study, report)
    return report.document


@contextmanager
def _kept(
    out: Path | None, spec: StudySpec, provenance: Mapping[str, Any]
) -> Iterator[Checkpoint | None]:
    """The study's file in its folder, for this process alone; None without a folder.

    Raises:
        InvalidInput: it is another study's, another process has it, or it can't be written.
    """
    if out is None:
        yield None
        return
    try:
        with FileLock(out / LOCK, timeout=0), Checkpoint(out / SETTINGS, spec, provenance) as kept:
            yield kept
    except Timeout:
        raise InvalidInput(
            f"Another run writes to {out}.", "Wait for it, or name another folder.", "--out"
        ) from None
    except OSError as error:
        raise InvalidInput(
            f"{out / SETTINGS} can't be written: {error.strerror}.",
            "What is done is kept: the same command goes on from there.",
            "--out",
        ) from None


def _progress(
    args: argparse.Namespace,
    studies: Studies,
    study: Study,
    checkpoint: Checkpoint | None,
    cancelled: Callable[[], bool],
) -> Iterator[Progress]:
    """Where the study runs: here, on Ray, or on a server."""
    return studies.run(study, checkpoint, cancelled)


def _report(
    args: argparse.Namespace,
    spec: StudySpec,
    provenance: Document,
    rows: tuple[Row, ...],
    done: bool,
) -> Report:
    summary = summarise(spec, rows)
    advice = recommend(summary, Budget(ms=args.budget_ms, ms_per_step=args.step_ms))
    document = study_document(spec, provenance, _command(args, spec), summary, advice, done)
    return Report(document, summary, advice, rows)


def _command(args: argparse.Namespace, spec: StudySpec, more: tuple[str, ...] = ()) -> str:
    """What runs the study again, its folder included."""
    known = arguments(args)
    out = () if args.out is None else ("--out", args.out)
    return command_of(spec, **{**known, "more": (*known["more"], *more, *out)})
