"""What a validation error says, as one plain sentence."""

import json
from typing import Any

from playground.constraints.judge_numbers import Written

MAX_SHOWN = 60
"""Longest value or name that is shown, characters."""
MAX_MESSAGE = 300

_BOUNDS = {
    "minimum": "is below the least value",
    "maximum": "is above the greatest value",
    "exclusiveMinimum": "is not above",
    "exclusiveMaximum": "is not below",
}
_COUNTS = {
    "minLength": ("has {} characters, fewer than the least,", len),
    "maxLength": ("has {} characters, more than the most,", len),
    "minItems": ("has {} items, fewer than the least,", len),
    "maxItems": ("has {} items, more than the most,", len),
    "minProperties": ("has {} keys, fewer than the least,", len),
    "maxProperties": ("has {} keys, more than the most,", len),
}


def sentence(error: Any) -> str:
    """One sentence for a `jsonschema.ValidationError`."""
    keyword, asked, value = error.validator, error.validator_value, error.instance
    words = ""
    if keyword is None:
        words = f"{shown(value)} stands where nothing is allowed."
    elif keyword == "type":
        kinds = [asked] if isinstance(asked, str) else list(asked)
        words = f"{shown(value)} is not of type {' or '.join(map(str, kinds))}."
    elif keyword == "const":
        words = f"{shown(value)} is not {shown(asked)}."
    elif keyword == "enum":
        words = f"{shown(value)} is none of the listed values {shown(asked)}."
    elif keyword in _BOUNDS:
        words = f"{shown(value)} {_BOUNDS[keyword]} {shown(asked)}."
    elif keyword in _COUNTS:
        phrase, count = _COUNTS[keyword]
        words = f"{shown(value)} {phrase.format(count(value))} {shown(asked)}."
    elif keyword == "multipleOf":
        words = f"{shown(value)} is no multiple of {shown(asked)}."
    elif keyword == "pattern":
        words = f"{shown(value)} does not match the pattern {shown(asked)}."
    elif keyword == "format":
        words = f"{shown(value)} is no {'regex of ECMA 262' if asked == 'regex' else asked}."
    elif keyword == "uniqueItems":
        words = f"{shown(value)} has equal items."
    elif keyword == "oneOf":
        matched = "more than one alternative" if not error.context else "no alternative"
        words = f"{shown(value)} satisfies {matched} of oneOf; exactly one must hold."
    elif keyword == "anyOf":
        words = f"{shown(value)} satisfies no alternative of anyOf."
    elif keyword == "not":
        words = f"{shown(value)} satisfies what `not` rules out."
    elif keyword in ("minContains", "maxContains", "contains"):
        words = f"{shown(value)} has the wrong number of items that satisfy `contains`."
    elif keyword == "required":
        words = _required(error)
    elif keyword in ("additionalProperties", "unevaluatedProperties"):
        words = _extra(error)
    return shortened(words or error.message)


def not_allowed(value: Any, path: list[str | int], keyword: str) -> str:
    """One sentence for a value whose schema is `false`."""
    if path and isinstance(path[-1], str) and keyword in ("additionalProperties", "properties"):
        return f"The key {shown(path[-1])} is not allowed here."
    return f"{shown(value)} stands where nothing is allowed."


def _required(error: Any) -> str:
    names = [name for name in error.validator_value if name not in error.instance]
    for name in names:  # there is one error for each that is missing; its message begins with it
        if error.message.startswith(repr(name)):
            return f"The key {shown(name)} is missing."
    return ""


def _extra(error: Any) -> str:
    names = getattr(error, "extra_keys", None)
    if not names:
        return ""
    listed = ", ".join(shown(name) for name in names[:5])
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    if len(names) == 1:
        return f"The key {listed} is not allowed here."
    return f"The keys {listed}{more} are not allowed here."


def shown(value: Any) -> str:
    """A value as short JSON."""
    text = value.text if isinstance(value, Written) else json.dumps(value, ensure_ascii=False)
    if len(text) <= MAX_SHOWN:
        return text
    return f"{text[: MAX_SHOWN - 1]}…"


def shortened(words: str) -> str:
    """At most MAX_MESSAGE characters."""
    return words if len(words) <= MAX_MESSAGE else f"{words[: MAX_MESSAGE - 1]}…"
