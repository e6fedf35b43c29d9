"""A constraint as typed -> what xgrammar and llguidance are given, with remarks."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from playground.constraints.grammar import Grammar, check
from playground.constraints.limits import Limits
from playground.constraints.notes import Note, without_lines
from playground.constraints.position import invalid_at
from playground.constraints.regex_ecma import for_ecma
from playground.constraints.sources import placed, resolve, text_of_schema
from playground.errors import InvalidInput

if TYPE_CHECKING:
    from playground.constraints.spec import Kind

Form = Literal["regex", "schema", "ebnf", "lark"]


@dataclass(frozen=True, slots=True)
class Asked:
    """What an engine compiles."""

    form: Form
    text: str
    """The regex in the engine's syntax, the JSON Schema, the grammar."""
    notes: tuple[Note, ...] = ()

    @property
    def schema(self) -> str | None:
        """The JSON Schema, where there is one."""
        return self.text if self.form == "schema" else None


def asked(engine: str, kind: "Kind", source: str, limits: Limits) -> Asked:
    """What the engine `xgrammar` or `llguidance` is given for a constraint of any kind but `free`.

    Raises:
        InvalidInput: the source is malformed, or the engine's reader would misread it.
        EmptyLanguage: a grammar that no text satisfies.
        BudgetExceeded: bounded repeats multiply too far.
    """
    if kind == "grammar":
        grammar = check(source, limits.repeats)
        return _for_xgrammar(grammar) if engine == "xgrammar" else _for_llguidance(grammar)
    text = text_of_schema(kind, source)
    if text is not None:
        return Asked("schema", text, _schema_notes(engine, kind, source, text))
    resolved = resolve(kind, source, "none", limits)
    if engine == "llguidance":
        return Asked("regex", resolved.regex, resolved.notes)
    regex, notes = for_ecma(resolved.regex)
    return Asked("regex", regex, (*resolved.notes, *notes))


def _schema_notes(engine: str, kind: "Kind", source: str, text: str) -> tuple[Note, ...]:
    """What is odd about the schema, and what this engine is known not to enforce in it."""
    from playground.constraints.jsonschema.check import check as check_schema
    from playground.constraints.jsonschema.source import whole_schema
    from playground.constraints.pushdown_keywords import known_drops

    with placed(kind, source, text):
        parsed = whole_schema(text)
    notes = (*known_drops(engine, parsed.value), *check_schema(parsed))
    return notes if kind == "schema" else without_lines(notes)


def _for_xgrammar(grammar: Grammar) -> Asked:
    if grammar.rules.dialect == "gbnf":
        return Asked("ebnf", grammar.source, grammar.notes)
    notes = list(grammar.notes)
    for piece in grammar.pieces():
        if piece.kind == "regex":
            body, _, flags = piece.text[1:].rpartition("/")
            if flags:
                raise invalid_at(
                    grammar.source,
                    piece.at,
                    f"xgrammar reads no flags of a regex, as in /.../{flags}.",
                    'Write the letters as classes such as [Aa], or choose "llguidance".',
                )
            try:
                notes += for_ecma(body.replace("\\/", "/"))[1]
            except InvalidInput as error:
                raise invalid_at(grammar.source, piece.at, error.what, error.hint) from None
    return Asked("lark", grammar.source, tuple(dict.fromkeys(notes)))


def _for_llguidance(grammar: Grammar) -> Asked:
    if grammar.rules.dialect == "lark":
        return Asked("lark", grammar.source, (*grammar.notes, _LONGEST))
    from llguidance.gbnf_to_lark import GbnfToLarkError, gbnf_to_lark

    try:
        text = gbnf_to_lark(grammar.source)
    except GbnfToLarkError as error:
        raise invalid_at(
            grammar.source,
            error.pos.pos,
            f"llguidance can't turn this GBNF into its own form: {str(error).partition(' at ')[0]}.",
            'Choose "xgrammar", or write the grammar in Lark.',
        ) from error
    return Asked("lark", text, grammar.notes)


_LONGEST = Note(
    "info",
    "terminals",
    "",
    "In Lark's reading a terminal, such as a regex, takes as many characters as it can before the "
    "next one begins.",
)


def cleaned(message: str) -> str:
    """An engine's complaint without the time and the file of its own that it names."""
    return re.sub(r"\[\d\d:\d\d:\d\d\] \S+?:\d+: ", "", message).strip()


def place_in(message: str) -> tuple[int, int] | None:
    """Line and column that a complaint about a grammar names, from 1."""
    found = re.search(r"line (\d+), column (\d+)", message) or re.search(
        r"(?:^|at )(\d+)\((\d+)\):", message
    )
    return (int(found[1]), int(found[2])) if found else None
