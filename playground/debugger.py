"""What a visitor can ask about a constraint without a model: verdicts, coverage, lint, take-away.

Stateless, as `session` is: a request carries the constraint and the texts, the answer is a document.
"""

import time
from collections.abc import Sequence
from typing import Any

from playground.asked import Asked, require_texts
from playground.constraints.byte_automaton import ByteAutomaton
from playground.constraints.compile import Compiled
from playground.constraints.engines import ENGINES
from playground.constraints.notes import Note, gathered
from playground.constraints.sources import schema_text
from playground.constraints.spec import ConstraintSpec
from playground.constraints.token_graph import token_graph
from playground.errors import EmptyLanguage, InvalidInput, PlaygroundError
from playground.record import (
    Document,
    drawn_document,
    error_document,
    graph_document,
    note_documents,
)
from playground.schema.stepper import walk
from playground.token_questions import TokenQuestions


class Debugger(TokenQuestions):
    """The debugger's answers; it shares the compile cache with the rest of the process."""

    def judge(self, spec: ConstraintSpec, texts: Sequence[str], formats: bool = False) -> Document:
        """What both judges say of each text: `{"verdicts": [...], "error": card or None,
        "compiled": {"seconds", "cached"} or None}`; the last is of this call's compilation.

        Args:
            spec: the constraint.
            texts: at most MAX_TEXTS of at most MAX_TEXT characters.
            formats: the reference judge asserts `format` too.

        Raises:
            InvalidInput: too many or too long texts.
        """
        from playground.schema.disagree import judge
        from playground.schema.typed import relocated

        require_texts(texts)
        asked = self.ask(spec)
        verdicts = judge(
            spec,
            asked.automaton,
            asked.notes,
            texts,
            schema_text=asked.schema,
            refusal=asked.refusal,
            formats=formats,
            limits=self.limits,
            cache=self._cache,
        )
        card = None if asked.refusal is None else error_document(asked.refusal)
        compiled: Document | None = None
        if asked.compiled is not None:
            report = asked.compiled.report
            compiled = {"seconds": report.compile_seconds, "cached": report.cached}
        verdicts = relocated(spec, asked.schema, verdicts)
        return {"verdicts": verdicts, "error": card, "compiled": compiled}

    def analyse(self, spec: ConstraintSpec) -> Document:
        """All that is quick to say of a constraint: how it compiled, what it allows in words, what
        is odd about it."""
        from playground.schema.explain import explain
        from playground.schema.lint import lint

        asked = self.ask(spec)
        unsatisfiable = isinstance(asked.refusal, EmptyLanguage)
        report: Document = {
            "constraint": constraint_of(spec),
            "schema": asked.schema,
            "status": "ok" if asked.compiled else "unsatisfiable" if unsatisfiable else "error",
            "error": None if asked.refusal is None else error_document(asked.refusal),
            "compile": None if asked.compiled is None else compile_document(asked.compiled),
            "notes": note_documents(_gathered(spec, asked)),
            "explain": None,
            "explain_error": None,
        }
        try:
            if asked.refusal is None or not _unreadable(asked.refusal):
                report["explain"] = explain(spec, asked.schema)
        except PlaygroundError as error:  # too large to be told, perhaps small enough to compile
            report["explain_error"] = error_document(error)
        report["lint"] = lint(
            spec, asked.schema, notes=asked.notes, compiled=asked.compiled, error=asked.refusal
        )
        return report

    def conflict(self, spec: ConstraintSpec) -> Document:
        """The smallest conflicting part of a constraint that nothing satisfies."""
        from playground.schema.conflict import conflict

        asked = self.ask(spec)
        if not isinstance(asked.refusal, EmptyLanguage):
            return {"conflict": None}
        return {"conflict": conflict(spec, asked.schema, limits=self.limits)}

    def coverage(self, spec: ConstraintSpec) -> Document:
        """Which keywords the engine enforces, by witnesses: `{"keywords": rows}`."""
        from playground.schema.coverage import coverage
        from playground.schema.typed import relocated

        compiled, schema = self.require(spec)
        if schema is None:
            return {"keywords": []}
        rows = coverage(
            spec,
            schema,
            compiled.automaton,
            compiled.report.notes,
            limits=self.limits,
            seconds=self.search_seconds,
        )
        return {"keywords": relocated(spec, schema, rows)}

    def examples(self, spec: ConstraintSpec, seed: int = 0) -> Document:
        """Texts that the mask allows: `{"examples": [...]}`."""
        from playground.schema.examples import examples

        compiled, schema = self.require(spec)
        return {"examples": examples(spec, schema, compiled.automaton, seed)}

    def dialects(self, spec: ConstraintSpec) -> Document:
        """Which vendors' subsets of JSON Schema it fits: `{"dialects": [...]}`."""
        from playground.schema.dialects import dialects
        from playground.schema.typed import relocated

        text = schema_text(spec)
        return {"dialects": [] if text is None else relocated(spec, text, dialects(text))}

    def takeaway(self, spec: ConstraintSpec) -> Document:
        """The same constraint for other tools, each checked: `{"takeaway": [...]}`."""
        from playground.schema.takeaway import takeaway

        compiled, schema = self.require(spec)
        return {"takeaway": takeaway(spec, schema, compiled)}

    def difference(self, left: ConstraintSpec, right: ConstraintSpec) -> Document:
        """The shortest texts that only one of two constraints allows, of two JSON Schemas without
        what only their masks' spelling makes; for engines with a stack, of the examples of both.

        Raises:
            PlaygroundError: one of them doesn't compile.
        """
        from playground.schema.difference import difference, sampled
        from playground.schema.difference_schemas import Side, schema_difference

        (one, before), (other, now) = self.require(left), self.require(right)
        first, second = one.automaton, other.automaton
        if isinstance(first, ByteAutomaton) and isinstance(second, ByteAutomaton):
            if before is None or now is None:
                return difference(first.dfa, second.dfa)
            sides = Side(left, before, first.dfa), Side(right, now, second.dfa)
            return schema_difference(*sides, self.limits)
        rows = [*self.examples(left)["examples"], *self.examples(right)["examples"]]
        return sampled(first, second, [row["text"].encode() for row in rows])

    def graph(self, spec: ConstraintSpec, text: str, tokenizer: Any = None) -> Document:
        """The automaton as a picture around the state after `text`, or after as much of it as can
        follow, byte by byte and, where a tokenizer is chosen, token by token: `{"graph",
        "token_graph"}`, None for an engine without states.

        Raises:
            PlaygroundError: the constraint doesn't compile, or the tokenizer isn't there.
        """
        automaton = self.require(spec)[0].automaton
        data = text.encode("utf-8", "surrogatepass")
        state = walk(automaton, data)[-1]
        drawn: Document = {"graph": graph_document(automaton, state, full=True)}
        found = self.tokenizer(tokenizer)
        over = None if found is None else self.compile(spec, found[1].vocabulary).automaton
        drawn["token_graph"] = None
        if isinstance(over, ByteAutomaton) and isinstance(state, int):
            # The same byte automaton over another vocabulary: its states have the same numbers.
            drawn["token_graph"] = drawn_document(token_graph(over, state))
        return drawn


