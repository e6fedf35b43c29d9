"""Heads beside generation: what each row says is counted by hand, streams, and stops where it is told."""

import base64
import json
import math
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

from playground.against import Compared, command_of, compared, table_document
from playground.against_rows import NO_RECORD, Answers, ece_of, majority, row_of
from playground.against_text import Wrote, chance, records, writing
from playground.constraints.spec import ConstraintSpec
from playground.errors import InvalidInput, ModelUnavailable
from playground.fields.head_spec import TrainingSpec
from playground.fields.split import split_of
from playground.fields.ticket import ticket
from playground.fields.weights import load
from playground.models.base import Provenance
from playground.session import Playground
from playground.settings import Settings
from playground.studies import Studies
from playground.study.prompts.base import INPUT
from playground.study.spec import StudySpec
from tests.bench import ROOT
from tests.fields_tables import RECORDED, fields_table
from tests.ticket_model import NAME, TicketModel, with_stand_in

N = 9
SMALL = TrainingSpec(train=60, dev=20, epochs=4)
METHODS = ["strict", "cars", "parallel-3", "written", "zero-shot", "factorised", "chained", "joint"]
HEADS = METHODS[-3:]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> tuple[Playground, TicketModel]:
    return with_stand_in(tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="module")
def stages(place: tuple[Playground, TicketModel]) -> list[Compared]:
    return list(compared(place[0], NAME, N, training=SMALL, timed=2))


def test_every_method_answers_the_same_tickets(stages: list[Compared]) -> None:
    found = stages[-1]
    assert found.done
    assert not found.stopped
    rows = {row.method: row for row in found.rows}
    assert list(rows) == METHODS
    assert {row.n for row in found.rows} == {N}
    assert all(
        rows[name].valid.value == 1 for name in METHODS if name not in ("cars", "parallel-3")
    )
    for name in HEADS:
        assert (rows[name].tokens, rows[name].passes, rows[name].typed) == (0, 1, True)
        assert rows[name].ece is not None
    assert rows["strict"].tokens == rows["strict"].passes
    assert rows["parallel-3"].tokens > rows["parallel-3"].passes
    assert rows["cars"].tokens > rows["cars"].passes, "rows that it knows aren't read again"
    assert all(row.ms is not None and row.timed == 2 for row in found.rows)
    assert {name for name, row in rows.items() if row.ece is None} == {"cars", "parallel-3"}
    assert all("No ECE" in rows[name].note for name in ("cars", "parallel-3"))
    assert set(found.heads) == set(HEADS)


def test_how_its_heads_were_trained_is_told_and_stands_in_its_command(
    stages: list[Compared],
) -> None:
    document = table_document(stages[-1])
    assert document["training"] == {"train": 60, "dev": 20}
    assert (document["methods"], document["missing"]) == (len(METHODS), [])
    assert document["command"].endswith("--train 60 --dev 20")
    assert "--train" not in command_of("smollm2", 5, 0, TrainingSpec())


def test_the_written_confidence_is_about_the_intent_alone(stages: list[Compared]) -> None:
    (row,) = [each for each in stages[-1].rows if each.method == "written"]
    assert set(row.fields) == {"intent"}
    assert row.right is row.incoherent is None
    assert row.ece is not None
    assert row.ece.value > 0.3, "the stand-in guesses, and writes 80 or 95"
    assert "The mean written confidence is" in row.note


def test_it_streams_and_every_stage_is_strict_json(stages: list[Compared]) -> None:
    shown = [table_document(each) for each in stages]
    for each in shown:
        json.dumps(each, allow_nan=False)
    lengths = [len(each["rows"]) for each in shown]
    assert lengths == sorted(lengths)
    grown = [row["n"] for each in shown for row in each["rows"] if row["method"] == "strict"]
    assert sorted(set(grown)) == [0, 8, 9], "after each chunk"
    assert [each["done"] for each in shown] == [False] * (len(shown) - 1) + [True]
    command = f"python -m playground fields table --n {N} --model {NAME} --train 60 --dev 20"
    assert shown[-1]["command"] == command
    assert any("training tickets read" in each["doing"] for each in shown)


def test_the_same_run_again_gives_the_same_table(
    place: tuple[Playground, TicketModel], stages: list[Compared]
) -> None:
    *_, again = compared(place[0], NAME, N, training=SMALL, timed=1)
    first, second = (
        [asdict(replace(row, ms=None, timed=0)) for row in each.rows]
        for each in (stages[-1], again)
    )
    assert first == second


