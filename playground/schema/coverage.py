"""What a mask enforces of a JSON Schema, keyword by keyword: decided by witnesses, not by a list."""

import time
from collections.abc import Callable, Sequence
from typing import Any

from playground.constraints.automaton import TokenAutomaton
from playground.constraints.byte_automaton import ByteAutomaton
from playground.constraints.instances.goals import Map
from playground.constraints.jsonschema.check import OLD_DIALECTS, dialect, draft
from playground.constraints.jsonschema.partners import foreign
from playground.constraints.jsonschema.source import parse
from playground.constraints.limits import Limits
from playground.constraints.notes import Note
from playground.constraints.spec import ConstraintSpec
from playground.errors import BudgetExceeded, InvalidInput, UnsupportedSchema
from playground.schema.asking import accepts
from playground.schema.coverage_after import blame_inside, settle_blocked
from playground.schema.coverage_words import IGNORED, forbidding, loosening, undecided
from playground.schema.occurrences import Occurrence, occurrences, plain
from playground.schema.witness import SECONDS, Witnesses, witnesses

MAX_ASKED = 200
"""So many keywords are asked one by one; the others are grouped by name."""
USUAL = 60
"""So many keywords are asked in SECONDS; for more the search may take longer."""
MORE = 0.7
"""So much later at most the search for places that the mask never comes to ends."""
_LOOSE = ("not-enforced", "partly")

Row = dict[str, Any]


def coverage(
    spec: ConstraintSpec,
    schema_text: str | None,
    automaton: TokenAutomaton,
    notes: Sequence[Note],
    *,
    limits: Limits | None = None,
    cancelled: Callable[[], bool] | None = None,
    seconds: float | None = None,
) -> list[Row]:
    """One row for every keyword of the schema, in the order of the text.

    Args:
        spec: the constraint as typed; its whitespace spells the witnesses.
        schema_text: its JSON Schema (`sources.schema_text`); None gives no rows.
        automaton: what `spec` compiles to, with any engine, over BYTES.
        notes: what that compilation said.
        limits: of the child process that searches the witnesses.
        cancelled: asked every 20 ms.
        seconds: longest search; by default SECONDS, and up to twice that for many keywords.

    Returns:
        Keyword rows: `keyword`, `pointer`, `line`, `column`, `status` (`enforced`, `partly`,
        `not enforced`, `annotation`, `unknown keyword`, `undecided`), `how` as a sentence,
        `decided_by`, and the `witnesses` that were asked.

    Raises:
        InvalidInput: the schema isn't JSON, or the automaton isn't over BYTES.
        Cancelled: `cancelled` said so.
    """
    if schema_text is None:
        return []
    if len(automaton.vocabulary) != 257:
        raise InvalidInput("Coverage is asked byte by byte.", "Compile over the bytes first.")
    began = time.monotonic()
    parsed = parse(schema_text)
    old = draft(parsed.value) in OLD_DIALECTS
    found = list(occurrences(parsed.value))
    kind = dialect(parsed.value)
    known = {each.pointer: plain(each, old) or _strange(each, parsed.value, kind) for each in found}
    asked, grouped = _chosen([each for each in found if known[each.pointer] is None])
    if seconds is None:
        seconds = SECONDS * min(2.0, max(1.0, len(asked) / USUAL))
    exact = isinstance(automaton, ByteAutomaton) and spec.engine in ("auto", "bytes")

    def search(listed: list[str]) -> list[Witnesses]:
        return witnesses(
            schema_text,
            listed,
            masks=exact,
            whitespace=spec.whitespace,
            seconds=seconds,
            limits=limits,
            cancelled=cancelled,
        )

    searched, failure = _searched([each.pointer for each in asked], search)
    rows = []
    for each in found:
        line, column = parsed.places.get(each.pointer, (None, None))
        row: Row = {"keyword": each.keyword, "pointer": each.pointer, "line": line}
        row["column"] = column
        told = known[each.pointer]
        if told is not None:
            row |= {"status": told[0], "how": told[1], "decided_by": "note", "witnesses": []}
        elif each.pointer in searched:
            row |= _decided(each, searched[each.pointer], automaton, notes)
        elif failure:
            row |= undecided(failure)
        else:
            continue
        rows.append(row)
    places = Map(parsed.value)
    blame_inside(rows, places)
    if exact:
        left = began + seconds + MORE - time.monotonic()
        settle_blocked(rows, schema_text, spec.whitespace, notes, max(left, 0.1), limits, cancelled)
    return rows + _groups(grouped, rows, parsed.places)


