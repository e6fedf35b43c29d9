"""The command line: every screen's numbers as text or strict JSON."""

import argparse
import io
import json
import math
import os
import sys
from pathlib import Path
from typing import Any, NoReturn

from pydantic import ValidationError

from playground.constraints.engines import ENGINES
from playground.constraints.spec import ConstraintSpec
from playground.constraints.types import TYPES
from playground.decoding.sampler import SAMPLERS, run
from playground.decoding.trace import Outcome, Trace
from playground.errors import InvalidInput, PlaygroundError
from playground.follow import follow_text
from playground.models.toy import TOYS
from playground.opened import Opened
from playground.problem import ProblemSpec, invalid
from playground.record import Document, constraint_document, number, provenance_document, show
from playground.session import Playground
from playground.settings import Settings


class Parser(argparse.ArgumentParser):
    """argparse, but an error is one line and exit status 2."""

    def error(self, message: str) -> NoReturn:
        """Print one line on stderr and leave with status 2."""
        self.exit(2, f"{self.prog}: {message}. Try --help.\n")


def parser() -> Parser:
    """The commands and their flags (DESIGN: one constraint, one prompt)."""
    top = Parser(prog="python -m playground", description=__doc__)
    commands = top.add_subparsers(dest="command", required=True, parser_class=Parser)
    step = commands.add_parser("step", help="one run, token by token")
    problem_flags(step)
    step.add_argument("--method", choices=sorted(SAMPLERS), default="masked")
    step.add_argument("--follow", metavar="TEXT", help="take this text instead of sampling")
    step.add_argument("--run", type=run_number, default=0, help="number of the run within the seed")
    return top


def run_number(text: str) -> int:
    """The number of a run.

    Raises:
        ArgumentTypeError: it is no whole number from 0.
    """
    if not text.isdecimal() or len(text) > 9:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 0 to 999999999")
    return int(text)


def problem_flags(command: argparse.ArgumentParser) -> None:
    """The flags that every command shares: model, constraint, prompt, sampling."""
    add = command.add_argument
    toys = ", ".join(f"toy:{name}" for name in TOYS)
    add("--model", default="smollm2", help=f"smollm2 (default), {toys}, a local folder or a hub id")
    one = command.add_mutually_exclusive_group()
    one.add_argument("--regex", metavar="REGEX", help="the whole text must match; Rust's syntax")
    one.add_argument("--choices", metavar="A,B,C", help="one of these texts")
    one.add_argument("--schema", metavar="FILE", help="a JSON Schema; - for standard input")
    one.add_argument("--pydantic", metavar="FILE", help="source of a Pydantic model, never run")
    one.add_argument("--type", metavar="NAME", help=", ".join(TYPES))
    add("--engine", default="bytes", help=" or ".join(ENGINES) + " (default: bytes)")
    add(
        "--whitespace",
        choices=("none", "one", "flexible"),
        default="one",
        help="between JSON tokens: none, one optional blank (default), up to eight blanks",
    )
    prompt = command.add_mutually_exclusive_group()
    prompt.add_argument("--prompt", help="one user message, through the chat template")
    prompt.add_argument(
        "--raw-prompt", metavar="TEXT", help="bare text, no chat template; empty: the BOS token"
    )
    add("--temperature", type=float, default=1.0, help="default 1; 0 is greedy")
    add("--top-k", type=int, default=0, help="default 0: off")
    add("--top-p", type=float, default=1.0, help="default 1: off")
    add(
        "--mask-order",
        choices=("after-filters", "before-filters"),
        default="after-filters",
        help="where the mask comes in (default: after-filters; engines mask before)",
    )
    add("--max-tokens", type=int, default=64, help="default 64, the end counted")
    add("--seed", type=int, default=0, help="default 0")
    add("--json", action="store_true", help="one strict JSON document on standard output")


def read_file(flag: str, name: str) -> str:
    """The text of a file that a flag names, `-` for standard input.

    Raises:
        InvalidInput: it can't be read, or isn't UTF-8.
    """
    try:
        content = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return content.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it isn't UTF-8"
        raise InvalidInput(f"{name} can't be read: {reason}.", where=flag) from None


def constraint(args: argparse.Namespace) -> ConstraintSpec:
    """The constraint that the flags name; free when there is none."""
    kind, source = "free", ""
    if args.regex is not None:
        kind, source = "regex", args.regex
    elif args.choices is not None:
        kind, source = "choices", "\n".join(args.choices.split(","))
    elif args.schema is not None:
        kind, source = "schema", read_file("--schema", args.schema)
    elif args.pydantic is not None:
        kind, source = "pydantic", read_file("--pydantic", args.pydantic)
    elif args.type is not None:
        kind, source = "type", args.type
    return ConstraintSpec.model_validate(
        {"kind": kind, "source": source, "engine": args.engine, "whitespace": args.whitespace}
    )


