"""A JSON Schema as a tree of sentences: one line a keyword, references followed once."""

from collections import deque
from dataclasses import dataclass
from typing import Any

from playground.constraints.jsonschema.check import OLD_DIALECTS, dialect, draft
from playground.constraints.jsonschema.keywords import ANNOTATIONS, KNOWN, OPENAPI
from playground.constraints.jsonschema.partners import foreign, lacks
from playground.constraints.jsonschema.source import step
from playground.schema.explain_node import leaf, more, shortened
from playground.schema.explain_words import (
    BOUNDS,
    CLOSED,
    EMPTY,
    LISTS,
    MAPS,
    SENTENCES,
    SUBSCHEMAS,
    forbidden,
    headline,
    target_name,
    values,
)
from playground.schema.json_text import JsonText
from playground.schema.lint.scene import lookup

_KEPT = ANNOTATIONS | {"$defs", "$ref", "definitions"}
"""Keywords that `$ref` doesn't hide."""
MAX_NODES = 400
MAX_MEMBERS = 60
"""So many properties, or shapes, of one schema are spelled out."""

Node = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Task:
    """A schema whose keywords are still to be written under `node`."""

    schema: Any
    pointer: str
    node: Node
    above: tuple[str, ...]
    """Targets of the references that led here."""


def explain_schema(text: JsonText) -> Node:
    """The tree of a JSON Schema, with the places of its text."""
    return _Writer(text).write()


