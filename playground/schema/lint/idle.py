"""Keywords that stand where they do nothing, or less than they seem to."""

from collections.abc import Iterator
from typing import Any

from playground.constraints.jsonschema.keywords import ANNOTATIONS
from playground.constraints.jsonschema.partners import lacks
from playground.constraints.jsonschema.source import step
from playground.schema.lint.rule import Finding, Rule, listing
from playground.schema.lint.scene import Scene, named_types
from playground.schema.lint.spelling import NAMES

_OLD = ("draft-03", "draft-04", "draft-06", "draft-07")
_FOR = {
    "string": "contentEncoding contentMediaType contentSchema format maxLength minLength pattern",
    "number": "exclusiveMaximum exclusiveMinimum maximum minimum multipleOf",
    "array": "additionalItems contains items maxContains maxItems minContains minItems prefixItems "
    "unevaluatedItems uniqueItems",
    "object": "additionalProperties dependencies dependentRequired dependentSchemas maxProperties "
    "minProperties patternProperties properties propertyNames required unevaluatedProperties",
}
_TYPE_OF = {keyword: kind for kind, words in _FOR.items() for keyword in words.split()}
MAX_ROWS = 10
_WIDTHS = frozenset({"double", "float", "int32", "int64"})


def _siblings(scene: Scene) -> Iterator[Finding]:
    declared = scene.root.get("$schema") if isinstance(scene.root, dict) else None
    if not isinstance(declared, str) or not any(old in declared for old in _OLD):
        return
    found = [
        (sub, beside)
        for sub in scene.subs
        if isinstance(sub.schema.get("$ref"), str)
        and (beside := [k for k in sub.schema if k not in ANNOTATIONS and k not in _KEPT])
    ]
    if not found:
        return
    edits = []
    for sub, _ in found:
        if scene.json is not None and "allOf" not in sub.schema:
            place = step(sub.pointer, "$ref")
            wrapped = f'[{{"$ref": {scene.json.source(place)}}}]'
            edits += [scene.json.rename(place, "allOf"), scene.json.replace_text(place, wrapped)]
    sub, beside = found[0]
    yield Finding(
        step(sub.pointer, beside[0]),
        f"{listing(beside)} beside `$ref`: in the dialect that `$schema` names, `$ref` hides all "
        "keywords beside it.",
        scene.fix("Put the `$ref` into an `allOf`", edits),
    )


_KEPT = frozenset({"$defs", "$ref", "definitions"})


def _idle(scene: Scene) -> Iterator[Finding]:
    rows = 0
    for sub in scene.subs:
        gone = [(k, why) for k in sub.schema if (why := _why_idle(sub.schema, k))]
        if not gone:
            continue
        if (rows := rows + 1) > MAX_ROWS:
            return
        places = [step(sub.pointer, keyword) for keyword, _ in gone]
        names = [keyword for keyword, _ in gone]
        verb = "has" if len(gone) == 1 else "have"
        reasons = "; ".join(dict.fromkeys(why for _, why in gone))
        said = f"{listing(names)} {verb} no effect: {reasons}."
        if names == ["additionalItems"] and "items" not in sub.schema:
            edits = [scene.json.rename(places[0], "items")] if scene.json is not None else []
            fix = scene.fix("Rename it to `items`", edits)
            yield Finding(places[0], f"{said} Did you mean `items`?", fix)
            continue
        edits = scene.json.remove(sub.pointer, places) if scene.json is not None else []
        fix = scene.fix(f"Remove {listing(names)}", edits, keeps=True)
        yield Finding(places[0], said, fix)


def _why_idle(schema: dict[str, Any], keyword: str) -> str:
    if lacking := lacks(keyword, schema):
        return f"there is no {lacking.removeprefix('a ')} beside it"
    kind, types = _TYPE_OF.get(keyword), named_types(schema)
    if kind is None or not types or not types <= set(NAMES) or "$ref" in schema:
        return ""
    if keyword == "format" and str(schema["format"]) in _WIDTHS and types & {"integer", "number"}:
        return "no validator checks the width of a number"
    fitting = {"number", "integer"} if kind == "number" else {kind}
    if types & fitting or keyword.startswith(("unevaluated", "content")):
        return ""
    return f"it judges {kind}s, and the type is {' or '.join(sorted(types))}"


def _loose(scene: Scene) -> Iterator[Finding]:
    found = [
        sub
        for sub in scene.subs
        if isinstance(sub.schema.get("pattern"), str) and _is_loose(sub.schema["pattern"])
    ]
    if not found:
        return
    edits = []
    for sub in found:
        place, pattern = step(sub.pointer, "pattern"), sub.schema["pattern"]
        body = f"(?:{pattern})" if "|" in pattern else pattern
        whole = f"^{body}$"
        if scene.json is not None:
            edits.append(scene.json.replace(place, whole))
    more = f" ({len(found)} such patterns)" if len(found) > 1 else ""
    yield Finding(
        step(found[0].pointer, "pattern"),
        f"The pattern `{found[0].schema['pattern'][:60]}` has no `^` and `$`: it may be found "
        f"anywhere in a longer text{more}.",
        scene.fix("Put it between `^` and `$`", edits),
    )


def _is_loose(pattern: str) -> bool:
    """No anchor at either end, and not made to be searched for."""
    return not any(sign in pattern for sign in ("^", "$", r"\A", r"\Z", r"\z", ".*", r"\b"))


REF_SIBLINGS = Rule(
    "L023",
    "ref-siblings",
    "warning",
    "Up to draft 7 a `$ref` replaces its whole schema; from 2019-09 on the keywords beside it count "
    "too. The mask and the validator follow `$schema`.",
    _siblings,
)
NO_EFFECT = Rule(
    "L024",
    "no-effect",
    "warning",
    "A keyword judges values of its own type only. Here none can come, so it constrains nothing and "
    "may hide a mistake.",
    _idle,
)
LOOSE_PATTERN = Rule(
    "L031",
    "loose-pattern",
    "info",
    "`pattern` in JSON Schema asks that a match be found somewhere in the text, not that the whole "
    "text match.",
    _loose,
)
