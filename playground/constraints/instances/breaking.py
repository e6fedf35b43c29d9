"""Edits of a valid value that may break one keyword: each a kind and the value after it."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from playground.constraints.instances import breaking_strings, shapes
from playground.constraints.instances.goals import Map
from playground.constraints.jsonschema.refs import Sub

if TYPE_CHECKING:
    from playground.constraints.instances.generator import Generator

Edit = tuple[str, Any]
"""What was done, in a few words, and the value after it."""

DEPTH = 4
"""So deep are the schemas inside a schema broken."""
EACH = 12
"""At most so many edits for one keyword of a schema inside."""
OTHERS: tuple[Any, ...] = ("x", 7, 1.5, True, None, [], {}, "", -1, 0, ["x"], {"a": 1})


class Breaker:
    """Edits for the keywords of one document."""

    def __init__(self, generator: "Generator", places: Map) -> None:
        self._make = generator
        self._map = places
        self._made: dict[tuple[int, ...], tuple[tuple[Any, ...], list[Any]]] = {}
        self._rests: dict[tuple[int, str], dict[str, Any]] = {}

    def edits(self, schema: dict[str, Any], keyword: str, value: Any) -> Iterator[Edit]:
        """Values near `value` that may break `keyword` of `schema`, the likeliest first."""
        yield from self._keyword(schema, keyword, value, DEPTH)

    def near(self, schema: dict[str, Any], keyword: str, value: Any) -> Iterator[Edit]:
        """Values that may lie just on the allowed side of `keyword`."""
        edge: Any = schema.get(keyword)
        if keyword in breaking_strings.NUMBERS and _is_number(edge):
            for edit in (edge, edge + 1, edge - 1, edge + 0.5, edge * 2):
                yield "at the bound", edit
        elif keyword in ("minLength", "maxLength") and isinstance(edge, int):
            for text in breaking_strings.of_length(value, edge):
                yield f"{edge} characters", text
        elif keyword == "enum" and isinstance(edge, list):
            yield from (("another listed value", each) for each in edge[:8])
        elif keyword == "type":
            names = edge if isinstance(edge, list) else [edge]
            yield from ((f"another {name}", v) for name in names for v in shapes.of_type(name))
        elif keyword in ("additionalProperties", "properties", "minProperties", "maxProperties"):
            yield from shapes.fewer_keys(value)

    def _schema(self, schema: Any, value: Any, depth: int) -> Iterator[Edit]:
        """Edits that may break any keyword of a schema, taken in turn."""
        if schema is False or depth < 0:
            return
        if schema is True or not isinstance(schema, dict):
            return
        ways: list[Iterator[Edit]] = [
            islice(self._keyword(schema, keyword, value, depth - 1), EACH)
            for keyword in schema
            if keyword != "$ref" or len(schema) < 40
        ]
        yield from shapes.in_turn(ways)

    def _keyword(
        self, schema: dict[str, Any], keyword: str, value: Any, depth: int
    ) -> Iterator[Edit]:
        asked = schema[keyword]
        if keyword in ("type", "const", "enum"):
            yield from _others(asked, keyword, value)
        elif keyword in breaking_strings.NUMBERS:
            yield from breaking_strings.numbers(schema, keyword, value)
        elif keyword in breaking_strings.STRINGS:
            yield from breaking_strings.strings(self._make.rng, keyword, asked, value)
        elif keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
            target = self._map.target(asked) if isinstance(asked, str) else None
            if target is not None:
                yield from self._schema(self._map.at(target), value, depth)
        elif keyword in ("anyOf", "oneOf", "allOf") and isinstance(asked, list):
            yield from self._combined(schema, keyword, asked, value, depth)
        elif keyword in ("not", "if", "then", "else"):
            yield from self._conditional(schema, keyword, value, depth)
        else:
            inner: Callable[[Any, Any], Iterable[Edit]] = lambda s, v: self._schema(s, v, depth)  # noqa: E731
            yield from shapes.edits(self.made, inner, schema, keyword, value)

    def _combined(
        self, schema: dict[str, Any], keyword: str, asked: list[Any], value: Any, depth: int
    ) -> Iterator[Edit]:
        ways = [shapes.in_turn([self._schema(each, value, depth) for each in asked[:12]])]
        if keyword != "allOf":
            ways.append(("another value", each) for each in ({}, *OTHERS))
        if keyword == "oneOf" and depth == DEPTH:  # only these show that exactly one is asked
            yield from self._overlaps(schema, asked)
        elif keyword == "oneOf":
            ways.append(self._overlaps(schema, asked))
        yield from shapes.in_turn(ways)

    def _overlaps(self, schema: dict[str, Any], asked: list[Any]) -> Iterator[Edit]:
        """Values for which two alternatives of a `oneOf` hold."""
        beside = self._beside(schema, "oneOf")
        for i, one in enumerate(asked[:6]):
            for j in range(i + 1, min(len(asked), 6)):
                for found in self.made(one, asked[j], beside):
                    yield f"alternatives {i + 1} and {j + 1} both hold", found

    def _conditional(
        self, schema: dict[str, Any], keyword: str, value: Any, depth: int
    ) -> Iterator[Edit]:
        beside = self._beside(schema, keyword, "then", "else", "if", "not")
        if keyword == "not":
            for found in self.made(schema["not"], beside):
                yield "what `not` describes", found
            for found in self.made(schema["not"]):
                yield "what `not` describes", found
            return
        condition = schema.get("if", {})
        if "then" in schema and keyword != "else":
            for base in [value, *self.made(condition, beside)]:
                yield from self._schema(schema["then"], base, depth)
        if "else" in schema and keyword != "then":
            for base in [value, *self.made({"not": condition}, beside)]:
                yield from self._schema(schema["else"], base, depth)

    def made(self, *schemas: Any) -> list[Any]:
        """A few values that satisfy the schemas together, as the generator makes them."""
        from playground.constraints.instances.generator import LEAST, TYPICAL

        key = tuple(map(id, schemas))
        if key not in self._made:
            resolver = self._make.references.root.resolver
            subs = [Sub(schema, "", resolver) for schema in schemas]
            found = [self._make.value_of(subs, style) for style in (LEAST, TYPICAL)]
            # The schemas are kept, so that their ids stay theirs.
            self._made[key] = schemas, [each[0] for each in found if each is not None]
        return self._made[key][1]

    def _beside(self, schema: dict[str, Any], *keywords: str) -> dict[str, Any]:
        """The schema without these keywords, the first of which is its own: the same object each
        time, so that what was made for it is known again."""
        key = id(schema), keywords[0]  # the schema is a part of the document, which stays
        if key not in self._rests:
            rest = {name: value for name, value in schema.items() if name not in keywords}
            self._rests[key] = rest
        return self._rests[key]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _others(asked: Any, keyword: str, value: Any) -> Iterator[Edit]:
    """Values of another type, or of the same type that are not listed."""
    if keyword != "type":
        if isinstance(value, str):
            for text in (value + "x", value[:-1], value.upper(), value.capitalize(), "other"):
                yield "another string", text
        elif _is_number(value):
            yield from (("another number", value + shift) for shift in (1, -1, 0.5))
        elif isinstance(value, dict):
            yield from shapes.fewer_keys(value)
            yield "one key more", {**value, "zz": 1}
        elif isinstance(value, list):
            yield "one item more", [*value, 1]
    elif value is not None and isinstance(value, int) and not isinstance(value, bool):
        yield "a fraction", value + 0.5
    for other in OTHERS:
        yield f"{shapes.name_of(other)} instead", other
