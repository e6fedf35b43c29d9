"""The flags of `study`, and the study that they name."""

import argparse
import math
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from playground.cli.flags import CONSTRAINTS, constraint, constraint_flags, markers, read_file
from playground.constraints.spec import ConstraintSpec
from playground.decoding.methods import METHODS
from playground.errors import InvalidInput
from playground.posed import constraint_of, items_of
from playground.problem import invalid
from playground.settings import Settings
from playground.study.checkpoint import read_checkpoint
from playground.study.command import BUILTIN, source_of
from playground.study.items import SETS, Item, Kind, read_items
from playground.study.labels import MOST_ATTEMPTS, MOST_PARALLEL, NAMED, label_of
from playground.study.spec import MOST_ITEMS, StudySpec

DEFAULT = StudySpec()
KINDS: dict[str, Kind] = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl"}
SWEPT = {"temperature": "temperature", "top-p": "top_p"}
MOST_SWEPT = 20
MOST_MS = 1e9
"""Most milliseconds of a budget: eleven days."""
SETTINGS = (
    "model", "prompts", "split", "n", "methods", "draws", "valid", "salvage", "show_schema", "hints",
    "instruction", "chat", "temperature", "top_k", "top_p", "mask_order", "max_tokens", "seed",
    "attempts", "markers", "yes", "exact_rows", "engine",
)  # fmt: skip
"""Flags that are None unless given."""


def study_flags(command: argparse.ArgumentParser) -> None:
    """The flags that say what a study is. Those that aren't given are None: their defaults stand in
    `StudySpec` alone."""
    add = command.add_argument
    sets = ", ".join(BUILTIN + name for name in SETS)
    add("--spec", metavar="FILE", help="all settings from a study's own file, study.jsonl")
    add("--model", help=f"as the other commands (default {DEFAULT.model})")
    add("--prompts", metavar="SET|FILE", help=f"{sets} (default {DEFAULT.prompts}), or a CSV or "
        "JSONL file with the column prompt and, if you like, id, gold or gold.<field>, source")  # fmt: skip
    add("--split", choices=("train", "test", "all"), help=f"of a set (default {DEFAULT.split})")
    add("--n", type=int, help=f"prompts, the first ones (default {DEFAULT.n})")
    command.formatter_class = argparse.RawDescriptionHelpFormatter
    command.epilog = methods_help()
    add("--methods", metavar="A,B,C", help="of those listed below "
        f"(default {','.join(DEFAULT.methods)})")  # fmt: skip
    add("--draws", type=int, help="of each method at each prompt (default 1)")
    constraint_flags(command)
    add("--valid", choices=("schema", "salvaged", "language"), help="what counts: the whole JSON "
        "Schema (default), that after salvage, the mask's language (default without a schema)")  # fmt: skip
    off: dict[str, Any] = {"action": "store_const", "const": False, "default": None}
    on = {**off, "const": True}
    add("--no-salvage", dest="salvage", **off, help="retry and prefill are judged by the "
        "whole text; without this flag fences and words around its JSON are left out first")  # fmt: skip
    add("--show-schema", **on, help="put the schema's text into the prompt")
    hints = sorted({hint for each in SETS.values() for hint in each.hints})
    add("--hint", dest="hints", action="append", metavar="NAME", help="a sentence that the set adds "
        f"to its instruction ({', '.join(hints)}); may be repeated")  # fmt: skip
    add("--instruction", metavar="TEXT", help="how a prompt is put; it holds {input} once")
    add("--raw", dest="chat", **off, help="bare text, no chat template")
    add("--temperature", type=float, help="above 0 (default 1)")
    add("--top-k", type=int, help="default 0: off")
    add("--top-p", type=float, help="default 1: off")
    add("--mask-order", choices=("after-filters", "before-filters"), help="default after-filters")
    add("--max-tokens", type=int, help=f"default {DEFAULT.max_tokens}, the end counted")
    add("--seed", type=int, help="default 0")
    add("--attempts", type=int, help=f"most runs of a retry (default {DEFAULT.attempts})")
    add("--markers", nargs=2, metavar=("OPEN", "CLOSE"), help="around a constrained span of think")
    add("--yes", **on, help="ask the model of each valid answer whether it is right")
    add("--exact-rows", type=int, metavar="ROWS", help="bound Z and TV at each prompt; the model may "
        "read so many positions for it (default 0: don't)")  # fmt: skip
    add("--sweep", type=sweep, metavar="NAME=A,B,C", help="the study at each value of temperature "
        "or top-p")  # fmt: skip


def methods_help() -> str:
    """Every label that `--methods` takes, once, with what it is."""
    titles = {label.name: label.title for label in NAMED}
    known = {label.method.name: label.name for label in NAMED if not label.prefill}
    titles["parallel-N"] = f"First valid of N side by side, N up to {MOST_PARALLEL}"
    for name, method in METHODS.items():
        if name not in titles and not method.weighted:
            label = label_of(name)
            gives_up = (
                f"; gives up after {MOST_ATTEMPTS} attempts at one draw" if label.keeps else ""
            )
            same = f", the same as {known[name]}" if name in known else ""
            titles[name] = f"{label.title}{same}{gives_up}"
    lines = [
        textwrap.fill(f"{name:<16}{title}", 79, initial_indent="  ", subsequent_indent=" " * 18)
        for name, title in titles.items()
    ]
    return "\n".join(["methods:", *lines])


