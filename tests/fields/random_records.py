"""Random JSON Schemas of records: closed fields of every kind, nested, with and without rules."""

from datetime import date
from typing import Any

from hypothesis import strategies as st

from tests.schema.random_schemas import schemas

SCALARS: tuple[Any, ...] = (
    None, True, False, 0, 1, 1.0, -1, 2.5, 10, "", "a", "b", "1", "null", "true", "(left out)", 'q"é',
)  # fmt: skip
NAMES = ("a", "b", "größe", 'q"k')
OPEN: tuple[dict[str, Any] | bool, ...] = (
    {"type": "string"},
    {"type": "string", "maxLength": 5},
    {"type": ["string", "null"]},
    {"type": "array", "items": {"type": "boolean"}},
    {"type": "number", "minimum": 0},
    {"type": "integer"},
    {"type": "string", "format": "date"},
    {"type": "object"},
    {"anyOf": [{"type": "boolean"}, {"type": "string"}]},
    {},
    True,
)
"""What no list of options exhausts."""


SHARED = {"type": "integer", "minimum": 1, "maximum": 3}


@st.composite
def ranges(draw: st.DrawFn) -> dict[str, Any]:
    """Numbers with both bounds, few or many, on a grid or not."""
    kind = draw(st.sampled_from(("integer", "number")))
    low = draw(st.sampled_from((-7, 0, 1, 0.5, 3)))
    width = draw(st.sampled_from((1, 2, 3, 3, 4, 64, 500)))
    out: dict[str, Any] = {"type": kind, "minimum": low, "maximum": low + width}
    for name in ("minimum", "maximum"):
        if draw(st.integers(0, 4)) == 0:
            out[f"exclusiveM{name[1:]}"] = out.pop(name)
    if draw(st.integers(0, 3)) == 0:
        out["multipleOf"] = draw(st.sampled_from((1, 0.5, 2)))
    if width > 60 and draw(st.booleans()):
        out["x-edges"] = [low, low + width / 4, low + width]
    return out


@st.composite
def dates(draw: st.DrawFn) -> dict[str, Any]:
    """Days between two dates, fewer or more than are an option each."""
    first = draw(st.dates(date(1999, 12, 1), date(2001, 3, 1))).toordinal()
    last = date.fromordinal(first + draw(st.sampled_from((0, 2, 63, 64, 100))))
    keys = draw(st.sampled_from((("x-from", "x-to"), ("formatMinimum", "formatMaximum"))))
    ends = (date.fromordinal(first).isoformat(), last.isoformat())
    return {"type": "string", "format": "date", **dict(zip(keys, ends, strict=True))}


def enums() -> st.SearchStrategy[dict[str, Any]]:
    return st.lists(st.sampled_from(SCALARS), min_size=1, max_size=4).map(
        lambda values: {"enum": values}
    )


def leaves() -> st.SearchStrategy[dict[str, Any]]:
    """A field's schema, which some value satisfies."""
    booleans = st.sampled_from(
        ({"type": "boolean"}, {"type": ["boolean", "null"]}, {"const": "only"})
    )
    plain = enums() | booleans | ranges() | dates()
    nullable = plain.map(lambda inner: {"anyOf": [inner, {"type": "null"}]})
    either = st.tuples(enums(), enums()).map(lambda pair: {"anyOf": list(pair)})
    both = enums().map(lambda inner: {"allOf": [{"enum": list(SCALARS)}, inner]})
    shared = st.sampled_from(
        ({"$ref": "#/$defs/one"}, {"$ref": "#/$defs/one", "not": {"const": 2}})
    )
    return plain | plain | plain | plain | nullable | either | both | shared


@st.composite
def objects(draw: st.DrawFn, depth: int = 1) -> dict[str, Any]:
    """An object of up to three fields, at the root with a rule between them in half of the cases."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3, unique=True))
    inner = leaves() if not depth else leaves() | objects(depth=depth - 1)
    out: dict[str, Any] = {
        "type": "object",
        "properties": {name: draw(inner) for name in names},
        "required": [name for name in names if draw(st.booleans())],
    }
    if draw(st.booleans()):
        out["additionalProperties"] = False
    if depth and draw(st.booleans()):
        out |= draw(rules(names))
    return out


RULES = frozenset(
    {
        "allOf", "anyOf", "dependentRequired", "dependentSchemas", "else", "if", "minProperties",
        "not", "oneOf", "then",
    }
)  # fmt: skip
"""The keywords of `rules`."""


def rules(names: list[str]) -> st.SearchStrategy[dict[str, Any]]:
    """Keywords by which fields forbid each other's values; some can't be met at all."""
    one, other = names[0], names[-1]
    says = enums().map(lambda inner: {"properties": {one: inner}})
    then = enums().map(lambda inner: {"properties": {other: inner}, "required": [other]})
    return st.one_of(
        st.tuples(says, then, then).map(
            lambda three: dict(zip(("if", "then", "else"), three, strict=True))
        ),
        says.map(lambda inner: {"not": inner}),
        st.tuples(says, then).map(lambda two: {"anyOf": list(two)}),
        st.tuples(says, then).map(lambda two: {"oneOf": list(two)}),
        then.map(lambda inner: {"allOf": [inner]}),
        then.map(lambda inner: {"dependentSchemas": {one: inner}}),
        st.just({"dependentRequired": {one: [other]}}),
        st.integers(0, 3).map(lambda least: {"minProperties": least}),
    )


def documents() -> st.SearchStrategy[dict[str, Any]]:
    """Whole schemas of records."""
    return objects().map(lambda found: {**found, "$defs": {"one": SHARED}})


@st.composite
def noisy_documents(draw: st.DrawFn) -> dict[str, Any]:
    """Whole schemas of records with any keywords besides, at the root and at the fields."""
    root = draw(objects(depth=0))
    properties = {
        name: {**noise, **inner} if isinstance(noise := draw(schemas(1)), dict) else inner
        for name, inner in root["properties"].items()
    }
    beside = draw(schemas(1).filter(lambda found: isinstance(found, dict)))
    return {**beside, **root, "properties": properties, "$defs": {"one": SHARED}}
