"""What the Schema screen opens with, and the examples that it can start from."""

from typing import Any

Start = dict[str, Any]


def _start(slug: str, title: str, kind: str, source: str, *strings: tuple[str, str]) -> Start:
    return {
        "slug": slug,
        "title": title,
        "kind": kind,
        "source": source,
        "strings": [{"text": text, "should": should} for text, should in strings],
    }


WEATHER = """{
  "type": "object",
  "properties": {
    "sky": {
      "type": "string",
      "enum": ["blue", "grey", 7]
    },
    "clouds": {
      "type": "integer",
      "minimum": 0,
      "maxium": 100
    },
    "seen": {
      "type": "array",
      "items": {"enum": ["sun", "moon", "rain"]},
      "uniqueItems": true,
      "maxItems": 2
    }
  },
  "required": ["sky", "clouds"],
  "additionalProperties": false
}"""
"""A misspelt keyword, one that no finite automaton enforces, and an option that can't be chosen."""

FIRST = _start(
    "weather",
    "A schema with three mistakes",
    "schema",
    WEATHER,
    ('{"sky": "blue", "clouds": 40, "seen": ["sun"]}', "pass"),
    ('{"sky": "grey", "clouds": 400}', "fail"),
    ('{"sky": "grey", "clouds": 5, "seen": ["moon", "moon"]}', "fail"),
    ('{"sky": "green", "clouds": 5}', "fail"),
)

STARTS: tuple[Start, ...] = (
    FIRST,
    _start(
        "contract",
        "A contract: no way out",
        "schema",
        """{
  "type": "object",
  "properties": {
    "party_a": {"type": "string"},
    "party_b": {"type": "string"},
    "effective_date": {"type": "string", "format": "date"},
    "termination_date": {"type": "string", "format": "date"}
  },
  "required": ["party_a", "party_b", "effective_date", "termination_date"]
}""",
        (
            '{"party_a": "Ada", "party_b": "Bob", "effective_date": "2026-01-31", '
            '"termination_date": "2027-01-31"}',
            "pass",
        ),
        (
            '{"party_a": "Ada", "party_b": "Bob", "effective_date": "2026-01-31", '
            '"termination_date": "open-ended"}',
            "fail",
        ),
    ),
    _start(
        "shapes",
        "One of two shapes",
        "schema",
        """{
  "oneOf": [
    {
      "type": "object",
      "properties": {"kind": {"const": "circle"}, "radius": {"type": "number", "minimum": 0}},
      "required": ["kind", "radius"],
      "additionalProperties": false
    },
    {
      "type": "object",
      "properties": {"kind": {"const": "square"}, "side": {"type": "number", "minimum": 0}},
      "required": ["kind", "side"],
      "additionalProperties": false
    }
  ]
}""",
        ('{"kind": "circle", "radius": 2.5}', "pass"),
        ('{"kind": "square", "radius": 2.5}', "fail"),
    ),
    _start(
        "nothing",
        "A schema that nothing satisfies",
        "schema",
        """{
  "type": "object",
  "properties": {
    "age": {"type": "integer", "minimum": 18, "maximum": 12}
  },
  "required": ["age"]
}""",
        ('{"age": 15}', "fail"),
    ),
    _start(
        "date",
        "ISO date",
        "regex",
        r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])",
        ("2026-11-30", "pass"),
        ("2026-13-01", "fail"),
        ("2026-11-3", "fail"),
    ),
    _start(
        "sums",
        "Arithmetic",
        "grammar",
        r"""start: sum
sum: product (("+" | "-") product)*
product: atom (("*" | "/") atom)*
atom: NUMBER | "(" sum ")"
NUMBER: /[0-9]+/
""",
        ("(1+2)*3", "pass"),
        ("((1+2)*3", "fail"),
    ),
    _start(
        "person",
        "A Pydantic model",
        "pydantic",
        """from typing import Literal

from pydantic import BaseModel, Field


class Person(BaseModel):
    name: str = Field(max_length=40)
    age: int = Field(ge=0, le=130)
    role: Literal["admin", "guest"]
""",
        ('{"name": "Ada", "age": 36, "role": "admin"}', "pass"),
        ('{"name": "Ada", "age": 136, "role": "admin"}', "fail"),
    ),
    _start(
        "tool",
        "A tool definition",
        "tool",
        """{
  "type": "function",
  "function": {
    "name": "weather",
    "description": "The weather at a place.",
    "parameters": {
      "type": "object",
      "properties": {
        "place": {"type": "string", "maxLength": 40},
        "unit": {"enum": ["celsius", "fahrenheit"]}
      },
      "required": ["place", "unit"],
      "additionalProperties": false
    }
  }
}""",
        ('{"place": "Oslo", "unit": "celsius"}', "pass"),
        ('{"place": "Oslo", "unit": "kelvin"}', "fail"),
    ),
    _start(
        "choices",
        "Three choices",
        "choices",
        "yes\nno\nmaybe",
        ("yes", "pass"),
        ("perhaps", "fail"),
    ),
)
"""The first of a kind is what its editor opens with."""
