"""The walk of the trie gives each token its fate, as walking it alone does."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.constraints.build import build
from playground.constraints.trie import Walker, build_trie, trie_of
from playground.vocabulary import Vocabulary

TOKENS = st.lists(st.one_of(st.none(), st.binary(max_size=6)), min_size=1, max_size=60)
DFA = build("(a|[^b]{2,3}|\x00*)*é?", 10_000)


def vocabulary(tokens: list[bytes | None]) -> Vocabulary:
    return Vocabulary((*tokens, None), frozenset({len(tokens)}))


@settings(max_examples=150, deadline=None)
@given(TOKENS, st.integers(0, len(DFA) - 1))
def test_a_token_lives_exactly_if_all_its_bytes_can_follow(
    tokens: list[bytes | None], state: int
) -> None:
    """Tokens may repeat, be empty, be special, or not be UTF-8."""
    mask = Walker(DFA, build_trie(vocabulary(tokens))).alive(state)
    for token, text in enumerate(tokens):
        wanted = text is not None and len(DFA.walk(state, text)) == len(text) + 1
        assert mask[token] == wanted
    assert not mask[len(tokens)]


@given(TOKENS)
def test_its_nodes_are_the_distinct_prefixes(tokens: list[bytes | None]) -> None:
    trie = build_trie(vocabulary(tokens))
    prefixes = {text[:n] for text in tokens if text is not None for n in range(len(text) + 1)}
    assert len(trie.bytes) == len(prefixes | {b""})
    assert set(np.flatnonzero(trie.single)) == {
        text[0] for text in tokens if text and len(text) == 1
    }


def test_it_is_built_once_for_equal_vocabularies() -> None:
    assert trie_of(vocabulary([b"a", b"ab"])) is trie_of(vocabulary([b"a", b"ab"]))
    assert trie_of(vocabulary([b"a"])) is not trie_of(vocabulary([b"b"]))


def test_whole_levels_and_single_children_give_the_same_mask() -> None:
    """The walk changes its way when few prefixes live; both ways must agree at the seam."""
    many = [bytes([97 + n % 26, 97 + n // 26 % 26, 97 + n // 676]) for n in range(2000)]
    words = vocabulary([*many, *(text[:2] for text in many), *(text[:1] for text in many)])
    for regex in ("[a-z]{3}", "[a-f][a-z]{2}", "[a-g][a-z]{2}", "a[a-z]b", "[a-z]{2}"):
        dfa = build(regex, 1000)
        mask = Walker(dfa, build_trie(words)).alive(0)
        alone = [
            text is not None and len(dfa.walk(0, text)) == len(text) + 1 for text in words.tokens
        ]
        assert (mask == alone).all()
