"""`python -m playground fields`: records decided without writing text: types, heads, the comparison."""

import argparse
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from playground.cli import fields_table_text as tables
from playground.cli import fields_text as words
from playground.cli.fields_flags import Named, record_type, split_flag, type_flags
from playground.cli.fields_heads import evaluate, evaluate_flags, train, train_flags
from playground.cli.fields_predict import predict, predict_flags
from playground.cli.fields_table import added, added_flags, table, table_flags
from playground.cli.study import INTERRUPTED
from playground.constraints.spec import ConstraintSpec
from playground.decisions_record import coherence_document, type_document
from playground.fields.coherence import country_currency as country_law
from playground.fields.ticket import country_currency
from playground.record import Document
from playground.session import Playground

if TYPE_CHECKING:
    from playground.fields.schema import Reason


def types_flags(command: argparse.ArgumentParser) -> None:
    """The flags of `fields types`."""
    type_flags(command)
    split_flag(command)


def types(args: argparse.Namespace, _: Playground) -> Document:
    """The record type of a schema.

    Raises:
        InvalidInput: it isn't one of closed fields; says which field isn't and what to do.
    """
    found = record_type(args, args.split)
    document = type_document(found.name, found.name, "", found.type, False)
    why = [asdict(each) for each in _reasons(found)]
    free = {"free": list(found.free), "reasons": why}
    return {"kind": "type", "type": document, "hash": found.type.hash, **free}


def _reasons(found: Named) -> tuple["Reason", ...]:
    """Why each of what was left out is no field."""
    from playground.fields.schema import reasons  # jsonschema is slow to import

    source = ConstraintSpec(kind="schema", source=found.schema)
    return reasons(source) if found.free else ()


def country_flags(_: argparse.ArgumentParser) -> None:
    """`fields country` has no flags of its own."""


def country(_: argparse.Namespace, __: Playground) -> Document:
    """The worked example: a country and its currency, decided together and apart."""
    found = coherence_document(country_law(), country_currency())
    return {"kind": "coherence", **found}


@dataclass(frozen=True, slots=True)
class Task:
    """One word after `fields`."""

    help: str
    flags: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace, Playground], Document]
    text: Callable[[Document], str]


TASKS: Mapping[str, Task] = {
    "types": Task(
        "the fields and options of a schema, or why it has none",
        types_flags,
        types,
        words.type_text,
    ),
    "train": Task("train a head on the built-in tickets", train_flags, train, words.training_text),
    "predict": Task(
        "decide a text by a head, or have the model score the options",
        predict_flags,
        predict,
        words.predicted_text,
    ),
    "evaluate": Task(
        "a head on the test tickets: accuracy, calibration, coherence",
        evaluate_flags,
        evaluate,
        words.evaluation_text,
    ),
    "table": Task(
        "heads beside generation on the same test tickets", table_flags, table, tables.table_text
    ),
    "added": Task(
        "an option that no head was trained on: what the model's own scores make of it",
        added_flags,
        added,
        tables.added_text,
    ),
    "country": Task(
        "a country and its currency: what is lost where they are decided apart",
        country_flags,
        country,
        words.coherence_text,
    ),
}


def flags(command: argparse.ArgumentParser) -> None:
    """The tasks of `fields`, and the flags of each."""
    tasks = command.add_subparsers(dest="task", required=True, metavar="TASK")
    for name, task in TASKS.items():
        inner = tasks.add_parser(name, help=task.help, description=task.help)
        task.flags(inner)
        inner.add_argument(
            "--json", action="store_true", help="one strict JSON document on standard output"
        )


def command(args: argparse.Namespace, playground: Playground) -> Document:
    """Run a task and return its document.

    Raises:
        PlaygroundError: what can't be used.
    """
    return {"task": args.task, **TASKS[args.task].run(args, playground)}


def text(report: Document) -> str:
    """The same for people."""
    return TASKS[report["task"]].text(report)


def status(report: Document) -> int:
    """The exit status: 0, or 130 if Ctrl-C ended the work early."""
    return INTERRUPTED if report.get("stopped") else 0
