"""A language model of the transformers library, with keys and values that can be continued."""

import inspect
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer
from transformers.cache_utils import DynamicCache, DynamicLayer, DynamicSlidingWindowLayer
from transformers.utils import logging

from playground.errors import ModelUnavailable
from playground.logspace import Logits
from playground.models.attention import WIDE, attention_by_branch
from playground.models.base import LanguageModel, Prefix, Provenance
from playground.models.context import require_fits
from playground.models.encoder import Encoder
from playground.models.keysvalues import Memory, WarmPath
from playground.models.packed import PackedCache
from playground.models.states import States, padded_states
from playground.models.tokens import vocabulary_of
from playground.models.turns import Turns
from playground.vocabulary import Vocabulary

T = TypeVar("T")
Report = Callable[[str, float], None]
"""Called with what is being done and the fraction done, 0 to 1."""

_CONTEXT_KEYS = ("max_position_embeddings", "n_positions", "max_seq_len", "seq_length")
_WINDOWS = ("sliding_window", "window_size", "attention_chunk_size")
_DTYPE = "float32"
_SWITCH = 2e-4
"""Seconds that a thread keeps Python's lock while others want it. A pass takes it back after each of
some thousand operations: at Python's own 5 ms four busy threads make it 20 times as long, at this 4
times (measured)."""
_PROVEN = frozenset({"llama"})
"""Model types whose continuation the tests compare with plain passes; others are compared when
they are loaded."""
_TOLERANCE = 1e-3
"""Largest difference of a logit, continued against plain, before continuation is given up."""


class HFModel:
    """A causal transformers model as a `LanguageModel`: float32, one forward pass at a time."""

    def __init__(
        self, model: Any, vocabulary: Vocabulary, encoder: Encoder, provenance: Provenance
    ) -> None:
        self.vocabulary = vocabulary
        self.provenance = provenance
        self.context = context_of(model.config)
        self._model = model
        self._encoder = encoder
        weight = next(model.parameters())
        self.device = weight.device
        self.dtype = weight.dtype
        self.lock = Turns()  # first come, first served: a long job lets a step in between
        # One thread runs all passes: each thread that calls PyTorch gets helpers of its own for as
        # many cores, and memory that it frees serves no other thread.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="model")
        self.width = int(model.get_output_embeddings().weight.shape[1])
        accepted = inspect.signature(model.forward).parameters
        self._last_only = {"logits_to_keep": 1} if "logits_to_keep" in accepted else {}

    def apart(self, work: Callable[[], T]) -> T:
        """What `work` gives, run in the model's thread without gradients, nobody else beside it."""

        def alone() -> T:
            with torch.inference_mode():
                return work()

        with self.lock:
            return self._thread.submit(alone).result()

    def logits(self, prefixes: Sequence[Prefix]) -> Logits:
        """(B, V) float32 by plain forward passes, nothing kept: the reference for `extend`.

        Raises:
            InvalidInput: a prefix is longer than the context.
        """
        if not prefixes:
            return np.empty((0, len(self.vocabulary)), dtype=np.float32)
        rows = []
        for prefix in prefixes:
            require_fits(len(prefix), self.context)
            rows.append(self.apart(partial(self.forward, prefix, use_cache=False)))
        return np.stack(rows)

    def render(self, prompt: str, chat: bool) -> Prefix:
        """The prompt as ids: one user message through the chat template, or the bare text.

        Raises:
            InvalidInput: an empty bare prompt without a BOS, or chat without a template.
        """
        return self._encoder.chat(prompt) if chat else self._encoder.opening(prompt)

    def encode(self, text: str) -> Prefix:
        """`text` alone as ids, whose bytes are the text's.

        Raises:
            InvalidInput: the vocabulary can't spell it.
        """
        return self._encoder.alone(text)

    def states(self, prefixes: Sequence[Prefix]) -> tuple[States, ...]:
        """(T, width) float32 of each prefix, in padded passes, nothing kept: see `Embedding`.

        Raises:
            InvalidInput: a prefix is longer than the context.
        """
        return padded_states(self._model, self.lock, self.context, prefixes)

    def forward(self, tokens: Prefix, **settings: Any) -> Logits:
        """(V,) float32 after `tokens`, with transformers' own settings; within `apart`."""
        last: Logits = self.forward_each(tokens, **{**self._last_only, **settings})[-1]
        return last

    def forward_each(self, tokens: Prefix, **settings: Any) -> Logits:
        """(T, V) float32 after each of `tokens`, or what transformers' settings keep of it."""
        if not tokens:
            raise ValueError("a transformers model needs at least one token to read")
        ids = torch.tensor([tokens], device=self.device)
        row: Logits = self._model(input_ids=ids, **settings).logits[0].float().cpu().numpy()
        if not np.isfinite(row.max(axis=-1)).all():  # nan wins every maximum
            raise ModelUnavailable(
                "The model gave a score that isn't a number.",
                hint="Its weights are damaged, or overflow in this precision.",
                where=self.provenance.name,
            )
        return row


