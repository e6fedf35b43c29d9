"""Keywords that forbid nothing where they stand, which the keywords beside them prove."""

from collections.abc import Callable
from typing import Any

from playground.constraints.instances.goals import Map, outer
from playground.constraints.instances.texts import automaton
from playground.constraints.jsonschema.keywords import ANNOTATIONS, COUNTS, KNOWN, NUMBERS, TYPES
from playground.constraints.jsonschema.partners import lacks
from playground.constraints.jsonschema.pattern import Untranslatable, parse
from playground.constraints.jsonschema.source import keys, step

Judge = Callable[[Any], bool | None]

MAX_LISTED = 500
"""A longer `enum` is not judged value by value."""
MAX_LENGTH = 100
"""A length beyond it is not compared with a `pattern`."""
MAX_SCHEMAS = 200
"""So many schemas are looked through for one keyword."""
ALLOWS_ALL: dict[str, tuple[Any, ...]] = {
    "additionalItems": (True, {}),
    "additionalProperties": (True, {}),
    "allOf": ([],),
    "dependencies": ({},),
    "dependentRequired": ({},),
    "dependentSchemas": ({},),
    "exclusiveMaximum": (False,),
    "exclusiveMinimum": (False,),
    "items": (True, {}),
    "minItems": (0,),
    "minLength": (0,),
    "minProperties": (0,),
    "patternProperties": ({},),
    "prefixItems": ([],),
    "properties": ({},),
    "propertyNames": (True, {}),
    "required": ([],),
    "unevaluatedItems": (True, {}),
    "unevaluatedProperties": (True, {}),
    "uniqueItems": (False,),
}
"""Keyword -> values with which it forbids nothing."""
SINGLES = frozenset(
    {
        "additionalItems",
        "additionalProperties",
        "else",
        "items",
        "propertyNames",
        "then",
        "unevaluatedItems",
        "unevaluatedProperties",
    }
)
HOLD_MAPS = frozenset({"dependentSchemas", "patternProperties", "properties"})
HOLD_LISTS = frozenset({"allOf", "anyOf", "items", "prefixItems"})
"""Keywords that hold several schemas: such a one is loosened by letting each of them allow all."""
_LISTS = HOLD_LISTS - {"anyOf"}
_BY_TYPE: dict[str, tuple[str, frozenset[str]]] = {
    "string": ("strings", frozenset({"format", "maxLength", "minLength", "pattern"})),
    "array": (
        "arrays",
        frozenset(
            {
                *("additionalItems", "contains", "items", "maxContains", "maxItems"),
                *("minContains", "minItems", "prefixItems", "unevaluatedItems", "uniqueItems"),
            }
        ),
    ),
    "number": ("numbers", NUMBERS),
    "object": (
        "objects",
        frozenset(
            {
                *("additionalProperties", "dependencies", "dependentRequired"),
                *("dependentSchemas", "maxProperties", "minProperties", "patternProperties"),
                *("properties", "propertyNames", "required", "unevaluatedProperties"),
            }
        ),
    ),
}
_SPEAKS_OF = {name: (kind, many) for kind, (many, names) in _BY_TYPE.items() for name in names}
WANTED = {name: kind for name, (kind, _) in _SPEAKS_OF.items()}
"""Keyword -> the type of the values that it judges."""
_BY_ITSELF = (NUMBERS | COUNTS | {"format", "pattern", "required", "type", "uniqueItems"}) - {
    "maxContains",
    "minContains",
}
"""Keywords that judge a value without looking at their neighbours."""
_OPEN_BOUND = {"minimum": "exclusiveMinimum", "maximum": "exclusiveMaximum"}


def idle(places: Map, pointer: str, judge: Callable[[Any], Judge]) -> str:
    """Why the keyword at `pointer` forbids nothing there, as the end of a sentence; empty where
    that is not plain to see.

    Args:
        places: of the whole document.
        pointer: of a keyword in it, not one that `$ref` hides.
        judge: makes the judge of a schema that has no references.
    """
    where, keyword = outer(pointer), keys(pointer)[-1]
    owner = places.at(where)
    return (
        _beside_type(owner, keyword)
        or _beside_list(places.root, owner, keyword, judge)
        or _beside_pattern(owner, keyword)
        or _holds_nothing(places, where, owner, keyword)
    )


