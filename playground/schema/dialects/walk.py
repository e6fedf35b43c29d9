"""One walker for all dialects: a schema against a table of facts, place by place."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from playground.constraints.jsonschema.keywords import KNOWN, subschemas
from playground.constraints.jsonschema.source import at as place_of
from playground.constraints.jsonschema.source import keys, step
from playground.schema.dialects.counts import Counts, counts, is_object, listed
from playground.schema.dialects.facts import Dialect
from playground.schema.dialects.references import recursive

_SHAPES = frozenset({"$ref", "allOf", "anyOf", "const", "enum", "oneOf"})
"""A schema with one of these says what it takes without `type`."""
CLAIMS = re.compile(r"\\[1-9bB]|\(\?[=!<]")
"""Back-references, word boundaries and look-around."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A place where a schema leaves a dialect, or where the dialect's page is silent."""

    keyword: str
    pointer: str
    message: str
    breach: bool = True
    """False where the page is silent."""


def walk(root: Any, dialect: Dialect) -> list[Remark]:
    """The remarks on a parsed schema, outer places first."""
    return list(_Walk(root, dialect).remarks())


class _Walk:
    def __init__(self, root: Any, dialect: Dialect) -> None:
        self.root = root
        self.dialect = dialect
        self.loops = recursive(root)

    def remarks(self) -> Iterator[Remark]:
        yield from self._root()
        for schema, pointer in subschemas(self.root):
            if isinstance(schema, dict):
                for keyword in schema:
                    yield from self._keyword(schema, keyword, step(pointer, keyword))
                yield from self._shape(schema, pointer)
            elif not self.dialect.booleans and not pointer.endswith("/additionalProperties"):
                word = "true" if schema is True else "false" if schema is False else "A value"
                yield Remark(
                    "type", pointer, f"`{word}` stands for a schema, and only objects may."
                )
        yield from self._limits(counts(self.root))

    def _root(self) -> Iterator[Remark]:
        if self.dialect.root == "any":
            return
        schema = self.root if isinstance(self.root, dict) else {}
        if schema.get("type") != "object":
            hint = "Put the schema under a property of an object."
            yield Remark("type", "", f'The root must say `"type": "object"`. {hint}')
        for keyword in ("allOf", "anyOf", "oneOf"):
            if keyword in schema:
                yield Remark(keyword, f"/{keyword}", f"`{keyword}` can't stand at the root.")

    def _keyword(self, schema: dict[str, Any], keyword: str, at: str) -> Iterator[Remark]:
        dialect, value = self.dialect, schema[keyword]
        if keyword in dialect.keywords:
            yield from self._value(schema, keyword, value, at)
        elif keyword in dialect.silent:
            said = dialect.silent[keyword]
            yield Remark(keyword, at, f"`{keyword}` is not on the page's list; it {said}.", False)
        elif dialect.keywords is not KNOWN:
            said = dialect.otherwise
            yield Remark(keyword, at, f"`{keyword}` is not on the page's list: {said}.")

    def _value(self, schema: dict[str, Any], keyword: str, value: Any, at: str) -> Iterator[Remark]:
        dialect = self.dialect
        if keyword == "type" and isinstance(value, list) and not dialect.type_lists:
            hint = " Write `nullable: true` for null." if dialect.nullable else ""
            yield Remark(keyword, at, f"`type` must be one type, not a list.{hint}")
        elif (
            keyword == "format"
            and dialect.formats is not None
            and str(value) not in dialect.formats
        ):
            known = ", ".join(sorted(dialect.formats))
            yield Remark(keyword, at, f"The format {value!r} is none of {known}.")
        elif keyword == "enum" and dialect.enum_types is not None:
            odd = [one for one in listed(value) if type(one) not in dialect.enum_types]
            if odd:
                yield Remark(keyword, at, f"An enum can't hold {_kind(odd[0])} here.")
        elif (
            keyword == "minItems"
            and dialect.min_items is not None
            and _over(value, dialect.min_items)
        ):
            yield Remark(keyword, at, f"`minItems` may be 0 to {dialect.min_items} only.")
        elif keyword == "additionalProperties" and dialect.closed and value is not False:
            yield Remark(keyword, at, "`additionalProperties` must be `false`.")
        elif keyword == "items" and isinstance(value, list):
            words = (
                "A list under `items` is the tuple of old drafts; the page knows one schema there."
            )
            yield Remark(keyword, at, words)
        elif keyword == "$ref":
            yield from self._reference(schema, value, at)
        elif keyword == "allOf" and dialect.no_ref_in_all_of:
            referring = [one for one in listed(value) if isinstance(one, dict) and "$ref" in one]
            if referring:
                yield Remark(keyword, at, "`allOf` can't hold a `$ref`.")
        elif keyword == "pattern" and dialect.plain_patterns and CLAIMS.search(str(value)):
            words = "Back-references, look-around and \\b are not supported in patterns."
            yield Remark(keyword, at, words)

    def _reference(self, schema: dict[str, Any], value: Any, at: str) -> Iterator[Remark]:
        dialect, place = self.dialect, at.removesuffix("/$ref")
        if isinstance(value, str) and not value.startswith("#"):
            yield Remark("$ref", at, "`$ref` must stay inside the schema.")
        beside = sorted(key for key in schema if not key.startswith("$"))
        if dialect.ref_alone and beside:
            yield Remark("$ref", at, f"`{beside[0]}` can't stand beside `$ref`.")
        if place in self.loops:
            if dialect.recursion == "no":
                yield Remark("$ref", at, "A schema that contains itself is not supported.")
            elif dialect.recursion == "in optional properties" and not self._optional(place):
                yield Remark(
                    "$ref",
                    at,
                    "A schema may contain itself in a property that is not required only.",
                )

    def _optional(self, pointer: str) -> bool:
        """The place lies in a property that may be left out."""
        parts, names = pointer.split("/"), keys(pointer)
        for index in range(2, len(parts)):
            if parts[index - 1] != "properties":
                continue
            owner = place_of(self.root, "/".join(parts[: index - 1]))
            if isinstance(owner, dict) and names[index - 1] not in listed(owner.get("required")):
                return True
        return False

    def _shape(self, schema: dict[str, Any], pointer: str) -> Iterator[Remark]:
        dialect = self.dialect
        if not dialect.untyped and "type" not in schema and not _SHAPES & schema.keys():
            yield Remark("type", pointer, "The schema doesn't say its `type`.")
        if not is_object(schema):
            return
        if dialect.closed and "additionalProperties" not in schema:
            yield Remark(
                "additionalProperties", pointer, "The object needs `additionalProperties: false`."
            )
        if dialect.all_required:
            named = schema.get("properties")
            required = {one for one in listed(schema.get("required")) if isinstance(one, str)}
            missing = (
                [name for name in named if name not in required] if isinstance(named, dict) else []
            )
            if missing:
                names = ", ".join(missing[:5]) + (", ..." if len(missing) > 5 else "")
                yield Remark(
                    "required",
                    pointer,
                    f"Every property must be required; {names} may be left out. Allow null instead.",
                )

    def _limits(self, found: Counts) -> Iterator[Remark]:
        limits = self.dialect.limits
        for most, has, what, keyword in (
            (limits.properties, found.properties, "properties", "properties"),
            (limits.depth, found.depth, "levels of objects", "properties"),
            (limits.enum_values, found.enum_values, "enum values", "enum"),
            (limits.characters, found.characters, "characters of names and values", "properties"),
            (limits.optional, found.optional, "optional properties", "required"),
            (limits.unions, found.unions, "properties of several types", "anyOf"),
        ):
            if most is not None and has > most:
                yield Remark(
                    keyword, "", f"The schema has {has:,} {what}; at most {most:,} may be."
                )
        if limits.long_enum is None:
            return
        many, most = limits.long_enum
        for schema, pointer in subschemas(self.root):
            enum = listed(schema.get("enum")) if isinstance(schema, dict) else []
            length = sum(len(one) for one in enum if isinstance(one, str))
            if len(enum) > many and length > most:
                yield Remark(
                    "enum",
                    f"{pointer}/enum",
                    f"An enum of more than {many:,} values may have {most:,} characters in all; "
                    f"this one has {length:,}.",
                )


def _over(value: Any, most: int) -> bool:
    return isinstance(value, int | float) and value > most


def _kind(value: Any) -> str:
    names = {bool: "true or false", type(None): "null", list: "a list", dict: "an object"}
    return names.get(type(value), "a number" if isinstance(value, int | float) else "text")
