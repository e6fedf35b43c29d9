"""An option that is added to a schema after training: a head has no output for it, while the model that
scores the options reads it in its prompt. Counted on built-in texts that ask for it and some that don't.
"""

import copy
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final

from playground import errors
from playground.constraints.spec import ConstraintSpec
from playground.decisions import Decisions
from playground.decisions_record import made_by, pair
from playground.decoding.run import Cancelled, never
from playground.exact.interval import Interval
from playground.fields.drift import drift
from playground.fields.record_type import RecordType
from playground.fields.split import split_of
from playground.fields.ticket import TICKET_SCHEMA, ticket
from playground.models.base import Provenance
from playground.record import Document
from playground.study.readings import Auc, Rate, auc, rate

FIELD: Final = "intent"
OPTION: Final = "cancellation"
TEXTS: Final = (
    "Please cancel my subscription at the end of this month. I don't need it any longer.",
    "I want to end my contract with you. Tell me which day is the last one.",
    "Stop my plan from renewing in June, please: we have moved to another tool.",
    "We are closing our shop, so please cancel both of our licences.",
    "Could you cancel my trial before it turns into a paid plan on Friday?",
    "I would like to leave. End my membership and confirm it by mail.",
)
"""Built in, written for OPTION: nobody wants money back, none of the other intents fits better."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What the model's own scores make of one text."""

    text: str
    chosen: str
    """The likeliest option by p_V over the enum."""
    p: Interval
    """p_V of OPTION: exact or bounded, as `known` says."""
    known: str
    proved: bool
    """No other option can be likelier than `chosen`."""


@dataclass(frozen=True, eq=False, slots=True)
class Added:
    """One option added to one field of the ticket."""

    texts: tuple[Choice, ...]
    """Of TEXTS."""
    others: tuple[Choice, ...]
    """Of as many test tickets, the first ones: OPTION is wrong for them all."""
    provenance: Provenance

    @property
    def chosen(self) -> Rate:
        """How often OPTION is chosen where it is right: an estimate for texts such as these."""
        return _chosen(self.texts)

    @property
    def others_chosen(self) -> Rate:
        """How often it is chosen where it is wrong."""
        return _chosen(self.others)

    @property
    def told_apart(self) -> Auc:
        """The chance that a text of TEXTS gives OPTION more p_V, by the middle of its bounds, than one
        of `others`: at .5 the option's name in the prompt is as good as unread."""
        return auc(*([each.p.middle for each in some] for some in (self.texts, self.others)))


@cache
def widened_ticket() -> RecordType:
    """The ticket, its FIELD with OPTION as the last of its options."""
    from playground.fields.schema import record_type_of  # jsonschema is slow to import

    schema = copy.deepcopy(TICKET_SCHEMA)
    schema["properties"][FIELD]["enum"].append(OPTION)
    return record_type_of(ConstraintSpec(kind="schema", source=json.dumps(schema)))


def added(
    decisions: Decisions,
    report: Callable[[int, int], None] | None = None,
    cancelled: Cancelled = never,
) -> Added:
    """FIELD of the widened ticket, scored by the model itself at each text; nothing is trained.

    Args:
        decisions: of the model.
        report: told how many texts are scored, and of how many.
        cancelled: asked before each batch.

    Raises:
        PlaygroundError: the model can't be loaded.
        errors.Cancelled: it was stopped.
    """
    texts = TEXTS + split_of("test").take(range(len(TEXTS))).texts
    found = list[Choice]()
    for text in texts:
        found.append(_choice(decisions, text, cancelled))
        if cancelled():
            raise errors.Cancelled("The scoring was stopped.")
        if report is not None:
            report(len(found), len(texts))
    return Added(tuple(found[: len(TEXTS)]), tuple(found[len(TEXTS) :]), decisions.provenance)


def added_document(found: Added) -> Document:
    """The figure as `fields added` shows it, beside a head that was trained before."""
    drifted = drift(ticket(), widened_ticket())
    assert drifted is not None
    can = OPTION in ticket().fields[ticket().position(FIELD)].labels
    return {
        "kind": "added",
        "field": FIELD,
        "option": OPTION,
        "texts": [_document(each) for each in found.texts],
        "others": [_document(each) for each in found.others],
        "chosen": found.chosen.model_dump(),
        "others_chosen": found.others_chosen.model_dump(),
        "told_apart": found.told_apart.model_dump(),
        "head": {
            "chosen": len(TEXTS) * can,
            "n": len(TEXTS),
            "known": "exact: it has no output for it",
            "refused": drifted.what,
        },
        "known": "estimated",
        "provenance": made_by(found.provenance),
    }


def _choice(decisions: Decisions, text: str, cancelled: Cancelled) -> Choice:
    made = widened_ticket()
    *_, score = decisions.scorer(made, text, cancelled).field(made.position(FIELD))
    (own,) = (option for option in score.options if option.label == OPTION)
    return Choice(text, score.best.label, own.conditional, score.status, score.proved)


def _chosen(choices: tuple[Choice, ...]) -> Rate:
    return rate(sum(each.chosen == OPTION for each in choices), len(choices))


def _document(found: Choice) -> Document:
    return {
        "text": found.text,
        "chosen": found.chosen,
        "p_V": pair(found.p),
        "known": found.known,
        "proved": found.proved,
    }
