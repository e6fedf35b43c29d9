"""What the compiler and the metaschema already said, among the other findings."""

from collections.abc import Iterator
from typing import Any

from playground.constraints.jsonschema.source import step
from playground.constraints.notes import Note, gathered
from playground.schema.json_text import Edit
from playground.schema.lint.rule import Finding, Fix, Rule, counted
from playground.schema.lint.scene import Scene, Sub

_BREACH = "the schema is not valid itself"
MAX_ROWS = 20


def _not_enforced(scene: Scene) -> Iterator[Finding]:
    groups: dict[tuple[str, str], list[Note]] = {}
    for note in scene.notes:
        if note.level in ("not-enforced", "partly"):
            groups.setdefault((note.level, note.keyword), []).append(note)
    for (level, _), notes in list(groups.items())[:MAX_ROWS]:
        several = gathered(notes, scene.json.places if scene.json is not None else None)
        first = several[0]
        more = sum(note.message != notes[0].message for note in notes)
        also = f" The same holds in {counted(more, 'further place')}." if more else ""
        yield Finding(
            first.pointer, first.message + also, level="info" if level == "partly" else None
        )


def _broken(scene: Scene) -> Iterator[Finding]:
    for sub in scene.subs:
        yield from _required_flags(scene, sub)
        yield from _boolean_bounds(scene, sub)
    for note in scene.notes:
        if note.level == "warning" and _BREACH in note.message:
            yield Finding(note.pointer, note.message)


def _required_flags(scene: Scene, sub: Sub) -> Iterator[Finding]:
    """`required: true` at a property, as the third draft had it."""
    properties = sub.schema.get("properties")
    if not isinstance(properties, dict):
        return
    flagged = [
        name
        for name, inner in properties.items()
        if isinstance(inner, dict) and isinstance(inner.get("required"), bool)
    ]
    if flagged:
        container = step(sub.pointer, "properties")
        yield Finding(
            step(step(container, flagged[0]), "required"),
            "`required` takes a list of names and stands in the object, not `true` at a property: "
            "nothing is required by it.",
            _listed(scene, sub, flagged),
        )


def _listed(scene: Scene, sub: Sub, flagged: list[str]) -> Fix | None:
    text = scene.json
    known = sub.schema.get("required", [])
    if text is None or not isinstance(known, list):
        return None
    edits: list[Edit] = []
    names: list[Any] = list(known)
    for name in flagged:
        place = step(step(sub.pointer, "properties"), name)
        edits += text.remove(place, [step(place, "required")])
        if sub.schema["properties"][name]["required"] and name not in names:
            names.append(name)
    if "required" in sub.schema:
        edits.append(text.replace(step(sub.pointer, "required"), names))
    elif names:
        edits.append(text.insert(sub.pointer, text.member("required", names)))
    return scene.fix("List the required names in the object", edits)


def _boolean_bounds(scene: Scene, sub: Sub) -> Iterator[Finding]:
    """`exclusiveMinimum: true`, as the fourth draft had it."""
    declared = scene.root.get("$schema", "") if isinstance(scene.root, dict) else ""
    if "draft-03" in str(declared) or "draft-04" in str(declared):
        return
    for keyword, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        flag = sub.schema.get(keyword)
        if not isinstance(flag, bool):
            continue
        place = step(sub.pointer, keyword)
        edits: list[Edit] = []
        if scene.json is not None and flag and type(sub.schema.get(bound)) in (int, float):
            edits = scene.json.remove(sub.pointer, [step(sub.pointer, bound)])
            edits.append(scene.json.replace(place, sub.schema[bound]))
        elif scene.json is not None and not flag:
            edits = scene.json.remove(sub.pointer, [place])
        yield Finding(
            place,
            f"`{keyword}` takes a number since draft 6; `{str(flag).lower()}` is of draft 4.",
            scene.fix(f"Write the bound into `{keyword}`", edits) if edits else None,
        )


NOT_ENFORCED = Rule(
    "L025",
    "not-enforced",
    "warning",
    "The mask lets texts through that this keyword forbids: check answers by a validator as well.",
    _not_enforced,
)
BROKEN_SCHEMA = Rule(
    "L027",
    "broken-schema",
    "error",
    "Validators may refuse the whole schema or ignore the part, and each does it in its own way.",
    _broken,
)
