"""A JSON Schema read as a record of fields: which fields there are, and what each could be."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from playground.constraints.jsonschema.keywords import ANNOTATIONS, KNOWN, REFERENCES
from playground.constraints.jsonschema.refs import References, Sub, in_place
from playground.constraints.jsonschema.source import step
from playground.constraints.judge_ready import NOTHING
from playground.errors import InvalidInput
from playground.fields.numbers import Candidate, Endless
from playground.fields.options import Options, types

MOST_FIELDS: Final = 32
MOST_PARTS: Final = 100
"""Schemas that judge one value together."""
PLAIN: Final = ANNOTATIONS | {
    "$defs",
    "$ref",
    "additionalProperties",
    "definitions",
    "properties",
    "required",
    "type",
    "unevaluatedProperties",
}
"""Keywords of an object that say nothing of how its named properties go together."""
SPLIT: Final = (
    "or split the schema: decide the typed fields first, then generate this one, given them."
)
"""What can be done about every field that has no list of options."""
_HINT: Final = "Type it with an enum, a boolean, or a number or date with bounds"


@dataclass(frozen=True, slots=True)
class Leaf:
    """A field as read, before the schema's judge has seen its options."""

    path: tuple[str, ...]
    candidates: tuple[Candidate, ...]
    optional: bool
    is_date: bool
    description: str
    pointer: str


@dataclass(frozen=True, slots=True)
class Refused:
    """A property that is no field."""

    path: tuple[str, ...]
    error: InvalidInput


