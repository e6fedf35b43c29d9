"""The reference judge's yes or no inside a limited child, and a schema without one keyword."""

import time
from collections.abc import Callable
from copy import copy
from typing import Any

from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]

from playground.constraints.instances.idle import HOLD_LISTS, HOLD_MAPS, SINGLES
from playground.constraints.judge_keywords import Ignored, validator_class
from playground.constraints.judge_patterns import PatternUndecided
from playground.constraints.judge_time import TimeUp, bounded

SECONDS = 0.05
"""Longest judgement of one value."""


class Reference:
    """The reference judge of one schema and of schemas made from it. For the main thread of a child
    process only: the clock is a signal."""

    def __init__(self, schema: Any) -> None:
        self._kind = validator_class(schema, lambda: time.monotonic() + SECONDS, Ignored())

    def judge(self, schema: Any) -> Callable[[Any], bool | None]:
        """A judge of values, formats asserted: True valid, False invalid, None where it can't tell:
        at a reference that leads outside the document, a pattern that takes too long or is read in
        two ways, a recursion without end."""
        from referencing.exceptions import Unresolvable

        checker = self._kind.FORMAT_CHECKER
        validator = self._kind(schema, registry=REGISTRY, format_checker=checker)

        def verdict(value: Any) -> bool | None:
            try:
                with bounded(SECONDS):
                    return bool(validator.is_valid(value))
            except (TimeUp, PatternUndecided, Unresolvable, RecursionError):
                return None

        return verdict


def without(schema: Any, path: tuple[str | int, ...]) -> Any:
    """The schema with the keyword at `path` forbidding nothing; the rest is shared, not copied.

    A keyword that names things for its neighbours (`properties` for `additionalProperties`) keeps
    the names and lets every schema in it allow all; any other is taken out.
    """
    outer = copy(schema)
    if len(path) > 1:
        outer[path[0]] = without(schema[path[0]], path[1:])
        return outer
    keyword, value = path[0], schema[path[0]]
    holds = dict if keyword in HOLD_MAPS else list if keyword in HOLD_LISTS else None
    if holds is not None and isinstance(value, holds):
        outer[keyword] = _open(value)
    elif keyword in SINGLES:
        outer[keyword] = {}  # draft-04 has no boolean schemas
    else:
        del outer[keyword]
    return outer


def _open(value: Any) -> Any:
    return {name: {} for name in value} if isinstance(value, dict) else [{} for _ in value]
