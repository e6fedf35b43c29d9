"""Every id of a real tokenizer gets exactly the bytes that it writes, or none."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from playground.errors import ModelUnavailable
from playground.models.tokens import byte_characters, controls, family_of, vocabulary_of


def test_the_byte_alphabet_is_a_bijection() -> None:
    table = byte_characters()
    assert sorted(table.values()) == list(range(256))
    assert table["Ġ"] == 0x20
    assert table["Ċ"] == 0x0A
    assert table["a"] == ord("a")


def test_byte_level_pieces_are_their_bytes(byte_level: Any) -> None:
    vocabulary = vocabulary_of(byte_level, len(byte_level), {2})
    singles = {text for text in vocabulary.tokens if text is not None and len(text) == 1}
    assert len(singles) == 256
    for token, text in enumerate(vocabulary.tokens):
        if text is not None and all(byte < 128 for byte in text):
            assert byte_level.decode([token]).encode() == text


def test_special_tokens_and_markers_have_no_bytes_but_added_words_do(byte_level: Any) -> None:
    vocabulary = vocabulary_of(byte_level, len(byte_level), {2})
    ids = byte_level.get_vocab()
    for name in ("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<tool_call>"):
        assert vocabulary.tokens[ids[name]] is None
        assert vocabulary.name(ids[name]) == name
    assert set(controls(byte_level).values()) == {
        "<|endoftext|>",
        "<|im_start|>",
        "<|im_end|>",
        "<tool_call>",
    }
    assert vocabulary.tokens[ids["    "]] == b"    "
    assert vocabulary.tokens[ids["Ünïcode"]] == "Ünïcode".encode()


def test_ids_beyond_the_tokenizer_are_padding(byte_level: Any) -> None:
    size = len(byte_level) + 50
    vocabulary = vocabulary_of(byte_level, size, {2})
    assert len(vocabulary) == size
    assert vocabulary.tokens[-50:] == (None,) * 50
    smaller = vocabulary_of(byte_level, 300, {2})
    assert smaller.tokens == vocabulary.tokens[:300]


def test_several_tokens_may_end_a_text_and_lose_their_bytes(byte_level: Any) -> None:
    word = byte_level.get_vocab()["The"]
    vocabulary = vocabulary_of(byte_level, len(byte_level), {0, 2, word, 10**6})
    assert vocabulary.eos_ids == {0, 2, word}
    assert vocabulary.tokens[word] is None
    assert vocabulary.name(word) == "The"


def test_a_model_that_never_ends_is_refused(byte_level: Any) -> None:
    with pytest.raises(ModelUnavailable, match="no token that ends"):
        vocabulary_of(byte_level, len(byte_level), {10**6})


@pytest.mark.parametrize("kind", ["bpe", "unigram"])
def test_sentencepiece_pieces_are_blanks_and_bytes(
    sentencepiece: Callable[[str], Any], kind: str
) -> None:
    import sentencepiece as spm

    tokenizer = sentencepiece(kind)
    vocabulary = vocabulary_of(tokenizer, len(tokenizer), {tokenizer.eos_token_id})
    processor = spm.SentencePieceProcessor(str(tokenizer.folder / "tokenizer.model"))
    checked = 0
    for rank in range(processor.vocab_size()):
        piece = processor.id_to_piece(rank)
        token = tokenizer.convert_tokens_to_ids(piece)
        if processor.is_control(rank) or processor.is_unknown(rank):
            continue
        expected = (
            bytes([int(piece[3:5], 16)])
            if processor.is_byte(rank)
            else piece.replace("▁", " ").encode()
        )
        assert vocabulary.tokens[token] == expected
        checked += 1
    assert checked > 300
    assert vocabulary.tokens[tokenizer.convert_tokens_to_ids("<0x0A>")] == b"\n"
    assert vocabulary.tokens[tokenizer.eos_token_id] is None


def test_tiktoken_ranks_keep_their_bytes(
    tiktoken_folder: Path, tiktoken_ranks: dict[bytes, int]
) -> None:
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(tiktoken_folder, local_files_only=True)
    vocabulary = vocabulary_of(tokenizer, len(tokenizer), {tokenizer.eos_token_id})
    assert family_of(tokenizer) == "byte-level"
    for text, rank in tiktoken_ranks.items():
        assert vocabulary.tokens[rank] == text
    assert vocabulary.tokens[len(tiktoken_ranks) :] == (None, None)


def wordpiece() -> Any:
    from tokenizers import Tokenizer, decoders, models

    tokenizer = Tokenizer(models.WordPiece({"[UNK]": 0, "a": 1, "##b": 2}, unk_token="[UNK]"))
    tokenizer.decoder = decoders.WordPiece()
    return tokenizer


def word_level() -> Any:
    from tokenizers import Tokenizer, models

    return Tokenizer(models.WordLevel({"[UNK]": 0, "a": 1}, unk_token="[UNK]"))


def suffixed() -> Any:
    from tokenizers import Tokenizer, decoders, models

    tokenizer = Tokenizer(models.BPE({"a": 0, "b</w>": 1}, [], end_of_word_suffix="</w>"))
    tokenizer.decoder = decoders.BPEDecoder()
    return tokenizer


def normalising_unigram() -> Any:
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers

    tokenizer = Tokenizer(models.Unigram([("<unk>", 0.0), ("▁a", -1.0)], 0))
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    return tokenizer


@pytest.mark.parametrize("make", [wordpiece, word_level, suffixed, normalising_unigram])
def test_tokenizers_whose_tokens_have_no_bytes_are_refused(make: Callable[[], Any]) -> None:
    from transformers import PreTrainedTokenizerFast

    tokenizer = PreTrainedTokenizerFast(tokenizer_object=make())
    with pytest.raises(ModelUnavailable, match="no bytes for its tokens"):
        vocabulary_of(tokenizer, 3, {0})


def test_a_unigram_without_byte_fallback_is_kept_if_it_changes_nothing() -> None:
    from transformers import PreTrainedTokenizerFast

    backend = normalising_unigram()
    backend.normalizer = None
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=backend)
    assert family_of(tokenizer) == "metaspace"
    assert vocabulary_of(tokenizer, 3, {0}).tokens == (None, b" a", None)


def test_a_tokenizer_in_python_is_refused() -> None:
    with pytest.raises(ModelUnavailable, match="runs in Python"):
        family_of(object())
