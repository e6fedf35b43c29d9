"""Steps and positions as the JSON documents that the browser, the exports and the command line share.

Numbers are JSON numbers, -inf and nan are null; probabilities in 0..1, logs in nats.
"""

import hashlib
import math
from collections.abc import Iterable, Mapping
from typing import Any

from playground import __version__
from playground.constraints.automaton import Drawable, State, TokenAutomaton
from playground.constraints.compile import Compiled
from playground.constraints.engines import ENGINES
from playground.constraints.graph import Graph
from playground.constraints.notes import Note
from playground.constraints.position import first_surrogate
from playground.constraints.sources import schema_text
from playground.constraints.spec import ConstraintSpec
from playground.decoding.trace import Candidate, Position, Problem, Step, Trace
from playground.errors import PlaygroundError
from playground.spans import crossings, is_free
from playground.vocabulary import Vocabulary

Document = dict[str, Any]


def number(value: float) -> float | None:
    """`value`, or None where JSON has no number for it. Never a numpy number, which the page's JSON
    would turn into a string."""
    return float(value) if math.isfinite(value) else None


def show(text: bytes) -> str:
    """`text` as a string; bytes that aren't UTF-8 as \\xNN."""
    return text.decode("utf-8", errors="backslashreplace")


def error_document(error: PlaygroundError) -> Document:
    """An error as the card that a screen shows."""
    return {
        "what": error.what,
        "where": error.where,
        "hint": error.hint,
        "line": error.line,
        "column": error.column,
        **error.details,
    }


