"""`python -m playground exact`: what the model itself believes about the valid texts, proved."""

import argparse
import math
import sys

from playground.cli.flags import problem, problem_flags, whole_number
from playground.errors import InvalidInput
from playground.exact.posterior import Posterior
from playground.exact.search import Budget, search
from playground.exact_record import exact_document
from playground.forest import Forest
from playground.record import Document, constraint_document, provenance_document
from playground.session import Playground


def flags(command: argparse.ArgumentParser) -> None:
    """The flags of `exact`."""
    problem_flags(command)
    budget_flags(command)


def budget_flags(command: argparse.ArgumentParser) -> None:
    """How far a search may go."""
    default = Budget()
    add = command.add_argument
    add(
        "--budget",
        type=whole_number,
        default=default.rows,
        metavar="ROWS",
        help=f"rows of the model to read at most (default {default.rows})",
    )
    add("--seconds", type=positive, default=math.inf, help="stop after so many (default: never)")
    add(
        "--tolerance",
        type=positive,
        default=default.tolerance,
        help=f"stop when the doubt is below it (default {default.tolerance}; 0: go to the end)",
    )
    add(
        "--aim",
        choices=("both", "z"),
        default="both",
        help="bound p_V and p~ (default), or Z alone",
    )


def positive(text: str) -> float:
    """A number from 0.

    Raises:
        ArgumentTypeError: it is something else.
    """
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not value >= 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 0")
    return value


def budget(args: argparse.Namespace) -> Budget:
    """The budget that the flags give.

    Raises:
        InvalidInput: it allows no row.
    """
    if args.budget < 1:
        raise InvalidInput(
            "A search needs at least one row.", "Give --budget 1 or more.", "--budget"
        )
    return Budget(args.budget, args.seconds, args.tolerance, args.aim)


def command(args: argparse.Namespace, playground: Playground) -> Document:
    """Run `exact` and return its report."""
    opened = playground.open(problem(args))
    tree = Forest().tree(opened)
    before = playground.rows.computed
    posterior: Posterior | None = None
    for posterior in search(tree, budget(args)):
        if sys.stderr.isatty():
            gap = f"{posterior.open:.2g} open, p~ {posterior.open_masked:.2g} open"
            print(f"\r{posterior.rows_used} rows, {gap}   ", end="", file=sys.stderr)
    assert posterior is not None
    if sys.stderr.isatty():
        print("\r", end="", file=sys.stderr)
    return {
        "provenance": provenance_document(opened.problem),
        "constraint": constraint_document(opened.spec.constraint, opened.compiled),
        **exact_document(posterior, opened.problem, playground.rows.computed - before),
    }


def text(report: Document) -> str:
    """The same for people."""
    why = {
        "complete": "every valid prefix was opened",
        "tolerance": "the doubt is below the tolerance",
        "rows": "the budget of rows is spent",
        "seconds": "the time is up",
        "memory": "the tree has reached its bound on memory",
        "cancelled": "stopped",
    }
    lines = [
        f"Z = {interval(report['Z'])}  {report['status']}: {why[report['stopped']]} "
        f"({report['rows_used']} rows, {report['seconds']:.2f} s)",
        f"open {report['open']:.3g} of p, {report['open_masked']:.3g} of p~; "
        f"p~ cut at max tokens {report['cut']:.3g}, dead {report['dead']:.3g}",
        f"TV(p_V, p~) = {interval(report['tv'])}   KL(p_V || p~) = {interval(report['kl'])} nats",
        "",
        f"{'text':<40} {'p_V':<24} {'p~ (after mask)':<24} s = p~/p_V",
    ]
    for row in report["texts"]:
        columns = [interval(row[key]) for key in ("p_V", "masked", "squeeze")]
        lines.append(f"{row['text']!r:<40} {columns[0]:<24} {columns[1]:<24} {columns[2]}")
    if report["others"]:
        lines.append(f"and {report['others']:,} more")
    return "\n".join(lines)


def interval(bounds: Document) -> str:
    """Both bounds, or one number where four digits can't tell them apart."""
    shown = ["inf" if bounds[side] is None else f"{bounds[side]:.4g}" for side in bounds]
    return shown[0] if shown[0] == shown[1] else f"{shown[0]} .. {shown[1]}"
