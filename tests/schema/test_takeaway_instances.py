"""The Pydantic classes that are taken away, run: each difference from jsonschema's verdict is one
that the take-away states."""

import importlib.util
import json
import re
import sys
import time
import types
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError
from pydantic import BaseModel
from pydantic import ValidationError as Refused

from playground.constraints.jsonschema.source import at, step
from playground.constraints.judge_keywords import Ignored, validator_class
from playground.constraints.judge_patterns import PatternUndecided
from playground.schema.dialects.references import target
from playground.schema.takeaway.pydantic_source import Source, to_source
from playground.schema.takeaway.pydantic_types import Unable
from tests.tables_maskbench import rows

KINDS = {"multiple": "multipleOf", "string": "pattern"}
"""How the names of Pydantic's errors begin, beside the keyword that they are about."""


@dataclass(frozen=True)
class Run:
    """A schema, the source written for it, and the class that it makes when it runs."""

    schema: Any
    source: Source
    model: type[BaseModel]

    def unsaid(self, value: Any) -> str:
        """How the class and jsonschema differ over a value, unless the source states it."""
        refused: Refused | None = None
        try:
            self.model.model_validate_json(json.dumps(value), strict=True)
        except Refused as error:
            refused = error
        try:
            errors = list(self.judge().iter_errors(value))
        except PatternUndecided:
            return ""
        if refused is None:
            bad = [error for error in errors if not self.states(error)]
            return f"the class allows {value!r}: {bad[0].message}" if bad else ""
        if errors or self.source.narrower or any(map(self.expected, refused.errors())):
            return ""
        return f"the class forbids {value!r}: {refused}"

    def judge(self) -> Any:
        """jsonschema's validator, formats asserted by the checks of the last draft."""
        kind = validator_class(self.schema, lambda: time.monotonic() + 5.0, Ignored())
        return kind(self.schema, format_checker=Draft202012Validator.FORMAT_CHECKER)

    def expected(self, error: Any) -> bool:
        """The take-away says that Pydantic refuses this: 1.0 where an int is asked, or what the
        source states to be read otherwise."""
        if error["type"] == "int_type":
            return isinstance(error["input"], float)
        first = error["type"].split("_")[0]
        keyword = "format" if error["type"].endswith("_parsing") else KINDS.get(first, first)
        return any(told.startswith(f"{keyword} ") for told in self.source.nearly)

    def states(self, error: ValidationError) -> bool:
        """The source says that this keyword is lost or read otherwise, or one inside it is."""
        here = self.places([str(part) for part in error.absolute_schema_path])
        for told in (*self.source.lost, *self.source.nearly):
            found = re.fullmatch(r"(.+?)(?: [^@]*)? at (the root|/.*?)(?: \(.*\))?", told)
            assert found, told
            keyword, place = found[1].split(" ")[0], found[2].replace("the root", "")
            named = ("enum", "const") if keyword == "the" else (keyword,)
            for each in here:
                if any(f"{each}/".startswith(f"{step(place, name)}/") for name in named):
                    return True
        return any(self.states(inner) for inner in error.context or ())

    def places(self, path: list[str]) -> list[str]:
        """The pointers under which the writer may know a keyword: references followed, and the
        members of allOf as parts of what holds them."""
        found = [""]
        while path:
            part, *path = path
            for each in found:  # which grows by what the references lead to
                schema = at(self.schema, each)
                end = target(self.schema, schema["$ref"]) if referring(schema) else None
                found += [end[0]] if end is not None and end[0] not in found else []
            if part == "allOf" and path:
                found += [step(step(each, part), path[0]) for each in found]
                path = path[1:]
            else:
                found = [step(each, part) for each in found]
        return found


def referring(schema: Any) -> bool:
    """A schema with a reference."""
    return isinstance(schema, dict) and "$ref" in schema


