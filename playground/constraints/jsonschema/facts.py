"""What a conjunction of schemas asks of one value, keyword by keyword, merged."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from playground.constraints.jsonschema.keywords import TYPES
from playground.constraints.jsonschema.pattern import Required
from playground.constraints.jsonschema.ranges import Bounds
from playground.constraints.jsonschema.refs import Sub


@dataclass(frozen=True, slots=True)
class Demand:
    """Languages that a string must be in, asked for by one keyword."""

    keyword: str
    pointer: str
    languages: tuple[Required, ...]


@dataclass(frozen=True, slots=True)
class ObjectLayer:
    """`properties`, `patternProperties` and `additionalProperties` of one schema."""

    properties: dict[str, Sub]
    patterns: tuple[tuple[str, Sub], ...]
    additional: Sub | None
    scopes: frozenset[Hashable]


@dataclass(frozen=True, slots=True)
class ArrayLayer:
    """The items of one schema: the first few each with a schema, then all the others."""

    prefix: tuple[Sub, ...]
    rest: Sub | None
    scopes: frozenset[Hashable]


@dataclass(frozen=True, slots=True)
class Scope:
    """An `unevaluatedProperties` or `unevaluatedItems`: what no schema in its scope looks at."""

    key: Hashable
    sub: Sub


@dataclass(frozen=True, slots=True)
class Contains:
    """`contains` with its counts."""

    sub: Sub
    least: int
    most: int | None
    pointer: str
    scopes: frozenset[Hashable]


@dataclass(frozen=True, slots=True)
class Choice:
    """A keyword that offers alternatives, of which (at least, or exactly) one must hold."""

    keyword: str
    pointer: str
    key: Hashable
    owner: Sub
    options: tuple[tuple[Sub, ...], ...]


@dataclass(slots=True)
class Facts:
    """The merged demands; filled by `gather.gather`, read-only afterwards."""

    types: set[str] = field(default_factory=lambda: set(TYPES))
    integer: bool = False
    bounds: Bounds = field(default_factory=Bounds)
    multiples: dict[Decimal, str] = field(default_factory=dict)
    min_length: int = 0
    max_length: int | None = None
    demands: list[Demand] = field(default_factory=list)
    arrays: list[ArrayLayer] = field(default_factory=list)
    min_items: int = 0
    max_items: int | None = None
    unique: str | None = None
    contains: list[Contains] = field(default_factory=list)
    item_scopes: list[Scope] = field(default_factory=list)
    objects: list[ObjectLayer] = field(default_factory=list)
    required: dict[str, str] = field(default_factory=dict)
    min_properties: int = 0
    max_properties: int | None = None
    names: list[Sub] = field(default_factory=list)
    property_scopes: list[Scope] = field(default_factory=list)
    enums: list[tuple[list[Any], str]] = field(default_factory=list)
    choices: list[Choice] = field(default_factory=list)
    visited: dict[tuple[int, frozenset[Hashable]], Sub] = field(default_factory=dict)
    pointers: dict[str, str] = field(default_factory=dict)
    """Keyword -> pointer of the last place that set it, for notes."""
    empty: str | None = None
    """Why nothing can satisfy this, if that is plain to see."""
    empty_at: str = ""
    open_type: str | None = None
    """Pointer of a schema that names properties or items without a `type`."""

    @property
    def pointer(self) -> str:
        """Where the first of the schemas stands."""
        return next((sub.pointer for sub in self.visited.values()), "")

    @property
    def anything(self) -> bool:
        """No keyword asks for anything."""
        return self == Facts(visited=self.visited, pointers=self.pointers, open_type=self.open_type)

    def fail(self, why: str, pointer: str) -> None:
        if self.empty is None:
            self.empty, self.empty_at = why, pointer

    def keep_types(self, kept: set[str], pointer: str) -> None:
        """Narrow the types; note the emptiness when none is left."""
        if self.types and not self.types & kept:
            self.fail("no type satisfies every `type` here", pointer)
        self.types &= kept
