"""A JSON Schema, Pydantic model or tool -> the record type of its fields, or its split in two."""

import copy
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from playground.constraints.jsonschema.refs import Sub
from playground.constraints.jsonschema.source import Parsed, at, step, whole_schema
from playground.constraints.sources import placed, schema_text
from playground.constraints.spec import ConstraintSpec
from playground.errors import InvalidInput
from playground.fields.built import built
from playground.fields.reading import SPLIT, Reading
from playground.fields.record_type import RecordType

MOST_RULES: Final = 1_000
"""So many schemas are looked into for rules about a field that is taken out."""
_NO_EDGES: Mapping[str, Sequence[float]] = MappingProxyType({})

Cancelled = Callable[[], bool] | None


def record_type_of(
    constraint: ConstraintSpec,
    edges: Mapping[str, Sequence[float]] = _NO_EDGES,
    cancelled: Cancelled = None,
) -> RecordType:
    """The record type of a constraint of kind `schema`, `pydantic` or `tool`.

    An object of enums, booleans, bounded numbers and dates, and of such objects. Up to 64 numbers
    or days are an option each; more are put in bins or months, and a value inside stands for the
    bin. Null and "left out" are options like others. Where keywords rule how fields go together,
    every combination of options is judged by the reference judge.

    Args:
        constraint: what to read.
        edges: of the bins of number fields, by the fields' names; they win over `x-edges` in the
            schema, which win over 8 equal bins.
        cancelled: asked while combinations are judged.

    Raises:
        InvalidInput: what can't be read, with its place; a field that is free text, a list or an
            open number: then `split` helps.
        BudgetExceeded: judging takes too long.
        Cancelled: `cancelled` said so.
    """
    text, parsed = _parsed(constraint)
    with _within(constraint, parsed):
        reading = Reading(parsed.value, edges)
        if reading.refused:
            raise reading.refused[0].error
        for name in edges:
            if name not in reading.edged:
                raise InvalidInput(
                    f"There is no field `{name[:80]}` of numbers to put in bins.",
                    "Give edges for fields with a minimum and a maximum.",
                    name[:80],
                )
        return built(reading, text, cancelled)


