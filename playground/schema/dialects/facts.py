"""What a vendor's page says of the schemas that it takes: one table a dialect, no logic."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

Recursion = Literal["yes", "no", "in optional properties"]


@dataclass(frozen=True, slots=True)
class Limits:
    """Numbers of the page; None where it gives none."""

    properties: int | None = None
    """Object properties in the whole schema."""
    depth: int | None = None
    """Objects inside one another."""
    enum_values: int | None = None
    """Values of all enums together."""
    long_enum: tuple[int, int] | None = None
    """A string enum of more values than the first may have at most the second many characters."""
    characters: int | None = None
    """Characters of all names, definition names, enum and const values together."""
    optional: int | None = None
    """Properties that are not required."""
    unions: int | None = None
    """Properties of several types, by anyOf or a list of types."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """One subset of JSON Schema."""

    name: str
    as_of: str
    """The month in which the page said so, as far as it is known."""
    source: str
    """The page's public address."""
    keywords: frozenset[str]
    """Keywords of the page's list."""
    otherwise: str
    """What the page says happens to a keyword outside the list."""
    silent: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Keywords that the page doesn't list and that change nothing, or may: what it leaves open."""
    formats: frozenset[str] | None = None
    """Formats of the page's list; None where it names none."""
    plain_patterns: bool = False
    """Patterns can't have back-references, look-around or word boundaries."""
    min_items: int | None = None
    """Highest `minItems`; None for any."""
    root: Literal["object", "object without choice", "any"] = "any"
    closed: bool = False
    """Every object needs `additionalProperties: false`."""
    all_required: bool = False
    type_lists: bool = True
    """`type` may be a list."""
    untyped: bool = True
    """A subschema may say nothing about its type."""
    booleans: bool = True
    """`true` and `false` may stand for schemas."""
    enum_types: tuple[type, ...] | None = None
    """Python types of the values of an enum; None for any."""
    recursion: Recursion = "yes"
    ref_alone: bool = False
    """Nothing may stand beside `$ref`, but keywords that begin with $."""
    no_ref_in_all_of: bool = False
    nullable: bool = False
    """`nullable: true` says what the type `null` says in JSON Schema."""
    limits: Limits = Limits()
    silences: tuple[str, ...] = ()
    """What the page doesn't say and what is assumed here, as sentences."""


NO_EFFECT = "only describes: it is not enforced in JSON Schema either"
"""Of annotations."""
