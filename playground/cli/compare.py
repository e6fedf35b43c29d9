"""`python -m playground compare`: methods side by side on one problem."""

import argparse
import math
import sys

from pydantic import ValidationError

from playground.cli.exact import budget_flags, interval
from playground.cli.flags import problem, problem_flags, whole_number
from playground.compare import CompareSpec
from playground.decoding.methods import METHODS
from playground.errors import InvalidInput
from playground.problem import invalid
from playground.proofs import Proofs
from playground.record import Document
from playground.session import Playground


def flags(command: argparse.ArgumentParser) -> None:
    """The flags of `compare`."""
    problem_flags(command)
    add = command.add_argument
    add(
        "--methods",
        default="unconstrained,masked,rejection",
        metavar="A,B,C",
        help=f"of {', '.join(METHODS)} (default: unconstrained,masked,rejection)",
    )
    add("--n", type=whole_number, default=200, help="draws of each method (default 200)")
    add(
        "--accept",
        choices=("language", "schema", "salvaged", "syntax"),
        default="language",
        help="what counts as valid: the mask's language (default), the full schema, the schema after "
        "the JSON was cut out of a fence or prose, any JSON",
    )
    budget_flags(command)


def spec_of(args: argparse.Namespace) -> CompareSpec:
    """What the flags ask for.

    Raises:
        InvalidInput: an unknown method, or a number out of range.
    """
    try:
        return CompareSpec.model_validate(
            {
                "methods": tuple(name.strip() for name in args.methods.split(",")),
                "n": args.n,
                "accept": args.accept,
                "rows": args.budget,
                "seconds": args.seconds if math.isfinite(args.seconds) else 600.0,
                "tolerance": args.tolerance,
            }
        )
    except ValidationError as error:
        raise invalid(error) from None


def command(args: argparse.Namespace, playground: Playground) -> Document:
    """Run `compare` and return its report."""
    spec = spec_of(args)
    if args.aim != "both":
        raise InvalidInput("A comparison bounds both laws.", "Leave --aim out.", "--aim")
    report: Document = {}
    for report in Proofs().compare(playground.open(problem(args)), spec):
        if sys.stderr.isatty():
            drawn = ", ".join(f"{name} {m['draws']}" for name, m in report["methods"].items())
            print(f"\r{drawn}   ", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print("\r", end="", file=sys.stderr)
    return report


def text(report: Document) -> str:
    """The same for people."""
    lines = [
        f"{'method':<15} {'draws':>6} {'valid':>6} {'rows':>7} {'seconds':>8}  TV to p_V",
    ]
    for name, column in report["methods"].items():
        tv = column["tv_to_p_V"]
        shown = "-" if tv["lower"] is None else f"{interval(tv_bounds(tv))} ({tv['status']})"
        lines.append(
            f"{name:<15} {column['draws']:>6} {column['accepted']:>6} {column['rows_used']:>7} "
            f"{column['seconds']:>8.2f}  {shown}"
        )
        if column["error"] is not None:
            lines.append(f"  {column['error']}")
    lines.append("")
    for key, title in (
        ("certified", "q, certified"),
        ("acceptance", "q by acceptance (Clopper-Pearson)"),
        ("weights", "q by the mean of prod Z_t"),
    ):
        found = report["q"][key]
        if found is not None:
            lines.append(f"{title:<36} {interval(tv_bounds(found))}")
    names = list(report["methods"])
    header = "".join(f"{name:>16}" for name in names)
    lines += ["", f"{'text':<36}{'p_V':>24}{header}"]
    exact = {row["text"]: row for row in (report["exact"] or {"texts": []})["texts"]}
    for index, outcome in enumerate(report["outcomes"]):
        proved = interval(exact[outcome]["p_V"]) if outcome in exact else "-"
        shares = "".join(
            f"{report['methods'][name]['texts'][index]['value']:>16.4f}" for name in names
        )
        lines.append(f"{outcome!r:<36}{proved:>24}{shares}")
    return "\n".join(lines)


def tv_bounds(bounds: Document) -> Document:
    """The two bounds alone."""
    return {side: bounds[side] for side in ("lower", "upper")}
