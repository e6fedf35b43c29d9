"""What a prompt set is: items with gold values, a schema, and how an item is put to a model."""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from types import MappingProxyType
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from playground.constraints.jsonschema.source import NOWHERE, at

Split = Literal["train", "dev", "test"]

INPUT = "{input}"
"""Where an instruction takes the item's text."""
MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_NUMBER = re.compile(r"(?:(?<!\w)-)?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)?)")
_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Item(BaseModel):
    """One prompt of a set, and what is known of its answer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    prompt: str
    """The text given: a ticket, an invoice, a question."""
    gold: Any = None
    """The right answer as a JSON value; None where nobody knows it."""
    source: str = ""
    """The text that extracted values must occur in; the prompt itself if empty."""
    split: Split = "test"
    tags: tuple[str, ...] = ()
    """`name` or `name:value`, for tables by kind."""
    law: tuple[tuple[str, float], ...] = Field(default=())
    """Where the text supports several answers: every answer (its JSON text) and its probability.
    They sum to 1, and `gold` was drawn from them. Empty where the text settles the answer."""

    @property
    def text(self) -> str:
        """What extracted values must occur in."""
        return self.source or self.prompt


@dataclass(frozen=True, eq=False)
class PromptSet:
    """A named set of items that share a schema."""

    name: str
    title: str
    about: str
    """Two plain sentences for a visitor."""
    schema: Mapping[str, Any]
    """JSON Schema of an answer; its properties stand in the order of the answer."""
    instruction: str
    """How an item is put to a model: names the fields in words and holds INPUT once."""
    make: Callable[[], tuple[Item, ...]]
    """The items; made at the first call, the same tuple at every later one."""
    grounded: tuple[str, ...] = ()
    """JSON pointers of the fields whose value should occur in the item's text."""
    absent: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    """Pointer of a grounded field -> the value that says the text names none, where not null."""
    variants: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: _NOTHING)
    """Name -> another schema for the same items, for an experiment."""
    hints: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    """Name -> a sentence that an experiment adds to the instruction."""

    def ask(self, item: Item, *hints: str) -> str:
        """The whole prompt of `item`, with the hints of these names before its text.

        Raises:
            KeyError: the set has no such hint.
        """
        head, tail = self.instruction.split(INPUT)
        said = "".join(f"{self.hints[name]}\n\n" for name in hints)
        return f"{head}{said}{item.prompt}{tail}"

    def ungrounded(self, item: Item, answer: Any) -> tuple[str, ...]:
        """Pointers of the grounded fields of `answer` whose value does not occur in the item's
        text: null, a missing field and the field's `absent` value claim nothing and are passed."""
        out = []
        for pointer in self.grounded:
            value = at(answer, pointer)
            if value is NOWHERE or value is None:
                continue
            if pointer in self.absent and value == self.absent[pointer]:
                continue
            if not occurs(value, item.text):
                out.append(pointer)
        return tuple(out)


def occurs(value: Any, text: str) -> bool:
    """`text` names `value`: a number by its amount (1240.5 is written 1,240.50), a calendar date
    in any of `spellings`, another string as whole words of any case and spacing. An object or
    array occurs if each of its members does, a boolean never."""
    if isinstance(value, bool) or value is None:
        return False
    if isinstance(value, int | float):
        return any(_amount(found) == value for found in _NUMBER.findall(text))
    if isinstance(value, list | dict):
        members = value.values() if isinstance(value, dict) else value
        return all(occurs(member, text) for member in members)
    forms: tuple[str, ...] = (value,)
    if _DATE.fullmatch(value):
        with suppress(ValueError):
            forms = spellings(date.fromisoformat(value))
    there = f" {_folded(text)} "
    return any(_word_in(_folded(form), there) for form in forms)


def _amount(found: str) -> float:
    return float(found.replace(",", ""))


def spellings(day: date) -> tuple[str, ...]:
    """The ways in which the built-in texts write a date, none of which reads as another day."""
    month = MONTHS[day.month - 1]
    return (
        day.isoformat(),
        f"{day.day} {month} {day.year}",
        f"{month} {day.day}, {day.year}",
        f"{day.day} {month[:3]} {day.year}",
        f"{day.day:02}-{month[:3]}-{day.year}",
        f"the {ordinal(day.day)} day of {month} {day.year}",
    )


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th, ... 11th, 12th, 13th, ... 21st."""
    teen = number % 100 in (11, 12, 13)
    return f"{number}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _word_in(form: str, text: str) -> bool:
    """`form` stands in `text`, not inside a longer word or number."""
    return bool(form) and bool(re.search(rf"(?<!\w){re.escape(form)}(?!\w)", text))


def closed(**properties: Any) -> dict[str, Any]:
    """The schema of an object with exactly these properties, all required, in this order."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def distinct(prefix: str, count: int, make: Callable[[int], Item]) -> tuple[Item, ...]:
    """`count` items with different prompts, with the ids `prefix-001`, `prefix-002`, ...

    Args:
        make: an item for a position from 0; drawn again where its prompt has been there before.
    """
    made: dict[str, Item] = {}
    while len(made) < count:
        item = make(len(made))
        made.setdefault(item.prompt, item.model_copy(update={"id": f"{prefix}-{len(made) + 1:03}"}))
    return tuple(made.values())
