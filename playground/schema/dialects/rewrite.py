"""A schema rewritten for a dialect, where that is mechanical, and what the new one lets go."""

import json
from typing import Any

from playground.constraints.jsonschema.keywords import (
    ANNOTATIONS,
    HOLD_LIST,
    HOLD_MAP,
    HOLD_ONE,
)
from playground.constraints.jsonschema.source import at, step
from playground.errors import BudgetExceeded
from playground.schema.dialects.counts import is_object, listed
from playground.schema.dialects.facts import Dialect
from playground.schema.dialects.merge import NoWay, merged
from playground.schema.dialects.references import recursive, target
from playground.schema.dialects.rewrite_parts import (
    nullable,
    number,
    resolves,
    tuple_renamed,
    well_formed,
)
from playground.schema.dialects.walk import CLAIMS, walk
from playground.schema.effort import Effort

MAX_NODES = 5_000
"""Schemas of a rewriting whose references are written out."""
SECONDS = 0.7
"""For one rewriting."""
MAX_NAMED = 6
"""So many losses are named in a title."""
WRAP = "value"
"""The property under which a schema that is no object is put."""
_GROUPS = (frozenset({"if", "then", "else"}), frozenset({"contains", "minContains", "maxContains"}))


def fixed(root: Any, dialect: Dialect) -> dict[str, str] | None:
    """A fix, `title` and `source`, that lies inside the dialect; None where there is no mechanical
    one. The title says what is no longer enforced, or is narrower, in the new schema."""
    if not well_formed(root):
        return None
    rewriter = _Rewriter(root, dialect)
    try:
        value = rewriter.root()
    except (NoWay, BudgetExceeded):
        return None
    if any(remark.breach for remark in walk(value, dialect)) or not resolves(root, value):
        return None
    title = f"Rewrite it for {dialect.name}."
    for words, places in (
        ("No longer enforced", rewriter.lost),
        ("Narrower than before", rewriter.narrower),
        ("Changed", rewriter.changed),
    ):
        if places:
            named = list(dict.fromkeys(places))
            more = f" and {len(named) - MAX_NAMED} more" if len(named) > MAX_NAMED else ""
            title += f" {words}: {'; '.join(named[:MAX_NAMED])}{more}."
    return {"title": title, "source": json.dumps(value, ensure_ascii=False, indent=2)}


