"""What every take-away is made from and checked against: the constraint, its language, texts."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from playground.constraints.byte_automaton import ByteAutomaton
from playground.constraints.bytes_vocabulary import BYTES
from playground.constraints.child import run_child
from playground.constraints.compile import compile_constraint
from playground.constraints.jsonschema.source import parse
from playground.constraints.limits import Limits
from playground.constraints.report import Compiled
from playground.constraints.spec import JSON_KINDS, ConstraintSpec
from playground.errors import Cancelled, PlaygroundError
from playground.schema.effort import Effort
from playground.schema.takeaway.texts import allowed_texts, broken_texts, walked_texts
from playground.schema.verdict import allows

VALID, BROKEN = 24, 48
"""How many texts a form is asked about."""
FORM_SECONDS, ALL_SECONDS = 2.0, 6.0
"""For one form, and for all of them."""
LONG = 120
"""Texts in notes are cut here, characters."""
PROMPT = "PROMPT"
MODEL = "MODEL"


class CantBe(Exception):
    """A form that the constraint doesn't have; the message is a sentence."""


def shown(text: str) -> str:
    """A text in quotes, its beginning where it is long."""
    return repr(text) if len(text) <= LONG else f"{text[:LONG]!r}... ({len(text):,} characters)"


@dataclass(slots=True)
class Taken:
    """One form of the constraint."""

    text: str
    language: str
    checked: str
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Material:
    """A constraint, ready to be written in other forms."""

    spec: ConstraintSpec
    schema_text: str | None
    schema: Any
    """The parsed schema; None for kinds without one."""
    exact: ByteAutomaton | None
    """The exact automaton over the bytes; None where the constraint has none."""
    regex: str
    """Of the exact automaton; empty without one."""
    valid: tuple[str, ...]
    texts: tuple[str, ...]
    """`valid` and broken ones."""
    answers: tuple[bool, ...]
    """Whether the mask allows each of `texts`."""
    asked: str
    """What gave `answers`, in words."""
    cancelled: Callable[[], bool] | None = None
    memo: dict[tuple[str, str], Any] = field(default_factory=dict)
    """What a child said already."""
    effort: Effort = field(default_factory=lambda: Effort(FORM_SECONDS))
    """What the form that is being written may cost."""

    @property
    def json(self) -> bool:
        """The constraint is a JSON Schema."""
        return self.spec.kind in JSON_KINDS

    @property
    def name(self) -> str:
        """A short name for the schema: its title in letters, digits and _."""
        title = self.schema.get("title") if isinstance(self.schema, dict) else None
        name = (
            re.sub(r"[^A-Za-z0-9_]+", "_", title).strip("_")[:60] if isinstance(title, str) else ""
        )
        return name or "answer"

    @property
    def limits(self) -> Limits:
        """Of a child that this form asks.

        Raises:
            BudgetExceeded: no time is left.
        """
        self.effort.in_time()
        return Limits(seconds=self.effort.left)

    def child(self, **request: Any) -> dict[str, Any]:
        """Ask the limited child; see `constraints.work_takeaway`."""
        return run_child({"engine": "takeaway", **request}, self.limits, self.cancelled)[0]

    def asks(self, form: str, source: str, name: str = "xgrammar") -> "Asked":
        """Ask another library's reading of `source` about the texts."""
        if (form, source) not in self.memo:
            try:
                head = self.child(what="ask", form=form, source=source, texts=self.texts)
                self.memo[form, source] = self._compared(head)
            except Cancelled:
                raise
            except PlaygroundError as error:
                self.memo[form, source] = Asked({name: error.what}, {}, 0)
        asked: Asked = self.memo[form, source]
        return asked

    def _compared(self, head: dict[str, Any]) -> "Asked":
        """The answers of a child, beside those of the mask."""
        errors = {name: said["error"] for name, said in head.items() if "error" in said}
        apart: dict[str, list[str]] = {}
        for name, said in head.items():
            if "answers" in said:
                pairs = zip(self.texts, self.answers, said["answers"], strict=True)
                odd = [(text, theirs) for text, mine, theirs in pairs if theirs not in (mine, None)]
                odd.sort(key=lambda pair: (not pair[0].isascii(), len(pair[0])))
                apart[name] = [
                    f"{name} {'allows' if theirs else 'forbids'} {shown(text)}"
                    for text, theirs in odd
                ]
        return Asked(errors, apart, len(self.texts))


@dataclass(frozen=True, slots=True)
class Asked:
    """What other libraries said of the texts."""

    errors: dict[str, str]
    """Why a library said nothing."""
    apart: dict[str, list[str]]
    """By library, the texts on which it and the mask disagree, in words; the plainest first."""
    count: int

    @property
    def agree(self) -> list[str]:
        """Libraries that gave the mask's answer to every text."""
        return [name for name, texts in self.apart.items() if not texts]


def material(
    spec: ConstraintSpec,
    schema_text: str | None,
    compiled: Compiled,
    cancelled: Callable[[], bool] | None,
    effort: Effort | None = None,
) -> Material:
    """Gather what the forms need, as far as `effort` goes; compiles the exact automaton if
    `compiled` is none."""
    effort = effort or Effort(FORM_SECONDS)
    schema = (
        parse(schema_text).value if schema_text is not None and spec.kind in JSON_KINDS else None
    )
    exact, regex = _exact(spec, compiled, cancelled, effort)
    valid: list[str] = []
    texts: list[str] = []
    answers: list[bool] = []
    asked = "nothing, since the compiled constraint reads tokens of a model"
    automaton = exact or (compiled.automaton if compiled.automaton.vocabulary is BYTES else None)
    if exact is not None:
        valid, asked = allowed_texts(exact.dfa, VALID, effort=effort), "the exact byte automaton"
    elif automaton is not None:
        valid, asked = (
            walked_texts(automaton, VALID, effort=effort),
            f"the engine {automaton.engine}",
        )
    if automaton is not None:
        texts = list(dict.fromkeys([*valid, *broken_texts(valid, BROKEN)]))
        for text in texts:
            if not effort.left:
                break
            answers.append(allows(automaton, text))
        texts = texts[: len(answers)]  # those that there was time to ask about
    return Material(
        spec,
        schema_text,
        schema,
        exact,
        regex,
        tuple(valid),
        tuple(texts),
        tuple(answers),
        asked,
        cancelled,
    )


def _exact(
    spec: ConstraintSpec,
    compiled: Compiled,
    cancelled: Callable[[], bool] | None,
    effort: Effort,
) -> tuple[ByteAutomaton | None, str]:
    if isinstance(compiled.automaton, ByteAutomaton):
        return ByteAutomaton(compiled.automaton.dfa, BYTES), compiled.report.regex
    try:
        found = compile_constraint(
            spec.model_copy(update={"engine": "bytes"}),
            BYTES,
            limits=Limits(seconds=effort.left),
            cancelled=cancelled,
        )
    except Cancelled:
        raise
    except PlaygroundError:
        return None, ""
    assert isinstance(found.automaton, ByteAutomaton)
    return found.automaton, found.report.regex
