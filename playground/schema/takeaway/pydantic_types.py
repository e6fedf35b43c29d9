"""JSON Schema -> the annotations of a Pydantic model, and what they can't say."""

import math
import re
from dataclasses import dataclass, field
from typing import Any

from playground.constraints.jsonschema.keywords import ANNOTATIONS, KNOWN, TYPES
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
IGNORED = ANNOTATIONS | {"$defs", "definitions"}
_EARLY = frozenset({"disallow", "divisibleBy", "extends"})
"""Of draft 3, not known here otherwise."""
_SPEAKING = (KNOWN | _EARLY) - IGNORED
_ESCAPED = re.compile(r"\\[^\w<>]")
_UNLIKE = re.compile(r"\\[^\W\dnrtfvux]|\\[<>]|\[[^\]]*(?:\[|&&|--|~~)|\(\?[a-zA-Z-]|\.")
"""Signs, beside escaped ones, of a pattern that Rust's regexes, which Pydantic uses, may read in a
way of their own: `\\d` takes every digit of Unicode there."""
EXACT = 2**53
"""Beyond it a float doesn't hold every whole number."""


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
    nearly: dict[str, None] = field(default_factory=dict)

    def lose(self, pointer: str, *keywords: str) -> None:
        """Note keywords that are left out."""
        self.lost.update(dict.fromkeys(f"{word} at {pointer or 'the root'}" for word in keywords))

    def near(self, pointer: str, keyword: str, how: str) -> None:
        """Note a keyword that Pydantic reads in a way of its own, which is not quite the same."""
        self.nearly[f"{keyword} at {pointer or 'the root'} ({how})"] = None

    def narrow(self, pointer: str, kind: str) -> None:
        """Note that only values of one type are left."""
        self.narrower[f"only the type {kind} is left at {pointer or 'the root'}"] = None


def speaking(schema: dict[str, Any]) -> list[str]:
    """The keywords of a schema that may forbid something."""
    return [keyword for keyword in schema if keyword in _SPEAKING]


def spelled(arguments: dict[str, str]) -> str:
    """Arguments of a call."""
    return ", ".join(f"{name}={value}" for name, value in arguments.items())


def keys_of(schema: dict[str, Any], pointer: str, closed: bool) -> dict[str, Any]:
    """The keys of an object that become fields, with their schemas.

    Raises:
        Unable: it is closed, and one that must be there may not.
    """
    named, required = schema.get("properties", {}), schema.get("required", [])
    others = [key for key in required if key not in named] if isinstance(required, list) else []
    if closed and others:
        raise Unable(
            f"Nothing is allowed at {pointer or 'the root'}: {constant(others[0])} is required "
            "there, and no key but those under `properties` may stand there."
        )
    return {**named, **dict.fromkeys(others, True)}


def field_line(name: str, key: str, kind: Typed, schema: Any, required: bool) -> str:
    """The line of a field; left out, one that isn't required is its default, or None."""
    about = schema if isinstance(schema, dict) else {}
    arguments = {"alias": constant(key)} if name != key else {}
    if not required:
        arguments["default"] = constant(about.get("default"))
    arguments |= kind.arguments
    if isinstance(about.get("description"), str):
        arguments["description"] = constant(about["description"])
    return f"{name}: {kind.base}" + (f" = Field({spelled(arguments)})" if arguments else "")


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
        return None
    if any(isinstance(value, bool) or value in (0, 1) for value in fitting):
        losses.near(pointer, "the Literal", "true is taken for 1 there, and false for 0")
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
    elif "pattern" in schema and _UNLIKE.search(_ESCAPED.sub("", schema["pattern"])):
        losses.near(pointer, "pattern", "as a regex of Rust")
    form = schema.get("format")
    if form in FORMATS and not arguments:
        losses.near(pointer, f"format {form!r}", f"as {FORMATS[form]} reads it")
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
                name, bound = ("ge", math.ceil(value)) if up else ("le", math.floor(value))
                beside = int(arguments.get(name, bound))
                arguments[name] = constant(max(bound, beside) if up else min(bound, beside))
        elif value is not None:
            arguments[name] = constant(int(value) if whole else value)
            if not whole and (keyword == "multipleOf" or abs(value) >= EXACT):
                losses.near(pointer, keyword, "as floats are, not digit by digit")
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