def _beside_type(owner: dict[str, Any], keyword: str) -> str:
    if keyword not in _SPEAKS_OF or "type" not in owner:
        return ""
    kind, many = _SPEAKS_OF[keyword]
    asked = owner["type"] if isinstance(owner["type"], list) else [owner["type"]]
    if not asked or not all(isinstance(name, str) for name in asked):
        return ""
    if not set(asked) <= {*TYPES, "integer"}:
        return ""
    names = {"number" if name == "integer" else name for name in asked}
    return "" if kind in names else f"`type` allows no {many}, and it speaks of no other values"


def _beside_list(
    root: Any, owner: dict[str, Any], keyword: str, judge: Callable[[Any], Judge]
) -> str:
    """Beside `enum` or `const`, where every listed value fits it anyway."""
    beside = next((name for name in ("const", "enum") if name in owner and name != keyword), None)
    if beside is None or keyword not in {*_BY_ITSELF, "enum"} or keyword == "const":
        return ""
    listed = [owner["const"]] if beside == "const" else owner["enum"]
    if not isinstance(listed, list) or not 0 < len(listed) <= MAX_LISTED:
        return ""
    alone = {keyword: owner[keyword]}
    bound = _OPEN_BOUND.get(keyword, "")
    if owner.get(bound) is True:  # draft-04: a part of the bound
        alone[bound] = True
    elif owner[keyword] is True and keyword.startswith("exclusive"):
        return ""
    if isinstance(root, dict) and "$schema" in root:
        alone["$schema"] = root["$schema"]
    fits = judge(alone)
    if not all(fits(value) for value in listed):
        return ""
    if keyword == "type":
        return f"every value under `{beside}` has that type anyway"
    return f"every value under `{beside}` fits it anyway"


def _beside_pattern(owner: dict[str, Any], keyword: str) -> str:
    """A length that no string which fits the `pattern` breaks, however the pattern is read."""
    bound, pattern = owner[keyword], owner.get("pattern")
    if keyword not in ("minLength", "maxLength") or not isinstance(pattern, str):
        return ""
    if not isinstance(bound, int) or isinstance(bound, bool) or not 0 < bound <= MAX_LENGTH:
        return ""
    low, high = (0, bound - 1) if keyword == "minLength" else (bound + 1, None)
    try:
        readings = [parse(pattern, wide) for wide in (False, True)]
    except Untranslatable:
        return ""
    for reading in readings:
        breaking = automaton(reading, low, high)
        if breaking is None or breaking.edges:
            return ""
    return f"`pattern` allows no {'shorter' if keyword == 'minLength' else 'longer'} string anyway"


def _holds_nothing(places: Map, where: str, owner: dict[str, Any], keyword: str) -> str:
    if not _keyword_allows_all(places, where, owner, keyword, set()):
        return ""
    if keyword == "$ref":
        return "the schema that it refers to allows everything"
    return "the schemas in it allow everything"


def _allows_all(places: Map, pointer: str, seen: set[str]) -> bool:
    """The schema at a pointer plainly allows every value."""
    schema = places.at(pointer)
    if isinstance(schema, bool):
        return schema
    if not isinstance(schema, dict) or pointer in seen or len(seen) >= MAX_SCHEMAS:
        return False
    inside = seen | {pointer}
    return all(_keyword_allows_all(places, pointer, schema, name, inside) for name in schema)


def _keyword_allows_all(
    places: Map, where: str, owner: dict[str, Any], keyword: str, seen: set[str]
) -> bool:
    value, here = owner[keyword], step(where, keyword)
    if keyword in ANNOTATIONS or keyword in ("$defs", "definitions") or keyword not in KNOWN:
        return True
    if any(value == all_ and type(value) is type(all_) for all_ in ALLOWS_ALL.get(keyword, ())):
        return True
    if lacks(keyword, owner):
        return True
    if keyword == "$ref":
        target = places.target(value) if isinstance(value, str) else None
        return target is not None and _allows_all(places, target, seen)
    if keyword in HOLD_MAPS and isinstance(value, dict):
        return all(_allows_all(places, step(here, name), seen) for name in value)
    if keyword in _LISTS and isinstance(value, list):
        return all(_allows_all(places, step(here, index), seen) for index in range(len(value)))
    if keyword == "anyOf" and isinstance(value, list):
        return any(_allows_all(places, step(here, index), seen) for index in range(len(value)))
    return keyword in SINGLES and isinstance(value, dict) and _allows_all(places, here, seen)
