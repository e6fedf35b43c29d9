"""Speed of the row store's packed waves: what a tree search pays for its rows."""

import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from playground.models.rows import RowStore
from playground.session import Playground

Row = tuple[str, str, str, bool]
"""What is compared, what was seen, the target, whether it holds."""

BATCH = 16
DEPTH = 20
TEXT = (
    "You are a support agent. Read the ticket and answer with one JSON object that names its "
    "intent, its priority and whether it has to be escalated to a person. Ticket: I was charged "
    "twice for the same order last week and nobody has answered my two letters since. Please give "
    "one of the two sums back, or I will close my account. Answer:"
)


def seconds(work: Callable[[], Any]) -> float:
    """Wall-clock seconds of one call."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def tree(prompt: tuple[int, ...], size: int, rng: Any) -> Iterator[list[tuple[int, ...]]]:
    """Waves of leaves as a best-first search asks for them: most are children of recent leaves,
    some of old ones; depths 1 to `DEPTH` under the prompt, no leaf twice."""
    seen: set[tuple[int, ...]] = {prompt}
    inner = [prompt]
    while True:
        wave: list[tuple[int, ...]] = []
        while len(wave) < BATCH:
            recent = inner[-2 * BATCH :] if rng.random() < 0.8 else inner
            parent = recent[int(rng.integers(len(recent)))]
            leaf = (*parent, int(rng.integers(20, size)))
            if leaf not in seen and len(leaf) <= len(prompt) + DEPTH:
                seen.add(leaf)
                wave.append(leaf)
        inner += wave
        yield wave


def waves(playground: Playground, n: int = 13) -> Iterator[Row]:
    """Waves of a tree search against plain passes from the prompt, and against a raw batch."""
    import torch
    from transformers import DynamicCache

    model: Any = playground.hub.get("smollm2")
    module = model._plain._model
    prompt = model.encode(TEXT)
    assert 60 <= len(prompt) <= 100
    rng = np.random.default_rng(3)
    search = tree(prompt, 40_000, rng)
    rows = RowStore(1_000_000_000)
    rows.get(model, [prompt])
    cache = DynamicCache()
    device = next(module.parameters()).device
    with torch.inference_mode():
        module(torch.tensor([prompt], device=device), cache=cache, use_cache=True)
        past = [
            (layer.keys.expand(BATCH, -1, -1, -1), layer.values.expand(BATCH, -1, -1, -1))
            for layer in cache.layers
        ]

    def raw(wave: list[tuple[int, ...]]) -> float:
        """A plain batched call of one token each, on the prompt's cache gathered beforehand."""
        gathered = DynamicCache()
        ids = torch.tensor([[leaf[-1]] for leaf in wave], device=device)
        with torch.inference_mode():
            for i, (keys, values) in enumerate(past):
                gathered.update(keys.contiguous(), values.contiguous(), i)
            return seconds(
                lambda: module(ids, cache=gathered, use_cache=True).logits.float().cpu().numpy()
            )

    ours, plain, batched, depths = [], [], [], []
    for i, wave in enumerate(search):
        if i >= n + 6:
            break
        took = seconds(partial(rows.get, model, wave))
        if i < 6:  # the tree is shallow yet
            continue
        ours.append(took)
        batched.append(raw(wave))
        some = wave[:: BATCH // 2]
        plain.append(seconds(partial(model.logits, some)) * len(wave) / len(some))
        depths += [len(leaf) - len(prompt) for leaf in wave]
    assert rows.computed == 1 + BATCH * (n + 6)
    rate = BATCH / statistics.median(ours)
    said = f"waves of {BATCH}, prompt of {len(prompt)}, depths {min(depths)} to {max(depths)}"
    ratio = statistics.median(a / b for a, b in zip(plain, ours, strict=True))
    yield (
        f"rows a second of a tree search ({said}) / re-running each prefix from the prompt",
        f"{ratio:.1f} ({rate:.0f} / {BATCH / statistics.median(plain):.1f})",
        "at least 8",
        ratio >= 8,
    )
    ratio = statistics.median(a / b for a, b in zip(batched, ours, strict=True))
    yield (
        f"rows a second of a tree search / a plain batched pass of {BATCH} tokens on the prompt",
        f"{ratio:.2f} ({rate:.0f} / {BATCH / statistics.median(batched):.0f})",
        "at least 0.7",
        ratio >= 0.7,
    )
