"""Keywords that say nothing where they stand: without a partner, or in a draft that lacks them."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from playground.constraints.jsonschema.keywords import ANNOTATIONS, KNOWN, REFERENCES

_PARTNERS: Mapping[str, str] = MappingProxyType(
    {
        "additionalItems": "a list under `items`",
        "else": "`if`",
        "if": "`then` or `else`",
        "maxContains": "`contains`",
        "minContains": "`contains`",
        "then": "`if`",
    }
)
_JUDGED_BESIDE: Mapping[str, str] = MappingProxyType(
    {
        "else": "if",
        "maxContains": "unevaluatedItems",
        "minContains": "unevaluatedItems",
        "then": "if",
    }
)
"""Keyword -> one that came with the same draft; validators judge the first inside another's rule."""
_COUNT_IF = frozenset({"else", "then", "unevaluatedItems", "unevaluatedProperties"})
_ALWAYS = ANNOTATIONS | REFERENCES | {"$defs", "contentSchema", "definitions"}


def lacks(keyword: str, owner: Mapping[str, Any]) -> str:
    """What a keyword of the schema `owner` means nothing without and doesn't stand beside, in words
    such as "`if`"; empty where nothing is lacking."""
    if keyword not in _PARTNERS:
        return ""
    if keyword == "additionalItems":
        there = isinstance(owner.get("items"), list)
    elif keyword == "if":  # `unevaluated...` counts what it looks at
        there = not _COUNT_IF.isdisjoint(owner)
    else:
        there = _PARTNERS[keyword].strip("`") in owner
    return "" if there else _PARTNERS[keyword]


def is_foreign(keyword: str, validator: Any) -> bool:
    """A keyword of JSON Schema that the draft of jsonschema's class `validator` doesn't have."""
    if keyword not in KNOWN or keyword in _ALWAYS:
        return False
    return _JUDGED_BESIDE.get(keyword, keyword) not in validator.VALIDATORS


def foreign(schema: Mapping[str, Any], validator: Any) -> Iterator[str]:
    """The keywords of one schema that its draft doesn't have, but for those that lack a partner.

    Draft 4 has `exclusiveMinimum` and `exclusiveMaximum`, as parts of the bounds.
    """
    for keyword in schema:
        in_bound = keyword.startswith("exclusive") and isinstance(schema[keyword], bool)
        if is_foreign(keyword, validator) and not in_bound and not lacks(keyword, schema):
            yield keyword
