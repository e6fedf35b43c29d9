"""Real tokenizers and models, tiny: trained and made here in seconds."""

import base64
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from playground.models.base import LanguageModel
from playground.models.loader import ModelHub
from playground.settings import Settings

CORPUS = [
    *(f"The quick brown fox number {n} jumps over the lazy dog." for n in range(150)),
    *('{"name": "Ada", "age": 36, "tags": ["a", "b"]}\n' for _ in range(20)),
    "naïve café, Größe, 日本語, здравствуй 😀",
]
CHAT = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + "
    "message['content'] + '<|im_end|>\\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)


@pytest.fixture(scope="session")
def byte_level() -> Any:
    """Byte-level BPE with special tokens, a marker that isn't flagged special, and blank runs."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.train_from_iterator(
        CORPUS,
        trainers.BpeTrainer(
            vocab_size=400,
            special_tokens=["<|endoftext|>", "<|im_start|>", "<|im_end|>"],
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        ),
    )
    tokenizer.add_tokens([AddedToken("<tool_call>"), AddedToken("    "), AddedToken("Ünïcode")])
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token="<|im_start|>",
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        chat_template=CHAT,
    )


@pytest.fixture(scope="session")
def sentencepiece(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Any]:
    """A SentencePiece tokenizer with byte fallback and a blank before the text: bpe or unigram."""
    made: dict[str, Any] = {}

    def tokenizer(kind: str) -> Any:
        if kind not in made:
            import sentencepiece as spm
            from transformers import AutoTokenizer

            folder: Path = tmp_path_factory.mktemp(kind)
            spm.SentencePieceTrainer.train(
                sentence_iterator=iter(CORPUS),
                model_prefix=str(folder / "tokenizer"),
                vocab_size=420,
                model_type=kind,
                byte_fallback=True,
                normalization_rule_name="identity",
                remove_extra_whitespaces=False,
                hard_vocab_limit=False,
                minloglevel=2,
            )
            (folder / "config.json").write_text('{"model_type": "llama", "vocab_size": 420}')
            made[kind] = (
                AutoTokenizer.from_pretrained(folder, local_files_only=True)
                if kind == "bpe"
                else unigram(folder / "tokenizer.model")
            )
            made[kind].folder = folder
        return made[kind]

    return tokenizer


def unigram(file: Path) -> Any:
    """A unigram SentencePiece file in the tokenizers library, as models with one ship it."""
    import sentencepiece as spm
    from tokenizers import Tokenizer, decoders, models, normalizers
    from transformers import PreTrainedTokenizerFast

    pieces = spm.SentencePieceProcessor(str(file))
    table = [(pieces.id_to_piece(i), pieces.get_score(i)) for i in range(pieces.vocab_size())]
    backend = Tokenizer(models.Unigram(table, pieces.unk_id(), byte_fallback=True))
    backend.normalizer = normalizers.Sequence(
        [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
    )
    backend.decoder = decoders.Sequence(
        [
            decoders.Replace("▁", " "),
            decoders.ByteFallback(),
            decoders.Fuse(),
            decoders.Strip(" ", 1, 0),
        ]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=backend, unk_token="<unk>", bos_token="<s>", eos_token="</s>"
    )


@pytest.fixture(scope="session")
def tiktoken_ranks() -> dict[bytes, int]:
    """Bytes -> rank, as tiktoken trains them."""
    from tiktoken._educational import bpe_train

    pattern = r"""'s|'t| ?\w+| ?[^\s\w]+|\s+(?!\S)|\s+"""
    return bpe_train(" ".join(CORPUS[:40] + CORPUS[-2:]), 300, pattern, visualise=None)


@pytest.fixture(scope="session")
def tiktoken_folder(
    tmp_path_factory: pytest.TempPathFactory, tiktoken_ranks: dict[bytes, int]
) -> Path:
    """A folder with a tiktoken file, as such models ship it."""
    folder: Path = tmp_path_factory.mktemp("tiktoken")
    lines = (f"{base64.b64encode(t).decode()} {rank}" for t, rank in tiktoken_ranks.items())
    (folder / "tiktoken.model").write_text("\n".join(lines) + "\n")
    (folder / "config.json").write_text('{"model_type": "llama"}')
    (folder / "tokenizer_config.json").write_text(
        json.dumps(
            {
                "tokenizer_class": "TokenizersBackend",
                "extra_special_tokens": ["<|endoftext|>", "<|eot|>"],
                "eos_token": "<|eot|>",
            }
        )
    )
    return folder


def tiny_config(kind: str, **settings: Any) -> Any:
    """A configuration of transformers model type `kind` with about 30,000 weights."""
    from transformers import AutoConfig

    sizes = {
        "hidden_size": 32,
        "intermediate_size": 48,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "max_position_embeddings": 256,
        "n_embd": 32,
        "n_layer": 2,
        "n_head": 4,
        "n_positions": 256,
        "bos_token_id": 1,
        "eos_token_id": 2,
        "pad_token_id": 0,
    }
    if kind == "gpt2":
        for key in ("hidden_size", "num_hidden_layers", "num_attention_heads"):
            del sizes[key]
        del sizes["max_position_embeddings"]
    return AutoConfig.for_model(kind, **{**sizes, **settings})


def save_tiny(folder: Path, kind: str, tokenizer: Any, **settings: Any) -> Path:
    """A random tiny model of type `kind` with `tokenizer`, saved as a visitor's folder would be."""
    import torch
    from transformers import AutoModelForCausalLM
    from transformers.utils import logging

    logging.disable_progress_bar()
    settings.setdefault("vocab_size", len(tokenizer) + 7)
    torch.manual_seed(0)
    model = AutoModelForCausalLM.from_config(tiny_config(kind, **settings))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn_like(parameter) * 0.3)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def make_tiny(tmp_path_factory: pytest.TempPathFactory, byte_level: Any) -> Callable[..., Path]:
    """Save a tiny model of a transformers type in a folder of its own."""

    def make(kind: str, tokenizer: Any = None, **settings: Any) -> Path:
        folder: Path = tmp_path_factory.mktemp(kind)
        return save_tiny(folder, kind, byte_level if tokenizer is None else tokenizer, **settings)

    return make


@pytest.fixture(scope="session")
def llama_folder(make_tiny: Callable[..., Path]) -> Path:
    """A tiny random Llama with grouped heads, on disk."""
    return make_tiny("llama")


@pytest.fixture(scope="session")
def hub(tmp_path_factory: pytest.TempPathFactory) -> ModelHub:
    """A hub with an empty cache and no operator's list."""
    cache: Path = tmp_path_factory.mktemp("cache")
    return ModelHub(Settings(models=(), cache=cache, threads=1))


@pytest.fixture(scope="session")
def llama(hub: ModelHub, llama_folder: Path) -> LanguageModel:
    """The tiny Llama, loaded as a local folder."""
    return hub.get(str(llama_folder))


@pytest.fixture(scope="session")
def smollm2() -> LanguageModel:
    """The real default model, from the machine's own cache of it."""
    if os.environ.get("PLAYGROUND_NO_MODEL") == "1":
        pytest.skip("PLAYGROUND_NO_MODEL=1: without the default model")
    return ModelHub(Settings.from_env()).get("smollm2")
