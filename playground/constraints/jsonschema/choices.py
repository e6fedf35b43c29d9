"""The keywords that offer alternatives, read off one schema."""

from collections.abc import Hashable, Sequence

from playground.constraints.jsonschema.facts import Choice
from playground.constraints.jsonschema.refs import Sub
from playground.constraints.jsonschema.source import step


def choices(sub: Sub) -> list[Choice]:
    """The choices of one schema; made-up schemas stand in for a property that is absent."""
    out: list[Choice] = []
    schema = sub.schema

    def offer(keyword: str, options: Sequence[tuple[Sub, ...]], part: Hashable = None) -> None:
        key = (id(schema), sub.scopes, keyword, part)
        pointer = step(sub.pointer, keyword)
        out.append(Choice(keyword, pointer, key, sub, tuple(options)))

    for keyword in ("anyOf", "oneOf"):
        listed = schema.get(keyword)
        if isinstance(listed, list) and listed:
            inner = [sub.inner(each, keyword, i, in_place=True) for i, each in enumerate(listed)]
            offer(keyword, [(each,) for each in inner])
    if "not" in schema:
        offer("not", [])
    if "if" in schema and ("then" in schema or "else" in schema):
        offer("if", [])
    for keyword in ("dependentRequired", "dependentSchemas", "dependencies"):
        found = schema.get(keyword)
        for name, asked in found.items() if isinstance(found, dict) else ():
            absent = sub.invented({"properties": {name: False}})
            if isinstance(asked, list):
                offer(keyword, [(absent,), (sub.invented({"required": [name, *asked]}),)], name)
            else:
                present = sub.invented({"required": [name]})
                then = sub.inner(asked, keyword, name, in_place=True)
                offer(keyword, [(absent,), (present, then)], name)
    return out