class Reading:
    """What there is in a schema; `refused` holds what can't be a field, in the schema's order."""

    def __init__(self, schema: Any, edges: Mapping[str, Sequence[float]]) -> None:
        """Read the JSON Schema `schema`, with the edges of bins by the names of fields.

        Raises:
            InvalidInput: the root is no object with properties, or something that no split mends.
        """
        self.refs = _references(schema)
        self.leaves: list[Leaf] = []
        self.refused: list[Refused] = []
        self.notes: list[str] = []
        self.ruled = False
        """Some keyword may forbid fields' values together."""
        self.parts: dict[tuple[str, ...], list[Sub]] = {}
        """The path of every object -> the schemas that judge it."""
        self.required: list[tuple[str, ...]] = []
        """The objects that stand in every record."""
        self.edged: set[str] = set()
        """The names in `edges` that are fields with bins."""
        self._edges = edges
        self._root()

    def _root(self) -> None:
        parts = self.together([self.refs.root])
        named = types(parts)
        if named is not None and "object" not in named:
            raise InvalidInput(
                "A record is an object; the schema allows none.",
                'Write {"type": "object", "properties": {...}}.',
                "/type",
            )
        if not any(_properties(part) for part in parts):
            for keyword in ("anyOf", "oneOf"):
                if any(keyword in part.schema for part in parts):
                    raise InvalidInput(
                        "The schema is a choice of several objects, such as calls of several "
                        "tools: a record always has the same fields.",
                        "Give one of them, and choose between them by a field with an enum.",
                        f"/{keyword}",
                    )
            raise InvalidInput(
                "The schema names no properties, so a record has no fields.",
                'Write "properties", each an enum, a boolean, or a number or date with bounds.',
                "/properties",
            )
        self._object(parts, (), False, frozenset())

    def _object(
        self, parts: list[Sub], path: tuple[str, ...], optional: bool, above: frozenset[int]
    ) -> None:
        """Read the fields of one object; `optional` if it may be left out."""
        self.parts[path] = parts
        if path and not optional:
            self.required.append(path)
        properties: dict[str, list[Sub]] = {}
        for part in parts:
            for name, inner in _properties(part).items():
                properties.setdefault(name, []).append(part.inner(inner, "properties", name))
        required = {name for part in parts for name in _names(part.schema.get("required"))}
        self.ruled |= (
            sum(bool(_properties(part)) for part in parts) > 1
            or any(key in KNOWN and key not in PLAIN for part in parts for key in part.schema)
            or (optional and bool(required))
        )
        for name in sorted(required - properties.keys()):
            why = "is required, but no property says what it is"
            self._refuse((*path, name), why, step(parts[0].pointer, "required"))
        above |= {id(part.schema) for part in parts}
        for name, inner in properties.items():
            self._property(inner, (*path, name), optional or name not in required, above)

    def _property(
        self, inner: list[Sub], path: tuple[str, ...], optional: bool, above: frozenset[int]
    ) -> None:
        if any(sub.schema is False for sub in inner) and optional:
            return  # it is never there
        parts = self.together(inner)
        if any(id(part.schema) in above for part in parts):
            self._refuse(path, "is an object that holds itself", inner[0].pointer)
        elif _is_record(parts):
            if any(_properties(part) for part in parts) or _is_closed(parts):
                self._object(parts, path, optional, above)
            else:
                self._refuse(path, "is an object without named properties", inner[0].pointer)
        else:
            self._leaf(parts, path, optional, inner[0])

    def _leaf(self, parts: list[Sub], path: tuple[str, ...], optional: bool, first: Sub) -> None:
        if len(self.leaves) == MOST_FIELDS:
            raise InvalidInput(
                f"The record has more than {MOST_FIELDS} fields.", "Use fewer.", first.pointer
            )
        name = ".".join(path)
        options = Options(name, self._edges.get(name), self.together, self.refs.boolean_bounds)
        try:
            candidates = options.of(parts)
        except Endless as endless:
            self._refuse(path, endless.why, first.pointer, endless.hint)
            return
        except InvalidInput as error:
            error.where = error.where if error.where.startswith("/") else first.pointer
            raise
        self.notes += options.notes
        if options.is_edged:
            self.edged.add(name)
        said = [part.schema.get("description") for part in parts]
        description = next((each for each in said if isinstance(each, str)), "")
        self.leaves.append(
            Leaf(path, tuple(candidates), optional, options.is_date, description, first.pointer)
        )

    def _refuse(self, path: tuple[str, ...], why: str, pointer: str, hint: str = _HINT) -> None:
        error = InvalidInput(f"`{'.'.join(path)[:80]}` {why}.", f"{hint}, {SPLIT}", pointer)
        self.refused.append(Refused(path, error))

    def together(self, subs: Iterable[Sub]) -> list[Sub]:
        """The schemas, and those that judge the same value by references and `allOf`; all are
        objects. The schema `false` is `{"not": {}}`.

        Raises:
            UnsupportedSchema: a reference leads nowhere, outside, or back to itself.
            InvalidInput: there are too many.
        """
        todo, out, seen = list(subs), [], set()
        while todo:
            sub = todo.pop(0)
            if sub.schema is False:
                sub = sub.invented(NOTHING)
            if not isinstance(sub.schema, dict) or id(sub.schema) in seen:
                continue
            seen.add(id(sub.schema))
            self._require_sound(sub)
            if len(seen) > MOST_PARTS:
                raise InvalidInput(
                    f"More than {MOST_PARTS} schemas judge one value.",
                    "Simplify its references and allOf.",
                    sub.pointer,
                )
            if "$ref" in sub.schema:
                todo.append(self.refs.follow(sub, "$ref"))
                if self.refs.old:  # there it hides what stands beside it
                    continue
            out.append(sub)
            listed = sub.schema.get("allOf")
            for index, inner in enumerate(listed if isinstance(listed, list) else ()):
                todo.append(sub.inner(inner, "allOf", index, in_place=True))
        return out

    def _require_sound(self, sub: Sub) -> None:
        """No reference in what judges the value leads nowhere or back: a judge would not end."""
        for inner in in_place(sub):
            if isinstance(inner.schema, dict):
                for keyword in REFERENCES & inner.schema.keys():
                    self.refs.follow(inner, keyword)


def _references(schema: Any) -> References:
    try:
        return References(schema)
    except (AttributeError, LookupError, TypeError, ValueError):
        raise InvalidInput(
            "A name in the schema, `$id` or `$anchor`, is no text that can be read.",
            "Mend it, or leave it out.",
            "/$id",
        ) from None


def _is_record(parts: Sequence[Sub]) -> bool:
    """An object in every case, of which the properties are to be read."""
    named = types(parts)
    if named is None:
        choices = {"anyOf", "const", "enum", "oneOf"}
        plain = not any(choices & part.schema.keys() for part in parts)
        return plain and any(_properties(part) for part in parts)
    return named == ["object"]


def _is_closed(parts: Iterable[Sub]) -> bool:
    return any(part.schema.get("additionalProperties") is False for part in parts)


def _properties(part: Sub) -> dict[str, Any]:
    found = part.schema.get("properties")
    return found if isinstance(found, dict) else {}


def _names(listed: Any) -> list[str]:
    return [each for each in listed if isinstance(each, str)] if isinstance(listed, list) else []
