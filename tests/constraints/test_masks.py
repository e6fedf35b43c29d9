"""The default mask is exact: it equals a scan of the whole vocabulary by an independent matcher."""

import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from playground.constraints.compile import Compiled
from playground.vocabulary import Vocabulary

CASES = (
    Path(os.environ.get("PLAYGROUND_SHARED", Path(__file__).parents[3] / "shared"))
    / "cases"
    / "constraints.jsonl"
)
POSITIONS = {"smollm2": int(os.environ.get("PLAYGROUND_POSITIONS", "2")), "sentencepiece": 25}
"""Texts at which each case is checked: a scan of SmolLM2's vocabulary costs some 0.2 s."""

NARROWED = {
    ("oc-property-order", '{"b":2,"a":1}'): "order",
    ("lg-order-after-optional", '{"page":0,"limit":5}'): "order",
    ("lg-schema-order", '{"alpha":"2","zeta":"1"}'): "order",
    ("vl-whitespace-flood", '{"route":"a","why":"x"  \n  \n  \n  \n  \n}'): "order",
}
"""Valid texts of the shared cases that the masks don't offer, and the note's topic. The last one is
a flood of blanks: the setting `whitespace` bounds them."""


class Case(NamedTuple):
    """A constraint with strings and the right answers."""

    name: str
    kind: str
    source: str
    strings: tuple[tuple[str, bool | None], ...]


OWN = [
    Case("alternatives", "regex", "(pos|positive)", (("positive", True), ("post", False))),
    Case("decimals", "regex", r"[0-9]+(\.[0-9]+)?", (("1.5", True), ("12", True), ("1.", False))),
    Case("lazy", "regex", "a*?b??(1|12)", (("aa12", True), ("b1", True))),
    Case("anything short", "regex", ".{0,12}", (("aé日😀", True), ("a\nb", False))),
    Case("not a quote", "regex", '"[^"]*"', (('"😀 \\u0000"', True), ('"a', False))),
    Case("scripts", "regex", "(😀|日本|né|[а-яё]+)", (("日本", True), ("жё", True), ("日", False))),
    Case("empty or more", "regex", "(ab)*", (("", True), ("abab", True), ("aba", False))),
    Case(
        "bounded JSON string",
        "regex",
        r'"([^"\\\x00-\x1f]|\\["\\/bfnrt]){0,30}"',
        (('"é\\n"', True),),
    ),
    Case("words", "choices", "yes\nno\nno, never\nnon é", (("no, never", True), ("y", False))),
    Case("moments", "type", "datetime", (("2024-02-29T10:00:00.5Z", True), ("2023-02-29", False))),
    Case("emails", "type", "email", (("ada@example.org", True), ("a@b", False))),
]


def shared_cases() -> list[Case]:
    """The regexes and schemas of the shared cases, where they are at hand."""
    kinds = {"regex": "regex", "json_schema": "schema"}
    found = []
    for line in CASES.read_text().splitlines() if CASES.is_file() else ():
        case = json.loads(line)
        if case["constraint_type"] in kinds:
            source = case["constraint"]
            text = source if isinstance(source, str) else json.dumps(source, ensure_ascii=False)
            strings = tuple((string["text"], string["valid"]) for string in case["strings"])
            found.append(Case(case["id"], kinds[case["constraint_type"]], text, strings))
    return found


def spelled(text: bytes, vocabulary: Vocabulary, rng: random.Random) -> list[int]:
    """Tokens that spell `text` as far as they can, now long ones and now short ones."""
    by_text = {piece: i for i, piece in enumerate(vocabulary.tokens) if piece}
    longest = max(map(len, by_text))
    tokens, at = [], 0
    while at < len(text):
        fits = [n for n in range(1, longest + 1) if text[at : at + n] in by_text]
        if not fits:
            break
        length = rng.choice([fits[-1], fits[0], rng.choice(fits)])
        tokens.append(by_text[text[at : at + length]])
        at += length
    return tokens


@pytest.mark.parametrize("name", ["smollm2", "sentencepiece"])
@pytest.mark.parametrize(
    "case",
    [*OWN, *(shared_cases() or [None])],
    ids=lambda case: case.name if case else "the shared cases",
)
def test_the_mask_is_the_scan_of_the_vocabulary(
    case: Case | None,
    name: str,
    request: pytest.FixtureRequest,
    judge: Any,
    compiled: Callable[..., Compiled],
) -> None:
    if case is None:
        pytest.skip("the folder shared/ beside the project is absent (set PLAYGROUND_SHARED)")
    vocabulary: Vocabulary = request.getfixturevalue(name)
    made = compiled(case.kind, case.source, vocabulary)  # no case may be refused
    automaton, reference = made.automaton, judge.reference(made.report.regex)
    rng = random.Random(case.name)
    seen = {automaton.initial: (reference.start, b"")}
    for text, valid in case.strings:
        state, position, so_far = automaton.initial, reference.start, b""
        for token in spelled(text.encode(), vocabulary, rng):
            piece = vocabulary.tokens[token] or b""
            after = reference.after(position, piece)
            assert automaton.mask(state)[token] == (after is not None), (so_far, piece)
            if after is None:
                break
            state, position, so_far = automaton.advance(state, token), after, so_far + piece
            seen.setdefault(state, (position, so_far))
        whole = so_far == text.encode()
        if whole:
            assert automaton.is_final(state) == reference.matches(position), text
        if valid is not None:
            accepted = whole and automaton.is_final(state)
            if (case.name, text) in NARROWED:  # valid, but not offered: and the notes say so
                assert not accepted, "take it off the list"
                assert NARROWED[case.name, text] in {note.keyword for note in made.report.notes}
            else:
                assert accepted == valid, (text, so_far)
    state, (position, so_far) = rng.choice(list(seen.items()))
    for _ in range(12):  # and on from there, wherever the mask leads
        choices = np.flatnonzero(automaton.mask(state))
        token = int(rng.choice(choices)) if len(choices) else -1
        if token < 0 or token in vocabulary.eos_ids:
            break
        piece = vocabulary.tokens[token] or b""
        after = reference.after(position, piece)
        assert after is not None, (so_far, piece)
        state, position, so_far = automaton.advance(state, token), after, so_far + piece
        seen.setdefault(state, (position, so_far))
    checked = rng.sample(list(seen.items()), min(len(seen), POSITIONS[name]))
    for state, (position, so_far) in checked:
        mask, scan = automaton.mask(state), judge.mask(reference, position, vocabulary)
        wrong = [vocabulary.name(int(i)) for i in np.flatnonzero(mask != scan)]
        assert not wrong, (so_far, wrong[:10])
        assert mask.any(), so_far


def test_the_scan_can_tell_a_wrong_mask(judge: Any, letters: Vocabulary) -> None:
    reference = judge.reference("a(b|c)*")
    start = judge.mask(reference, reference.start, letters)
    assert [letters.name(int(i)) for i in np.flatnonzero(start)] == ["a", "ab", "abc"]
    after = judge.mask(reference, reference.after(reference.start, b"ab"), letters)
    assert [letters.name(int(i)) for i in np.flatnonzero(after)] == ["b", "c", "cc", "<eos>"]
