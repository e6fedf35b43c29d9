"""A JSON Schema's own validator as a judge of values: no fetching, and no pattern that runs away."""

import json
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]

from playground.constraints.child import run_child
from playground.constraints.jsonschema.keywords import subschemas
from playground.constraints.judge_keywords import Ignored, validator_class
from playground.constraints.judge_patterns import PatternUndecided
from playground.constraints.limits import Limits
from playground.errors import BudgetExceeded

SECONDS = 5.0
"""Longest judging of one value in a child."""
NEVER = float("inf")
REASON = 300
"""Longest reason, characters."""


def schema_judge(text: str) -> Callable[[Any], bool]:
    """A judge of JSON values by the JSON Schema in `text`, its dialect by `$schema`.

    A remote `$ref` is never fetched: a value that comes to one is not valid. Patterns are searched
    with a limit of time; where `unevaluatedProperties` stands beside `patternProperties`, whose
    patterns jsonschema itself searches, a value is judged in a limited child process. A keyword
    whose value is of the wrong kind is passed over.

    Raises (the judge, when asked):
        BudgetExceeded: a pattern takes too long on a value, or its readers differ on it.
    """
    schema = json.loads(text)
    keywords = {key for inner, _ in subschemas(schema) if isinstance(inner, dict) for key in inner}
    if {"patternProperties", "unevaluatedProperties"} <= keywords:
        return _in_a_child(text)
    validator = validator_class(schema, lambda: NEVER, Ignored())(schema, registry=REGISTRY)

    def valid(value: Any) -> bool:
        from referencing.exceptions import Unresolvable

        try:
            return bool(validator.is_valid(value))
        except (Unresolvable, RecursionError):
            return False
        except PatternUndecided as error:
            raise _undecided(str(error)) from None

    return valid


def schema_reason(text: str) -> Callable[[Any], str]:
    """What the JSON Schema in `text` has against a value that `schema_judge` refuses, in a sentence
    with the value's place: the error that jsonschema holds for the most telling one."""
    schema = json.loads(text)
    validator = validator_class(schema, lambda: NEVER, Ignored())(schema, registry=REGISTRY)

    def reason(value: Any) -> str:
        from jsonschema.exceptions import best_match
        from referencing.exceptions import Unresolvable

        try:
            error = best_match(validator.iter_errors(value))
        except (Unresolvable, RecursionError, PatternUndecided) as failure:
            return shortened(str(failure))
        if error is None:
            return "The schema refuses it."
        return shortened(f"At {error.json_path}: {error.message}.")

    return reason


def shortened(message: str) -> str:
    """The first `REASON` characters of a message, which may hold a whole value."""
    return message if len(message) <= REASON else f"{message[:REASON]} ..."


def _in_a_child(text: str) -> Callable[[Any], bool]:
    @lru_cache(maxsize=1024)
    def judged(written: str) -> bool:
        request = {
            "engine": "judge",
            "task": "schema",
            "schema": text,
            "formats": False,
            "texts": [{"text": written}],
        }
        head, _ = run_child(request, Limits(seconds=SECONDS))
        (verdict,) = head["verdicts"]
        if verdict["status"] == "unknown" and not verdict["missing"]:
            raise _undecided(verdict["message"])
        return bool(verdict["status"] == "valid")

    return lambda value: judged(json.dumps(value))


def _undecided(why: str) -> BudgetExceeded:
    return BudgetExceeded(
        why,
        "Write the pattern without nested repetition, or accept by the mask's language.",
        "pattern",
    )
