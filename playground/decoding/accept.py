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

    name: Literal["language", "schema", "syntax"]
    judge: Callable[[str], bool] | None = None
    """Judges the text of a run that ended with EOS; None: the mask's language decides."""
    lead: int = 0
    """So many bytes at the start of every text belong to the prompt and aren't judged."""

    def __call__(self, outcome: Outcome, ended: bool, text: bytes) -> bool:
        """Whether a run is valid: `ended` says that its last token is EOS."""
        if self.judge is None:
            return outcome is Outcome.ACCEPTED
        if not ended:
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


SYNTAX = Accept("syntax", is_json)
"""JSON of any shape, as a "JSON mode" would accept it."""


def by_schema(valid: Callable[[Any], bool]) -> Accept:
    """JSON whose value `valid` accepts: a JSON Schema's validator, which lives in a room above."""

    def judge(text: str) -> bool:
        return is_json(text) and valid(json.loads(text))

    return Accept("schema", judge)


def _refused(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")
