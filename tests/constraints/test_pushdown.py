"""xgrammar and llguidance behind the protocol: their masks against the exact ones, states as values."""

import threading
import time

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from playground.constraints import pushdown_words
from playground.constraints.automaton import TokenAutomaton
from playground.constraints.bytes_vocabulary import BYTES
from playground.constraints.pushdown import FORCED
from playground.vocabulary import Vocabulary
from tests.constraints.stacked import STACKED, TREE, allowed, says

REGEXES = (
    "yes|no|maybe",
    "(pos|positive)",
    "[0-9]+([.][0-9]+)?",
    "a*?b",
    "(ab|ba){1,3}b?",
    "[^ab]{0,3}c",
    "é+|日本|😀",
    r"\-?[0-9]{3}-[0-9]{2}",
    "(a|b)*a(a|b){4}",
    "a{0}",
    r"x\n?y\t",
    "(|a)(b|)",
)
"""Read alike by all: no \\d, \\w or dot, which xgrammar reads as ASCII or takes newlines."""
SCHEMA = """{
  "type": "object",
  "properties": {
    "name": {"enum": ["Ada", "Bob"]},
    "ok": {"type": "boolean"},
    "scores": {"type": "array", "items": {"enum": [0, 10]}}
  },
  "required": ["name", "ok"],
  "additionalProperties": false
}"""
ODD = Vocabulary(
    (b"", None, b"a", b"b", b"ab", b"c", b"<x>", None),
    frozenset({1, 7}),
    {1: "<eos>", 7: "<end>"},
)
"""Two ends, a token without text that ends nothing, and one that adds nothing."""


MIXED = """{"type":["object","array","string"],"properties":{"a":{"type":["integer","string"]}},
"items":{"type":"string","maxLength":2}}"""
PIECES = (
    *(b'{"a":', b"}", b"[", b"]", b",", b" ", b"1", b'"', b"a", rb"\n", rb"\u0041"),
    *(b"\0", b"\x7f", b"\xc3", b"\xa9", b"\xed\xa0\x80"),
)


def compare(one: TokenAutomaton, other: TokenAutomaton, text: bytes) -> None:
    """Both allow the same bytes and ends after every beginning of `text` that both allow; xgrammar
    may begin half of a surrogate pair besides, as it says."""
    here, there = one.initial, other.initial
    for at, byte in enumerate([*text, None]):
        mask, others = one.mask(here), other.mask(there).copy()
        if other.engine == "xgrammar" and text[:at].endswith(b"\xed"):
            others[0xA0:0xC0] = False
        np.testing.assert_array_equal(mask, others, f"after {text[:at]!r}")
        if byte is None or not mask[byte]:
            break
        here, there = one.advance(here, byte), other.advance(there, byte)


@pytest.mark.parametrize("engine", STACKED)
@pytest.mark.parametrize("regex", REGEXES)
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_over_bytes_the_masks_are_the_exact_ones(compiled, engine, regex, data) -> None:
    exact = compiled("regex", regex, BYTES).automaton
    stacked = compiled("regex", regex, BYTES, engine=engine).automaton
    text, state = bytearray(), exact.initial
    for _ in range(data.draw(st.integers(0, 10))):
        may = np.flatnonzero(exact.mask(state)[:256])
        if not len(may):
            break
        byte = int(data.draw(st.sampled_from(may.tolist())))
        text.append(byte)
        state = exact.advance(state, byte)
    compare(exact, stacked, bytes(text) + data.draw(st.binary(max_size=2)))


@pytest.mark.parametrize("kind", ["schema", "choices", "type"])
@pytest.mark.parametrize("engine", STACKED)
def test_other_kinds_have_the_exact_masks_too_without_blanks(compiled, engine, kind) -> None:
    source = {"schema": SCHEMA, "choices": "a.b\n(c)\n日", "type": "date"}[kind]
    texts = {
        "schema": [b'{"name":"Ada","ok":true,"scores":[0,10,', b'{"name":"B', b'{"ok"', b"{}"],
        "choices": [b"a.b", b"(c)", b"\xe6\x97", b"a.bc"],
        "type": [b"2024-02-29", b"2023-02-2", b"0000"],
    }[kind]
    exact = compiled(kind, source, BYTES, whitespace="none").automaton
    stacked = compiled(kind, source, BYTES, whitespace="none", engine=engine).automaton
    for text in texts:
        compare(exact, stacked, text)


