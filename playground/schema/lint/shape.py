"""What a schema looks like to the model that fills it in: described fields, and a shallow tree."""

from collections.abc import Iterator
from typing import Any

from playground.constraints.jsonschema.keywords import children
from playground.schema.lint.rule import Finding, Rule, counted, listing
from playground.schema.lint.scene import MAX_HOPS, Scene

MAX_LEVELS = 3
"""Objects inside objects, the root counted."""
MAX_WALK = 4_000


def _undescribed(scene: Scene) -> Iterator[Finding]:
    bare, total, first = [], 0, ""
    for record in scene.records:
        for name in record.names:
            total += 1
            if scene.text_of(record[name]).strip() or _says_itself(record[name]):
                continue
            first = first or record.pointer(name)
            bare.append(name)
    if bare:
        verb = "has" if len(bare) == 1 else "have"
        yield Finding(
            first,
            f"{listing(dict.fromkeys(bare))} {verb} no description "
            f"({len(bare):,} of {counted(total, 'field')}).",
        )


def _says_itself(schema: Any) -> bool:
    return isinstance(schema, bool) or (isinstance(schema, dict) and "const" in schema)


def _deep(scene: Scene) -> Iterator[Finding]:
    deepest, place = 0, ""
    todo: list[tuple[Any, str, int, tuple[int, ...]]] = [(scene.root, "", 0, ())]
    walked = 0
    while todo and walked < MAX_WALK:
        schema, pointer, level, above = todo.pop()
        walked += 1
        schema = scene.target(schema)
        if not isinstance(schema, dict) or id(schema) in above or len(above) > 40 * MAX_HOPS:
            continue
        if "properties" in schema:
            level += 1
            if level > deepest:
                deepest, place = level, pointer
        for inner, inside in children(schema, pointer):
            if "/$defs/" not in inside[len(pointer) :] and "/definitions/" not in inside:
                todo.append((inner, inside, level, (*above, id(schema))))
    if deepest > MAX_LEVELS:
        where = place if scene.json is not None and place in scene.json.places else ""
        yield Finding(
            where,
            f"Objects are nested {deepest} levels deep; {MAX_LEVELS} are easy to fill in.",
        )


NO_DESCRIPTION = Rule(
    "L004",
    "no-description",
    "info",
    "The mask doesn't read descriptions, but where the schema is also put in the prompt, each is an "
    "instruction for its field. A convention: what it brings depends on the model.",
    _undescribed,
)
DEEP_NESTING = Rule(
    "L006",
    "deep-nesting",
    "info",
    "Every level costs braces and keys, and the model must keep track of what is open. That three "
    "levels are enough is a convention, no measured border.",
    _deep,
)
