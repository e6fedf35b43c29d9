"""Texts, lists and blanks without an end: a model may go on until its budget is spent."""

import math
import re
from collections.abc import Iterator
from typing import Any

from playground.constraints.jsonschema.source import keys
from playground.constraints.regex_syntax import Node, parse
from playground.errors import InvalidInput
from playground.schema.lint.names import is_reasoning
from playground.schema.lint.regexes import BLANKS, nodes, regex_of, where
from playground.schema.lint.rule import Finding, Fix, Rule, friendly, listing
from playground.schema.lint.scene import Scene, Sub, named_types

MOST_CHARACTERS = 200
MOST_OF_REASONING = 1_000
MOST_ITEMS = 20
MOST_BLANKS = 8
_BLANK_CLASS = re.compile(r"(\[(?: |\\[tnrs])+\])([*+])")
_BLANK_RULE = re.compile(r"^[ \t]*(([\w-]+)[ \t]*::=[^\n]*\[(?: |\\[tnr])+\] ?\2\b)", re.MULTILINE)
_IGNORED = re.compile(r"^[ \t]*(%ignore[ \t]+(?:WS|WS_INLINE|/\\s[*+]?/|\" \"))", re.MULTILINE)
_SETTLED = frozenset({"$ref", "const", "enum", "format", "maxLength", "not", "allOf"})


def _whitespace(scene: Scene) -> Iterator[Finding]:
    if scene.spec.kind in ("schema", "pydantic", "tool") and scene.spec.whitespace == "flexible":
        yield Finding(
            "",
            "Whitespace is set to flexible: up to eight blanks or newlines between any two parts "
            "of the JSON, which the model may fill. Set it to one, or to none.",
            level="info",
        )
    if scene.spec.kind == "grammar":
        yield from _grammar_blanks(scene.spec.source)
    parsed = regex_of(scene)
    if parsed is None:
        return
    text = scene.spec.source
    for node in nodes(parsed.root):
        if _endless(text, node) and text[node.children[0].start : node.children[0].end] in BLANKS:
            low = "1" if "+" in text[node.children[0].end : node.end] else "0"
            start, end = node.children[0].end, node.end
            source = f"{text[:start]}{{{low},{MOST_BLANKS}}}{text[end:]}"
            yield Finding(
                "",
                f"`{text[node.start : node.end]}` accepts any number of blanks.",
                Fix(f"At most {MOST_BLANKS} blanks", source),
                place=where(text, node.start),
            )
            return


def _grammar_blanks(text: str) -> Iterator[Finding]:
    """`[ \\t\\n]*`, a rule that repeats itself after a blank, or Lark's ignored blanks."""
    endless = _BLANK_CLASS.search(text)
    if endless:
        low = "1" if endless.group(2) == "+" else "0"
        capped = f"{text[: endless.start(2)]}{{{low},{MOST_BLANKS}}}{text[endless.end(2) :]}"
        fix = Fix(f"At most {MOST_BLANKS} blanks", capped) if "::=" in text else None
        said = f"`{endless.group().strip()}` accepts any number of blanks."
        yield Finding("", said, fix, place=where(text, endless.start(1)))
        return
    other = _BLANK_RULE.search(text) or _IGNORED.search(text)
    if other:
        said = f"`{other.group().strip()[:60]}` accepts any number of blanks."
        yield Finding("", said, place=where(text, other.start(1)))


def _endless(text: str, node: Node) -> bool:
    if node.kind != "repeat":
        return False
    count = text[node.children[0].end : node.end].rstrip("?")
    return count in ("*", "+") or count.replace(" ", "").endswith(",}")


def _strings(scene: Scene) -> Iterator[Finding]:
    parsed = regex_of(scene)
    if parsed is not None:
        text = scene.spec.source
        for node in nodes(parsed.root):
            inner = text[node.children[0].start : node.children[0].end] if node.children else ""
            if _endless(text, node) and inner not in BLANKS:
                yield Finding(
                    "",
                    f"`{text[node.start : node.end][:60]}` has no end: the text may be of any "
                    "length.",
                    place=where(text, node.start),
                )
                return
        return
    found = [sub for sub in scene.subs if _is_text_without_end(sub.schema)]
    if not found:
        return
    edits = [
        scene.json.insert(sub.pointer, scene.json.member("maxLength", _cap(sub)))
        for sub in found
        if scene.json is not None and "{" not in str(sub.schema.get("pattern", ""))
    ]
    names = listing(dict.fromkeys(friendly(sub.pointer) for sub in found))
    yield Finding(
        found[0].pointer,
        f"{names}: no `maxLength`, so the text may be of any length.",
        scene.fix(f"Cap at {MOST_CHARACTERS} characters", edits),
    )


def _is_text_without_end(schema: dict[str, Any]) -> bool:
    if "string" not in named_types(schema) or _SETTLED & schema.keys():
        return False
    pattern = schema.get("pattern")
    if not isinstance(pattern, str):
        return True
    if len(pattern) > 2_000:
        return False
    try:
        found = list(nodes(parse(pattern).root))
    except InvalidInput:
        return False
    anchored = pattern.startswith("^") and pattern.endswith("$")
    return not anchored or any(_endless(pattern, node) for node in found)


def _cap(sub: Sub) -> int:
    """Room for the shortest text: without counts a pattern's is no longer than the pattern."""
    most = MOST_OF_REASONING if is_reasoning(_name(sub.pointer)) else MOST_CHARACTERS
    return max(most, _least(sub, "minLength"), len(str(sub.schema.get("pattern", ""))))


def _least(sub: Sub, keyword: str) -> int:
    """The lower bound that a keyword gives; 0 without one."""
    value = sub.schema.get(keyword)
    return math.ceil(value) if isinstance(value, int | float) else 0


def _name(pointer: str) -> str:
    """What a visitor calls the place: its last key."""
    return (keys(pointer) or [""])[-1] or "the root"


def _arrays(scene: Scene) -> Iterator[Finding]:
    found = [sub for sub in scene.subs if _is_list_without_end(sub.schema)]
    if not found:
        return
    edits = []
    for sub in found:
        most = max(MOST_ITEMS, _least(sub, "minItems"), _least(sub, "minContains"))
        if scene.json is not None:
            edits.append(scene.json.insert(sub.pointer, scene.json.member("maxItems", most)))
    names = listing(dict.fromkeys(friendly(sub.pointer) for sub in found))
    yield Finding(
        found[0].pointer,
        f"{names}: no `maxItems`, so the list may go on without end.",
        scene.fix(f"Cap at {MOST_ITEMS} items", edits),
    )


def _is_list_without_end(schema: dict[str, Any]) -> bool:
    if "array" not in named_types(schema):
        return False
    if {"$ref", "allOf", "const", "enum", "maxItems"} & schema.keys():
        return False
    if schema.get("items") is False:
        return False
    return not (isinstance(schema.get("items"), list) and schema.get("additionalItems") is False)


_WHY = (
    "Nothing but the model's own choice ends it, and a small model may repeat itself until the "
    "token budget is spent; the answer is then cut off and no JSON."
)
WHITESPACE = Rule("L010", "unbounded-whitespace", "warning", _WHY, _whitespace, advice=True)
STRING = Rule("L011", "unbounded-string", "info", _WHY, _strings)
ARRAY = Rule("L012", "unbounded-array", "info", _WHY, _arrays)
