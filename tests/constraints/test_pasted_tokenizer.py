"""A tokenizer.json that a visitor pasted: read in a child, never trusted."""

import json

import pytest

from playground.constraints.limits import Limits
from playground.constraints.pasted_tokenizer import MAX_HELD, PastedTokenizers
from playground.errors import InvalidInput, ModelUnavailable
from playground.models.tokens import byte_characters


def source(merges: list[str], added: list[str]) -> str:
    """A byte-level BPE tokenizer.json with single bytes, `merges` and special tokens."""
    vocabulary = dict(byte_characters())
    for merge in merges:
        vocabulary.setdefault(merge.replace(" ", ""), len(vocabulary))
    special = [
        {"id": len(vocabulary) + place, "content": content, "single_word": False, "lstrip": False,
         "rstrip": False, "normalized": False, "special": True}
        for place, content in enumerate(added)
    ]  # fmt: skip
    return json.dumps(
        {
            "version": "1.0",
            "truncation": None,
            "padding": None,
            "added_tokens": special,
            "normalizer": None,
            "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
            "post_processor": None,
            "decoder": {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True},
            "model": {"type": "BPE", "dropout": None, "unk_token": None, "vocab": vocabulary, "merges": merges},
        }
    )  # fmt: skip


def test_its_tokens_have_their_bytes_and_its_end_is_found_by_name() -> None:
    held = PastedTokenizers(Limits())
    tokenizer = held.get(held.keep(source(["a b", "ab c"], ["<|im_end|>", "<|other|>"])))
    vocabulary = tokenizer.vocabulary
    assert vocabulary.tokens[ord("a")] == b"a"
    assert b"abc" in vocabulary.tokens
    assert {vocabulary.name(token) for token in vocabulary.eos_ids} == {"<|im_end|>"}
    ids = tokenizer.encode("abc é")
    assert vocabulary.decode(ids) == "abc é".encode()
    assert vocabulary.tokens[ids[0]] == b"abc"


def test_without_an_end_by_name_one_more_token_stands_for_it() -> None:
    held = PastedTokenizers(Limits())
    vocabulary = held.get(held.keep(source([], []))).vocabulary
    assert len(vocabulary) == 257
    assert [vocabulary.name(token) for token in vocabulary.eos_ids] == ["<end>"]


def test_a_typed_control_token_is_spelled_out() -> None:
    held = PastedTokenizers(Limits())
    tokenizer = held.get(held.keep(source([], ["<|im_end|>"])))
    assert not set(tokenizer.encode("<|im_end|>")) & tokenizer.vocabulary.eos_ids


@pytest.mark.parametrize("text", ["", "{}", "[1]", "null", '{"model": 3}', "\ud800"])
def test_what_is_no_tokenizer_is_refused_in_words(text: str) -> None:
    with pytest.raises(InvalidInput, match=r"no tokenizer\.json"):
        PastedTokenizers(Limits()).keep(text)


def test_a_tokenizer_without_bytes_is_refused() -> None:
    word = {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"}
    text = json.dumps({**json.loads(source([], [])), "model": word})
    with pytest.raises(ModelUnavailable, match="no bytes for its tokens"):
        PastedTokenizers(Limits()).keep(text)


def test_the_oldest_make_room_and_are_asked_for_again() -> None:
    held = PastedTokenizers(Limits())
    first = held.keep(source(["a b"], []))
    for place in range(MAX_HELD):
        held.keep(source([f"{chr(ord('c') + place)} b"], []))
    with pytest.raises(InvalidInput, match="Paste it again"):
        held.get(first)