def run(schema: Any) -> Run | None:
    """The class of a schema, made by running its source; None where there is none, or where it
    needs a package that is absent."""
    try:
        source = to_source(schema, "answer")
    except Unable:
        return None
    if "EmailStr" in source.text and importlib.util.find_spec("email_validator") is None:
        return None
    module = types.ModuleType("taken_away")
    sys.modules[module.__name__] = module
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            exec(compile(source.text, "<taken away>", "exec"), vars(module))
            *_, model = (
                each
                for each in vars(module).values()
                if isinstance(each, type) and issubclass(each, BaseModel)
            )
            model.model_rebuild()
    finally:
        del sys.modules[module.__name__]
    return Run(schema, source, model)


VALUES: list[Any] = [
    *(None, True, False, 0, 1, -1, 2, 5, 10, 1.0, 0.5, 2.5, 0.3, 1e3, 2**53 + 1, 10**20),
    *("", "a", "ab", "abc", "é", "😀", "1", "true", "null", "a\n", "a\rb", "٣", "a&", "<a>", "[x]"),
    *("2024-02-29", "2024-02-30", "2024-02-29T10:00:00Z", "2024-02-29T10:00", "10:00:00Z", "10:00"),
    *("12345678-1234-5678-1234-567812345678", "12345678123456781234567812345678", "x@y.org"),
    *([], [1], [1, 1], [1, "a"], ["a"], ["a", "a"], [[]], [{}], [None], [1, 2, 3]),
    *({}, {"a": 1}, {"a": "x"}, {"a": None}, {"b": 1}, {"a": 1, "b": 2}, {"a": {"a": {"a": 1}}}),
    *({"a b": 1}, {"x-1": "y"}, {"model_config": 1}, {"a": True}, {"a": [1]}),
]

A = {"type": "object", "properties": {"a": {"type": "integer"}}}
SMALL: list[Any] = [
    *({"type": kind} for kind in ("string", "integer", "number", "boolean", "null", "array")),
    *({"type": ["string", "null"]}, {"type": ["integer", "number"]}, {"type": ["object", "array"]}),
    *({}, True, {"title": "t"}, {"type": "object"}, {"minLength": 2}, {"maximum": 3}),
    *({"enum": [1, "a"]}, {"enum": [True]}, {"enum": [0, None]}, {"enum": [False, 2]}),
    *({"enum": [1.5, "x"]}, {"enum": [[1], {"a": 1}]}, {"const": 1}, {"const": {"a": 1}}),
    *({"const": None}, {"enum": ["a", 5], "type": "integer"}, {"enum": ["a"], "minLength": 2}),
    *({"type": "integer", "minimum": 1}, {"type": "integer", "minimum": 0.5, "maximum": 2.5}),
    *({"type": "integer", "minimum": 5, "exclusiveMinimum": 1.5}, {"type": "number", "minimum": 1}),
    *({"type": "integer", "maximum": 1, "exclusiveMaximum": 2.5},),
    *({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},),
    *({"type": "number", "maximum": 2**53}, {"type": "integer", "maximum": 2**53}),
    *({"type": "number", "multipleOf": 0.1}, {"type": "integer", "multipleOf": 5}),
    *({"type": "integer", "multipleOf": 2.5}, {"type": "string", "minLength": 1, "maxLength": 1}),
    *({"type": "string", "pattern": pattern} for pattern in (r"^\d$", "^a$", "a.b", "[a&&b]")),
    *({"type": "string", "pattern": pattern} for pattern in (r"^\<", "(?=a)b", r"^[\[<]", "[[]")),
    *({"type": "string", "format": form} for form in ("date", "date-time", "time", "uuid", "uri")),
    *({"type": "string", "format": "date", "maxLength": 3}, {"pattern": "a", "type": ["string"]}),
    *({"type": "array", "items": {"type": "integer"}}, {"type": "array", "minItems": 1}),
    *({"type": "array", "maxItems": 2, "uniqueItems": True}, {"prefixItems": [{"const": 1}]}),
    *({"type": "array", "contains": {"const": "a"}}, {"type": "array", "items": False}),
    *(A, {**A, "required": ["a"]}, {**A, "additionalProperties": False}, {"required": ["b"]}),
    *({**A, "required": ["b"], "additionalProperties": False}, {**A, "minProperties": 2}),
    *({**A, "additionalProperties": {"type": "integer"}}, {**A, "propertyNames": {"const": "a"}}),
    *({**A, "patternProperties": {"^b": {"type": "null"}}, "additionalProperties": False},),
    *({"type": "object", "patternProperties": {"^x-": {}}, "additionalProperties": False},),
    *({"type": "object", "additionalProperties": {"type": "integer"}, "maxProperties": 1},),
    *({"type": "object", "additionalProperties": False}, {**A, "dependentRequired": {"a": ["b"]}}),
    *({"type": "object", "properties": {key: {"type": "integer"}}, "required": [key]}
      for key in ("a b", "x-1", "model_config", "register", "mro", "Any", "A", "class")),
    *({"anyOf": [{"type": "string"}, {"type": "integer"}]}, {"anyOf": [A, {"type": "string"}]}),
    *({"oneOf": [{"minimum": 1}, {"maximum": 2}]}, {"oneOf": [{"type": "string"}, A]}),
    *({"type": "integer", "anyOf": [{"minimum": 5}, {"type": "string"}]},),
    *({"allOf": [{"type": "integer"}, {"minimum": 1}]}, {"allOf": [A, {"required": ["b"]}]}),
    *({"allOf": [{"type": "integer"}, False]}, {"allOf": [{"type": "integer"}, {"maximum": 1.5}]}),
    *({"allOf": [{"enum": [1, 2]}, {"enum": [2, 5]}]}, {"allOf": [{"type": "string"}, True]}),
    *({"not": {"type": "string"}}, {"if": {"type": "string"}, "then": {"minLength": 2}}),
    *({"$ref": "#"}, {"$ref": "#/$defs/d"}, {"$ref": "#/$defs/d", "maximum": 1}),
    *({"anyOf": [{"$ref": "#/$defs/t"}, {"type": "null"}]}, {"$ref": "#/$defs/t"}),
]  # fmt: skip
DEFINITIONS = {
    "d": {"type": "integer"},
    "t": {"type": "object", "properties": {"a": {"$ref": "#/$defs/t"}}},
}


