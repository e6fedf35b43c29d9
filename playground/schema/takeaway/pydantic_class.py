"""The constraint as a Pydantic class, read back from its source and compared, mask with mask."""

import json

from playground.constraints.byte_automaton import ByteAutomaton
from playground.constraints.bytes_vocabulary import BYTES
from playground.constraints.compile import compile_constraint
from playground.constraints.pydantic_source import to_schema
from playground.constraints.sources import choices
from playground.constraints.spec import ConstraintSpec
from playground.errors import Cancelled, PlaygroundError
from playground.schema.difference import difference
from playground.schema.takeaway.material import CantBe, Material, Taken, shown
from playground.schema.takeaway.pydantic_source import to_source
from playground.schema.takeaway.pydantic_types import Unable
from playground.schema.takeaway.python_names import constant

MOST_NAMED = 8
"""So many losses are named."""
STRICT = (
    'Read an answer with model_validate_json(text, strict=True): else Pydantic also takes "1" for '
    "1 and for true. Even so 1.0 is no int to it."
)


def pydantic_class(material: Material) -> Taken:
    """The source of the classes.

    Raises:
        CantBe: a class can't say it.
    """
    spec = material.spec
    if spec.kind == "pydantic":
        to_schema(spec.source)
        return Taken(spec.source, "python", "It is the constraint itself, read from its syntax.")
    if spec.kind == "choices":
        text = (
            "from pydantic import BaseModel\nfrom typing import Literal\n\n\n"
            "class Answer(BaseModel):\n"
            f"    value: Literal[{', '.join(map(constant, choices(spec.source)))}]\n"
        )
        listed = to_schema(text)["properties"]["value"]
        kept = listed.get("enum", [listed.get("const")])
        assert kept == list(dict.fromkeys(choices(spec.source))), "the class lists the choices"
        note = "The choice stands in JSON, under `value`; the mask's own texts are bare."
        return Taken(
            text, "python", "Read back from its syntax: it lists the same choices.", [note]
        )
    if not material.json:
        raise CantBe("A Pydantic class describes JSON, and this constraint describes plain text.")
    try:
        source = to_source(material.schema, material.name)
    except Unable as error:
        raise CantBe(str(error)) from None
    notes = []
    for words, named in (
        ("Lost", source.lost),
        ("Narrower", source.narrower),
        ("Nearly the same", source.nearly),
    ):
        if named:
            more = f"; and {len(named) - MOST_NAMED} more" if len(named) > MOST_NAMED else ""
            notes.append(f"{words}: {'; '.join(named[:MOST_NAMED])}{more}.")
    if "default=None" in source.text:
        notes.append("A field that is left out is None, though null is not allowed in its place.")
    if "EmailStr" in source.text:
        notes.append("EmailStr needs the package email-validator.")
    notes.append(STRICT)
    try:
        again = to_schema(source.text)
    except PlaygroundError as error:
        raise CantBe(f"The class that was written is refused: {error.what}") from None
    checked = "Read back from its syntax, never run."
    return Taken(source.text, "python", _compared(material, again, checked, notes), notes)


def _compared(material: Material, again: object, checked: str, notes: list[str]) -> str:
    """How the schema of the class compares with the schema; differences go to `notes`."""
    if material.exact is None:
        return f"{checked} Its mask wasn't compared, as the constraint has no exact one here."
    spec = ConstraintSpec(
        kind="schema",
        source=json.dumps(again, ensure_ascii=False),
        whitespace=material.spec.whitespace,
    )
    try:
        found = compile_constraint(
            spec, BYTES, limits=material.limits, cancelled=material.cancelled
        )
    except Cancelled:
        raise
    except (PlaygroundError, ValueError) as error:
        words = error.what if isinstance(error, PlaygroundError) else "its schema is too long"
        return f"{checked} Its mask wasn't compared: {words}"
    assert isinstance(found.automaton, ByteAutomaton)
    apart = difference(material.exact.dfa, found.automaton.dfa, material.effort.left)
    if apart["equal"]:
        return (
            f"{checked} The mask of its schema is the mask of this schema: {apart['how']}, and "
            "none differs."
        )
    for side, words in (("only_left", "The class forbids"), ("only_right", "The class allows")):
        if apart[side]:
            other = "the mask allows" if side == "only_left" else "the mask forbids"
            notes.append(f"{words} {shown(apart[side]['text'])}, which {other}.")
    if apart["equal"] is None:
        return f"{checked} No difference of the masks was found, but the search was cut."
    return f"{checked} Its mask was compared with this one: they differ as the note says."
