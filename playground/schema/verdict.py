"""What the mask says of a text: walked byte by byte, with the first byte that can't follow in words."""

import time
from collections.abc import Iterable, Sequence
from typing import Any

from playground.constraints.automaton import State, TokenAutomaton
from playground.constraints.byte_automaton import ByteAutomaton
from playground.constraints.position import line_column
from playground.constraints.words import either
from playground.errors import BudgetExceeded, EmptyLanguage, PlaygroundError
from playground.schema.parts import END, byte_offset, character_offset, got

Document = dict[str, Any]

READ_SECONDS = 2.0
"""Longest reading of one text by an engine with a stack: some grammars make each byte slow."""


def verdict(
    status: str,
    judge: str,
    message: str,
    *,
    text: str = "",
    offset: int | None = None,
    expected: Iterable[str] = (),
    needs: str = "",
    errors: Sequence[Document] = (),
) -> Document:
    """A verdict as JSON.

    Args:
        status: `valid`, `incomplete`, `invalid`, `unsatisfiable` or `unknown`.
        judge: who says it.
        message: one sentence.
        text: what was judged; line, column and character are looked up in it.
        offset: in bytes, where it fails or ends; None where the verdict has no place.
        expected: what may stand there, in words.
        needs: a shortest completion of an incomplete text, shortened.
        errors: the reference judge's.
    """
    line = column = character = None
    if offset is not None:
        at = character_offset(text, offset)
        line, column = line_column(text, at)
        character = got(text, at)
    return {
        "status": status,
        "offset": offset,
        "line": line,
        "column": column,
        "got": character,
        "expected": list(expected),
        "needs": needs,
        "message": message,
        "judge": judge,
        "errors": list(errors),
    }


def spelled(text: str) -> bytes:
    """The bytes of `text`; half of a surrogate pair as three bytes that no mask allows."""
    return text.encode("utf-8", "surrogatepass")


def follow(automaton: TokenAutomaton, state: State, data: bytes) -> tuple[State, int]:
    """The state after the bytes of `data` that can follow `state`, and how many these are.

    `automaton` is over the 256 bytes: ids 0..255 (see `constraints.bytes_vocabulary`).

    Raises:
        BudgetExceeded: an engine with a stack took more than READ_SECONDS.
    """
    if isinstance(automaton, ByteAutomaton):
        assert isinstance(state, int)
        states = automaton.dfa.walk(state, data)
        return states[-1], len(states) - 1
    until = time.monotonic() + READ_SECONDS
    for count, byte in enumerate(data):
        if time.monotonic() > until:
            raise BudgetExceeded(
                f"{automaton.engine} took more than {READ_SECONDS:g} seconds for {count} bytes.",
                "Make the grammar less ambiguous, or choose another engine.",
            )
        try:
            state = automaton.advance(state, byte)
        except ValueError:
            return state, count
    return state, len(data)


def allows(automaton: TokenAutomaton, text: str | bytes) -> bool:
    """The mask allows the whole text and its end."""
    data = spelled(text) if isinstance(text, str) else text
    state, count = follow(automaton, automaton.initial, data)
    return count == len(data) and automaton.is_final(state)


def mask_verdict(automaton: TokenAutomaton, text: str, judge: str | None = None) -> Document:
    """The verdict of the automaton that the mask uses, over the 256 bytes.

    `judge` names it; `the mask (engine)` if None. `unknown` where the engine gives up on the text.
    """
    judge = judge or f"the mask ({automaton.engine})"
    try:
        return _mask_verdict(automaton, text, judge)
    except BudgetExceeded as error:
        return verdict("unknown", judge, f"The engine gives up on this text: {error.what}")


def _mask_verdict(automaton: TokenAutomaton, text: str, judge: str) -> Document:
    data = spelled(text)
    state, count = follow(automaton, automaton.initial, data)
    whole = count == len(data)
    inside = not whole and _continues(data[count])
    if inside:  # the whole character can't follow, though its first bytes can
        while _continues(data[count]):
            count -= 1
        state, count = follow(automaton, automaton.initial, data[:count])
    if whole and automaton.is_final(state):
        return verdict("valid", judge, "The text is allowed as it stands.")
    view = automaton.describe(state, data[:count])
    expected = [*view.expected, *([END] if view.may_stop else [])]
    if whole:
        rest = f": it still needs “{view.needs}”" if view.needs else ""
        return verdict(
            "incomplete",
            judge,
            f"A valid beginning{rest}.",
            text=text,
            offset=len(data),
            expected=expected,
            needs=view.needs,
        )
    if inside:
        refused_one = got(text, character_offset(text, count))
        expected = [_without(each, refused_one) for each in expected]
    out = verdict("invalid", judge, "", text=text, offset=count, expected=expected)
    wanted = either(expected) if expected else "nothing more"
    out["message"] = (
        f"Line {out['line']}, column {out['column']}: expected {wanted}, got “{out['got']}”."
    )
    return out


def _without(words: str, char: str) -> str:
    """A class in words, which may be wider than it is, without a character outside ASCII."""
    if not words.startswith("any ") or "ASCII" in words:
        return words
    return f"{words} {char}" if " but " in words else f"{words} but {char}"


def _continues(byte: int) -> bool:
    """It stands inside a character of UTF-8."""
    return byte & 0xC0 == 0x80


def refused(refusal: PlaygroundError | None) -> Document:
    """The mask's verdict of every text where there is no automaton."""
    if isinstance(refusal, EmptyLanguage):
        return verdict("unsatisfiable", "the mask", refusal.what)
    why = refusal.what if refusal is not None else "The constraint was not compiled."
    return verdict("unknown", "the mask", f"There is no mask to ask: {why}")


def fails_at(text: str, at: int | None) -> int | None:
    """The byte offset of a character."""
    return None if at is None else byte_offset(text, at)
