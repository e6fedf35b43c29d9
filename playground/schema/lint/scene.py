"""What the rules of the lint look at: one constraint, read once."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from playground.constraints.jsonschema.keywords import children
from playground.constraints.jsonschema.partners import lacks
from playground.constraints.jsonschema.source import NOWHERE, at, step
from playground.constraints.notes import Note
from playground.constraints.report import Compiled
from playground.constraints.spec import ConstraintSpec
from playground.errors import PlaygroundError
from playground.schema.json_text import Edit, JsonText
from playground.schema.lint.rule import Fix
from playground.vocabulary import Vocabulary

MAX_SCHEMAS = 4_000
"""So many subschemas are looked at, the outer ones first."""
MAX_HOPS = 8
"""Longest chain of references that is followed."""


@dataclass(frozen=True, slots=True)
class Sub:
    """A subschema that is an object, at its place."""

    schema: dict[str, Any]
    pointer: str


@dataclass(frozen=True, slots=True)
class Record:
    """A subschema with properties."""

    sub: Sub
    names: tuple[str, ...]
    required: frozenset[str]

    def pointer(self, name: str) -> str:
        """Where the property stands."""
        return step(step(self.sub.pointer, "properties"), name)

    def __getitem__(self, name: str) -> Any:
        return self.sub.schema["properties"][name]


@dataclass(frozen=True, eq=False, slots=True)
class Scene:
    """One constraint with everything that is known of it."""

    spec: ConstraintSpec
    json: JsonText | None
    """The JSON Schema; None for the other kinds."""
    subs: tuple[Sub, ...]
    """The subschemas that are objects and count, outer ones first, MAX_SCHEMAS at most."""
    records: tuple[Record, ...]
    notes: Sequence[Note]
    compiled: Compiled | None
    error: PlaygroundError | None
    vocabulary: Vocabulary | None
    skipped: int = 0
    """Characters of a JSON Schema that is too long to be read here; else 0."""

    @property
    def root(self) -> Any:
        """The schema's value; None where there is none."""
        return self.json.value if self.json is not None else None

    def fix(self, title: str, edits: Iterable[Edit], *, keeps: bool = False) -> Fix | None:
        """A fix of the visitor's own text; None where that is no JSON Schema."""
        if self.json is None or not self.json.editable:
            return None
        changed = self.json.apply(edits)
        return Fix(title, changed, keeps) if changed != self.json.text else None

    def target(self, schema: Any) -> Any:
        """The schema behind a chain of local references; itself where there is none."""
        for _ in range(MAX_HOPS):
            ref = schema.get("$ref") if isinstance(schema, dict) else None
            if not isinstance(ref, str) or not ref.startswith("#"):
                return schema
            found = lookup(self.root, ref)
            if found is None:
                return schema
            schema = found
        return schema

    def views(self, schema: Any) -> Iterator[dict[str, Any]]:
        """The schema and what judges the same value beside it: through references, `allOf`,
        `anyOf` and `oneOf`, at most 30 of them."""
        todo, known = [schema], 0
        while todo and known < 30:
            each = self.target(todo.pop(0))
            known += 1
            if not isinstance(each, dict):
                continue
            yield each
            for keyword in ("allOf", "anyOf", "oneOf"):
                listed = each.get(keyword)
                if isinstance(listed, list):
                    todo += listed[:10]

    def types(self, schema: Any) -> frozenset[str]:
        """The types that the schema names, here or in its alternatives; empty where it names
        none."""
        found: set[str] = set()
        for each in self.views(schema):
            found |= named_types(each)
        return frozenset(found)

    def text_of(self, schema: Any) -> str:
        """Its description, here or behind its reference."""
        for each in (schema, self.target(schema)):
            if isinstance(each, dict) and isinstance(each.get("description"), str):
                return str(each["description"])
        return ""


def named_types(schema: dict[str, Any]) -> set[str]:
    """The values of `type`."""
    named = schema.get("type", [])
    return {name for name in (named if isinstance(named, list) else [named]) if type(name) is str}


def lookup(root: Any, ref: str) -> Any:
    """What a reference inside the document (`#`, `#/...`) points to; None where nothing."""
    path = unquote(ref[1:])
    if path and not path.startswith("/"):
        return None
    value = at(root, path)
    return None if value is NOWHERE else value


def scene_of(
    spec: ConstraintSpec,
    json: JsonText | None,
    notes: Sequence[Note] = (),
    compiled: Compiled | None = None,
    error: PlaygroundError | None = None,
    vocabulary: Vocabulary | None = None,
    skipped: int = 0,
) -> Scene:
    """Read a constraint for the rules."""
    subs = tuple(_subs(json.value)) if json is not None else ()
    records = tuple(record for sub in subs if (record := _record(sub)) is not None)
    return Scene(spec, json, subs, records, notes, compiled, error, vocabulary, skipped)


def _subs(schema: Any) -> Iterator[Sub]:
    todo, seen = [(schema, "")], 0
    while todo and seen < MAX_SCHEMAS:
        following = []
        for found, pointer in todo:
            if isinstance(found, dict):
                seen += 1
                if seen > MAX_SCHEMAS:
                    return
                yield Sub(found, pointer)
                # What stands under a keyword that lacks its partner is never asked.
                asked = {name: value for name, value in found.items() if not lacks(name, found)}
                following += list(children(asked, pointer))
        todo = following


def _record(sub: Sub) -> Record | None:
    properties = sub.schema.get("properties")
    if not isinstance(properties, dict) or not properties:
        return None
    listed = sub.schema.get("required")
    names = listed if isinstance(listed, list) else []
    return Record(sub, tuple(properties), frozenset(n for n in names if isinstance(n, str)))
