"""A way to say that the source doesn't tell, and optional fields that can be left out."""

import re
from collections.abc import Iterator
from typing import Any

from playground.constraints.jsonschema.source import step
from playground.schema.json_text import Edit, JsonText
from playground.schema.lint.names import is_judgement, is_reasoning, is_written
from playground.schema.lint.rule import Finding, Rule, listing
from playground.schema.lint.scene import Record, Scene, named_types

_OUT = re.compile(
    r"^(?:|-|n/?a|none(?:[ _-].*)?|null|nil|not(?:[ _-]?\w+)+|others?|tbd|missing|absent"
    r"|un(?:available|certain|clear|classified|defined|determined|known|specified|stated|sure)"
    r"|no[ _-]\w+|can(?:not|'t)[ _-].*)$",
    re.IGNORECASE,
)
_SAID = re.compile(
    r"\b(?:unknown|empty string|leave (?:it )?(?:empty|blank)|if (?:absent|missing|not|none|un)"
    r"|otherwise|n/a|null)\b",
    re.IGNORECASE,
)
_OPTIONAL = re.compile(
    r"\boptional\b|\bif (?:any|available|present|known|given|applicable|it exists)\b"
    r"|\bmay be (?:omitted|missing|absent|left out)\b",
    re.IGNORECASE,
)
_FACTS = frozenset({"integer", "number", "string"})
_ASKED = 'What is the price? The page says: "A red bicycle, in good condition." Answer as JSON.'


def has_way_out(scene: Scene, schema: Any) -> bool:
    """It can say that there is no value: null, an option such as "unknown", or words for it."""
    text = scene.text_of(schema)
    for each in scene.views(schema):
        types = named_types(each)
        if not types and not {"enum", "const", "$ref", "anyOf", "oneOf", "allOf"} & each.keys():
            return True
        listed = [each["const"]] if "const" in each else each.get("enum")
        if isinstance(listed, list):
            if any(value is None for value in listed):
                return True
            if any(isinstance(value, str) and _OUT.match(value.strip()) for value in listed):
                return True
        elif "null" in types or (
            "string" in types and _SAID.search(text) and not each.get("minLength")
        ):
            return True
    return False


def _trapped(scene: Scene, record: Record, name: str) -> bool:
    """Required, taken from a source, and without a way out."""
    schema = record[name]
    if name not in record.required or is_reasoning(name) or is_judgement(name) or is_written(name):
        return False
    if any("const" in each for each in scene.views(schema)) or not isinstance(schema, dict):
        return False
    types = scene.types(schema)
    listed = any(isinstance(each.get("enum"), list) for each in scene.views(schema))
    return (listed or bool(types & _FACTS)) and not has_way_out(scene, schema)


def _find(scene: Scene) -> Iterator[Finding]:
    places, names = [], []
    for record in scene.records:
        for name in record.names:
            if _trapped(scene, record, name):
                places.append((record.pointer(name), record[name]))
                names.append(name)
    if not places:
        return
    named = list(dict.fromkeys(names))
    verb, pronoun = ("is", "it") if len(named) == 1 else ("are", "they")
    edits = [edit for place, schema in places for edit in _nullable(scene.json, place, schema)]
    yield Finding(
        places[0][0],
        f"{listing(named)} {verb} required, and {pronoun} can't say that the source "
        "doesn't tell: the model must write some value.",
        scene.fix(f"Allow null for {listing(named)}", edits),
        demo=_demo(),
    )


def _nullable(text: JsonText | None, pointer: str, schema: dict[str, Any]) -> list[Edit]:
    """Edits after which null is accepted too."""
    if text is None:
        return []
    named, edits = schema.get("type"), []
    simple = not {"$ref", "allOf", "anyOf", "oneOf", "not", "if"} & schema.keys()
    if not simple or not isinstance(named, str | list | None):
        return [text.replace_text(pointer, f'{{"anyOf": [{text.source(pointer)}, {_NULL}]}}')]
    if isinstance(named, str):
        edits.append(text.replace(step(pointer, "type"), [named, "null"]))
    elif named:
        edits.append(text.insert(step(pointer, "type"), '"null"'))
    if isinstance(schema.get("enum"), list):
        edits.append(text.insert(step(pointer, "enum"), "null"))
    return edits


_NULL = '{"type": "null"}'


def _demo() -> dict[str, object]:
    return {
        "title": "See in Step what a required price does where there is none",
        "constraint": {
            "kind": "schema",
            "source": '{\n  "type": "object",\n  "properties": {"price": {"type": "number"}},\n'
            '  "required": ["price"],\n  "additionalProperties": false\n}',
        },
        "prompt": _ASKED,
    }


def _optional(scene: Scene) -> Iterator[Finding]:
    for record in scene.records:
        forced = [
            name
            for name in record.names
            if name in record.required and _meant_optional(scene, record[name])
        ]
        if not forced:
            continue
        first = record[forced[0]]
        why = "has a default" if isinstance(first, dict) and "default" in first else "says so"
        yield Finding(
            record.pointer(forced[0]),
            f"{listing(forced)}: meant to be optional ({why}), but required. The model has to "
            "write it.",
            scene.fix(
                f"Take {listing(forced)} out of `required`", _released(scene, record, forced)
            ),
        )


def _meant_optional(scene: Scene, schema: Any) -> bool:
    if not isinstance(schema, dict):
        return False
    if schema.get("default") is not None:
        return True
    return bool(_OPTIONAL.search(scene.text_of(schema)[:2_000])) and not has_way_out(scene, schema)


def _released(scene: Scene, record: Record, names: list[str]) -> list[Edit]:
    if scene.json is None:
        return []
    container = step(record.sub.pointer, "required")
    listed = record.sub.schema["required"]
    gone = [step(container, i) for i, name in enumerate(listed) if name in names]
    return scene.json.remove(container, gone)


NO_WAY_OUT = Rule(
    "L005",
    "no-way-out",
    "warning",
    "The mask allows no answer but a value, so where the source has none the model invents one. "
    "The force is certain; how often it happens depends on your sources. Say in the prompt when "
    "to use null.",
    _find,
    advice=True,
)
NOT_OPTIONAL = Rule(
    "L009",
    "optional-but-required",
    "info",
    "What is in `required` is written always; a default is only a remark to readers, and no mask "
    "fills it in.",
    _optional,
)
