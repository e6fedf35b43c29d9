"""How p is made from raw logits: temperature, then top-k and top-p; and where the mask comes in."""

from typing import Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, field_validator

from playground.errors import InvalidInput
from playground.logspace import Logits, LogProbs, Mask, log_normalize

MaskOrder = Literal["after-filters", "before-filters"]


COLDEST = 0.01
"""Lowest temperature above 0: logits over it stay far from what a float64 can hold."""


class Sampling(BaseModel):
    """Settings of the law p that an unconstrained sampler draws from."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    temperature: float = Field(default=1.0, ge=0.0, le=10.0)
    """0 is greedy: the largest allowed logit, lowest id on ties; p and Z_t are then those of T = 1."""
    top_k: int = Field(default=0, ge=0)
    """Keep the k likeliest tokens (ties with the k-th are kept, so a set is never cut by id); 0 is off."""
    top_p: float = Field(default=1.0, gt=0.0, le=1.0)
    """Keep the smallest set of likeliest tokens whose mass reaches top_p; 1 is off."""
    mask_order: MaskOrder = "after-filters"
    """`after-filters`: p is the filtered law and the mask comes last. `before-filters`: as engines
    do, mask first, then filter what is left; the proposal is then not p·m/Z_t."""
    seed: int = Field(default=0, ge=0, lt=2**53)
    """Below 2^53, so that a browser's numbers hold it exactly."""

    @field_validator("temperature")
    @classmethod
    def _warm_enough(cls, temperature: float) -> float:
        if 0 < temperature < COLDEST:
            raise ValueError(f"It must be 0 (greedy) or at least {COLDEST}")
        return temperature

    @property
    def greedy(self) -> bool:
        """Temperature 0: no draw."""
        return self.temperature == 0.0

    @property
    def filtered(self) -> bool:
        """top-k or top-p is on."""
        return self.top_k > 0 or self.top_p < 1.0


def tempered(logits: Logits, sampling: Sampling) -> LogProbs:
    """(V,) logprobs of softmax(logits / T), T = 1 when greedy."""
    scaled = np.asarray(logits, dtype=np.float64)
    return log_normalize(scaled if sampling.greedy else scaled / sampling.temperature)


def filtered(logprobs: LogProbs, sampling: Sampling) -> LogProbs:
    """`logprobs` (V,) after top-k, then top-p, renormalised; unchanged when both are off."""
    kept = logprobs
    if 0 < sampling.top_k < kept.size:
        threshold = np.partition(kept, -sampling.top_k)[-sampling.top_k]
        kept = log_normalize(np.where(kept >= threshold, kept, -np.inf))
    if sampling.top_p < 1.0:
        order = np.argsort(-kept, kind="stable")
        before = np.concatenate(([0.0], np.cumsum(np.exp(kept[order]))[:-1]))
        nucleus = np.full(kept.shape, -np.inf)
        chosen = order[before < sampling.top_p]
        nucleus[chosen] = kept[chosen]
        kept = log_normalize(nucleus)
    return kept


def model_law(logits: Logits, sampling: Sampling) -> LogProbs:
    """(V,) logprobs of p: what an unconstrained sampler draws from."""
    return filtered(tempered(logits, sampling), sampling)


def masked_law(
    logits: Logits, mask: Mask, sampling: Sampling, model: LogProbs | None = None
) -> LogProbs | None:
    """(V,) logprobs of constrained decoding's draw, at T = 1 when greedy; None when it has no mass.
    `model` is `model_law` of the same, where it is known already.

    After filters: p·m/Z_t. Before filters: the mask first, then top-k and top-p of what is left.
    """
    before = sampling.mask_order == "before-filters" and sampling.filtered
    if before or model is None:
        model = tempered(logits, sampling) if before else model_law(logits, sampling)
    allowed = np.where(mask, model, -np.inf)
    if not np.max(allowed, initial=-np.inf) > -np.inf:
        return None
    allowed = log_normalize(allowed)
    return filtered(allowed, sampling) if before else allowed


def greedy_law(logits: Logits, mask: Mask) -> LogProbs | None:
    """(V,) logprobs with all mass on the largest allowed logit, lowest id on ties; None if none."""
    allowed = np.where(mask, logits, -np.inf)
    best = int(np.argmax(allowed))
    if allowed[best] == -np.inf:
        return None
    law = np.full(mask.shape, -np.inf)
    law[best] = 0.0
    return law


def require_random(sampling: Sampling) -> None:
    """Refuse temperature 0: it has one run and no law.

    Raises:
        InvalidInput: the temperature is 0.
    """
    if sampling.greedy:
        raise InvalidInput(
            "At temperature 0 every draw is the same run, so there is no law to prove or to compare.",
            "Set the temperature above 0; 1 is the model's own law.",
            "temperature",
        )
