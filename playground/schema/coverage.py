"""What a mask enforces of a JSON Schema, keyword by keyword: decided by witnesses, not by a list."""

from collections.abc import Callable, Sequence
from typing import Any

from playground.constraints.automaton import TokenAutomaton
from playground.constraints.instances.goals import Map
from playground.constraints.jsonschema.keywords import REFERENCES
from playground.constraints.jsonschema.source import parse
from playground.constraints.limits import Limits
from playground.constraints.notes import Note
from playground.constraints.spec import ConstraintSpec
from playground.constraints.words import shortened
from playground.errors import BudgetExceeded, InvalidInput, UnsupportedSchema
from playground.schema.asking import accepts
from playground.schema.occurrences import HOLDERS, Occurrence, occurrences, plain
from playground.schema.witness import SECONDS, Pair, Witnesses, witnesses

MAX_ASKED = 200
"""So many keywords are asked one by one; the others are grouped by name."""
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
    seconds: float = SECONDS,
) -> list[Row]:
    """One row for every keyword of the schema, in the order of the text.

    Args:
        spec: the constraint as typed; its whitespace spells the witnesses.
        schema_text: its JSON Schema (`sources.schema_text`); None gives no rows.
        automaton: what `spec` compiles to, with any engine, over BYTES.
        notes: what that compilation said.
        limits: of the child process that searches the witnesses.
        cancelled: asked every 20 ms.
        seconds: longest search.

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
    parsed = parse(schema_text)
    old = _hides(parsed.value)
    found = list(occurrences(parsed.value))
    known = {each.pointer: plain(each, old) for each in found}
    asked, grouped = _chosen([each for each in found if known[each.pointer] is None])
    searched, failure = _search(schema_text, asked, spec, seconds, limits, cancelled)
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
            row |= _undecided(failure)
        else:
            continue
        rows.append(row)
    _blame_inside(rows, Map(parsed.value))
    return rows + _groups(grouped, rows, parsed.places)


def _blame_inside(rows: list[Row], places: Map) -> None:
    """Where a keyword that holds schemas leaks by a keyword inside that leaks, say so of that one:
    it is enforced itself as far as it forbids anything."""
    for row in rows:
        held = sum(not ask["invalid_allowed"] for ask in row["witnesses"])
        if row["keyword"] not in HOLDERS or row["status"] != "partly" or not held:
            continue
        if row["decided_by"] != "witnesses" or held == len(row["witnesses"]):
            continue
        starts = [f"{row['pointer']}/"]
        for other in rows:
            if other["keyword"] in REFERENCES and other["pointer"].startswith(
                (*starts, row["pointer"])
            ):
                ref = places.at(other["pointer"])
                target = places.target(ref) if isinstance(ref, str) else None
                starts += [] if target is None else [f"{target}/"]
        inside = [
            other["keyword"]
            for other in rows
            if other["status"] in ("partly", "not enforced")
            and other["keyword"] not in HOLDERS
            and other["pointer"].startswith(tuple(starts))
        ]
        if inside:
            names = ", ".join(f"`{name}`" for name in dict.fromkeys(inside))
            count = len(row["witnesses"]) - held
            row["status"] = "enforced"
            row["how"] = (
                f"{held} texts that break it are blocked; {count} pass by what is not enforced "
                f"inside it: {names}."
            )


def _hides(schema: Any) -> bool:
    from playground.constraints.jsonschema.refs import References

    try:
        return References(schema).old
    except UnsupportedSchema:
        return False


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


def _search(
    text: str,
    asked: list[Occurrence],
    spec: ConstraintSpec,
    seconds: float,
    limits: Limits | None,
    cancelled: Callable[[], bool] | None,
) -> tuple[dict[str, Witnesses], str]:
    """The witnesses by pointer, and why there are none."""
    pointers = [each.pointer for each in asked]
    try:
        found = witnesses(
            text,
            pointers,
            whitespace=spec.whitespace,
            seconds=seconds,
            limits=limits,
            cancelled=cancelled,
        )
    except (UnsupportedSchema, BudgetExceeded) as error:
        return {}, f"no witnesses can be made: {error.what}"
    return dict(zip(pointers, found, strict=True)), ""


def _undecided(why: str) -> Row:
    how = f"Undecided: {why.rstrip('.')}."
    return {"status": "undecided", "how": how, "decided_by": "no witness found", "witnesses": []}


def _decided(
    each: Occurrence, found: Witnesses, automaton: TokenAutomaton, notes: Sequence[Note]
) -> Row:
    """The verdict over one keyword."""
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
        row = _undecided(found.why)
        if said is not None:
            status = "not enforced" if said.level == "not-enforced" else "partly"
            row |= {"status": status, "how": said.message, "decided_by": "note"}
        return row
    judged = _loosening if not found.pairs else _forbidding
    status, how = judged(pairs, asked)
    row = {"status": status, "how": how, "decided_by": "witnesses", "witnesses": asked}
    if said is not None and status in ("enforced", "undecided"):
        row |= {"status": "partly", "decided_by": "note"}
        row["how"] = f"{said.message} The witnesses that were found are all forbidden."
    elif said is not None:
        row["how"] = f"{how} {said.message}"
    return row


def _forbidding(pairs: Sequence[Pair], asked: Sequence[Row]) -> tuple[str, str]:
    """Of a keyword that forbids: which of the invalid texts the mask lets through."""
    through = [pair for pair, ask in zip(pairs, asked, strict=True) if ask["invalid_allowed"]]
    held = [ask for ask in asked if ask["valid_allowed"] and not ask["invalid_allowed"]]
    blocked = list(dict.fromkeys(ask["valid"] for ask in asked if not ask["valid_allowed"]))
    strict = f" Stricter: it also blocks the valid {_shown(blocked[0])}." if blocked else ""
    if through and held:
        kinds = ", ".join(dict.fromkeys(pair.kind for pair in through))
        return "partly", f"{len(through)} of {len(asked)} invalid texts pass ({kinds}).{strict}"
    if through:
        count = (
            f"all {len(asked)} invalid texts pass" if len(asked) > 1 else "the invalid text passes"
        )
        return "not enforced", f"The mask ignores it: {count}.{strict}"
    if not held:
        return "undecided", f"Every valid text that was tried is blocked as well.{strict}"
    what = "texts that break it alone are" if len(asked) > 1 else "text that breaks it alone is"
    return "enforced", f"{len(asked)} {what} blocked.{strict}"


def _loosening(pairs: Sequence[Pair], asked: Sequence[Row]) -> tuple[str, str]:
    """Of a keyword that only allows more (inside `not` or `if`): whether the mask does, too."""
    allowed = [ask for ask in asked if ask["valid_allowed"]]
    wrong = [ask for ask in asked if ask["invalid_allowed"]]
    if wrong:
        return (
            "not enforced",
            f"What it is a part of is not enforced: {_shown(wrong[0]['invalid'])}.",
        )
    blocked = next((ask["valid"] for ask in asked if not ask["valid_allowed"]), None)
    if blocked is None:
        return "enforced", "It only loosens the schema, and what it allows is allowed."
    strict = f"Stricter: the valid {_shown(blocked)} is blocked."
    return ("partly" if allowed else "undecided"), f"It only loosens the schema. {strict}"


def _shown(text: str) -> str:
    return shortened(text.encode("utf-8", "surrogatepass"))


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
        out.append(row | _undecided(why))
    return out
