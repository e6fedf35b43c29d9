"""200 schemas of the world with valid and invalid instances, engine by engine."""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from playground.constraints.bytes_vocabulary import BYTES
from playground.constraints.compile import compile_constraint
from playground.constraints.engines import ENGINES
from playground.constraints.instances.goals import Map
from playground.constraints.instances.ordered import Speller
from playground.constraints.limits import Limits
from playground.constraints.spec import MAX_SOURCE, ConstraintSpec
from playground.errors import PlaygroundError
from playground.schema.asking import accepts
from tests.tables_blame import blamed, disclaims

OTHERS = Limits(seconds=8)
THREADS = 2
OURS = frozenset({"bytes", "auto"})
"""Engines of which no invalid instance may be allowed but where their notes disclaim the keyword.
Every engine is held to the same: it claims whatever it compiles and its notes don't disclaim."""

Row = dict[str, Any]


def rows(shared: Path, stride: int = 1) -> list[Row]:
    """The schemas, every `stride`-th."""
    lines = (shared / "maskbench" / "schemas.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines[::stride]]


def count(row: Row, engine: str, complaints: list[str]) -> Counter[str]:
    """What an engine makes of one schema and its instances."""
    schema, out = row["schema"], Counter[str](schemas=1)
    source = json.dumps(schema, ensure_ascii=False)
    if len(source) > MAX_SOURCE:
        return out + Counter(refused=1)
    spec = ConstraintSpec(kind="schema", source=source, engine=engine)
    valid = sum(test["valid"] for test in row["tests"])
    out.update(valid=valid, invalid=len(row["tests"]) - valid)
    try:
        compiled = compile_constraint(spec, BYTES, limits=Limits() if engine in OURS else OTHERS)
    except PlaygroundError as error:
        print(f"{engine}: {row['id']}: {error.what[:120]}", file=sys.stderr, flush=True)
        return out + Counter(refused=1)
    out["compiled"] = 1
    speller, strict, unsound, loose = Speller(Map(schema)), 0, 0, 0
    for test in row["tests"]:
        text = speller.text(test["data"])
        allowed = accepts(compiled.automaton, text.encode("utf-8", "surrogatepass"))
        if test["valid"]:
            out["allowed"] += allowed
            strict += not allowed
            if not allowed:
                complaints.append(f"{engine} blocks a valid one: {row['id']}")
        elif allowed:
            said = disclaims(compiled.report.notes, blamed(schema, test["data"]))
            loose += said
            unsound += not said
            if not said:
                complaints.append(f"{engine} allows an invalid one: {row['id']}: {text[:80]}")
    out.update(sound=not unsound and not loose, strict=strict > 0, loose=loose > 0, claimed=unsound)
    return out


def maskbench(shared: Path, stride: int = 1, engines: tuple[str, ...] = ()) -> tuple[str, bool]:
    """The table as Markdown, and whether our own engines are as they must be."""
    head = (
        "engine | compiled | refused | sound | too strict | not enforced, said | "
        "valid instances allowed | invalid instances allowed where enforcement is claimed"
    )
    lines, good = [f"| {head} |", f"|{' --- |' * 8}"], True
    for engine in engines or tuple(ENGINES):
        total, complaints = Counter[str](), list[str]()
        for found in _counted(rows(shared, stride), engine, complaints):
            total.update(found)
        for line in complaints if engine in OURS else complaints[:5]:
            print(line, file=sys.stderr)
        share = total["allowed"] / max(total["valid"], 1)
        lines.append(
            f"| {engine} | {total['compiled']} of {total['schemas']} | {total['refused']} | "
            f"{total['sound']} | {total['strict']} | {total['loose']} | "
            f"{share:.1%} ({total['allowed']} of {total['valid']}) | {total['claimed']} |"
        )
        print(lines[-1], file=sys.stderr, flush=True)
        if engine in OURS:
            good = good and not total["claimed"]
        if engine == "auto":
            good = good and share >= 0.9
    return "\n".join(lines), good


def _counted(listed: list[Row], engine: str, complaints: list[str]) -> Iterator[Counter[str]]:
    with ThreadPoolExecutor(THREADS) as pool:
        found = pool.map(lambda row: count(row, engine, complaints), listed)
        for index, each in enumerate(found):
            yield each
            if index % 50 == 49:
                print(f"{engine}: {index + 1} of {len(listed)}", file=sys.stderr, flush=True)
