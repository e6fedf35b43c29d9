"""Descriptions: what a schema says of its fields is a prompt, where the model gets to read it."""

import json
from collections.abc import Mapping
from typing import Any

from playground.experiments.base import Bench, Experiment, Result, Work
from playground.experiments.finding import Arm
from playground.experiments.laws import Field, Law, laws_of, tv
from playground.experiments.statistics import mean, paired_means, proved
from playground.study.items import Item
from playground.study.prompts.tickets import TICKETS

PROOF = "a mask is made of the texts that are valid, and a description makes none valid"
DESCRIPTIONS: Mapping[str, str] = {
    "intent": "what the writer wants: money back (refund), a question or complaint about a bill "
    "(billing), something that does not work (bug), sign-in or personal data (account), or other",
    "priority": "urgent if a service is down or a stranger is inside an account; high if a bug, a "
    "deadline or a lawyer is named; low if it can wait; else normal",
    "escalate": "true if a manager has to see it: a lawyer, a repeated request, a stranger in the "
    "account, or a very large sum",
    "amount": "the sum of money that the ticket names, 0 if it names none",
}
FIELDS = ("intent", "priority", "escalate")
"""Those of the schema whose options can be listed."""


def described(schema: Mapping[str, Any]) -> dict[str, Any]:
    """`schema` with a description at every field."""
    properties = {
        name: {"description": DESCRIPTIONS[name], **each}
        for name, each in schema["properties"].items()
    }
    return {**schema, "properties": properties}


def fields(item: Item) -> list[Field]:
    """The listed fields of a ticket, each after the right values of those before it."""
    found, before = list[Field](), "{"
    for name in FIELDS:
        values = TICKETS.schema["properties"][name].get("enum", [True, False])
        found.append(Field(f'{before}"{name}":', tuple(json.dumps(each) for each in values)))
        before += f'"{name}": {json.dumps(item.gold[name])}, '
    return found


def right(item: Item, laws: list[Law]) -> list[float]:
    """The mass that each listed field gives to the gold value."""
    return [law[json.dumps(item.gold[name])] for name, law in zip(FIELDS, laws, strict=True)]


def _run(bench: Bench) -> Work:
    items = [item for item in TICKETS.make() if item.split == "test"][: bench.n]
    plain, rich = TICKETS.schema, described(TICKETS.schema)

    def arm(shown: Mapping[str, Any], masked: Mapping[str, Any]) -> Any:
        text = json.dumps(shown, indent=2)
        said = (
            "Read the support ticket and answer with one JSON object that matches this JSON "
            f"Schema:\n{text}\n\nTicket:\n{{input}}"
        )
        return bench.spec(items, said, masked)

    arms = {
        "names alone": arm(plain, plain),
        "described": arm(rich, rich),
        "described in the mask alone": arm(plain, rich),
    }
    asked = [fields(item) for item in items]
    found = yield from laws_of(bench, arms, dict.fromkeys(arms, asked))
    masses = {
        name: [right(item, laws) for item, laws in zip(items, found[name], strict=True)]
        for name in arms
    }
    means = {name: [sum(each) / len(each) for each in masses[name]] for name in arms}
    unseen = [
        tv(list(a.values()), list(b.values()))
        for one, other in zip(
            found["names alone"], found["described in the mask alone"], strict=True
        )
        for a, b in zip(one, other, strict=True)
    ]
    return Result(
        n=len(items),
        effect=paired_means(
            "Mass on the right values, described less names alone",
            means["described"], means["names alone"], "share", "exact", bench.seed,
        ),
        also=(
            *(
                paired_means(
                    f"The same of {name}",
                    [each[at] for each in masses["described"]],
                    [each[at] for each in masses["names alone"]],
                    "share", "exact", bench.seed,
                )
                for at, name in enumerate(FIELDS)
            ),
            proved("TV when the descriptions are in the mask alone", unseen, PROOF),
        ),
        arms=tuple(
            Arm(
                name=name,
                about=about,
                measures=(
                    mean("mass on the right values", means[name], "share", "exact", bench.seed),
                    *(
                        mean(
                            f"of {field}", [each[at] for each in masses[name]], "share", "exact",
                            bench.seed,
                        )
                        for at, field in enumerate(FIELDS)
                    ),
                ),
            )
            for name, about in zip(
                arms,
                (
                    "the prompt shows the schema without descriptions",
                    "the prompt shows the schema with a description at every field",
                    "the descriptions stand in the constraint and the prompt doesn't show them",
                ),
                strict=True,
            )
        ),
        notes=(
            "Each field's law is taken after the right values of the fields before it.",
        ),
    )  # fmt: skip


DESCRIPTION = Experiment(
    name="descriptions",
    title="Descriptions as a prompt",
    question="Do descriptions in a schema help, and where do they have to stand?",
    about=(
        "The prompt of a ticket shows its schema, with or without a sentence on each field. The "
        "mass on the right intent, priority and escalate is computed exactly."
    ),
    n=32,
    run=_run,
)
