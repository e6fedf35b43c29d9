"""Rows out: what is written reads back as it was, and no spreadsheet runs a cell of it."""

import csv
import io
import json
import math
import re

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from playground.study.export import (
    BOM,
    MOST_FIELDS,
    guarded,
    rows_csv,
    rows_parquet,
    spelled,
    study_document,
)
from playground.study.prompts.base import Item
from playground.study.recommend import recommend
from playground.study.row import Row
from playground.study.spec import StudySpec
from playground.study.summary import summarise

STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def row(**changed: object) -> Row:
    plain: dict[str, object] = {
        "index": 0, "item": "a", "method": "ask", "draw": 0, "text": "yes", "category": "right",
        "valid": True, "failure": None, "in_language": True, "in_schema": True, "in_salvaged": True,
        "in_syntax": False, "fields": {"city": True, "": False}, "ungrounded": ("/city",),
        "tokens": 7, "steps": 5, "attempts": 1, "rows": 4, "log_p": -12.5, "length": 7, "bits": None,
        "squeeze": (-1.25, 2.0), "z": (0.1, 0.3), "tv": None, "path": (4, 5, 2),
    }  # fmt: skip
    return Row.model_validate({**plain, **changed})


def item(**changed: object) -> Item:
    return Item.model_validate({"id": "a", "prompt": "Where?", "gold": {"city": "Rome"}, **changed})


def read(content: bytes) -> list[dict[str, str]]:
    text = content.decode("utf-8")
    assert text.startswith(BOM)
    return list(csv.DictReader(io.StringIO(text.removeprefix(BOM), newline="")))


def bare(cell: str) -> str:
    """What `guarded` was given."""
    return cell[1:] if re.match(r"'+[=+\-@\t\r\n＝＋－＠]", cell) else cell


@pytest.mark.parametrize("start", STARTS)
def test_a_cell_that_starts_a_formula_is_prefixed_wherever_a_text_may_stand(start: str) -> None:
    evil = f'{start}HYPERLINK("http://example.com","x")'
    cells = read(
        rows_csv([row(text=evil, fields={evil: True})], [item(id=evil, prompt=evil, gold=evil)])
    )[0]
    assert cells["text"] == f"'{evil}"
    assert cells["prompt"] == f"'{evil}"
    for name, cell in cells.items():
        numeric = re.fullmatch(r"-?[0-9.e+-]+", cell)
        assert numeric or not cell.startswith(STARTS), name
        assert not name.startswith(STARTS)


def test_numbers_below_zero_stay_numbers() -> None:
    cells = read(rows_csv([row()], [item()]))[0]
    assert float(cells["log_p"]) == -12.5
    assert float(cells["squeeze_lower"]) == -1.25


@given(st.text(st.characters(codec="utf-8"), max_size=40))
def test_every_text_comes_back_from_the_csv(text: str) -> None:
    cells = read(rows_csv([row(text=text)], [item(prompt=text)]))[0]
    assert bare(cells["text"]) == text
    assert bare(cells["prompt"]) == text


@given(st.text("'=+-@\t\r\nab", max_size=8))
def test_a_guarded_text_starts_no_formula_and_comes_back(text: str) -> None:
    assert not guarded(text).startswith(STARTS)
    assert bare(guarded(text)) == text


def test_the_csv_is_rfc_4180_with_a_line_a_row() -> None:
    content = rows_csv([row(text='a,"b"\nc'), row(draw=1)], [item()])
    assert content.count(b"\r\n") == 3
    assert b'"a,""b""\nc"' in content
    cells = read(content)[0]
    assert (cells["valid"], cells["in_syntax"], cells["failure"]) == ("true", "false", "")
    assert (cells["right.city"], cells["right"]) == ("true", "false")
    assert json.loads(cells["gold"]) == {"city": "Rome"}
    assert json.loads(cells["path"]) == [4, 5, 2]
    assert (cells["z_lower"], cells["z_upper"], cells["tv_lower"]) == ("0.1", "0.3", "")


