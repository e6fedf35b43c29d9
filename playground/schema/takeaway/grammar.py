"""The constraint as a llama.cpp grammar, written from the regex that the mask was built from."""

import re
from collections.abc import Iterator
from itertools import chain, count

from playground.errors import Cancelled, PlaygroundError
from playground.schema.takeaway.material import Asked, CantBe, Material, Taken

_LEXEMES = ", which cuts a text into lexemes before it reads the rules,"
MOST_REPEATS = 2_000
"""llama.cpp refuses a grammar of which one repetition, written out, comes to so many rules."""
_TOKEN = re.compile(r"[\w-]+|[().*+?]|\{(\d+)(,?)(\d*)\}|\"")
_TIMES: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_QUOTED = re.compile(
    r'#[^\n]*|"(?:[^"\\]|\\.)*(?:"|\\?\Z)|\[(?:[^\]\\]|\\.)*(?:\]|\\?\Z)', re.DOTALL
)
"""Comments, texts and classes; one without an end goes to the end, so that no search starts over."""
_NAME = re.compile(r"[\w-]+")
_NO_NAME = re.compile(r"[^A-Za-z0-9-]")
_NAME_OR_QUOTED = re.compile(f"{_QUOTED.pattern}|{_NAME.pattern}", re.DOTALL)


def gbnf_of(material: Material) -> str:
    """The grammar alone.

    Raises:
        CantBe: there is none, or it would be too large.
    """
    if material.spec.kind == "grammar":
        if "::=" in material.spec.source:
            return hyphened(material.spec.source)
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
    text = hyphened(str(found["grammar"]))
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
    if material.spec.kind == "grammar" and "::=" not in material.spec.source:
        notes.append("Translated from Lark by xgrammar.")
    elif material.spec.kind == "grammar" and text != material.spec.source:
        notes.append("llama.cpp's names have letters, digits and hyphens: others were renamed.")
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
            f"Written out, one of its repetitions comes to {most:,} rules; llama.cpp refuses "
            f"{MOST_REPEATS:,} and more. Lower the bound there."
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


def hyphened(grammar: str) -> str:
    """The grammar with names as llama.cpp reads them, which are of a-z, A-Z, 0-9 and -: in others
    a hyphen stands for any other character, and a number behind it where that name is used."""
    names = dict.fromkeys(_NAME.findall(_QUOTED.sub('"', grammar)))
    new = {name: name for name in names if not _NO_NAME.search(name)}
    used = set(new)
    wishes: dict[str, Iterator[str]] = {}
    for name in [name for name in names if name not in new]:
        wish = _NO_NAME.sub("-", name)
        numbered = map(f"{wish}-{{}}".format, count(2))
        tries = wishes.setdefault(wish, chain([wish], numbered))
        new[name] = next(each for each in tries if each not in used)
        used.add(new[name])
    return _NAME_OR_QUOTED.sub(lambda found: new.get(found[0], found[0]), grammar)


def most_repeats(grammar: str) -> int:
    """How many rules the largest repetition of a grammar in GBNF comes to, as llama.cpp counts
    them: how often it repeats at most, times the rules that the repeated part brings with it. A
    group is one, a repetition one for each time that may be left out or goes on without end, and a
    name one where it comes up first. 0 without a repetition."""
    names: set[str] = set()
    made, part, most = 0, 1, 0
    opened: list[int] = []
    for token in _TOKEN.finditer(_QUOTED.sub('"', grammar)):
        sign = token[0]
        if sign == "(":
            opened.append(len(names) + made)
            made += 1
        elif sign == ")":
            part = max(1, len(names) + made - opened.pop()) if opened else 1
        elif sign in _TIMES or token[1]:
            low, high = _TIMES.get(sign) or _bounds(*token.groups())
            part *= high or low or 1
            made += 1 if high is None else max(0, high - low)
            most = max(most, part)
        else:
            part = 1
            names |= {sign} if sign not in '".' else set()
    return most


def _bounds(low: str, comma: str, high: str) -> tuple[int, int | None]:
    """The least and the most times of `{low}`, `{low,}` or `{low,high}`."""
    return int(low), int(high) if high else None if comma else int(low)
