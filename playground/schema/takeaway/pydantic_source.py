"""A JSON Schema written as Pydantic classes, and what the classes can't say."""

from dataclasses import dataclass
from typing import Any

from playground.schema.dialects.merge import NoWay, merged
from playground.schema.dialects.references import target
from playground.schema.dialects.rewrite_parts import well_formed
from playground.schema.effort import Effort
from playground.schema.takeaway.pydantic_types import (
    OF_TYPE,
    Losses,
    Typed,
    Unable,
    apart,
    choice,
    field_line,
    joined,
    keys_of,
    number,
    place,
    sizes,
    speaking,
    text,
    types_of,
)
from playground.schema.takeaway.python_names import (
    class_name,
    field_name,
    identifiers,
    taken,
)

MAX_CLASSES = 60
MAX_DEPTH = 15
"""Deepest nesting of one annotation."""
MAX_HOPS = 15
"""Longest chain of references."""
MAX_PARTS = 5_000
SECONDS = 1.0
"""For the writing of the classes."""
_MODULES = {
    "datetime": ("date", "datetime", "time"),
    "typing": ("Annotated", "Any", "Literal"),
    "uuid": ("UUID",),
    "pydantic": ("BaseModel", "ConfigDict", "EmailStr", "Field"),
}


@dataclass(frozen=True, slots=True)
class Source:
    """The classes as Python source."""

    text: str
    lost: tuple[str, ...]
    """What the schema says and the classes don't."""
    narrower: tuple[str, ...]
    """Where the classes say more than the schema."""
    nearly: tuple[str, ...]
    """What Pydantic reads in a way of its own."""


def to_source(root: Any, wish: str, effort: Effort | None = None) -> Source:
    """The classes of a schema, the root's last.

    Args:
        root: a parsed JSON Schema.
        wish: what to call the root, if it has no title.
        effort: what it may cost.

    Raises:
        BudgetExceeded: written out, the schema is too large.
        Unable: the root is no object, or too much of it can't be said.
    """
    if not well_formed(root):
        raise Unable("A keyword of the schema has a value of the wrong type.")
    writer = _Writer(root, effort or Effort(SECONDS, MAX_PARTS))
    schema, pointer = writer.resolved(root, "")
    if not (isinstance(schema, dict) and "properties" in schema):
        raise Unable("A Pydantic class is an object with named properties, and the root is none.")
    if {"anyOf", "oneOf"} & schema.keys() or set(types_of(schema, "", Losses())) != {"object"}:
        raise Unable("The root is a choice, and a class can't be one.")
    writer.class_of(schema, pointer, str(schema.get("title") or wish))
    return writer.source()


