"""A visitor's prompts: what is read, and how each mistake is told."""

import csv
import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from playground.errors import InvalidInput
from playground.study.items import LONGEST, LONGEST_ID, SETS, Item, read_items


def told(text: str, kind: str = "csv", most: int = 100) -> InvalidInput:
    with pytest.raises(InvalidInput) as caught:
        read_items(text, kind, most)  # type: ignore[arg-type]
    assert caught.value.hint, "no word on what to do"
    return caught.value


# what is read


def test_a_csv_with_every_column() -> None:
    text = (
        "\ufeffid,prompt,gold,source,note\r\n"
        'a,"Hello, ""you""\r\nthere","{""total"": 3}",the source,x\r\n'
        "\r\n"
        "b,plain,refund,,\r\n"
        "c,unknown,,,\r\n"
        "d,null,null,,\r\n"
    )
    assert read_items(text, "csv", 4) == (
        Item(id="a", prompt='Hello, "you"\r\nthere', gold={"total": 3}, source="the source"),
        Item(id="b", prompt="plain", gold="refund"),
        Item(id="c", prompt="unknown"),
        Item(id="d", prompt="null"),
    )


def test_gold_by_fields() -> None:
    text = (
        " Prompt ,gold.intent,GOLD.amount,gold.zip,gold.date\n"
        'x,refund,49,"""049""",null\n'
        "y,,,,\n"
        "z,a b,049,[1],\n"
    )
    one, two, three = read_items(text, "csv", 9)
    assert one.gold == {"intent": "refund", "amount": 49, "zip": "049", "date": None}
    assert two.gold is None
    assert three.gold == {"intent": "a b", "amount": "049", "zip": [1]}
    assert [one.id, two.id, three.id] == ["row-2", "row-3", "row-4"]
    assert {one.split, two.split} == {"test"}


def test_jsonl() -> None:
    text = (
        '\ufeff{"prompt": "a\\nb \u2028", "id": 7, "gold": {"x": null}}\r\n'
        "\r\n"
        '{"prompt": "c", "gold.x": 1, "gold.y": null, "other": {}}'
    )
    one, two = read_items(text, "jsonl", 2)
    assert one == Item(id="7", prompt="a\nb \u2028", gold={"x": None})
    assert two == Item(id="row-3", prompt="c", gold={"x": 1, "y": None})


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.text(
            st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1
        ).filter(str.strip),
        min_size=1,
        max_size=5,
    )
)
def test_what_is_written_is_read(prompts: list[str]) -> None:
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(["prompt", "gold"])
    writer.writerows([prompt, json.dumps(prompt)] for prompt in prompts)
    lines = "\n".join(json.dumps({"prompt": prompt, "gold": prompt}) for prompt in prompts)
    for text, kind in ((out.getvalue(), "csv"), (lines, "jsonl")):
        read = read_items(text, kind, 5)  # type: ignore[arg-type]
        assert [item.prompt for item in read] == prompts
        assert [item.gold for item in read] == prompts


PIECES = st.sampled_from(
    ["prompt", "gold", "gold.a", "id", ",", '"', '""', "\n", "\r", "\r\n", "\0", "{", "}", ":", "x",
     "\ufeff", ";", "1e999", "NaN", "\ud800", '{"prompt": "a"}', "[" * 200, " "]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=30).map("".join), st.sampled_from(["csv", "jsonl"]))
def test_any_text_is_read_or_refused_in_words(text: str, kind: str) -> None:
    for start in ("", "prompt,gold\n"):
        read, error = tried(start + text, kind)
        if error is not None:
            assert error.what.endswith((".", "?"))
            assert error.hint
            assert error.where.startswith("row ")
        else:
            assert 1 <= len(read) <= 3
            json.dumps([item.model_dump() for item in read], ensure_ascii=False).encode()


def tried(text: str, kind: str) -> tuple[tuple[Item, ...], InvalidInput | None]:
    try:
        return read_items(text, kind, 3), None  # type: ignore[arg-type]
    except InvalidInput as error:
        return (), error


# what is refused