@pytest.mark.parametrize("engine", STACKED)
def test_over_a_models_vocabulary_no_token_is_lost_in_the_middle_of_a_character(
    compiled, smollm2, engine
) -> None:
    regex = "[a-z]{2,9}(-[0-9]+)?|é😀"
    exact = compiled("regex", regex, smollm2).automaton
    stacked = compiled("regex", regex, smollm2, engine=engine).automaton
    for text in (b"", b"a", b"ab", b"ab-", b"ab-1", b"\xc3", "é".encode() + b"\xf0\x9f"):
        state = exact.dfa.walk(0, text)[-1]
        want, got = exact.mask(state), stacked.mask(text)
        if engine == "xgrammar":
            np.testing.assert_array_equal(got, want)
        else:
            assert not (got & ~want).any(), "llguidance allows nothing else"
            assert got.any()
            choice = len({smollm2.tokens[i][:1] for i in np.flatnonzero(want) if smollm2.tokens[i]})
            assert (got == want).all() or choice == 1, "fewer only where the text is forced"


def test_llguidance_forces_one_way_to_spell_a_forced_text(compiled, smollm2) -> None:
    schema = '{"type":"object","properties":{"name":{"enum":[1,2]}},"required":["name"]}'
    exact = compiled("schema", schema, smollm2).automaton
    stacked = compiled("schema", schema, smollm2, engine="llguidance").automaton
    want = exact.mask(exact.dfa.walk(0, b'{"')[-1])
    got = stacked.mask(b'{"')
    assert [smollm2.name(int(i)) for i in np.flatnonzero(got)] == ["name"]
    assert want.sum() == 4
    shorter = smollm2.tokens.index(b"na")
    hops = stacked.hops(b'{"', shorter)
    assert hops.killed_at == 1
    assert hops.expected == (FORCED,)
    assert len(hops.states) == 2


@pytest.mark.parametrize("engine", STACKED)
def test_ends_and_tokens_without_text_follow_the_rules(compiled, engine) -> None:
    automaton = compiled("regex", "ab?c*", ODD, engine=engine).automaton
    empty, eos, a, _b, ab, c, tag, end = range(8)
    start = automaton.mask(b"")
    assert start[[a, ab, empty]].all()
    assert not start[[eos, end, c, tag]].any()
    final = automaton.mask(b"a")
    assert final[[eos, end]].all(), "every end, exactly where final"
    assert automaton.is_final(b"a")
    assert automaton.advance(b"a", empty) == b"a"
    for token in (eos, end, tag, a):
        with pytest.raises(ValueError, match="can't follow"):
            automaton.advance(b"a", token)
    with pytest.raises(ValueError):
        start[0] = False  # read-only: it is shared


@pytest.mark.parametrize("engine", STACKED)
def test_a_state_is_a_value(compiled, engine) -> None:
    automaton = compiled("schema", TREE, BYTES, engine=engine).automaton
    deep = b'{"left":' * 40
    state = allowed(automaton, deep)
    assert state == deep
    assert hash(state) == hash(deep)
    before = automaton.mask(b'{"left":').copy()
    for byte in b"null" + b"}" * 40:
        state = automaton.advance(state, byte)
    assert automaton.is_final(state)
    np.testing.assert_array_equal(automaton.mask(b'{"left":'), before)
    assert automaton.describe(b'{"left":') == automaton.describe(b'{"left":')
    # A state that no matcher is kept of is read again from its text.
    fresh = compiled("schema", TREE, BYTES, engine=engine, whitespace="none").automaton
    assert fresh.is_final(deep + b"null" + b"}" * 40)
    with pytest.raises(ValueError, match="no state"):
        fresh.mask(b'{"right"')


@pytest.mark.parametrize("engine", STACKED)
def test_brackets_are_counted_to_any_depth(compiled, engine) -> None:
    automaton = compiled("schema", TREE, BYTES, engine=engine).automaton
    for depth in (1, 9, 60):
        opened = b'{"left":' * depth + b"null"
        assert says(automaton, opened + b"}" * depth)
        assert not says(automaton, opened + b"}" * (depth - 1))
        assert allowed(automaton, opened + b"}" * (depth + 1)) is None


@pytest.mark.parametrize("engine", STACKED)
def test_threads_share_one_automaton(compiled, engine) -> None:
    automaton = compiled("schema", SCHEMA, BYTES, engine=engine).automaton
    text = b'{"name":"Ada","ok":true,"scores":[' + b"10," * 30 + b"0]}"
    found: list[bool] = []

    def run() -> None:
        found.append(says(automaton, text))

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 8


