"""The engine "outlines" shows outlines as it is shipped: its faults, beside the exact one."""

from collections.abc import Callable

import numpy as np
import pytest

from playground.constraints.compile import Compiled
from playground.constraints.engine_outlines import shipped_texts
from playground.constraints.engines import ENGINES
from playground.errors import EmptyLanguage, InvalidInput, UnsupportedSchema
from playground.vocabulary import Vocabulary

Compile = Callable[..., Compiled]


def token(vocabulary: Vocabulary, text: bytes) -> int:
    return vocabulary.tokens.index(text)


def test_an_earlier_alternative_hides_a_longer_one(compiled: Compile, smollm2: Vocabulary) -> None:
    positive = token(smollm2, b"positive")
    allowed = {}
    for engine in ENGINES:
        automaton = compiled("regex", "(pos|positive)", smollm2, engine=engine).automaton
        allowed[engine] = bool(automaton.mask(automaton.initial)[positive])
        after = automaton.advance(automaton.initial, token(smollm2, b"pos"))
        assert automaton.is_final(after)
    assert allowed == {engine: engine != "outlines" for engine in ENGINES}


def test_a_decimal_never_gets_its_point(compiled: Compile, smollm2: Vocabulary) -> None:
    point = token(smollm2, b".")
    allowed = {}
    for engine in ENGINES:
        automaton = compiled("regex", r"[0-9]+(\.[0-9]+)?", smollm2, engine=engine).automaton
        state = automaton.advance(automaton.initial, token(smollm2, b"1"))
        assert automaton.is_final(state)
        allowed[engine] = bool(automaton.mask(state)[point])
    assert allowed == {engine: engine != "outlines" for engine in ENGINES}


def test_broken_characters_may_come_out_of_a_string(compiled: Compile, smollm2: Vocabulary) -> None:
    """265 tokens are one and the same U+FFFD to outlines, so after half an emoji it allows all."""
    assert len(shipped_texts(smollm2)["\ufffd"]) == 265
    allowed = {}
    for engine in ENGINES:
        automaton = compiled("regex", '"[^"]*"', smollm2, engine=engine).automaton
        state = automaton.initial
        for text in (b'"', b"\xf0\x9f"):
            state = automaton.advance(state, token(smollm2, text))
        allowed[engine] = int(automaton.mask(state).sum())
    assert allowed["bytes"] == 74
    assert allowed["outlines"] > 48_000


def test_a_character_of_several_tokens_does_not_compile(
    compiled: Compile, smollm2: Vocabulary
) -> None:
    with pytest.raises(EmptyLanguage, match="outlines_core finds no token"):
        compiled("regex", "日本", smollm2, engine="outlines")
    automaton = compiled("regex", "日本", smollm2).automaton
    assert automaton.mask(automaton.initial).any()


def test_bounds_of_a_schema_are_dropped(compiled: Compile, smollm2: Vocabulary) -> None:
    schema = '{"type":"object","properties":{"n":{"type":"integer","maximum":5}},"required":["n"]}'
    compiled_as_shipped = compiled("schema", schema, smollm2, engine="outlines")
    automaton = compiled_as_shipped.automaton
    state = automaton.initial
    for text in (b'{"', b"n", b'":', b"7"):
        state = automaton.advance(state, token(smollm2, text))
    assert automaton.mask(state)[token(smollm2, b"}")]
    assert compiled_as_shipped.report.notes[0].level == "warning"


def test_all_agree_where_outlines_is_right(compiled: Compile, smollm2: Vocabulary) -> None:
    masks = {}
    for engine in ENGINES:
        automaton = compiled("regex", "[0-9]{2}-[a-z]{3}", smollm2, engine=engine).automaton
        state, masks[engine] = automaton.initial, []
        for text in (b"4", b"2", b"-", b"ab", b"c"):
            masks[engine].append(automaton.mask(state))
            hops = automaton.hops(state, token(smollm2, text))
            assert len(hops.states) == len(text) + 1
            assert hops.killed_at is None
            state = automaton.advance(state, token(smollm2, text))
        masks[engine].append(automaton.mask(state))
        assert list(np.flatnonzero(masks[engine][-1])) == [2]
    for found in masks.values():
        np.testing.assert_array_equal(found, masks["bytes"])


def test_its_states_are_described_and_its_dead_ends_shown(
    compiled: Compile, smollm2: Vocabulary
) -> None:
    automaton = compiled("regex", "(pos|positive)", smollm2, engine="outlines").automaton
    view = automaton.describe(automaton.initial)
    assert view.expected == ("p",)
    assert view.words == "Expects p."
    blocked = automaton.hops(automaton.initial, token(smollm2, b"positive"))
    assert blocked.killed_at == 3
    assert len(blocked.states) == 4
    with pytest.raises(ValueError, match="can't follow"):
        automaton.advance(automaton.initial, token(smollm2, b"positive"))
    with pytest.raises(ValueError, match="can't follow"):
        automaton.advance(automaton.initial, 2)


@pytest.mark.parametrize(
    ("kind", "source", "error"),
    [
        ("regex", "a(b", InvalidInput),
        ("regex", "^a", InvalidInput),
        ("schema", '{"type":"string","format":"ipv4"}', UnsupportedSchema),
        ("choices", "\n\n", InvalidInput),
    ],
)
def test_its_refusals_are_told(
    compiled: Compile, smollm2: Vocabulary, kind: str, source: str, error: type[Exception]
) -> None:
    with pytest.raises(error):
        compiled(kind, source, smollm2, engine="outlines")


def test_an_unknown_engine_is_refused_with_the_choices(
    compiled: Compile, letters: Vocabulary
) -> None:
    with pytest.raises(InvalidInput, match="bytes, outlines"):
        compiled("regex", "a", letters, engine="wishful")
