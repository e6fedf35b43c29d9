"""The numbers of a recorded scene that a claim can be about, each with its bounds."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal

from playground.errors import InvalidInput
from playground.exact.interval import Interval
from playground.record import Document

Value = Interval | str | bool
"""What a fact comes to: a number between two proved bounds, which are equal where it is known."""
Needs = Literal["run", "step", "exact", "law", "methods", "strings"]


@dataclass(frozen=True, slots=True)
class Fact:
    """A number, text or truth that can be read off a recorded scene."""

    about: str
    needs: Needs
    """What the scene must have been recorded with."""
    read: Callable[[Any, str], Value]
    """From the part of the recording that it needs, and what it is asked of."""


def value_of(recorded: Document, fact: str, step: int | None, of: str) -> Value:
    """A fact of one recorded scene.

    Args:
        recorded: as `recording.record_scene` makes it.
        fact: a name of FACTS.
        step: of a fact about one, from 0.
        of: the token, text, method or string that it is about.

    Raises:
        InvalidInput: the recording has no such step, text, method or string, or isn't one of ours.
    """
    known = FACTS[fact]
    try:
        return known.read(_part(recorded, fact, step), of)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError):
        # A recording may come out of a visitor's file.
        raise InvalidInput(
            f"{fact} can't be read: the recording has no such number.",
            "Record the scene again.",
            fact,
        ) from None


def _part(recorded: Document, fact: str, step: int | None) -> Any:
    """What a fact is read from: the run, one of its steps, that step with the exact law there, the
    law, the comparison or the verdicts."""
    known = FACTS[fact]
    part = recorded.get(_PARTS[known.needs])
    if part is None:
        raise InvalidInput(
            f"{fact} can't be read: the scene was recorded without {known.needs}.",
            "Set what the fact needs in the scene, and record it again.",
            fact,
        )
    if known.needs in ("step", "exact"):
        steps = recorded["page"]["steps"]
        if step is None or not 0 <= step < len(steps):
            raise InvalidInput(
                f"{fact} is about a step, and there is no step {step}: the run has {len(steps)}.",
                "Name a step from 0.",
                fact,
            )
        if known.needs == "step":
            return steps[step]
        if str(step) not in part:
            raise InvalidInput(
                f"{fact} can't be read: no beat shows the exact law of step {step}.",
                "Show it in a beat, and record the lesson again.",
                fact,
            )
        part = {"step": steps[step], "law": part[str(step)]}
    return part


_PARTS: Final = {
    "run": "page", "step": "page", "exact": "exact", "law": "squeezing", "methods": "compare", "strings": "judged",
}  # fmt: skip


def point(value: float | None) -> Interval:
    """A number that is known; one that the record has no word for is infinite."""
    return Interval.point(math.inf if value is None else float(value))


def bounds(document: Document) -> Interval:
    """Bounds as the record writes them: null where one is infinite."""
    lower, upper = document["lower"], document["upper"]
    return Interval(-math.inf if lower is None else lower, math.inf if upper is None else upper)


def _row(step: Document, of: str) -> Document:
    for row in step["candidates"]:
        if row["text"] == of:
            found: Document = row
            return found
    raise InvalidInput(
        f"The step shows no token {of!r}.", "Watch it, or name one of the rows.", "of"
    )


def _text(law: Document, of: str) -> Document:
    for text in law["exact"]["texts"]:
        if text["text"] == of:
            found: Document = text
            return found
    raise InvalidInput(
        f"The search has found no text {of!r}.", "Name one of the texts found.", "of"
    )


def _method(comparison: Document, of: str) -> Document:
    if of not in comparison["methods"]:
        raise InvalidInput(
            f"{of!r} wasn't compared.", f"Name one of {', '.join(comparison['methods'])}.", "of"
        )
    found: Document = comparison["methods"][of]
    return found


def _share(comparison: Document, of: str) -> Interval:
    """What a text has of a method's kept draws; `of` is the method, a blank and the text."""
    method, _, wanted = of.partition(" ")
    for text in _method(comparison, method)["texts"]:
        if text["text"] == wanted:
            return point(text["value"])
    raise InvalidInput(
        f"{of[:60]!r} isn't among the texts drawn.",
        "Name a method, a blank, and one of its texts.",
        "of",
    )