@pytest.mark.parametrize(
    ("text", "what", "where", "line"),
    [
        ("", "no prompts", "row 1", 1),
        ("prompt\n\n", "no prompts", "row 1", 1),
        ("text,gold\na,b\n", "no column prompt", "row 1", 1),
        ("prompt;gold\na;b\n", "no column prompt", "row 1", 1),
        ("\nquestion\na\n", "no column prompt", "row 2", 2),
        ("prompt,id,ID\na,b,c\n", "same name", "row 1, column id", 1),
        ("prompt,gold.\na,b\n", "name of the field is missing", "row 2, column gold.", 2),
        ("prompt,gold,gold.a\na,b,c\n", "both gold and fields", "row 2, column gold.a", 2),
        ("prompt,id\na,1\n\nb,1\n", "'1' stands in row 2 already", "row 4, column id", 4),
        ("prompt,id\na,row-3\nb,\n", "'row-3' stands in row 2", "row 3, column id", 3),
        ("prompt,id\n,1\n", "prompt is empty", "row 2, column prompt", 2),
        ("prompt,id\n \t,1\n", "prompt is empty", "row 2, column prompt", 2),
        ("prompt,id\na,b,c\n", "3 cells, the header 2", "row 2", 2),
        ('prompt,id\n"a\nb",1\nc\n', "1 cells, the header 2", "row 3", 4),
        ('prompt\n"a\nb\n', "unexpected end of data", "row 2", 2),
        ('prompt\n"a"b\n', "',' expected", "row 2", 2),
        ("prompt\na\0b\n", "NUL", "row 2, column prompt", 2),
        ("prompt,gold\na,x\0\n", "NUL", "row 2, column gold", 2),
        ("prompt\n\ud800\n", "half", "row 2, column prompt", 2),
        (f"prompt\n{'x' * (LONGEST + 1)}\n", "20001 characters", "row 2, column prompt", 2),
        (f"prompt,source\na,{'x' * (LONGEST + 1)}\n", "20001", "row 2, column source", 2),
        (f"prompt\n{'x' * 200_000}\n", "field limit", "row 2", 2),
        (f"prompt,id\na,{'x' * (LONGEST_ID + 1)}\n", "at most 100", "row 2, column id", 2),
        ('prompt,id\na,"x\ny"\n', "one line", "row 2, column id", 2),
        ("prompt\na\nb\nc\nd\n", "more than 3 prompts", "row 5", 5),
    ],
)  # fmt: skip
def test_a_csv_is_refused_at_its_place(text: str, what: str, where: str, line: int) -> None:
    error = told(text, most=3)
    assert what in error.what
    assert (error.where, error.line) == (where, line)


@pytest.mark.parametrize(
    ("text", "what", "where", "line"),
    [
        ("\n\n", "no prompts", "row 1", 1),
        ('{"prompt": "a"}\n{"prompt": }', "Expected a value", "row 2, character 12", 2),
        ('[{"prompt": "a"}]', "no JSON object", "row 1", 1),
        ("[\n", "found the end", "row 1, character 2", 1),
        ('\n{"text": "a"}', "no prompt", "row 2, column prompt", 2),
        ('{"prompt": 5}', "prompt is no text", "row 1, column prompt", 1),
        ('{"prompt": null}', "prompt is empty", "row 1, column prompt", 1),
        ('{"prompt": "a", "id": true}', "id is no text", "row 1, column id", 1),
        ('{"prompt": "a", "source": ["b"]}', "source is no text", "row 1, column source", 1),
        ('{"prompt": "a", "prompt": "b"}', "stands twice", "row 1, character 17", 1),
        ('{"prompt": "a\\u0000"}', "NUL", "row 1, column prompt", 1),
        ('{"prompt": "\\ud800"}', "half", "row 1, character 13", 1),
        ('{"prompt": "a", "gold": NaN}', "Expected a value", "row 1, character 25", 1),
        ('{"prompt": "a", "gold": 1, "gold.b": 2}', "both gold", "row 1, column gold.b", 1),
        (json.dumps({"prompt": "x" * 20_001}), "20001 characters", "row 1, column prompt", 1),
        (json.dumps({"prompt": "x", "gold": ["x" * 20_001]}), "2000", "row 1, column gold", 1),
        ('{"prompt": "a", "gold": ' + "[" * 200, "deep", "row 1, character 125", 1),
        ('{"prompt": "a", "id": "1"}\n' * 2, "stands in row 1", "row 2, column id", 2),
        ('{"prompt": "a"}\n' * 4, "more than 3", "row 4", 4),
    ],
)  # fmt: skip
def test_a_jsonl_is_refused_at_its_place(text: str, what: str, where: str, line: int) -> None:
    error = told(text, "jsonl", most=3)
    assert what in error.what
    assert (error.where, error.line) == (where, line)


def test_hints_fit_the_mistake() -> None:
    assert "commas" in told("prompt;gold\na;b\n").hint
    assert "first row" in told("question,gold\na,b\n").hint
    assert "kind" in told("prompt\na\n", "xlsx").where


def test_at_the_bounds_all_is_well() -> None:
    text = f"prompt,id\n{'x' * LONGEST},{'i' * LONGEST_ID}\ny,2\n"
    assert [len(item.prompt) for item in read_items(text, "csv", 2)] == [LONGEST, 1]


# items


def test_an_item_is_frozen_and_closed() -> None:
    item = Item(id="a", prompt="p")
    assert item.text == "p"
    assert Item(id="a", prompt="p", source="s").text == "s"
    with pytest.raises(ValidationError):
        item.prompt = "q"  # type: ignore[misc]
    with pytest.raises(ValidationError):
        Item(id="a", prompt="p", golden=1)  # type: ignore[call-arg]


def test_sets_are_named_by_their_key() -> None:
    assert [built.name for built in SETS.values()] == list(SETS)
    for built in SETS.values():
        assert built.about.endswith(".")
        assert built.title
