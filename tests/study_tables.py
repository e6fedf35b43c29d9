"""What the committed study and the experiments found, as tables: `python -m tests.study_tables
study|experiments`, --write puts it into the README; `experiments --run` runs them all again first."""

import argparse
import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from playground.experiments.finding import Finding, difference
from playground.record import Document
from playground.views.numbers import probability
from tests.bench import ROOT, written

STUDY = ROOT / "demos" / "studies" / "tickets-500" / "summary.json"
FINDINGS = ROOT / "static" / "study" / "experiments.json"


def table(head: list[str], rows: list[list[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |" for line in lines)


def share(rate: Document) -> str:
    """A rate with its interval."""
    if rate["value"] is None:
        return "–"
    if rate["lower"] is None:
        return probability(rate["value"])
    ends = f"{probability(rate['lower'])} to {probability(rate['upper'])}"
    return f"{probability(rate['value'])} ({ends})"


def amount(value: float | None) -> str:
    """A cost per valid answer."""
    return "–" if value is None else f"{value:.1f}"


def study_table(path: Path) -> str:
    """The table of methods of a study's summary.json, the recommendation and the command."""
    document = json.loads(path.read_text())
    summary = document["summary"]
    head = ["method", "valid", "valid and right", "valid and wrong", "invalid", "truncated",
            "tokens a valid answer", "runs a valid answer"]  # fmt: skip
    rows = [
        [
            method["label"],
            share(method["valid"]),
            *(share(method["categories"][kind]) for kind in ("right", "wrong")),
            *(share(method["categories"][kind]) for kind in ("invalid", "truncated")),
            amount(method["tokens"]["per_valid"]),
            amount(method["attempts"]["per_valid"]),
        ]
        for method in summary["methods"]
    ]
    said = " ".join(each["text"] for each in document["recommendation"]["reasons"])
    return "\n\n".join(
        [
            table(head, rows),
            f"`{document['command']}`",
            f"Recommendation: **{document['recommendation']['choice']}**. {said}",
        ]
    )


def findings(path: Path) -> Iterator[Finding]:
    """The recorded findings."""
    for each in json.loads(path.read_text())["findings"]:
        yield Finding.model_validate({k: v for k, v in each.items() if k != "significant"})


def how(found: Finding) -> str:
    """How the main effect is known; its interval is about further prompts, always an estimate."""
    known = found.effect.how
    return known if known == "estimated" else f"{known} at these prompts, interval estimated"


def experiments_table(path: Path) -> str:
    """The main effect of each recorded experiment."""
    head = ["experiment", "effect", "seen, with its 95 % interval", "n", "significant"]
    rows = [
        [
            f"`{found.experiment}`",
            found.effect.name,
            f"{difference(found.effect)} ({how(found)})",
            str(found.n),
            "yes" if found.effect.significant else "no",
        ]
        for found in findings(path)
    ]
    return table(head, rows)


def run(path: Path) -> None:
    """Run every experiment with its defaults on the default model, and record the findings."""
    from playground.experiments.base import Bench, perform
    from playground.experiments.registry import EXPERIMENTS
    from playground.session import Playground
    from playground.settings import DEFAULT_MODEL, Settings
    from playground.studies import Studies

    playground, found = Playground(Settings.from_env()), list[dict[str, Any]]()
    for name, experiment in EXPERIMENTS.items():
        bench = Bench(Studies(playground), DEFAULT_MODEL, experiment.n, 0)
        finding = None
        for stage in perform(experiment, bench):
            finding = stage.finding
        assert finding is not None
        print(f"{name}: {finding.seconds:.0f} s", file=sys.stderr)
        found.append(finding.model_dump(mode="json"))
    provenance = playground.hub.get(DEFAULT_MODEL).provenance
    document = {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "provenance": {"model": provenance.name, "revision": provenance.revision},
        "findings": found,
    }
    path.write_text(json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n")


def main() -> int:
    """Print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("which", choices=("study", "experiments"))
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--run", action="store_true")
    arguments = parser.parse_args()
    if arguments.run and arguments.which == "experiments":
        run(FINDINGS)
    text = study_table(STUDY) if arguments.which == "study" else experiments_table(FINDINGS)
    print(text)
    if arguments.write:
        written(arguments.which, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
