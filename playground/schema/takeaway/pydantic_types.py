"""JSON Schema -> the annotations of a Pydantic model, and what they can't say."""

import math
from dataclasses import dataclass, field
from typing import Any

from playground.constraints.jsonschema.keywords import ANNOTATIONS, TYPES
from playground.constraints.jsonschema.source import step
from playground.schema.takeaway.python_names import constant

_TEXTS = {"minLength": "min_length", "maxLength": "max_length", "pattern": "pattern"}
_NUMBERS = {
    "minimum": "ge",
    "exclusiveMinimum": "gt",
    "maximum": "le",
    "exclusiveMaximum": "lt",
    "multipleOf": "multiple_of",
}
_LISTS = {"minItems": "min_length", "maxItems": "max_length"}
_MAPS = {"minProperties": "min_length", "maxProperties": "max_length"}
FORMATS = {
    "date": "date",
    "date-time": "datetime",
    "email": "EmailStr",
    "time": "time",
    "uuid": "UUID",
}
"""Formats that are types of their own."""
OF_TYPE = {
    "string": frozenset({*_TEXTS, "format"}),
    "number": frozenset(_NUMBERS),
    "integer": frozenset(_NUMBERS),
    "array": frozenset({*_LISTS, "items"}),
    "object": frozenset({*_MAPS, "properties", "required", "additionalProperties"}),
}
"""Keywords that speak of one type, and can be said."""
_JSON = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    list: "array",
    dict: "object",
    type(None): "null",
}
IGNORED = ANNOTATIONS | {"$defs", "definitions", "nullable", "discriminator", "example"}


class Unable(Exception):
    """The schema has no Pydantic class; the message is a sentence."""


@dataclass(slots=True)
class Typed:
    """An annotation: a base and the arguments of its Field."""

    base: str
    arguments: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        if not self.arguments:
            return self.base
        return f"Annotated[{self.base}, Field({spelled(self.arguments)})]"


@dataclass(slots=True)
class Losses:
    """What isn't said by the class, and where it says more than the schema."""

    lost: dict[str, None] = field(default_factory=dict)
    narrower: dict[str, None] = field(default_factory=dict)

    def lose(self, pointer: str, *keywords: str) -> None:
        """Note keywords that are left out."""
        self.lost.update(dict.fromkeys(f"{word} at {pointer or 'the root'}" for word in keywords))

    def narrow(self, pointer: str, kind: str) -> None:
        """Note that only values of one type are left."""
        self.narrower[f"only the type {kind} is left at {pointer or 'the root'}"] = None


def spelled(arguments: dict[str, str]) -> str:
    """Arguments of a call."""
    return ", ".join(f"{name}={value}" for name, value in arguments.items())


def types_of(schema: dict[str, Any], pointer: str, losses: Losses) -> list[str]:
    """The types that a schema speaks of; every type where it says nothing. A schema with keywords
    of one type and without `type` is taken to mean that type, which is noted."""
    kind = schema.get("type")
    if isinstance(kind, str):
        return [kind]
    if isinstance(kind, list):
        return ["number" if one == "integer" and "number" in kind else one for one in kind]
    for name, keywords in OF_TYPE.items():
        if keywords & schema.keys():
            losses.narrow(pointer, name)
            return [name]
    return [*TYPES]


def choice(values: list[Any], types: list[str], pointer: str, losses: Losses) -> Typed | None:
    """A Literal of the values that have one of the types; None where it can't hold them.

    Raises:
        Unable: no value is left.
    """
    fitting = [value for value in values if _fits(value, types)]
    if not fitting:
        raise Unable(f"No value of the enum at {pointer or 'the root'} has the type beside it.")
    if not all(isinstance(value, str | int | None) for value in fitting):
        losses.lose(pointer, "enum")
        return None
    return Typed(f"Literal[{', '.join(map(constant, fitting))}]")


def _fits(value: Any, types: list[str]) -> bool:
    kind = _JSON[type(value)]
    whole = kind == "integer" or (kind == "number" and value.is_integer())
    return kind in types or ("number" in types and whole) or ("integer" in types and whole)


def text(schema: dict[str, Any], pointer: str, losses: Losses) -> Typed:
    """A string, or a type that stands for its format."""
    arguments = {
        name: constant(schema[keyword]) for keyword, name in _TEXTS.items() if keyword in schema
    }
    if "pattern" in schema and not compiles(schema["pattern"]):
        losses.lose(pointer, "pattern")
        del arguments["pattern"]
    form = schema.get("format")
    if form in FORMATS and not arguments:
        return Typed(FORMATS[form])
    if form is not None:
        losses.lose(pointer, f"format {form!r}")
    return Typed("str", arguments)


def compiles(pattern: Any) -> bool:
    """Pydantic can read the pattern."""
    from typing import Annotated

    from pydantic import Field, TypeAdapter
    from pydantic_core import SchemaError

    try:
        TypeAdapter(Annotated[str, Field(pattern=pattern)])
    except (SchemaError, TypeError, ValueError):
        return False
    return True


def number(schema: dict[str, Any], whole: bool, pointer: str, losses: Losses) -> Typed:
    """An int or a float with its bounds."""
    arguments: dict[str, str] = {}
    for keyword, name in _NUMBERS.items():
        value = schema.get(keyword)
        if isinstance(value, bool):  # drafts 3 and 4: it says how the bound beside it is meant
            bound = schema.get("minimum" if keyword == "exclusiveMinimum" else "maximum")
            if value and bound is not None:
                arguments.pop("ge" if keyword == "exclusiveMinimum" else "le", None)
                arguments[name] = constant(bound)
        elif value is not None and whole and value != int(value):
            if keyword == "multipleOf":
                losses.lose(pointer, keyword)
            else:
                up = keyword in ("minimum", "exclusiveMinimum")
                arguments["ge" if up else "le"] = constant((math.ceil if up else math.floor)(value))
        elif value is not None:
            arguments[name] = constant(int(value) if whole else value)
    if isinstance(schema.get("exclusiveMaximum"), bool) and schema["exclusiveMaximum"]:
        arguments.pop("le", None)
    return Typed("int" if whole else "float", arguments)


def sizes(schema: dict[str, Any], of_list: bool) -> dict[str, str]:
    """Field's arguments for how many items or members there may be."""
    table = _LISTS if of_list else _MAPS
    return {name: constant(schema[key]) for key, name in table.items() if key in schema}


def place(pointer: str, *parts: str | int) -> str:
    """A pointer further down."""
    for part in parts:
        pointer = step(pointer, part)
    return pointer


def joined(parts: list[Typed]) -> Typed:
    """One of several annotations.

    Raises:
        Unable: there is none.
    """
    if not parts:
        raise Unable("A list of types or branches is empty, and nothing is allowed there.")
    return Typed(" | ".join(dict.fromkeys(map(str, parts))))


def apart(kinds: list[str]) -> bool:
    """No value has two of these types."""
    simple = {"str", "int", "bool", "None"}
    return len(set(kinds)) == len(kinds) and all(
        kind in simple or kind.startswith("list[") for kind in kinds
    )
