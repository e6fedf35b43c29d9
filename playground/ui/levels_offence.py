"""Where an invalid output goes wrong: the text cut in three around the place that is to blame."""

import json
from collections.abc import Callable

from playground.constraints.automaton import TokenAutomaton
from playground.decoding.accept import is_json
from playground.record import Document
from playground.schema.parts import character_offset
from playground.schema.verdict import mask_verdict
from playground.study.salvage import NoJson, salvage

SHOWN = 600
"""Most characters shown before the place, and after it."""


def offence(
    text: str,
    failure: str | None,
    category: str,
    automaton: TokenAutomaton,
    why: Callable[[str], str] | None,
) -> Document:
    """`{"before", "place", "after", "cut", "message"}`: the output around the place to blame, and why.
    An empty `place` is the end of the text; `cut` says that characters were left out.

    Args:
        text: the output.
        failure: its class, a key of `classes.CLASSES`; None where there is no schema.
        category: of its row: `truncated` where the limit ended it.
        automaton: the mask's language over the 256 bytes.
        why: what the schema has against a text; None without a schema.
    """
    start, end, message = _place(text, failure, category, automaton, why)
    before, after = text[:start], text[end:]
    return {
        "before": before[-SHOWN:],
        "place": text[start:end][:SHOWN],
        "after": after[:SHOWN],
        "cut": len(before) > SHOWN or len(after) > SHOWN or end - start > SHOWN,
        "message": message,
    }


def _place(
    text: str,
    failure: str | None,
    category: str,
    automaton: TokenAutomaton,
    why: Callable[[str], str] | None,
) -> tuple[int, int, str]:
    """Start and end of the place, in characters, and a sentence."""
    if failure == "truncated" or (failure is None and category == "truncated"):
        return len(text), len(text), "The token limit was reached here."
    if failure in ("markdown-fence", "preamble"):
        start = _answer(text)
        if start:
            return 0, start, "What stands before the answer is no JSON."
    if failure is None or failure == "schema":
        return _refused(text, automaton, why)
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return _broken(text, failure, error)
    except RecursionError:
        pass
    # NaN and Infinity, which Python reads, and what is nested too deeply: the mask knows the place.
    start, end, message = _refused(text, automaton, None)
    return start, end, why(text) if why is not None else message


def _answer(text: str) -> int:
    """Where the answer begins, whole or not; the end of a text without one."""
    try:
        return salvage(text).start
    except NoJson:
        begun = [at for at in (text.find("{"), text.find("[")) if at >= 0]
        return min(begun, default=len(text))


def _broken(text: str, failure: str, error: json.JSONDecodeError) -> tuple[int, int, str]:
    """Where JSON breaks; its reader stands at the bracket after a trailing comma."""
    start, message = error.pos, f"It is no JSON: {error.msg}."
    if error.msg == "Extra data":
        return start, len(text), "The JSON has ended before this."
    if failure == "trailing-comma":
        comma = text[:start].rstrip().removesuffix(",")
        if len(comma) < len(text[:start].rstrip()):
            return len(comma), start + 1, "JSON has no comma before a closing bracket."
    wide = 2 if text[start : start + 2] in ("//", "/*") else 1
    return start, min(len(text), start + wide), message


def _refused(
    text: str, automaton: TokenAutomaton, why: Callable[[str], str] | None
) -> tuple[int, int, str]:
    """Where the mask would have blocked it: at its end, where a valid text would have to go on."""
    verdict = mask_verdict(automaton, text)
    message = why(text) if why is not None and is_json(text) else str(verdict["message"])
    offset = verdict["offset"]
    start = len(text) if offset is None else character_offset(text, offset)
    if verdict["status"] == "valid":
        # The mask enforces less than the schema: no one place is to blame.
        return 0, len(text), message
    return start, min(len(text), start + 1), message