def spellable(value: Any) -> Any:
    r"""A document in whose texts and keys halves of surrogate pairs, which UTF-8 can't spell, stand as
    `\udc00`."""
    if isinstance(value, str):
        if first_surrogate(value) is None:
            return value
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {spellable(key): spellable(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [spellable(inner) for inner in value]
    return value


def token_document(vocabulary: Vocabulary, token: int) -> Document:
    """One token: its id, its text (bytes that aren't UTF-8 as \\xNN) and its bytes in hex."""
    text = vocabulary.tokens[token]
    partial = False
    if text is not None:
        try:
            text.decode("utf-8")
        except UnicodeDecodeError:
            partial = True
    return {
        "id": token,
        "text": vocabulary.name(token),
        "hex": "" if text is None else text.hex(),
        "special": text is None,
        "partial": partial,
        "eos": token in vocabulary.eos_ids,
    }


def candidate_document(
    problem: Problem, state: State, row: Candidate, watch: tuple[int, ...] = ()
) -> Document:
    """One row of the candidate table, with the byte states it crosses."""
    hops = problem.constraint.hops(state, row.token)
    alive = row.allowed and row.token not in problem.constraint.vocabulary.eos_ids
    return {
        **token_document(problem.constraint.vocabulary, row.token),
        "logit": number(row.logit),
        "p": row.p,
        "masked": row.masked,
        "allowed": row.allowed,
        "rank": row.rank,
        "watched": row.token in watch,
        "states": list(hops.states),
        "killed_at": hops.killed_at,
        "expected": list(hops.expected),
        "next": hops.states[-1] if alive and hops.states else None,
    }


def state_document(problem: Problem, state: State, text: bytes) -> Document:
    """The automaton's state in words, after the output `text`."""
    view = problem.constraint.describe(state, text)
    return {
        "name": view.name,
        "words": view.words,
        "expected": list(view.expected),
        "may_stop": view.may_stop,
        "pointer": view.pointer,
        "needs": view.needs,
        "stack": list(view.stack),
        "stack_of": view.stack_of,
    }


def position_document(
    problem: Problem,
    position: Position,
    index: int,
    text: bytes,
    watch: tuple[int, ...] = (),
    after: State | None = None,
) -> Document:
    """The next-token law after `text`, `index` tokens into the run; `after` is the next state,
    where a token was taken."""
    state = position.state
    rows = [candidate_document(problem, state, row, watch) for row in position.candidates]
    return {
        "index": index,
        "text_before": show(text),
        "log_z": number(position.log_z),
        "z": math.exp(position.log_z),
        "bits": number(position.bits),
        "entropy_before": position.entropy_before,
        "entropy_after": position.entropy_after,
        "allowed": position.allowed,
        "vocab": len(problem.constraint.vocabulary),
        "may_stop": position.may_stop,
        "free": is_free(problem.constraint, state),
        "forced": position.forced,
        "dead": position.dead,
        "argmax_blocked": position.argmax_blocked,
        "argmax": next(row for row in rows if row["id"] == position.argmax),
        "state": state_document(problem, state, text),
        "candidates": rows,
        "other_allowed": dict(zip(("count", "p", "masked"), position.other_allowed, strict=True)),
        "other_blocked": dict(zip(("count", "p"), position.other_blocked, strict=True)),
        "graph": graph_document(problem.constraint, state, after),
    }


def graph_document(
    constraint: TokenAutomaton, state: State, after: State | None = None, full: bool = False
) -> Document | None:
    """The automaton around `state` with the state `after` the token that was taken, or all of it;
    None for an engine that has no picture."""
    if not isinstance(constraint, Drawable):
        return None
    return drawn_document(constraint.graph(state, () if after is None else (after,), full))


def drawn_document(graph: Graph) -> Document:
    """A drawing as a document."""
    return {
        "nodes": [
            {
                "name": node.name,
                "label": node.label,
                "x": node.x,
                "y": node.y,
                "current": node.current,
                "final": node.final,
            }
            for node in graph.nodes
        ],
        "edges": [
            {"source": edge.source, "target": edge.target, "label": edge.label}
            for edge in graph.edges
        ],
        "full": graph.full,
        "states": graph.states,
    }


def step_document(
    problem: Problem,
    step: Step,
    index: int,
    text: bytes,
    watch: tuple[int, ...] = (),
    seconds: float | None = None,
) -> Document:
    """One taken token: the law it was drawn from, and what followed."""
    document = position_document(problem, step.position, index, text, watch, step.next_state)
    taken = next(row for row in document["candidates"] if row["id"] == step.token)
    written = problem.constraint.vocabulary.tokens[step.token] or b""
    after = text + written
    if step.next_state is not None:
        pointer = problem.constraint.describe(step.next_state, after).pointer
    else:
        pointer = document["state"]["pointer"]
    return {
        **document,
        "taken": taken,
        "log_p": number(step.log_p),
        "log_proposal": number(step.log_proposal),
        "log_weight": number(step.log_weight),
        "next": taken["next"],
        "events": [
            *crossings(problem.constraint, step.position.state, written),
            *events(step, taken, document["state"]["pointer"] != pointer, document["free"]),
        ],
        "seconds": seconds,
    }


def timing_document(spans: Mapping[str, tuple[float, float]]) -> Document:
    """When the parts of a step ran, [start, end] in ms from the first: `draw`, the token drawn and its
    record made, then `pass` and `mask` of the next position, side by side."""
    zero = min(start for start, _ in spans.values())
    return {
        name: [round(1e3 * (start - zero), 2), round(1e3 * (end - zero), 2)]
        for name, (start, end) in spans.items()
    }


def events(step: Step, taken: Document, field_edge: bool, free: bool) -> list[str]:
    """What is worth stopping at: names that the strip's glyphs and `next event` read. In free text
    every token may be the last one and many states stand for one: neither is news."""
    found = {
        "argmax_blocked": step.position.argmax_blocked,
        "forced": step.position.forced,
        "multi_state": len(taken["states"]) > 2 and taken["allowed"] and not free,
        "field_edge": field_edge,
        "may_stop": step.position.may_stop and not free,
        "blocked": not taken["allowed"],
        "end": step.next_state is None,
    }
    return [name for name, holds in found.items() if holds]


def trace_documents(trace: Trace, watch: tuple[int, ...] = ()) -> list[Document]:
    """Every step of `trace`, in order."""
    text = b""
    documents = []
    for index, step in enumerate(trace.steps):
        documents.append(step_document(trace.problem, step, index, text, watch))
        text += trace.problem.model.vocabulary.tokens[step.token] or b""
    return documents


def provenance_document(problem: Problem) -> Document:
    """Which model, weights and engine made the numbers."""
    model = problem.model.provenance
    return {
        "model": model.name,
        "revision": model.revision,
        "dtype": model.dtype,
        "kind": model.kind,
        "device": model.device,
        "engine": problem.constraint.engine,
        "tokenizer": problem.constraint.vocabulary.fingerprint[:12],
        "app": __version__,
    }


def constraint_document(spec: ConstraintSpec, compiled: Compiled) -> Document:
    """The constraint as typed and what compiling it said."""
    report = compiled.report
    return {
        "kind": spec.kind,
        "source": spec.source,
        "engine": spec.engine,
        "engine_used": compiled.automaton.engine,
        "engine_title": engine_title(spec, compiled),
        "engine_about": ENGINES[spec.engine].about,
        "revision": hashlib.sha256(spec.model_dump_json().encode()).hexdigest()[:12],
        "states": report.states or None,  # an automaton with a stack has no number of them
        "transitions": report.transitions or None,
        "compile_seconds": report.compile_seconds,
        "cached": report.cached,
        "schema": schema_text(spec),
        "regex": report.regex[:2000],
        "notes": note_documents(report.notes),
    }


def engine_title(spec: ConstraintSpec, compiled: Compiled) -> str:
    """The engine's name for people, with the one that it picked."""
    used = compiled.automaton.engine
    title = ENGINES[spec.engine].title
    return title if used == spec.engine else f"{title}: {ENGINES[used].title}"


def note_documents(notes: Iterable[Note]) -> list[Document]:
    """What a lowering said, in order."""
    return [
        {
            "level": note.level,
            "keyword": note.keyword,
            "pointer": note.pointer,
            "message": note.message,
        }
        for note in notes
    ]
