"""The flags that every command shares, and the problem that they name."""

import argparse
import sys
from pathlib import Path
from typing import NoReturn

from pydantic import ValidationError

from playground.constraints.engines import ENGINES
from playground.constraints.spec import ConstraintSpec
from playground.constraints.types import TYPES
from playground.errors import InvalidInput
from playground.models.toy import TOYS
from playground.problem import ProblemSpec, invalid

CONSTRAINTS = ("regex", "choices", "schema", "pydantic", "grammar", "tool", "type")
"""The flags of which one names the constraint."""


class Parser(argparse.ArgumentParser):
    """argparse, but an error is one line and exit status 2."""

    def error(self, message: str) -> NoReturn:
        """Print one line on stderr and leave with status 2."""
        self.exit(2, f"{self.prog}: {message}. Try --help.\n")


def whole_number(text: str) -> int:
    """A number of runs, rows or draws.

    Raises:
        ArgumentTypeError: it is no whole number from 0.
    """
    if not text.isdecimal() or len(text) > 9:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 0 to 999999999")
    return int(text)


def constraint_flags(command: argparse.ArgumentParser) -> None:
    """The flags that name a constraint and how it is compiled."""
    add = command.add_argument
    one = command.add_mutually_exclusive_group()
    one.add_argument("--regex", metavar="REGEX", help="the whole text must match; Rust's syntax")
    one.add_argument("--choices", metavar="A,B,C", help="one of these texts")
    one.add_argument("--schema", metavar="FILE", help="a JSON Schema; - for standard input")
    one.add_argument("--pydantic", metavar="FILE", help="source of a Pydantic model, never run")
    one.add_argument("--grammar", metavar="FILE", help="Lark, GBNF or EBNF; engine auto by default")
    one.add_argument("--tool", metavar="FILE", help="a tool's definition, or a list, as JSON")
    one.add_argument("--type", metavar="NAME", help=", ".join(TYPES))
    add("--engine", help=" or ".join(ENGINES) + " (default: bytes; auto for a grammar)")
    add(
        "--whitespace",
        choices=("none", "one", "flexible"),
        default="one",
        help="between JSON tokens: none, one optional blank (default), up to eight blanks",
    )
    add("--json", action="store_true", help="one strict JSON document on standard output")


def problem_flags(command: argparse.ArgumentParser) -> None:
    """The flags that every command on a model shares: model, constraint, prompt, sampling."""
    add = command.add_argument
    toys = ", ".join(f"toy:{name}" for name in TOYS)
    add("--model", default="smollm2", help=f"smollm2 (default), {toys}, a local folder or a hub id")
    constraint_flags(command)
    prompt = command.add_mutually_exclusive_group()
    prompt.add_argument("--prompt", help="one user message, through the chat template")
    prompt.add_argument(
        "--raw-prompt", metavar="TEXT", help="bare text, no chat template; empty: the BOS token"
    )
    add(
        "--heal",
        action="store_true",
        help="with --raw-prompt: let the model rewrite the prompt's last token",
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
    add(
        "--prefill",
        default="",
        metavar="TEXT",
        help="what a free answer, and retry's first attempt, begins with: often {",
    )
    add("--attempts", type=int, default=3, help="most runs of retry at one answer (default 3)")
    add(
        "--markers",
        nargs=2,
        metavar=("OPEN", "CLOSE"),
        help="what a constrained span of think stands between; \\n is a line break "
        "(default: a JSON fence)",
    )
    add("--seed", type=int, default=0, help="default 0")


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
    elif args.grammar is not None:
        kind, source = "grammar", read_file("--grammar", args.grammar)
    elif args.tool is not None:
        kind, source = "tool", read_file("--tool", args.tool)
    elif args.type is not None:
        kind, source = "type", args.type
    engine = args.engine or ("auto" if kind == "grammar" else "bytes")
    try:
        return ConstraintSpec.model_validate(
            {"kind": kind, "source": source, "engine": engine, "whitespace": args.whitespace}
        )
    except ValidationError as error:
        raise invalid(error) from None


def markers(given: list[str]) -> dict[str, str]:
    """The two texts of --markers; a line break, which a shell makes hard to type, is `\\n`."""
    opening, closing = (text.replace("\\n", "\n") for text in given)
    return {"open": opening, "close": closing}


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
    if args.heal and not raw:
        raise InvalidInput(
            "Only a bare prompt can have its last token rewritten.",
            "Give the prompt as --raw-prompt, or leave --heal out.",
            "--heal",
        )
    try:
        return ProblemSpec.model_validate(
            {
                "model": args.model,
                "prompt": prompt or "",
                "chat": not raw,
                "heal": args.heal,
                "constraint": constraint(args),
                "method": getattr(args, "method", "masked"),
                "prefill": args.prefill,
                "attempts": args.attempts,
                **({} if args.markers is None else {"markers": markers(args.markers)}),
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