class _Rewriter:
    def __init__(self, root: Any, dialect: Dialect) -> None:
        self._root = root
        self._dialect = dialect
        self._loops = recursive(root)
        self._effort = Effort(SECONDS, MAX_NODES)
        self._sizes: dict[str, int] = {}
        self.lost: list[str] = []
        self.narrower: list[str] = []
        self.changed: list[str] = []

    def root(self) -> Any:
        dialect, root = self._dialect, self._root
        if dialect.recursion == "no" and self._loops:
            raise NoWay("the schema contains itself")
        new = self.schema(root, "")
        if dialect.root == "any" or not isinstance(new, dict):
            return new
        choice = {"allOf", "anyOf", "oneOf"} & new.keys()
        if new.get("type") == "object" and not choice:
            return new
        if any(at(root, place).get("$ref") == "#" for place in self._loops):
            raise NoWay("the schema contains its root")
        definitions = {key: new.pop(key) for key in ("$defs", "definitions") if key in new}
        self.changed.append(f"the answer stands under the property `{WRAP}`")
        return {
            "type": "object",
            "properties": {WRAP: new},
            "required": [WRAP],
            "additionalProperties": False,
            **definitions,
        }

    def schema(self, schema: Any, pointer: str, inside: tuple[str, ...] = ()) -> Any:
        """One schema and all in it; `inside` are the references that are being written out."""
        self._effort.step()
        if not isinstance(schema, dict):
            if isinstance(schema, bool) and not self._dialect.booleans:
                raise NoWay("a boolean stands for a schema")
            return schema
        schema = self._unreferenced(dict(schema), pointer, inside)
        if isinstance(schema, tuple):
            schema, inside = schema
        schema = self._joined(schema)
        schema = self._kept(schema, pointer)
        out: dict[str, Any] = {}
        for keyword, value in schema.items():
            place = step(pointer, keyword)
            if keyword in HOLD_MAP and isinstance(value, dict):
                out[keyword] = {
                    name: self.schema(inner, step(place, name), inside)
                    for name, inner in value.items()
                }
            elif keyword in HOLD_LIST and isinstance(value, list):
                out[keyword] = [
                    self.schema(inner, step(place, index), inside)
                    for index, inner in enumerate(value)
                ]
            elif keyword in HOLD_ONE and not (
                keyword == "additionalProperties" and isinstance(value, bool)
            ):
                out[keyword] = self.schema(value, place, inside)
            else:
                out[keyword] = value
        return self._spread(self._object(self._typed(out, pointer), pointer))

    def _unreferenced(self, schema: dict[str, Any], pointer: str, inside: tuple[str, ...]) -> Any:
        """The schema with its `$ref` written out, where the dialect asks for it."""
        if "$ref" not in schema:
            return schema
        dialect = self._dialect
        beside = {key for key in schema if not key.startswith("$")}
        if "$ref" in dialect.keywords and not (dialect.ref_alone and beside):
            return schema
        if "$ref" in dialect.keywords and beside <= ANNOTATIONS:
            self.changed.append(f"descriptions beside $ref left out at {pointer}")
            return {key: value for key, value in schema.items() if key not in beside}
        found = target(self._root, schema.pop("$ref"))
        if found is None or not isinstance(found[1], dict) or found[0] in inside:
            raise NoWay("a reference can't be written out")
        self._effort.write(self._size(*found))
        return merged([schema, found[1]]), (*inside, found[0])

    def _size(self, pointer: str, value: Any) -> int:
        """Characters of a definition, each time that it is written out."""
        if pointer not in self._sizes:
            self._sizes[pointer] = len(json.dumps(value, ensure_ascii=False))
        return self._sizes[pointer]

    def _joined(self, schema: dict[str, Any]) -> dict[str, Any]:
        """The schema with `allOf` merged into it, where the dialect doesn't take it."""
        dialect = self._dialect
        while isinstance(members := schema.get("allOf"), list):
            referring = any(isinstance(one, dict) and "$ref" in one for one in members)
            if "allOf" in dialect.keywords and not (dialect.no_ref_in_all_of and referring):
                break
            self._effort.step(1 + len(members))  # a loop, or members of members without end
            own = {key: value for key, value in schema.items() if key != "allOf"}
            schema = merged([own, *map(self._member, members)]) if members else own
        return schema

    def _member(self, member: Any) -> dict[str, Any]:
        if isinstance(member, dict) and "$ref" in member:
            if len(member) > 1:
                raise NoWay("allOf holds a reference with more beside it")
            found = target(self._root, member["$ref"])
            member = None if found is None else found[1]
            self._effort.write(self._size(*found) if found is not None else 0)
        if not isinstance(member, dict):
            raise NoWay("allOf holds a boolean or a reference that leads nowhere")
        return member

    def _kept(self, schema: dict[str, Any], pointer: str) -> dict[str, Any]:
        """The schema without what the dialect doesn't take."""
        dialect = self._dialect
        allowed = dialect.keywords | dialect.silent.keys()
        if "const" in schema and "const" not in allowed:
            schema = {**schema, "enum": [schema["const"]]}
            del schema["const"]
        if "oneOf" in schema and "oneOf" not in allowed and "anyOf" not in schema:
            schema = {("anyOf" if key == "oneOf" else key): schema[key] for key in schema}
            self.lost.append(f"that exactly one branch of {step(pointer, 'oneOf')} holds")
        schema = tuple_renamed(schema) if "prefixItems" in allowed else schema
        if not dialect.nullable:
            schema = {key: value for key, value in schema.items() if key != "nullable"}
        drop = {key for key in schema if key not in allowed}
        for group in _GROUPS:
            if group & drop:
                drop |= group & schema.keys()
        if "prefixItems" in drop or isinstance(schema.get("items"), list):
            drop |= {"items", "additionalItems"} & schema.keys()
        if "patternProperties" in drop and not dialect.closed:
            drop |= {"additionalProperties"} & schema.keys()
        drop |= self._odd_values(schema)
        self.lost += [
            f"{key} at {step(pointer, key)}"
            for key in schema
            if key in drop
            and key not in ANNOTATIONS | {"$defs", "definitions"}
            and (key, schema[key]) != ("additionalProperties", True)
        ]
        if dialect.min_items is not None and number(schema.get("minItems")) > dialect.min_items:
            self.lost.append(f"minItems over {dialect.min_items} at {step(pointer, 'minItems')}")
            schema = {**schema, "minItems": dialect.min_items}
        return {key: value for key, value in schema.items() if key not in drop}

    def _odd_values(self, schema: dict[str, Any]) -> set[str]:
        """Keywords of the dialect whose value it doesn't take."""
        dialect, odd = self._dialect, set()
        if dialect.formats is not None and str(schema.get("format", "date")) not in dialect.formats:
            odd.add("format")
        types = dialect.enum_types
        if types is not None and any(type(one) not in types for one in listed(schema.get("enum"))):
            odd.add("enum")
        pattern = schema.get("pattern")
        if dialect.plain_patterns and isinstance(pattern, str) and CLAIMS.search(pattern):
            odd.add("pattern")
        return odd

    def _typed(self, schema: dict[str, Any], pointer: str) -> dict[str, Any]:
        """The schema with a type, where the dialect wants one and it is clear which."""
        if self._dialect.untyped or {"type", "$ref", "anyOf", "enum", "const"} & schema.keys():
            return schema
        for keyword, kind in (("properties", "object"), ("items", "array")):
            if keyword in schema:
                self.narrower.append(f"only {kind}s are left at {pointer or 'the root'}")
                return {"type": kind, **schema}
        raise NoWay("a schema doesn't say its type")

    def _object(self, schema: dict[str, Any], pointer: str) -> dict[str, Any]:
        """The schema with closed objects and required properties, as the dialect asks."""
        dialect = self._dialect
        if not is_object(schema):
            return schema
        named = schema.get("properties")
        if dialect.closed and schema.get("additionalProperties") is not False:
            if not named:
                raise NoWay("an object with free keys can't be closed")
            self.narrower.append(f"no other keys at {pointer or 'the root'}")
            schema = {**schema, "additionalProperties": False}
        if dialect.all_required and isinstance(named, dict):
            required = set(listed(schema.get("required")))
            if any(name not in named for name in required):
                raise NoWay("a required property is not described")
            optional = [name for name in named if name not in required]
            free = set(optional)
            if optional:
                self.changed.append(
                    f"{', '.join(optional[:3])}{', ...' if len(optional) > 3 else ''} at "
                    f"{pointer or 'the root'} must be there, and may be null"
                )
            properties = {
                name: nullable(inner) if name in free else inner for name, inner in named.items()
            }
            schema = {**schema, "properties": properties, "required": list(named)}
        return schema

    def _spread(self, schema: dict[str, Any]) -> dict[str, Any]:
        """The schema without a list of types, where the dialect takes none."""
        kinds = schema.get("type")
        if self._dialect.type_lists or not isinstance(kinds, list):
            return schema
        others = [kind for kind in kinds if kind != "null"]
        null = {"nullable": True} if len(others) < len(kinds) and self._dialect.nullable else {}
        if len(others) + len(null) < len(kinds) or not others:
            raise NoWay("null can't be written")
        rest = {key: value for key, value in schema.items() if key != "type"}
        if len(others) == 1:
            return {"type": others[0], **rest, **null}
        about: dict[str, Any] = {}
        about |= {key: rest.pop(key) for key in ("title", "description") if key in rest}
        if "anyOf" in rest:
            raise NoWay("a list of types stands beside anyOf")
        return {**about, "anyOf": [{"type": kind, **rest, **null} for kind in others]}
