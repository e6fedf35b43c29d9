"""Keys in another order than the mask's: said where it is the reason, and nowhere else."""

import json
from itertools import permutations

import pytest

from playground.constraints.bytes_vocabulary import BYTES
from playground.constraints.compile import compile_constraint
from playground.constraints.spec import ConstraintSpec
from playground.schema.disagree import judge

SCHEMA = {
    "type": "object",
    "properties": {
        "a": {"type": "integer"},
        "b": {
            "type": "object",
            "properties": {"x": {"type": "integer"}, "y": {"type": "boolean"}},
            "required": ["x", "y"],
            "additionalProperties": False,
        },
        "c": {"type": "integer"},
        "d": {"type": "integer"},
    },
    "required": ["a", "b"],
    "additionalProperties": False,
}
INSIDE = {"x": 1, "y": True}
ENGINES = ("bytes", "xgrammar", "llguidance")


def judged(texts, engine="bytes"):
    source = json.dumps(SCHEMA)
    spec = ConstraintSpec(kind="schema", source=source, engine=engine)
    found = compile_constraint(spec, BYTES)
    return judge(spec, found.automaton, found.report.notes, texts, schema_text=source)


def said(text, engine="bytes"):
    """The finding's words and the remarks about one text, together."""
    (one,) = judged([text], engine)
    return " ".join([one["finding"]["words"] if one["finding"] else "", *one["remarks"]])


@pytest.mark.parametrize("engine", ENGINES)
def test_every_other_order_of_a_valid_text_is_told_with_the_order_that_is_wanted(engine) -> None:
    orders = list(permutations({"a": 1, "b": INSIDE, "c": 2}.items()))
    texts = [json.dumps(dict(order)) for order in orders]
    for order, one in zip(orders, judged(texts, engine), strict=True):
        assert one["reference"]["status"] == "valid"
        if [name for name, _ in order] == ["a", "b", "c"]:
            assert one["finding"] is None
        else:
            assert "order of its keys: the mask wants `a`, `b`, `c`." in one["finding"]["words"]
        assert one["remarks"] == []


def test_the_object_is_named_whose_keys_are_out_of_order() -> None:
    inner = json.dumps({"a": 1, "b": {"y": True, "x": 1}})
    assert "the mask wants `x`, `y` in `$.b`." in said(inner)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("text", "wants"),
    [
        # Invalid for another reason too, which stands further on.
        ('{"b": {"x": 1, "y": true}, "a": "no"}', "wants `a`, `b`."),
        ('{"a": 1, "b": {"y": true, "x": "no"}}', "wants `x`, `y` in `$.b`."),
        # The mask stops at the comma: nothing comes after the last key.
        ('{"a": 1, "b": {"x": 1, "y": true}, "d": 1, "c": "2"}', "wants `a`, `b`, `c`, `d`."),
        ('{"a": 1, "c": "2", "b": 1}', "wants `a`, `b`, `c`."),
        ('{"c": 2, "a": 1, "b": 3}', "wants `a`, `b`, `c`."),
        # Cut off: what has to come first may still come, and the mask would not take it.
        ('{"b": {"x"', "wants `a`, `b`."),
        ('{"a": 1, "c": 2', "wants `a`, `b`, `c`."),
    ],
)
def test_a_refused_text_is_told_its_order_where_that_is_why_the_mask_stops(
    text, wants, engine
) -> None:
    (one,) = judged([text], engine)
    assert one["mask"]["status"] == "invalid"
    told = [remark for remark in one["remarks"] if "another order" in remark]
    assert bool(told) == bool(wants)
    assert wants in "".join(told)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "text",
    [
        '{"z": 1, "a": 1}',  # no key of the schema
        '{"b": {"x": 1, "y": true}}',  # one is missing
        '{"a": "no", "b": {"x": 1, "y": true}}',
        '{"a": 1, "b": {"x": 1, "y": true}, "c": 1, "z": 1}',
        '{"a": 1, "a": 2, "b": {"x": 1, "y": true}}',
        '{"a": 1, "b": {"x": 1, "y": true}, "c": 1, "b": 1}',  # for the second time
        '[{"b": 1, "a": 1}]',
        "nothing",
        "",
    ],
)
def test_the_order_is_not_blamed_for_anything_else(text, engine) -> None:
    assert "order" not in said(text, engine)
