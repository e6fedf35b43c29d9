"""The confidence that a model writes inside its JSON, beside how often it is right: a text, like any
other, that happens to spell a number.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import ArrayLike

from playground.decoding.accept import is_json
from playground.exact.interval import Interval
from playground.fields.reliability import BINS, Bin, Ece, discrimination, ece, reliability
from playground.study.prompts.base import INPUT, closed
from playground.study.prompts.ticket_labels import INTENTS
from playground.study.readings import Auc, Rate, rate

FIELD: Final = "confidence"
"""The key of the number."""
LONGEST: Final = 100_000
"""Characters of an output that is read."""
FEW: Final = 3
"""The commonest numbers, whose share says how much of the scale is used."""

Scale = Literal[1, 100]
"""What stands for certainty."""


@dataclass(frozen=True, eq=False, slots=True)
class Wording:
    """How a ticket's intent and the confidence in it are asked for."""

    name: str
    scale: Scale
    schema: Mapping[str, Any]
    """The intent stands first, so that the number is written by a model that has read its answer."""
    instruction: str
    """Holds INPUT once."""
    example: str
    """A worked ticket to put before the ticket. Its number is one that outputs may copy."""

    def prompt(self, ticket: str, with_example: bool = False) -> str:
        """The whole user message."""
        head, tail = self.instruction.split(INPUT)
        shown = f"{self.example}\n\n" if with_example else ""
        return f"{head}{shown}{ticket}{tail}"


_INTENT = "intent (refund, billing, bug, account or other)"
_TICKET = (
    "Your May invoice lists 40 dollars twice. Could you have a look at it some time this week?"
)


def _wording(name: str, scale: Scale, number: Mapping[str, Any], span: str, shown: str) -> Wording:
    return Wording(
        name,
        scale,
        closed(intent={"enum": list(INTENTS)}, **{FIELD: number}),
        f"Read the support ticket and answer with one JSON object with two keys: {_INTENT} and "
        f"{FIELD} (the probability that your intent is right, {span}).\n\nTicket:\n{INPUT}",
        f'{_TICKET}\n\nAnswer:\n{{"intent": "billing", "{FIELD}": {shown}}}\n\nTicket:',
    )


WORDINGS: Final[Mapping[str, Wording]] = {
    each.name: each
    for each in (
        _wording(
            "fraction",
            1,
            {"type": "number", "minimum": 0, "maximum": 1},
            "a number from 0 to 1",
            "0.8",
        ),
        _wording(
            "percent",
            100,
            {"type": "integer", "minimum": 0, "maximum": 100},
            "a whole number of percent from 0 to 100",
            "80",
        ),
    )
}
"""The two scales on which people ask."""


@dataclass(frozen=True, slots=True)
class Written:
    """What one output says."""

    confidence: float | None
    """In [0, 1], whatever the scale; None where it can't be read."""
    answer: Mapping[str, Any]
    """The object without the number; empty where there is no object."""
    why: str = ""
    """Why there is no number: one of WHY."""


WHY: Final = ("too long", "no JSON", "no object", "no number", "outside the scale")


def read(text: str, scale: Scale) -> Written:
    """The number under FIELD in the output `text`, which must be one JSON object. The scale is what
    was asked for; it is never guessed: 1 on a scale of 100 is one percent."""
    if len(text) > LONGEST:
        return Written(None, {}, "too long")
    if not is_json(text):
        return Written(None, {}, "no JSON")
    document = json.loads(text)
    if not isinstance(document, dict):
        return Written(None, {}, "no object")
    number = document.pop(FIELD, None)
    if isinstance(number, bool) or not isinstance(number, int | float):
        return Written(None, document, "no number")
    if not 0 <= number <= scale:
        return Written(None, document, "outside the scale")
    return Written(number / scale, document)


@dataclass(frozen=True, slots=True)
class Number:
    """One number that outputs write."""

    value: float
    """In [0, 1]."""
    count: int
    right: Rate
    """Of the outputs that write it; a probability would lie in its interval 19 times in 20."""

    @property
    def holds(self) -> bool:
        """It does."""
        assert self.right.lower is not None
        assert self.right.upper is not None
        return self.right.lower <= self.value <= self.right.upper


