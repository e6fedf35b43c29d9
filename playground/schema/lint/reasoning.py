"""Room to think before the answer: a field for it, and before what it should bear on."""

from collections.abc import Iterator

from playground.constraints.jsonschema.source import step
from playground.schema.lint.names import alike, asks, is_fact, is_judgement, is_reasoning
from playground.schema.lint.rule import Finding, Fix, Rule, listing
from playground.schema.lint.scene import Record, Scene

FIELD = "reasoning"
_FIELD = {
    "type": "string",
    "description": "Work out the fields below here, step by step, before you fill them in.",
    "maxLength": 600,
}


def answers(scene: Scene, record: Record) -> list[str]:
    """The fields whose value has to be judged: named so, or a choice among options."""
    return [name for name in record.names if _is_answer(scene, name, record[name])]


def _is_answer(scene: Scene, name: str, schema: object) -> bool:
    if is_reasoning(name):
        return False
    options = 0
    for each in scene.views(schema):
        if "const" in each:
            return False
        listed = each.get("enum")
        options = max(options, len(listed) if isinstance(listed, list) else 0)
    return is_judgement(name) or asks(name) or (options > 1 and not is_fact(name))


def _reasons(scene: Scene, record: Record) -> list[str]:
    return [
        name
        for name in record.names
        if is_reasoning(name) and not scene.types(record[name]) & {"boolean", "integer", "number"}
    ]


def _tops(scene: Scene) -> Iterator[Record]:
    """The outermost records: the answer itself, or the items of a list that is the answer."""
    if scene.records:
        first = scene.records[0]
        outer = [r for r in scene.records if r.sub.pointer.count("/properties") == 0]
        yield from [r for r in outer if "$defs" not in r.sub.pointer.split("/")] or [first]


def _missing(scene: Scene) -> Iterator[Finding]:
    if any(_reasons(scene, record) for record in scene.records):
        return
    for record in list(_tops(scene))[:1]:
        judged = answers(scene, record)
        if judged:
            them = "it" if len(judged) == 1 else "them"
            what = (
                f"The model has to decide {listing(judged)}, and no field before {them} gives it "
                "room to think first."
            )
        else:
            groups = _look_alikes(scene, record)
            if not groups:
                continue
            judged = groups[0]
            what = (
                f"{', and '.join(map(listing, groups[:3]))} are easily taken for one another, and "
                "no field before them gives the model room to think which is which."
            )
        yield Finding(record.pointer(judged[0]), what, _add(scene, record))


def _look_alikes(scene: Scene, record: Record) -> list[list[str]]:
    """Required texts or numbers whose names differ in a word: two dates, two parties."""
    facts = [
        name
        for name in record.names
        if name in record.required
        and not is_reasoning(name)
        and scene.types(record[name]) & {"string", "number", "integer"}
    ]
    return alike(facts)


_CLOSING = frozenset(
    {"$ref", "allOf", "anyOf", "const", "enum", "else", "if", "maxProperties", "not", "oneOf"}
    | {"patternProperties", "propertyNames", "then"}
)
"""Beside one of these there may be no room for one more key."""


def _add(scene: Scene, record: Record) -> Fix | None:
    if scene.json is None or FIELD in record.names or _CLOSING & record.sub.schema.keys():
        return None
    pointer, member = record.sub.pointer, scene.json.member(FIELD, _FIELD)
    edits = [scene.json.insert(step(pointer, "properties"), member, first=True)]
    if isinstance(record.sub.schema.get("required"), list):
        edits.append(scene.json.insert(step(pointer, "required"), f'"{FIELD}"', first=True))
    elif "required" not in record.sub.schema:
        edits.append(scene.json.insert(pointer, scene.json.member("required", [FIELD])))
    return scene.fix(f"Add a required field `{FIELD}` as the first one", edits)


def _last(scene: Scene) -> Iterator[Finding]:
    for record in scene.records:
        reasons = _reasons(scene, record)
        judged = answers(scene, record)
        if not judged:
            judged = [n for group in _look_alikes(scene, record) for n in group]
        if not reasons or not judged:
            continue
        at = record.names.index(reasons[0])
        before = [name for name in judged if record.names.index(name) < at]
        if not before:
            continue
        yield Finding(
            record.pointer(reasons[0]),
            f"`{reasons[0]}` comes after {listing(before)}: the model has to answer before it writes "
            "its reasons.",
            _move(scene, record, reasons[0]),
            demo=_demo(scene),
        )


def _move(scene: Scene, record: Record, name: str) -> Fix | None:
    if scene.json is None:
        return None
    container = step(record.sub.pointer, "properties")
    order = [record.pointer(each) for each in record.names]
    order.insert(0, order.pop(record.names.index(name)))
    # Key order is no part of JSON Schema: every instance stays valid, its keys in another order.
    edits = scene.json.reorder(container, order)
    return scene.fix(f"Move `{name}` to the front", edits, keeps=True)


def _demo(scene: Scene) -> dict[str, object] | None:
    if scene.json is None or not scene.json.editable:
        return None
    return {
        "title": "See in Step that the answer is taken before its reasons",
        "constraint": scene.spec.model_dump(),
        "prompt": "Answer as JSON: is 3599 a prime number?",
    }


_WHY = (
    "A model writes from left to right: only what stands before the answer can bear on it. That "
    "reasons help is reported for tasks of several steps and debated for others; on yours, compare "
    "both orders."
)
NO_REASONING = Rule("L001", "no-reasoning", "warning", _WHY, _missing, advice=True)
REASONING_LAST = Rule("L002", "reasoning-last", "warning", _WHY, _last, advice=True)
