"""Attention by branch: equal to attention over everything, and to passes of one branch."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from transformers.integrations.sdpa_attention import sdpa_attention_forward

from playground.models import attention
from playground.models.attention import BY_BRANCH, attend, attention_by_branch, tree_mask
from playground.models.base import LanguageModel, Prefix
from playground.models.loader import ModelHub
from playground.models.rows import RowStore

TOLERANCE = 1e-3
"""Of a logit, for a packed pass against a plain one."""
CPU = torch.device("cpu")


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """For each attention by branch: how many groups, and how many keys each of them reads."""
    found: list[tuple[int, int]] = []
    right = attention.scaled_dot_product_attention

    def noting(query: Any, key: Any, *given: Any, **options: Any) -> Any:
        found.append((key.shape[0], key.shape[2]))
        return right(query, key, *given, **options)

    monkeypatch.setattr(attention, "scaled_dot_product_attention", noting)
    return found


def branches(tokens: int, trunk: int, own: int, rng: np.random.Generator) -> Any:
    """(T, K): all see the trunk, each some of its own past, which lies between the others'."""
    sees = np.zeros((tokens, trunk + own * tokens), dtype=np.bool_)
    sees[:, :trunk] = True
    for i in range(tokens):
        sees[i, trunk + i :: tokens] = rng.random(own) < 0.8
        sees[i, trunk + (own - 1) * tokens + i] = True
    return sees


@pytest.mark.parametrize(("heads", "shared"), [(9, 3), (4, 4), (6, 1)])
@pytest.mark.parametrize(
    ("tokens", "trunk", "own", "groups"),
    [
        (64, 20, 10, 8),
        (61, 20, 10, 8),
        (33, 3, 40, 5),
        (17, 3, 40, 1),
        (16, 90, 2, 1),
        (5, 4, 3, 1),
        (1, 7, 1, 1),
    ],
)
def test_attention_by_branch_is_attention(
    read: list[tuple[int, int]],
    heads: int,
    shared: int,
    tokens: int,
    trunk: int,
    own: int,
    groups: int,
) -> None:
    rng = np.random.default_rng(tokens)
    torch.manual_seed(tokens)
    sees = branches(tokens, trunk, own, rng)
    keys = sees.shape[1]
    query = torch.randn(1, tokens, heads, 16).transpose(1, 2)
    key = torch.randn(1, shared, keys + 30, 16)[:, :, :keys]
    value = torch.randn(1, shared, keys + 30, 12)[:, :, :keys]
    module = SimpleNamespace(num_key_value_groups=heads // shared)
    mask = tree_mask(sees, torch.float32, CPU)
    got, _ = attend(module, query, key, value, mask, scaling=0.3)
    want, _ = sdpa_attention_forward(module, query, key, value, mask, scaling=0.3)
    assert got.shape == want.shape == (1, tokens, heads, 12)
    assert (got - want).abs().max() < 1e-5
    ((count, reads),) = read
    assert count == groups
    assert reads == keys if groups == 1 else reads < keys / 2


def test_what_nobody_sees_is_not_read(read: list[tuple[int, int]]) -> None:
    seen, tokens = 40, 6
    sees = np.zeros((tokens, 4000), dtype=np.bool_)
    sees[:, np.arange(seen) * 90 + 5] = True
    query = torch.randn(1, 4, tokens, 8)
    key, value = torch.randn(2, 1, 2, sees.shape[1], 8).unbind()
    mask = tree_mask(sees, torch.float32, CPU)
    module = SimpleNamespace(num_key_value_groups=2)
    got, _ = attend(module, query, key, value, mask)
    want, _ = sdpa_attention_forward(module, query, key, value, mask)
    assert (got - want).abs().max() < 1e-5
    assert read == [(1, seen)]


def test_what_it_does_not_fit_is_left_to_the_usual_attention(read: list[tuple[int, int]]) -> None:
    sees = branches(32, 4, 8, np.random.default_rng(0))
    query, key = torch.randn(1, 4, 32, 8), torch.randn(1, 2, sees.shape[1], 8)
    module, bias = SimpleNamespace(num_key_value_groups=2), torch.randn(1, 4, *sees.shape)
    mask = tree_mask(sees, torch.float32, CPU)
    for changed, more in ((mask, {"position_bias": bias}), (mask * 1, {}), (mask[:, :, :], {})):
        got, _ = attend(module, query, key, key, changed, **more)
        want, _ = sdpa_attention_forward(module, query, key, key, changed, **more)
        assert torch.equal(got, want)
    with pytest.raises(ValueError, match="softcap"):
        attend(module, query, key, key, mask, softcap=30.0)
    assert read == []
    assert not hasattr(tree_mask(sees, torch.float32, torch.device("meta")), "groups")


@pytest.mark.parametrize(("usual", "inside"), [("sdpa", BY_BRANCH), ("eager", "eager")])
def test_only_passes_by_branch_attend_by_branch(usual: str, inside: str) -> None:
    from transformers import LlamaConfig

    config, seen = LlamaConfig(attn_implementation=usual), []

    def failing() -> None:
        with attention_by_branch(config):
            seen.append(config._attn_implementation)
            raise KeyError

    with pytest.raises(KeyError):
        failing()
    assert (*seen, config._attn_implementation) == (inside, usual)


def lockstep(model: LanguageModel, prompt: Prefix, steps: int, checked: int, draws: int) -> float:
    """The largest difference of a logit, for random runs of `steps` tokens after `prompt`."""
    rng, rows, worst = np.random.default_rng(3), RowStore(1_000_000_000), 0.0
    runs = [prompt] * draws
    for _ in range(steps):
        tokens = rng.integers(3, len(model.vocabulary) - 20, draws)
        runs = [(*run, int(token)) for run, token in zip(runs, tokens, strict=True)]
        got = rows.get(model, runs)
        at = rng.permutation(draws)[:checked]
        plain = model.logits([runs[i] for i in at])
        worst = max(worst, float(np.abs(got[at] - plain).max()))
    return worst


@pytest.mark.parametrize(
    ("kind", "options"), [("llama", {}), ("gpt2", {}), ("qwen3", {"head_dim": 12})]
)
def test_disjoint_branches_read_their_own_keys_and_give_plain_rows(
    hub: ModelHub,
    make_tiny: Callable[..., Path],
    read: list[tuple[int, int]],
    kind: str,
    options: dict[str, Any],
) -> None:
    model = hub.get(str(make_tiny(kind, **options)))
    read.clear()
    assert lockstep(model, tuple(range(5, 25)), steps=8, checked=61, draws=61) < TOLERANCE
    assert read[-1] == (8, 20 + 8 * 8), "of 20 + 8 * 61 keys"


def test_the_check_of_a_new_family_covers_groups(
    llama: LanguageModel, read: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    from playground.models.hf import PackedModel

    assert isinstance(llama, PackedModel)
    assert PackedModel(llama._plain).packs_exactly()
    assert read[-1][0] == 6
    right = attention._split

    def wrong(sees: Any, dtype: Any) -> Any:
        groups = right(sees, dtype)
        return groups and groups._replace(slots=groups.slots.flip(0))

    monkeypatch.setattr(attention, "_split", wrong)
    assert not PackedModel(llama._plain).packs_exactly()


@pytest.mark.model
def test_disjoint_branches_of_the_default_model_give_plain_rows(
    smollm2: LanguageModel, read: list[tuple[int, int]]
) -> None:
    prompt = smollm2.encode("The three words that I like most are")
    assert lockstep(smollm2, prompt, steps=3, checked=6, draws=40) < TOLERANCE
    assert read[-1] == (5, len(prompt) + 3 * 8)
