"""A schema made ready for the reference judge: broken keywords left out, `false` written out, parts found."""

import copy
from collections.abc import Container
from itertools import islice, pairwise
from typing import Any

from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]

from playground.constraints.jsonschema.check import dialect
from playground.constraints.jsonschema.keywords import HOLD_ONE, children, subschemas
from playground.constraints.jsonschema.source import keys, step
from playground.constraints.judge_time import TimeUp, bounded

MAX_BREACHES = 50
META_SECONDS = 0.3
"""Longest check of the schema itself."""
NOTHING: dict[str, Any] = {"not": {}}
"""Stands for the schema `false`."""
_UNEVALUATED = ("/unevaluatedProperties", "/unevaluatedItems")
_WRONG_KIND = frozenset({"type", "anyOf", "enum", "$dynamicRef", "$ref"})
"""Breaches of the metaschema after which a keyword's value can't be read as it is meant."""


def keyword_of(pointer: str) -> str:
    """The keyword that holds the schema `false` at a pointer."""
    parts = pointer.split("/")
    if parts[-1] in HOLD_ONE:
        return parts[-1]
    return parts[-2] if len(parts) > 2 else "false"


def broken_keywords(schema: Any, holders: set[str]) -> dict[str, None]:
    """The pointers of the keywords whose value is of the wrong kind, so that nothing can be read
    in them; `holders` are the pointers of all schemas."""
    kind = dialect(schema)
    meta = kind(kind.META_SCHEMA, registry=REGISTRY)
    out: dict[str, None] = {}
    try:
        with bounded(META_SECONDS):
            for error in islice(meta.iter_errors(schema), MAX_BREACHES):
                keyword = _keyword(list(error.absolute_path), holders)
                if keyword is not None and error.validator in _WRONG_KIND:
                    out[keyword] = None
    except (TimeUp, RecursionError):
        return {}
    return out


def _keyword(path: list[str | int], holders: set[str]) -> str | None:
    """The pointer of the innermost keyword that `path` leads into."""
    pointers = [""]
    for part in path:
        pointers.append(step(pointers[-1], part))
    for outer, inner in reversed(list(pairwise(pointers))):
        if outer in holders:
            return inner
    return None


def written_out(value: Any, at: str, broken: Container[str], pointers: dict[int, str]) -> Any:
    """A copy without the broken keywords, and with NOTHING for `false`, whose errors jsonschema
    tells without their place. The schemas in it are entered into `pointers`."""
    if isinstance(value, list):
        return [written_out(each, step(at, i), broken, pointers) for i, each in enumerate(value)]
    if not isinstance(value, dict):
        return value
    kept = {
        key: written_out(inner, step(at, key), broken, pointers)
        for key, inner in value.items()
        if step(at, key) not in broken
    }
    if id(value) in pointers:
        pointers[id(kept)] = at
        for inner, pointer in children(value, at):
            if inner is False and not pointer.endswith(_UNEVALUATED):
                _put(kept, pointer[len(at) :], pointers, pointer)
    return kept


def _put(schema: dict[str, Any], inside: str, pointers: dict[int, str], pointer: str) -> None:
    """Write NOTHING in the place of a `false` one level down."""
    nothing = copy.deepcopy(NOTHING)
    pointers[id(nothing)] = pointer
    keyword, *rest = keys(inside)
    if keyword not in schema:
        return
    if not rest:
        schema[keyword] = nothing
    elif isinstance(schema[keyword], list):
        schema[keyword][int(rest[0])] = nothing
    else:
        schema[keyword][rest[0]] = nothing


def unchecked_formats(schema: Any, checker: Any) -> list[str]:
    """Formats in use that the checker doesn't know."""
    used = {
        inner["format"]
        for inner, _ in subschemas(schema)
        if isinstance(inner, dict) and isinstance(inner.get("format"), str)
    }
    return sorted(used - set(checker.checkers))
