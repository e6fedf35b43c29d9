"""The record type of a schema that was read: its options judged, and their combinations."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

from playground.constraints.jsonschema.refs import canonical
from playground.errors import InvalidInput
from playground.fields.accepted import records_accepted, values_accepted
from playground.fields.numbers import Candidate
from playground.fields.reading import Leaf, Reading
from playground.fields.record_type import ABSENT, Field, Kind, Option, RecordType, ordinal

MOST_JUDGED: Final = 10_000
"""Most combinations that are judged one by one."""
LEFT_OUT: Final = "(left out)"
"""The label of an optional field that is not there."""

Cancelled = Callable[[], bool] | None


def built(reading: Reading, schema: str, cancelled: Cancelled) -> RecordType:
    """The record type of a reading of `schema` that refused nothing.

    Raises:
        InvalidInput: a field or the whole record can have no value; too many combinations.
        BudgetExceeded: judging takes too long.
        Cancelled: `cancelled` said so.
    """
    asked = [
        (leaf.path, value)
        for leaf in reading.leaves
        for candidate in leaf.candidates
        for value in candidate.tries
    ]
    verdicts = iter(values_accepted(schema, asked, cancelled))
    found = [_field(leaf, verdicts) for leaf in reading.leaves]
    fields = tuple(field for field in found if field is not None)
    if not fields:
        raise InvalidInput(
            "No property of the schema can have a value.", "Mend them.", "/properties"
        )
    _require_different(fields)
    objects = tuple(path for path in reading.required if _may_be_empty(path, fields))
    record_type = RecordType(fields, schema, None, tuple(reading.notes), objects)
    allowed = _allowed(record_type, reading.ruled, cancelled)
    if allowed is None:
        return record_type
    binned = any(option.lower is not None for field in fields for option in field.options)
    note = (
        f"{len(allowed):,} of {record_type.combinations:,} combinations are allowed by the schema's "
        "rules" + (", which were asked for one value of each bin." if binned else ".")
    )
    return RecordType(fields, schema, allowed, (*reading.notes, note), objects)


@dataclass(frozen=True, slots=True)
class _Kept:
    """A candidate and the value that stands for it."""

    candidate: Candidate
    value: Any


def _field(leaf: Leaf, verdicts: Iterator[bool]) -> Field | None:
    """The field with the options that the schema allows; None if it is left out always."""
    name = ".".join(leaf.path)
    kept = []
    for candidate in leaf.candidates:
        good = [value for value in candidate.tries if next(verdicts)]
        if good:
            kept.append(_Kept(candidate, good[0]))
        elif candidate.lower is not None:
            raise InvalidInput(
                f"The schema allows none of the {len(candidate.tries)} values that were tried in "
                f"the bin {candidate.label} of `{name}`.",
                "Choose other edges.",
                leaf.pointer,
            )
    kept = _different(kept)
    for each in kept:
        if isinstance(each.value, list | dict):
            raise InvalidInput(
                f"An option of `{name}` is a list or an object.",
                "Use texts, numbers, true, false and null.",
                leaf.pointer,
            )
    if not kept and leaf.optional:
        return None
    if not kept:
        raise InvalidInput(f"Nothing is valid as `{name}`.", "Mend its schema.", leaf.pointer)
    return _made(leaf, kept)


def _made(leaf: Leaf, kept: Sequence[_Kept]) -> Field:
    values = [each.value for each in kept]
    kind: Kind = "choice"
    if any(each.candidate.lower is not None for each in kept):
        spans = [each.value for each in kept if each.candidate.lower is not None]
        kind = "date" if isinstance(spans[0], str) else "binned"
    elif leaf.is_date:
        kind = "date"
    elif not leaf.optional and len(values) == 2 and all(isinstance(each, bool) for each in values):
        kind = "boolean"
        kept = sorted(kept, key=lambda each: bool(each.value))
    options = [
        Option(label, each.value, each.candidate.lower, each.candidate.upper)
        for label, each in zip(_labels(kept), kept, strict=True)
    ]
    if leaf.optional:
        options.append(Option(LEFT_OUT, ABSENT))
    return Field(leaf.path, kind, tuple(options), leaf.description)


def _labels(kept: Sequence[_Kept]) -> list[str]:
    """Texts as they are, other values as JSON; texts in quotes where two would be the same."""
    out = []
    for each in kept:
        plain = each.value if isinstance(each.value, str) else dumps(each.value)
        out.append(each.candidate.label or plain)
    counts = {label: out.count(label) for label in {*out, LEFT_OUT}}
    return [
        dumps(each.value)
        if isinstance(each.value, str) and (counts[label] > 1 or label == LEFT_OUT)
        else label
        for label, each in zip(out, kept, strict=True)
    ]


def _different(kept: Sequence[_Kept]) -> list[_Kept]:
    """Without values that stand there already, or lie in a bin."""
    spans = [each for each in kept if each.candidate.lower is not None]
    seen: set[str] = set()
    out = []
    for each in kept:
        if each.candidate.lower is None:
            written = canonical(each.value)
            if written in seen or (spans and _in_spans(each.value, spans)):
                continue
            seen.add(written)
        out.append(each)
    return out


def dumps(value: Any) -> str:
    """JSON on one line, letters as they are."""
    return json.dumps(value, ensure_ascii=False)


def _in_spans(value: Any, spans: Sequence[_Kept]) -> bool:
    is_date = isinstance(spans[0].value, str)
    number = ordinal(value) if is_date else value
    if isinstance(number, bool) or not isinstance(number, int | float):
        return False
    lows = [each.candidate.lower for each in spans if each.candidate.lower is not None]
    highs = [each.candidate.upper for each in spans if each.candidate.upper is not None]
    return min(lows) <= number <= max(highs)


def _require_different(fields: Sequence[Field]) -> None:
    names = [field.name for field in fields]
    for name in names:
        if names.count(name) > 1:
            raise InvalidInput(
                f"Two fields are called `{name[:80]}`: one has a dot in its key.",
                "Rename one of them.",
                name[:80],
            )


def _may_be_empty(path: tuple[str, ...], fields: Sequence[Field]) -> bool:
    """Every field inside may be left out."""
    inside = [field for field in fields if field.path[: len(path)] == path]
    return all(any(option.value is ABSENT for option in field.options) for field in inside)


def _allowed(
    record_type: RecordType, ruled: bool, cancelled: Cancelled
) -> frozenset[tuple[int, ...]] | None:
    """The combinations whose record the schema allows; None if it allows all."""
    if not ruled and all(_judged(record_type, _each_option_once(record_type), cancelled)):
        return None
    if record_type.combinations > MOST_JUDGED:
        raise InvalidInput(
            f"The schema has rules on how fields go together, and there are "
            f"{record_type.combinations:,} combinations: at most {MOST_JUDGED:,} are judged.",
            "Use fewer fields, fewer options or wider bins, or take the rules away.",
            "the schema",
        )
    every = list(product(*map(range, record_type.sizes)))
    verdicts = _judged(record_type, every, cancelled)
    allowed = frozenset(at for at, good in zip(every, verdicts, strict=True) if good)
    if not allowed:
        raise InvalidInput(
            "The schema allows no combination of the fields' options.",
            "Mend what it requires, or the rules on how fields go together.",
            "the schema",
        )
    return None if len(allowed) == len(every) else allowed


def _each_option_once(record_type: RecordType) -> list[tuple[int, ...]]:
    """Few combinations in which every option stands."""
    sizes = record_type.sizes
    return [tuple(at % size for size in sizes) for at in range(max(sizes))]


def _judged(
    record_type: RecordType, combinations: Sequence[tuple[int, ...]], cancelled: Cancelled
) -> list[bool]:
    return records_accepted(record_type.schema, map(record_type.record, combinations), cancelled)
