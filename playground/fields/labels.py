"""The labels of training rows as options of a record type; a row outside the schema is named."""

import copy
import json
import re
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from playground.errors import InvalidInput
from playground.fields.accepted import records_accepted, values_accepted
from playground.fields.record_type import RecordType
from playground.study.prompts.base import Item

_NUMBERED = re.compile(r"row-(\d+)")

Cancelled = Callable[[], bool] | None


def read_records(
    items: Sequence[Item], record_type: RecordType, cancelled: Cancelled = None
) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """The texts of some items and their labels.

    Args:
        items: of a prompt set, or a visitor's own as `study.items.read_items` reads them from CSV
            or JSONL. A field inside an object may be a column by its whole name: `gold.a.b`.
        record_type: what their gold answers are records of.
        cancelled: asked while labels are judged.

    Returns:
        (N,) texts, the prompts alone; (N, F) int64, the option of every field.

    Raises:
        InvalidInput: there is no item; or naming the row and the field: no gold answer, a value
            that is no option or that the schema refuses, a combination that it refuses.
        BudgetExceeded: judging the labels takes too long.
        Cancelled: `cancelled` said so.
    """
    if not items:
        raise InvalidInput("There are no rows to learn from.", "Add rows with labels.", "rows")
    golds = [_record(item, record_type) for item in items]
    labels = [
        record_type.indices(gold, _row(item)) for item, gold in zip(items, golds, strict=True)
    ]
    _require_accepted(items, golds, record_type, cancelled)
    texts = tuple(item.prompt for item in items)
    return texts, np.array(labels, dtype=np.int64)


def _row(item: Item) -> str:
    """How a row is called: by its number where it has no id of its own."""
    numbered = _NUMBERED.fullmatch(item.id)
    return f"row {numbered[1]}" if numbered else f"row {item.id!r}"


def _record(item: Item, record_type: RecordType) -> dict[str, Any]:
    """The gold answer, with columns such as `a.b` put into the object `a`."""
    if item.gold is None:
        raise InvalidInput(
            "The row has no labels.",
            "Write them under gold, or under gold. and the field's name.",
            f"{_row(item)}, gold",
        )
    if not isinstance(item.gold, dict):
        raise InvalidInput(
            "The labels are no JSON object.",
            "Write a value for each of: " + ", ".join(record_type.names) + ".",
            f"{_row(item)}, gold",
        )
    deep = {field.name: field.path for field in record_type.fields if len(field.path) > 1}
    out = copy.deepcopy({key: item.gold[key] for key in item.gold if key not in deep})
    for key in deep.keys() & item.gold.keys():
        *above, last = deep[key]
        inner = out
        for name in above:
            inner = inner.setdefault(name, {})
            if not isinstance(inner, dict):
                _refuse(item, key, f"{key} stands inside {name}, which is no object here.")
        if last in inner:
            _refuse(item, key, f"{key} is given twice.")
        inner[last] = item.gold[key]
    return out


def _refuse(item: Item, field: str, what: str) -> NoReturn:
    raise InvalidInput(what, "Write one of the two.", f"{_row(item)}, {field}")


def _require_accepted(
    items: Sequence[Item],
    golds: Sequence[dict[str, Any]],
    record_type: RecordType,
    cancelled: Cancelled,
) -> None:
    """The schema allows the records themselves: a bin may hold numbers that it refuses."""
    binned = [
        at
        for at, field in enumerate(record_type.fields)
        if any(option.lower is not None for option in field.options)
    ]
    if not binned and not record_type.objects:
        return
    written = [json.dumps(gold, sort_keys=True) for gold in golds]
    first = {text: at for at, text in reversed(list(enumerate(written)))}
    distinct = sorted(first.values())
    verdicts = records_accepted(record_type.schema, (golds[at] for at in distinct), cancelled)
    for at, good in zip(distinct, verdicts, strict=True):
        if not good:
            raise InvalidInput(
                f"The schema refuses the labels {written[at][:120]}.",
                "Mend the value: not every number of a bin need be allowed.",
                f"{_row(items[at])}, {_blamed(golds[at], record_type, binned, cancelled)}",
            )


def _blamed(
    gold: dict[str, Any], record_type: RecordType, binned: Sequence[int], cancelled: Cancelled
) -> str:
    """The first binned field whose value the schema refuses; `record` if it is a rule."""
    fields = [record_type.fields[at] for at in binned]
    asked = [(field.path, _value(gold, field.path)) for field in fields]
    verdicts = values_accepted(record_type.schema, asked, cancelled)
    refused = [field.name for field, good in zip(fields, verdicts, strict=True) if not good]
    return refused[0] if refused else "record"


def _value(gold: Any, path: Sequence[str]) -> Any:
    for key in path:
        gold = gold.get(key) if isinstance(gold, dict) else None
    return gold
