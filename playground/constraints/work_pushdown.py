"""The child's part of the engines "xgrammar" and "llguidance": compile, or refuse, within limits."""

import re
import time
from dataclasses import asdict
from typing import Any

from playground.constraints.bytes_vocabulary import BYTES
from playground.constraints.limits import Limits
from playground.constraints.notes import Note
from playground.constraints.position import line_column
from playground.constraints.pushdown_source import Asked, asked, cleaned, place_in
from playground.constraints.xgrammar_quiet import caught, packed
from playground.errors import BudgetExceeded, InvalidInput, UnsupportedSchema
from playground.vocabulary import Vocabulary

MAX_COMPILED = 64 * 2**20
"""Most memory of a compiled grammar, bytes."""
MAX_SECONDS = 8.0
"""Longest that the server then compiles once more, about."""
_NOUNS = {"regex": "regex", "schema": "schema", "ebnf": "grammar", "lark": "grammar"}
_WHY = re.compile(r"^error: (.+)$", re.MULTILINE)
"""What Rust's reader of regexes finds wrong, below the regex."""
_MARKED = re.compile(r"regex parse error:\n {4}(.*)\n {4}( *)(\^+)")
"""The regex, on one line, with the part that is wrong underlined."""


def work(request: dict[str, Any], limits: Limits) -> tuple[dict[str, Any], bytes]:
    """Compile `kind`, `source` and `whitespace` for `engine` over BYTES and over `tokens`, the
    bytes of each id as Latin-1 or null, whose ends are `eos`; null for BYTES alone.

    Returns:
        {"regex", "schema", "notes", "bytes"} and as payload what is built from in the server, in
        the engine's own form, now that it is known to compile; `bytes` of memory it then takes.
    """
    source = asked(request["engine"], request["kind"], request["source"], limits)
    head: dict[str, Any] = {
        "regex": source.text if source.form == "regex" else "",
        "schema": source.schema,
        "bytes": 0,
    }
    if request["engine"] == "xgrammar":
        vocabularies = [BYTES]
        if request["tokens"] is not None:
            tokens = tuple(t if t is None else t.encode("latin-1") for t in request["tokens"])
            vocabularies.append(Vocabulary(tokens, frozenset(request["eos"])))
        made, head["bytes"], said = xgrammar_grammar(
            source, request["source"], request["whitespace"], vocabularies
        )
    else:
        from playground.constraints.llguidance_matcher import grammar_of, refusal

        made = grammar_of(source, request["whitespace"])
        complaint, said = refusal(made)
        if complaint:
            raise _refused("llguidance", source, request["source"], complaint)
    notes = [*said, *source.notes]
    head["notes"] = [asdict(note) for note in dict.fromkeys(notes)]
    return head, made.encode()


def xgrammar_grammar(
    source: Asked, typed: str, whitespace: str, vocabularies: list[Vocabulary]
) -> tuple[str, int, list[Note]]:
    """The grammar in xgrammar's JSON, as `xgrammar_quiet.packed`; the memory that it takes compiled
    over the vocabularies, in bytes; and what xgrammar warned of. `typed` is the visitor's text.

    It is compiled here to see that it can be; the compiled form is tens of times larger in JSON
    than in memory, so the server, which can then trust the grammar, compiles it again.
    """
    from playground.constraints.xgrammar_light import load
    from playground.constraints.xgrammar_matcher import compiled, grammar_of, tokenizer

    library = load()
    size, started = 0, time.monotonic()
    with caught() as said:
        try:
            grammar = grammar_of(library, source, whitespace)
            for vocabulary in vocabularies:
                size += compiled(library, tokenizer(library, vocabulary), grammar).memory_size_bytes
            made: str = grammar.serialize_json()
        except RuntimeError as error:
            if "bad_alloc" in str(error):
                raise MemoryError from error
            raise _refused("xgrammar", source, typed, str(error)) from error
    hint = "Shorten the constraint, or choose another engine."
    if size > MAX_COMPILED:
        raise BudgetExceeded(
            f"The compiled grammar takes {size / 2**20:.0f} MB; at most {MAX_COMPILED / 2**20:.0f} "
            "MB are kept.",
            hint,
        )
    if time.monotonic() - started > MAX_SECONDS:
        raise BudgetExceeded(
            f"xgrammar takes more than {MAX_SECONDS:g} seconds to compile this constraint.", hint
        )
    said = list(dict.fromkeys(said))
    warnings = [line.partition("Warning: ")[2] for line in said if "Warning: " in line]
    notes = [Note("partly", "engine", "", f"xgrammar warns: {text}.") for text in warnings]
    return packed(made, said), size, notes


def _refused(engine: str, source: Asked, typed: str, complaint: str) -> InvalidInput:
    """The engine's complaint in one sentence, with its place in the visitor's text, where that is
    what the engine was given."""
    said = cleaned(complaint)
    told, why, marked = said.splitlines()[0], _WHY.search(said), _MARKED.search(said)
    # The place in the engine's text is told apart, where it is one in the visitor's.
    told = re.sub(r"^at \d+\(\d+\): ", "", told)
    hint = 'Choose another engine; "auto" picks one.'
    if why:
        part = marked[1][len(marked[2]) :][: len(marked[3])] if marked else ""
        told = f"{why[1]}: {part}" if part else why[1]
        hint = "Write the regex another way, or choose another engine."
    what = f"{engine} refuses this {_NOUNS[source.form]}: {told[:300].rstrip('.')}."
    if source.form == "schema":
        return UnsupportedSchema(what, hint)
    place = None
    if source.text == typed:
        place = place_in(said) if source.form in ("ebnf", "lark") else None
        place = (marked and _in_regex(source, place, marked[1], len(marked[2]))) or place
    if place is None:
        return InvalidInput(what, hint)
    return InvalidInput(what, hint, f"line {place[0]}, column {place[1]}", *place)


def _in_regex(
    source: Asked, place: tuple[int, int] | None, shown: str, offset: int
) -> tuple[int, int] | None:
    """Line and column of the character at `offset` of a regex as the engine shows it: `source` with
    its slashes and line breaks escaped, or a regex of that grammar from `place` on, its flags put
    before it."""
    text = source.text
    if source.form == "regex":
        return _unescaped(text, shown, offset)
    line, column = place or (1, 1)
    start = sum(len(each) + 1 for each in text.split("\n")[: line - 1]) + column - 1
    flags = re.match(r"\(\?[a-z]+\)", shown)
    for lead in (0, flags.end() if flags else 0):
        at = text.find(f"/{shown[lead:]}/", start)
        if at >= 0 and offset >= lead:
            return line_column(text, at + 1 + offset - lead)
    return None


def _unescaped(text: str, shown: str, offset: int) -> tuple[int, int] | None:
    """Line and column of the character of `text` that stands at `offset` of `shown`, where some
    characters have become an escape of two."""
    at = 0
    for index, char in enumerate(text):
        if at >= offset:
            return line_column(text, index)
        if shown[at : at + 1] not in (char, "\\"):
            return None
        at += 1 if shown[at] == char else 2
    return None
