"""Random JSON Schemas for the laws of the debugger: every keyword, small, often nonsense."""

from typing import Any

from hypothesis import strategies as st

NAMES = ("a", "b", "ab", "x1", 'q"k', "größe")
WORDS = ("", "a", "ab", "abc", "x", "1", 'q"', "é", "😀", "a b", "line\nbreak")
PATTERNS = ("^a", "b$", "^[ab]+$", "^x[0-9]*$", "a|b", r"^\d{1,3}$", "^.{2}$", "[^a]")
FORMATS = ("date", "ipv4", "email", "uuid", "time")
SCALARS: tuple[Any, ...] = (None, True, False, 0, 1, -1, 2.5, 10, *WORDS[:6])

small = st.integers(0, 3)
bounds = st.sampled_from((-2, -0.5, 0, 1, 1.5, 3, 10))


def values(depth: int = 2) -> st.SearchStrategy[Any]:
    """JSON values of a few names and words."""
    scalar = st.sampled_from(SCALARS) | st.integers(-20, 20) | st.sampled_from(WORDS)
    if not depth:
        return scalar
    inner = values(depth - 1)
    return (
        scalar
        | st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from((*NAMES, "zz")), inner, max_size=3)
    )


def schemas(depth: int = 2) -> st.SearchStrategy[Any]:
    """Schemas of at most `depth` levels of subschemas."""
    scalars = {
        "type": st.sampled_from(("string", "integer", "number", "boolean", "null"))
        | st.sampled_from((["string", "null"], ["integer", "array"], ["object", "number"])),
        "enum": st.lists(values(1), min_size=1, max_size=3),
        "const": values(1),
        "minimum": bounds,
        "maximum": bounds,
        "exclusiveMinimum": bounds,
        "exclusiveMaximum": bounds,
        "multipleOf": st.sampled_from((1, 2, 0.5, 3)),
        "minLength": small,
        "maxLength": small,
        "pattern": st.sampled_from(PATTERNS),
        "format": st.sampled_from(FORMATS),
    }
    leaf = st.booleans() | some_of(scalars, 2)
    if not depth:
        return leaf
    inner = schemas(depth - 1)
    several = st.lists(inner, min_size=1, max_size=3)
    named = st.dictionaries(st.sampled_from(NAMES), inner, min_size=1, max_size=3)
    objects = {
        "type": st.just("object"),
        "properties": named,
        "required": st.lists(st.sampled_from(NAMES), unique=True, max_size=2),
        "additionalProperties": inner,
        "patternProperties": st.dictionaries(st.sampled_from(PATTERNS[:4]), inner, max_size=2),
        "propertyNames": inner,
        "minProperties": small,
        "maxProperties": small,
        "dependentRequired": st.dictionaries(
            st.sampled_from(NAMES), st.lists(st.sampled_from(NAMES), max_size=2, unique=True),
            max_size=2,
        ),
        "dependentSchemas": st.dictionaries(st.sampled_from(NAMES), inner, max_size=1),
        "unevaluatedProperties": st.booleans(),
    }  # fmt: skip
    arrays = {
        "type": st.just("array"),
        "items": inner,
        "prefixItems": several,
        "contains": inner,
        "minContains": small,
        "maxContains": small,
        "minItems": small,
        "maxItems": small,
        "uniqueItems": st.booleans(),
    }
    mixed = {
        "anyOf": several,
        "oneOf": several,
        "allOf": several,
        "not": inner,
        "if": inner,
        "then": inner,
        "else": inner,
        "$ref": st.just("#/$defs/one"),
        **scalars,
    }
    return leaf | some_of(objects, 4) | some_of(arrays, 3) | some_of(mixed, 3)


def some_of(keywords: dict[str, st.SearchStrategy[Any]], most: int) -> st.SearchStrategy[Any]:
    """A schema of up to `most` of the keywords."""
    chosen = st.lists(st.sampled_from(sorted(keywords)), unique=True, max_size=most)
    return chosen.flatmap(
        lambda names: st.fixed_dictionaries({name: keywords[name] for name in names})
    )


def documents() -> st.SearchStrategy[dict[str, Any]]:
    """Whole schemas whose `$ref` leads somewhere."""
    roots = schemas(2).filter(lambda schema: isinstance(schema, dict))
    return st.tuples(roots, schemas(1)).map(
        lambda pair: {"$defs": {"one": _without_refs(pair[1])}, **pair[0]}
    )


def _without_refs(schema: Any) -> Any:
    if isinstance(schema, dict):
        return {key: _without_refs(value) for key, value in schema.items() if key != "$ref"}
    if isinstance(schema, list):
        return [_without_refs(each) for each in schema]
    return schema
