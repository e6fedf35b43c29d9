"""The prompts of a study: the built-in sets, and a visitor's own from a CSV or JSONL text."""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NoReturn

from playground.constraints.jsonschema.source import BOM, parse
from playground.constraints.position import first_surrogate, half_a_pair
from playground.errors import InvalidInput
from playground.study.prompts.base import INPUT, Item, PromptSet, occurs
from playground.study.prompts.contacts import CONTACTS
from playground.study.prompts.contracts import CONTRACTS
from playground.study.prompts.invoices import INVOICES
from playground.study.prompts.reasoning import REASONING
from playground.study.prompts.sentiment import SENTIMENT
from playground.study.prompts.tickets import TICKETS
from playground.study.prompts.tickets_hand import TICKETS_HAND

__all__ = ["INPUT", "LONGEST", "SETS", "Item", "Kind", "PromptSet", "occurs", "read_items"]

SETS: Mapping[str, PromptSet] = {
    each.name: each
    for each in (TICKETS, TICKETS_HAND, INVOICES, CONTRACTS, SENTIMENT, CONTACTS, REASONING)
}
"""Name -> built-in set."""

Kind = Literal["csv", "jsonl"]

LONGEST = 20_000
"""Longest prompt, gold or source, in characters."""
LONGEST_ID = 100
"""Longest id, in characters."""
COLUMNS = ("prompt", "id", "gold", "source")
FIELD = "gold."
"""`gold.total` is the column of the field `total` of the gold answer."""


@dataclass(frozen=True, slots=True)
class _Row:
    """One row as read: the number that is told to the visitor, the line of the text on which it starts,
    and its cells by column."""

    number: int
    line: int
    cells: Mapping[str, Any]

    def fail(self, what: str, hint: str, column: str = "") -> NoReturn:
        place = f", column {column[:60]}" if column else ""
        raise InvalidInput(what, hint, f"row {self.number}{place}", self.line)


def read_items(text: str, kind: Kind, most: int) -> tuple[Item, ...]:
    """A visitor's prompts, in their order, all of split "test".

    Columns of a CSV, keys of a JSONL line: `prompt` (required), `id`, `source`, and either `gold`
    or `gold.<field>` for each field of the answer; others are passed over. In a CSV a gold cell is
    JSON where it reads as JSON (49, true, "49" in quotes for the text 49), else plain text; an
    empty one is unknown, `null` is null. Blank rows are passed over. A row without an id gets
    `row-` and its number.

    Args:
        text: the file's contents; a byte order mark and CRLF line ends are fine.
        kind: "csv" (commas, quotes doubled inside quotes, a header) or "jsonl" (an object a line).
        most: most prompts accepted.

    Raises:
        InvalidInput: says which row (counted as in a spreadsheet: the header of a CSV is row 1) and
            which column can't be used, and what to do.
    """
    text = text.removeprefix(BOM)
    if kind not in ("csv", "jsonl"):
        raise InvalidInput("Prompts come as CSV or JSONL.", "Choose one of the two.", "kind")
    rows = _csv_rows(text) if kind == "csv" else _json_rows(text)
    items: dict[str, Item] = {}
    first_row: dict[str, int] = {}
    for row in rows:
        if len(items) == most:
            row.fail(
                f"There are more than {most} prompts.",
                f"A file may hold at most {most}, however few are asked: remove rows, or split it.",
            )
        item = _item(row)
        if item.id in items:
            row.fail(
                f"The id {item.id!r} stands in row {first_row[item.id]} already.",
                "Give each row an id of its own, or leave the column out.",
                "id",
            )
        items[item.id], first_row[item.id] = item, row.number
    if not items:
        raise InvalidInput("There are no prompts.", "Add a row with a prompt.", "row 1", 1)
    return tuple(items.values())


def _item(row: _Row) -> Item:
    prompt = _text(row, "prompt")
    if not prompt.strip():
        row.fail("The prompt is empty.", "Write one, or remove the row.", "prompt")
    name = _text(row, "id").strip() or f"row-{row.number}"
    if len(name) > LONGEST_ID or not name.isprintable():
        row.fail(
            f"An id is one line of at most {LONGEST_ID} characters.",
            "Shorten it, or leave the column out.",
            "id",
        )
    return Item(id=name, prompt=prompt, source=_text(row, "source"), gold=_gold(row))


