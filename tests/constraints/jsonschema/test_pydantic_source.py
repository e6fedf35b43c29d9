"""Pydantic source, read and never executed, against the models that Python itself makes of it."""

import json
import random
import sys
import types
from typing import Any

import pytest

from playground.constraints.pydantic_source import root_model, to_schema, validate
from playground.errors import InvalidInput

INVOICE = """
from pydantic import BaseModel, Field

class Invoice(BaseModel):
    vendor: str
    total: float = Field(ge=0)
    currency: str = Field(pattern=r"^[A-Z]{3}$")
    line_items: list[str]
"""
LINES = '''
from datetime import date
from pydantic import BaseModel, ConfigDict, Field

class Line(BaseModel):
    """One line of an invoice."""
    text: str = Field(min_length=1, max_length=40, description="what was bought")
    amount: float = Field(ge=0, lt=100000)

class Invoice(BaseModel):
    model_config = ConfigDict(extra="forbid")
    vendor: str = Field(max_length=40)
    day: date | None = None
    currency: str = Field(pattern="^[A-Z]{3}$")
    lines: list[Line] = Field(min_length=1, max_length=3)
'''
WIDE = '''
"""Everything of the subset."""
import datetime as dt
import uuid
from decimal import Decimal
from enum import Enum, IntEnum
from typing import Annotated, Any, Dict, List, Literal, Optional, Union
from pydantic import BaseModel, Field, PositiveInt, conlist, constr

class Color(str, Enum):
    """A color."""
    RED = "red"
    BLUE = "blue"

class Level(IntEnum):
    LOW = 1
    HIGH = 2

Currency = Literal["EUR", "USD"]

class Node(BaseModel):
    value: int
    next: Optional["Node"] = None
    kids: "List[Node]" = []

class Base(BaseModel):
    id: uuid.UUID

class Wide(Base):
    n: Annotated[int, Field(gt=0, multiple_of=5)] = 5
    at: dt.datetime
    clock: Optional[dt.time]
    color: Color = Color.RED
    level: Level
    price: Decimal
    extra: Dict[str, int] = {}
    either: Union[int, str, None] = Field(None, title="Either", description="one of them")
    currency: Currency = "EUR"
    node: Node
    pair: conlist(int, min_length=2, max_length=2)
    code: constr(pattern="^a+$")
    count: PositiveInt
    flag: bool = False
    anything: Any = None
    tags: list[str] = Field(default_factory=list, examples=[["a"]])
    renamed: int = Field(alias="newName")
'''


def executed(source: str, name: str) -> Any:
    """The model as Python makes it: the source is ours, so it may run."""
    module = types.ModuleType("source_of_the_test")
    sys.modules[module.__name__] = module
    exec(compile(source, "source", "exec"), module.__dict__)
    return getattr(module, name)


@pytest.mark.parametrize(
    ("source", "name"), [(INVOICE, "Invoice"), (LINES, "Invoice"), (WIDE, "Wide")]
)
def test_the_schema_is_the_one_that_pydantic_makes(source: str, name: str) -> None:
    assert to_schema(source) == executed(source, name).model_json_schema()
    assert root_model(source).__name__ == name


@pytest.mark.parametrize("source", [INVOICE, LINES])
def test_every_text_of_the_mask_validates(source: str, tools: Any) -> None:
    lowered, dfa = tools.lower(to_schema(source), "one")
    assert not tools.unenforced(lowered)
    rng = random.Random(3)
    for _ in range(60):
        text = dfa.sample(rng).decode()
        assert "error" not in validate(source, text), text


def test_a_valid_text_becomes_an_object_and_an_invalid_one_an_error() -> None:
    text = '{"vendor": "N", "total": 1.5, "currency": "EUR", "line_items": ["a"]}'
    assert validate(INVOICE, text) == {
        "type": "Invoice",
        "value": json.loads(text),
        "repr": "Invoice(vendor='N', total=1.5, currency='EUR', line_items=['a'])",
    }
    error = validate(INVOICE, text.replace("1.5", "-1"))["error"]
    assert "total" in error
    assert "greater than or equal to 0" in error
    assert "error" in validate(INVOICE, '{"vendor"')


def test_an_email_has_pydantics_schema_without_its_extra_package() -> None:
    source = "class A(BaseModel):\n  mail: EmailStr"
    assert to_schema(source)["properties"]["mail"] == {
        "format": "email",
        "title": "Mail",
        "type": "string",
    }
    assert "error" in validate(source, '{"mail": "nobody"}')
    assert "error" not in validate(source, '{"mail": "ada@example.org"}')