def milliseconds(text: str) -> float:
    """A time that something takes.

    Raises:
        ArgumentTypeError: it is no number above 0, or more than MOST_MS.
    """
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value <= MOST_MS:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no time: write milliseconds above 0 and up to {MOST_MS:,.0f}, as in 1500"
        )
    return value


@dataclass(frozen=True, slots=True)
class Sweep:
    """One setting of sampling at several values."""

    flag: str
    values: tuple[float, ...]

    def specs(self, spec: StudySpec) -> dict[float, StudySpec]:
        """The study at each value.

        Raises:
            InvalidInput: a value is out of range.
        """
        return {value: _swept(spec, SWEPT[self.flag], value) for value in self.values}


def _swept(spec: StudySpec, name: str, value: float) -> StudySpec:
    document = spec.model_dump()
    try:
        return StudySpec.model_validate(
            {**document, "sampling": {**document["sampling"], name: value}}
        )
    except ValidationError as error:
        raise invalid(error) from None


def sweep(text: str) -> Sweep:
    """What --sweep names.

    Raises:
        ArgumentTypeError: it names no setting, or no numbers.
    """
    name, _, values = text.partition("=")
    try:
        numbers = tuple(dict.fromkeys(float(value) for value in values.split(",")))
    except ValueError:
        numbers = ()
    if name not in SWEPT or not 1 <= len(numbers) <= MOST_SWEPT:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no sweep; write temperature=0.5,1 or top-p=0.5,0.9 with up to "
            f"{MOST_SWEPT} numbers"
        )
    return Sweep(name, numbers)


def spec_of(args: argparse.Namespace) -> StudySpec:
    """The study that the flags name.

    Raises:
        InvalidInput: a value is out of range, or a file can't be used.
    """
    given = {name: value for name in SETTINGS if (value := getattr(args, name)) is not None}
    constrained = any(getattr(args, name) is not None for name in CONSTRAINTS)
    if args.spec is not None:
        if given or constrained:
            raise InvalidInput(
                "The file of --spec says all settings.", "Leave the other flags out.", "--spec"
            )
        return read_checkpoint(Path(args.spec))[0]
    for name in ("engine", "prompts"):
        given.pop(name, None)
    sampling = {
        name: given.pop(name)
        for name in ("temperature", "top_k", "top_p", "mask_order", "seed")
        if name in given
    }
    if "methods" in given:
        given["methods"] = tuple(name.strip() for name in given["methods"].split(","))
    if "markers" in given:
        given["markers"] = markers(given["markers"])
    named, items = prompts_of(args.prompts or DEFAULT.prompts)
    found = constraint(args) if constrained else _of_the_set(args, named, bool(items))
    try:
        spec = StudySpec.model_validate(
            {**given, "sampling": sampling, "prompts": named, "items": items, "constraint": found}
        )
    except ValidationError as error:
        raise invalid(error) from None
    builtin, _ = items_of(spec)
    if args.valid is None and constraint_of(spec, builtin).kind in ("regex", "choices", "type", "grammar"):  # fmt: skip
        return spec.model_copy(update={"valid": "language"})
    return spec


def _of_the_set(args: argparse.Namespace, named: str, own: bool) -> ConstraintSpec | None:
    """The set's own schema where it is compiled in another way; None where it is as usual."""
    usual = args.engine in (None, "bytes") and args.whitespace == "one"
    found = SETS.get(named.removeprefix(BUILTIN))
    if usual or own or found is None:
        return None
    document = {"kind": "schema", "source": source_of(found), "whitespace": args.whitespace}
    try:
        return ConstraintSpec.model_validate({**document, "engine": args.engine or "bytes"})
    except ValidationError as error:
        raise invalid(error) from None


def prompts_of(named: str) -> tuple[str, tuple[Item, ...]]:
    """The name of the prompts, and the items of a file; none of a built-in set's.

    Raises:
        InvalidInput: it is no set and no file with prompts.
    """
    if named.startswith(BUILTIN):
        return named, ()
    kind = KINDS.get(Path(named).suffix.lower())
    if kind is None:
        raise InvalidInput(
            f"{named!r} is neither a built-in set nor a CSV or JSONL file.",
            f"Use {', '.join(BUILTIN + name for name in SETS)}, or a file that ends in "
            f"{', '.join(KINDS)}.",
            "--prompts",
        )
    items = read_items(read_file("--prompts", named), kind, MOST_ITEMS)
    return Path(named).name[-200:], items


def arguments(args: argparse.Namespace) -> Any:
    """What `command_of` needs beside the spec: the files that the flags name."""
    file = next((getattr(args, each) for each in CONSTRAINTS if getattr(args, each)), None)
    more = ["--threads", str(args.threads or Settings.from_env().threads)]
    if args.budget_ms is not None:
        more += ["--budget-ms", f"{args.budget_ms:.12g}", "--step-ms", f"{args.step_ms:.12g}"]
    return {
        "prompts": args.prompts,
        "constraint": file,
        "settings": args.spec or "study.jsonl",
        "more": tuple(more),
    }
