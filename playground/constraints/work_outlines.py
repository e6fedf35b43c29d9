"""The child's part of the engine "outlines": the token Index, built as outlines does."""

import io
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from playground.constraints.build import byte_vocabulary
from playground.constraints.dfa import DEAD, distances
from playground.constraints.limits import Limits
from playground.constraints.regex import escape
from playground.constraints.regex_syntax import parse
from playground.constraints.sources import choices, no_grammar, text_of_schema
from playground.constraints.types import type_named
from playground.errors import BudgetExceeded, EmptyLanguage, InvalidInput, UnsupportedSchema

if TYPE_CHECKING:
    from playground.constraints.spec import Kind

MAX_INDEX = 64 * 2**20
"""Largest Index that is sent, bytes."""
BLANKS = {"none": "", "one": None, "flexible": r"[ \n\t]{0,8}"}
"""What is passed as outlines' whitespace_pattern; None is its default, one optional blank."""


def work(request: dict[str, Any], _limits: Limits) -> tuple[dict[str, Any], bytes]:
    """Compile `kind`, `source` and `whitespace` over `texts` ([text, ids] pairs) and `eos`.

    Returns:
        {"regex", "states", "transitions", "index", "schema"}: `index` is how many bytes of the
        payload are the Index in outlines_core's own binary form; an npz with the raw byte
        automaton (`names`, (m,) state ids, and `table`, (m, 256) positions in names) follows.
    """
    from outlines_core import Index, Vocabulary

    regex, schema = shipped_regex(request["kind"], request["source"], request["whitespace"])
    try:
        index = Index(regex, Vocabulary(request["eos"], dict(request["texts"])))
    except ValueError as error:
        if request["kind"] == "regex":
            parse(request["source"])  # may know the place, which outlines_core never tells
        raise _refusal(error) from error
    binary: bytes = index.__reduce__()[1][0]
    if len(binary) > MAX_INDEX:
        raise BudgetExceeded(
            f"The token Index of outlines_core takes {len(binary) / 2**20:.0f} MB here; at most "
            f"{MAX_INDEX / 2**20:.0f} MB are kept.",
            'Lower the bounds, or use the engine "bytes", which needs no token Index.',
        )
    edges = index.get_transitions()
    head = {
        "regex": regex,
        "schema": schema,
        "states": len(edges),
        "transitions": sum(map(len, edges.values())),
        "index": len(binary),
    }
    return head, binary + byte_table(regex)


def shipped_regex(kind: "Kind", source: str, whitespace: str) -> tuple[str, str | None]:
    """The regex that outlines compiles for a constraint, unchecked, and the schema if any."""
    if kind == "regex":
        return source, None
    if kind == "choices":
        return f"({'|'.join(map(escape, choices(source)))})", None
    if kind == "type":
        return type_named(source.strip()).regex, None
    if kind == "grammar":
        raise no_grammar()
    schema = text_of_schema(kind, source)
    assert schema is not None, kind
    from outlines_core.json_schema import build_regex_from_schema

    try:
        return build_regex_from_schema(schema, BLANKS[whitespace]), schema
    except (ValueError, TypeError) as error:
        raise UnsupportedSchema(
            f"outlines_core refuses this schema: {error}",
            'Use the engine "bytes", which supports more of JSON Schema.',
        ) from error


def byte_table(regex: str) -> bytes:
    """The raw byte automaton of `regex` as an npz; its ids are those of the token Index."""
    from outlines_core import Index

    edges: dict[int, dict[int, int]] = {}
    initial = -1
    try:
        index = Index(regex, byte_vocabulary())
        edges, initial = index.get_transitions(), index.get_initial_state()
    except ValueError:  # a token can lead past a state that single bytes can't leave
        edges = {}
    found = list(
        dict.fromkeys([initial, *edges, *chain.from_iterable(map(dict.values, edges.values()))])
    )
    place = {state: number for number, state in enumerate(found)}
    table = np.full((len(found), 256), DEAD, dtype=np.int32)
    for state, row in edges.items():
        for byte, after in row.items():
            if byte < 256:
                table[place[state], byte] = place[after]
    order = np.argsort(distances(table), kind="stable")
    number = np.append(np.argsort(order), DEAD).astype(np.int32)
    file = io.BytesIO()
    np.savez(file, names=np.array(found)[order], table=number[table[order]])
    return file.getvalue()


def _refusal(error: ValueError) -> InvalidInput | EmptyLanguage:
    if "incompatible with the regex" in str(error):
        return EmptyLanguage(
            f"outlines_core finds no token for a state of this constraint: {str(error)[:300]}",
            'Its vocabulary is made of text, not bytes; use the engine "bytes".',
        )
    return InvalidInput(
        f"outlines_core refuses this regex: {str(error)[:300]}.",
        'Try it with the engine "bytes".',
    )