def _strange(each: Occurrence, schema: Any, kind: Any) -> tuple[str, str] | None:
    """What `plain` says of a keyword that the schema's draft doesn't have; None where it has it."""
    if each.keyword not in foreign(each.owner, kind):
        return None
    which = draft(schema).removeprefix("draft-0")
    said = (
        f"It is no keyword of draft {which}: validators of that draft ignore it, the mask may not."
    )
    return "annotation", said


def _chosen(found: list[Occurrence]) -> tuple[list[Occurrence], list[Occurrence]]:
    """Those to ask one by one, and the others; of every keyword some are asked."""
    if len(found) <= MAX_ASKED:
        return found, []
    by_name: dict[str, list[Occurrence]] = {}
    for each in found:
        by_name.setdefault(each.keyword, []).append(each)
    asked: set[str] = set()
    index = 0
    while len(asked) < MAX_ASKED:
        for listed in by_name.values():
            if index < len(listed) and len(asked) < MAX_ASKED:
                asked.add(listed[index].pointer)
        index += 1
    return (
        [each for each in found if each.pointer in asked],
        [each for each in found if each.pointer not in asked],
    )


def _searched(
    pointers: list[str], search: Callable[[list[str]], list[Witnesses]]
) -> tuple[dict[str, Witnesses], str]:
    """The witnesses by pointer, and why there are none."""
    try:
        return dict(zip(pointers, search(pointers), strict=True)), ""
    except (UnsupportedSchema, BudgetExceeded) as error:
        return {}, f"no witnesses can be made: {error.what}"


def _decided(
    each: Occurrence, found: Witnesses, automaton: TokenAutomaton, notes: Sequence[Note]
) -> Row:
    """The verdict over one keyword."""
    if found.idle:
        how = f"Forbids nothing here: {found.idle}."
        return {"status": "annotation", "how": how, "decided_by": "note", "witnesses": []}
    said = next((n for n in notes if n.pointer == each.pointer and n.level in _LOOSE), None)
    pairs = found.pairs or found.loosens
    asked = [
        {
            "valid": pair.valid,
            "invalid": pair.invalid,
            "valid_allowed": accepts(automaton, pair.valid.encode("utf-8", "surrogatepass")),
            "invalid_allowed": bool(pair.invalid)
            and accepts(automaton, pair.invalid.encode("utf-8", "surrogatepass")),
        }
        for pair in pairs
    ]
    if not pairs:
        row = undecided(found.why)
        if said is not None:
            status = "not enforced" if said.level == "not-enforced" else "partly"
            row |= {"status": status, "how": said.message, "decided_by": "note"}
        return row
    judged = loosening if not found.pairs else forbidding
    status, how = judged(pairs, asked)
    row = {"status": status, "how": how, "decided_by": "witnesses", "witnesses": asked}
    if said is not None and status in ("enforced", "undecided"):
        row |= {"status": "partly", "decided_by": "note"}
        row["how"] = f"{said.message} The texts that were tried are all forbidden."
    elif said is not None:
        row["how"] = f"{said.message} {how.removeprefix(IGNORED)}"
    return row


def _groups(
    left: Sequence[Occurrence], rows: list[Row], places: dict[str, tuple[int, int]]
) -> list[Row]:
    """One row for the keywords of a name that were not asked one by one."""
    by_name: dict[str, list[Occurrence]] = {}
    for each in left:
        by_name.setdefault(each.keyword, []).append(each)
    out = []
    for keyword, listed in by_name.items():
        asked = [row["status"] for row in rows if row["keyword"] == keyword]
        good = asked.count("enforced")
        line, column = places.get(listed[0].pointer, (None, None))
        why = (
            f"`{keyword}` stands in {len(listed):,} more places that were not asked one by one; "
            f"of the {len(asked)} asked, {good} are enforced"
        )
        row = {"keyword": keyword, "pointer": listed[0].pointer, "line": line, "column": column}
        out.append(row | undecided(why))
    return out