def split(constraint: ConstraintSpec) -> tuple[ConstraintSpec, tuple[str, ...]]:
    """The schema without what can't be a field of a record type, and the names of what was taken
    out, in the schema's order: to be generated once the typed fields are decided. The constraint
    itself and () where there is nothing to take out.

    Raises:
        InvalidInput: nothing typed is left, a rule looks at a field that would go, or what is left
            is refused by `record_type_of` all the same.
        BudgetExceeded: as `record_type_of`.
    """
    _, parsed = _parsed(constraint)
    with _within(constraint, parsed):
        reading = Reading(parsed.value, _NO_EDGES)
        if not reading.refused:
            return constraint, ()
        if not reading.leaves:
            raise InvalidInput(
                "Nothing in the schema is a typed field, so nothing is decided first.",
                "Add an enum, a boolean, or a number or date with bounds, or generate it all.",
                "/properties",
            )
        schema = copy.deepcopy(parsed.value)
        for refused in reading.refused:
            for part in reading.parts[refused.path[:-1]]:
                _take_out(schema, reading, part, refused.path[-1])
    source = json.dumps(schema, indent=2, ensure_ascii=False)
    out = constraint.model_copy(update={"kind": "schema", "source": source})
    record_type_of(out)
    return out, tuple(".".join(refused.path) for refused in reading.refused)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a property is no field of a record type."""

    name: str
    what: str
    """A sentence that begins with the name."""
    hint: str
    """What would make it a field."""


def reasons(constraint: ConstraintSpec) -> tuple[Reason, ...]:
    """Of everything that `split` takes out, in the schema's order.

    Raises:
        InvalidInput: as `split`, for what can't be read.
    """
    _, parsed = _parsed(constraint)
    with _within(constraint, parsed):
        found = Reading(parsed.value, _NO_EDGES).refused
    return tuple(
        Reason(
            ".".join(each.path), each.error.what, f"{each.error.hint.removesuffix(f', {SPLIT}')}."
        )
        for each in found
    )


def _parsed(constraint: ConstraintSpec) -> tuple[str, Parsed]:
    text = schema_text(constraint)
    if text is None:
        raise InvalidInput(
            f"A record type is read from a schema, not from a constraint of kind {constraint.kind}.",
            "Give a JSON Schema, a Pydantic model or a tool.",
            "kind",
        )
    with placed(constraint.kind, constraint.source, text):
        return text, whole_schema(text)


@contextmanager
def _within(constraint: ConstraintSpec, parsed: Parsed) -> Iterator[None]:
    """Let an error at a JSON pointer name the line of a schema that the visitor wrote."""
    try:
        yield
    except InvalidInput as error:
        if constraint.kind == "schema" and error.line is None:
            error.line, error.column = parsed.places.get(error.where, (None, None))
        raise
    except RecursionError:
        raise InvalidInput(
            "The schema's references and alternatives are nested too deep.",
            "Write inner parts out.",
            "the schema",
        ) from None


def _take_out(schema: Any, reading: Reading, part: Sub, name: str) -> None:
    """Remove the property `name` of the object that `part` judges from `schema`, a copy.

    Raises:
        InvalidInput: a rule looks at it.
    """
    for sub, looked_at in _rules(reading, part):
        found = at(schema, sub.pointer)
        if not isinstance(found, dict):
            continue
        named = _holds(found.get("properties"), name)
        asked = _lists(found.get("required"), name)
        leads = [key for key in _DEPENDENT if _holds(found.get(key), name)]
        if leads or (looked_at and (named or asked)):
            raise InvalidInput(
                f"A rule looks at `{name[:80]}`, which can't be a typed field and would be generated "
                "last.",
                "Take the rule away, or let it look at typed fields.",
                step(sub.pointer, leads[0]) if leads else sub.pointer,
            )
        if named:
            del found["properties"][name]
        if asked:
            _without(found, "required", name)
        for key in ("dependentRequired", "dependencies"):
            inner: Any = found.get(key)
            for lead in inner if isinstance(inner, dict) else ():
                if _lists(inner[lead], name):
                    _without(inner, lead, name)


_DEPENDENT = ("dependentRequired", "dependentSchemas", "dependencies")


def _holds(found: Any, name: str) -> bool:
    return isinstance(found, dict) and name in found


def _lists(found: Any, name: str) -> bool:
    return isinstance(found, list) and name in found


def _without(owner: dict[str, Any], key: str, name: str) -> None:
    """Take a name out of a list; an empty list says nothing, and draft 4 has none."""
    owner[key] = [each for each in owner[key] if each != name]
    if key == "required" and not owner[key]:
        del owner[key]


def _rules(reading: Reading, part: Sub) -> Iterator[tuple[Sub, bool]]:
    """The schemas that judge the same object as `part`, itself first, and whether what they say is
    a condition of something else rather than a demand."""
    todo = [(part, False)]
    seen: set[tuple[int, bool]] = set()
    while todo and len(seen) < MOST_RULES:
        sub, looked_at = todo.pop()
        if not isinstance(sub.schema, dict) or (id(sub.schema), looked_at) in seen:
            continue
        seen.add((id(sub.schema), looked_at))
        yield sub, looked_at
        if "$ref" in sub.schema:
            todo.append((reading.refs.follow(sub, "$ref"), looked_at))
        for keyword, condition in _IN_PLACE.items():
            inner = sub.schema.get(keyword)
            if isinstance(inner, list):
                members: list[tuple[Any, ...]] = list(enumerate(inner))
            elif keyword in _DEPENDENT and isinstance(inner, dict):
                members = list(inner.items())
            else:
                todo.append((sub.inner(inner, keyword), looked_at or condition))
                continue
            todo += [
                (sub.inner(each, keyword, key), looked_at or condition) for key, each in members
            ]


_IN_PLACE: Mapping[str, bool] = MappingProxyType(
    {
        "allOf": False,
        "anyOf": True,
        "dependencies": False,
        "dependentSchemas": False,
        "else": False,
        "if": True,
        "not": True,
        "oneOf": True,
        "then": False,
    }
)
"""Keyword that judges the same object -> what it says of a field is a condition."""
