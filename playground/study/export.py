"""The rows of a study as CSV and Parquet, and its whole document as strict JSON."""

import csv
import io
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from playground.study.prompts.base import Item
from playground.study.recommend import Recommendation
from playground.study.row import Row
from playground.study.spec import StudySpec
from playground.study.summary import Summary

if TYPE_CHECKING:
    import pyarrow

VERSION = 1
BOM = "\ufeff"
"""Tells a spreadsheet that the CSV is UTF-8."""
MOST_FIELDS = 100
"""Most fields of gold answers that get a column each in the CSV; beyond it they share one."""
RIGHT = "right"
"""Column of the CSV: the answer's value is the gold one; `right.<field>` for the field of an object."""
BOUNDS = ("squeeze", "z", "tv")

_HEAD = ("index", "item", "prompt", "gold")
_COLUMNS = (
    *_HEAD,
    *(
        f"{name}{side}"
        for name in Row.model_fields
        if name not in _HEAD
        for side in (("_lower", "_upper") if name in BOUNDS else ("",))
    ),
)
"""Of the CSV, but for the fields' own."""

_FORMULA = re.compile("'*[=+\\-@\t\r\n＝＋－＠]")
"""What a spreadsheet might take for a formula, and what `guarded` makes of it."""


def guarded(text: str) -> str:
    """`text` as a cell that no spreadsheet runs: one that starts a formula gets a `'` before it, and
    so does one that looks as if it had got one. Taking one `'` off each text that starts with `'`,
    any number of further ones and a sign of a formula gives the texts back."""
    return f"'{text}" if _FORMULA.match(text) else text


def spelled(value: Any) -> Any:
    r"""A document as strict JSON has it: nan and the infinities are null, and halves of surrogate
    pairs, which UTF-8 can't spell, stand as `\udc00`, in keys too."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {spelled(key): spelled(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [spelled(inner) for inner in value]
    return value


def rows_csv(rows: Iterable[Row], items: Sequence[Item]) -> bytes:
    """A line a row, with its prompt and gold answer: RFC 4180 (commas, CRLF, quotes doubled inside
    quotes), UTF-8 with a byte order mark, a header. Texts are `guarded`; numbers are numbers, true
    and false are `true` and `false`, None is an empty cell; bounds are two columns, lists JSON.

    Args:
        rows: of one study.
        items: its prompts, by index.
    """
    documents = [_flat(row, items[row.index]) for row in rows]
    names = list(dict.fromkeys(name for each in documents for name in each["fields"] or {}))
    columns = [name for name in _COLUMNS if name != "fields"]
    judged: dict[str, str] = {}
    if len(names) <= MOST_FIELDS:
        judged = {name: f"{RIGHT}.{name}" if name else RIGHT for name in names}
    elif names:
        columns.append("fields")
    file = io.StringIO(newline="")
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow([guarded(name) for name in (*columns, *spelled(list(judged.values())))])
    for each in documents:
        fields = each["fields"] or {}
        cells = [each[name] for name in columns] + [fields.get(name) for name in judged]
        writer.writerow([_cell(value) for value in cells])
    return (BOM + file.getvalue()).encode()


def _flat(row: Row, item: Item) -> dict[str, Any]:
    """The row's columns, bounds split in two; `fields` as it is."""
    flat: dict[str, Any] = {}
    for name, value in _document(row, item).items():
        if name in BOUNDS:
            flat[f"{name}_lower"], flat[f"{name}_upper"] = value or (None, None)
        else:
            flat[name] = value
    return flat


def _document(row: Row, item: Item) -> dict[str, Any]:
    """Everything about a row: its prompt and gold after the item's id, then the rest."""
    document = row.model_dump()
    head = {name: document.pop(name) for name in ("index", "item")}
    return {**head, "prompt": item.prompt, "gold": _json(item.gold), **document}


def _json(value: Any) -> str | None:
    """As JSON text; half of a surrogate pair stays one, and once `spelled` is JSON's own escape."""
    return None if value is None else json.dumps(value, ensure_ascii=False)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return guarded(str(spelled(value)))
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, int | float) else _cell(_json(value))


def rows_parquet(rows: Iterable[Row], items: Sequence[Item], about: Mapping[str, Any]) -> bytes:
    """A typed table, a line a row: `rows_csv` with bounds as structs, fields as a map, lists as lists.

    Args:
        rows: of one study.
        items: its prompts, by index.
        about: what the file's metadata say under the key `study`, as JSON.
    """
    import pyarrow.parquet

    schema = _schema().with_metadata({"study": json.dumps(spelled(about), allow_nan=False)})
    table = pyarrow.Table.from_pylist(
        [_typed(_document(row, items[row.index])) for row in rows], schema
    )
    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(table, sink, compression="zstd")
    return bytes(sink.getvalue())


def _typed(document: dict[str, Any]) -> dict[str, Any]:
    """As the Parquet schema has it."""
    for name in BOUNDS:
        if (bounds := document[name]) is not None:
            document[name] = {"lower": bounds[0], "upper": bounds[1]}
    fields = document["fields"]
    document = {**spelled({**document, "fields": None}), "fields": None}
    if fields is not None:
        document["fields"] = [(spelled(name), right) for name, right in fields.items()]
    return document


def _schema() -> "pyarrow.Schema":
    """The Parquet columns, in the order of `_document`."""
    import pyarrow as pa

    text, name, whole = pa.string(), pa.dictionary(pa.int32(), pa.string()), pa.int64()
    real = pa.float64()
    bounds = pa.struct([("lower", real), ("upper", real)])
    return pa.schema(
        [
            ("index", whole),
            ("item", text),
            ("prompt", text),
            ("gold", text),
            ("method", name),
            ("draw", whole),
            ("text", text),
            ("category", name),
            ("valid", pa.bool_()),
            ("failure", name),
            ("in_language", pa.bool_()),
            ("in_schema", pa.bool_()),
            ("in_salvaged", pa.bool_()),
            ("in_syntax", pa.bool_()),
            ("fields", pa.map_(text, pa.bool_())),
            ("ungrounded", pa.list_(text)),
            ("p_yes", real),
            ("tokens", whole),
            ("steps", whole),
            ("attempts", whole),
            ("rows", whole),
            ("log_p", real),
            ("length", whole),
            ("bits", real),
            ("squeeze", bounds),
            ("z", bounds),
            ("tv", bounds),
            ("path", pa.list_(pa.int32())),
        ]
    )


def study_document(
    spec: StudySpec,
    provenance: Mapping[str, Any],
    command: str,
    summary: Summary,
    recommendation: Recommendation,
    done: bool,
) -> dict[str, Any]:
    """A study as one strict JSON document: what was asked, of which model, how to ask it again, and
    what came out. `done` is False while prompts are left."""
    return {
        "v": VERSION,
        "spec": spelled(spec.model_dump(mode="python")),
        "provenance": spelled(dict(provenance)),
        "command": spelled(command),
        "done": done,
        "summary": spelled(summary.model_dump()),
        "recommendation": spelled(recommendation.model_dump()),
    }