@pytest.mark.parametrize("at", ["Masked: 8", "Rejection", "Options scored", "epoch", "timing"])
def test_what_is_stopped_keeps_what_it_has(place: tuple[Playground, TicketModel], at: str) -> None:
    told = list[Compared]()

    def stop() -> bool:
        return any(at in each.doing for each in told)

    for found in compared(place[0], NAME, N, stop, training=SMALL, timed=2):
        told.append(found)
    before = next(each for each in told if at in each.doing)
    last = told[-1]
    assert last.stopped
    assert not last.done
    kept = {row.method: row.n for row in before.rows}
    assert {row.method: row.n for row in last.rows} == kept
    assert len(told) - told.index(before) <= 3
    said = " / ".join(last.missing)
    expected = {
        "Masked: 8": "Masked: 8 of 9 tickets / not begun: Rejection that learns",
        "Rejection": "tickets / not begun: First valid of 3; Masked, writes",
        "Options scored": "not begun: Typed, factorised; Typed, chained in full; Typed, joint",
        "epoch": "Typed, factorised: 0 of 9 tickets / not begun: Typed, chained in full",
        "timing": "timing: 1 of 2 tickets",
    }
    assert expected[at] in said
    assert "timing: 0 of 2 tickets" in said or at == "timing"


def test_times_are_taken_from_nothing(
    place: tuple[Playground, TicketModel], stages: list[Compared]
) -> None:
    """The heads read the first tickets again for their times, though the states are kept."""
    playground, model = place
    model.read.clear()
    *_, again = compared(playground, NAME, 2, training=SMALL, timed=2)
    assert again.done
    texts = [text.encode()[:256].decode("utf-8", "replace") for text in split_of("test").texts[:2]]
    assert sorted(model.read) == sorted(texts * len(HEADS))


def test_what_can_t_be_compared_is_refused(place: tuple[Playground, TicketModel]) -> None:
    with pytest.raises(InvalidInput, match="No ticket"):
        next(compared(place[0], NAME, 0))
    with pytest.raises(ModelUnavailable, match="no hidden states"):
        next(compared(place[0], "toy:sky", 1))


# ---- by hand -----------------------------------------------------------------------------------

TICKET = {"intent": "bug", "priority": "low", "escalate": True, "amount": 99}


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (json.dumps(TICKET), [2, 0, 1, 3]),
        (json.dumps({**TICKET, "amount": 100}), [2, 0, 1, 4]),
        (json.dumps({**TICKET, "amount": 100.0}), [2, 0, 1, 4]),
        (json.dumps({**TICKET, "amount": 5000}), [2, 0, 1, 7]),
        (json.dumps({**TICKET, "amount": 5001}), None),
        (json.dumps({**TICKET, "intent": "Bug"}), None),
        (json.dumps({**TICKET, "more": 1}), None),
        (json.dumps({"intent": "bug"}), None),
        (json.dumps([TICKET]), None),
        ("", None),
        ("{", None),
        ("[" * 100_000, None),
        ('{"intent": NaN}', None),
    ],
)
def test_a_text_is_mapped_to_the_options_that_hold_its_values(
    text: str, options: list[int] | None
) -> None:
    assert records(ticket(), [text]).tolist() == [options or [NO_RECORD] * 4]


class Some:
    name = title = "some"
    typed, note = False, "note"

    def __init__(self, *asked: str) -> None:
        self.asked = asked or ticket().names


LABELS = np.array([[0, 0, 0, 0], [1, 1, 1, 1], [2, 2, 1, 2], [3, 3, 0, 3]])
DECIDED = np.array([[0, 0, 0, 0], [1, 0, 1, 1], [NO_RECORD] * 4])
ALLOWED = np.zeros(ticket().sizes, bool)
ALLOWED[0, 0, 0, 0] = True


def answers(**more: object) -> Answers:
    base = Answers(DECIDED, (True, True, False), (4, 6, 20), (4, 6, 9), (0.8, 0.6, None))
    return replace(base, **more)


def test_a_row_counts_what_is_no_record_as_wrong() -> None:
    row = row_of(Some(), answers(said=("more",)), LABELS, ALLOWED, ticket())
    counts = {name: (each.count, each.n) for name, each in row.fields.items()}
    assert counts == {"intent": (2, 3), "priority": (1, 3), "escalate": (2, 3), "amount": (2, 3)}
    assert row.right is not None
    assert row.incoherent is not None
    assert (row.right.count, row.right.n) == (1, 3)
    assert (row.incoherent.count, row.incoherent.n) == (1, 2), "of the records alone"
    assert (row.valid.count, row.tokens, row.passes) == (2, 10, 19 / 3)
    assert row.note == "note more"
    assert row.ece is not None
    assert row.ece.value == pytest.approx((0.2 + 0.6) / 2)
    low, high = 0.0084, 0.9057  # Clopper-Pearson of 1 in 3
    assert (row.right.lower, row.right.upper) == pytest.approx((low, high), abs=1e-4)


