"""Pydantic v2 model source, parsed and never executed -> its JSON Schema, and validated objects.

The subset: classes derived from BaseModel (or from one another) with annotated fields; enums of
literals; str, int, float, bool, None, Any, date, datetime, time, UUID, Decimal, EmailStr, the
PositiveInt family, list, tuple, dict[str, X], Optional, Union, |, Literal, Annotated, con* types,
models in any order; Field with bounds, pattern, default, description; `model_config` as
ConfigDict(...) or a dict; docstrings; aliases of types at the top. The models are then built as
real Pydantic classes, so the schema is Pydantic's own. The root is the last model that no other
refers to.
"""

import ast
import enum
import types
import typing
import warnings
from functools import lru_cache
from typing import Any, cast

from pydantic import BaseModel, ConfigDict, PydanticUserError, ValidationError
from pydantic.errors import PydanticSchemaGenerationError
from pydantic_core import SchemaError

from playground.constraints.pydantic_types import (
    MODULES,
    Reader,
    outside,
    require_characters,
    shown,
)
from playground.errors import InvalidInput

MAX_CLASSES = 60
MAX_ERROR = 2_000
_CONFIG_KEYS = frozenset({"extra", "title", "str_max_length", "str_min_length", "frozen"})
_ENUM_BASES = {"Enum": enum.Enum, "StrEnum": enum.StrEnum, "IntEnum": enum.IntEnum}


def to_schema(source: str) -> dict[str, Any]:
    """The JSON Schema of the root model; its `title` is the model's name.

    Raises:
        InvalidInput: no Python, outside the subset, or refused by Pydantic; with line and column.
    """
    model = root_model(source)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a default that JSON can't spell is left out
        return model.model_json_schema()


def validate(source: str, text: str) -> dict[str, Any]:
    """A JSON text as the object it spells: `type`, `value` (JSON), `repr`; or `error` alone.

    Raises:
        InvalidInput: the source is not in the subset.
    """
    model = root_model(source)
    try:
        found = model.model_validate_json(text)
    except ValidationError as error:
        return {"error": str(error)[:MAX_ERROR]}
    value = found.model_dump(mode="json", by_alias=True)
    return {"type": model.__name__, "value": value, "repr": repr(found)}


@lru_cache(maxsize=32)
def root_model(source: str) -> type[BaseModel]:
    """The root model of the source, as a real class.

    Raises:
        InvalidInput: as `to_schema`.
    """
    try:
        tree = ast.parse(source.removeprefix("\ufeff"))
    except SyntaxError as error:
        line, column = error.lineno or 1, error.offset or 1
        where = f"line {line}, column {column}"
        hint = (
            "Correct it there. A model is `class Name(BaseModel):` and a line `field: type` each."
        )
        raise InvalidInput(f"This is no Python: {error.msg}.", hint, where, line, column) from None
    except (RecursionError, MemoryError):
        raise InvalidInput(
            "The source is nested too deeply.",
            "Write shorter expressions, or give inner parts names of their own.",
        ) from None
    except ValueError:
        raise InvalidInput("This is no Python source.", "Remove control characters.") from None
    require_characters(tree)
    return _Source(tree).root()


