"""The stepper: every byte and token of a text where it stands, and what could follow there."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.constraints.bytes_vocabulary import BYTES, EOS
from playground.constraints.compile import compile_constraint
from playground.constraints.jsonschema.source import parse
from playground.constraints.report import Compiled
from playground.constraints.spec import ConstraintSpec
from playground.errors import BudgetExceeded
from playground.schema import stepper as stepping
from playground.schema.stepper import WINDOW, Cut, stepper, walk
from playground.vocabulary import Vocabulary

SCHEMA = """{
  "type": "object",
  "properties": {
    "name": {"type": "string", "maxLength": 5},
    "age": {"type": "integer"}
  },
  "required": ["name", "age"],
  "additionalProperties": false
}"""
WORDS = ['{"', "name", '": "', "Ada", '", "', "age", '": ', "36", "}", '"', "3", "6", "{", "n", ":"]
VOCABULARY = Vocabulary((*(word.encode() for word in WORDS), None), frozenset({len(WORDS)}))


@pytest.fixture(scope="module")
def person() -> Compiled:
    return compile_constraint(ConstraintSpec(kind="schema", source=SCHEMA), BYTES)


def test_each_byte_points_to_its_line_of_the_schema(person: Compiled) -> None:
    text = '{"name": "Ada", "age": 36}'
    document = stepper(person.automaton, text, 0, parse(SCHEMA).places, None, True)
    by_offset = {entry["offset"]: entry for entry in document["bytes"]}
    assert document["fails_at"] is None
    assert by_offset[text.index("Ada")]["line"] == 4
    assert by_offset[text.index("36") + 1]["line"] == 5
    end = by_offset[len(text)]
    assert end["byte"] is None
    assert end["may_stop"]
    assert end["allowed"]


def test_the_failing_byte_says_what_was_expected(person: Compiled) -> None:
    text = '{"name": 5}'
    document = stepper(person.automaton, text, 0, {}, None, True)
    assert document["fails_at"] == 9
    failing = document["bytes"][-1]
    assert failing["offset"] == 9
    assert not failing["allowed"]
    assert '"' in failing["expected"]


def test_a_cut_text_is_not_at_its_end(person: Compiled) -> None:
    document = stepper(person.automaton, '{"name": "A', 0, {}, None, True)
    assert document["fails_at"] is None
    end = document["bytes"][-1]
    assert not end["may_stop"]
    assert end["needs"].startswith('"')


def test_only_a_window_of_a_long_text_is_described(person: Compiled) -> None:
    free = compile_constraint(ConstraintSpec(kind="regex", source="a*"), BYTES)
    document = stepper(free.automaton, "a" * 1000, 500, {}, None, False)
    offsets = [entry["offset"] for entry in document["bytes"]]
    assert offsets == list(range(500 - WINDOW, 500 + WINDOW + 1))
    assert document["count"] == 1000


def test_tokens_that_cross_a_boundary_of_json_straddle() -> None:
    over = compile_constraint(ConstraintSpec(kind="schema", source=SCHEMA), VOCABULARY)
    bytes_ = compile_constraint(ConstraintSpec(kind="schema", source=SCHEMA), BYTES)
    ids = tuple(
        WORDS.index(word) for word in ['{"', "name", '": "', "Ada", '", "', "age", '": ', "36", "}"]
    )
    text = "".join(WORDS[i] for i in ids)
    cut = Cut("words", over.automaton, ids)
    tokens = stepper(bytes_.automaton, text, 0, {}, cut, True)["tokens"]
    crossing = {token["text"] for token in tokens if token["straddles"]}
    assert crossing == {'{"', '": "', '", "', '": '}
    assert all(token["allowed"] for token in tokens)
    assert [token["end"] for token in tokens][-1] == len(text)


def test_after_a_blocked_token_nothing_is_said_to_be_allowed() -> None:
    over = compile_constraint(ConstraintSpec(kind="schema", source=SCHEMA), VOCABULARY)
    bytes_ = compile_constraint(ConstraintSpec(kind="schema", source=SCHEMA), BYTES)
    ids = (WORDS.index("{"), WORDS.index(":"), WORDS.index("36"))
    tokens = stepper(bytes_.automaton, "{:36", 0, {}, Cut("words", over.automaton, ids), True)[
        "tokens"
    ]
    assert [token["allowed"] for token in tokens] == [True, False]


@given(st.text(max_size=40), st.integers(-5, 200))
def test_any_text_at_any_place_is_described(text: str, at: int) -> None:
    compiled = compile_constraint(ConstraintSpec(kind="regex", source="(a|é)*"), BYTES)
    document = stepper(compiled.automaton, text, at, {}, None, False)
    data = text.encode("utf-8", "surrogatepass")
    fails = document["fails_at"]
    legal = all(char in "aé" for char in text)
    assert (fails is None) == legal or fails is None
    if fails is not None:
        assert data[:fails].decode("utf-8", "ignore").strip("aé") == ""
    json.dumps(document)


def test_the_byte_vocabulary_spells_every_byte() -> None:
    assert BYTES.tokens[:256] == tuple(bytes([byte]) for byte in range(256))
    assert BYTES.eos_ids == {EOS}


class Patience:
    """Time that is up after it was asked for `steps` times."""

    def __init__(self, steps: int) -> None:
        self._steps = steps

    @property
    def left(self) -> int:
        self._steps -= 1
        return max(0, self._steps)


def test_a_text_that_takes_too_long_is_told_as_far_as_it_was_read(monkeypatch) -> None:
    made = compile_constraint(ConstraintSpec(kind="regex", source="a*"), BYTES).automaton
    monkeypatch.setattr(stepping, "Effort", lambda seconds: Patience(31))
    document = stepper(made, "a" * 1000, 10, {}, None, False)
    assert (document["stopped_after"], document["fails_at"]) == (30, None)
    offsets = [entry["offset"] for entry in document["bytes"]]
    assert offsets == list(range(30))
    assert all(entry["allowed"] for entry in document["bytes"])
    with pytest.raises(BudgetExceeded, match="for 30 bytes"):
        stepper(made, "a" * 1000, 30, {}, None, False)
    document = stepper(made, "a" * 20 + "b", 0, {}, None, False)
    assert (document["stopped_after"], document["fails_at"]) == (None, 20)


def test_bytes_are_described_from_the_place_outwards_while_there_is_time(monkeypatch) -> None:
    made = compile_constraint(ConstraintSpec(kind="regex", source="a*"), BYTES).automaton
    patiences = iter([1000, 6])
    monkeypatch.setattr(stepping, "Effort", lambda seconds: Patience(next(patiences)))
    document = stepper(made, "a" * 100, 50, {}, None, False)
    assert [entry["offset"] for entry in document["bytes"]] == [47, 48, 49, 50, 51, 52]
    assert document["from"] == 47


def test_tokens_are_told_while_there_is_time(monkeypatch) -> None:
    made = compile_constraint(ConstraintSpec(kind="regex", source="a*"), BYTES).automaton
    patiences = iter([1000, 1000, 4])
    monkeypatch.setattr(stepping, "Effort", lambda seconds: Patience(next(patiences)))
    cut = Cut("bytes", made, (ord("a"),) * 20)
    document = stepper(made, "a" * 20, 0, {}, cut, False)
    assert [token["start"] for token in document["tokens"]] == [0, 1, 2]
    assert document["tokens_stopped_after"] == 3


def test_a_slow_engine_is_left_when_its_time_is_up(monkeypatch) -> None:
    class Slow:
        engine, initial = "slow", 0

        def advance(self, state: int, byte: int) -> int:
            time.sleep(0.02)
            return state + 1

    monkeypatch.setattr(stepping, "READ_SECONDS", 0.1)
    assert 1 <= len(walk(Slow(), bytes(1000))) < 20
