"""Hidden states: what a model's last layer says of every token, for several texts a pass."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from playground.errors import Cancelled, ModelUnavailable
from playground.models.base import Embedding, LanguageModel, Prefix
from playground.models.context import require_fits

TOKENS = 512
"""Most tokens of one padded pass, padding counted, unless one prefix alone is longer. Others wait
no longer than one pass; larger ones are hardly faster on a CPU."""

States = NDArray[np.float32]
"""(T, width): a row for each token."""
Batch = tuple[list[int], tuple[States, ...]]
"""Which prefixes, and the states of each."""


def embeds(model: LanguageModel) -> Embedding:
    """`model` as one that shows its hidden states.

    Raises:
        ModelUnavailable: it has none.
    """
    if isinstance(model, Embedding):
        return model
    name = model.provenance.name
    why = "is a table of probabilities" if model.provenance.kind == "toy" else "gives only scores"
    raise ModelUnavailable(
        f"{name[:80]} {why}: it has no hidden states that a head could read.",
        "Choose a model whose weights are on this machine, such as smollm2.",
        "model",
    )


def by_batch(
    model: Embedding, prefixes: Sequence[Prefix], cancelled: Callable[[], bool] | None = None
) -> Iterator[Batch]:
    """The states of `prefixes`, a padded pass at a time, the shortest first.

    Args:
        model: see `embeds`.
        prefixes: of at least one token each.
        cancelled: asked before every pass; True ends the work.

    Raises:
        Cancelled: it was stopped; what was yielded stands.
        InvalidInput: a prefix is longer than the model's context.
    """
    for batch in batches(list(map(len, prefixes))):
        if cancelled is not None and cancelled():
            raise Cancelled("Reading the texts was stopped.")
        yield batch, model.states([prefixes[i] for i in batch])


def batches(lengths: Sequence[int], most: int = TOKENS) -> list[list[int]]:
    """Indices of the prefixes of each padded pass, by length, so that little is padding.

    Args:
        lengths: of the prefixes, in tokens.
        most: count x longest of a pass stays within it, unless the pass is one prefix.
    """
    found: list[list[int]] = []
    for i in sorted(range(len(lengths)), key=lambda i: lengths[i]):
        if found and (len(found[-1]) + 1) * lengths[i] <= most:
            found[-1].append(i)
        else:
            found.append([i])
    return found


def padded_states(
    module: Any, lock: AbstractContextManager[Any], context: int, prefixes: Sequence[Prefix]
) -> tuple[States, ...]:
    """The states of each of `prefixes`: (T, width) float32 each, after the final norm.

    Args:
        module: a causal transformers model.
        lock: held for each pass, free in between.
        context: the longest prefix it reads, in tokens.
        prefixes: of at least one token each.

    Raises:
        InvalidInput: a prefix is longer than the context.
        ModelUnavailable: the model's body gives no such states, or one isn't a number.
    """
    for prefix in prefixes:
        require_fits(len(prefix), context)
    found: dict[int, States] = {}
    for batch in batches(list(map(len, prefixes))):
        with lock:
            found |= zip(batch, _pass(module, [prefixes[i] for i in batch]), strict=True)
    return tuple(found[i] for i in range(len(prefixes)))


def _pass(module: Any, prefixes: Sequence[Prefix]) -> list[States]:
    """One padded pass. The padding stands at the right, where no token of the text sees it."""
    import torch

    lengths = [len(prefix) for prefix in prefixes]
    if not min(lengths):
        raise ValueError("a transformers model needs at least one token to read")
    device = next(module.parameters()).device
    ids = torch.zeros((len(prefixes), max(lengths)), dtype=torch.long)
    mask = torch.zeros_like(ids)
    for row, prefix in enumerate(prefixes):
        ids[row, : len(prefix)] = torch.tensor(prefix)
        mask[row, : len(prefix)] = 1
    with torch.inference_mode():
        output = module.base_model(
            input_ids=ids.to(device), attention_mask=mask.to(device), use_cache=False
        )
        states = getattr(output, "last_hidden_state", None)
        if states is None:
            raise ModelUnavailable(
                f"A model of the kind {module.config.model_type} doesn't show its hidden states.",
                "Choose another model, such as smollm2.",
                "model",
            )
        rows = [states[row, :length].float().cpu().numpy() for row, length in enumerate(lengths)]
    if not all(np.isfinite(row).all() for row in rows):
        raise ModelUnavailable(
            "The model gave a hidden state that isn't a number.",
            "Its weights are damaged, or overflow in this precision.",
            "model",
        )
    return [row.copy() for row in rows]  # a view would keep the whole padded pass