@dataclass(frozen=True, slots=True)
class Report:
    """Written confidence against being right, over outputs whose number can be read."""

    n: int
    """Outputs."""
    unread: Mapping[str, int]
    """Why -> how many have no number that can be read."""
    read: int
    mean: float | None
    """Of the numbers, exact for these outputs; None where none can be read, like all below."""
    right: Rate
    """Estimate with Clopper-Pearson's interval, if each output is of a prompt of its own."""
    gap: Interval | None
    """`mean` less the share that is right, given these numbers: it holds 0 in 95 % of such samples,
    whatever their size, if every number is the chance of being right."""
    numbers: tuple[Number, ...]
    """Every different one, the commonest first."""
    few: Rate
    """Share of the outputs that write one of the FEW commonest. No interval: these were chosen by
    their counts."""
    bins: tuple[Bin, ...]
    ece: Ece | None
    auc: Auc
    """The chance that a right output writes more than a wrong one: at .5 the number doesn't tell
    them apart."""

    @property
    def contradicted(self) -> tuple[str, ...]:
        """What speaks against reading the numbers as probabilities, in sentences with the figures;
        empty where nothing does, which doesn't prove that they are. Two tests, each of which speaks
        against true probabilities in at most about 5 % of samples."""
        found = list[str]()
        if self.mean is None or self.gap is None or self.ece is None:
            return ()
        if 0 not in self.gap:
            found.append(
                f"The mean written confidence is {_percent(self.mean)}, but {_share(self.right)} of the "
                "answers are right."
            )
        if self.ece.value > self.ece.by_chance:
            found.append(
                f"The ECE is {self.ece.value:.3f}; if the numbers were probabilities, 95 % of such "
                f"samples would have at most {self.ece.by_chance:.3f}."
            )
        return tuple(found)


def report(
    written: Sequence[Written],
    right: ArrayLike,
    rng: np.random.Generator,
    bins: int = BINS,
    adaptive: bool = False,
) -> Report:
    """What the numbers say.

    Args:
        written: (N,) what outputs say, each of a prompt of its own.
        right: (N,) bool, whether the answer in it is right; where no number can be read it isn't
            looked at.
        rng: for the ECE's bootstrap.
        bins: of the reliability diagram and the ECE.
        adaptive: bins of equal counts.

    Raises:
        ValueError: shapes or ranges are others.
    """
    hits = np.asarray(right, dtype=np.bool_)
    if hits.shape != (len(written),):
        raise ValueError(f"({len(written)},) booleans are needed, not {hits.shape}")
    known = np.array([each.confidence is not None for each in written], dtype=np.bool_)
    sure = np.array([each.confidence for each in written if each.confidence is not None], float)
    hits = hits[known]
    numbers = _numbers(sure.tolist(), hits.tolist())
    accuracy = rate(int(hits.sum()), len(hits))
    mean = float(sure.mean()) if len(sure) else None
    return Report(
        n=len(written),
        unread=dict(Counter(each.why for each in written if each.confidence is None)),
        read=len(sure),
        mean=mean,
        right=accuracy,
        gap=_gap(mean, accuracy),
        numbers=numbers,
        few=rate(sum(each.count for each in numbers[:FEW]), len(sure), independent=False),
        bins=reliability(sure, hits, bins, adaptive),
        ece=ece(sure, hits, rng, bins, adaptive),
        auc=discrimination(sure, hits),
    )


def _numbers(sure: Sequence[float], hits: Sequence[bool]) -> tuple[Number, ...]:
    counts = Counter(sure)
    right = Counter(value for value, hit in zip(sure, hits, strict=True) if hit)
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(Number(value, count, rate(right[value], count)) for value, count in ranked)


def _gap(mean: float | None, right: Rate) -> Interval | None:
    if mean is None or right.lower is None or right.upper is None:
        return None
    return Interval(mean - right.upper, mean - right.lower)


def _share(found: Rate) -> str:
    ends = [each for each in (found.value, found.lower, found.upper) if each is not None]
    value, lower, upper = map(_percent, ends)
    return f"{value} ({lower} to {upper})"


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"
