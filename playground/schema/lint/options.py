"""Options of an enum, defaults and examples that break the schema they stand in."""

import json
from collections.abc import Iterator
from typing import Any

from playground.constraints.jsonschema.source import step
from playground.schema.json_text import Edit, dumps
from playground.schema.lint.rule import Finding, Fix, Rule, listing
from playground.schema.lint.scene import Scene, Sub, named_types
from playground.schema.lint.spelling import NAMES

MAX_OPTIONS = 5_000
_NUMBERS = frozenset({"integer", "number"})


def is_type(value: Any, name: str) -> bool:
    """The JSON value is of the type, as JSON Schema counts: 1.0 is an integer."""
    if isinstance(value, bool):
        return name == "boolean"
    if isinstance(value, int):
        return name in _NUMBERS
    if isinstance(value, float):
        return name == "number" or (name == "integer" and value.is_integer())
    kinds: dict[str, type] = {"string": str, "array": list, "object": dict, "null": type(None)}
    return name in kinds and isinstance(value, kinds[name])


def _fits(value: Any, types: set[str]) -> bool:
    return not types or not types <= set(NAMES) or any(is_type(value, name) for name in types)


def _find(scene: Scene) -> Iterator[Finding]:
    for sub in scene.subs:
        if "enum" in sub.schema:
            yield from _enum(scene, sub)
        elif "const" in sub.schema and not _fits(sub.schema["const"], named_types(sub.schema)):
            value = dumps(sub.schema["const"])[:60]
            place = step(sub.pointer, "const")
            said = f"The constant {value} is not of the type {_said(named_types(sub.schema))}."
            yield Finding(place, said, _cast_const(scene, sub, place))
    yield from _left_out(scene)


def _left_out(scene: Scene) -> Iterator[Finding]:
    """Options that another keyword than `type` forbids, as the lowering found them."""
    odd = {step(sub.pointer, "enum") for sub in scene.subs if _of_other_types(sub)}
    for note in scene.notes:
        if note.level == "warning" and _FAIL in note.message and note.pointer not in odd:
            yield Finding(note.pointer, note.message, level="warning")


_FAIL = "fail another keyword here"
"""How the lowering says that it left some options out."""


def _of_other_types(sub: Sub) -> bool:
    listed, types = sub.schema.get("enum"), named_types(sub.schema)
    return isinstance(listed, list) and not all(_fits(one, types) for one in listed[:MAX_OPTIONS])


def _enum(scene: Scene, sub: Sub) -> Iterator[Finding]:
    listed, place = sub.schema["enum"], step(sub.pointer, "enum")
    if not isinstance(listed, list):
        fix = None
        if scene.json is not None and not isinstance(listed, dict):
            fix = scene.fix("Make it a list", [scene.json.replace(place, [listed])])
        yield Finding(place, "`enum` takes a list of values.", fix)
        return
    if not listed:
        edits = scene.json.remove(sub.pointer, [place]) if scene.json is not None else []
        said = "The enum is empty: nothing is valid."
        yield Finding(place, said, scene.fix("Remove the empty enum", edits))
        return
    types = named_types(sub.schema)
    wrong = [i for i, value in enumerate(listed[:MAX_OPTIONS]) if not _fits(value, types)]
    if wrong:
        shown = listing(dumps(listed[i]) for i in wrong)
        verb, them = ("is", "it") if len(wrong) == 1 else ("are", "them")
        said = f"{shown} {verb} not of the type {_said(types)}, so the mask never allows {them}."
        yield Finding(step(place, wrong[0]), said, _mended(scene, place, listed, wrong, types))
    twice = _doubles(listed[:MAX_OPTIONS])
    if twice:
        gone = [step(place, i) for i in twice]
        edits = scene.json.remove(place, gone) if scene.json is not None else []
        shown = listing(dict.fromkeys(dumps(listed[i]) for i in twice))
        said = f"{shown} stand{'s' if len(twice) == 1 else ''} in the enum more than once."
        fix = scene.fix("Keep each option once", edits, keeps=True)
        yield Finding(step(place, twice[0]), said, fix, "warning")
    if "null" in types and len(types) > 1 and None not in listed:
        said = "The type allows null, and no option is null: null can't be written."
        edits = [scene.json.insert(place, "null")] if scene.json is not None else []
        yield Finding(place, said, scene.fix("Add null to the options", edits), "warning")


def _said(types: set[str]) -> str:
    return " or ".join(sorted(types))


def _doubles(listed: list[Any]) -> list[int]:
    seen: set[tuple[type, str]] = set()
    out = []
    for index, value in enumerate(listed):
        number = type(value) in (int, float)
        text = repr(float(value)) if number and abs(value) < 2**53 else _sorted(value)
        key = (float if number else type(value), text)
        if key in seen:
            out.append(index)
        seen.add(key)
    return out


