"""The exact law of a decision after two different reasonings, written before it or after it."""

import json
from typing import Any

from playground.experiments.base import Bench, Experiment, Result, Work
from playground.experiments.field_order import INSTRUCTION
from playground.experiments.finding import Arm
from playground.experiments.laws import Field, Law, laws_of, slack, tv
from playground.experiments.statistics import distances, mean, paired_means, proved
from playground.study.prompts.base import closed
from playground.study.prompts.contracts import CONTRACTS, RISKS

HARMLESS = "The clauses treat both parties alike, and nothing in them is unusual."
HEAVY = "One clause is very one-sided and puts a heavy burden on one of the parties."
TEXTS = {"harmless": HARMLESS, "heavy": HEAVY}
PROOF = "the law of an earlier field is a function of the prompt and of what is before it"
OPTIONS = tuple(json.dumps(risk) for risk in RISKS)


def schema(text: str, first: bool) -> dict[str, Any]:
    """Risk and clause, with a reasoning of which every letter is given."""
    weight = CONTRACTS.variants["risk"]["properties"]
    reasoning = {"reasoning": {"const": text}}
    return closed(**reasoning, **weight) if first else closed(**weight, **reasoning)


def field(text: str, first: bool) -> Field:
    """Where the risk comes next."""
    before = f'{{"reasoning": {json.dumps(text)}, "risk":' if first else '{"risk":'
    return Field(before, OPTIONS)


def _run(bench: Bench) -> Work:
    items = CONTRACTS.make()[: bench.n]
    sides = {
        (first, text): f"{text}, {'first' if first else 'last'}"
        for first in (True, False)
        for text in TEXTS
    }
    arms = {
        name: bench.spec(items, INSTRUCTION, schema(TEXTS[text], first))
        for (first, text), name in sides.items()
    }
    fields = {
        name: [[field(TEXTS[text], first)]] * len(items) for (first, text), name in sides.items()
    }
    found = yield from laws_of(bench, arms, fields)
    laws = {side: [law for (law,) in found[name]] for side, name in sides.items()}
    apart = {
        first: [
            tv(list(a.values()), list(b.values()))
            for a, b in zip(laws[first, "harmless"], laws[first, "heavy"], strict=True)
        ]
        for first in (True, False)
    }
    high = {side: [law[OPTIONS[-1]] for law in each] for side, each in laws.items()}
    return Result(
        n=len(items),
        effect=distances(
            "TV of the law of risk between two reasonings written first",
            apart[True], slack(bench), bench.seed,
        ),
        also=(
            proved("TV between the same two written last", apart[False], PROOF),
            paired_means(
                "High risk after the heavy reasoning less after the harmless one",
                high[True, "heavy"], high[True, "harmless"], "share", "exact", bench.seed,
            ),
        ),
        arms=tuple(
            Arm(
                name=f"{text} reasoning {'first' if first else 'last'}",
                about=TEXTS[text],
                measures=tuple(_shares(laws[first, text], bench)),
            )
            for first, text in sides
        ),
        notes=(
            "Written last, the reasoning can't move the risk, whatever it says and whatever the "
            "model: a run is written from left to right, so the law of risk is a function of the "
            "prompt and of what stands before it alone. The 0 is computed here as well, under two "
            "schemas that force the two texts.",
            "This is about what is drawn next. To keep only those finished answers that end in a "
            "given reasoning is another law: it does depend on the text, by Bayes' rule.",
        ),
    )  # fmt: skip


def _shares(laws: list[Law], bench: Bench) -> list[Any]:
    return [
        mean(f"p(risk = {risk})", [law[option] for law in laws], "share", "exact", bench.seed)
        for risk, option in zip(RISKS, OPTIONS, strict=True)
    ]


RISK_LAW = Experiment(
    name="risk-law",
    title="What a reasoning does to the decision",
    question="Does the decision depend on the text of the reasoning?",
    about=(
        "Two given reasonings, one harmless and one heavy, are put before the risk or after it. "
        "The law of risk is computed exactly, over all spellings that the mask allows; nothing is "
        "sampled."
    ),
    n=32,
    run=_run,
)