@pytest.mark.parametrize("required", [True, False])
@pytest.mark.parametrize("small", SMALL, ids=lambda small: json.dumps(small)[:70])
def test_a_class_allows_what_its_schema_does_but_for_what_it_states(
    small: Any, required: bool
) -> None:
    schema = {
        "type": "object",
        "properties": {"V": {"type": "integer"}, "v": small},
        "required": ["v"] if required else [],
        "additionalProperties": False,
        "$defs": DEFINITIONS,
    }
    found = run(schema)
    if found is None:
        with pytest.raises(Unable):
            to_source(schema, "answer")
        return
    for value in ({"v": each} for each in VALUES):
        assert not found.unsaid(value), (found.source, value)
    for value in ({}, {"V": 1}, {"v": 1, "w": 2}, []):
        assert not found.unsaid(value), (found.source, value)


def test_most_small_schemas_have_a_class() -> None:
    found = [run({"type": "object", "properties": {"v": small}}) for small in SMALL]
    assert sum(each is not None for each in found) > 0.8 * len(SMALL)


def test_the_classes_of_the_worlds_schemas_differ_only_as_they_state(shared: Path) -> None:
    if not (shared / "maskbench" / "schemas.jsonl").is_file():
        pytest.skip("the maskbench schemas are absent")
    compared = 0
    for row in rows(shared):
        found = run(row["schema"])
        for test in row["tests"] if found is not None else ():
            assert found is not None
            assert not found.unsaid(test["data"]), (row["id"], found.source)
            compared += 1
    assert compared > 400


def test_a_difference_that_is_not_stated_is_found() -> None:
    schema = {"type": "object", "properties": {"v": {"type": "integer", "minimum": 1}}}
    found = run(schema)
    assert found is not None
    assert not found.unsaid({"v": 0})
    silent = Run({**schema, "properties": {"v": {"type": "string"}}}, found.source, found.model)
    assert "forbids" in silent.unsaid({"v": "a"})
    looser = Run({**schema, "required": ["w"]}, found.source, found.model)
    assert "allows" in looser.unsaid({"v": 1})