def test_a_row_that_was_asked_for_one_field_has_no_whole_record() -> None:
    row = row_of(Some("intent"), answers(), LABELS, ALLOWED, ticket())
    assert list(row.fields) == ["intent"]
    assert row.right is row.incoherent is None
    assert row.ece is not None
    assert row.ece.value == pytest.approx((0.2 + 0.4) / 2), "right is the intent's"


def test_before_the_first_ticket_a_row_has_no_numbers() -> None:
    row = row_of(Some(), Answers(np.empty((0, 4), int)), LABELS, ALLOWED, ticket())
    assert (row.n, row.tokens, row.passes, row.ece) == (0, None, None, None)
    assert row.valid.value is None


def test_there_is_no_ece_without_confidence() -> None:
    assert ece_of((None, None), np.array([True, False])) is None
    assert ece_of((), np.array([], bool)) is None


def test_the_majority_is_that_of_the_training_labels() -> None:
    train = np.array([[0, 0, 0, 7], [0, 1, 1, 7], [4, 1, 1, 0]])
    found = majority(train, LABELS, ticket())
    assert {name: each.count for name, each in found.items()} == {
        "intent": 1, "priority": 1, "escalate": 2, "amount": 0,
    }  # fmt: skip


def test_the_chance_of_a_masked_run_is_its_p_tilde(tmp_path: Path) -> None:
    """Of two-step: the mask gives Ax .9 and Bx .1."""
    studies = Studies(Playground(Settings(cache=tmp_path)))
    spec = StudySpec.model_validate(
        {
            "model": "toy:two-step",
            "constraint": ConstraintSpec(kind="regex", source="(A|B)x"),
            "valid": "language",
            "items": [{"id": "a", "prompt": "x"}],
            "n": 1,
            "draws": 60,
            "methods": ("strict", "cars"),
        }
    )
    *_, found = studies.run(studies.prepare(spec))
    law = {"Ax": 0.9, "Bx": 0.1}
    assert {row.text for row in found.rows if row.method == "strict"} == set(law)
    for row in found.rows:
        if row.method == "strict":
            assert chance(row) == pytest.approx(law[row.text], abs=1e-12)
        else:
            assert chance(row) is None
    assert math.isclose(sum(law.values()), 1)


def test_the_confidence_is_asked_with_the_ticket_in_its_place() -> None:
    test = split_of("test").take(range(2))
    spec = writing(StudySpec(n=2, hints=("example",)), test)
    assert spec.instruction is not None
    assert spec.instruction.count(INPUT) == 1
    assert spec.instruction.replace(INPUT, "hello") == Wrote.wording.prompt("hello", True)
    assert [item.gold for item in spec.items] == [
        {"intent": item.gold["intent"]} for item in test.items
    ]
    assert spec.hints == ()


# ---- what is committed -------------------------------------------------------------------------


def test_the_readme_s_table_is_the_recorded_one() -> None:
    _, _, rest = (ROOT / "README.md").read_text().partition("<!-- fields -->\n")
    shown, _, _ = rest.partition("\n<!-- /fields -->")
    assert shown == fields_table(RECORDED)


def test_the_recorded_head_decides_its_recorded_text_s_record_type() -> None:
    document = json.loads(RECORDED.read_text())
    made = document["provenance"]
    provenance = Provenance(made["model"], made["revision"], "float32", "live")
    head = load(base64.b64decode(document["head"]), ticket(), provenance)
    assert head.spec.model_dump(mode="json") == document["spec"]["head"]
    assert document["decision"]["head"] == document["spec"]["head"]
    ticket().indices(document["decision"]["record"])
    assert [row["method"] for row in document["table"]["rows"]] == METHODS
    assert document["table"]["n"] >= 30
    assert document["table"]["done"]


@pytest.mark.model
def test_a_ticket_on_the_real_model() -> None:
    real = Playground(Settings.from_env())
    training = TrainingSpec(train=24, dev=8, epochs=2)
    *_, found = compared(real, "smollm2", 1, training=training, timed=1)
    assert found.done
    rows = {row.method: row for row in found.rows}
    assert list(rows) == METHODS
    assert rows["strict"].valid.value == 1
    slowest = max(rows[name].ms or math.inf for name in HEADS)
    assert slowest < (rows["strict"].ms or 0), "one pass takes less than a pass a token"
