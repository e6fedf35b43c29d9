"""`python -m playground exact`: what the model itself believes about the valid texts, proved."""

import argparse
import math
import sys

from pydantic import ValidationError

from playground.between import Between, between, between_document
from playground.cli.flags import problem, problem_flags, read_file, whole_number
from playground.constraints.spec import ConstraintSpec
from playground.errors import InvalidInput
from playground.exact.posterior import Posterior
from playground.exact.search import Budget, search
from playground.exact_record import exact_document, interval_document
from playground.forest import Forest
from playground.healing import healed_document
from playground.opened import Opened
from playground.problem import ProblemSpec, invalid
from playground.record import Document, constraint_document, provenance_document
from playground.session import Playground


def flags(command: argparse.ArgumentParser) -> None:
    """The flags of `exact`."""
    problem_flags(command)
    command.add_argument(
        "--against",
        metavar="FILE",
        help="another constraint of the same kind: its law beside this one, and TV between them",
    )
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
    """Run `exact` and return its report; with --heal or --against, the other law and the distance
    between the two under `plain` or `against`, and `between`."""
    spec = problem(args)
    other = other_problem(args, spec)
    opened = playground.open(spec)
    beside = None if other is None else playground.open(other)
    before = playground.rows.computed
    if beside is None:
        return report_of(opened, alone(opened, budget(args)), playground.rows.computed - before)
    forest = Forest()
    # On the left what was there before: the prompt as it is, or the constraint without the edit.
    pair = (beside, opened) if spec.heal else (opened, beside)
    left, right = [(each, forest.tree(each)) for each in pair]
    state: Between | None = None
    for state in between(left, right, budget(args)):
        tell(f"{state.rows_used} rows, TV {interval(_tv(state))}")
    assert state is not None
    tell(None)
    rows = playground.rows.computed - before
    ours, theirs = (state.right, state.left) if spec.heal else (state.left, state.right)
    return {
        **report_of(opened, ours.posterior, rows),
        "plain" if spec.heal else "against": report_of(beside, theirs.posterior, rows),
        "between": between_document(state),
    }


def other_problem(args: argparse.Namespace, spec: ProblemSpec) -> ProblemSpec | None:
    """The problem whose law stands beside that of `spec`, if one is asked for.

    Raises:
        InvalidInput: two are, or there is no constraint to put another one beside.
    """
    if args.against is None:
        return spec.model_copy(update={"heal": False}) if spec.heal else None
    constraint = spec.constraint
    if spec.heal or constraint.kind == "free":
        why = "healing has a second law already" if spec.heal else "there is no constraint"
        raise InvalidInput(f"--against can't be used here: {why}.", "Leave it out.", "--against")
    source = read_file("--against", args.against)
    if constraint.kind in ("regex", "choices", "type"):  # a file ends in a line break; they don't
        source = source.removesuffix("\n").removesuffix("\r")
    kept = constraint.model_dump()
    try:
        edited = ConstraintSpec.model_validate({**kept, "source": source})
    except ValidationError as error:
        raise invalid(error) from None
    return spec.model_copy(update={"constraint": edited})


def alone(opened: Opened, limits: Budget) -> Posterior:
    """What one search proves; how far it is stands on a terminal's stderr."""
    posterior: Posterior | None = None
    for posterior in search(Forest().tree(opened), limits):
        gap = f"{posterior.open:.2g} open, p~ {posterior.open_masked:.2g} open"
        tell(f"{posterior.rows_used} rows, {gap}")
    assert posterior is not None
    tell(None)
    return posterior


def tell(words: str | None) -> None:
    """Progress on a terminal; None ends the line."""
    if sys.stderr.isatty():
        print("\r" if words is None else f"\r{words}   ", end="", file=sys.stderr)


def report_of(opened: Opened, posterior: Posterior, rows: int) -> Document:
    """One law, and what it is of."""
    return {
        "provenance": provenance_document(opened.problem),
        "constraint": constraint_document(opened.spec.constraint, opened.compiled),
        "healed": healed_document(opened.healed),
        **exact_document(posterior, opened.problem, rows),
    }


def _tv(state: Between) -> Document:
    return interval_document(state.p_V or state.masked)


def text(report: Document) -> str:
    """The same for people."""
    lines = law_lines(report)
    for key in ("plain", "against"):
        if key in report:
            head = "with the whole prompt" if key == "plain" else "with the other constraint"
            lines += [
                "",
                f"{head}:",
                *law_lines(report[key]),
                "",
                *between_lines(report["between"]),
            ]
    if report.get("healed"):
        lines = [f"the prompt's last token is rewritten: {report['healed']['text']!r}", *lines]
    return "\n".join(lines)


def law_lines(report: Document) -> list[str]:
    """One law, line by line."""
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
    return lines


def between_lines(between: Document) -> list[str]:
    """The distance between two laws, line by line."""
    lines = []
    for key, name in (("p_V", "p_V"), ("masked", "p~")):
        tv = between["tv"][key]
        shown = tv["why"] if tv["status"] == "off" else f"{interval(ends(tv))} ({tv['status']})"
        lines.append(f"TV between the two {name}: {shown}")
    row = next((row for row in between["texts"] if row["text"] == between["moved"]), None)
    if row is not None:
        was, now = interval(row["left"]["p_V"]), interval(row["right"]["p_V"])
        lines.append(f"the text that moves most: {row['text']!r}, p_V from {was} to {now}")
    return lines


def ends(bounds: Document) -> Document:
    """The two bounds alone."""
    return {side: bounds[side] for side in ("lower", "upper")}


def interval(bounds: Document) -> str:
    """Both bounds, or one number where four digits can't tell them apart."""
    shown = ["inf" if bounds[side] is None else f"{bounds[side]:.4g}" for side in bounds]
    return shown[0] if shown[0] == shown[1] else f"{shown[0]} .. {shown[1]}"
