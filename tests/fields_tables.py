"""Heads beside generation, as recorded: `python -m tests.fields_tables` prints the table, --write puts
it into the README; --run N compares on N test tickets first and records what the screen opens with;
--added scores an option that is added after training, and records that alone."""

import argparse
import base64
import json
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from playground.against import Compared, compared, table_document
from playground.against_added import added, added_document
from playground.cli.fields_heads import ABSTAIN, costs_of
from playground.cli.fields_table_text import added_words, table_cells, table_words
from playground.decisions import Decisions
from playground.decisions_measures import evaluation_document
from playground.decisions_record import decision_document, made_by
from playground.decisions_scored import scores_document
from playground.fields.split import split_of
from playground.fields.ticket import ticket
from playground.fields.weights import dump
from playground.record import Document
from playground.session import Playground
from playground.settings import DEFAULT_MODEL, Settings
from playground.study.items import SETS
from tests.bench import ROOT, written
from tests.study_tables import table

RECORDED = ROOT / "static" / "decisions" / "recorded.json"
ADDED = "python -m playground fields added"
DIGITS = 7
"""Significant ones that are recorded."""


def fields_table(path: Path) -> str:
    """The recorded table, what it is to be held against, an added option, and the commands."""
    recorded = json.loads(path.read_text())
    document = recorded["table"]
    head, *rows = table_cells(document)
    notes = "\n".join(f"- {row['title']}: {row['note']}" for row in document["rows"])
    said = " ".join(table_words(document))
    new = added_words(recorded["added"])
    again = f"`{document['command']} --threads 1`"
    return "\n\n".join([table(head, rows), said, notes, again, new, f"`{ADDED} --threads 1`"])


def best_of(found: Compared) -> str:
    """The head with the lowest loss on dev: nothing of test decides."""
    losses = {
        name: min(epoch.dev_loss for epoch in trained.epochs)
        for name, trained in found.heads.items()
    }
    return min(losses, key=lambda name: losses[name])


def run(path: Path, n: int) -> None:
    """Compare on the default model with one thread, measure the best head, and record it all."""
    playground = Playground(replace(Settings.from_env(), threads=1))
    found, doing = None, ""
    for found in compared(playground, DEFAULT_MODEL, n):
        if found.doing.rpartition(":")[0] != doing:
            doing = found.doing.rpartition(":")[0]
            print(f"{datetime.now(UTC):%H:%M:%S} {doing}", file=sys.stderr, flush=True)
    assert found is not None
    assert found.done
    decisions, name = Decisions(playground, DEFAULT_MODEL), best_of(found)
    head = found.heads[name].head
    assert head is not None
    assert head.trained is not None
    evaluated = decisions.evaluate(head, len(split_of("test").texts))
    text = SETS["tickets-hand"].make()[0].prompt
    *_, score = decisions.scorer(ticket(), text).record("parallel")
    provenance = decisions.provenance
    document = {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "provenance": made_by(provenance),
        "type": "ticket",
        "spec": head.trained.model_dump(mode="json"),
        "head": base64.b64encode(dump(head, provenance)).decode(),
        "decision": decision_document(
            decisions.decide(head, text), ticket(), head.spec, text, provenance
        ),
        "scores": scores_document(score, provenance),
        "evaluation": {
            **evaluation_document(evaluated, ticket(), costs_of(ticket(), ABSTAIN), provenance),
            "done": True,
        },
        "table": table_document(found),
        "added": added_document(added(decisions)),
    }
    record(path, document)


def run_added(path: Path) -> None:
    """Score the option that is added after training on the default model, and record that alone."""
    playground = Playground(replace(Settings.from_env(), threads=1))
    found = short(added_document(added(Decisions(playground, DEFAULT_MODEL))))
    record(path, {**json.loads(path.read_text()), "added": found})


def record(path: Path, document: Document) -> None:
    """Write it."""
    text = json.dumps(short(document), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    path.write_text(text + "\n")


def short(value: Any) -> Any:
    """A document whose numbers have DIGITS."""
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, dict):
        return {key: short(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [short(inner) for inner in value]
    return value


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", type=int, metavar="N")
    parser.add_argument("--added", action="store_true")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    if arguments.run:
        run(RECORDED, arguments.run)
    elif arguments.added:
        run_added(RECORDED)
    text = fields_table(RECORDED)
    print(text)
    if arguments.write:
        written("fields", text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
