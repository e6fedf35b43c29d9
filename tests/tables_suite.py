"""The JSON Schema Test Suite (draft 2020-12) by keyword: the reference and the mask."""

import json
import sys
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from playground.constraints.bytes_vocabulary import BYTES
from playground.constraints.compile import compile_constraint
from playground.constraints.instances.goals import Map
from playground.constraints.instances.ordered import Speller
from playground.constraints.judge_schema import SchemaJudge
from playground.constraints.spec import ConstraintSpec
from playground.errors import BudgetExceeded, EmptyLanguage, InvalidInput, UnsupportedSchema
from playground.schema.asking import accepts
from tests.tables_blame import blamed, disclaims, narrows

FOLDER = Path("json-schema-test-suite") / "tests" / "draft2020-12"


@dataclass(slots=True)
class Counts:
    """Tests of one keyword."""

    tests: int = 0
    remote: int = 0
    reference: int = 0
    agrees: int = 0
    stricter: int = 0
    loose: int = 0
    refused: int = 0
    bad_stricter: int = 0
    bad_loose: int = 0

    def add(self, other: "Counts") -> None:
        for field in fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))


REMOTE: dict[str, tuple[str, ...]] = {
    "dynamicRef.json": (
        "strict-tree schema, guards against misspelled properties",
        "tests for implementation dynamic anchor and reference link",
        "$ref and $dynamicAnchor are independent of order - $defs first",
        "$ref and $dynamicAnchor are independent of order - $ref first",
        "$ref to $dynamicRef finds detached $dynamicAnchor",
    ),
    "refRemote.json": (
        "remote ref",
        "fragment within remote ref",
        "anchor within remote ref",
        "ref within remote ref",
        "base URI change",
        "base URI change - change folder",
        "base URI change - change folder in subschema",
        "root ref in remote ref",
        "remote ref with ref to defs",
        "Location-independent identifier in remote ref",
        "retrieved nested refs resolve relative to their URI not $id",
        "remote HTTP ref with different $id",
        "remote HTTP ref with different URN $id",
        "remote HTTP ref with nested absolute ref",
        "$ref to $ref finds detached $anchor",
    ),
    "vocabulary.json": ("schema that uses custom metaschema with with no validation vocabulary",),
}
"""File -> the groups that need a document of the suite's own server."""


def count(file: str, group: dict[str, Any], complaints: list[str]) -> Counts:
    """The tests of one group; what must not happen is added to `complaints`."""
    schema, tests = group["schema"], group["tests"]
    out = Counts(tests=len(tests))
    if group["description"] in REMOTE.get(file, ()):
        out.remote = len(tests)
        return out
    source = json.dumps(schema, ensure_ascii=False)
    reference, speller = SchemaJudge(source, formats=False), Speller(Map(schema))
    for test in tests:
        verdict = reference.judge({"text": json.dumps(test["data"])}, 1.0)["status"]
        right = verdict == ("valid" if test["valid"] else "invalid")
        out.reference += right
        if not right:
            complaints.append(
                f"reference: {file}: {group['description']}: {test['description']}: {verdict}"
            )
    try:
        compiled = compile_constraint(ConstraintSpec(kind="schema", source=source), BYTES)
    except EmptyLanguage:
        for test in tests:
            out.agrees += not test["valid"]
            out.bad_stricter += test["valid"]
        return out
    except (UnsupportedSchema, BudgetExceeded, InvalidInput):
        out.refused = len(tests)
        return out
    notes = compiled.report.notes
    for test in tests:
        text = speller.text(test["data"])
        allowed = accepts(compiled.automaton, text.encode("utf-8", "surrogatepass"))
        where = f"{file}: {group['description']}: {text[:80]}"
        if allowed == test["valid"]:
            out.agrees += 1
        elif not allowed and narrows(notes):
            out.stricter += 1
        elif not allowed:
            out.bad_stricter += 1
            complaints.append(f"stricter without a note: {where}")
        elif disclaims(notes, blamed(schema, test["data"])):
            out.loose += 1
        else:
            out.bad_loose += 1
            complaints.append(f"allowed although enforced: {where}")
    return out


def groups(shared: Path, stride: int = 1) -> list[tuple[str, dict[str, Any]]]:
    """(file, group) of the suite, every `stride`-th."""
    found = [
        (path.name, group)
        for path in sorted((shared / FOLDER).glob("*.json"))
        for group in json.loads(path.read_text())
    ]
    return found[::stride]


def suite(shared: Path, stride: int = 1) -> tuple[str, bool]:
    """The table as Markdown, and whether all is as it must be."""
    by_file: dict[str, Counts] = {}
    total, complaints = Counts(), list[str]()
    listed = groups(shared, stride)
    for index, (file, group) in enumerate(listed):
        found = count(file, group, complaints)
        by_file.setdefault(file.removesuffix(".json"), Counts()).add(found)
        total.add(found)
        if index % 50 == 49:
            print(f"{index + 1} of {len(listed)} groups", file=sys.stderr, flush=True)
    for line in complaints:
        print(line, file=sys.stderr)
    head = (
        "keyword | tests | need remote documents | reference right | mask agrees | stricter, said | "
        "not enforced, said | refused | stricter, unsaid | allowed although enforced"
    )
    lines = [f"| {head} |", f"|{' --- |' * 10}"]
    for name, counts in [*by_file.items(), ("**all**", total)]:
        numbers = [getattr(counts, field.name) for field in fields(counts)]
        lines.append(f"| {name} | {' | '.join(f'{number:,}' for number in numbers)} |")
    asked = total.tests - total.remote
    return "\n".join(lines), not (total.bad_stricter or total.bad_loose or total.reference < asked)