@pytest.mark.parametrize("engine", STACKED)
def test_a_blocked_token_dies_at_its_byte(compiled, smollm2, engine) -> None:
    automaton = compiled("choices", "pos\nneutral", smollm2, engine=engine).automaton
    token = smollm2.tokens.index(b"post")
    hops = automaton.hops(b"", token)
    assert hops.killed_at == 3
    assert len(hops.states) == 4
    assert hops.expected == ()
    good = automaton.hops(b"", smollm2.tokens.index(b"pos"))
    assert good.killed_at is None
    assert good.states == hops.states
    eos = min(smollm2.eos_ids)
    assert automaton.hops(b"", eos).killed_at == 0
    assert automaton.hops(b"pos", eos).killed_at is None


@pytest.mark.parametrize("engine", STACKED)
def test_a_state_is_told_in_words(compiled, smollm2, engine) -> None:
    automaton = compiled("schema", SCHEMA, smollm2, engine=engine).automaton
    view = automaton.describe(b'{"name":"Ada","ok":true,"scores":[1')
    assert view.expected == ("0",)
    assert view.pointer == "/properties/scores/items"
    assert view.stack == ("object $", "array $.scores")
    assert view.stack_of == "the nesting of the text"
    assert not view.may_stop
    assert says(
        compiled("schema", SCHEMA, BYTES, engine=engine).automaton,
        b'{"name":"Ada","ok":true,"scores":[1' + view.needs.encode(),
    )
    assert view.needs == "0]}"
    done = automaton.describe(b'{"name":"Ada","ok":true}')
    assert (done.may_stop, done.needs, done.stack) == (True, "", ())


@pytest.mark.parametrize("engine", STACKED)
def test_inside_a_string_the_quote_is_told_apart(compiled, engine) -> None:
    automaton = compiled("schema", '{"type":"string"}', BYTES, engine=engine).automaton
    classes = automaton.describe(b'"ab').expected
    assert classes[:2] == ('"', "\\")
    assert "any other" in classes[2]


@pytest.mark.parametrize("engine", STACKED)
@given(text=st.binary(max_size=12))
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_whatever_the_bytes_the_answer_is_yes_or_no(compiled, engine, text) -> None:
    automaton = compiled("schema", "{}", BYTES, engine=engine).automaton
    state = allowed(automaton, b"[" + text)
    if state is not None:
        view = automaton.describe(state)
        assert view.expected or view.may_stop
        needs = view.needs if "… and" not in view.needs else ""
        if needs and needs.isascii() and needs.isprintable():
            assert says(automaton, b"[" + text + needs.encode())


@pytest.mark.parametrize("engine", STACKED)
@given(st.lists(st.sampled_from(PIECES), max_size=8))
@example([b'{"a":', b"1", b"}"])
@example([b"[", b'"', b"a", b"a", b'"', b"]"])
@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_a_text_read_at_once_is_a_text_that_the_masks_allow(compiled, engine, pieces) -> None:
    automaton = compiled("schema", MIXED, BYTES, engine=engine).automaton
    text = b"".join(pieces)
    matcher = automaton.matcher(automaton.initial)
    assert (matcher.feed(text) and matcher.final()) == says(automaton, text)


def test_a_search_for_a_completion_ends_in_time(monkeypatch) -> None:
    class Endless:
        def fork(self):
            return self

        def feed(self, text):
            return True

        def final(self):
            return False

        def allowed(self):
            time.sleep(0.01)
            return np.ones(257, dtype=np.bool_)

    class Twin:
        def matcher(self, state):
            return Endless()

    monkeypatch.setattr(pushdown_words, "MAX_SECONDS", 0.1)
    started = time.monotonic()
    assert pushdown_words.completion(Twin(), b"") == ""
    assert time.monotonic() - started < 5  # MAX_FORKS of them take 30


def test_the_halves_of_surrogate_pairs_that_xgrammar_takes_are_announced(compiled) -> None:
    half = b'"\xed\xa0\x80"'
    made = compiled("schema", '{"type":"string"}', BYTES, engine="xgrammar")
    assert says(made.automaton, half), "it does: else the note is wrong"
    assert any("surrogate" in note.message for note in made.report.notes)
    for engine in ("bytes", "llguidance"):
        assert not says(
            compiled("schema", '{"type":"string"}', BYTES, engine=engine).automaton, half
        )