def _gathered(spec: ConstraintSpec, asked: Asked) -> list[Note]:
    """What compiling said, equal notes about several places as one that names their lines."""
    from playground.schema.typed import as_typed

    several = len({(note.level, note.keyword, note.message) for note in asked.notes})
    if several == len(asked.notes):
        return list(asked.notes)
    try:
        places = None if asked.schema is None else as_typed(spec, asked.schema).places
    except InvalidInput:
        places = None
    return gathered(asked.notes, places)


def _unreadable(error: PlaygroundError) -> bool:
    """The source itself can't be read, so that there is nothing to explain."""
    return isinstance(error, InvalidInput) and error.line is not None


def constraint_of(spec: ConstraintSpec) -> Document:
    """The constraint without its source."""
    return {
        "kind": spec.kind,
        "engine": spec.engine,
        "engine_title": ENGINES[spec.engine].title if spec.engine in ENGINES else spec.engine,
        "whitespace": spec.whitespace,
    }


def compile_document(compiled: Compiled) -> Document:
    """The compile card: sizes, times, and how long the first mask takes."""
    report, automaton = compiled.report, compiled.automaton
    started = time.perf_counter()
    automaton.mask(automaton.initial)
    mask = time.perf_counter() - started
    return {
        "engine": automaton.engine,
        "states": report.states or None,
        "transitions": report.transitions or None,
        "compile_seconds": report.compile_seconds,
        "mask_seconds": mask,
        "cached": report.cached,
        "regex": report.regex[:2000],
        "regex_characters": len(report.regex),
    }
