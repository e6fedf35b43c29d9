"""The constraint in the body of a request to vLLM or SGLang, by the field names of their pages.

As stored in 2026: vLLM takes `response_format` for a schema and `structured_outputs` with `json`,
`regex`, `choice` or `grammar` (the older `guided_*` fields are gone since 0.12); SGLang takes
`response_format`, or one of `json_schema`, `regex` and `ebnf` beside the other fields.
"""

import json
from typing import Any

from playground.constraints.sources import choices
from playground.schema.takeaway.grammar import gbnf_of, spoken
from playground.schema.takeaway.material import MODEL, PROMPT, Material, Taken

NO_BLANKS = "The server decides on the blanks between JSON tokens, and on the order of keys."


def vllm(material: Material) -> Taken:
    """The body of a chat completion of vLLM.

    Raises:
        CantBe: there is no grammar where one is needed.
    """
    if material.json:
        return _schema(material, "vLLM")
    if material.spec.kind == "choices":
        listed = choices(material.spec.source)
        return _taken(material, {"structured_outputs": {"choice": listed}}, "", [])
    form, text, asked, notes = _text(material)
    field = {"regex": "regex", "gbnf": "grammar"}[form]
    return _taken(material, {"structured_outputs": {field: text}}, asked, notes)


def sglang(material: Material) -> Taken:
    """The body of a chat completion of SGLang.

    Raises:
        CantBe: there is no grammar where one is needed.
    """
    if material.json:
        return _schema(material, "SGLang")
    form, text, asked, notes = _text(material)
    return _taken(material, {"regex" if form == "regex" else "ebnf": text}, asked, notes)


def _text(material: Material) -> tuple[str, str, str, list[str]]:
    """A constraint that is no schema: as the regex, where xgrammar, the default engine of both
    servers, reads it as the mask does; else as a grammar. With how it was checked, and notes."""
    notes: list[str] = []
    if material.spec.kind in ("regex", "type") and material.regex:
        asked = material.asks("regex", material.regex)
        if asked.agree:
            return "regex", material.regex, spoken(asked, _LEAD, notes), notes
        reason = next((apart[0] for apart in asked.apart.values() if apart), "")
        reason = reason or next(iter(asked.errors.values()), "")
        notes.append(
            "As a regex it would mean something else to xgrammar, the servers' default engine "
            f"({reason}), so it is sent as a grammar."
        )
    text = gbnf_of(material)
    return "gbnf", text, spoken(material.asks("gbnf", text), _LEAD, notes), notes


_LEAD = "Parsed back and equal; the constraint compiled and asked here"


def _schema(material: Material, server: str) -> Taken:
    """The schema as `response_format`, which both take in OpenAI's form."""
    assert material.schema_text is not None
    named = {"name": material.name, "schema": material.schema, "strict": True}
    body = {"response_format": {"type": "json_schema", "json_schema": named}}
    notes = [NO_BLANKS]
    asked = material.asks("schema", json.dumps(material.schema))
    differing = [text for texts in asked.apart.values() for text in texts]
    for error in asked.errors.values():
        notes.append(f"xgrammar, the default engine of {server}, doesn't take it: {error}")
    if differing:
        notes.append(
            f"On {len(differing)} of {asked.count} texts xgrammar, the default engine of {server}, "
            f"differs from the mask: {differing[0]}."
        )
    how = (
        f"xgrammar gave the mask's answer to all of {asked.count} texts."
        if asked.agree
        else "xgrammar compiled the schema."
        if differing
        else ""
    )
    return _taken(material, body, f"Parsed back and equal. {how}".strip(), notes)


def _taken(material: Material, extra: dict[str, Any], checked: str, notes: list[str]) -> Taken:
    body = {"model": MODEL, "messages": [{"role": "user", "content": PROMPT}], **extra}
    text = json.dumps(body, ensure_ascii=False, indent=2)
    assert json.loads(text) == body, "the text of the request spells the request"
    return Taken(text, "json", checked or "Parsed back and equal.", notes)
