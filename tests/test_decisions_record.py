"""The documents of typed decisions: what goes together, and which model made the numbers."""

import json
from pathlib import Path

import numpy as np
import pytest

from playground import __version__
from playground.constraints.spec import ConstraintSpec
from playground.decisions import Decisions
from playground.decisions_measures import evaluation_document
from playground.decisions_record import (
    decision_document,
    together_document,
    trained_on,
    training_document,
)
from playground.decisions_scored import explained_document, scores_document
from playground.errors import Cancelled
from playground.fields.coherence import UNSEEN
from playground.fields.head_spec import HeadSpec, TrainingSpec
from playground.fields.heads import build
from playground.fields.policy import Costs
from playground.fields.schema import record_type_of
from playground.fields.split import split_of
from playground.fields.ticket import country_currency, ticket
from playground.record import Document
from tests.ticket_model import NAME, WIDTH, with_stand_in

SMALL = TrainingSpec(train=60, dev=20, epochs=2)
TEXT = "My invoice lists 40 dollars twice."


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Document]:
    decisions = Decisions(with_stand_in(tmp_path_factory.mktemp("cache"))[0], NAME)
    *_, found = decisions.train(SMALL)
    head, made = found.head, decisions.provenance
    assert head is not None
    *_, score = decisions.scorer(ticket(), TEXT).record("parallel")
    costs = {
        field.name: Costs(1.0 - np.eye(field.size), 0.3, field.labels) for field in ticket().fields
    }
    record = ticket().record((0, 0, 0, 0))
    draw = decisions.explain(ticket().schema, record, TEXT)
    return {
        "training": training_document(found, SMALL, ticket(), 500, None, made),
        "decision": decision_document(
            decisions.decide(head, TEXT), ticket(), head.spec, TEXT, made
        ),
        "scores": scores_document(score, made),
        "explained": explained_document(draw, record, made),
        "evaluation": evaluation_document(decisions.evaluate(head, 5), ticket(), costs, made),
    }


def test_every_document_says_which_model_made_it(documents: dict[str, Document]) -> None:
    for kind, found in documents.items():
        assert found["kind"] == kind
        json.dumps(found, allow_nan=False)
        assert found["provenance"] == {
            "model": NAME,
            "revision": "1",
            "dtype": "float32",
            "kind": "live",
            "device": "cpu",
            "app": __version__,
        }


def test_a_pair_is_judged_by_the_training_labels(documents: dict[str, Document]) -> None:
    decision = documents["decision"]
    labels = split_of("train").labels
    assert decision["allowed_means"] == UNSEEN
    refused = 0
    for pair in decision["pairs"]:
        a, b = (ticket().position(pair[side]) for side in "ab")
        known = set(map(tuple, labels[:, [a, b]].tolist()))
        sizes = ticket().sizes
        assert pair["allowed"] == [
            [(i, j) in known for j in range(sizes[b])] for i in range(sizes[a])
        ]
        refused += sum(not each for row in pair["allowed"] for each in row)
    assert refused, "some options never meet in training"


def test_a_type_that_no_ticket_is_of_isn_t_judged() -> None:
    mask, why = trained_on(country_currency())
    assert mask is None
    assert "no records of this schema" in why
    law = np.full(country_currency().sizes, 0.25)
    found = together_document(law, country_currency(), None)
    assert [pair["allowed"] for pair in found["pairs"]] == [None]


def test_the_free_texts_can_be_stopped(tmp_path: Path) -> None:
    decisions = Decisions(with_stand_in(tmp_path)[0], NAME)
    record = ticket().record((0, 0, 0, 0))
    whole = decisions.explain(ticket().schema, record, TEXT)
    left = iter(range(whole.steps // 2))
    with pytest.raises(Cancelled, match="stopped"):
        decisions.explain(ticket().schema, record, TEXT, lambda: next(left, None) is None)


def test_an_option_that_training_never_had_goes_with_nothing(tmp_path: Path) -> None:
    schema = json.loads(ticket().schema)
    schema["properties"]["intent"]["enum"].append("praise")
    made = record_type_of(ConstraintSpec(kind="schema", source=json.dumps(schema)))
    decisions = Decisions(with_stand_in(tmp_path)[0], NAME)
    head = build(HeadSpec(), made, WIDTH)
    found = decision_document(
        decisions.decide(head, TEXT), made, head.spec, TEXT, decisions.provenance
    )
    for pair in found["pairs"]:
        if pair["a"] == "intent":
            assert not any(pair["allowed"][-1])
            assert any(pair["allowed"][0])
