"""Speed of a study: what its rows cost beside a raw batched pass of as many tokens."""

import statistics
import time
from collections.abc import Iterator, Sequence
from typing import Any

from playground import studies
from playground.logspace import Logits
from playground.models.base import LanguageModel, Prefix
from playground.models.rows import RowStore
from playground.session import Playground
from playground.studies import Studies
from playground.study.runner import CHUNK
from playground.study.spec import StudySpec
from tests.bench_rows import Row, seconds


class Watched(RowStore):
    """Counts what a chunk asks of its store."""

    stores: list["Watched"] = []

    def __init__(self, budget_bytes: int) -> None:
        super().__init__(budget_bytes)
        self.asked: list[int] = []
        Watched.stores.append(self)

    def get(self, model: LanguageModel, prefixes: Sequence[Prefix]) -> Logits:
        before = self.computed
        rows = super().get(model, prefixes)
        self.asked.append(self.computed - before)
        return rows


def study(playground: Playground, n: int = 24) -> Iterator[Row]:
    """Rows a second of a study of tickets, prompts and all, over those of raw passes in between."""
    spec = StudySpec(prompts="builtin:tickets", n=n, methods=("ask", "strict", "parallel-3"))
    ready = Studies(playground).prepare(spec)
    own = studies.RowStore
    studies.RowStore = Watched  # type: ignore[misc]
    try:
        ready.run(0)  # masks and threads warm
        Watched.stores.clear()
        took, raw = list[float](), list[float]()
        for chunk in range(1, len(ready.chunks)):
            started = time.perf_counter()
            ready.run(chunk)
            took.append(time.perf_counter() - started)
            store = Watched.stores[-1]
            batch = round(store.computed / sum(size > 0 for size in store.asked))
            raw.append(raw_rate(playground, ready.open(0).problem.prompt, batch))
    finally:
        studies.RowStore = own  # type: ignore[misc]
    rates = [store.computed / each for store, each in zip(Watched.stores, took, strict=True)]
    ratio = statistics.median(a / b for a, b in zip(rates, raw, strict=True))
    yield (
        f"rows a second of a study of tickets (chunks of {CHUNK} prompts, ask, strict and "
        f"parallel-3, batches of {batch} in the mean, prompts read and answers judged) / a plain "
        "batched pass",
        f"{ratio:.2f} ({statistics.median(rates):.0f} / {statistics.median(raw):.0f})",
        "at least 0.5",
        ratio >= 0.5,
    )


def raw_rate(playground: Playground, prompt: Prefix, batch: int, depth: int = 24) -> float:
    """Rows a second of plain batched passes, one token for each of `batch` runs after `prompt`."""
    import torch
    from transformers import DynamicCache

    model: Any = playground.hub.get("smollm2")
    module = model._plain._model
    device = next(module.parameters()).device
    cache = DynamicCache()
    with torch.inference_mode():
        module(torch.tensor([prompt], device=device), cache=cache, use_cache=True)
        spread = DynamicCache()
        for i, layer in enumerate(cache.layers):
            shape = (batch, -1, -1, -1)
            spread.update(
                layer.keys.expand(shape).contiguous(), layer.values.expand(shape).contiguous(), i
            )

    def steps() -> None:
        ids = torch.full((batch, 1), 28, device=device)
        with torch.inference_mode():
            for _ in range(depth):
                module(ids, cache=spread, use_cache=True).logits.float().cpu().numpy()

    return batch * depth / seconds(steps)
