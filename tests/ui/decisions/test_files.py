"""A head's file: refused where it is none, of another schema or model; widened where options were added."""

import base64
import json
import struct
from pathlib import Path

import pytest

from playground.errors import InvalidInput, PlaygroundError
from playground.fields.drift import SchemaDrift
from playground.fields.ticket import TICKET_SCHEMA, ticket
from playground.fields.weights import dump, load
from playground.record import error_document
from playground.ui import decisions_work
from playground.ui.decisions import decisions_page
from playground.ui.decisions_asked import MOST_HEAD
from playground.ui.decisions_work import DecisionsWork
from playground.ui.guard import MAX_BODY
from tests.ticket_model import NAME, PROVENANCE, with_stand_in
from tests.ui.decisions_driving import TEXT, Run, going, strict


def schema_with(intents: list[str], **more: object) -> str:
    """The ticket's schema with other intents."""
    properties = {**TICKET_SCHEMA["properties"], "intent": {"enum": intents}, **more}
    required = list(properties)
    return json.dumps({**TICKET_SCHEMA, "properties": properties, "required": required})


INTENTS = list(TICKET_SCHEMA["properties"]["intent"]["enum"])


# Head files


def test_a_file_that_is_no_head_is_refused_in_words(run: Run, head: str) -> None:
    good = base64.b64decode(head)
    wide = bytearray(good)
    wide[:8] = struct.pack("<Q", 2**40)
    files = {
        "foreign": b"PK\x03\x04" + bytes(200),
        "a pickle": b"\x80\x04cos\nsystem\n(S'true'\ntR.",
        "cut": good[:-5],
        "a header too long": bytes(wide),
        "empty": b"",
        "markup": b"<script>alert(1)</script>",
    }
    for name, data in files.items():
        for task in ("decide", "evaluate"):
            more = {"text": TEXT} if task == "decide" else {"n": 1}
            with pytest.raises(InvalidInput) as found:
                run(task, type="ticket", head=base64.b64encode(data).decode(), **more)
            assert found.value.hint, name
    with pytest.raises(InvalidInput, match="can't be read") as found:
        run("decide", type="ticket", text=TEXT, head="not base64!")
    assert found.value.where == "head"


def test_a_head_file_that_is_too_large_is_refused_before_it_is_read(run: Run) -> None:
    assert MOST_HEAD < MAX_BODY
    with pytest.raises(InvalidInput) as found:
        run("decide", type="ticket", text=TEXT, head="A" * (MOST_HEAD + 4))
    assert "head" in found.value.where


def test_a_head_of_another_schema_says_which_field_differs(run: Run, head: str) -> None:
    renamed = schema_with(["complaint", *INTENTS[1:]])
    for schema in (renamed, schema_with(INTENTS[:-1]), schema_with(INTENTS, mood={"enum": ["a"]})):
        with pytest.raises(SchemaDrift) as found:
            run("decide", schema=schema, text=TEXT, head=head)
        assert error_document(found.value)["added"] == []
    with pytest.raises(SchemaDrift, match="intent"):
        run("decide", schema=renamed, text=TEXT, head=head)


def test_a_head_of_another_model_is_refused(tmp_path: Path, head: str) -> None:
    playground, model = with_stand_in(tmp_path)
    model.provenance = type(model.provenance)(NAME, "2", "float32", "live")
    request = {"task": "decide", "type": "ticket", "text": TEXT, "head": head}
    with pytest.raises(InvalidInput, match="states of stand-in"):
        list(going(DecisionsWork(playground, NAME), request))


def test_an_added_option_is_offered_and_fine_tunes_its_field_alone(
    work: DecisionsWork, run: Run, head: str
) -> None:
    wider = schema_with([*INTENTS, "legal"])
    with pytest.raises(SchemaDrift) as found:
        run("decide", schema=wider, text=TEXT, head=head)
    told = strict(error_document(found.value))
    assert told["added"] == [["intent", ["legal"]]]
    assert "intent" in told["hint"]
    (before,) = run("decide", type="ticket", text=TEXT, head=head)
    spec = {"epochs": 5, "seed": 8}
    last = run("train", schema=wider, size=200, spec=spec, widen=head)[-1]
    assert last["sizes"] == {"train": 48, "dev": 12, "test": 500}
    assert last["cut"] == {"known": True, "seed": 3, "train": 48, "dev": 12}
    assert last["untaught"] == [["intent", ["legal"]]], "no built-in ticket has it"
    assert last["epochs"][-1]["train_loss"] < last["epochs"][0]["train_loss"]
    (wide,) = run("decide", schema=wider, text=TEXT, head=last["head"])
    intent, *others = wide["fields"]
    assert [option["label"] for option in intent["options"]] == [*INTENTS, "legal"]
    for old, new in zip(before["fields"][1:], others, strict=True):
        for was, now in zip(old["options"], new["options"], strict=True):
            assert was["label"] == now["label"]
            assert was["p"] == pytest.approx(now["p"], abs=1e-12)  # summed over other intents
    again = run("decide", schema=wider, text=TEXT, head=last["head"])
    assert again[0]["record"] == wide["record"]
    # The old schema is another one for it.
    with pytest.raises(SchemaDrift, match="lost"):
        run("decide", type="ticket", text=TEXT, head=last["head"])


def test_a_widened_head_s_file_is_named_after_its_own_kind(run: Run) -> None:
    chained = {"epochs": 1, "head": {"kind": "chained", "order": ["intent"]}}
    *_, first = run("train", type="ticket", size=60, spec=chained)
    assert first["file"] == "tickets-chained.safetensors"
    assert first["untaught"] == []
    wider = schema_with([*INTENTS, "legal"])
    *_, last = run("train", schema=wider, size=60, spec={"epochs": 1}, widen=first["head"])
    assert last["file"] == "tickets-chained.safetensors"


def test_a_training_says_whose_cut_it_takes(run: Run, head: str) -> None:
    wider = schema_with([*INTENTS, "legal"])
    asked = {"schema": wider, "size": 60, "spec": {"epochs": 1, "seed": 3}}
    assert run("train", **asked, widen=head)[-1]["cut"] is None  # the form's is the head's own
    assert run("train", **asked)[-1]["cut"] is None  # a new head
    old = load(base64.b64decode(head), ticket(), PROVENANCE)
    old.trained = None
    file = base64.b64encode(dump(old, PROVENANCE)).decode()
    assert {str(each["cut"]) for each in run("train", **asked, widen=file)} == {"{'known': False}"}


def test_a_head_of_a_quite_other_schema_is_not_widened(run: Run, head: str) -> None:
    schema = schema_with(["complaint", *INTENTS[1:]])
    with pytest.raises(PlaygroundError):
        run("train", schema=schema, size=20, spec={"epochs": 1}, widen=head)


def test_where_no_head_was_recorded_that_is_said(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = {**decisions_page({}), "recorded": None}
    monkeypatch.setattr(decisions_work, "page_props", lambda: bare)
    for task, more in (("decide", {"text": TEXT}), ("evaluate", {"n": 1})):
        with pytest.raises(InvalidInput, match="no recorded head") as found:
            run(task, type="ticket", **more)
        assert "Train" in found.value.hint
