"""Blanks between JSON tokens: none, one, eight or as many as the model likes."""

import re

from playground.constraints.spec import ConstraintSpec, Whitespace
from playground.experiments.base import Bench, Experiment, Result, Work, arms_of
from playground.experiments.draws import answers, right_fields_of, tokens_of, truncated_of
from playground.experiments.statistics import mean, paired_means, paired_rates, rate
from playground.study.prompts.ticket_labels import INTENTS, PRIORITIES
from playground.study.prompts.tickets import TICKETS
from playground.study.spec import StudySpec

_AMOUNT = "(?:0|[1-9][0-9]{0,2}|[1-4][0-9]{3}|5000)"
"""0 to 5000, as in the schema."""
_VALUES = {
    "intent": '"(?:' + "|".join(INTENTS) + ')"',
    "priority": '"(?:' + "|".join(PRIORITIES) + ')"',
    "escalate": "(?:true|false)",
    "amount": _AMOUNT,
}
UNBOUNDED = r"[ \t\r\n]*"


def ticket_regex(blank: str) -> str:
    """The texts of the ticket schema, with `blank` wherever JSON allows white space between."""
    members = [blank.join((f'"{re.escape(name)}"', ":", value)) for name, value in _VALUES.items()]
    return r"\{" + blank + f"{blank},{blank}".join(members) + blank + r"\}"


ARMS = {
    "none": "no blank anywhere",
    "one": "one optional blank",
    "flexible": "up to eight blanks and line breaks",
    "unbounded": "any number of them, as a regex",
}


def _run(bench: Bench) -> Work:
    items = [item for item in TICKETS.make() if item.split == "test"][: bench.n]
    bounded: tuple[Whitespace, ...] = ("none", "one", "flexible")
    arms: dict[str, StudySpec] = {
        name: bench.spec(items, TICKETS.instruction, TICKETS.schema, name) for name in bounded
    }
    regex = ConstraintSpec(kind="regex", source=ticket_regex(UNBOUNDED))
    update = {"constraint": regex, "valid": "language"}
    arms["unbounded"] = arms["one"].model_copy(update=update)
    found = yield from answers(bench, arms)
    tokens, truncated = tokens_of(found), truncated_of(found)
    right = right_fields_of(items, found)
    return Result(
        n=len(items),
        effect=paired_means(
            "Tokens of an answer, unbounded less one blank",
            tokens["unbounded"], tokens["one"], "tokens", "estimated", bench.seed,
        ),
        also=(
            paired_means(
                "Tokens of an answer, flexible less one blank",
                tokens["flexible"], tokens["one"], "tokens", "estimated", bench.seed,
            ),
            paired_rates(
                "Truncated answers, unbounded less one blank",
                truncated["unbounded"], truncated["one"],
            ),
            paired_means(
                "Right fields, unbounded less one blank",
                right["unbounded"], right["one"], "share", "estimated", bench.seed,
            ),
        ),
        arms=arms_of(
            ARMS,
            lambda name: (
                mean("tokens", tokens[name], "tokens", "estimated", bench.seed),
                rate("truncated", truncated[name]),
                mean("fields right", right[name], "share", "estimated", bench.seed),
            ),
        ),
        notes=(f"Answers are truncated at {arms['one'].max_tokens} tokens.",),
    )  # fmt: skip


WHITESPACE = Experiment(
    name="whitespace",
    title="White space, bounded or not",
    question="What do blanks between JSON tokens cost?",
    about=(
        "The same ticket under four masks that differ only in the blanks that they allow between "
        "JSON tokens. One constrained answer each, with the same prompt and seed."
    ),
    n=32,
    run=_run,
)
