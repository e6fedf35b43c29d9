"""Nesting: four values side by side, or three objects deep."""

from typing import Any

from playground.experiments.base import Bench, Experiment, Result, Work, arms_of
from playground.experiments.draws import (
    answers,
    fields_right,
    parsed,
    scored,
    tokens_of,
    truncated_of,
)
from playground.experiments.statistics import mean, paired_means, rate
from playground.study.prompts.base import closed
from playground.study.prompts.contacts import CONTACTS

_OF = CONTACTS.schema["properties"]
DEEP = closed(
    card=closed(
        name=_OF["name"],
        reach=closed(email=_OF["email"], phone=_OF["phone"]),
        company=_OF["company"],
    )
)
"""The same four values in objects in objects; their order is the same."""
SCHEMAS = {"flat": CONTACTS.schema, "three levels": DEEP}


def leaves(value: Any) -> dict[str, Any]:
    """The values of nested objects by their own keys."""
    found: dict[str, Any] = {}
    for key, each in value.items() if isinstance(value, dict) else ():
        found |= leaves(each) if isinstance(each, dict) else {key: each}
    return found


def _run(bench: Bench) -> Work:
    items = CONTACTS.make()[: bench.n]
    arms = {
        name: bench.spec(items, CONTACTS.instruction, schema, max_tokens=128)
        for name, schema in SCHEMAS.items()
    }
    found = yield from answers(bench, arms)
    right = scored(items, found, lambda item, it: fields_right(item.gold, leaves(parsed(it.text))))
    tokens, truncated = tokens_of(found), truncated_of(found)
    return Result(
        n=len(items),
        effect=paired_means(
            "Right fields, three levels less flat",
            right["three levels"], right["flat"], "share", "estimated", bench.seed,
        ),
        also=(
            paired_means(
                "Tokens of an answer, three levels less flat",
                tokens["three levels"], tokens["flat"], "tokens", "estimated", bench.seed,
            ),
        ),
        arms=arms_of(
            {name: ", ".join(schema["properties"]) for name, schema in SCHEMAS.items()},
            lambda name: (
                mean("fields right", right[name], "share", "estimated", bench.seed),
                rate("all right", [share == 1 for share in right[name]]),
                rate("truncated", truncated[name]),
                mean("tokens", tokens[name], "tokens", "estimated", bench.seed),
            ),
        ),
    )  # fmt: skip


NESTING = Experiment(
    name="nesting",
    title="Flat or nested",
    question="Do values come out worse when they stand deep in objects?",
    about=(
        "Name, email, phone and company of a note, as four keys or as a card in which email and "
        "phone have an object of their own. One constrained answer each; the prompt is the same."
    ),
    n=40,
    run=_run,
)
