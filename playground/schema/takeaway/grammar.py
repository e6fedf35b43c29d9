"""The constraint as a llama.cpp grammar, written from the regex that the mask was built from."""

import re

from playground.errors import Cancelled, PlaygroundError
from playground.schema.takeaway.material import Asked, CantBe, Material, Taken

_LEXEMES = ", which cuts a text into lexemes before it reads the rules,"
MOST_REPEATS = 2_000
"""llama.cpp refuses a grammar whose repetitions, written out, come to so many rules."""
_COUNTS = re.compile(r"\{(\d+)(?:,(\d*))?\}")
_QUOTED = re.compile(
    r'#[^\n]*|"(?:[^"\\]|\\.)*(?:"|\\?\Z)|\[(?:[^\]\\]|\\.)*(?:\]|\\?\Z)', re.DOTALL
)
"""Comments, texts and classes; one without an end goes to the end, so that no search starts over."""


def gbnf_of(material: Material) -> str:
    """The grammar alone.

    Raises:
        CantBe: there is none, or it would be too large.
    """
    if material.spec.kind == "grammar":
        if "::=" in material.spec.source:
            return material.spec.source
        return _translated(material)
    if not material.regex:
        raise CantBe(
            "The constraint has no finite automaton here, so no grammar is written from it."
        )
    written = ("written", material.regex)
    if written not in material.memo:
        try:
            found = material.child(what="gbnf", regex=material.regex, json=material.json)
        except Cancelled:
            raise
        except PlaygroundError as error:
            raise CantBe(f"The grammar couldn't be written: {error.what}") from None
        material.memo[written] = found["grammar"]
    return str(material.memo[written])


def _translated(material: Material) -> str:
    """A Lark grammar in GBNF, if it still says what the mask says."""
    found = material.child(what="ebnf", grammar=material.spec.source)
    if "error" in found:
        raise CantBe(f"The grammar is Lark and has no translation to GBNF here: {found['error']}.")
    text = str(found["grammar"])
    if not material.asks("gbnf", text).agree:
        raise CantBe("The grammar is Lark, and its translation to GBNF doesn't say the same.")
    return text


def gbnf(material: Material) -> Taken:
    """The grammar, compiled by xgrammar and llguidance and asked about texts.

    Raises:
        CantBe: as `gbnf_of`.
    """
    text = gbnf_of(material)
    asked = material.asks("gbnf", text)
    notes = []
    if text != material.spec.source and material.spec.kind == "grammar":
        notes.append("Translated from Lark by xgrammar.")
    if material.spec.kind != "grammar":
        notes.append(
            "It allows exactly what the mask allows: the schema's notes hold for it too."
            if material.json
            else "It allows exactly what the mask allows."
        )
    if material.spec.kind != "grammar" and material.spec.engine != "bytes":
        notes.append("It is the language of the exact engine, whatever engine is chosen.")
    most = most_repeats(text)
    if most >= MOST_REPEATS:
        notes.append(
            f"It repeats a part up to {most:,} times; llama.cpp refuses {MOST_REPEATS:,} and more. "
            "Lower the bound there."
        )
    return Taken(text, "gbnf", spoken(asked, "Compiled and asked here", notes), notes)


def spoken(asked: Asked, lead: str, notes: list[str]) -> str:
    """How a form was checked, in words; what didn't agree goes to `notes`."""
    for name, error in asked.errors.items():
        notes.append(f"{name} doesn't take it: {error}")
    for name, apart in asked.apart.items():
        if apart:
            why = _LEXEMES if name == "llguidance" else ""
            notes.append(f"On {len(apart)} of {asked.count} texts {name}{why} differs: {apart[0]}.")
    if asked.agree:
        return (
            f"{lead}: {' and '.join(asked.agree)} gave the mask's answer to all of "
            f"{asked.count} texts, allowed and broken ones."
        )
    if asked.apart:
        return f"{lead}: {' and '.join(asked.apart)} compiled it; see the note for differences."
    return "Not checked: no library here compiled it."


def most_repeats(grammar: str) -> int:
    """The highest count of a repetition in a grammar."""
    bare = _QUOTED.sub('""', grammar)
    return max((int(b or a) for a, b in _COUNTS.findall(bare)), default=0)
