"""The index as a table, the two classes of tokens, and every engine at one place."""

import json

import pytest

from playground.constraints.byte_automaton import ByteAutomaton
from playground.constraints.compile import compile_constraint
from playground.constraints.engines import ENGINES
from playground.constraints.report import Compiled
from playground.constraints.spec import ConstraintSpec
from playground.errors import InvalidInput
from playground.schema.claims import CLAIMS, claims
from playground.schema.independent import independent
from playground.schema.index_table import PAGE, histogram, index_page, index_state
from playground.schema.prefix import compare_engines, figures, reached, why
from playground.vocabulary import Vocabulary

WORDS = [
    "[",
    "]",
    "{",
    "}",
    '"',
    "a",
    "1",
    ",",
    "]]",
    "],",
    "}]",
    "}}",
    '"]',
    "]x",
    " ",
    "\n",
    '{"',
    '":',
    ":",
]
VOCABULARY = Vocabulary((*(word.encode() for word in WORDS), None), frozenset({len(WORDS)}))


def exact(kind: str, source: str) -> ByteAutomaton:
    spec = ConstraintSpec.model_validate({"kind": kind, "source": source})
    automaton = compile_constraint(spec, VOCABULARY).automaton
    assert isinstance(automaton, ByteAutomaton)
    return automaton


def test_the_table_has_every_state_once_with_its_mask() -> None:
    automaton = exact("regex", "(a|1){0,60}")
    pages = index_page(automaton, 0)["pages"]
    rows = [row for page in range(pages) for row in index_page(automaton, page)["rows"]]
    assert [row["state"] for row in rows] == list(range(len(automaton.dfa)))
    assert pages == -(-len(automaton.dfa) // PAGE)
    for row in rows:
        mask = automaton.mask(row["state"])
        assert row["allowed"] == mask.sum()
        first = int(row["mask"].split()[0], 16)
        assert [bool(first >> bit & 1) for bit in range(8)] == mask[:8].tolist()


def test_the_histogram_counts_every_state_of_a_small_automaton() -> None:
    automaton = exact("regex", "(a|1){0,60}")
    document = histogram(automaton)
    assert sum(each["states"] for each in document["bins"]) == document["of"] == len(automaton.dfa)


def test_a_state_opens_to_its_tokens_and_where_they_lead() -> None:
    automaton = exact("regex", "a1")
    opened = index_state(automaton, 0)
    assert [token["text"] for token in opened["tokens"]] == ["a"]
    assert opened["tokens"][0]["to"] == f"q{automaton.advance(0, WORDS.index('a'))}"
    with pytest.raises(InvalidInput, match="no state q99"):
        index_state(automaton, 99)


def test_a_token_that_closes_two_levels_needs_the_stack() -> None:
    schema = '{"type":"array","items":{"type":"array","items":{"type":"integer"}}}'
    automaton = exact("schema", schema)
    state, read = reached(automaton, (WORDS.index("["), WORDS.index("["), WORDS.index("1")))
    assert isinstance(state, int)
    assert read == 3
    document = independent(automaton, state, b"[[1")
    # Of `]x` too only the outer array can say that no `x` follows.
    assert set(document["examples"]) == {"]]", "],", "]x"}
    assert document["dependent"] == 3
    assert document["share"] == pytest.approx(1 - 3 / len(WORDS))


def test_inside_a_string_brackets_are_letters() -> None:
    automaton = exact("schema", '{"type":"array","items":{"type":"string"}}')
    state, _ = reached(automaton, (WORDS.index("["), WORDS.index('"'), WORDS.index("a")))
    assert isinstance(state, int)
    assert independent(automaton, state, b'["a')["dependent"] == 0


def compile_over(source: str) -> object:
    def compiled(engine: str, anew: bool) -> Compiled:
        spec = ConstraintSpec(kind="regex", source=source, engine=engine)
        return compile_constraint(spec, VOCABULARY)

    return compiled


def test_outlines_is_seen_to_drop_the_point_of_a_number() -> None:
    """`1` already matches, so outlines_core 0.2.14 allows no `,` after it (ENGINES.md 1)."""
    titles = {name: ENGINES[name].title for name in ("bytes", "outlines")}
    document = compare_engines(titles, compile_over("1+(,1+)?"), "1", (WORDS.index("1"),))  # type: ignore[arg-type]
    rows = {row["name"]: row for row in document["engines"]}
    assert rows["outlines"]["missing_here"] == [","]
    assert "blocks 1 token that the exact mask allows" in rows["outlines"]["why"]
    assert rows["bytes"]["allowed"] == rows["outlines"]["allowed"] + 1
    assert document["common"] == rows["outlines"]["allowed"]
    assert document["scan"]["naive_ms"] > 0
    assert figures(document)["kept_against_naive"] is not None
    json.dumps(document)


def test_a_text_that_an_engine_refuses_is_told() -> None:
    titles = {"bytes": ENGINES["bytes"].title}
    document = compare_engines(
        titles, compile_over("1+"), "1a", (WORDS.index("1"), WORDS.index("a"))
    )  # type: ignore[arg-type]
    assert (
        document["engines"][0]["refused"]
        == "It reads 1 of the 2 bytes of this text, then refuses it."
    )


def test_the_kinds_of_a_difference_are_counted() -> None:
    told = why(VOCABULARY, [WORDS.index(" "), WORDS.index("\n"), WORDS.index("a")], [len(WORDS)])
    assert (
        "allows 3 tokens that the exact mask blocks: 2 begin with a blank or a line break, 1 are others."
        in told
    )
    assert "blocks 1 token that the exact mask allows: 1 are special tokens." in told


def test_every_claim_names_its_source_and_a_figure_only_where_one_is_measured() -> None:
    rows = claims({"kept_against_naive": 1000.0, "mask_share": None})
    assert len(rows) == len(CLAIMS) >= 5
    assert all(row["source"] and row["whose"] and row["beside"] for row in rows)
    measured = {row["figure"]: row["measured"] for row in rows}
    assert measured["kept_against_naive"] == 1000.0
    assert measured["mask_share"] is None