def problem(args: argparse.Namespace) -> ProblemSpec:
    """The problem that the flags name.

    Raises:
        InvalidInput: a value is out of range, or a real model has no prompt.
    """
    raw = args.raw_prompt is not None
    prompt = args.raw_prompt if raw else args.prompt
    if prompt is None and not args.model.startswith("toy:"):
        raise InvalidInput(
            "There is no prompt.", 'Give --prompt "..." or --raw-prompt "...".', "--prompt"
        )
    try:
        return ProblemSpec.model_validate(
            {
                "model": args.model,
                "prompt": prompt or "",
                "chat": not raw,
                "constraint": constraint(args),
                "method": getattr(args, "method", "masked"),
                "max_tokens": args.max_tokens,
                "sampling": {
                    "temperature": args.temperature,
                    "top_k": args.top_k,
                    "top_p": args.top_p,
                    "mask_order": args.mask_order,
                    "seed": args.seed,
                },
            }
        )
    except ValidationError as error:
        raise invalid(error) from None


def step_report(opened: Opened, trace: Trace) -> Document:
    """The document of `step`: the run's outcome, text, and each step with its candidates."""
    vocabulary = opened.problem.model.vocabulary
    constraint_ = opened.problem.constraint
    return {
        "provenance": provenance_document(opened.problem),
        "constraint": constraint_document(opened.spec.constraint, opened.compiled),
        "outcome": trace.outcome.value,
        "text": show(trace.standing.text),
        "log_z_total": number(trace.log_z),
        "steps": [
            {
                "state": constraint_.describe(step.position.state).name,
                "token": vocabulary.name(step.token),
                "token_id": step.token,
                "log_z": number(step.position.log_z),
                "log_weight": number(step.log_weight),
                "bits": number(step.position.bits),
                "allowed": step.position.allowed,
                "may_stop": step.position.may_stop,
                "forced": step.position.forced,
                "argmax_blocked": step.position.argmax_blocked,
                "candidates": [
                    {
                        "token": vocabulary.name(row.token),
                        "token_id": row.token,
                        "logit": number(row.logit),
                        "p": row.p,
                        "masked": row.masked,
                        "allowed": row.allowed,
                        "rank": row.rank,
                    }
                    for row in step.position.candidates
                ],
            }
            for step in trace.steps
        ],
    }


def blocked(step: Document) -> bool:
    """The step's token isn't allowed: a followed text can hold one."""
    rows = step["candidates"]
    return not next(row["allowed"] for row in rows if row["token_id"] == step["token_id"])


def follow_text_line(follow: Document) -> str:
    """The verdict on a followed text, in one line."""
    at = follow["blocked_at"]
    if at is not None:
        expected = ", ".join(at["expected"]) or "the end"
        return (
            f"INVALID at byte {at['offset']} (line {at['line']}, column {at['column']}): "
            f"got {at['got']!r}, expected {expected}"
        )
    needs = f": still needs {follow['needs']!r}" if follow["needs"] else ""
    return f"{follow['verdict'].upper()}{needs}"


def step_text(report: Document) -> str:
    """The same run for people: a line a token."""
    lines = [f"{'token':<20} {'Z_t':>12} {'bits':>8} {'allowed':>8}  state"]
    for step in report["steps"]:
        z = 0.0 if step["log_z"] is None else math.exp(step["log_z"])
        bits = "inf" if step["bits"] is None else f"{step['bits']:.3f}"
        marks = "".join(
            mark
            for mark, holds in (
                ("  argmax blocked", step["argmax_blocked"]),
                ("  forced", step["forced"]),
                ("  BLOCKED", blocked(step)),
            )
            if holds
        )
        lines.append(
            f"{step['token']!r:<20} {z:>12.6g} {bits:>8} {step['allowed']:>8}  "
            f"{step['state']}{marks}"
        )
    lines.append(f"{report['outcome']}: {report['text']!r}")
    total = report["log_z_total"]
    zero = "0, as the filters leave p no allowed token at some step"
    lines.append(f"product of Z_t: {zero if total is None else f'{math.exp(total):.6g}'}")
    if "follow" in report:
        lines.append(follow_text_line(report["follow"]))
    lines += [
        f"{note['level']}: {note['message']}"
        for note in report["constraint"]["notes"]
        if note["level"] in ("not-enforced", "partly", "warning")
    ]
    return "\n".join(lines)


def step_command(args: argparse.Namespace, playground: Playground) -> Any:
    """Run `step` and return its report."""
    opened = playground.open(problem(args))
    if args.follow is not None:
        opened, trace, follow = follow_text(opened, args.follow)
        return {**step_report(opened, trace), "follow": follow}
    else:
        trace = Trace.start(opened.problem)
        for trace in run(opened.problem, SAMPLERS[opened.spec.method], args.run):
            if trace.outcome is Outcome.RUNNING and sys.stderr.isatty():
                print(f"\r{len(trace.steps)} tokens", end="", file=sys.stderr)
        if sys.stderr.isatty():
            print("\r", end="", file=sys.stderr)
    return step_report(opened, trace)


def main(argv: list[str] | None = None) -> int:
    """Run one command. Exit status: 0 done, 2 a user's error with one line on stderr."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that has no é must not stop a run
            stream.reconfigure(errors="backslashreplace")
    args = parser().parse_args(argv)
    try:
        report = step_command(args, Playground(Settings.from_env()))
    except PlaygroundError as error:
        print(f"playground: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    try:
        print(json.dumps(report, allow_nan=False) if args.json else step_text(report), flush=True)
    except BrokenPipeError:  # the reader, `head` for one, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        print(f"playground: the output can't be written: {error.strerror}.", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    return 0