def _text(row: _Row, column: str) -> str:
    value = row.cells.get(column)
    if value is None:
        return ""
    if column == "id" and isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        row.fail(f"The {column} is no text.", "Write it in double quotes.", column)
    _check(row, value, column)
    return value


def _check(row: _Row, value: str, column: str) -> None:
    """Refuse what no prompt may hold: too much, NUL, half of a surrogate pair."""
    if len(value) > LONGEST:
        row.fail(
            f"The text has {len(value)} characters; at most {LONGEST} are read.",
            "Shorten it.",
            column,
        )
    if "\0" in value:
        row.fail("The text holds a NUL character.", "Remove it, or save the file as UTF-8.", column)
    half = first_surrogate(value)
    if half is not None:
        row.fail(*half_a_pair(value[half]), column)


def _gold(row: _Row) -> Any:
    fields = {name: value for name, value in row.cells.items() if name.startswith(FIELD)}
    for name in fields:
        if name == FIELD:
            row.fail("The name of the field is missing.", "Write it after `gold.`.", name)
        if "gold" in row.cells:
            row.fail("There are both gold and fields of it.", "Keep one of the two.", name)
    known = {name: value for name, value in fields.items() if value is not _UNKNOWN}
    gold = {name.removeprefix(FIELD): value for name, value in known.items()}
    answer = (gold or None) if fields else row.cells.get("gold")
    _check(row, json.dumps(answer, ensure_ascii=False), "gold")
    return answer


_UNKNOWN = object()
"""An empty cell of a gold field: not the same as null."""


def _csv_rows(text: str) -> Iterator[_Row]:
    columns: list[str] = []
    for number, line, record in _records(text):
        if not columns:
            columns = _header(_Row(number, line, {}), record)
            continue
        row = _Row(number, line, dict(zip(columns, record, strict=False)))
        if len(record) != len(columns):
            row.fail(
                f"The row has {len(record)} cells, the header {len(columns)}.",
                "Put double quotes around a text that holds commas or line breaks.",
            )
        yield _Row(number, line, {name: _cell(row, name) for name in row.cells})


def _records(text: str) -> Iterator[tuple[int, int, list[str]]]:
    """(number, first line, cells) of the rows that are not blank; numbers are from 1 and count the
    blank ones too."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    number = 0
    while True:
        number, line = number + 1, reader.line_num + 1
        try:
            record = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            _Row(number, line, {}).fail(
                f"This is no CSV: {error}.",
                f"Close every quote, double the quotes inside quotes, and keep texts under {LONGEST} "
                "characters.",
            )
        if any(cell.strip() for cell in record):
            yield number, line, record


def _header(row: _Row, record: list[str]) -> list[str]:
    """The columns' names: the known ones in any case, with blanks around them cut off."""
    names = [_name(cell.strip()) for cell in record]
    if "prompt" not in names:
        other = next((mark for mark in (";", "\t") if mark in "".join(record)), None)
        row.fail(
            "The header has no column prompt.",
            "Separate the columns with commas."
            if other
            else "The first row names the columns: prompt, and if you like id, gold, source.",
        )
    for at, name in enumerate(names):
        if name and name in names[:at]:
            row.fail("Two columns have the same name.", "Rename or remove one.", name)
    return names


def _name(cell: str) -> str:
    lower = cell.lower()
    if lower in COLUMNS:
        return lower
    return FIELD + cell[len(FIELD) :].strip() if lower.startswith(FIELD) else cell


def _cell(row: _Row, name: str) -> Any:
    """A cell's value: a gold one is read as JSON where it is JSON."""
    cell = row.cells[name]
    if name != "gold" and not name.startswith(FIELD):
        return cell
    _check(row, cell, name)
    if not cell.strip():
        return None if name == "gold" else _UNKNOWN
    try:
        return parse(cell).value
    except InvalidInput:
        return cell


def _json_rows(text: str) -> Iterator[_Row]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        row = _Row(number, number, {})
        try:
            value = parse(line).value
        except InvalidInput as error:
            raise InvalidInput(
                error.what,
                error.hint or "Each line is one JSON object.",
                f"row {number}, character {error.column}",
                number,
                error.column,
            ) from None
        if not isinstance(value, dict):
            row.fail("The line is no JSON object.", 'Write one a line: {"prompt": "..."}.')
        if "prompt" not in value:
            row.fail("The line has no prompt.", 'Add the key "prompt".', "prompt")
        yield _Row(number, number, value)
