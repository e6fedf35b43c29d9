"""An order of keys that an engine or a reader will not keep."""

import re
from collections.abc import Iterator

from playground.constraints.jsonschema.source import step
from playground.schema.lint.rule import Finding, Fix, Rule, listing
from playground.schema.lint.scene import Record, Scene

_INDEX = re.compile(r"0|[1-9][0-9]{0,9}")


def _find(scene: Scene) -> Iterator[Finding]:
    for record in scene.records:
        numbers = [name for name in record.names if _INDEX.fullmatch(name)]
        if len(numbers) > 1 or (numbers and record.names[0] != numbers[0]):
            yield Finding(
                record.pointer(numbers[0]),
                f"{listing(numbers)} look like numbers: JavaScript puts such keys first and sorts "
                "them, whatever order they were written in.",
            )
            return
    for record in scene.records:
        listed = record.sub.schema.get("required")
        if not isinstance(listed, list) or not all(isinstance(n, str) for n in listed):
            continue
        place = {name: i for i, name in enumerate(record.names)}
        known = [name for name in listed if name in place]
        if known == sorted(known, key=place.__getitem__):
            continue
        yield Finding(
            step(record.sub.pointer, "required"),
            "`required` lists the names in another order than `properties`. Keys are written in "
            "the order of `properties` here; `required` orders nothing.",
            _sorted(scene, record, listed),
        )
        return


def _sorted(scene: Scene, record: Record, listed: list[str]) -> Fix | None:
    if scene.json is None or len(set(listed)) != len(listed):
        return None
    place = {name: i for i, name in enumerate(record.names)}
    order = sorted(range(len(listed)), key=lambda i: (place.get(listed[i], len(place)), i))
    container = step(record.sub.pointer, "required")
    edits = scene.json.reorder(container, [step(container, i) for i in order])
    return scene.fix("List them in the order of `properties`", edits, keeps=True)


KEY_ORDER = Rule(
    "L022",
    "key-order",
    "info",
    "What is written first bears on what follows, so the order of keys is part of the prompt. JSON "
    "Schema knows no order; engines take it from `properties`, some from elsewhere.",
    _find,
)
