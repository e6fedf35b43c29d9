"""Both judges on every test string: the mask and the reference, and what it means where they disagree."""

from collections.abc import Sequence
from typing import Any

from playground.constraints.automaton import TokenAutomaton
from playground.constraints.compile import CompileCache
from playground.constraints.limits import Limits
from playground.constraints.notes import Note
from playground.constraints.spec import ConstraintSpec
from playground.errors import PlaygroundError
from playground.schema.blame import Blame, plain
from playground.schema.certain import certain
from playground.schema.dropping import names_at
from playground.schema.key_order import misplaced
from playground.schema.parts import Reading
from playground.schema.reading import read
from playground.schema.reference import reference_verdicts
from playground.schema.reference_schema import Cancelled, parsed_schema
from playground.schema.verdict import Document, mask_verdict, refused

BLAME_SECONDS = 1.0
_ASIDE = ("formats", "remarks")
"""What a reference verdict holds beside itself, for the finding and the remarks."""


def judge(
    spec: ConstraintSpec,
    automaton: TokenAutomaton | None,
    notes: Sequence[Note],
    texts: Sequence[str],
    *,
    schema_text: str | None,
    refusal: PlaygroundError | None = None,
    formats: bool = False,
    limits: Limits | None = None,
    cancelled: Cancelled = None,
    cache: CompileCache | None = None,
    seconds: float = BLAME_SECONDS,
) -> list[Document]:
    """What both judges say of each text, and the finding where they disagree.

    Args:
        spec: the constraint.
        automaton: its mask over `bytes_vocabulary.BYTES`; None where it did not compile.
        notes: what the lowering announced.
        texts: the test strings.
        schema_text: the JSON Schema; None for kinds without one.
        refusal: why there is no automaton: EmptyLanguage makes the mask's verdict unsatisfiable,
            anything else unknown.
        formats: the reference judge asserts `format`.
        limits: of every child process that this starts.
        cancelled: asked every 20 ms.
        cache: for a grammar's second engine.
        seconds: longest search for the keywords to blame, all texts together.

    Returns:
        One Judged document a text. The rule for `finding`: there is one where one judge calls the
        text valid and the other does not (invalid, incomplete or unsatisfiable), and where the
        text is cut off, the mask lets it go on, and the schema forbids a part that is closed
        already. A text that the mask refuses and whose JSON is only cut off is no finding: the
        reference judge can't say yet. Nor is any text about which one of the two is unknown.

    Raises:
        Cancelled: `cancelled` returned True.
    """
    readings = [read(text) for text in texts]
    references, remarks = reference_verdicts(
        spec,
        texts,
        readings,
        schema_text=schema_text,
        formats=formats,
        engine=automaton.engine if automaton is not None else spec.engine,
        limits=limits,
        cancelled=cancelled,
        cache=cache,
    )
    schema = None if schema_text is None else parsed_schema(schema_text)
    blame = None
    if schema is not None and not isinstance(schema, PlaygroundError):
        limits = limits or Limits()
        blame = Blame(spec, schema, automaton, notes, limits, cancelled, seconds)
    out = []
    for text, reading, reference in zip(texts, readings, references, strict=True):
        mask = refused(refusal) if automaton is None else mask_verdict(automaton, text)
        told = _finding(blame, notes, reading, mask, reference)
        known, order = None, []
        if schema is not None and not isinstance(schema, PlaygroundError):
            known = certain(schema.value, reading)
            if told is None and automaton is not None:
                order = _order(automaton, schema.value, reading, mask)
        odd = []
        if schema_text is not None:
            odd = [*reading.remarks(), *remarks, *reference.get("remarks", [])]
        if spec.kind == "pydantic" and blame is not None:
            odd += _pydantic(spec, reading, reference)
        if mask["status"] == "invalid" and reference["status"] == "incomplete":
            odd.append(
                "The mask stops here; the reference judge can't say yet: the text is cut off."
            )
        out.append(
            {
                "text": text,
                "mask": mask,
                "reference": {key: said for key, said in reference.items() if key not in _ASIDE},
                "finding": told,
                "certain": known,
                "remarks": [*odd, *order],
            }
        )
    return out


def _finding(
    blame: Blame | None,
    notes: Sequence[Note],
    reading: Reading,
    mask: Document,
    reference: Document,
) -> Document | None:
    kind = disagreement(mask["status"], reference["status"], reading.status == "cut")
    if kind is None:
        return None
    if blame is None:
        return plain(kind, reference, notes)
    if kind == "too strict":
        return blame.too_strict(reading, reference.get("formats", []))
    return blame.unsound(reading, reference)


def _order(automaton: TokenAutomaton, schema: Any, reading: Reading, mask: Document) -> list[str]:
    """That the mask stops at a key for its place among the others, where it does."""
    if mask["status"] != "invalid":
        return []
    wants = misplaced(automaton, names_at(schema), reading, mask["offset"])
    return [f"Its keys stand in another order: {wants}."] if wants else []


def disagreement(mask: str, reference: str, cut: bool) -> str | None:
    """`unsound`, `too strict` or None, by the two statuses; `cut`: the text is a beginning of JSON
    (see `judge` for the rule)."""
    if "unknown" in (mask, reference):
        return None
    if mask == "valid" and reference != "valid":
        return "unsound"
    if reference == "valid" and mask != "valid":
        return "too strict"
    if mask == "incomplete" and reference == "invalid" and cut:
        return "unsound"
    return None


def _pydantic(spec: ConstraintSpec, reading: Reading, reference: Document) -> list[str]:
    """What Pydantic itself says of a whole text, where it differs from the JSON Schema."""
    if reading.status != "whole":
        return []
    from playground.constraints.pydantic_source import validate

    found = validate(spec.source, reading.text)
    accepted = "error" not in found
    if accepted == (reference["status"] == "valid"):
        return []
    if accepted:
        return ["Pydantic itself accepts it: it converts values that the JSON Schema refuses."]
    first = next((line.strip() for line in found["error"].splitlines()[1:] if line.strip()), "")
    return [f"Pydantic itself refuses it: {first}."]
