"""jsonschema's validators made safe for what people type: no fetching, bounded patterns, guarded keywords."""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from jsonschema import FormatChecker, ValidationError
from jsonschema.exceptions import UnknownType
from jsonschema.validators import extend

from playground.constraints.jsonschema.check import dialect
from playground.constraints.judge_ecma import is_pattern
from playground.constraints.judge_numbers import is_multiple
from playground.constraints.judge_patterns import found

Keyword = Callable[[Any, Any, Any, Any], Iterator[ValidationError]]

BROKEN = (
    TypeError,
    ValueError,
    AttributeError,
    LookupError,
    ArithmeticError,
    UnknownType,
    re.error,
)
"""What a keyword's implementation raises when the keyword's value is of the wrong kind."""


class Ignored:
    """The keywords that could not be read, each once, in the order met."""

    def __init__(self) -> None:
        self._seen: dict[tuple[int, str], tuple[Any, str, str]] = {}

    def add(self, schema: Any, keyword: str, why: str) -> None:
        self._seen.setdefault((id(schema), keyword), (schema, keyword, why))

    def __iter__(self) -> Iterator[tuple[Any, str, str]]:
        """The schema that holds it, the keyword, and why."""
        return iter(self._seen.values())


def validator_class(
    schema: Any,
    until: Callable[[], float],
    ignored: Ignored,
    rounded: list[tuple[Any, Any, bool]] | None = None,
) -> Any:
    """jsonschema's class for the dialect of `schema`, with keywords that can't run away or crash.

    Args:
        schema: a whole JSON Schema.
        until: the moment on the monotonic clock at which a search of a pattern ends.
        ignored: where broken keywords are noted; they count as satisfied.
        rounded: where a number and a `multipleOf` are noted that a validator which divides floats
            judges otherwise, and whether it accepts them; not noted if None.

    Its validation raises `PatternUndecided` where a pattern can't be decided, and
    `referencing.exceptions.Unresolvable` at a reference that leads outside or nowhere.
    """
    kind = dialect(schema)
    searches = _Searches(until)
    ours: dict[str, Keyword] = {"pattern": searches.pattern}
    if "patternProperties" in kind.VALIDATORS:
        ours["patternProperties"] = searches.pattern_properties
        ours["additionalProperties"] = searches.additional_properties
    for name in ("multipleOf", "divisibleBy"):
        if name in kind.VALIDATORS:
            ours[name] = _exact(kind.VALIDATORS[name], rounded)
    functions = {**kind.VALIDATORS, **ours}
    return extend(
        kind,
        {name: _guarded(name, run, ignored) for name, run in functions.items()},
        format_checker=_formats(kind),
    )


def _guarded(keyword: str, run: Keyword, ignored: Ignored) -> Keyword:
    from referencing.exceptions import Unresolvable

    def guarded(validator: Any, value: Any, instance: Any, schema: Any) -> Any:
        try:
            yield from run(validator, value, instance, schema) or ()
        except Unresolvable:
            raise
        except BROKEN as error:
            ignored.add(schema, keyword, str(error)[:200])

    return guarded


def _formats(kind: Any) -> Any:
    """The formats that a class of jsonschema's checks, `regex` as ECMA 262 has it instead of
    Python; without `color`, for which jsonschema takes names and hex codes of another standard."""
    checker = FormatChecker(formats=())
    checker.checkers = {
        name: check for name, check in kind.FORMAT_CHECKER.checkers.items() if name != "color"
    }
    checker.checkers["regex"] = (
        lambda text: not isinstance(text, str) or is_pattern(text),
        (),
    )
    return checker


def _exact(floating: Keyword, rounded: list[tuple[Any, Any, bool]] | None) -> Keyword:
    """`multipleOf` in exact arithmetic; `floating` is jsonschema's, which divides floats."""

    def multiple_of(validator: Any, unit: Any, instance: Any, schema: Any) -> Any:
        if not validator.is_type(instance, "number"):
            return
        exact = is_multiple(instance, unit)
        if rounded is not None:
            with suppress(*BROKEN):
                accepts = not any(True for _ in floating(validator, unit, instance, schema) or ())
                if accepts != exact:
                    rounded.append((instance, unit, accepts))
        if not exact:
            yield ValidationError("it is no multiple")

    return multiple_of


class _Searches:
    """The keywords that search patterns."""

    def __init__(self, until: Callable[[], float]) -> None:
        self._until = until

    def _found(self, pattern: str, text: str) -> bool:
        return found(pattern, text, self._until())

    def pattern(self, validator: Any, pattern: Any, instance: Any, schema: Any) -> Any:
        if validator.is_type(instance, "string") and not self._found(pattern, instance):
            yield ValidationError("the pattern is not found")

    def pattern_properties(self, validator: Any, patterns: Any, instance: Any, schema: Any) -> Any:
        if not validator.is_type(instance, "object"):
            return
        for pattern, inner in patterns.items():
            for key, value in instance.items():
                if self._found(pattern, key):
                    yield from validator.descend(value, inner, path=key, schema_path=pattern)

    def additional_properties(self, validator: Any, inner: Any, instance: Any, schema: Any) -> Any:
        if not validator.is_type(instance, "object"):
            return
        named = schema.get("properties", {})
        patterns = schema.get("patternProperties", {})
        extra = [
            key
            for key in instance
            if key not in named and not any(self._found(each, key) for each in patterns)
        ]
        if validator.is_type(inner, "object"):
            for key in extra:
                yield from validator.descend(instance[key], inner, path=key)
        elif inner is False and extra:
            error = ValidationError("keys that are not allowed")
            error.extra_keys = extra
            yield error
