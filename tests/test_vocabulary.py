"""A vocabulary is bytes by id, and ids without bytes are never text."""

import pytest

from playground.vocabulary import Vocabulary

VOCABULARY = Vocabulary((b"a", b"\xf0\x9f", None, b"b", None), frozenset({2}), {2: "<|end|>"})


def test_decoding_joins_bytes_and_skips_tokens_without_any() -> None:
    assert VOCABULARY.decode([0, 2, 3, 4, 0]) == b"aba"


def test_names_show_broken_bytes_and_special_tokens() -> None:
    assert VOCABULARY.name(0) == "a"
    assert VOCABULARY.name(1) == r"\xf0\x9f"
    assert VOCABULARY.name(2) == "<|end|>"
    assert VOCABULARY.name(4) == "<4>"
    assert len(VOCABULARY) == 5


@pytest.mark.parametrize(
    ("eos", "message"),
    [(frozenset(), "at least one EOS"), (frozenset({0}), "without bytes"), ({9}, "without bytes")],
)
def test_an_eos_must_exist_and_have_no_bytes(eos: frozenset[int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Vocabulary((b"a", None), frozenset(eos))


def test_the_fingerprint_tells_every_difference_apart() -> None:
    variants = [
        Vocabulary((b"a", b"b", None), frozenset({2})),
        Vocabulary((b"b", b"a", None), frozenset({2})),
        Vocabulary((b"ab", b"", None), frozenset({2})),
        Vocabulary((b"", b"ab", None), frozenset({2})),
        Vocabulary((b"a", b"b", None, None), frozenset({2})),
        Vocabulary((b"a", b"b", None, None), frozenset({2, 3})),
        Vocabulary((b"a", b"b", None, b""), frozenset({2})),
    ]
    assert len({variant.fingerprint for variant in variants}) == len(variants)


def test_the_fingerprint_ignores_names_and_identity() -> None:
    again = Vocabulary(VOCABULARY.tokens, VOCABULARY.eos_ids, {2: "other"})
    assert again.fingerprint == VOCABULARY.fingerprint
