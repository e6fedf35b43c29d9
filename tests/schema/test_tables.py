"""The two tables over public schemas, a part of each: nothing unsaid in the mask's verdicts."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from playground.constraints.instances.goals import Map
from playground.constraints.instances.ordered import Speller
from tests.tables_maskbench import maskbench, rows
from tests.tables_suite import FOLDER, REMOTE, Counts, count, groups

FULL = bool(os.environ.get("PLAYGROUND_FULL_SUITE"))
"""Every group and every schema is asked when the variable is set (minutes); else a part."""


def test_no_verdict_over_the_public_suite_is_wrong_in_silence(shared: Path) -> None:
    if not (shared / FOLDER).is_dir():
        pytest.skip("the JSON Schema Test Suite is absent")
    total, complaints = Counts(), list[str]()
    for file, group in groups(shared, 1 if FULL else 9):
        total.add(count(file, group, complaints))
    assert not complaints
    assert total.reference == total.tests - total.remote
    assert total.agrees / (total.tests - total.remote) > 0.9


def test_the_exempted_groups_exist_and_name_a_document_elsewhere(shared: Path) -> None:
    if not (shared / FOLDER).is_dir():
        pytest.skip("the JSON Schema Test Suite is absent")
    named = {(file, name) for file, names in REMOTE.items() for name in names}
    exempt = [group for file, group in groups(shared) if (file, group["description"]) in named]
    assert len(exempt) >= len(named)
    assert all("localhost:1234" in json.dumps(group["schema"]) for group in exempt)


def test_our_masks_allow_no_invalid_instance_of_the_world_in_silence(shared: Path) -> None:
    if not (shared / "maskbench" / "schemas.jsonl").is_file():
        pytest.skip("the maskbench schemas are absent")
    engines = ("bytes", "auto") if FULL else ("bytes",)
    table, good = maskbench(shared, 1 if FULL else 12, engines)
    assert good, table


def test_a_wrong_mask_does_not_pass(shared: Path, monkeypatch: Any) -> None:
    if not (shared / FOLDER).is_dir():
        pytest.skip("the JSON Schema Test Suite is absent")
    file, group = next((f, g) for f, g in groups(shared) if f == "minimum.json")
    monkeypatch.setattr("tests.tables_suite.accepts", lambda automaton, text: True)
    complaints: list[str] = []
    found = count(file, group, complaints)
    assert found.bad_loose > 0
    assert any("although enforced" in line for line in complaints)


def test_reordering_changes_no_value_and_follows_the_schema(shared: Path) -> None:
    if not (shared / "maskbench" / "schemas.jsonl").is_file():
        pytest.skip("the maskbench schemas are absent")
    for row in rows(shared, 5):
        speller = Speller(Map(row["schema"]))
        for test in row["tests"]:
            spelled = json.loads(speller.text(test["data"]))
            assert spelled == test["data"]
            names = row["schema"].get("properties", {})
            if isinstance(spelled, dict) and "allOf" not in row["schema"]:
                known = [key for key in spelled if key in names]
                assert known == [name for name in names if name in spelled]
