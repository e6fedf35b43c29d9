"""Parts that nothing satisfies."""

from collections.abc import Iterator
from typing import Any

from playground.constraints.jsonschema.source import step
from playground.errors import EmptyLanguage
from playground.schema.lint.rule import Finding, Rule
from playground.schema.lint.scene import Scene, Sub

_PAIRS = (
    ("minLength", "maxLength", False),
    ("minItems", "maxItems", False),
    ("minProperties", "maxProperties", False),
    ("minContains", "maxContains", False),
    ("minimum", "maximum", False),
    ("exclusiveMinimum", "maximum", True),
    ("minimum", "exclusiveMaximum", True),
    ("exclusiveMinimum", "exclusiveMaximum", True),
)


_LEFT_OUT = "can never be valid"
"""How the lowering says that nothing at all meets a property. Of values left out of a list some
may remain: that is L017's."""
_KINDS = {"Length": "text", "Items": "list", "Properties": "object", "Contains": "list"}


def _find(scene: Scene) -> Iterator[Finding]:
    known = []
    for sub in scene.subs:
        known += [*_crossed(scene, sub), *_forbidden(scene, sub)]
    yield from known
    if isinstance(scene.error, EmptyLanguage):
        line, column = scene.error.line, scene.error.column
        pointer = scene.error.where if scene.error.where.startswith("/") else ""
        place = (line, column) if line is not None and column is not None else None
        if not any(finding.pointer.startswith(pointer) for finding in known):
            yield Finding(pointer, scene.error.what, place=place)
    if scene.json is not None and scene.root is False:
        yield Finding("", "The schema is `false`, which forbids every value.")
    for note in scene.notes:
        if note.level == "warning" and _LEFT_OUT in note.message:
            yield Finding(note.pointer, note.message, level="warning")


def contradicts(scene: Scene, sub: Sub) -> bool:
    """No value of the type that the schema's keywords speak of meets them."""
    return any(True for find in (_crossed, _forbidden) for _ in find(scene, sub))


def _crossed(scene: Scene, sub: Sub) -> Iterator[Finding]:
    """A lower bound above the upper one."""
    for low, high, strict in _PAIRS:
        least: Any = sub.schema.get(low)
        most: Any = sub.schema.get(high)
        if not _is_number(least) or not _is_number(most):
            continue
        if not (least > most or (strict and least == most)):
            continue
        place = step(sub.pointer, low)
        noun = next((kind for end, kind in _KINDS.items() if low.endswith(end)), "number")
        fix = None
        if scene.json is not None and least > most:
            edits = [
                scene.json.replace(place, most),
                scene.json.replace(step(sub.pointer, high), least),
            ]
            fix = scene.fix(f"Swap `{low}` and `{high}`", edits)
        yield Finding(place, f"`{low}` is {least} and `{high}` is {most}: no {noun} fits.", fix)
        return


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _forbidden(scene: Scene, sub: Sub) -> Iterator[Finding]:
    """A required property that nothing may be."""
    required, properties = sub.schema.get("required"), sub.schema.get("properties")
    if not isinstance(required, list) or not isinstance(properties, dict):
        return
    for name in required:
        if isinstance(name, str) and properties.get(name) is False:
            place = step(step(sub.pointer, "properties"), name)
            yield Finding(place, f"`{name}` is required, and its schema `false` forbids any value.")


UNSATISFIABLE = Rule(
    "L015",
    "unsatisfiable",
    "error",
    "No text meets this part, so the mask leaves nothing to write. That is proved, not guessed.",
    _find,
)
