"""Why an output is invalid: one class each, the first thing to mend.

The order, and with it what a class says of those after it:

1. The whole text is JSON: it is valid, or `schema`.
2. `truncated`: the run hit its limit, no complete object or array was written, and the one that was
   begun, if any, is right as far as it goes. Nothing else can be told before it is longer.
3. What stands around the answer, from the outside in: `markdown-fence`, then `preamble`.
4. What follows a complete object or array: closing brackets too many are `mismatched-brackets`, a
   comma is a `trailing-comma`, `//` or `/*` a `comment`, a further object or array makes
   `several-objects`, anything else is a `postscript`.
5. What stands at the first place where an object or array without an end breaks: `comment`,
   `single-quotes`, `trailing-comma` (a comma before the bracket that closes), `mismatched-brackets`
   (another kind of bracket, or none before the model ended its text).
6. `other`.

The answer is the value that `salvage` takes; where it takes none, the first object or array that the
text begins, if only with a mistake of 5.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from playground.decoding.accept import is_json
from playground.study.salvage import (
    NoJson,
    Salvaged,
    cut_off,
    fences,
    is_slight,
    outermost,
    salvage,
)
from playground.study.scan import BLANK, Scan, scan

CLASSES: Mapping[str, str] = {
    "markdown-fence": "Wrapped in a markdown fence",
    "preamble": "Text before the JSON",
    "postscript": "Text after the JSON",
    "trailing-comma": "Comma before a closing bracket",
    "single-quotes": "Single quotes around a string",
    "comment": "Comment inside the JSON",
    "truncated": "Truncated at the token limit",
    "several-objects": "More than one JSON value",
    "mismatched-brackets": "Brackets that don't match",
    "schema": "JSON, but refused by the schema",
    "other": "Not JSON for another reason",
}
"""Class -> what a table calls it."""

ADVICE: Mapping[str, str] = {
    "markdown-fence": "Salvage what the fence holds, or put the opening bracket into the prompt.",
    "preamble": "Salvage the JSON, or put the opening bracket into the prompt.",
    "postscript": "Salvage the JSON, or stop at the end of the first value.",
    "trailing-comma": "Constrain the syntax, or retry with the error; salvage doesn't repair.",
    "single-quotes": "Constrain the syntax, or show an example with double quotes in the prompt.",
    "comment": "Constrain the syntax, or give the remarks a field of their own in the schema.",
    "truncated": "Raise the token limit, or bound the lengths in the schema.",
    "several-objects": "Stop at the end of the first value, or ask for one array of all of them.",
    "mismatched-brackets": "Constrain the syntax, or nest the schema less deeply.",
    "schema": "Constrain by the schema, or retry with the validator's error.",
    "other": "Read the example; constrain the syntax if the model doesn't write JSON by itself.",
}
"""Class -> what to do about it, in one line."""

_LIKE_JSON = re.compile(
    r"""\{(?=[ \t\n\r]*+(?:["'}\#]|//|/\*|[A-Za-z_][A-Za-z0-9_]*+[ \t\n\r]*+:))
    |\[(?=[ \t\n\r]*+(?:[\[\]{"']|//|/\*))""",
    re.VERBOSE,
)
"""A bracket that was meant to begin JSON."""
_LIKE_NUMBERS = re.compile(r"\[(?=[ \t\n\r]*+(?:-?[0-9]|(?:true|false|null)\b))")
"""A bracket that may have been, or a footnote: it counts where there is no better one, or around
the first better one."""


def classify(text: str, *, truncated: bool, valid: Callable[[Any], bool]) -> str | None:
    """The class of an output, a key of CLASSES; None where `text` is JSON and `valid` accepts its
    value. `truncated` says that the run ended at its limit, not by itself. It raises what `valid`
    raises, nothing else."""
    if is_json(text):
        return None if valid(json.loads(text)) else "schema"
    try:
        found = salvage(text)
    except NoJson:
        return _broken(text, truncated)
    return _complete(text, found)


def _complete(text: str, found: Salvaged) -> str:
    """The class of a text that has a whole value."""
    if "fence" in found.how:
        return "markdown-fence"
    if "preamble" in found.how:
        return "preamble"
    after = text[found.end :].strip(BLANK)
    if not after.strip(BLANK + "}]"):
        return "mismatched-brackets"
    if after == ",":
        return "trailing-comma"
    if after.startswith(("//", "/*")):
        return "comment"
    more = outermost(text, found.end, len(text))
    several = any(value.whole and not is_slight(text, value) for value in more)
    return "several-objects" if several else "postscript"


def _broken(text: str, truncated: bool) -> str:
    """The class of a text without a whole value."""
    answer = _begun(text)
    if answer is None:
        return "truncated" if truncated else "other"
    if truncated and answer.cut:
        return "truncated"
    inside = (each for each in fences(text) if each.inside <= answer.start < each.outside)
    around = cut_off(text, answer.start, len(text), next(inside, None))
    if "fence" in around:
        return "markdown-fence"
    return "preamble" if "preamble" in around else _at_the_break(text, answer)


def _begun(text: str) -> Scan | None:
    """The first object or array that the text begins, if only with a mistake."""
    end = len(text)
    broken = next((each for each in outermost(text, 0, end) if not each.whole), None)
    starts = [broken.start] if broken else []
    if like_json := _LIKE_JSON.search(text):
        starts.append(like_json.start())
    first = min(starts, default=end)
    if like_numbers := _LIKE_NUMBERS.search(text):
        numbers = scan(text, like_numbers.start(), end)
        if numbers.start < first and (not starts or first < numbers.stop):
            return numbers
    return scan(text, first, end) if starts else None


def _at_the_break(text: str, answer: Scan) -> str:
    """The class of what stands where a value breaks."""
    here, top = text[answer.stop : answer.stop + 2], answer.open[-1:]
    if not here:
        return "mismatched-brackets"
    if here in ("//", "/*") or here[0] == "#":
        return "comment"
    if here[0] == "'" and answer.spot not in ("after", "colon"):
        return "single-quotes"
    if here[0] not in "}]":
        return "other"
    if here[0] != ("}" if top == "{" else "]"):
        return "mismatched-brackets"
    after_comma = answer.spot == "key" or (answer.spot == "value" and top == "[")
    return "trailing-comma" if after_comma else "other"