def _sorted(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _mended(
    scene: Scene, place: str, listed: list[Any], wrong: list[int], types: set[str]
) -> Fix | None:
    """The wrong options in the right type, or left out where they have no such form."""
    if scene.json is None:
        return None
    edits: list[Edit] = []
    out = set(wrong)
    right = {_plain(value) for i, value in enumerate(listed) if i not in out}
    gone = []
    for index in wrong:
        changed = cast(listed[index], types)
        if changed is None or _plain(changed) in right:
            gone.append(step(place, index))
        else:
            right.add(_plain(changed))
            edits.append(scene.json.replace(step(place, index), changed))
    if not right:
        return _retyped(scene, place, listed)
    edits += scene.json.remove(place, gone) if gone else []
    title = "Write them in the right type" if not gone else "Mend or remove them"
    return scene.fix(title, edits, keeps=len(gone) == len(wrong))


def _retyped(scene: Scene, place: str, listed: list[Any]) -> Fix | None:
    """The type that all the options have, where none has the one that is asked for."""
    type_place = f"{place.rpartition('/')[0]}/type"
    same = [name for name in NAMES if all(is_type(value, name) for value in listed)]
    if scene.json is None or not same or type_place not in scene.json.spans:
        return None
    edit = scene.json.replace(type_place, same[0])
    return scene.fix(f'Set the type to "{same[0]}"', [edit])


def _plain(value: Any) -> tuple[type, str]:
    return type(value), _sorted(value)


def cast(value: Any, types: set[str]) -> Any:
    """The value in one of the types where it has an obvious form there; None where not."""
    if types & _NUMBERS and isinstance(value, str):
        digits = value.strip()
        if digits.lstrip("-").isascii() and digits.lstrip("-").isdigit() and len(digits) < 16:
            return int(digits)
    if "boolean" in types and isinstance(value, str) and value.lower() in ("true", "false"):
        return value.lower() == "true"
    if "string" in types and isinstance(value, bool | int | float):
        return dumps(value)
    return None


def _cast_const(scene: Scene, sub: Sub, place: str) -> Fix | None:
    changed = cast(sub.schema["const"], named_types(sub.schema))
    if changed is None or scene.json is None:
        return None
    return scene.fix("Write it in the right type", [scene.json.replace(place, changed)])


def _examples(scene: Scene) -> Iterator[Finding]:
    for sub in scene.subs:
        examples = sub.schema.get("examples")
        shown = [
            (step(step(sub.pointer, "examples"), i), value)
            for i, value in enumerate(examples[:20] if isinstance(examples, list) else [])
        ]
        if "default" in sub.schema:
            shown.append((step(sub.pointer, "default"), sub.schema["default"]))
        for place, value in shown:
            broken = breach(sub.schema, value)
            if broken:
                keyword = "default" if place.endswith("/default") else "example"
                yield Finding(place, f"The {keyword} {dumps(value)[:60]} is {broken}.")
                break


def breach(schema: dict[str, Any], value: Any) -> str:
    """How a value breaks the plainest keywords of its schema; empty where it doesn't."""
    types = named_types(schema)
    if not _fits(value, types):
        return f"not of the type {_said(types)}"
    listed = [schema["const"]] if "const" in schema else schema.get("enum")
    if isinstance(listed, list) and len(listed) <= MAX_OPTIONS and not _among(value, listed):
        return "none of the options"
    if isinstance(value, bool | dict | None):
        return ""
    size: float = len(value) if isinstance(value, str | list) else value
    low, high = "minimum", "maximum"
    if isinstance(value, str | list):
        low, high = (
            ("minLength", "maxLength") if isinstance(value, str) else ("minItems", "maxItems")
        )
    if type(schema.get(low)) in (int, float) and size < schema[low]:
        return f"below `{low}` {schema[low]}"
    if type(schema.get(high)) in (int, float) and size > schema[high]:
        return f"above `{high}` {schema[high]}"
    return ""


def _among(value: Any, listed: list[Any]) -> bool:
    return any(
        value == each and isinstance(value, bool) == isinstance(each, bool) for each in listed
    )


BAD_ENUM = Rule(
    "L017",
    "bad-enum",
    "error",
    "A value must meet every keyword at once: an option of another type than `type` is never "
    "allowed, and an option that stands twice counts once.",
    _find,
)
BAD_EXAMPLE = Rule(
    "L018",
    "bad-example",
    "warning",
    "A model that reads the schema in its prompt takes examples as instructions, and this one asks "
    "for what the mask forbids.",
    _examples,
)
