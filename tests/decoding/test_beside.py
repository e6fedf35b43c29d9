"""The mask of a live model's next position is made while its forward pass runs."""

import threading
from collections.abc import Sequence
from dataclasses import replace

import pytest

from playground.constraints.automaton import State
from playground.constraints.free import FreeAutomaton
from playground.decoding.position import next_token
from playground.decoding.trace import Problem, Standing
from playground.logspace import Logits, Mask
from playground.models.base import Prefix
from playground.models.rows import RowStore
from playground.models.toy import TOYS, ToyModel
from playground.record import timing_document


class Waiting(ToyModel):
    """A model that counts as live, whose pass ends only once the mask is there."""

    def __init__(self, masked: threading.Event) -> None:
        super().__init__(TOYS["sky"])
        self.provenance = replace(self.provenance, kind="live")
        self.masked, self.passes = masked, 0

    def logits(self, prefixes: Sequence[Prefix]) -> Logits:
        self.passes += 1
        assert self.masked.wait(20), "nobody made the mask meanwhile"
        return super().logits(prefixes)


class Masking(FreeAutomaton):
    """Free text that says when its mask is asked for, or refuses."""

    def __init__(self, model: ToyModel, refuses: bool = False) -> None:
        super().__init__(model.vocabulary)
        self.masked, self.refuses = threading.Event(), refuses

    def mask(self, state: State) -> Mask:
        self.masked.set()
        if self.refuses:
            raise ValueError("no mask")
        return super().mask(state)


def standing(refuses: bool = False) -> tuple[Waiting, Standing]:
    constraint = Masking(ToyModel(TOYS["sky"]), refuses)
    model = Waiting(constraint.masked)
    return model, Standing.start(Problem(model, constraint, RowStore(10**6)))


def test_the_mask_is_made_while_the_pass_runs_and_both_are_timed() -> None:
    model, start = standing()
    law = next_token(start)
    assert law.mask.all()
    (began, ended), (first, last) = law.timing["pass"], law.timing["mask"]
    assert first <= last
    assert first < ended, "the mask began before the pass had ended"
    shown = timing_document({"draw": (began - 2.0, began - 1.0), **law.timing})
    assert shown["draw"] == [0.0, 1000.0]
    assert shown["pass"][0] == 2000.0
    assert model.passes == 1


def test_a_row_that_is_held_is_no_pass() -> None:
    model, start = standing()
    first, again = next_token(start), next_token(start)
    assert first.timing
    assert not again.timing
    assert (first.mask == again.mask).all()
    assert model.passes == 1


def test_a_mask_that_fails_says_so() -> None:
    _, start = standing(refuses=True)
    with pytest.raises(ValueError, match="no mask"):
        next_token(start)
