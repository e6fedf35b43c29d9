"""The reference judge of JSON Schema: jsonschema's errors as documents, for many texts, in a child."""

import time
from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from typing import Any

from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]
from referencing.exceptions import Unresolvable

from playground.constraints.jsonschema.keywords import KNOWN, subschemas
from playground.constraints.jsonschema.source import BOM, step
from playground.constraints.judge_keywords import Ignored, validator_class
from playground.constraints.judge_numbers import loads
from playground.constraints.judge_paths import must_hold
from playground.constraints.judge_patterns import PatternUndecided
from playground.constraints.judge_ready import (
    NOTHING,
    broken_keywords,
    keyword_of,
    unchecked_formats,
    written_out,
)
from playground.constraints.judge_time import TimeUp, bounded
from playground.constraints.judge_words import not_allowed, sentence, shown

MAX_ERRORS = 20
"""So many errors of one text are told."""
MAX_BRANCHES = 8
MAX_DEPTH = 3
"""Levels of anyOf inside anyOf whose branches are told."""


class SchemaJudge:
    """Judges JSON texts by one schema."""

    def __init__(
        self, schema_text: str, formats: bool, broken: Collection[str] | None = None
    ) -> None:
        """`broken` is what another judge of this schema found in its attribute of that name."""
        self.until = 0.0
        self._root = loads(schema_text.removeprefix(BOM))
        self._pointers = {
            id(inner): pointer
            for inner, pointer in subschemas(self._root)
            if isinstance(inner, dict)
        }
        self._ignored = Ignored()
        if broken is None:
            broken = broken_keywords(self._root, set(self._pointers.values()))
        self.broken = list(broken)
        """Pointers of keywords that are left out: their values are of the wrong kind."""
        schema = written_out(self._root, "", self.broken, self._pointers)
        self._rounded: list[tuple[Any, Any, bool]] = []
        kind = validator_class(schema, lambda: self.until, self._ignored, self._rounded)
        checker = kind.FORMAT_CHECKER if formats else None
        self._unchecked = unchecked_formats(self._root, checker) if formats else []
        self._validator = kind(schema, registry=REGISTRY, format_checker=checker)
        self._strict = None
        """Asserts formats, where the judge itself doesn't and the schema has some."""
        if not formats and '"format"' in schema_text:
            self._strict = kind(schema, registry=REGISTRY, format_checker=kind.FORMAT_CHECKER)

    def remarks(self) -> list[str]:
        """What the judge could not read, as sentences; call it after judging."""
        dropped = [(pointer, "its value is of the wrong kind") for pointer in self.broken]
        for schema, keyword, why in self._ignored:
            dropped.append((step(self._pointers.get(id(schema), ""), keyword), why))
        out = [
            f"The schema breaks its metaschema: the reference judge ignores {pointer} ({why})."
            for pointer, why in dropped
        ]
        out += [
            f"The reference judge doesn't check the format `{name}`." for name in self._unchecked
        ]
        return out

    def judge(self, task: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """The raw verdict of one text: `status` and `errors`, or `message` where unknown, with
        `missing` where a reference leads nowhere; `remarks` of a whole text are sentences.

        Args:
            task: `text`, and of a text that is cut off `closed`: pairs of a path and the text of
                a complete value, for which alone it is judged.
            seconds: what it may take.
        """
        errors: list[dict[str, Any]] = []
        why, missing = "", False
        self.until = time.monotonic() + seconds
        self._rounded.clear()
        try:
            with bounded(seconds):
                for found in islice(self._errors(task), MAX_ERRORS):
                    errors.append(self.document(found, ()))
        except TimeUp:
            why = f"It takes more than {seconds:g} seconds."
        except PatternUndecided as error:
            why = str(error)
        except Unresolvable as error:
            missing = True
            why = (
                f"The schema refers to {shown(_reference(str(error.ref)))}, which is not in it; "
                "nothing is fetched."
            )
        except RecursionError:
            why = "The schema refers to itself without end, or the text is nested too deep."
        except MemoryError:
            why = "It needs too much memory."
        if errors:  # one is enough, whatever came after
            return {"status": "invalid", "errors": errors, "remarks": self._of_floats()}
        if why:
            return {"status": "unknown", "message": why, "missing": missing}
        if "closed" in task:
            return {"status": "incomplete"}
        remarks = self._of_floats()
        formats = self._formats(task["text"], seconds)
        return {"status": "valid", "formats": formats, "remarks": remarks}

    def _of_floats(self) -> list[str]:
        """Where a validator that rounds would judge this text otherwise, as sentences."""
        said = [
            f"A validator that divides floats takes {shown(value)} for "
            f"{'a' if accepts else 'no'} multiple of {shown(unit)}."
            for value, unit, accepts in self._rounded
        ]
        return list(dict.fromkeys(said))[:MAX_ERRORS]

    def _formats(self, text: str, seconds: float) -> list[dict[str, Any]]:
        """The errors of a valid text under asserted formats."""
        if self._strict is None:
            return []
        try:
            with bounded(seconds):
                found = islice(self._strict.iter_errors(loads(text)), MAX_ERRORS)
                return [self.document(error, ()) for error in found]
        except (TimeUp, PatternUndecided, Unresolvable, RecursionError, MemoryError):
            return []  # it is only looked up to explain; nothing hangs on it

    def _errors(self, task: Mapping[str, Any]) -> Iterator[Any]:
        if "closed" not in task:
            yield from self._validator.iter_errors(loads(task["text"]))
            return
        for path, text in task["closed"]:
            value = loads(text)
            for schema in must_hold(self._validator.schema, path):
                for error in self._validator.descend(value, schema):
                    error.path.extendleft(reversed(path))
                    yield error

    def document(self, error: Any, above: tuple[str | int, ...], depth: int = 0) -> dict[str, Any]:
        """An error: keyword, pointer, path, sentence and branches; places are the caller's work."""
        path = (*above, *error.path)
        pointer = self._pointer(error)
        out = {
            "keyword": error.validator,
            "schema_pointer": pointer,
            "path": list(path),
            "message": sentence(error),
            "through": [each for each in error.absolute_schema_path if each in KNOWN],
            "branches": [],
        }
        if error.schema == NOTHING and id(error.schema) in self._pointers:
            out["keyword"] = keyword_of(pointer)
            out["message"] = not_allowed(error.instance, list(path), out["keyword"])
        elif error.schema is False:
            out["keyword"] = "false"
        if error.context and error.validator in ("anyOf", "oneOf") and depth < MAX_DEPTH:
            out["branches"] = self._branches(error, pointer, path, depth)
        return out

    def _branches(
        self, error: Any, pointer: str, path: tuple[str | int, ...], depth: int
    ) -> list[dict[str, Any]]:
        """The alternatives, the closest first."""
        grouped: dict[int, list[Any]] = {}
        for inner in error.context:
            grouped.setdefault(inner.schema_path[0], []).append(inner)
        ranked = sorted(grouped, key=lambda index: (sum(map(_distance, grouped[index])), index))
        return [
            {
                "title": f"branch {index + 1} of {error.validator}",
                "pointer": step(pointer, index),
                "errors": [
                    self.document(inner, path, depth + 1) for inner in grouped[index][:MAX_ERRORS]
                ],
            }
            for index in ranked[:MAX_BRANCHES]
        ]

    def _pointer(self, error: Any) -> str:
        """Where the keyword stands in the schema as written; of an error in another document, the
        reference that leads there."""
        known = self._pointers.get(id(error.schema))
        if known is not None:
            return known if error.schema == NOTHING else step(known, error.validator)
        at, value = "", self._root
        for part in error.absolute_schema_path:
            if (isinstance(value, dict) and part in value) or (
                isinstance(value, list) and isinstance(part, int) and part < len(value)
            ):
                value = value[part]
            else:
                break
            at = step(at, part)
        return step(at, "$ref") if isinstance(value, dict) and "$ref" in value else at


def _reference(ref: str) -> str:
    return f"#{ref}" if ref.startswith("/") else ref


def _distance(error: Any) -> float:
    """How far an error is from being mended: little for one deep inside, much for a wrong type and
    for a value that names another alternative."""
    deep = len(error.path)
    if error.context:
        return 1 + min(_distance(inner) for inner in error.context) / (1 + deep)
    if error.validator in ("const", "enum"):
        return 8.0 / max(1, deep)
    if error.validator in ("type", "not"):
        return 4.0 / deep if deep else 20.0
    return 3.0 / (1 + deep)
