"""What a study knows of one output: judged by every V, held against the gold answer."""

import json
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from playground.decoding.accept import is_json
from playground.study.answer import Answer
from playground.study.classes import classify
from playground.study.labels import MOST_ATTEMPTS
from playground.study.prompts.base import Item
from playground.study.salvage import NoJson, salvage

Category = Literal["right", "wrong", "valid", "invalid", "truncated", "gave_up"]
CATEGORIES: dict[Category, str] = {
    "right": "valid and right",
    "wrong": "valid and wrong",
    "valid": "valid, no gold answer",
    "invalid": "invalid",
    "truncated": "truncated",
    "gave_up": "gave up",
}
"""What an output comes to, and what a table calls it."""
EXPLAINED: dict[Category, str] = {
    "truncated": "cut off at the token limit",
    "gave_up": f"no valid answer in {MOST_ATTEMPTS} attempts at one draw",
}
"""What those words mean, where they don't say it themselves."""


class Row(BaseModel):
    """One output of one method at one prompt."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    index: int
    """Of the prompt, from 0."""
    item: str
    """Its id."""
    method: str
    """The label."""
    draw: int
    text: str
    category: Category
    valid: bool
    """By the V of its label."""
    failure: str | None
    """A name of `classes.CLASSES` for JSON that isn't valid as it stands; None where it is, and for
    the last attempt of a method that gave up."""
    in_language: bool
    in_schema: bool | None
    """The whole text; None where there is no schema."""
    in_salvaged: bool | None
    """What `salvage` finds in it."""
    in_syntax: bool
    fields: dict[str, bool] | None
    """Name of a field of the gold answer -> the answer has that value there; None without a gold or
    a valid answer. A gold that is no object is one field, named by an empty string."""
    ungrounded: tuple[str, ...] | None
    """Pointers of values that the source doesn't hold; None where nothing is asked or valid."""
    p_yes: float | None = None
    """What the model gives to yes, against no, when it is asked whether the answer is right."""
    tokens: int
    steps: int
    attempts: int
    rows: int
    log_p: float | None
    length: int
    bits: float | None
    squeeze: tuple[float, float] | None = None
    """Bounds on log2 s(y) of the text, where Z was bounded: above 0, masking gives it too often."""
    z: tuple[float, float] | None = None
    """Bounds on Z of the prompt, where they were asked for."""
    tv: tuple[float, float] | None = None
    """Bounds on TV(p~, p_V) of the prompt."""
    path: tuple[int, ...] = ()

    @property
    def mean_log_p(self) -> float | None:
        """Per token, nats."""
        return None if self.log_p is None or not self.length else self.log_p / self.length


@dataclass(frozen=True, eq=False, slots=True)
class Judges:
    """What decides about the outputs of a study."""

    language: Callable[[str], bool]
    """The mask's language."""
    schema: Callable[[Any], bool] | None
    """The whole schema, of a JSON value; None for constraints without one."""
    ungrounded: Callable[[Item, Any], tuple[str, ...]] | None = None


def judged(index: int, item: Item, method: str, draw: int, answer: Answer, judges: Judges) -> Row:
    """The row of an answer."""
    text = answer.text
    found = _salvaged(text)
    in_schema = in_salvaged = None
    if judges.schema is not None:
        in_schema = is_json(text) and judges.schema(json.loads(text))
        in_salvaged = found is not None and judges.schema(json.loads(found))
    # What a program would go on with: the JSON, or where there is no schema the text itself.
    delivered = json.loads(found) if judges.schema is not None and found is not None else text
    fields = compared(item.gold, delivered) if answer.accepted and item.gold is not None else None
    asked = judges.ungrounded is not None and answer.accepted
    schema = None if answer.gave_up else judges.schema
    return Row(
        index=index,
        item=item.id,
        method=method,
        draw=draw,
        text=text,
        category=_category(answer, fields),
        valid=answer.accepted,
        failure=None if schema is None else classify(text, truncated=answer.cut, valid=schema),
        in_language=answer.ended and judges.language(text),
        in_schema=in_schema,
        in_salvaged=in_salvaged,
        in_syntax=is_json(text),
        fields=fields,
        ungrounded=judges.ungrounded(item, delivered) if asked and judges.ungrounded else None,
        tokens=answer.tokens,
        steps=answer.steps,
        attempts=answer.attempts,
        rows=answer.rows,
        log_p=answer.log_p,
        length=answer.length,
        bits=answer.bits,
        path=answer.path,
    )


def compared(gold: Any, answer: Any) -> dict[str, bool]:
    """Each field of `gold`, and whether `answer` has its value: strings up to case and blanks at
    their ends, numbers by value, all else exactly."""
    if not isinstance(gold, dict):
        return {"": _same(gold, answer)}
    there = answer if isinstance(answer, dict) else {}
    return {name: name in there and _same(value, there[name]) for name, value in gold.items()}


def _same(gold: Any, value: Any) -> bool:
    if isinstance(gold, bool) or isinstance(value, bool):
        return gold is value
    if isinstance(gold, str) and isinstance(value, str):
        return _folded(gold) == _folded(value)
    if isinstance(gold, list) and isinstance(value, list):
        return len(gold) == len(value) and all(map(_same, gold, value))
    if isinstance(gold, dict) and isinstance(value, dict):
        return gold.keys() == value.keys() and all(_same(gold[key], value[key]) for key in gold)
    return bool(gold == value)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text).strip().casefold()


def _salvaged(text: str) -> str | None:
    try:
        return salvage(text).json
    except NoJson:
        return None


def _category(answer: Answer, fields: dict[str, bool] | None) -> Category:
    if answer.gave_up:
        return "gave_up"
    if not answer.accepted:
        return "truncated" if answer.cut else "invalid"
    if fields is None:
        return "valid"
    return "right" if all(fields.values()) else "wrong"