class ContinuedModel:
    """An `HFModel` whose keys and values can be continued (`Incremental`)."""

    def __init__(self, plain: HFModel) -> None:
        self.vocabulary = plain.vocabulary
        self.provenance = plain.provenance
        self.context = plain.context
        self.logits = plain.logits
        self.render = plain.render
        self.encode = plain.encode
        self.states = plain.states
        self.width = plain.width
        self._plain = plain
        self._warm = WarmPath()

    def extend(self, past: Sequence[Memory], tokens: Prefix) -> tuple[Logits, Memory]:
        """Run `tokens` (T,) after the memories `past`: T tokens of forward pass.

        Returns:
            (V,) float32 logits after the last token, and the memory of these T tokens.

        Raises:
            InvalidInput: longer than the context.
        """

        def run() -> tuple[Logits, Memory]:
            row = self._plain.forward(tokens, cache=self._warm.cache, use_cache=True)
            return row, self._warm.taken(len(tokens))

        return self._continued(past, len(tokens), run)

    def extend_each(
        self, past: Sequence[Memory], tokens: Prefix
    ) -> tuple[Logits, tuple[Memory, ...]]:
        """Run `tokens` (T,) after the memories `past` at once: one pass over T tokens.

        Returns:
            (T, V) float32 logits after each token, and the memory of each.

        Raises:
            InvalidInput: longer than the context.
        """

        def run() -> tuple[Logits, tuple[Memory, ...]]:
            rows = self._plain.forward_each(tokens, cache=self._warm.cache, use_cache=True)
            return rows, self._warm.taken_each(len(tokens))

        return self._continued(past, len(tokens), run)

    def _continued(self, past: Sequence[Memory], count: int, run: Callable[[], T]) -> T:
        """What `run` gives: a pass over `count` more tokens, the warm path holding `past`."""
        require_fits(sum(map(len, past)) + count, self.context)

        def work() -> T:
            try:
                self._warm.rewind(past)
                return run()
            except BaseException:
                self._warm.forget()
                raise

        return self._plain.apart(work)

    def continues_exactly(self) -> bool:
        """A short run in two pieces gives the logits of a plain one."""
        tokens = tuple(range(min(6, len(self.vocabulary))))
        _, first = self.extend((), tokens[:3])
        row, _ = self.extend((first,), tokens[3:])
        return bool(np.max(np.abs(row - self.logits([tokens])[0])) < _TOLERANCE)


class PackedModel(ContinuedModel):
    """A `ContinuedModel` that runs many branches in one pass (`Packed`)."""

    def __init__(self, plain: HFModel) -> None:
        super().__init__(plain)
        self._packed = PackedCache()

    def extend_packed(
        self, after: Sequence[Sequence[Memory] | int], tokens: Prefix
    ) -> tuple[Logits, tuple[Memory, ...]]:
        """Run `tokens` (T,) in one pass, each on its own branch: it sees the memories `after` it
        names, or what the earlier token of that index sees, and itself.

        Returns:
            (T, V) float32 logits after each token, and the memory of each.

        Raises:
            InvalidInput: a branch is longer than the context.
        """
        packed, plain = self._packed, self._plain

        def work() -> tuple[Logits, tuple[Memory, ...]]:
            try:
                packed.hold([past for past in after if not isinstance(past, int)], len(tokens))
                mask, positions = packed.views(after, plain.dtype, plain.device)
                require_fits(max(positions) + 1, self.context)
                with attention_by_branch(plain._model.config):
                    rows = plain.forward_each(
                        tokens,
                        cache=packed.cache,
                        use_cache=True,
                        attention_mask=mask,
                        position_ids=torch.tensor([positions], device=plain.device),
                    )
                return rows, packed.taken(len(tokens))
            except BaseException:
                packed.forget()
                raise

        return plain.apart(work)

    def packs_exactly(self) -> bool:
        """A tree in two packed passes, one deep and one wide, gives the logits of plain ones."""
        a, b, c, d, *stem = (i % len(self.vocabulary) for i in range(9))
        _, trunk = self.extend((), tuple(stem))
        try:
            rows, (_, _, fork) = self.extend_packed(((trunk,), 0, (trunk,)), (a, b, c))
            more, _ = self.extend_packed(((trunk, fork),) * WIDE, (d, *[a] * (WIDE - 2), b))
        except (TypeError, ValueError, RuntimeError, LookupError, ModelUnavailable):
            return False  # its family has no use for such a mask, as with ALiBi
        ends = ((a,), (a, b), (c,), (c, d), (c, b))
        plain = self.logits([(*stem, *end) for end in ends])
        return bool(np.max(np.abs(np.concatenate([rows, more[[0, -1]]]) - plain)) < _TOLERANCE)


