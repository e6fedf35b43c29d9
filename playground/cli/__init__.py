"""The command line: every screen's numbers as text or strict JSON."""

import argparse
import io
import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from playground.cli import compare, demo, exact, experiment, fields, schema, step, study
from playground.cli.flags import Parser
from playground.errors import PlaygroundError
from playground.record import Document
from playground.session import Playground
from playground.settings import Settings


@dataclass(frozen=True, slots=True)
class Command:
    """One word after `python -m playground`."""

    help: str
    flags: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace, Playground], Document]
    text: Callable[[Document], str]
    status: Callable[[Document], int] = lambda _: 0
    """The exit status of a report."""


COMMANDS: Mapping[str, Command] = {
    "step": Command("one run, token by token", step.flags, step.command, step.text),
    "exact": Command(
        "Z, p_V and p~ of every text, proved or bounded", exact.flags, exact.command, exact.text
    ),
    "compare": Command(
        "methods side by side, and how far each is from p_V",
        compare.flags,
        compare.command,
        compare.text,
    ),
    "schema": Command(
        "a constraint without a model: verdicts, what is enforced, lint",
        schema.flags,
        schema.command,
        schema.text,
        schema.status,
    ),
    "study": Command(
        "methods over many prompts: how often valid, right and affordable",
        study.flags,
        study.command,
        study.text,
        study.status,
    ),
    "experiment": Command(
        "a question about constraints, answered by a small study of its own",
        experiment.flags,
        experiment.command,
        experiment.text,
    ),
    "fields": Command(
        "records decided without writing text: heads, their calibration, beside generation",
        fields.flags,
        fields.command,
        fields.text,
        fields.status,
    ),
    "demo": Command(
        "the lessons: what they show and claim, their recordings, and the checks of every claim",
        demo.flags,
        demo.command,
        demo.text,
        demo.status,
    ),
}


def parser() -> Parser:
    """The commands and their flags (DESIGN: one constraint, one prompt)."""
    top = Parser(prog="python -m playground", description=__doc__)
    words = top.add_subparsers(dest="command", required=True, parser_class=Parser)
    for name, command in COMMANDS.items():
        command.flags(words.add_parser(name, help=command.help))
    return top


def main(argv: list[str] | None = None) -> int:
    """Run one command. Exit status: 0 done, 1 a text that isn't valid (`schema`) or a claim that isn't
    proved (`demo`), 2 a user's error with one line on stderr, 130 a study, a training or a table
    that Ctrl-C stopped."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that has no é must not stop a run
            stream.reconfigure(errors="backslashreplace")
    args = parser().parse_args(argv)
    command = COMMANDS[args.command]
    try:
        report = command.run(args, Playground(Settings.from_env()))
    except PlaygroundError as error:
        print(f"playground: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    try:
        print(
            json.dumps(report, allow_nan=False) if args.json else command.text(report), flush=True
        )
    except BrokenPipeError:  # the reader, `head` for one, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        print(f"playground: the output can't be written: {error.strerror}.", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    return command.status(report)