class _Writer:
    def __init__(self, root: Any, effort: Effort) -> None:
        self.losses = Losses()
        self._effort = effort
        self._resolved: dict[tuple[int, str], tuple[Any, tuple[Any, str] | None]] = {}
        """By schema and place: the schema, which keeps its id, and what it comes to; None while
        that is being found out."""
        self._root = root
        self._reserved = taken()
        self._names: dict[str, str] = {}
        self._done: dict[str, str] = {}
        self._opened: list[str] = []
        self._forward = False

    def source(self) -> Source:
        """The classes written so far, with their imports."""
        body = "\n\n\n".join(self._done.values()) + "\n"
        words = set(identifiers(body))
        imports = [
            f"from {module} import {', '.join(name for name in names if name in words)}"
            for module, names in _MODULES.items()
            if any(name in words for name in names)
        ]
        return Source(
            "\n".join(sorted(imports)) + "\n\n\n" + body,
            tuple(self.losses.lost),
            tuple(self.losses.narrower),
            tuple(self.losses.nearly),
        )

    def resolved(self, schema: Any, pointer: str) -> tuple[Any, str]:
        """The schema that a chain of references ends at, with allOf merged into it.

        Raises:
            Unable: it leads nowhere, or back to itself.
        """
        key = (id(schema), pointer)
        if key not in self._resolved:
            self._resolved[key] = (schema, None)
            self._resolved[key] = (schema, self._followed(schema, pointer))
        found = self._resolved[key][1]
        if found is None:
            raise Unable(f"The schema at {pointer or 'the root'} is defined by itself.")
        return found

    def _followed(self, schema: Any, pointer: str) -> tuple[Any, str]:
        for hop in range(MAX_HOPS + 1):
            self._effort.step()
            if hop == MAX_HOPS:
                raise Unable(f"More than {MAX_HOPS} references follow one another.")
            if not isinstance(schema, dict):
                break
            if "$ref" in schema:
                found = target(self._root, schema["$ref"])
                if found is None:
                    raise Unable(f"The reference at {pointer or 'the root'} leads nowhere.")
                beside = [key for key in speaking(schema) if key != "$ref"]
                self.losses.lose(pointer, *sorted(beside))
                pointer, schema = found
            elif "allOf" in schema and isinstance(schema["allOf"], list):
                schema = self._merged(schema, pointer)
            else:
                break
        return schema, pointer

    def _merged(self, schema: dict[str, Any], pointer: str) -> Any:
        rest = {key: value for key, value in schema.items() if key != "allOf"}
        members = [self.resolved(member, pointer) for member in schema["allOf"]]
        self._effort.step(sum(len(one) for one, _ in members if isinstance(one, dict)))
        if any(one is False for one, _ in members):
            return False
        if len(members) == 1 and not speaking(rest):
            return schema["allOf"][0]
        try:
            return merged([rest, *(one for one, _ in members if isinstance(one, dict))])
        except NoWay:
            self.losses.lose(pointer, "allOf")
            return rest

    def annotation(self, schema: Any, pointer: str, wish: str, depth: int = 0) -> Typed:
        """The annotation of one schema."""
        found = self._annotated(schema, pointer, wish, depth)
        self._effort.write(len(found.base))
        return found

    def _annotated(self, schema: Any, pointer: str, wish: str, depth: int) -> Typed:
        self._effort.step()
        if depth > MAX_DEPTH:
            raise Unable("The schema is nested too deeply for one annotation.")
        schema, pointer = self.resolved(schema, pointer)
        if schema is False:
            raise Unable(f"Nothing is allowed at {pointer}, and no type says that.")
        if not isinstance(schema, dict) or not speaking(schema):
            return Typed("Any")
        for keyword in ("anyOf", "oneOf"):
            if isinstance(schema.get(keyword), list):
                return self._union(schema, keyword, pointer, wish, depth)
        types = types_of(schema, pointer, self.losses)
        if "const" in schema or isinstance(schema.get("enum"), list):
            values = [schema["const"]] if "const" in schema else schema["enum"]
            found = choice(values, types, pointer, self.losses)
            if found is not None:
                self._left(schema, {"const", "enum", "type"}, pointer)
                return found
            self.losses.lose(pointer, "const" if "const" in schema else "enum")
        said = {"type", "enum", "const"}.union(*(OF_TYPE.get(kind, ()) for kind in types))
        self._left(schema, said, pointer)
        if len(types) == 6:
            return Typed("Any")
        parts = [self._of_type(schema, kind, pointer, wish, depth) for kind in types]
        return parts[0] if len(parts) == 1 else joined(parts)

    def _left(self, schema: dict[str, Any], said: set[str], pointer: str) -> None:
        """Note the keywords beside those that are said."""
        self.losses.lose(pointer, *(key for key in speaking(schema) if key not in said))

    def _union(
        self, schema: dict[str, Any], keyword: str, pointer: str, wish: str, depth: int
    ) -> Typed:
        branches = schema[keyword]
        beside = [key for key in speaking(schema) if key not in (keyword, "type")]
        self.losses.lose(pointer, *beside)
        if "type" in schema and not all(
            isinstance(one, dict) and one.get("type") == schema["type"] for one in branches
        ):
            self.losses.lose(pointer, "type")
        parts = [
            self.annotation(
                branch, place(pointer, keyword, index), f"{wish} {index + 1}", depth + 1
            )
            for index, branch in enumerate(branches)
        ]
        kinds = [part.base for part in parts]
        if keyword == "oneOf" and not apart(kinds):
            self.losses.lose(pointer, "oneOf (that exactly one branch holds)")
        return parts[0] if len(parts) == 1 else joined(parts)

    def _of_type(
        self, schema: dict[str, Any], kind: str, pointer: str, wish: str, depth: int
    ) -> Typed:
        if kind == "string":
            return text(schema, pointer, self.losses)
        if kind in ("integer", "number"):
            return number(schema, kind == "integer", pointer, self.losses)
        if kind == "array":
            items = schema.get("items", True)
            if isinstance(items, list) or "prefixItems" in schema:
                self.losses.lose(pointer, "items")
                items = True
            inner = self.annotation(items, place(pointer, "items"), f"{wish} item", depth + 1)
            return Typed(f"list[{inner}]", sizes(schema, True))
        if kind == "object":
            return self._mapping(schema, pointer, wish, depth)
        if kind in ("boolean", "null"):
            return Typed("bool" if kind == "boolean" else "None")
        raise Unable(f"There is no type {kind!r}.")

    def _mapping(self, schema: dict[str, Any], pointer: str, wish: str, depth: int) -> Typed:
        extra = schema.get("additionalProperties", True)
        if schema.get("properties") or schema.get("required") or extra is False:
            if self._opened.count(pointer):
                self._forward = True
                return Typed(self._names[pointer])
            return Typed(self.class_of(schema, pointer, str(schema.get("title") or wish)))
        inner = self.annotation(
            extra, place(pointer, "additionalProperties"), f"{wish} value", depth + 1
        )
        return Typed(f"dict[str, {inner}]", sizes(schema, False))

    def class_of(self, schema: dict[str, Any], pointer: str, wish: str) -> str:
        """Write the class of an object; its name."""
        if pointer in self._done:
            return self._names[pointer]
        if len(self._names) >= MAX_CLASSES:
            raise Unable(f"The schema needs more than {MAX_CLASSES} classes.")
        name = class_name(wish, set(self._names.values()), self._reserved)
        self._names[pointer] = name
        self._opened.append(pointer)
        before, self._forward = self._forward, False
        lines = self._lines(schema, pointer, wish)
        self._forward = before
        self._opened.pop()
        self._done[pointer] = f"class {name}(BaseModel):\n" + "\n".join(f"    {x}" for x in lines)
        return name

    def _lines(self, schema: dict[str, Any], pointer: str, wish: str) -> list[str]:
        lines = [repr(schema["description"])] if isinstance(schema.get("description"), str) else []
        extra = schema.get("additionalProperties", True)
        closed = extra is False and not schema.get("patternProperties")
        if closed:
            lines.append('model_config = ConfigDict(extra="forbid")')
        elif extra is not True and extra != {}:
            self.losses.lose(pointer, "additionalProperties")
        self._left(schema, {"type", "properties", "required", "additionalProperties"}, pointer)
        required = schema.get("required", [])
        fields = []
        for key, inner in keys_of(schema, pointer, closed).items():
            at = place(pointer, "properties", key)
            self._forward = False
            kind = self.annotation(inner, at, f"{wish} {key}" if not key.isidentifier() else key)
            if self._forward:
                kind = Typed(repr(kind.base), kind.arguments)
            fields.append((key, kind, inner))
        # Every class that an annotation names is known now: no field may hide one.
        used = set(self._names.values())
        for key, kind, inner in fields:
            name = field_name(key, used, self._reserved)
            used.add(name)
            lines.append(field_line(name, key, kind, inner, key in required))
        return lines or ["pass"]
