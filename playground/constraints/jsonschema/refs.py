"""References inside one schema document; nothing outside it is ever fetched."""

import re
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import unquote

from jsonschema.exceptions import UndefinedTypeCheck, UnknownType, ValidationError
from jsonschema.validators import extend
from referencing import Registry, Specification
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012, specification_with

from playground.constraints.jsonschema.check import OLD_DIALECTS, dialect, draft
from playground.constraints.jsonschema.matching import matches
from playground.constraints.jsonschema.source import step
from playground.errors import UnsupportedSchema


@dataclass(frozen=True, slots=True)
class Sub:
    """A subschema at its place."""

    schema: Any
    pointer: str
    resolver: Any
    """What resolves `$ref` here: it knows the base URI."""
    scopes: frozenset[Hashable] = frozenset()
    """The `unevaluated*` keywords that count what this subschema evaluates."""

    def inner(self, schema: Any, *keys: str | int, in_place: bool = False) -> "Sub":
        """A subschema of this one; `in_place` when it judges the same value."""
        pointer = self.pointer
        for key in keys:
            pointer = step(pointer, key)
        return Sub(schema, pointer, self.resolver, self.scopes if in_place else frozenset())

    def invented(self, schema: Any) -> "Sub":
        """A schema that stands in for a part of this one, at the same pointer."""
        return Sub(schema, self.pointer, self.resolver)


class References:
    """The resolver of one document."""

    def __init__(self, schema: Any) -> None:
        validator = dialect(schema)
        uri = str(validator.META_SCHEMA.get("$schema", validator.META_SCHEMA.get("id")))
        self.old = draft(schema) in OLD_DIALECTS
        self.boolean_bounds = draft(schema) in ("draft-03", "draft-04")
        self.contains_evaluates = draft(schema) == "2020-12"
        self._specification: Specification[Any] = specification_with(uri, default=DRAFT202012)
        resource = self._specification.create_resource(schema)
        # Under no name of its own: the registry adds a relative `$id` to the name once.
        registry: Registry[Any] = Registry().with_resource("", resource)
        self._resolver = registry.resolver(base_uri=resource.id() or "")
        self._pointers: dict[int, str] = {}
        self._listed: dict[int, set[str]] = {}
        self._endless: set[int] = set()
        self._sound: set[int] = set()
        self._dynamic: dict[str, int] = {}
        self._locate(schema)
        self.root = self.entered(Sub(schema, "", self._resolver))
        judge = extend(
            validator, {"pattern": _pattern, "patternProperties": _by_pattern, "enum": self._enum}
        )
        self._judge = judge(schema, registry=Registry())

    def _locate(self, schema: Any) -> None:
        todo = [(schema, "")]
        while todo:
            value, pointer = todo.pop()
            if isinstance(value, dict):
                self._pointers[id(value)] = pointer
                anchor = value.get("$dynamicAnchor")
                if isinstance(anchor, str):
                    self._dynamic[anchor] = self._dynamic.get(anchor, 0) + 1
                todo.extend((inner, step(pointer, key)) for key, inner in value.items())
            elif isinstance(value, list):
                todo.extend((inner, step(pointer, i)) for i, inner in enumerate(value))

    def entered(self, sub: Sub) -> Sub:
        """`sub` with the base URI of its own `$id`, if it has one and isn't entered yet: a relative
        `$id` added to itself would be another."""
        name = sub.schema.get("$id", sub.schema.get("id")) if isinstance(sub.schema, dict) else None
        if not isinstance(name, str):
            return sub
        try:
            if sub.resolver.lookup("#").contents is sub.schema:
                return sub
        except (Unresolvable, ValueError, LookupError):
            pass  # an `$id` that is no URI: what refers to it is told where it does
        resource = self._specification.create_resource(sub.schema)
        return replace(sub, resolver=sub.resolver.in_subresource(resource))

    @property
    def size(self) -> int:
        """How many JSON objects the document has."""
        return len(self._pointers)

    def is_dynamic(self, ref: str) -> bool:
        """A `$dynamicRef` whose target depends on the way that led to it."""
        return self._dynamic.get(ref.rpartition("#")[2], 0) > 1

    def _enum(
        self, validator: Any, values: Any, value: Any, schema: Any
    ) -> Iterator[ValidationError]:
        """`enum` by look-up: jsonschema compares with each value in turn."""
        if id(values) not in self._listed:
            self._listed[id(values)] = {canonical(each) for each in values}
        if canonical(value) not in self._listed[id(values)]:
            yield ValidationError(f"{value!r} is not one of the listed values")

    def accepts(self, sub: Sub, value: Any) -> bool:
        """The reference judge accepts the value; True where it can't tell (a broken schema)."""
        try:
            return bool(
                self._judge.evolve(schema=sub.schema, _resolver=sub.resolver).is_valid(value)
            )
        except (
            TypeError,
            ValueError,
            AttributeError,
            LookupError,
            ArithmeticError,
            RecursionError,
        ):
            return True
        except (UnknownType, UndefinedTypeCheck, Unresolvable, re.error):
            return True

    def follow(self, sub: Sub, keyword: str) -> Sub:
        """The target of the reference under `keyword`.

        Raises:
            UnsupportedSchema: it points outside the document, or nowhere.
        """
        ref, here = sub.schema[keyword], step(sub.pointer, keyword)
        if not isinstance(ref, str):
            raise UnsupportedSchema(f"`{keyword}` must be a string, not {ref!r}.", where=here)
        try:
            found = sub.resolver.lookup(ref)
        except (Unresolvable, ValueError, TypeError, LookupError, AttributeError):
            if ref.startswith("#"):
                what = f'`{keyword}`: "{ref}" points nowhere.'
                hint = "Define it under `$defs`, or correct the spelling."
            else:
                what = f'`{keyword}`: "{ref}" lies outside this schema; nothing is fetched.'
                hint = "Copy its definition under `$defs` and refer to that."
            raise UnsupportedSchema(what, hint, here) from None
        pointer = self._pointers.get(id(found.contents))
        if pointer is None:
            pointer = unquote(ref.partition("#")[2])
        target = self.entered(Sub(found.contents, pointer, found.resolver, sub.scopes))
        self._refuse_loops(target, here)
        return target

    def _refuse_loops(self, target: Sub, here: str) -> None:
        """A schema that judges a value by itself, without going into it, has no end for a judge."""
        if id(target.schema) in self._endless:
            raise UnsupportedSchema(
                "The reference leads back to the same schema for the same value, without end.",
                "Let it stand below a property or an item.",
                here,
            )
        if id(target.schema) in self._sound or not isinstance(target.schema, dict):
            return
        self._endless.add(id(target.schema))
        for inner in in_place(target):
            if not isinstance(inner.schema, dict):
                continue
            for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
                if keyword in inner.schema:
                    self.follow(inner, keyword)
        self._endless.discard(id(target.schema))
        self._sound.add(id(target.schema))


