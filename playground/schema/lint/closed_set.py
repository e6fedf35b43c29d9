"""A text field that stands for a few fixed values."""

import re
from collections.abc import Iterator
from typing import Any

from playground.constraints.jsonschema.source import step
from playground.schema.lint.names import CLOSED, asks, words
from playground.schema.lint.rule import Finding, Fix, Rule, listing
from playground.schema.lint.scene import Record, Scene, named_types

_ITEM = r"(?:\"[^\"]{1,40}\"|'[^']{1,40}'|`[^`]{1,40}`|[\w$€-]{1,40})"
_LIST = rf"({_ITEM}(?:(?: ?, ?(?:(?:or|and) )?| ?[/|] ?| (?:or|and) ){_ITEM})+)"
_STRONG = re.compile(
    r"\b(?:one of|either|(?:possible|allowed|valid|accepted|permitted) (?:values|options)|options)"
    rf"(?: (?:are|is|the|these|following|values)){{0,4}} ?[:=-]? ?[(\[{{]? ?{_LIST}",
    re.IGNORECASE,
)
"""On a text with single blanks only, which keeps the search linear."""
_SLASHED = re.compile(r"(?<![\w/.:-])(\w[\w-]*(?: ?[/|] ?\w[\w-]*){2,})(?![\w/.:-])")
_PAIR = re.compile(r"\b(yes ?(?:/|\bor\b) ?no|true ?(?:/|\bor\b) ?false)\b", re.IGNORECASE)
_SPLIT = re.compile(rf"{_ITEM}")
_JOINTS = frozenset({"or", "and"})
_NO_LIST = re.compile(
    r"://|\b(?:path|file|folder|director(?:y|ies)|url|uri|format|date|route)s?\b|e\.g\.",
    re.IGNORECASE,
)
"""Where slashes are likely to separate something else than options."""
MAX_OPTIONS = 30
_BOOLS = ({"yes", "no"}, {"true", "false"}, {"y", "n"})
_TAKEN = frozenset({"$ref", "allOf", "anyOf", "const", "enum", "format", "oneOf", "pattern"})
_NARROWING = frozenset({"else", "if", "not", "then"})
MAX_DESCRIPTION = 2_000


def options(description: str) -> list[str]:
    """The values that a description lists; empty where it lists none."""
    text = " ".join(description[:MAX_DESCRIPTION].split())
    for shape in (_STRONG, _SLASHED, _PAIR):
        found = shape.search(text)
        if found is None or (shape is _SLASHED and _NO_LIST.search(text)):
            continue
        items = [item for item in _SPLIT.findall(found.group(1)) if item.lower() not in _JOINTS]
        bare = list(dict.fromkeys(item.strip("\"'`") for item in items))
        if 2 <= len(bare) <= MAX_OPTIONS and not all(item.isdecimal() for item in bare):
            return bare
    return []


def _find(scene: Scene) -> Iterator[Finding]:
    for record in scene.records:
        for name in record.names:
            schema = record[name]
            if not isinstance(schema, dict):
                continue
            listed = schema.get("enum")
            if isinstance(listed, list) and _bool_like(listed):
                values = listing([str(value) for value in listed])
                yield Finding(
                    record.pointer(name),
                    f"`{name}` chooses between the texts {values}: that is a boolean.",
                    _boolean(scene, record, name),
                    "info",
                )
            elif named_types(schema) == {"string"} and not _TAKEN & schema.keys():
                yield from _free_text(scene, record, name, schema)


def _free_text(
    scene: Scene, record: Record, name: str, schema: dict[str, Any]
) -> Iterator[Finding]:
    pointer = record.pointer(name)
    found = options(scene.text_of(schema))
    if (found and _bool_like(found)) or (not found and asks(name)):
        said = f"`{name}` is a question with yes or no as its answer, and its type is string."
        yield Finding(pointer, said, _boolean(scene, record, name))
    elif found:
        said = f"The description of `{name}` lists {listing(found)}, and any text is accepted."
        yield Finding(
            pointer,
            said,
            _enum(scene, pointer, schema, [one for one in found if _fits(one, schema)]),
        )
    elif words(name)[-1:] and words(name)[-1] in CLOSED:
        said = f"`{name}` sounds like a choice from a short list, and any text is accepted."
        yield Finding(pointer, said, None, "info")


def _fits(value: str, schema: dict[str, Any]) -> bool:
    """The value is as long as the schema wants it."""
    least, most = schema.get("minLength", 0), schema.get("maxLength", len(value))
    numbers = isinstance(least, int | float) and isinstance(most, int | float)
    return numbers and least <= len(value) <= most


def _bool_like(values: list[Any]) -> bool:
    if not all(isinstance(value, str) for value in values):
        return False
    return {value.lower() for value in values} in _BOOLS


def _enum(scene: Scene, pointer: str, schema: dict[str, Any], values: list[str]) -> Fix | None:
    """None where what stands beside it might leave none of the values."""
    if scene.json is None or _NARROWING & schema.keys() or not values:
        return None
    edit = scene.json.insert(pointer, scene.json.member("enum", values))
    return scene.fix("List the values as an enum", [edit])


def _boolean(scene: Scene, record: Record, name: str) -> Fix | None:
    pointer, schema = record.pointer(name), record[name]
    if scene.json is None or _NARROWING & schema.keys():
        return None
    only_texts = ("enum", "maxLength", "minLength", "default", "examples", "const")
    gone = [step(pointer, keyword) for keyword in only_texts if keyword in schema]
    edits = scene.json.remove(pointer, gone) if gone else []
    if "type" in schema:
        edits.append(scene.json.replace(step(pointer, "type"), "boolean"))
        return scene.fix("Make it a boolean", edits)
    return scene.fix(
        "Make it a boolean",
        [
            scene.json.replace(
                pointer, {"type": "boolean", **{k: v for k, v in schema.items() if k != "enum"}}
            )
        ],
    )


CLOSED_SET = Rule(
    "L003",
    "closed-set",
    "warning",
    "With an enum the mask allows the listed values alone; with a plain string the model may write "
    "synonyms, and you sort them out afterwards. That follows from the mask, whatever the model.",
    _find,
    advice=True,
)