def _verdict(judged: Document, of: str, judge: str) -> str:
    for each in judged["verdicts"]:
        if each["text"] == of:
            status: str = each[judge]["status"]
            return status
    raise InvalidInput(f"{of[:60]!r} wasn't judged.", "Name one of the scene's strings.", "of")


def _two_fields(law: Document, of: str) -> tuple[list[str], list[str], Any]:
    """The values of two fields that `of` separates in every text, and their law under p_V."""
    import numpy as np

    texts = law["exact"]["texts"]
    if law["exact"]["status"] != "exact" or not all(text["text"].count(of) == 1 for text in texts):
        raise InvalidInput(
            f"The texts aren't all known, or aren't two fields with {of!r} between them.",
            "Take a small language whose every text has that mark once.",
            "of",
        )
    pairs = [text["text"].split(of) for text in texts]
    left, right = (sorted({pair[side] for pair in pairs}) for side in (0, 1))
    table = np.zeros((len(left), len(right)))
    for (a, b), text in zip(pairs, texts, strict=True):
        table[left.index(a), right.index(b)] += bounds(text["p_V"]).middle
    return left, right, table / table.sum()


def _correlation(law: Document, of: str) -> Interval:
    """Total correlation, bits, of two fields that `of` separates in every text, under p_V."""
    from playground.fields.law import total_correlation

    return point(total_correlation(_two_fields(law, of)[2]))


def _apart(law: Document, of: str) -> Interval:
    """The chance of a record of two fields, such as US/EUR, that are chosen apart, each from its
    marginal of p_V. The mark between them is the one sign, no letter and no digit, in it."""
    marks = [sign for sign in of if not sign.isalnum()]
    if len(marks) != 1:
        raise InvalidInput(
            f"{of[:60]!r} isn't two fields with one mark between them.",
            "Name a record such as US/EUR.",
            "of",
        )
    left, right, table = _two_fields(law, marks[0])
    a, b = of.split(marks[0])
    if a not in left or b not in right:
        return point(0.0)
    return point(table[left.index(a)].sum() * table[:, right.index(b)].sum())


def _law(name: str) -> Callable[[Any, str], Value]:
    return lambda law, _: bounds(law["exact"][name])


def _of_text(name: str) -> Callable[[Any, str], Value]:
    return lambda law, of: bounds(_text(law, of)[name])


def _of_step(name: str) -> Callable[[Any, str], Value]:
    def read(step: Any, _: str) -> Value:
        value = step[name]
        return value if isinstance(value, bool) else point(value)

    return read


def _of_row(name: str) -> Callable[[Any, str], Value]:
    def read(step: Any, of: str) -> Value:
        value = _row(step, of)[name]
        return value if isinstance(value, bool) else point(value)

    return read


def _of_token(name: str) -> Callable[[Any, str], Value]:
    """Bounds of a token in the exact law of a step; 0 of one that the mask blocks."""

    def read(part: Any, of: str) -> Value:
        row = _row(part["step"], of)
        known = {each["token_id"]: each for each in part["law"]["tokens"]}
        return bounds(known[row["id"]][name]) if row["allowed"] else point(0.0)

    return read


def _zs(page: Document) -> list[float]:
    return [step["z"] for step in page["steps"]]


