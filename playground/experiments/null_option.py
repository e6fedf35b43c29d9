"""A way out: null as an option, and an instruction to use it, where the text has no answer."""

from collections.abc import Mapping
from typing import Any

from playground.experiments.base import Bench, Experiment, Result, Work
from playground.experiments.finding import Arm
from playground.experiments.laws import Field, laws_of
from playground.experiments.statistics import certain, mean, paired_means
from playground.study.prompts.base import closed
from playground.study.prompts.contracts import CONTRACTS

NAME = "termination_date"
NULL, DATE = "null", '"'
TELL = (
    "If the contract does not state that date, write null for it. Do not guess a date and do not "
    "take another date of the text.\n\n"
)
ASK = (
    "Read the contract and answer with one JSON object with the key termination_date: the day on "
    "which the contract ends, as YYYY-MM-DD.\n\n"
)


def _schema(whole: Mapping[str, Any]) -> dict[str, Any]:
    return closed(**{NAME: whole["properties"][NAME]})


SCHEMAS = {True: _schema(CONTRACTS.schema), False: _schema(CONTRACTS.variants["strict-dates"])}
"""With null among the values, and without."""


def _run(bench: Bench) -> Work:
    items = [item for item in CONTRACTS.make() if "no-end" in item.tags][: bench.n]
    cells = {
        f"{'null allowed' if null else 'no null'}, {'told' if told else 'not told'}": (null, told)
        for null in (False, True)
        for told in (False, True)
    }
    arms = {
        name: bench.spec(items, ASK + (TELL if told else "") + "{input}", SCHEMAS[null])
        for name, (null, told) in cells.items()
    }
    field = Field(f'{{"{NAME}":', (NULL, DATE))
    found = yield from laws_of(bench, arms, {name: [[field]] * len(items) for name in arms})
    invented = {cells[name]: [law[DATE] for (law,) in found[name]] for name in arms}
    return Result(
        n=len(items),
        effect=paired_means(
            "Invented dates, null allowed and told less allowed alone",
            invented[True, True], invented[True, False], "share", "exact", bench.seed,
        ),
        also=(
            paired_means(
                "Invented dates, null allowed less no null, not told",
                invented[True, False], invented[False, False], "share", "exact", bench.seed,
            ),
            paired_means(
                "Invented dates, null allowed less no null, told",
                invented[True, True], invented[False, True], "share", "exact", bench.seed,
            ),
        ),
        arms=tuple(
            Arm(
                name=name,
                about=("a date or null" if null else "a date")
                + (", and the prompt says when to write null" if told else ""),
                measures=(
                    mean("invents a date", invented[null, told], "share", "exact", bench.seed)
                    if null
                    else certain("invents a date", max(invented[null, told]), "share"),
                ),
            )
            for name, (null, told) in cells.items()
        ),
        notes=(
            "Without null every finished answer has a date, whatever the prompt says: the mask "
            "leaves nothing else. That is a proof, not a measurement.",
        ),
    )  # fmt: skip


NULL_OPTION = Experiment(
    name="null-option",
    title="A way out for missing answers",
    question="How often is a date invented where the contract names none?",
    about=(
        "Contracts without a termination date, two by two: a schema with null or without, a prompt "
        "that says when to write null or not. The chance of a date is computed exactly, at the "
        "point where null and a date part."
    ),
    n=40,
    run=_run,
)
