"""`python -m playground experiment`: a question, its arms, one effect with an interval."""

import argparse
import sys

from playground.cli.flags import whole_number
from playground.errors import Cancelled, InvalidInput
from playground.experiments.base import Bench, perform
from playground.experiments.finding import Finding, Measure, number
from playground.experiments.registry import EXPERIMENTS
from playground.record import Document
from playground.session import Playground
from playground.studies import Studies
from playground.study.reasons import percent

LIST = "list"
LUCK = (
    "If none of them had an effect, and each were tested once at 5 %, one or more of {count} would "
    "still come out significant with a chance of {chance}."
)


def flags(command: argparse.ArgumentParser) -> None:
    """The flags of `experiment`."""
    add = command.add_argument
    add("name", metavar="NAME", help=f"{LIST}, or one of {', '.join(EXPERIMENTS)}")
    add("--n", type=whole_number, default=None, help="prompts (default: the experiment's own)")
    add("--seed", type=whole_number, default=0, help="default 0")
    add("--model", default="smollm2", help="smollm2 (default), a local folder or a hub id")
    add("--json", action="store_true", help="one strict JSON document on standard output")


def command(args: argparse.Namespace, playground: Playground) -> Document:
    """Run an experiment and return its finding; for `list`, what there is."""
    if args.name == LIST:
        fields = ("name", "title", "question", "about", "n")
        listed = [{each: getattr(it, each) for each in fields} for it in EXPERIMENTS.values()]
        return {"experiments": listed}
    if args.name not in EXPERIMENTS:
        raise InvalidInput(
            f"There is no experiment called {args.name!r}.",
            f"Use {LIST}, or one of {', '.join(EXPERIMENTS)}.",
            "NAME",
        )
    experiment = EXPERIMENTS[args.name]
    n = experiment.n if args.n is None else args.n
    bench = Bench(Studies(playground), args.model, n, args.seed)
    found: Finding | None = None
    try:
        for stage in perform(experiment, bench):
            found = stage.finding
            if sys.stderr.isatty():
                shown = f"\r{stage.share.done} of {stage.share.of} prompts   "
                print(shown, end="", file=sys.stderr)
    except KeyboardInterrupt:
        found = None
    if sys.stderr.isatty():
        print("\r", end="", file=sys.stderr)
    if found is None:
        raise Cancelled("The experiment was stopped.")
    return {**found.model_dump(mode="json"), "significant": found.significant}


def text(report: Document) -> str:
    """The same for people."""
    if "experiments" in report:
        lines = [
            f"{each['name']:<14} n {each['n']:>3}  {each['question']}"
            for each in report["experiments"]
        ]
        count = len(lines)
        return "\n".join([*lines, "", LUCK.format(count=count, chance=percent(1 - 0.95**count))])
    shown = {key: value for key, value in report.items() if key != "significant"}
    finding = Finding.model_validate(shown)
    lines = [finding.title, finding.question, ""]
    for arm in finding.arms:
        lines.append(f"{arm.name}: {arm.about}")
        lines += [f"  {_measure(each)}" for each in arm.measures]
    lines.append("")
    for effect in (finding.effect, *finding.also):
        lines.append(f"{effect.name}: {effect.how}; {effect.interval}; test: {effect.test}")
    lines += ["", *finding.sentences, "", f"{finding.seconds:.0f} s; again: {finding.command}"]
    return "\n".join(lines)


def _measure(measure: Measure) -> str:
    value = number(measure.value, measure.unit)
    if measure.lower is None or measure.upper is None:
        return f"{measure.name:<26} {value:>8}  {measure.how}"
    bounds = f"[{number(measure.lower, measure.unit)}, {number(measure.upper, measure.unit)}]"
    return f"{measure.name:<26} {value:>8}  {bounds:<18} {measure.how}; {measure.interval}"
