"""One output as a study keeps it, wherever it was made."""

from dataclasses import dataclass
from math import inf, log

from playground.decoding.run import Draw


@dataclass(frozen=True, slots=True)
class Answer:
    """What a method handed out for one prompt, and what that took."""

    text: str
    """What counts: of think the last span. Bytes that are no UTF-8 are replaced."""
    ended: bool
    """The model ended it, rather than max_tokens or a dead end."""
    accepted: bool
    """By the V of its label."""
    tokens: int
    """Sampled, in all attempts and in all runs side by side."""
    steps: int
    """Of them one after another: what latency counts."""
    attempts: int
    rows: int
    """Rows of the model that it needed; prompts' own tokens are none."""
    log_p: float | None = None
    """log p of the run that counts, nats, under its own prompt and after what it was given; None
    where it isn't known."""
    length: int = 0
    """Sampled tokens of that run, its end included."""
    bits: float | None = None
    """-log2 of the product of its Z_t, of a masked run."""
    path: tuple[int, ...] = ()
    """Token ids of that run; empty where they aren't known."""
    broken_off: bool = False
    """Its own judge ended it at the first token that nothing valid begins with, below max_tokens."""
    gave_up: bool = False
    """No attempt of a method that goes on until it has a valid one was accepted; this is the last."""

    @property
    def cut(self) -> bool:
        """max_tokens came before its end."""
        return not self.ended and not self.broken_off


def answer_of(
    draw: Draw, eos_ids: frozenset[int], max_tokens: int, rows: int, masked: bool
) -> Answer:
    """The answer that a draw is.

    Args:
        draw: of any method.
        eos_ids: of the model.
        max_tokens: of its runs.
        rows: those that this draw needed.
        masked: its Z_t are those of a mask that was drawn by.
    """
    run = draw.run
    log_z = sum(run.log_z)
    known = run.log_p > -inf
    return Answer(
        text=draw.text.decode("utf-8", "replace"),
        ended=run.tokens[-1:] != () and run.tokens[-1] in eos_ids,
        accepted=draw.accepted,
        tokens=draw.spent,
        steps=draw.steps,
        attempts=draw.attempts,
        rows=rows,
        log_p=run.log_p - draw.log_given if known else None,
        length=len(run.tokens) - draw.given,
        bits=-log_z / log(2) + 0.0 if masked and log_z > -inf else None,
        path=run.tokens,
        broken_off=len(run.tokens) < max_tokens,
    )