class _Writer:
    """Breadth first, so that what is cut is what lies deepest; no recursion."""

    def __init__(self, text: JsonText) -> None:
        self._root = text.value
        self._draft = draft(text.value)
        self._dialect = dialect(text.value)
        self._places = text.places
        self._todo: deque[_Task] = deque()
        self._nodes = 0
        self._explained: dict[str, str] = {}

    def write(self) -> Node:
        root = self._node(
            "schema", f"{_capital(self._headline(self._root))}{self._size(self._root)}.", ""
        )
        self._todo.append(_Task(self._root, "", root, ("#",)))
        while self._todo:
            task = self._todo.popleft()
            if not isinstance(task.schema, dict) or not task.schema:
                continue
            if self._nodes >= MAX_NODES:
                task.node["words"] += " (Not spelled out further.)"
                continue
            strange = set(foreign(task.schema, self._dialect))
            for keyword, value in list(task.schema.items())[: MAX_MEMBERS * 2]:
                if ignored := self._ignored(task.schema, keyword):
                    self._add(task, keyword, f"Ignored: {ignored}.", step(task.pointer, keyword))
                    continue
                first = len(task.node["children"])
                self._keyword(task, keyword, value)
                if keyword in strange and len(task.node["children"]) > first:
                    said = f" (No keyword of {self._named_draft()}: validators ignore it.)"
                    task.node["children"][first]["words"] += said
            self._missing(task)
        return root

    def _named_draft(self) -> str:
        return f"draft {self._draft.removeprefix('draft-0')}"

    def _counting(self, schema: Any) -> Any:
        """The schema without the keywords that `$ref` hides."""
        if not isinstance(schema, dict) or not self._hides(schema):
            return schema
        return {name: value for name, value in schema.items() if name in _KEPT}

    def _hides(self, schema: dict[str, Any]) -> bool:
        return self._draft in OLD_DIALECTS and isinstance(schema.get("$ref"), str)

    def _headline(self, schema: Any) -> str:
        return headline(self._counting(schema))

    def _size(self, schema: Any) -> str:
        return _size(self._counting(schema))

    def _ignored(self, schema: dict[str, Any], keyword: str) -> str:
        """Why a keyword says nothing where it stands; empty where it says something."""
        if self._hides(schema) and keyword not in _KEPT:
            return f"in {self._named_draft()} `$ref` hides the keywords beside it"
        if lacking := lacks(keyword, schema):
            return f"it means nothing without {lacking} beside it"
        if keyword in BOUNDS and isinstance(schema[keyword], bool):
            if self._draft not in ("draft-03", "draft-04"):
                return "it takes a number; true and false are of draft 4"
            if BOUNDS[keyword] not in schema:
                return f"it means nothing without `{BOUNDS[keyword]}` beside it"
        return ""

    def _node(self, keyword: str, words: str, pointer: str) -> Node:
        self._nodes += 1
        return leaf(keyword, words, self._places.get(pointer), pointer)

    def _add(self, task: _Task, keyword: str, words: str, pointer: str) -> Node:
        node = self._node(keyword, words, pointer)
        task.node["children"].append(node)
        return node

    def _under(self, task: _Task, schema: Any, pointer: str, node: Node) -> None:
        """Explain a subschema under a node that already has its headline."""
        self._todo.append(_Task(schema, pointer, node, task.above))

    def _keyword(self, task: _Task, keyword: str, value: Any) -> None:
        here = step(task.pointer, keyword)
        if keyword == "$ref" and isinstance(value, str):
            self._reference(task, value, here)
        elif keyword == "properties" and isinstance(value, dict):
            self._properties(task, value, here)
        elif keyword in ("$defs", "definitions") and isinstance(value, dict):
            said = f"{_many(len(value), 'definition')}, explained where they are used."
            self._add(task, keyword, said, here)
        elif keyword in MAPS and isinstance(value, dict):
            self._map(task, keyword, value, here)
        elif keyword in LISTS and isinstance(value, list):
            node = self._add(task, keyword, LISTS[keyword].format(len(value)), here)
            self._members(task, node, keyword, value, here)
        elif keyword in SUBSCHEMAS:
            self._one(task, keyword, value, here)
        elif keyword in SENTENCES:
            words = SENTENCES[keyword](value)
            if keyword in ("const", "enum"):
                words += forbidden(value if keyword == "enum" else [value], task.schema)
            self._add(task, keyword, words, here)
        elif keyword in OPENAPI:
            self._add(task, keyword, "Belongs to OpenAPI: ignored here.", here)
        elif keyword not in KNOWN:
            said = f"`{shortened(keyword, 40)}` is no keyword of JSON Schema: ignored."
            self._add(task, keyword, said, here)
        elif keyword not in EMPTY:
            self._add(task, keyword, f"`{keyword}`: {shortened(str(value), 60)}.", here)

    def _one(self, task: _Task, keyword: str, value: Any, here: str) -> None:
        if value is False and keyword in CLOSED:
            self._add(task, keyword, CLOSED[keyword], here)
            return
        said = SUBSCHEMAS[keyword]
        if keyword == "items" and "prefixItems" in task.schema:
            said = "Every further item: {}."
        elif keyword == "contains" and "minContains" in task.schema:
            said = "Of the items these are counted: {}."
        node = self._add(task, keyword, said.format(self._headline(value)), here)
        self._under(task, value, here, node)

    def _properties(self, task: _Task, properties: dict[str, Any], here: str) -> None:
        listed = task.schema.get("required")
        required = set(map(str, listed)) if isinstance(listed, list) else set()
        for name, schema in list(properties.items())[:MAX_MEMBERS]:
            need = "required" if name in required else "optional"
            words = (
                f"“{shortened(name, 60)}”, {need}: {self._headline(schema)}{self._size(schema)}."
            )
            node = self._add(task, "properties", words, step(here, name))
            self._under(task, schema, step(here, name), node)
        if len(properties) > MAX_MEMBERS:
            rest = len(properties) - MAX_MEMBERS
            task.node["children"].append(more(rest, "properties", here))

    def _missing(self, task: _Task) -> None:
        """What is required without being described, and whether other keys may follow."""
        schema = self._counting(task.schema)
        listed = schema.get("required")
        properties = schema.get("properties")
        known = properties if isinstance(properties, dict) else {}
        if isinstance(listed, list):
            extra = [name for name in listed if isinstance(name, str) and name not in known]
            if extra:
                said = f"Required too, with any value: {values(extra)}."
                self._add(task, "required", said, step(task.pointer, "required"))
        closing = {"additionalProperties", "unevaluatedProperties"} & schema.keys()
        if known and not closing:
            said = "Other keys may follow, with any value."
            task.node["children"].append(self._node("additionalProperties", said, task.pointer))

    def _map(self, task: _Task, keyword: str, schemas: dict[str, Any], here: str) -> None:
        for name, schema in list(schemas.items())[:MAX_MEMBERS]:
            shown = shortened(name, 60)
            if isinstance(schema, list):
                said = (
                    f"Where the key “{shown}” stands, these must too: {values(schema, link='and')}."
                )
                self._add(task, keyword, said, step(here, name))
                continue
            if keyword == "patternProperties":
                words = f"Under every key that matches `{shown}`: {self._headline(schema)}."
            else:
                words = f"Where the key “{shown}” stands, also: {self._headline(schema)}."
            node = self._add(task, keyword, words, step(here, name))
            self._under(task, schema, step(here, name), node)
        if len(schemas) > MAX_MEMBERS:
            task.node["children"].append(more(len(schemas) - MAX_MEMBERS, "patterns", here))

    def _members(
        self, task: _Task, parent: Node, keyword: str, schemas: list[Any], here: str
    ) -> None:
        noun = {"allOf": "Part", "anyOf": "Shape", "oneOf": "Shape"}.get(keyword, "Item")
        for index, schema in enumerate(schemas[:MAX_MEMBERS]):
            pointer = step(here, index)
            words = f"{noun} {index + 1}: {self._headline(schema)}{self._size(schema)}."
            node = self._node(keyword, words, pointer)
            parent["children"].append(node)
            self._under(task, schema, pointer, node)
        if len(schemas) > MAX_MEMBERS:
            parent["children"].append(more(len(schemas) - MAX_MEMBERS, f"{noun.lower()}s", here))

    def _reference(self, task: _Task, ref: str, here: str) -> None:
        name = target_name(ref)
        if not ref.startswith("#"):
            self._add(task, "$ref", f"As {name} says, outside this document: not read.", here)
            return
        target = lookup(self._root, ref)
        if target is None:
            self._add(task, "$ref", f"As {name} says, which is not found in this document.", here)
        elif ref in task.above:
            self._add(task, "$ref", f"Again {name}, as above: it contains itself.", here)
        elif ref in self._explained:
            where = self._explained[ref] or "the root"
            self._add(task, "$ref", f"As {name}, explained at {where}.", here)
        else:
            self._explained[ref] = here
            words = f"As {name} is defined: {self._headline(target)}{self._size(target)}."
            node = self._add(task, "$ref", words, here)
            self._todo.append(_Task(target, ref[1:], node, (*task.above, ref)))


def _size(schema: Any) -> str:
    """How many properties an object has."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(properties, dict) or not properties:
        return ""
    listed = schema.get("required")
    needed = [n for n in properties if n in listed] if isinstance(listed, list) else []
    if len(needed) == len(properties):
        return f" with {_many(len(properties), 'property', 'properties')}, all required"
    return f" with {_many(len(properties), 'property', 'properties')}, {len(needed) or 'none'} required"


def _many(number: int, noun: str, plural: str = "") -> str:
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