def test_the_root_is_the_last_model_that_no_other_refers_to() -> None:
    source = "class B(BaseModel):\n  a: A\nclass A(BaseModel):\n  x: int\n"
    assert root_model(source).__name__ == "B"
    assert (
        root_model("class A(BaseModel):\n  x: int\nclass C(BaseModel):\n  y: int\n").__name__ == "C"
    )


@pytest.mark.parametrize(
    ("source", "line", "column", "said"),
    [
        ("class A(BaseModel:\n", 1, 8, "no Python"),
        ("import os\nclass A(BaseModel):\n  a: int", 1, 1, "`os`"),
        ("print(1)", 1, 1, "`print(1)`"),
        ("class A(BaseModel):\n  a: foo", 2, 6, "`foo`"),
        ("class A(BaseModel):\n  a: set[int]", 2, 6, "`set[int]`"),
        ("class A(BaseModel):\n  a: dict[int, int]", 2, 11, "keys"),
        ("class A(BaseModel):\n  a: int\n  def f(self): pass", 3, 3, "`def f(self):`"),
        ("class A(BaseModel):\n  a: int = Field(foo=3)", 2, 22, "`foo`"),
        ("class A(BaseModel):\n  a: int = Field(default=open('x'))", 2, 26, "`open('x')`"),
        ("class A(BaseModel):\n  a: str = __import__('os')", 2, 12, "__import__"),
        ("class A(BaseModel):\n  a: int = Field(ge='x')", 1, 1, "Pydantic refuses"),
        ("class A(BaseModel):\n  a: str = Field(pattern='(?=x)')", 1, 1, "look-around"),
        ("class A(BaseModel):\n  model_post_init: int = 3", 2, 3, "model_post_init"),
        ("class A(BaseModel, metaclass=M):\n  a: int", 1, 1, "keyword"),
        ("@dataclass\nclass A(BaseModel):\n  a: int", 2, 1, "decorator"),
        ("class A(A):\n  a: int", 1, 9, "base"),
        ("A = A\nclass B(BaseModel):\n  a: A", 1, 5, "defined by itself"),
        ("class A:\n  a: int", 1, 1, "BaseModel"),
        ("x: int = 3", 1, 1, "statement"),
        ("", 1, 1, "without a model"),
        ("class A(BaseModel):\n  a: " + "list[" * 30 + "int" + "]" * 30, 2, 111, "deeply"),
    ],
)
def test_what_lies_outside_the_subset_is_named_with_its_place(
    source: str, line: int, column: int, said: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        to_schema(source)
    assert said in str(caught.value)
    assert caught.value.line == line
    if "no Python" not in said:
        assert caught.value.column == column


def test_nothing_in_the_source_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    called = []
    monkeypatch.setattr("builtins.open", lambda *args: called.append(args))
    source = "class A(BaseModel):\n  a: int = Field(default=open('x'))"
    with pytest.raises(InvalidInput):
        to_schema(source)
    assert not called


def test_a_tuple_is_a_list_whose_places_have_types() -> None:
    head = "from pydantic import BaseModel\n\nclass A(BaseModel):\n    a: "
    pair = to_schema(f"{head}tuple[int, str]")["properties"]["a"]
    assert pair["prefixItems"] == [{"type": "integer"}, {"type": "string"}]
    assert (pair["minItems"], pair["maxItems"]) == (2, 2)
    assert to_schema(f"{head}tuple[int, ...]")["properties"]["a"]["items"] == {"type": "integer"}


def test_a_configuration_may_be_written_as_a_dict() -> None:
    head = "from pydantic import BaseModel\n\nclass A(BaseModel):\n    model_config = "
    assert to_schema(head + '{"extra": "forbid"}\n    a: int')["additionalProperties"] is False
    for wrong in ('{"arbitrary_types_allowed": True}', "{**x}", '{1: "forbid"}'):
        with pytest.raises(InvalidInput, match="The setting"):
            to_schema(f"{head}{wrong}\n    a: int")


def test_what_is_no_python_is_told_with_its_place_and_what_to_write() -> None:
    with pytest.raises(InvalidInput) as caught:
        to_schema("def f(:")
    assert (caught.value.line, caught.value.column) == (1, 7)
    assert "class Name(BaseModel):" in caught.value.hint
