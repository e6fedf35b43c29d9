"""The one line that runs a study again: its settings as flags of `python -m playground study`."""

import json
import shlex
from collections.abc import Iterator

from playground.constraints.spec import ConstraintSpec
from playground.study.items import SETS
from playground.study.prompts.base import PromptSet
from playground.study.spec import StudySpec

BUILTIN = "builtin:"
"""Before the name of a built-in set."""
START = ("python", "-m", "playground", "study")
INLINE = ("regex", "type")
"""Kinds of constraints whose source a command holds; that of the others stands in a file."""
VALUES = {
    "model": "--model",
    "draws": "--draws",
    "valid": "--valid",
    "instruction": "--instruction",
    "max_tokens": "--max-tokens",
    "attempts": "--attempts",
    "exact_rows": "--exact-rows",
}
"""Settings that are one value."""
SAMPLING = {
    "temperature": "--temperature",
    "top_k": "--top-k",
    "top_p": "--top-p",
    "mask_order": "--mask-order",
}
SWITCHES = {
    "salvage": "--no-salvage",
    "show_schema": "--show-schema",
    "chat": "--raw",
    "yes": "--yes",
}
"""Flags that turn a setting round."""


class _NoFlags(Exception):
    """A setting that no flag can say."""


def command_of(
    spec: StudySpec,
    prompts: str | None = None,
    constraint: str | None = None,
    settings: str = "study.jsonl",
    more: tuple[str, ...] = (),
) -> str:
    """The command that runs `spec`, quoted for a POSIX shell.

    Args:
        spec: the study.
        prompts: the file that own prompts were read from.
        constraint: the file that the constraint was read from, for kinds that come in files.
        settings: the study's own file, named where flags alone can't say it all, as for own
            prompts that came from no file.
        more: further arguments.
    """
    try:
        flags = list(_flags(spec, prompts, constraint))
    except _NoFlags:
        flags = ["--spec", settings]
    return shlex.join([*START, *flags, *more])


def _flags(spec: StudySpec, prompts: str | None, constraint: str | None) -> Iterator[str]:
    if spec.items:
        yield from _flag("--prompts", prompts)
    else:
        yield from ("--prompts", spec.prompts, "--split", spec.split)
    yield from ("--n", str(spec.n), "--methods", ",".join(spec.methods))
    if spec.constraint is not None:
        yield from _constraint(spec, spec.constraint, constraint)
    default = StudySpec()
    for name, flag in VALUES.items():
        if (value := getattr(spec, name)) != getattr(default, name):
            yield from _flag(flag, str(value))
    for name, flag in SAMPLING.items():
        if (value := getattr(spec.sampling, name)) != getattr(default.sampling, name):
            yield from _flag(flag, str(value))
    for name, flag in SWITCHES.items():
        if getattr(spec, name) != getattr(default, name):
            yield flag
    for hint in spec.hints:
        yield from _flag("--hint", hint)
    if spec.markers != default.markers:
        markers = (spec.markers.open, spec.markers.close)
        if any(each.startswith("-") or "\\n" in each for each in markers):
            raise _NoFlags
        yield from ("--markers", *(each.replace("\n", "\\n") for each in markers))
    yield from ("--seed", str(spec.sampling.seed))


def _flag(flag: str, value: str | None) -> tuple[str, ...]:
    """A flag and its value, so that a value that starts with - isn't taken for a flag."""
    if value is None or "\0" in value:
        raise _NoFlags
    return (f"{flag}={value}",) if value.startswith("-") else (flag, value)


def _constraint(spec: StudySpec, constraint: ConstraintSpec, file: str | None) -> Iterator[str]:
    usual = "auto" if constraint.kind == "grammar" else "bytes"
    own = (constraint.engine, constraint.whitespace) == (usual, "one")
    if constraint.kind == "choices":
        if "," in constraint.source:
            raise _NoFlags
        yield from _flag("--choices", constraint.source.replace("\n", ","))
    elif constraint.kind in INLINE:
        yield from _flag(f"--{constraint.kind}", constraint.source)
    elif constraint.kind == "free":
        raise _NoFlags
    elif own or not _of_the_set(spec, constraint):
        yield from _flag(f"--{constraint.kind}", file)
    if constraint.engine != usual:
        yield from ("--engine", constraint.engine)
    if constraint.whitespace != "one":
        yield from ("--whitespace", constraint.whitespace)


def _of_the_set(spec: StudySpec, constraint: ConstraintSpec) -> bool:
    """It is the built-in set's own schema."""
    found = None if spec.items else SETS.get(spec.prompts.removeprefix(BUILTIN))
    return (
        found is not None and constraint.kind == "schema" and constraint.source == source_of(found)
    )


def source_of(found: PromptSet) -> str:
    """The schema of a built-in set as a constraint's source."""
    return json.dumps(found.schema, indent=2)