class _Source:
    def __init__(self, tree: ast.Module) -> None:
        self._classes: dict[str, ast.ClassDef] = {}
        self._aliases: dict[str, ast.expr] = {}
        self._built: dict[str, Any] = {}
        self._open: set[str] = set()
        self._used: dict[str, set[str]] = {}
        self._owner: list[str] = []
        self._renamed: dict[str, str] = {}
        self._reader = Reader(self._lookup, self._renamed)
        for statement in tree.body:
            self._statement(statement)
        if not self._classes:
            outside(tree, "A source without a model", "Write `class Name(BaseModel): ...`.")
        if len(self._classes) > MAX_CLASSES:
            outside(tree, f"A source of more than {MAX_CLASSES} classes")

    def root(self) -> type[BaseModel]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a field may shadow an attribute of BaseModel
            for name in self._classes:
                self._lookup(name)
            models = {n: c for n, c in self._built.items() if _is_model(c)}
            if not models:
                first = next(iter(self._classes.values()))
                outside(first, "A source without a model", "Derive a class from BaseModel.")
            for name, model in models.items():
                self._checked(self._classes[name], model.model_rebuild, _types_namespace=models)
        used = {other for name, names in self._used.items() for other in names if other != name}
        free = [name for name in self._classes if name in models and name not in used]
        chosen = free[-1] if free else list(models)[-1]
        root: type[BaseModel] = models[chosen]
        self._checked(self._classes[chosen], root.model_json_schema)
        return root

    def _statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.ClassDef):
            if node.name in self._classes:
                outside(node, f"The class `{node.name}`, defined twice,")
            self._classes[node.name] = node
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name not in MODULES:
                    outside(node, f"The module `{alias.name}`", _modules())
        elif isinstance(node, ast.ImportFrom):
            if node.module not in MODULES or node.level:
                outside(node, f"The module `{node.module}`", _modules())
            self._renamed.update({a.asname: a.name for a in node.names if a.asname})
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            self._aliases[node.targets[0].id] = node.value
        elif not _is_remark(node):
            outside(node, f"The statement {shown(node)}")

    def _lookup(self, name: str) -> Any:
        """The class or alias of this name; a class that is still being built by reference."""
        if name in self._classes and self._owner:
            self._used.setdefault(self._owner[-1], set()).add(name)
        if name in self._built:
            return self._built[name]
        if name in self._open:
            if name in self._aliases:
                outside(self._aliases[name], f"The alias `{name}`, defined by itself,")
            return typing.ForwardRef(name)
        if name not in self._classes and name not in self._aliases:
            return None
        self._open.add(name)
        if name in self._aliases:
            found = self._reader.annotation(self._aliases[name])
        else:
            self._owner.append(name)
            found = self._class(self._classes[name])
            self._owner.pop()
        self._open.discard(name)
        self._built[name] = found
        return found

    def _class(self, node: ast.ClassDef) -> Any:
        if node.decorator_list or node.keywords:
            outside(node, f"The decorator or keyword of `{node.name}`")
        names = [self._reader.name(base) for base in node.bases]
        if any(name in _ENUM_BASES for name in names):
            return self._enum(node, names)
        bases = []
        for base, name in zip(node.bases, names, strict=True):
            known = BaseModel if name == "BaseModel" else self._lookup(name or "")
            if not _is_model(known):
                outside(base, f"The base {shown(base)}")
            bases.append(known)
        if not bases:
            outside(node, f"The class `{node.name}` without a base", "Derive it from BaseModel.")
        namespace: dict[str, Any] = {"__annotations__": {}, "__module__": __name__}
        namespace["__doc__"] = ast.get_docstring(node)
        for statement in node.body:
            self._member(node, statement, namespace)
        return self._checked(
            node, types.new_class, node.name, tuple(bases), {}, lambda body: body.update(namespace)
        )

    def _member(self, owner: ast.ClassDef, node: ast.stmt, namespace: dict[str, Any]) -> None:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            name = node.target.id
            if name.startswith("_") or (name.startswith("model_") and hasattr(BaseModel, name)):
                outside(node, f"The field name `{name}`", "Pydantic keeps such names to itself.")
            namespace["__annotations__"][name] = self._reader.annotation(node.annotation)
            if isinstance(node.value, ast.Call):
                namespace[name] = self._reader.field(node.value)
            elif node.value is not None:
                namespace[name] = self._reader.constant(node.value)
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "model_config":
            namespace["model_config"] = self._config(node.value)
        elif not _is_remark(node):
            outside(node, f"{shown(node)} in `{owner.name}`")

    def _config(self, node: ast.expr) -> ConfigDict:
        """`ConfigDict(...)`, or the dict that it makes."""
        pairs: list[tuple[object, ast.expr]] = []
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                pairs.append((key.value if isinstance(key, ast.Constant) else None, value))
        elif isinstance(node, ast.Call) and self._reader.name(node.func) == "ConfigDict":
            if node.args:
                outside(node.args[0], f"The configuration {shown(node)}")
            pairs += [(keyword.arg, keyword.value) for keyword in node.keywords]
        else:
            outside(node, f"The configuration {shown(node)}", "Write ConfigDict(extra='forbid').")
        config: dict[str, Any] = {}
        for name, value in pairs:
            if not isinstance(name, str) or name not in _CONFIG_KEYS:
                known = f"Known: {', '.join(sorted(_CONFIG_KEYS))}."
                outside(value, f"The setting `{name}`", known)
            config[name] = self._reader.constant(value)
        return cast(ConfigDict, config)

    def _enum(self, node: ast.ClassDef, names: list[str | None]) -> Any:
        kinds = {"str": str, "int": int, "float": float}
        mixed = [kinds[name] for name in names if name in kinds]
        base = next(_ENUM_BASES[name] for name in names if name in _ENUM_BASES)
        members: dict[str, Any] = {}
        for statement in node.body:
            if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
                members[statement.targets[0].id] = self._reader.constant(statement.value)
            elif not _is_remark(statement):
                outside(statement, f"{shown(statement)} in `{node.name}`")
        kind = mixed[0] if mixed else None
        made = self._checked(node, base, node.name, members, type=kind, module=__name__)
        made.__doc__ = ast.get_docstring(node)
        return made

    def _checked(self, node: ast.ClassDef, make: Any, *args: Any, **kwargs: Any) -> Any:
        """Call Pydantic; its complaints about the class become errors at the class."""
        try:
            return make(*args, **kwargs)
        except InvalidInput:
            raise
        except (
            PydanticUserError,
            PydanticSchemaGenerationError,
            SchemaError,
            TypeError,
            ValueError,
            NameError,
            RecursionError,
        ) as error:
            said = [line.strip() for line in str(error).splitlines() if line.strip()]
            reason = said[-1 if isinstance(error, SchemaError) else 0][:300] if said else "?"
            line, column = node.lineno, node.col_offset + 1
            raise InvalidInput(
                f"Pydantic refuses the class `{node.name}`: {reason}",
                "Correct the types and the arguments of Field in it.",
                f"line {line}, column {column}",
                line,
                column,
            ) from None


def _is_model(found: Any) -> bool:
    return isinstance(found, type) and issubclass(found, BaseModel)


def _is_remark(node: ast.stmt) -> bool:
    """A docstring, `...` or `pass`."""
    is_constant = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return is_constant or isinstance(node, ast.Pass)


def _modules() -> str:
    return f"Imports are read from {', '.join(sorted(MODULES - {'__future__'}))}."
