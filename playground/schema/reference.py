"""The reference judge, who never saw the automaton: jsonschema, a backtracking matcher, or the other engine."""

from collections.abc import Sequence
from dataclasses import replace

from playground.constraints.bytes_vocabulary import BYTES
from playground.constraints.compile import CompileCache, compile_constraint
from playground.constraints.engines import ENGINES
from playground.constraints.limits import Limits
from playground.constraints.sources import choices
from playground.constraints.spec import ConstraintSpec
from playground.constraints.types import type_named
from playground.errors import BudgetExceeded, EmptyLanguage, InvalidInput
from playground.schema.parts import Reading, byte_offset
from playground.schema.reference_schema import PATIENCE, SECONDS, Cancelled, ask, by_schema
from playground.schema.verdict import Document, mask_verdict, refused, verdict

MATCHER = "a backtracking matcher"
OTHERS = {"llguidance": "xgrammar", "xgrammar": "llguidance"}
"""The engine that judges a grammar, for each that may have made the mask."""


def reference_verdicts(
    spec: ConstraintSpec,
    texts: Sequence[str],
    readings: Sequence[Reading],
    *,
    schema_text: str | None,
    formats: bool = False,
    engine: str | None = None,
    limits: Limits | None = None,
    cancelled: Cancelled = None,
    cache: CompileCache | None = None,
) -> tuple[list[Document], list[str]]:
    """The reference verdict of every text, and what the judge could not read, as sentences.

    Args:
        spec: the constraint.
        texts: what to judge; all in one child process.
        readings: the same texts read as JSON; used where there is a schema.
        schema_text: the JSON Schema; None for kinds without one.
        formats: `format` is asserted.
        engine: the name of the engine that made the mask; `spec.engine` if None.
        limits: of the child; its time is at most SECONDS.
        cancelled: asked every 20 ms.
        cache: for a grammar's other engine.

    A text that is cut off is `incomplete` unless a part of it that is closed, and that the schema
    speaks of whatever follows, is wrong already. What the judge can't decide is `unknown`, in
    words: a reference to another document, a pattern that takes too long.

    Raises:
        Cancelled: `cancelled` returned True.
    """
    limits = limits or Limits()
    limits = replace(limits, seconds=min(SECONDS, limits.seconds))
    if schema_text is not None:
        return by_schema(schema_text, readings, formats, limits, cancelled)
    if spec.kind in ("regex", "type"):
        return _by_regex(spec, texts, limits, cancelled), []
    if spec.kind == "choices":
        return _by_set(spec, texts), []
    if spec.kind == "grammar":
        return _by_engine(spec, texts, engine or spec.engine, limits, cancelled, cache), []
    if spec.kind == "free":
        return [verdict("valid", "the constraint", "Every text is allowed.") for _ in texts], []
    return [verdict("unknown", "nobody", "The constraint can't be read.") for _ in texts], []


def _by_regex(
    spec: ConstraintSpec, texts: Sequence[str], limits: Limits, cancelled: Cancelled
) -> list[Document]:
    source = spec.source
    if spec.kind == "type":
        try:
            source = type_named(spec.source.strip()).regex
        except InvalidInput as error:
            return [verdict("unknown", MATCHER, error.what) for _ in texts]
    request = {"task": "regex", "source": source, "texts": list(texts)}
    answer = ask(request, limits, cancelled)
    raw = answer["verdicts"] or [answer["late"]] * len(texts)
    return [_matched(text, found, MATCHER) for text, found in zip(texts, raw, strict=True)]


def _matched(text: str, raw: Document, judge: str) -> Document:
    status = raw["status"]
    if status == "unknown":
        return verdict("unknown", judge, raw["message"])
    if status == "valid":
        return verdict("valid", judge, "The text matches.")
    if status == "incomplete":
        return verdict(
            "incomplete",
            judge,
            "The text is the beginning of one that matches.",
            text=text,
            offset=byte_offset(text, len(text)),
        )
    out = verdict("invalid", judge, "", text=text, offset=byte_offset(text, raw["at"]))
    out["message"] = (
        f"Line {out['line']}, column {out['column']}: “{out['got']}” can't follow in any match."
    )
    return out


def _by_set(spec: ConstraintSpec, texts: Sequence[str]) -> list[Document]:
    judge = "the list of choices"
    try:
        listed = set(choices(spec.source))
    except InvalidInput as error:
        return [verdict("unknown", judge, error.what) for _ in texts]
    out = []
    for text in texts:
        raw: Document = {"status": "valid"}
        if text not in listed:
            shared = max(_common(text, choice) for choice in listed)
            begins = shared == len(text)
            raw = {"status": "incomplete" if begins else "invalid", "at": shared}
        out.append(_matched(text, raw, judge))
    return out


def _common(a: str, b: str) -> int:
    pairs = enumerate(zip(a, b, strict=False))
    return next((i for i, (x, y) in pairs if x != y), min(len(a), len(b)))


def _by_engine(
    spec: ConstraintSpec,
    texts: Sequence[str],
    engine: str,
    limits: Limits,
    cancelled: Cancelled,
    cache: CompileCache | None,
) -> list[Document]:
    """The other engine that reads grammars."""
    other = OTHERS.get(engine)
    if other is None or other not in ENGINES:
        return [verdict("unknown", "nobody", "No second engine reads this grammar.") for _ in texts]
    judge = f"the engine {other}"
    try:
        compiled = compile_constraint(
            spec.model_copy(update={"engine": other}),
            BYTES,
            limits=limits,
            cancelled=cancelled,
            cache=cache,
            patience=PATIENCE,
        )
    except EmptyLanguage as error:
        return [{**refused(error), "judge": judge} for _ in texts]
    except (InvalidInput, BudgetExceeded) as error:
        message = f"The engine {other} does not take the grammar: {error.what}"
        return [verdict("unknown", judge, message) for _ in texts]
    return [mask_verdict(compiled.automaton, text, judge) for text in texts]
