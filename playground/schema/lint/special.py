"""Fixed texts that contain a model's control tokens."""

import re
from collections.abc import Iterator
from typing import Any

from playground.constraints.jsonschema.source import step
from playground.schema.lint.regexes import where
from playground.schema.lint.rule import Finding, Rule
from playground.schema.lint.scene import Scene

_USUAL = re.compile(
    r"<\|[^|<>\s]{1,40}\|>|</?s>|<<?/?SYS>>?|\[/?INST\]"
    r"|<(?:bos|eos|pad|unk|mask|start_of_turn|end_of_turn|end_of_text|endoftext)>"
)
"""How families of models write their control tokens."""
_SIGN = re.compile(r"\\(.)|([\[\](){}|*+?.^$])", re.DOTALL)
MAX_TEXTS = 20_000


def _find(scene: Scene) -> Iterator[Finding]:
    shape = _shape(scene)
    if scene.json is None:
        source = scene.spec.source
        if scene.spec.kind in ("regex", "choices", "grammar"):
            found = shape.search(literal(source) if scene.spec.kind == "regex" else source)
            if found:
                at = max(0, source.find(found.group()))
                yield Finding("", _said(found.group()), place=where(source, at))
        return
    for count, (place, text) in enumerate(_texts(scene)):
        if count > MAX_TEXTS:
            return
        found = shape.search(text)
        if found:
            yield Finding(place, _said(found.group()))
            return


def literal(regex: str) -> str:
    """The fixed text in a regex: escaped signs as themselves, signs with a meaning as a gap."""
    return _SIGN.sub(lambda match: "\0" if match.group(2) else match.group(1), regex)


def _said(token: str) -> str:
    return (
        f"The text contains `{token[:60]}`, which is a control token of some models: as plain "
        "text it is spelled with other tokens than those the model knows it by."
    )


def _shape(scene: Scene) -> re.Pattern[str]:
    """The usual control tokens, and those of the vocabulary."""
    if scene.vocabulary is None:
        return _USUAL
    names = [n for n in scene.vocabulary.names.values() if 3 <= len(n) <= 60 and not n.isalnum()]
    own = "|".join(re.escape(name) for name in sorted(set(names), key=len, reverse=True)[:500])
    return re.compile(f"{_USUAL.pattern}|{own}") if own else _USUAL


def _texts(scene: Scene) -> Iterator[tuple[str, str]]:
    for sub in scene.subs:
        for keyword in ("const", "enum", "pattern"):
            if keyword in sub.schema:
                value = sub.schema[keyword]
                if keyword == "pattern" and isinstance(value, str):
                    value = literal(value)
                yield from _strings(step(sub.pointer, keyword), value)
        properties = sub.schema.get("properties")
        if isinstance(properties, dict):
            for name in properties:
                yield step(step(sub.pointer, "properties"), name), name


def _strings(place: str, value: Any) -> Iterator[tuple[str, str]]:
    todo = [(place, value)]
    while todo:
        at, each = todo.pop()
        if isinstance(each, str):
            yield at, each
        elif isinstance(each, list):
            todo.extend((step(at, i), inner) for i, inner in enumerate(each))
        elif isinstance(each, dict):
            todo.extend((step(at, key), inner) for key, inner in each.items())


SPECIAL = Rule(
    "L019",
    "special-token",
    "warning",
    "A mask never allows a control token as text. Where a tokenizer reads the finished answer back, "
    "the same characters may become that token and end the turn.",
    _find,
)
