"""Field order: does it help to write a reasoning before the decision?"""

import re

from playground.experiments.base import Bench, Experiment, Result, Work
from playground.experiments.draws import answers
from playground.experiments.finding import Arm
from playground.experiments.statistics import mean, paired_rates, rate
from playground.study.answer import Answer
from playground.study.prompts.contracts import CONTRACTS

INSTRUCTION = (
    "Read the contract and answer with one JSON object that names its most one-sided clause: risk "
    "(low, medium or high: how heavily that clause burdens a party) and clause (its number).\n\n"
    "{input}"
)
ARMS = {
    "first": ("risk-reasoning-first", "a reasoning of up to 300 characters, then risk and clause"),
    "last": ("risk-reasoning-last", "risk and clause, then the reasoning"),
    "absent": ("risk", "risk and clause alone"),
}
_RISK = re.compile(r'"risk": ?"(\w+)"')
MAX_TOKENS = 128


def risk_of(text: str) -> str | None:
    """The risk that an answer names, be it truncated later or not."""
    found = _RISK.search(text)
    return found[1] if found else None


def _run(bench: Bench) -> Work:
    items = CONTRACTS.make()[: bench.n]
    arms = {
        name: bench.spec(items, INSTRUCTION, CONTRACTS.variants[variant], max_tokens=MAX_TOKENS)
        for name, (variant, _) in ARMS.items()
    }
    found = yield from answers(bench, arms)
    gold = [item.gold["risk"] for item in items]
    risks = {name: [risk_of(answer.text) for answer in found[name]] for name in arms}
    right = {
        name: [risk == truth for risk, truth in zip(risks[name], gold, strict=True)]
        for name in arms
    }
    same = sum(a == b for a, b in zip(risks["last"], risks["absent"], strict=True))
    return Result(
        n=len(items),
        effect=paired_rates(
            "Right risks, reasoning first less last", right["first"], right["last"]
        ),
        also=(
            paired_rates(
                "Right risks, reasoning first less absent", right["first"], right["absent"]
            ),
        ),
        arms=tuple(_arm(bench, name, right[name], found[name]) for name in arms),
        notes=(
            "Written last or not at all, a reasoning has no part in the risk: by the same seed the "
            f"two arms drew the same risk at {same} of {len(items)} prompts. Only a difference of "
            "batches (about 1e-4 in a logit) can part them.",
            f"A third of the contracts has each risk, so that guessing is right in a third. Answers "
            f"end at {MAX_TOKENS} tokens; a risk that stands before the cut counts.",
        ),
    )


def _arm(bench: Bench, name: str, right: list[bool], found: list[Answer]) -> Arm:
    return Arm(
        name=f"reasoning {name}",
        about=ARMS[name][1],
        measures=(
            rate("risk right", right),
            rate("truncated", [not answer.ended for answer in found]),
            mean("tokens", [answer.tokens for answer in found], "tokens", "estimated", bench.seed),
        ),
    )


FIELD_ORDER = Experiment(
    name="field-order",
    title="Reasoning first, last or absent",
    question="Does it help to write a reasoning before the decision?",
    about=(
        "The same contracts, the same prompt, three schemas: a reasoning before risk and clause, "
        "after them, or none. One constrained answer each; a risk is right if it is the one that "
        "the contract was made with."
    ),
    n=32,
    run=_run,
)
