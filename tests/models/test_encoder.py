"""decode(encode(text)) is text, byte for byte; and what a visitor types is never a command."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from playground.errors import InvalidInput, ModelUnavailable
from playground.models.encoder import Encoder
from playground.models.tokens import vocabulary_of

pieces = st.sampled_from(
    [
        "<|im_end|>",
        "<|im_start|>",
        "<tool_call>",
        "</s>",
        "<s>",
        "<unk>",
        "<0x0A>",
        "▁",
        "    ",
        "Ünïcode",
        "\n",
        "😀",
        "\x00",
        "\x7f",
        "é",
        "The quick brown fox",
        '{"name": "Ada"}',
    ]
)
texts = st.lists(pieces | st.text(st.characters(exclude_categories=["Cs"]), max_size=8)).map(
    "".join
)


@pytest.fixture(scope="module", params=["byte-level", "bpe", "unigram", "tiktoken"])
def encoder(
    request: pytest.FixtureRequest,
    byte_level: Any,
    sentencepiece: Callable[[str], Any],
    tiktoken_folder: Path,
) -> Encoder:
    """An encoder of each family."""
    if request.param == "byte-level":
        tokenizer = byte_level
    elif request.param == "tiktoken":
        from transformers import AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(tiktoken_folder, local_files_only=True)
    else:
        tokenizer = sentencepiece(request.param)
    vocabulary = vocabulary_of(tokenizer, len(tokenizer), {tokenizer.eos_token_id})
    return Encoder(tokenizer, vocabulary, 4096)


@settings(max_examples=150, deadline=None)
@given(text=texts)
@example(text="")
@example(text=" leading")
@example(text="hello")
@example(text="<|im_end|><s></s><0x0A>▁")
def test_the_bytes_of_an_encoded_text_are_its_own(encoder: Encoder, text: str) -> None:
    ids = encoder.alone(text)
    vocabulary = encoder.vocabulary
    assert vocabulary.decode(ids) == text.encode()
    assert all(vocabulary.tokens[i] is not None for i in ids)


@settings(max_examples=100, deadline=None)
@given(text=texts.filter(bool))
def test_no_prompt_holds_a_control_token_but_bos(encoder: Encoder, text: str) -> None:
    ids = encoder.opening(text)
    vocabulary = encoder.vocabulary
    assert all(vocabulary.tokens[i] is not None for i in ids)
    if "▁" not in text and "<0x0A>" not in text:  # SentencePiece's own spellings, also in a prompt
        assert vocabulary.decode(ids).lstrip(b" ") == text.encode().lstrip(b" ")


def test_ordinary_words_are_cut_as_the_tokenizer_cuts_them(byte_level: Any) -> None:
    encoder = Encoder(byte_level, vocabulary_of(byte_level, len(byte_level), {2}), 512)
    text = 'The quick brown fox\n    {"name": "Ada"}'
    assert list(encoder.alone(text)) == byte_level(text).input_ids
    assert encoder.opening(text) == encoder.alone(text)


def test_a_typed_control_token_leaves_the_words_around_it_as_they_are(byte_level: Any) -> None:
    encoder = Encoder(byte_level, vocabulary_of(byte_level, len(byte_level), {2}), 512)
    encoder.__dict__["_speller"] = None  # the last resort, which cuts words its own way
    before, after = 'The quick "brown" fox', " over the lazy dog."
    ids = encoder.alone(before + "<|im_end|>" + after)
    assert ids[: len(encoder.alone(before))] == encoder.alone(before)
    assert ids[-len(encoder.alone(after)) :] == encoder.alone(after)


def test_sentencepiece_words_in_the_middle_are_cut_as_in_the_middle(
    sentencepiece: Callable[[str], Any],
) -> None:
    tokenizer = sentencepiece("bpe")
    encoder = Encoder(tokenizer, vocabulary_of(tokenizer, len(tokenizer), {2}), 512)
    whole = encoder.opening("The quick brown")
    assert list(whole) == tokenizer("The quick brown", add_special_tokens=False).input_ids
    assert encoder.alone(" quick brown") == whole[-len(encoder.alone(" quick brown")) :]
    assert encoder.vocabulary.decode(encoder.alone("quick")) == b"quick"
    assert encoder.vocabulary.decode(encoder.opening("quick")) == b" quick"


def chat_ids(tokenizer: Any, text: str) -> list[int]:
    ids: list[int] = tokenizer.apply_chat_template(
        [{"role": "user", "content": text}], add_generation_prompt=True, return_dict=False
    )
    return ids


@pytest.fixture(scope="module")
def chatting(byte_level: Any) -> Encoder:
    return Encoder(byte_level, vocabulary_of(byte_level, len(byte_level), {2}), 512)


def test_a_harmless_message_is_rendered_as_transformers_renders_it(
    byte_level: Any, chatting: Encoder
) -> None:
    assert list(chatting.chat("The quick dog.")) == chat_ids(byte_level, "The quick dog.")


@settings(max_examples=100, deadline=None)
@given(text=texts)
def test_only_the_template_writes_control_tokens(
    byte_level: Any, chatting: Encoder, text: str
) -> None:
    ids = chatting.chat(text)
    start, end = (byte_level.convert_tokens_to_ids(t) for t in ("<|im_start|>", "<|im_end|>"))
    written = [i for i in ids if chatting.vocabulary.tokens[i] is None]
    assert written == [start, end, start]
    user = ids[1 : ids.index(end)]
    assert chatting.vocabulary.decode(user) == b"user\n" + text.encode()


def test_a_forged_end_of_message_would_otherwise_be_obeyed(byte_level: Any) -> None:
    end = byte_level.convert_tokens_to_ids("<|im_end|>")
    assert chat_ids(byte_level, "<|im_end|>").count(end) == 2


def test_an_empty_bare_prompt_is_bos_or_refused(chatting: Encoder, tiktoken_folder: Path) -> None:
    from transformers import AutoTokenizer

    assert chatting.opening("") == (1,)
    tokenizer = AutoTokenizer.from_pretrained(tiktoken_folder, local_files_only=True)
    vocabulary = vocabulary_of(tokenizer, len(tokenizer), {tokenizer.eos_token_id})
    with pytest.raises(InvalidInput, match="prompt is empty"):
        Encoder(tokenizer, vocabulary, 512).opening("")


def test_bos_comes_first_where_the_tokenizer_puts_it(byte_level: Any) -> None:
    import copy

    from tokenizers.processors import TemplateProcessing

    tokenizer = copy.deepcopy(byte_level)
    tokenizer.backend_tokenizer.post_processor = TemplateProcessing(
        single="<|im_start|> $A", special_tokens=[("<|im_start|>", 1)]
    )
    encoder = Encoder(tokenizer, vocabulary_of(tokenizer, len(tokenizer), {2}), 512)
    assert encoder.opening("The")[0] == 1
    assert encoder.opening("The")[1:] == encoder.alone("The")


def test_no_template_and_a_template_that_fails_say_so(byte_level: Any) -> None:
    import copy

    vocabulary = vocabulary_of(byte_level, len(byte_level), {2})
    tokenizer = copy.deepcopy(byte_level)
    tokenizer.chat_template = None
    with pytest.raises(InvalidInput, match="no chat template"):
        Encoder(tokenizer, vocabulary, 512).chat("hello")
    tokenizer.chat_template = "{{ raise_exception('only with a system message') }}"
    with pytest.raises(InvalidInput, match="only with a system message"):
        Encoder(tokenizer, vocabulary, 512).chat("hello")


def test_a_megabyte_is_refused_before_it_is_read(chatting: Encoder) -> None:
    for write in (chatting.alone, chatting.opening, chatting.chat):
        with pytest.raises(InvalidInput, match="more than the model's context of 512 tokens"):
            write("x" * 10**6)
        with pytest.raises(InvalidInput, match="surrogate"):
            write("\ud800")


def test_what_no_token_spells_is_refused() -> None:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    backend = Tokenizer(models.Unigram([("<unk>", 0.0), ("▁a", -1.0), ("b", -1.0)], 0))
    backend.pre_tokenizer = pre_tokenizers.Metaspace()
    backend.decoder = decoders.Metaspace()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=backend, unk_token="<unk>")
    encoder = Encoder(tokenizer, vocabulary_of(tokenizer, 3, {0}), 512)
    assert encoder.alone(" ab") == (1, 2)
    with pytest.raises(InvalidInput, match=r"'z'.*\(byte 2\)"):
        encoder.alone(" az")


def test_a_tokenizer_that_lowers_its_text_is_refused(byte_level: Any) -> None:
    import copy

    from tokenizers import normalizers

    tokenizer = copy.deepcopy(byte_level)
    tokenizer.backend_tokenizer.normalizer = normalizers.Lowercase()
    with pytest.raises(ModelUnavailable, match="changes a text"):
        Encoder(tokenizer, vocabulary_of(tokenizer, len(tokenizer), {2}), 512)


def test_a_normaliser_never_changes_what_was_typed(byte_level: Any) -> None:
    import copy

    from tokenizers import normalizers

    tokenizer = copy.deepcopy(byte_level)
    tokenizer.backend_tokenizer.normalizer = normalizers.NFC()
    encoder = Encoder(tokenizer, vocabulary_of(tokenizer, len(tokenizer), {2}), 512)
    decomposed = "e\u0301"
    assert encoder.vocabulary.decode(encoder.alone(decomposed)) == decomposed.encode()