def test_a_study_without_rows_has_the_header_alone() -> None:
    header = rows_csv([], []).decode().removeprefix(BOM)
    assert header.startswith("index,item,prompt,gold,method,")
    assert header.count("\r\n") == 1
    assert set(read(rows_csv([row(fields=None)], [item()]))[0]) == set(header.strip().split(","))
    assert pq.read_table(io.BytesIO(rows_parquet([], [], {}))).num_rows == 0


def test_very_many_fields_share_one_column() -> None:
    fields = {f"f{number}": number % 2 == 0 for number in range(MOST_FIELDS + 1)}
    cells = read(rows_csv([row(fields=fields)], [item()]))[0]
    assert json.loads(cells["fields"]) == fields
    assert not any(name.startswith("right") for name in cells)


def test_parquet_has_types_and_gives_every_value_back() -> None:
    given_ = [row(), row(draw=1, fields=None, ungrounded=None, log_p=None, z=None, text="=1\r\n")]
    table = pq.read_table(io.BytesIO(rows_parquet(given_, [item()], {"n": 2})))
    assert str(table.schema.field("log_p").type) == "double"
    assert str(table.schema.field("draw").type) == "int64"
    assert str(table.schema.field("valid").type) == "bool"
    assert json.loads(table.schema.metadata[b"study"]) == {"n": 2}
    for found, one in zip(table.to_pylist(), given_, strict=True):
        expected = one.model_dump()
        assert (found.pop("prompt"), json.loads(found.pop("gold"))) == ("Where?", {"city": "Rome"})
        for name in ("squeeze", "z", "tv"):
            found[name] = found[name] and (found[name]["lower"], found[name]["upper"])
        found["fields"] = None if found["fields"] is None else dict(found["fields"])
        for name in ("ungrounded", "path"):
            found[name] = None if found[name] is None else tuple(found[name])
        assert found == expected


def test_every_column_of_a_row_is_in_both_files() -> None:
    columns = pq.read_table(io.BytesIO(rows_parquet([row()], [item()], {}))).column_names
    assert set(columns) == {*Row.model_fields, "prompt", "gold"}
    cells = read(rows_csv([row()], [item()]))[0]
    for name in columns:
        assert {name, f"{name}_lower", "right.city" if name == "fields" else name} & set(cells)


def test_half_a_surrogate_pair_is_spelled_out_everywhere() -> None:
    half = item(prompt="a\ud800", gold={"k\udc00": "\ud800"})
    cells = read(rows_csv([row()], [half]))[0]
    assert cells["prompt"] == "a\\ud800"
    assert json.loads(cells["gold"]) == half.gold  # JSON has an escape for it
    found = pq.read_table(io.BytesIO(rows_parquet([row()], [half], {"x": "\ud800"})))
    assert found.column("prompt")[0].as_py() == "a\\ud800"


def test_a_document_is_strict_json() -> None:
    spelt = spelled({"a": math.nan, "b": [math.inf, 1.5, ("\ud800",)], "\udfff": {"c": None}})
    assert spelt == {"a": None, "b": [None, 1.5, ["\\ud800"]], "\\udfff": {"c": None}}
    spec = StudySpec(items=(item(prompt="a\ud800"),), n=1, methods=("ask",))
    summary = summarise(spec, [row(fields={"city": True})])
    document = study_document(spec, {"model": "m"}, "again", summary, recommend(summary), True)
    text = json.dumps(document, allow_nan=False, ensure_ascii=False).encode("utf-8")
    back = json.loads(text)
    assert back["summary"]["rows"] == 1
    assert StudySpec.model_validate({**back["spec"], "items": ()}).methods == ("ask",)
    assert set(back) == {
        "v", "spec", "provenance", "command", "done", "summary", "recommendation",
    }  # fmt: skip
