"""What a program asks, from Python or over the network: the documents of `python -m playground --json`.

Nothing here reads a file or knows a widget; `cancelled` is asked between pieces of the work. A search
starts from nothing, whatever was searched before: the same question has the same answer.
"""

import argparse
from collections import deque
from collections.abc import Iterable, Sequence
from typing import TypeVar

from playground.cli import demo
from playground.cli.exact import report_of as exact_report
from playground.cli.schema import judged_document
from playground.cli.schema import report_of as schema_report
from playground.cli.step import report_of as step_report
from playground.compare import CompareSpec
from playground.constraints.spec import ConstraintSpec
from playground.decisions import Decisions
from playground.decisions_record import decision_document
from playground.decisions_scored import scores_document
from playground.decoding.run import never
from playground.decoding.sampler import SAMPLERS, run
from playground.decoding.trace import Trace
from playground.errors import Cancelled, InvalidInput
from playground.exact.search import Budget, search
from playground.fields.record_type import RecordType
from playground.fields.scores import Mode
from playground.fields.ticket import ticket
from playground.follow import follow_text
from playground.forest import Forest
from playground.lessons.shelf import RECORDED, load_lessons
from playground.opened import Opened, staged
from playground.problem import ProblemSpec
from playground.proofs import Cancel, Proofs
from playground.record import Document
from playground.session import Playground

T = TypeVar("T")


def last(documents: Iterable[T]) -> T:
    """The last one; there is one."""
    return deque(documents, maxlen=1)[0]


def sampled(opened: Opened, number: int = 0, cancelled: Cancel = never) -> Trace:
    """The whole run `number` of the problem's seed.

    Raises:
        Cancelled: it was stopped.
    """
    trace = opened.trace(opened.beginning)
    for longer in run(trace, SAMPLERS[opened.spec.method], number):
        if cancelled():
            raise Cancelled("The run was stopped.")
        trace = longer
    return trace


def step(
    playground: Playground, spec: ProblemSpec, number: int = 0, cancelled: Cancel = never
) -> Document:
    """One run, token by token: `step --json`."""
    opened = staged(playground.open(spec, cancelled))
    return step_report(opened, sampled(opened, number, cancelled))


def follow(
    playground: Playground, spec: ProblemSpec, text: str, cancelled: Cancel = never
) -> Document:
    """A given text, token by token: `step --follow TEXT --json`."""
    longer, trace, about = follow_text(staged(playground.open(spec, cancelled)), text)
    return {**step_report(longer, trace), "follow": about}


def exact(
    playground: Playground, spec: ProblemSpec, budget: Budget, cancelled: Cancel = never
) -> Document:
    """Z, p_V and p~ of every text, proved or bounded: `exact --json`."""
    opened = playground.open(spec, cancelled)
    before = opened.problem.rows.computed_here
    posterior = last(search(Forest().tree(opened), budget, cancelled))
    return exact_report(opened, posterior, opened.problem.rows.computed_here - before)


def compare(
    playground: Playground, spec: ProblemSpec, what: CompareSpec, cancelled: Cancel = never
) -> Document:
    """Methods side by side: `compare --json`. Stopped early it gives what it has, which says so."""
    return last(Proofs().compare(playground.open(spec, cancelled), what, cancelled))


def schema(
    playground: Playground,
    spec: ConstraintSpec,
    text: str | None = None,
    formats: bool = False,
    against: ConstraintSpec | None = None,
) -> Document:
    """A constraint without a model: `schema --json`, with a verdict on `text` and what differs from
    `against` where they are given.

    Raises:
        InvalidInput: there is no constraint, or it can't be read.
    """
    if spec.kind == "free":
        raise InvalidInput("There is no constraint.", "Give its kind and its source.", "kind")
    debugger = playground.debugger.patient()
    report = schema_report(spec, debugger)
    if text is not None:
        report.update(judged_document(spec, text, formats, debugger))
    if against is not None:
        report["difference"] = debugger.difference(spec, against)
    return report


def record_type(schema_text: str) -> RecordType:
    """The record type of a JSON Schema; of the built-in tickets where it is empty.

    Raises:
        InvalidInput: it isn't one of closed fields.
    """
    if not schema_text:
        return ticket()
    from playground.fields.schema import record_type_of  # jsonschema is slow to import

    return record_type_of(ConstraintSpec(kind="schema", source=schema_text))


def decide(decisions: Decisions, head: bytes, text: str, schema_text: str = "") -> Document:
    """One text, decided by a head: `fields predict --head FILE --json`.

    Raises:
        InvalidInput: the head is of another schema or model, or the text can't be used.
    """
    from playground.fields.weights import load

    kind = record_type(schema_text)
    found = load(head, kind, decisions.provenance)
    document = decision_document(
        decisions.decide(found, text), kind, found.spec, text, decisions.provenance
    )
    return {"task": "predict", **document, "free": [], "explained": None}


def score(
    decisions: Decisions,
    text: str,
    schema_text: str = "",
    mode: Mode = "parallel",
    order: Sequence[str] = (),
    cancelled: Cancel = never,
) -> Document:
    """The options of every field as the model scores them: `fields predict --zero-shot --json`.

    Raises:
        InvalidInput: the schema, the order or the text can't be used.
        Cancelled: it was stopped.
    """
    kind = record_type(schema_text)
    found = last(decisions.scorer(kind, text, cancelled).record(mode, tuple(order)))
    if cancelled():
        raise Cancelled("The scoring was stopped.")
    record = None if found.indices is None else kind.record(found.indices)
    document = scores_document(found, decisions.provenance)
    return {"task": "predict", **document, "record": record, "free": [], "explained": None}


def lessons(playground: Playground) -> Document:
    """Every built-in lesson: `demo list --json`."""
    return demo.command(argparse.Namespace(action="list", folder=RECORDED), playground)


def lesson(playground: Playground, slug: str) -> Document:
    """One built-in lesson, its claims with their numbers: `demo show SLUG --json`.

    Raises:
        InvalidInput: there is none.
    """
    if slug not in load_lessons():  # a name of a file, which `demo` would read, is none
        raise InvalidInput(
            f"There is no lesson called {slug[:60]!r}.",
            f"Use one of {', '.join(load_lessons())}.",
            "slug",
        )
    asked = argparse.Namespace(action="show", lessons=[slug], folder=RECORDED, html=None)
    return demo.command(asked, playground)