FACTS: Final[dict[str, Fact]] = {
    "z": Fact("Z_t: the share of p that the mask keeps", "step", _of_step("z")),
    "bits": Fact("-log2 Z_t", "step", _of_step("bits")),
    "allowed": Fact("how many tokens are allowed", "step", _of_step("allowed")),
    "forced": Fact("a single token is allowed", "step", _of_step("forced")),
    "argmax-blocked": Fact("the model's first choice is blocked", "step", _of_step("argmax_blocked")),
    "may-stop": Fact("the text is valid before the step", "step", _of_step("may_stop")),
    "entropy-before": Fact("entropy of p, bits", "step", _of_step("entropy_before")),
    "entropy-after": Fact("entropy after the mask, bits", "step", _of_step("entropy_after")),
    "argmax": Fact("the model's first choice", "step", lambda step, _: str(step["argmax"]["text"])),
    "argmax-p": Fact("model p of the model's first choice", "step", lambda step, _: point(step["argmax"]["p"])),
    "taken": Fact("the token taken", "step", lambda step, _: str(step["taken"]["text"])),
    "state": Fact("the automaton's state before the step", "step", lambda step, _: str(step["state"]["name"])),
    "stack": Fact("what is open before the step", "step", lambda step, _: point(len(step["state"]["stack"]))),
    "taken-p": Fact("model p of the token taken", "step", lambda step, _: point(step["taken"]["p"])),
    "hops": Fact(
        "transitions of the automaton that the token taken makes",
        "step",
        lambda step, _: point(len(step["taken"]["states"]) - 1),
    ),
    "p": Fact("model p of a token", "step", _of_row("p")),
    "after-mask": Fact("its chance after the mask", "step", _of_row("masked")),
    "rank": Fact("its place among the model's choices, from 1", "step", _of_row("rank")),
    "token-allowed": Fact("the mask keeps it", "step", _of_row("allowed")),
    "future": Fact("F of a token: the chance that the model, left alone after it, ends valid", "exact", _of_token("F")),
    "exact-next": Fact("its chance under p_V's own law of the next token", "exact", _of_token("exact")),
    "text": Fact(
        "the text of the run so far", "run",
        lambda page, _: "".join(s["taken"]["text"] for s in page["steps"] if not s["taken"]["special"]),
    ),
    "states": Fact("states of the automaton", "run", lambda page, _: point(page["constraint"]["states"])),
    "outcome": Fact("how the run ended", "run", lambda page, _: str(page["outcome"])),
    "steps": Fact("tokens taken", "run", lambda page, _: point(len(page["steps"]))),
    "least-z": Fact("the smallest Z_t of the run", "run", lambda page, _: point(min(_zs(page)))),
    "largest-z": Fact("the largest Z_t of the run", "run", lambda page, _: point(max(_zs(page)))),
    "product-of-z": Fact("the product of all Z_t", "run", lambda page, _: point(math.prod(_zs(page)))),
    "forced-steps": Fact(
        "steps with a single allowed token", "run",
        lambda page, _: point(sum(step["forced"] for step in page["steps"])),
    ),
    "Z": Fact("the chance that an unconstrained sample is valid", "law", _law("Z")),
    "tv": Fact("total variation between p~ and p_V", "law", _law("tv")),
    "p-of": Fact("model p of a text", "law", _of_text("p")),
    "exact-of": Fact("p_V of a text", "law", _of_text("p_V")),
    "masked-of": Fact("p~ of a text", "law", _of_text("masked")),
    "squeeze-of": Fact("s of a text: how many times too often", "law", _of_text("squeeze")),
    "texts": Fact("texts found", "law", lambda law, _: point(len(law["exact"]["texts"]) + law["exact"]["others"])),
    "apart-of": Fact("chance of two fields chosen apart, each from its marginal", "law", _apart),
    "correlation": Fact("total correlation of two fields, bits", "law", _correlation),
    "drawn": Fact("draws of a method", "methods", lambda c, of: point(_method(c, of)["draws"])),
    "accepted": Fact("valid ones among them", "methods", lambda c, of: point(_method(c, of)["accepted"])),
    "share-of-draws": Fact(
        "what a text has of a method's kept draws, by weight where they are weighed", "methods", _share
    ),
    "verdict": Fact("what the reference judge says of a string", "strings", lambda j, of: _verdict(j, of, "reference")),
    "mask-verdict": Fact("what the mask says of it", "strings", lambda j, of: _verdict(j, of, "mask")),
}  # fmt: skip
