"""Attention of the branches of a token tree: neighbours read the keys they see, not everyone's."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import pad, scaled_dot_product_attention
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

SIDE = 8
"""Neighbouring tokens that read the same keys: fewer read less, but copy more."""
COPYING = 12
"""Reads of one key, by one token each, that cost as much as copying it (measured on CPUs)."""
WIDE = 6 * SIDE
"""Branches of one token each that are certainly split into groups."""
BY_BRANCH = "by_branch"
"""The name of `attend` among the attention functions of transformers."""


class Groups(NamedTuple):
    """The tokens of a pass in G groups of g neighbours, the last filled up; each reads n keys."""

    slots: torch.Tensor | None
    """(G * n,) where the keys of each group lie; None for one group that reads all."""
    mask: torch.Tensor
    """(G, 1, g, n) to be added to the scores."""


def tree_mask(sees: NDArray[np.bool_], dtype: torch.dtype, device: torch.device) -> torch.Tensor:
    """(1, 1, T, K) to be added to the scores, from which of K keys each of T tokens sees.

    On a CPU it carries `groups` for `attend`; what a model computes from it doesn't.
    """
    mask: Any = _added(sees[None, None], dtype, device)
    if device.type == "cpu":
        mask.groups = _split(sees, dtype) or Groups(None, mask)
    whole: torch.Tensor = mask
    return whole


def _added(sees: NDArray[np.bool_], dtype: torch.dtype, device: torch.device) -> torch.Tensor:
    mask = torch.zeros(sees.shape, dtype=dtype, device=device)
    return mask.masked_fill_(torch.from_numpy(~sees).to(device), torch.finfo(dtype).min)


def _split(sees: NDArray[np.bool_], dtype: torch.dtype) -> Groups | None:
    """Groups of neighbours, or all in one, that copy the keys they read, where that costs less than
    that all read all."""
    least, found = sees.size, None
    for side in (min(SIDE, len(sees)), len(sees)):
        rows = np.pad(sees, ((0, -len(sees) % side), (0, 0))).reshape(-1, side, sees.shape[1])
        seen = rows.any(axis=1)
        most = int(seen.sum(axis=1).max())
        cost = len(rows) * most * (side + COPYING)
        if cost < least:
            least, found = cost, (rows, seen, most)
    if found is None:
        return None
    rows, seen, most = found
    slots = np.argsort(~seen, axis=1, kind="stable")[:, :most]
    own = np.take_along_axis(rows, slots[:, None], axis=2)[:, None]
    return Groups(torch.from_numpy(slots.ravel()), _added(own, dtype, torch.device("cpu")))


def attend(
    module: Any, query: Any, key: Any, value: Any, attention_mask: Any, **given: Any
) -> tuple[torch.Tensor, torch.Tensor | None]:
    """What `sdpa` of transformers gives, (1, T, heads, width), by the groups of a `tree_mask`.

    Query heads that share a key head become more tokens of it, so no key is repeated.
    """
    groups: Groups | None = getattr(attention_mask, "groups", None)
    special = any(given.get(name) is not None for name in ("softcap", "position_bias"))
    if groups is None or special:
        usual: tuple[torch.Tensor, None] = sdpa_attention_forward(
            module, query, key, value, attention_mask, **given
        )
        return usual
    count, _, side, most = groups.mask.shape
    (_, heads, tokens, width), shared = query.shape, key.shape[1]
    if groups.slots is not None:
        key, value = (
            states.index_select(2, groups.slots).view(shared, count, most, -1).transpose(0, 1)
            for states in (key, value)
        )
    query = pad(query, (0, 0, 0, count * side - tokens)).view(shared, -1, count, side, width)
    query = query.permute(2, 0, 1, 3, 4).reshape(count, shared, -1, width)
    mask = groups.mask.expand(-1, heads // shared, -1, -1).reshape(count, 1, -1, most)
    dropout, scale = given.get("dropout", 0.0), given.get("scaling")
    out = scaled_dot_product_attention(query, key, value, mask, dropout, scale=scale)
    out = out.view(count, shared, -1, side, value.shape[-1]).permute(0, 3, 1, 2, 4)
    return out.reshape(1, count * side, heads, -1)[:, :tokens], None


ALL_ATTENTION_FUNCTIONS.register(BY_BRANCH, attend)


@contextmanager
def attention_by_branch(config: Any) -> Iterator[None]:
    """Have the model of `config` use `attend` for a pass, if it is one that uses `sdpa`."""
    text = config.get_text_config()
    usual = text._attn_implementation
    if usual == "sdpa":
        text._attn_implementation = BY_BRANCH
    try:
        yield
    finally:
        text._attn_implementation = usual
