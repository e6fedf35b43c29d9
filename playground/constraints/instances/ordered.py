"""A value in the spelling that a mask offers: keys in the schema's order, one space after a sign."""

import json
from collections.abc import Iterator
from typing import Any

from playground.constraints.instances.goals import Map
from playground.constraints.jsonschema.matching import matches
from playground.constraints.jsonschema.refs import canonical

MAX_SCHEMAS = 60
"""So many schemas are looked through for the order of one value."""
MAX_LEVELS = 6
"""So deep is an alternative looked into."""
_TYPES: dict[str, tuple[type, ...]] = {
    "null": (type(None),),
    "boolean": (bool,),
    "number": (int, float),
    "integer": (int, float),
    "string": (str,),
    "array": (list,),
    "object": (dict,),
}


class Speller:
    """Spells values of one schema."""

    def __init__(self, places: Map, whitespace: str = "one") -> None:
        """`whitespace` as in ConstraintSpec: `none` writes no blanks, the others one."""
        self._map = places
        self._separators = (",", ":") if whitespace == "none" else (", ", ": ")

    def text(self, value: Any) -> str:
        """The JSON text of `value`, its keys in the order of `properties`."""
        ordered = self.ordered(value)
        return json.dumps(ordered, ensure_ascii=False, separators=self._separators)

    def ordered(self, value: Any) -> Any:
        """`value` with the keys of every object in the schema's order, unknown ones last."""
        return self._ordered(value, [self._map.root])

    def _ordered(self, value: Any, schemas: list[Any]) -> Any:
        if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
            return int(value)
        if not isinstance(value, dict | list):
            return value
        known = list(self._in_place(schemas, value))
        for schema in known:
            listed = [schema["const"]] if "const" in schema else schema.get("enum")
            for each in listed if isinstance(listed, list) else ():
                if type(each) is type(value) and canonical(each) == canonical(value):
                    return each
        if isinstance(value, list):
            return [self._ordered(each, list(_items(known, i))) for i, each in enumerate(value)]
        names: dict[str, None] = {}
        for schema in known:
            if isinstance(schema.get("properties"), dict):
                names.update(dict.fromkeys(schema["properties"]))
        for schema in known:
            required = schema.get("required")
            if isinstance(required, list):
                names.update(dict.fromkeys(n for n in required if isinstance(n, str)))
        keys = [name for name in names if name in value]
        keys += [name for name in value if name not in names]
        return {key: self._ordered(value[key], list(_members(known, key))) for key in keys}

    def _in_place(self, schemas: list[Any], value: Any) -> Iterator[dict[str, Any]]:
        """The schemas that may judge the value: through references and combinations. Those of
        alternatives come where they stand, the ones that plainly don't fit left out."""
        todo, seen = list(schemas), set[int]()
        while todo and len(seen) < MAX_SCHEMAS:
            schema = todo.pop(0)
            if not isinstance(schema, dict) or id(schema) in seen:
                continue
            seen.add(id(schema))
            yield schema
            more: list[Any] = []
            ref = schema.get("$ref")
            if isinstance(ref, str) and (target := self._map.target(ref)) is not None:
                more.append(self._map.at(target))
            listed = schema.get("allOf")
            more += listed if isinstance(listed, list) else []
            for keyword in ("anyOf", "oneOf"):
                listed = schema.get(keyword)
                if isinstance(listed, list):
                    fits = [each for each in listed if self._may_fit(each, value)]
                    more += sorted(fits, key=lambda each: -self._known(each, value))
            more += [schema[k] for k in ("if", "then", "else") if k in schema]
            named = schema.get("dependentSchemas")
            if isinstance(named, dict) and isinstance(value, dict):
                more += [inner for name, inner in named.items() if name in value]
            todo.extend(more)  # breadth first, as the lowering reads them

    def _resolved(self, schema: Any) -> Any:
        ref = schema.get("$ref") if isinstance(schema, dict) else None
        if isinstance(ref, str) and (target := self._map.target(ref)) is not None:
            return self._map.at(target)
        return schema

    def _may_fit(self, schema: Any, value: Any, depth: int = 0) -> bool:
        """The schema doesn't plainly refuse the value: by a type, a listed value, a missing key."""
        schema = self._resolved(schema)
        if not isinstance(schema, dict) or depth > MAX_LEVELS:
            return schema is not False
        listed = [schema["const"]] if "const" in schema else schema.get("enum")
        if isinstance(listed, list):
            return canonical(value) in map(canonical, listed)
        if not _has_type(schema.get("type"), value):
            return False
        for each in schema["allOf"] if isinstance(schema.get("allOf"), list) else ():
            if not self._may_fit(each, value, depth + 1):
                return False
        for keyword in ("anyOf", "oneOf"):
            ways = schema.get(keyword)
            if isinstance(ways, list) and not any(self._may_fit(w, value, depth + 1) for w in ways):
                return False
        if not isinstance(value, dict):
            return True
        required = schema.get("required")
        if isinstance(required, list) and any(name not in value for name in required):
            return False
        properties = schema.get("properties")
        return not isinstance(properties, dict) or all(
            self._may_fit(inner, value[name], depth + 1)
            for name, inner in properties.items()
            if name in value
        )

    def _known(self, schema: Any, value: Any) -> int:
        schema = self._resolved(schema)
        properties = schema.get("properties") if isinstance(schema, dict) else None
        if not isinstance(properties, dict) or not isinstance(value, dict):
            return 0
        return sum(name in properties for name in value)


def _items(schemas: list[dict[str, Any]], index: int) -> Iterator[Any]:
    for schema in schemas:
        for keyword in ("prefixItems", "items"):
            listed = schema.get(keyword)
            if isinstance(listed, list) and index < len(listed):
                yield listed[index]
        for keyword in ("items", "additionalItems", "contains", "unevaluatedItems"):
            if isinstance(schema.get(keyword), dict):
                yield schema[keyword]


def _members(schemas: list[dict[str, Any]], name: str) -> Iterator[Any]:
    for schema in schemas:
        known = False
        properties = schema.get("properties")
        if isinstance(properties, dict) and name in properties:
            known = True
            yield properties[name]
        patterns = schema.get("patternProperties")
        for pattern, inner in patterns.items() if isinstance(patterns, dict) else ():
            if matches(pattern, name):
                known = True
                yield inner
        if not known:
            for keyword in ("additionalProperties", "unevaluatedProperties"):
                if isinstance(schema.get(keyword), dict):
                    yield schema[keyword]


def _has_type(asked: Any, value: Any) -> bool:
    """The value may be of one of the types; True where the keyword can't be read."""
    names = asked if isinstance(asked, list) else [asked]
    known = [name for name in names if isinstance(name, str) and name in _TYPES]
    if not known:
        return True
    if isinstance(value, bool):
        return "boolean" in known
    return any(isinstance(value, _TYPES[name]) for name in known)
