"""What counts as valid: the mask's language, or what another judge says of the whole text."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from playground.decoding.trace import Outcome


@dataclass(frozen=True, slots=True)
class Accept:
    """A set of valid outputs. Distances to p_V mean the mask's language, so with a judge they are
    off."""

    name: Literal["language", "schema", "salvaged", "syntax"]
    judge: Callable[[str], bool] | None = None
    """Judges the text of a run that ended with EOS; None: the mask's language decides."""
    why: Callable[[str], str] | None = None
    """What is wrong with a text that the judge refuses, in a sentence."""
    cut: bool = False
    """The judge is asked about a run that max_tokens cut off too: what it looks for may be in there."""
    lead: int = 0
    """So many bytes at the start of every text belong to the prompt and aren't judged."""

    def __call__(self, outcome: Outcome, ended: bool, text: bytes) -> bool:
        """Whether a run is valid: `ended` says that its last token is EOS."""
        if self.judge is None:
            return outcome is Outcome.ACCEPTED
        if not (ended or self.cut):
            return False
        try:
            written = text[self.lead :].decode()
        except UnicodeDecodeError:
            return False
        return self.judge(written)


LANGUAGE = Accept("language")
"""The mask's language V."""


def is_json(text: str) -> bool:
    """`text` is one JSON value by the standard: no NaN, no Infinity."""
    try:
        json.loads(text, parse_constant=_refused)
    except (ValueError, RecursionError):
        return False
    return True


def not_json(text: str) -> str:
    """Why `text` is no JSON."""
    try:
        json.loads(text, parse_constant=_refused)
    except RecursionError:
        return "It is nested too deeply."
    except ValueError as error:
        return f"It is no JSON: {error}."
    return "It is JSON."


SYNTAX = Accept("syntax", is_json, not_json)
"""JSON of any shape, as a "JSON mode" would accept it."""


def by_schema(valid: Callable[[Any], bool], reason: Callable[[Any], str]) -> Accept:
    """JSON whose value `valid` accepts; `reason` says what is wrong with one that it doesn't."""

    def judge(text: str) -> bool:
        return is_json(text) and valid(json.loads(text))

    def why(text: str) -> str:
        return reason(json.loads(text)) if is_json(text) else not_json(text)

    return Accept("schema", judge, why)


def _refused(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")
