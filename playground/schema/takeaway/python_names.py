"""Names and literals of Python source that hold whatever a visitor typed."""

import ast
import builtins
import keyword
import re
from typing import Any

WIDTH = 88
"""Lines of a long literal are cut here."""
IMPORTED = frozenset(
    {
        "Annotated",
        "Any",
        "BaseModel",
        "ConfigDict",
        "EmailStr",
        "Field",
        "Literal",
        "UUID",
        "date",
        "datetime",
        "time",
    }
)
"""Names that the source of a class may import."""
_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def literal(text: str) -> str:
    """A Python expression whose value is `text`: one literal, or one a line in parentheses."""
    if len(text) <= WIDTH and "\n" not in text:
        return repr(text)
    pieces = []
    for line in text.splitlines(keepends=True):
        pieces += [line[at : at + WIDTH] for at in range(0, len(line), WIDTH)]
    return "(\n" + "".join(f"    {piece!r}\n" for piece in pieces) + ")"


def taken() -> frozenset[str]:
    """Names that a field can't have: a model's own, and those that annotations use."""
    from pydantic import BaseModel

    own = frozenset(dir(BaseModel)) | frozenset(dir(type(BaseModel)))
    return own | frozenset(dir(builtins)) | IMPORTED


def plain_identifier(text: str) -> bool:
    """An identifier of ASCII, so that Python doesn't normalise it, and free to use."""
    return bool(_IDENTIFIER.fullmatch(text)) and not (
        keyword.iskeyword(text) or keyword.issoftkeyword(text) or text.startswith("model_")
    )


def field_name(key: str, used: set[str], reserved: frozenset[str]) -> str:
    """A field's name for a key: the key itself where it may be, else one that looks like it."""
    name = key
    if not plain_identifier(key) or key in reserved or key in used:
        name = re.sub(r"[^A-Za-z0-9]+", "_", key).strip("_") or "field"
        name = f"field_{name}" if not name[0].isalpha() or name.startswith("model_") else name
        name = f"{name}_" if keyword.iskeyword(name) or name in reserved else name
    return unused(name, used | reserved)


def class_name(wish: str, used: set[str], reserved: frozenset[str]) -> str:
    """A class's name, in capitals and small letters, for a title or a key."""
    words = re.findall(r"[A-Za-z0-9]+", wish)
    name = "".join(word[:1].upper() + word[1:] for word in words)[:60]
    name = name if name and name[0].isalpha() else f"Model{name}"
    return unused(name, used | reserved)


def unused(name: str, used: set[str] | frozenset[str]) -> str:
    """The name, with a number behind it where it is used."""
    found, number = name, 1
    while found in used or keyword.iskeyword(found):
        number += 1
        found = f"{name.rstrip('_')}_{number}"
    return found


def constant(value: Any) -> str:
    """A JSON value as a Python expression."""
    return repr(value)


def identifiers(text: str) -> list[str]:
    """The identifiers of Python source outside its strings."""
    tree = ast.parse(text)
    names = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]
    for node in ast.walk(tree):
        quoted = getattr(node, "annotation", None)
        if isinstance(quoted, ast.Constant) and isinstance(quoted.value, str):
            inner = ast.walk(ast.parse(quoted.value, mode="eval"))
            names += [one.id for one in inner if isinstance(one, ast.Name)]
    return names
