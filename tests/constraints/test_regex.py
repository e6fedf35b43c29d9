"""What a visitor may type as a regex, and what is said about the rest."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.constraints.build import build
from playground.constraints.regex import escape, prepare
from playground.errors import BudgetExceeded, InvalidInput


def refused(source: str) -> InvalidInput | BudgetExceeded:
    with pytest.raises((InvalidInput, BudgetExceeded)) as caught:
        prepare(source, 100_000)
    return caught.value  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("source", "line", "column", "says"),
    [
        ("a(b", 1, 2, "never closed"),
        ("ab)", 1, 3, "closes no group"),
        ("x\n[a-z", 2, 1, "never closed"),
        ("a|*b", 1, 3, "nothing does"),
        ("*", 1, 1, "nothing does"),
        ('{"a": 1}', 1, 1, "literal brace"),
        ("a{,3}", 1, 2, "{0,3}"),
        ("a{3,2}", 1, 2, "at least 3 and at most 2"),
        ("a{x}", 1, 2, "no count"),
        ("a{", 1, 2, "no count"),
        ("[z-a]", 1, 4, "backwards"),
        (r"[a-\d]", 1, 4, "one character"),
        ("ab\\", 1, 3, "escapes nothing"),
        (r"\y", 1, 1, "no escape"),
        (r"a\xg1", 1, 2, "hex digits"),
        (r"\uD83D\uDE00", 1, 1, "no Unicode character"),
        (r"\p", 1, 1, "no Unicode class"),
        ("(?P<n>a)(?P<n>b)", 1, 13, "used twice"),
        ("(?P<1>a)", 1, 5, "not a name"),
        ("(?q)a", 1, 3, "no flag"),
        ("(?=a)b", 1, 1, "look-ahead"),
        ("a(?!b)", 1, 2, "look-ahead"),
        ("(?<=a)b", 1, 1, "look-behind"),
        ("(?<!a)b", 1, 1, "look-behind"),
        (r"(a)\1", 1, 4, "back-reference"),
        ("(?P<n>a)(?P=n)", 1, 9, "back-reference"),
        (r"\bword\b", 1, 1, "word boundary"),
        ("(?>a)", 1, 1, "atomic"),
        ("(?#x)a", 1, 1, "comment"),
        ("a^b", 1, 2, "doesn't begin"),
        ("a$b", 1, 2, "doesn't end"),
        ("(^a)*", 1, 2, "doesn't begin"),
        ("^*", 1, 1, "can't be repeated"),
    ],
)
def test_a_refusal_names_the_place_and_the_reason(
    source: str, line: int, column: int, says: str
) -> None:
    error = refused(source)
    assert (error.line, error.column) == (line, column)
    assert error.where == f"line {line}, column {column}"
    assert says in f"{error.what} {error.hint}"
    assert error.hint


@pytest.mark.parametrize(
    ("source", "piece"),
    [
        ("a{1,4294967295}", "a{1,4294967295}"),
        ("x[a-z]{1000000}", "[a-z]{1000000}"),
        ("b((a{0,50}){0,50}){0,50}", "((a{0,50}){0,50}){0,50}"),
    ],
)
def test_repeats_that_multiply_are_refused_at_their_place(source: str, piece: str) -> None:
    error = refused(source)
    assert isinstance(error, BudgetExceeded)
    assert piece in error.what
    assert error.column == source.index(piece) + 1


@pytest.mark.parametrize(
    ("source", "regex"),
    [
        ("^abc$", "abc"),
        (r"\Aabc\z", "abc"),
        ("^a|b$", "a|b"),
        ("(?i)^a", "(?i)a"),
        ("(^a|b$)", "(a|b)"),
        ("a(b|$)", "a(b|)"),
        ("^^a", "a"),
        ("^$", ""),
        (r"\^a\$", r"\^a\$"),
        ("[$^]", "[$^]"),
    ],
)
def test_anchors_at_the_ends_are_left_out_with_a_note(source: str, regex: str) -> None:
    prepared = prepare(source, 100_000)
    assert prepared.regex == regex
    assert ("anchors" in {note.keyword for note in prepared.notes}) == (source != regex)


def test_notes_say_what_flags_and_classes_mean() -> None:
    notes = {note.keyword: note.message for note in prepare(r"(?i)\d\W(?s:.)", 100).notes}
    assert set(notes) == {"(?i)", "(?s)", r"\d", r"\w"}
    assert "[0-9]" in notes[r"\d"]
    assert not prepare(r"(?-u:\d)", 100).notes[1:]


def test_a_comment_at_the_end_does_not_swallow_the_wrap() -> None:
    dfa = build(prepare("(?x) a b  # and that is all", 100).regex, 100)
    assert dfa.completion(0) == b"ab"


PIECES = st.sampled_from(
    [*"ab(|)[]{}*+?^$.-\\,:=!<>&~#1 ", "(?:", "(?i)", "[^", "\\d", "{2}", "{1,", "\\x41", "é"]
)


@settings(max_examples=400, deadline=None)
@given(st.lists(PIECES, max_size=12).map("".join))
def test_what_the_reader_accepts_the_engine_can_read(source: str) -> None:
    """Otherwise the refusal would come without its place; the reader errs on the strict side."""
    from playground.constraints.build import readable

    refusal, prepared = None, None
    try:
        prepared = prepare(source, 10_000)
    except InvalidInput as error:
        refusal = error
    if prepared is None:
        assert refusal is not None
        assert refusal.line
        assert refusal.column
    else:
        assert readable(prepared.regex)


@given(st.text(max_size=12))
def test_an_escaped_text_matches_itself_alone(text: str) -> None:
    dfa = build(escape(text), 1000)
    assert dfa.completion(0) == text.encode()
    assert int(dfa.final.sum()) == 1
    assert len(dfa) == len(text.encode()) + 1
