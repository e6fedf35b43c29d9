"""What a visitor asks for: a constraint as typed, before it is compiled, and where it holds."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

Kind = Literal["free", "regex", "choices", "schema", "pydantic", "type", "grammar", "tool"]
Whitespace = Literal["none", "one", "flexible"]

JSON_KINDS: tuple[Kind, ...] = ("schema", "pydantic", "tool")
"""The kinds that become a JSON Schema."""
MAX_SOURCE = 100_000
"""Longest constraint source accepted, in characters."""


class ConstraintSpec(BaseModel):
    """One constraint, as typed. Equal specs compile to equal automata."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Kind = "free"
    source: str = Field(default="", max_length=MAX_SOURCE)
    """The regex; the choices, one a line; the JSON Schema; the Pydantic source; the type's name; the
    grammar (Lark, GBNF or EBNF); the tool definition as JSON."""
    engine: str = "bytes"
    """A name of `constraints.engines.ENGINES`."""
    whitespace: Whitespace = "one"
    """Blanks between JSON tokens: none, one optional space, or up to eight blanks and newlines."""


class Markers(BaseModel):
    """What opens a constrained span and what closes it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    open: str = Field(default="```json\n", min_length=1, max_length=40)
    close: str = Field(default="\n```", min_length=1, max_length=40)

    @field_validator("open", "close")
    @classmethod
    def _spelled(cls, marker: str) -> str:
        marker.encode()  # half a character is in no text: pydantic refuses the UnicodeError
        return marker