def context_of(config: Any) -> int:
    """The longest prefix the model reads, in tokens; 2048 where its configuration doesn't say."""
    text = config.get_text_config()
    for key in _CONTEXT_KEYS:
        value = getattr(text, key, None)
        if isinstance(value, int) and value > 0:
            return value
    return 2048


def eos_of(config: Any, generation: Any, tokenizer: Any) -> frozenset[int]:
    """Every id that the generation configuration, the configuration or the tokenizer calls EOS."""
    found: set[int] = set()
    for source in (generation, config, config.get_text_config(), tokenizer):
        ids = getattr(source, "eos_token_id", None)
        found.update(ids if isinstance(ids, list | tuple) else [] if ids is None else [ids])
    return frozenset(found)


def load_folder(
    folder: Path, name: str, revision: str, threads: int, report: Report
) -> LanguageModel:
    """The model in a local folder: safetensors only, no code from it, no hub call.

    Raises:
        ModelUnavailable: its tokenizer has no bytes for its tokens.
        Exception: of any class, as transformers raises it for files that are missing, damaged or
            of an unknown kind.
    """
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    torch.set_num_threads(threads)
    sys.setswitchinterval(min(_SWITCH, sys.getswitchinterval()))
    safe = {"local_files_only": True, "trust_remote_code": False}
    report("reading the tokenizer", 0.2)
    config = AutoConfig.from_pretrained(folder, **safe)
    tokenizer = AutoTokenizer.from_pretrained(folder, config=config, **safe)
    report("loading the weights", 0.4)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = AutoModelForCausalLM.from_pretrained(
        folder, config=config, dtype=_DTYPE, use_safetensors=True, **safe
    ).to(device)
    model.eval()
    report("reading the vocabulary", 0.9)
    size = int(model.get_output_embeddings().weight.shape[0])
    ends = eos_of(model.config, model.generation_config, tokenizer)
    vocabulary = vocabulary_of(tokenizer, size, ends)
    encoder = Encoder(tokenizer, vocabulary, context_of(model.config))
    plain = HFModel(model, vocabulary, encoder, Provenance(name, revision, _DTYPE, "live", device))
    if not continuable(model):
        return plain
    proven = model.config.model_type in _PROVEN
    continued = ContinuedModel(plain)
    if not proven and not continued.continues_exactly():
        return plain
    packed = PackedModel(plain)
    return packed if packable(model) and (proven or packed.packs_exactly()) else continued


def continuable(model: Any) -> bool:
    """The model remembers by keys and values alone, one pair a layer (no recurrent state)."""
    if "cache" not in inspect.signature(model.forward).parameters or model._is_stateful:
        return False
    layers = DynamicCache(config=model.config).layers
    return all(type(layer) in (DynamicLayer, DynamicSlidingWindowLayer) for layer in layers)


def packable(model: Any) -> bool:
    """A token may be told what it sees and where it stands, and nothing else decides either: no
    window of nearby tokens, no rotation that depends on the longest branch of a pass."""
    accepted = inspect.signature(model.forward).parameters
    text = model.config.get_text_config()
    rope = getattr(text, "rope_parameters", None) or {}
    kinds = {rope.get("rope_type")}
    kinds |= {each.get("rope_type") for each in rope.values() if isinstance(each, dict)}
    return (
        {"attention_mask", "position_ids"} <= accepted.keys()
        and all(type(layer) is DynamicLayer for layer in DynamicCache(config=model.config).layers)
        and all(getattr(text, key, None) is None for key in _WINDOWS)
        and not kinds & {"dynamic", "longrope"}
    )
