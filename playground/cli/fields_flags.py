"""The flags that tasks of `fields` share: a schema, a model, progress."""

import argparse
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import ValidationError

from playground.cli.flags import read_file, whole_number
from playground.constraints.sources import schema_text
from playground.constraints.spec import ConstraintSpec
from playground.errors import InvalidInput
from playground.fields.record_type import RecordType
from playground.fields.ticket import ticket
from playground.problem import invalid
from playground.session import Playground

SELDOM = 30.0
"""Seconds between two lines of progress in a log; a terminal has one line that is written over."""
_KINDS = ("schema", "pydantic", "tool")


def type_flags(command: argparse.ArgumentParser) -> None:
    """The flags that name a record type; without one it is the built-in ticket."""
    one = command.add_mutually_exclusive_group()
    one.add_argument("--schema", metavar="FILE", help="a JSON Schema of enums, booleans, numbers and "
        "dates with bounds; - for standard input (default: the built-in ticket)")  # fmt: skip
    one.add_argument("--pydantic", metavar="FILE", help="source of a Pydantic model, never run")
    one.add_argument("--tool", metavar="FILE", help="a tool's definition as JSON")
    command.add_argument("--edges", action="append", type=edges, default=[], metavar="FIELD=A,B,C",
        help="of the bins of a number; may be repeated (default: x-edges of the schema, else 8 "
        "equal bins)")  # fmt: skip


def edges(text: str) -> tuple[str, tuple[float, ...]]:
    """What --edges names.

    Raises:
        ArgumentTypeError: it names no field, or no numbers.
    """
    name, _, values = text.partition("=")
    try:
        found = tuple(_number(value) for value in values.split(","))
    except ValueError:
        found = ()
    if not name or len(found) < 2:
        raise argparse.ArgumentTypeError(
            f"{text!r} has no edges; write the field and two or more numbers, as amount=0,10,100"
        )
    return name, found


def _number(text: str) -> float:
    """A whole number stays one: so does the value that stands for its bin."""
    return int(text) if text.strip().removeprefix("-").isdecimal() else float(text)


@dataclass(frozen=True, eq=False, slots=True)
class Named:
    """What the flags of `type_flags` name."""

    name: str
    """`ticket`, or the file's."""
    type: RecordType
    """Of its typed fields."""
    schema: str
    """All of it as a JSON Schema, also what can't be a field."""
    free: tuple[str, ...] = ()
    """What was left out of the type, to be generated."""


def split_flag(command: argparse.ArgumentParser) -> None:
    """The flag that leaves out free text."""
    command.add_argument("--split", action="store_true", help="leave out what can't be a field, and "
        "name it: decide the fields first, then generate the rest")  # fmt: skip


def record_type(args: argparse.Namespace, apart: bool = False) -> Named:
    """The record type that the flags name.

    Args:
        args: of `type_flags`.
        apart: leave out what can't be a field, rather than refuse.

    Raises:
        InvalidInput: it can't be read, or isn't one of closed fields.
        BudgetExceeded: judging its combinations takes too long.
    """
    kind = next((each for each in _KINDS if getattr(args, each) is not None), None)
    given = dict(args.edges)
    if kind is None and not given:
        return Named("ticket", ticket(), ticket().schema)
    name = "ticket" if kind is None else getattr(args, kind)
    source = ticket().schema if kind is None else read_file(f"--{kind}", name)
    try:
        constraint = ConstraintSpec.model_validate({"kind": kind or "schema", "source": source})
    except ValidationError as error:
        raise invalid(error) from None
    from playground.fields.schema import record_type_of, split  # jsonschema is slow to import

    typed, free = split(constraint) if apart else (constraint, ())
    found = record_type_of(typed, given)
    return Named(name, found, schema_text(constraint) or "", free)


def model_flags(command: argparse.ArgumentParser) -> None:
    """The model whose states are read, and how many threads read them."""
    add = command.add_argument
    add("--model", default="smollm2", help="smollm2 (default), a local folder or a hub id")
    add("--threads", type=whole_number, metavar="N", help="torch threads (default: cores less one)")


def with_threads(args: argparse.Namespace, playground: Playground) -> Playground:
    """The playground with as many torch threads as the flags say."""
    if not args.threads:
        return playground
    return Playground(replace(playground.settings, threads=args.threads))


def read_bytes(flag: str, name: str, most: int) -> bytes:
    """A file that a flag names.

    Raises:
        InvalidInput: it can't be read, or has more than `most` bytes.
    """
    try:
        with Path(name).open("rb") as file:
            content = file.read(most + 1)
    except OSError as error:
        raise InvalidInput(f"{name} can't be read: {error.strerror}.", where=flag) from None
    if len(content) > most:
        raise InvalidInput(f"{name} has more than {most:,} bytes.", "Name another file.", flag)
    return content


class Told:
    """Progress on standard error: one line written over on a terminal, now and then a line in a log."""

    def __init__(self) -> None:
        self._terminal, self._last = sys.stderr.isatty(), time.monotonic()

    def say(self, line: str, always: bool = False) -> None:
        """Show a line; in a log only SELDOM, unless `always`."""
        if self._terminal:
            print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)
        elif always or time.monotonic() - self._last > SELDOM:
            self._last = time.monotonic()
            print(line, file=sys.stderr, flush=True)

    def end(self) -> None:
        """Leave no line behind on a terminal."""
        if self._terminal:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
