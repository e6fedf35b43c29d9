"""Annotations and values of Pydantic model source, read from its syntax tree and never executed."""

import ast
import datetime
import decimal
import re
import typing
import uuid
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NoReturn

import pydantic
from pydantic import AfterValidator, Field, WithJsonSchema

from playground.constraints.position import first_surrogate, half_a_pair
from playground.errors import InvalidInput

MAX_DEPTH = 20
"""Deepest nesting of an annotation."""
MODULES = frozenset(
    {
        "__future__",
        "collections.abc",
        "datetime",
        "decimal",
        "enum",
        "pydantic",
        "typing",
        "typing_extensions",
        "uuid",
    }
)
FIELD_KEYS = frozenset(
    {
        "alias",
        "default",
        "default_factory",
        "description",
        "examples",
        "ge",
        "gt",
        "le",
        "lt",
        "max_length",
        "min_length",
        "multiple_of",
        "pattern",
        "title",
    }
)
"""Arguments of `Field` that are understood."""


def _is_email(value: str) -> str:
    if not re.fullmatch(r"[^@\s]+@[^@\s.]+(\.[^@\s.]+)+", value):
        raise ValueError("value is not a valid email address")
    return value


_EMAIL = typing.Annotated[
    str, AfterValidator(_is_email), WithJsonSchema({"type": "string", "format": "email"})
]
SIMPLE: Mapping[str, Any] = MappingProxyType(
    {
        "str": str,
        "int": int,
        "float": float,
        "bool": bool,
        "Any": Any,
        "date": datetime.date,
        "datetime": datetime.datetime,
        "time": datetime.time,
        "UUID": uuid.UUID,
        "Decimal": decimal.Decimal,
        "EmailStr": _EMAIL,
        "PositiveInt": pydantic.PositiveInt,
        "NegativeInt": pydantic.NegativeInt,
        "NonNegativeInt": pydantic.NonNegativeInt,
        "NonPositiveInt": pydantic.NonPositiveInt,
        "PositiveFloat": pydantic.PositiveFloat,
        "NegativeFloat": pydantic.NegativeFloat,
        "NonNegativeFloat": pydantic.NonNegativeFloat,
        "NonPositiveFloat": pydantic.NonPositiveFloat,
        "list": list,
        "List": list,
        "dict": dict,
        "Dict": dict,
    }
)
"""Types that stand alone."""
_CONSTRAINED = MappingProxyType(
    {"constr": str, "conint": int, "confloat": float, "condecimal": decimal.Decimal}
)


def outside(node: ast.AST, what: str, hint: str = "") -> NoReturn:
    """Refuse a piece of the source.

    Raises:
        InvalidInput: always, with the place of `node`.
    """
    line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1
    raise InvalidInput(
        f"{what} is outside the subset of Pydantic that is read here.",
        hint or "Use fields with plain types and Field(...); no methods, validators or calls.",
        f"line {line}, column {column}",
        line,
        column,
    )


