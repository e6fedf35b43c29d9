"""An option that is added after training: counted by hand, on texts that ask for it and some that don't."""

import json
from pathlib import Path

import pytest

from playground.against_added import (
    FIELD,
    OPTION,
    TEXTS,
    Added,
    Choice,
    added,
    added_document,
    widened_ticket,
)
from playground.cli.fields_table_text import added_words
from playground.decisions import Decisions
from playground.errors import Cancelled
from playground.exact.interval import Interval
from playground.fields.drift import drift
from playground.fields.split import split_of
from playground.fields.ticket import ticket
from playground.models.base import Provenance
from tests.ticket_model import NAME, with_stand_in

MADE = Provenance(NAME, "1", "float32", "live")


def choice(chosen: str, p: float) -> Choice:
    return Choice("text", chosen, Interval(p, p), "exact", True)


def test_the_ticket_has_one_option_more() -> None:
    found = drift(ticket(), widened_ticket())
    assert found is not None
    assert found.added == ((FIELD, (OPTION,)),)
    others = set(split_of("train").texts) | set(split_of("test").texts)
    assert not others & set(TEXTS)


def test_choices_are_counted(tmp_path: Path) -> None:
    """2 of 3 where it is right, 0 of 2 where it is wrong; one pair of six stands the other way."""
    found = Added(
        (choice(OPTION, 0.9), choice(OPTION, 0.6), choice("refund", 0.2)),
        (choice("bug", 0.3), choice("refund", 0.1)),
        MADE,
    )
    document = added_document(found)
    json.dumps(document, allow_nan=False)
    assert (document["chosen"]["count"], document["chosen"]["n"]) == (2, 3)
    assert (document["others_chosen"]["count"], document["others_chosen"]["n"]) == (0, 2)
    assert document["told_apart"]["value"] == pytest.approx(5 / 6)
    assert document["chosen"]["lower"] == pytest.approx(0.0943, abs=1e-4)  # Clopper-Pearson
    assert document["head"]["chosen"] == 0
    assert OPTION in document["head"]["refused"]
    assert "2 of 3, 66.7 % (9.4 % to 99.2 %)" in added_words(document)


def test_the_model_scores_each_text(tmp_path: Path) -> None:
    decisions, told = Decisions(with_stand_in(tmp_path)[0], NAME), list[tuple[int, int]]()
    found = added(decisions, lambda done, of: told.append((done, of)))
    assert told == [(at + 1, 2 * len(TEXTS)) for at in range(2 * len(TEXTS))]
    assert tuple(each.text for each in found.texts) == TEXTS
    assert tuple(each.text for each in found.others) == split_of("test").texts[: len(TEXTS)]
    labels = widened_ticket().fields[widened_ticket().position(FIELD)].labels
    for each in (*found.texts, *found.others):
        assert each.chosen in labels
        assert 0 <= each.p.lower <= each.p.upper <= 1
    *_, score = decisions.scorer(widened_ticket(), TEXTS[0]).record("parallel")
    (intent,) = (each for each in score.fields if each.name == FIELD)
    assert found.texts[0].chosen == intent.best.label


def test_it_can_be_stopped(tmp_path: Path) -> None:
    with pytest.raises(Cancelled):
        added(Decisions(with_stand_in(tmp_path)[0], NAME), cancelled=lambda: True)
