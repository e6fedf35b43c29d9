"""Collect the facts of a conjunction: follow `$ref` and `allOf`, merge what can be merged."""

from collections import deque
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from playground.constraints.jsonschema import formats, remarks
from playground.constraints.jsonschema.choices import choices
from playground.constraints.jsonschema.facts import (
    ArrayLayer,
    Choice,
    Contains,
    Demand,
    Facts,
    ObjectLayer,
    Scope,
)
from playground.constraints.jsonschema.keywords import TYPES
from playground.constraints.jsonschema.pattern import Required, Untranslatable, parse
from playground.constraints.jsonschema.ranges import Bounds
from playground.constraints.jsonschema.reading import KeywordReader
from playground.constraints.jsonschema.reading import Report as Report
from playground.constraints.jsonschema.refs import References, Sub
from playground.constraints.jsonschema.rx import alt, one_of
from playground.constraints.jsonschema.source import step
from playground.errors import UnsupportedSchema

Chosen = Mapping[Hashable, tuple[Sub, ...]]
"""For each choice already made, the alternative that was taken."""

NOT_PATTERN = "$notPattern"
NOT_VALUES = "$notStrings"
"""Keywords of our own, in schemas made up for a negation; their values are ours alone."""


class Gatherer:
    """Gathers facts for one document."""

    def __init__(self, references: References, report: Report) -> None:
        self._refs = references
        self._report = report
        self._read = KeywordReader(report)
        self._offered: dict[tuple[int, frozenset[Hashable]], list[Choice]] = {}

    def gather(self, conjunction: Sequence[Sub], chosen: Chosen | None = None) -> Facts:
        """The facts of all schemas of the conjunction together."""
        facts = Facts()
        todo = deque(conjunction)
        while todo:
            sub = self._refs.entered(todo.popleft())
            schema = sub.schema
            if schema is True:
                continue
            if schema is False:
                facts.fail("`false` allows nothing", sub.pointer)
                continue
            if not isinstance(schema, dict):
                self._read.skip(sub, "", f"a schema must be an object or a boolean, not {schema!r}")
                continue
            if (id(schema), sub.scopes) in facts.visited:
                continue
            facts.visited[id(schema), sub.scopes] = sub
            sub = self._open_scopes(facts, sub)
            todo.extend(self._in_place(facts, sub, chosen or {}))
        return facts

    def _open_scopes(self, facts: Facts, sub: Sub) -> Sub:
        for keyword, scopes in (
            ("unevaluatedProperties", facts.property_scopes),
            ("unevaluatedItems", facts.item_scopes),
        ):
            if keyword in sub.schema and sub.schema[keyword] is not True:
                self._report(remarks.unevaluated(keyword))
                key = (id(sub.schema), keyword)
                scopes.append(Scope(key, sub.inner(sub.schema[keyword], keyword)))
                sub = replace(sub, scopes=sub.scopes | {key})
        return sub

    def _in_place(self, facts: Facts, sub: Sub, chosen: Chosen) -> list[Sub]:
        """Merge one schema's keywords; the schemas that judge the same value come back."""
        schema, more = sub.schema, []
        for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
            if keyword not in schema:
                continue
            if keyword == "$dynamicRef" and self._refs.is_dynamic(str(schema[keyword])):
                self._read.skip(sub, keyword, "several `$dynamicAnchor`s have this name")
                continue
            more.append(self._refs.follow(sub, keyword))
            if self._refs.old:
                beside = set(schema) - {"$ref", "definitions", "$defs", "description", "title"}
                if beside:
                    names = ", ".join(f"`{name}`" for name in sorted(beside))
                    message = f"Up to draft-07 `$ref` hides the keywords beside it: {names}."
                    self._read.note("warning", "$ref", sub, message)
                return more
        for index, inner in enumerate(self._read.items(sub, "allOf")):
            more.append(sub.inner(inner, "allOf", index, in_place=True))
        self._general(facts, sub)
        self._numbers(facts, sub)
        self._strings(facts, sub)
        self._arrays(facts, sub)
        self._objects(facts, sub)
        key = (id(schema), sub.scopes)
        if key not in self._offered:
            # Made once, so that made-up schemas keep their identity.
            self._offered[key] = choices(sub)
        for choice in self._offered[key]:
            if choice.key in chosen:
                more.extend(chosen[choice.key])
            else:
                facts.choices.append(choice)
        return more

    def _general(self, facts: Facts, sub: Sub) -> None:
        schema = sub.schema
        if "type" in schema:
            names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
            for name in names:
                if name not in (*TYPES, "integer"):
                    raise UnsupportedSchema(
                        f"`{name}` is not a type of JSON Schema.",
                        f"The types are {', '.join(TYPES)} and integer.",
                        step(sub.pointer, "type"),
                    )
            kept = {"number" if name == "integer" else name for name in names}
            facts.integer |= "integer" in names and "number" not in names
            facts.keep_types(kept, step(sub.pointer, "type"))
        if "enum" in schema:
            facts.enums.append((self._read.items(sub, "enum"), step(sub.pointer, "enum")))
        if "const" in schema:
            facts.enums.append(([schema["const"]], step(sub.pointer, "const")))

    def _numbers(self, facts: Facts, sub: Sub) -> None:
        schema = sub.schema
        for keyword, exclusive, is_low in (
            ("minimum", "exclusiveMinimum", True),
            ("maximum", "exclusiveMaximum", False),
        ):
            plain = self._read.number(sub, keyword)
            if plain is not None:
                is_open = schema.get(exclusive) is True and self._refs.boolean_bounds
                facts.bounds = facts.bounds.meet(_bound(plain, is_open, is_low))
            if isinstance(schema.get(exclusive), bool) and not self._refs.boolean_bounds:
                self._read.skip(sub, exclusive, "a boolean here belongs to draft-04")
            strict = self._read.number(sub, exclusive)
            if strict is not None:
                facts.bounds = facts.bounds.meet(_bound(strict, True, is_low))
            facts.pointers.update(
                {name: step(sub.pointer, name) for name in (keyword, exclusive) if name in schema}
            )
        multiple = self._read.number(sub, "multipleOf")
        if multiple is not None and multiple <= 0:
            self._read.ignore(sub, "multipleOf", "it must be above 0")
        elif multiple is not None:
            facts.multiples[multiple] = step(sub.pointer, "multipleOf")

    def _strings(self, facts: Facts, sub: Sub) -> None:
        schema = sub.schema
        facts.min_length = max(facts.min_length, self._read.count(sub, "minLength") or 0)
        most = self._read.count(sub, "maxLength")
        if most is not None:
            facts.max_length = most if facts.max_length is None else min(facts.max_length, most)
        for name in ("minLength", "maxLength"):
            if name in schema:
                facts.pointers[name] = step(sub.pointer, name)
        for keyword, wide in (("pattern", False), (NOT_PATTERN, True)):
            if keyword not in schema:
                continue
            try:
                found = parse(str(schema[keyword]), wide)
                if wide and len(found) > 1:
                    raise Untranslatable("its look-aheads can't be negated")
                languages = tuple(Required(each.node, each.negated != wide) for each in found)
                facts.demands.append(Demand("pattern", step(sub.pointer, "pattern"), languages))
            except Untranslatable as error:
                self._read.skip(sub, "pattern", str(error))
        if NOT_VALUES in schema:
            without = Required(alt(one_of(schema[NOT_VALUES])), negated=True)
            facts.demands.append(Demand("not", step(sub.pointer, "not"), (without,)))
        name = schema.get("format")
        if isinstance(name, str) and name in formats.PATTERNS:
            where = step(sub.pointer, "format")
            facts.demands.append(Demand("format", where, formats.language(name)))
            self._report(remarks.FORMATS)
        elif name is not None and "string" in facts.types:
            known = isinstance(name, str) and name in formats.UNENFORCED
            self._read.skip(
                sub, "format", f"no rule for `{name}` here" if known else f"`{name}` is unknown"
            )

    def _arrays(self, facts: Facts, sub: Sub) -> None:
        schema = sub.schema
        facts.min_items = max(facts.min_items, self._read.count(sub, "minItems") or 0)
        most = self._read.count(sub, "maxItems")
        if most is not None:
            facts.max_items = most if facts.max_items is None else min(facts.max_items, most)
        for name in ("minItems", "maxItems"):
            if name in schema:
                facts.pointers[name] = step(sub.pointer, name)
        if schema.get("uniqueItems") is True:
            facts.unique = step(sub.pointer, "uniqueItems")
        if "contains" in schema:
            least = self._read.count(sub, "minContains")
            facts.contains.append(
                Contains(
                    sub.inner(schema["contains"], "contains"),
                    1 if least is None else least,
                    self._read.count(sub, "maxContains"),
                    step(sub.pointer, "contains"),
                    sub.scopes if self._refs.contains_evaluates else frozenset(),
                )
            )
        keyword = "items" if isinstance(schema.get("items"), list) else "prefixItems"
        prefix = tuple(
            sub.inner(inner, keyword, i) for i, inner in enumerate(self._read.items(sub, keyword))
        )
        after = "additionalItems" if keyword == "items" else "items"
        rest = sub.inner(schema[after], after) if after in schema else None
        if schema.get("unevaluatedItems") is True and rest is None:
            rest = sub.inner(True, "unevaluatedItems")
        if prefix or rest is not None:
            facts.arrays.append(ArrayLayer(prefix, rest, sub.scopes))

    def _objects(self, facts: Facts, sub: Sub) -> None:
        schema = sub.schema
        for name in self._read.items(sub, "required"):
            if isinstance(name, str):
                facts.required.setdefault(name, step(sub.pointer, "required"))
            else:
                self._read.skip(sub, "required", f"{name!r} is no property name")
        facts.min_properties = max(
            facts.min_properties, self._read.count(sub, "minProperties") or 0
        )
        most = self._read.count(sub, "maxProperties")
        if most is not None:
            known = facts.max_properties
            facts.max_properties = most if known is None else min(known, most)
        for name in ("minProperties", "maxProperties"):
            if name in schema:
                facts.pointers[name] = step(sub.pointer, name)
        if "propertyNames" in schema:
            facts.names.append(sub.inner(schema["propertyNames"], "propertyNames"))
        properties = {
            name: sub.inner(inner, "properties", name)
            for name, inner in self._read.members(sub, "properties").items()
        }
        patterns = tuple(
            (pattern, sub.inner(inner, "patternProperties", pattern))
            for pattern, inner in self._read.members(sub, "patternProperties").items()
        )
        additional = None
        if "additionalProperties" in schema:
            additional = sub.inner(schema["additionalProperties"], "additionalProperties")
        elif schema.get("unevaluatedProperties") is True:
            additional = sub.inner(True, "unevaluatedProperties")
        if properties or patterns or additional is not None:
            facts.objects.append(ObjectLayer(properties, patterns, additional, sub.scopes))
            if "type" not in schema and properties:
                facts.open_type = sub.pointer


def _bound(value: Decimal, is_open: bool, is_low: bool) -> Bounds:
    if is_low:
        return Bounds(low=value, open_low=is_open)
    return Bounds(high=value, open_high=is_open)