def require_characters(tree: ast.AST) -> None:
    """Refuse a string of the source with half of a surrogate pair, which UTF-8 can't spell.

    Raises:
        InvalidInput: with the place of the string.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            half = first_surrogate(node.value)
            if half is not None:
                line, column = node.lineno, node.col_offset + 1
                where = f"line {line}, column {column}"
                raise InvalidInput(*half_a_pair(node.value[half]), where, line, column)


def shown(node: ast.AST) -> str:
    """The source of a node, shortened, in backquotes."""
    try:
        text = ast.unparse(node).partition("\n")[0]
    except RecursionError:
        return "nested so deeply"
    return f"`{text if len(text) <= 60 else text[:57] + '...'}`"


class Reader:
    """Reads annotations and values; `lookup` gives a class or alias of the source by name."""

    def __init__(self, lookup: Callable[[str], Any], renamed: Mapping[str, str]) -> None:
        """`renamed` maps names bound by `import ... as` to the original ones."""
        self._lookup = lookup
        self._renamed = renamed

    def name(self, node: ast.expr) -> str | None:
        """The last part of a plain or dotted name, with import aliases undone; else None."""
        if isinstance(node, ast.Name):
            return self._renamed.get(node.id, node.id)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            return node.attr
        return None

    def annotation(self, node: ast.expr, depth: int = 0) -> Any:
        """The type that an annotation stands for."""
        if depth > MAX_DEPTH:
            outside(node, "An annotation nested so deeply")
        if isinstance(node, ast.Constant) and node.value is None:
            return None
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return self.annotation(_quoted(node, node.value), depth + 1)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            sides = (self.annotation(side, depth + 1) for side in (node.left, node.right))
            return typing.Union[tuple(sides)]  # noqa: UP007  # forward references have no `|`
        if isinstance(node, ast.Subscript):
            return self._subscript(node, depth)
        if isinstance(node, ast.Call):
            return self._constrained(node, depth)
        name = self.name(node) or ""
        found = SIMPLE[name] if name in SIMPLE else self._lookup(name)
        if found is None:
            outside(node, f"The type {shown(node)}")
        return found

    def _subscript(self, node: ast.Subscript, depth: int) -> Any:
        name = self.name(node.value)
        inner = node.slice
        parts = list(inner.elts) if isinstance(inner, ast.Tuple) else [inner]
        if not parts:
            outside(node, f"{shown(node)}, which lists nothing,", "Write what it is made of.")
        if name == "Literal":
            return typing.Literal[tuple(self.constant(part) for part in parts)]
        if name == "Annotated":
            if len(parts) == 1:
                outside(node, f"{shown(node)}, without a Field,", "Write the type alone.")
            extras = tuple(self.field(part) for part in parts[1:])
            return typing.Annotated[(self.annotation(parts[0], depth + 1), *extras)]
        if name in ("tuple", "Tuple") and len(parts) == 2 and _is_dots(parts[1]):
            return tuple[self.annotation(parts[0], depth + 1), ...]  # type: ignore[misc]
        types = [self.annotation(part, depth + 1) for part in parts]
        if name in ("tuple", "Tuple"):
            return tuple[tuple(types)]  # type: ignore[misc]
        if name in ("list", "List") and len(types) == 1:
            return list[types[0]]  # type: ignore[valid-type]
        if name == "Optional" and len(types) == 1:
            return typing.Optional[types[0]]  # noqa: UP045
        if name == "Union":
            return typing.Union[tuple(types)]  # noqa: UP007
        if name in ("dict", "Dict") and len(types) == 2:
            if types[0] is not str:
                outside(parts[0], "A dict whose keys are no strings", "JSON keys are strings.")
            return dict[str, types[1]]  # type: ignore[valid-type]
        return outside(node, f"The type {shown(node)}")

    def _constrained(self, node: ast.Call, depth: int) -> Any:
        """conlist(X, ...), constr(...), conint(...): the older way to write Annotated."""
        name = self.name(node.func) or ""
        if name == "conlist" and len(node.args) == 1:
            base: Any = list[self.annotation(node.args[0], depth + 1)]  # type: ignore[misc]
        elif name in _CONSTRAINED and not node.args:
            base = _CONSTRAINED[name]
        else:
            outside(node, f"The type {shown(node)}")
        return typing.Annotated[base, Field(**self.arguments(node))]

    def field(self, node: ast.expr) -> Any:
        """`Field(...)` as a value."""
        if not isinstance(node, ast.Call) or self.name(node.func) != "Field" or len(node.args) > 1:
            outside(node, f"{shown(node)}")
        default = {"default": self.constant(node.args[0])} if node.args else {}
        return Field(**{**default, **self.arguments(node)})

    def arguments(self, node: ast.Call) -> dict[str, Any]:
        """The keyword arguments of a `Field` or of a constrained type."""
        found: dict[str, Any] = {}
        for keyword in node.keywords:
            if keyword.arg not in FIELD_KEYS:
                known = f"Known arguments: {', '.join(sorted(FIELD_KEYS))}."
                outside(keyword.value, f"The argument `{keyword.arg}`", known)
            if keyword.arg == "default_factory":
                factory = self.name(keyword.value)
                if factory not in ("list", "dict"):
                    outside(keyword.value, f"The factory {shown(keyword.value)}")
                found["default_factory"] = list if factory == "list" else dict
            else:
                found[keyword.arg] = self.constant(keyword.value)
        return found

    def constant(self, node: ast.expr) -> Any:
        """A literal value, or a member of an enum of the source."""
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            owner = self._lookup(node.value.id)
            member = getattr(owner, "__members__", {}).get(node.attr)
            if member is not None:
                return member
        try:
            return ast.literal_eval(node)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            return outside(node, f"The value {shown(node)}", "Values are literals.")


def _is_dots(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...


def _quoted(node: ast.Constant, text: str) -> ast.expr:
    """An annotation in quotes; its places are those of the whole string."""
    try:
        parsed = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        outside(node, f"The type {shown(node)}")
    for inner in ast.walk(parsed.body):
        ast.copy_location(inner, node)
    require_characters(parsed.body)
    return parsed.body