def in_place(sub: Sub) -> Iterator[Sub]:
    """The schema and the schemas in it that judge the same value, references not followed."""
    todo = [sub]
    while todo:
        each = todo.pop()
        yield each
        if not isinstance(each.schema, dict):
            continue
        for keyword in ("allOf", "anyOf", "oneOf"):
            listed = each.schema.get(keyword)
            if isinstance(listed, list):
                todo.extend(each.inner(inner, keyword, i) for i, inner in enumerate(listed))
        for keyword in ("if", "then", "else", "not"):
            if keyword in each.schema:
                todo.append(each.inner(each.schema[keyword], keyword))
        for keyword in ("dependentSchemas", "dependencies"):
            named = each.schema.get(keyword)
            if isinstance(named, dict):
                todo.extend(each.inner(inner, keyword, name) for name, inner in named.items())


# The judge's own pattern keywords run Python's backtracking `re`, which a pasted pattern can hang.


def _pattern(validator: Any, pattern: Any, value: Any, schema: Any) -> Iterator[ValidationError]:
    if isinstance(value, str) and matches(pattern, value) is False:
        yield ValidationError(f"{value!r} does not match {pattern!r}")


def _by_pattern(
    validator: Any, patterns: Any, value: Any, schema: Any
) -> Iterator[ValidationError]:
    if isinstance(value, dict):
        for pattern, inner in patterns.items():
            for key, item in value.items():
                if matches(pattern, key, wide=True):
                    yield from validator.descend(item, inner, path=key, schema_path=pattern)


def canonical(value: Any) -> str:
    """Equal JSON values give equal texts: 1 and 1.0 are equal, 1 and true are not."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, dict):
        inner = ",".join(sorted(f"{key!r}:{canonical(item)}" for key, item in value.items()))
        return f"{{{inner}}}"
    if isinstance(value, list):
        return f"[{','.join(map(canonical, value))}]"
    return repr(value)
