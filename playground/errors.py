"""The errors a visitor may meet: each says what is wrong, where, and what to do.

PlaygroundError
├── InvalidInput        what was typed can't be used (JSON, regex, prompt, a setting)
│   └── UnsupportedSchema   a JSON Schema asks for what this engine can't express
├── EmptyLanguage       no text, or no text that the vocabulary can spell, satisfies the constraint
├── BudgetExceeded      a limit on size, time or memory was reached
├── ModelUnavailable    the model or its tokenizer can't be used
└── Cancelled           the visitor stopped the work
"""

from dataclasses import dataclass
from typing import Any


@dataclass(eq=False)
class PlaygroundError(Exception):
    """A user's error: one sentence of what, where it is, and a hint of what to do."""

    what: str
    """What is wrong, with the offending value, as a sentence."""
    hint: str = ""
    """What to do about it, as a sentence."""
    where: str = ""
    """The place: `line 7, column 3`, a JSON pointer, a flag, or empty."""
    line: int | None = None
    """Line in the visitor's text, from 1."""
    column: int | None = None
    """Column in the visitor's text, from 1."""

    @property
    def details(self) -> dict[str, Any]:
        """More that a screen can use, as JSON; empty for most."""
        return {}

    def __str__(self) -> str:
        where = f" ({self.where})" if self.where else ""
        hint = f" {self.hint}" if self.hint else ""
        return f"{self.what}{where}{hint}"


class InvalidInput(PlaygroundError):
    """What was typed can't be used."""


class UnsupportedSchema(InvalidInput):
    """A JSON Schema asks for something that can't be expressed; `where` is its JSON pointer."""


class EmptyLanguage(PlaygroundError):
    """No text satisfies the constraint, or none that this vocabulary can spell."""


class BudgetExceeded(PlaygroundError):
    """A limit on size, time or memory was reached."""


class Busy(BudgetExceeded):
    """Others' work took the place or the time: the same may well succeed in a moment."""


class ModelUnavailable(PlaygroundError):
    """The model or its tokenizer can't be used."""


class Cancelled(PlaygroundError):
    """The visitor stopped the work."""
