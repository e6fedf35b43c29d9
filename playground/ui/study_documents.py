"""What the Study screen is told: a study as far as it has come, its rows by the page, one row whole."""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from playground.errors import InvalidInput
from playground.models.server import is_served
from playground.posed import chunks_of, constraint_of, items_of, problem_of, question
from playground.problem import ProblemSpec
from playground.record import Document, spellable
from playground.study.classes import CLASSES
from playground.study.command import command_of
from playground.study.export import rows_csv, rows_parquet, spelled, study_document
from playground.study.items import SETS, PromptSet
from playground.study.labels import NAMED, label_of
from playground.study.recommend import Recommendation, recommend
from playground.study.row import CATEGORIES, Row
from playground.study.spec import StudySpec
from playground.study.summary import Summary, summarise
from playground.ui.inputs import text_of
from playground.ui.study_files import Kept

PAGE = 20
"""Rows of a page of the table."""
SHORT = 160
"""Characters of an output in the table."""
SAMPLES = 3
"""Prompts of a set that are shown."""
CUT = "Step shows a run up to its first invalid token. The whole output stands here."
"""Said of an output that Step may not show to its end."""
SETTINGS = "study.jsonl"
"""What the study's own file is called where it is downloaded."""


def set_document(found: PromptSet) -> Document:
    """A built-in set: what it is, its first prompts, how many there are of each split."""
    items = found.make()
    test = [item for item in items if item.split == "test"] or list(items)
    return {
        "name": found.name,
        "title": found.title,
        "about": found.about,
        "splits": {**Counter(item.split for item in items), "all": len(items)},
        "gold": sum(item.gold is not None for item in items),
        "samples": [{"prompt": item.prompt, "gold": item.gold} for item in test[:SAMPLES]],
        "instruction": found.instruction,
        "fields": list(found.schema.get("properties", {})),
    }


def sets_document() -> Document:
    """Every built-in set."""
    return {"sets": [set_document(found) for found in SETS.values()]}


def labels_document(parallel: int = 3) -> list[Document]:
    """Every label that the screen offers: its level, its law, whether it is one of the usual ones."""
    from playground.decoding.methods import METHODS

    usual = [label.name for label in NAMED] + [f"parallel-{parallel}"]
    held = {label_of(name).method.name for name in usual}
    # What stands for its law by weights is counted by no study.
    rest = [name for name, method in METHODS.items() if name not in held and not method.weighted]
    return [
        {
            "name": name,
            "title": label.title,
            "level": label.level,
            "law": label.law,
            "target": label.method.target,
            "usual": name in usual,
        }
        for name in (*usual, *rest)
        for label in (label_of(name),)
    ]


def progress_document(
    kept: Kept, summary: Summary, more: Mapping[str, Any] | None = None
) -> Document:
    """A study as far as it has come. `more` says how it is going on: `left`, `stopped`,
    `others`."""
    spec = kept.spec
    _, items = items_of(spec)
    parts = chunks_of(spec, len(items))
    done = len(kept.chunks) == len(parts)
    found = SETS.get(spec.prompts.removeprefix("builtin:"))
    own = bool(spec.items)
    return {
        "id": kept.name,
        "recorded": kept.recorded,
        "spec": spec.model_dump(mode="json", exclude={"items"}),
        "own": own,
        "title": spec.prompts if own or found is None else found.title,
        "prompts": len(items),
        "prompts_done": sum(len(each) for i, each in enumerate(parts) if i in kept.chunks),
        "chunks": len(parts),
        "chunks_done": len(kept.chunks),
        "done": done,
        "provenance": dict(kept.provenance),
        "summary": spelled(summary.model_dump(mode="json")),
        "recommendation": spelled(recommend(summary).model_dump(mode="json")),
        "masses": [] if not spec.exact_rows else _masses(kept.rows),
        "command": spellable(_command(spec)),
        "categories": dict(CATEGORIES),
        "seconds": kept.seconds,
        "left": None,
        "stopped": False,
        **(more or {}),
    }


def _masses(rows: tuple[Row, ...]) -> list[Document]:
    """The bounds on Z of each prompt that has them."""
    of = {row.index: row.z for row in rows if row.z is not None}
    return [{"index": index, "lower": z[0], "upper": z[1]} for index, z in sorted(of.items())]


def _command(spec: StudySpec) -> str:
    return command_of(spec, settings=SETTINGS)


def study_now(kept: Kept) -> Document:
    """A study as it is kept, without what a run tells."""
    return progress_document(kept, summarise(kept.spec, kept.rows))


def rows_document(kept: Kept, told: Document) -> Document:
    """One page of a study's rows, filtered: `{"method", "category", "failure", "page"}`, each of them
    empty for all, the page from 0."""
    wanted = {name: text_of(told, name) for name in ("method", "category", "failure")}
    found = [
        row
        for row in kept.rows
        if all(not value or getattr(row, name) == value for name, value in wanted.items())
    ]
    page = told.get("page")
    pages = max(1, -(-len(found) // PAGE))
    at = min(page, pages - 1) if type(page) is int and page >= 0 else 0
    return {
        "count": len(found),
        "page": at,
        "pages": pages,
        "rows": [_short(row) for row in found[at * PAGE : (at + 1) * PAGE]],
    }


def _short(row: Row) -> Document:
    """A row as the table has it."""
    text = row.text if len(row.text) <= SHORT else f"{row.text[: SHORT - 1]}…"
    names = ("index", "item", "method", "draw", "category", "failure", "tokens", "attempts", "bits")
    return {**{name: getattr(row, name) for name in names}, "text": spellable(text)}


def row_document(kept: Kept, told: Document) -> Document:
    """One row whole: `{"index", "method", "draw"}`, with its prompt, its gold answer, and the problem
    and path under which Step shows it, with what Step leaves out of it.

    Raises:
        InvalidInput: the study has no such row.
    """
    wanted = told.get("index"), told.get("method"), told.get("draw", 0)
    row = next((row for row in kept.rows if (row.index, row.method, row.draw) == wanted), None)
    if row is None:
        raise InvalidInput("The study has no such row.", "Reload the page.", "row")
    spec = kept.spec
    builtin, items = items_of(spec)
    item = items[row.index]
    constraint = constraint_of(spec, builtin)
    asked = question(spec, builtin, constraint, item)
    problem, path, note = _steps(row, problem_of(spec, constraint, asked, row.index))
    return {
        "row": spellable(row.model_dump(mode="json", exclude={"path"})),
        "failure": None if row.failure is None else CLASSES[row.failure],
        "prompt": spellable(item.prompt),
        "asked": spellable(asked),
        "gold": spellable(item.gold),
        "problem": problem.model_dump(mode="json"),
        "path": path,
        "note": note,
        "cut": CUT if path and problem.method == "unconstrained" and not row.in_language else "",
    }


def _steps(row: Row, problem: ProblemSpec) -> tuple[ProblemSpec, list[int], str]:
    """How Step shows a row: the problem, the path, and what of the row it doesn't show."""
    label = label_of(row.method)
    method, path, note = "masked", list(row.path), ""
    if label.method.name in ("json-mode", "think"):
        method = label.method.name
    elif label.method.target in ("p", "conditional") or label.method.name == "retry":
        method = "unconstrained"
    prefill = label.prefill
    if is_served(problem.model):
        note = "The answer is a server's, which tells no steps: choose another model to open the prompt."
    if label.method.name == "retry" and row.attempts > 1:
        path, prefill = [], ""
        note = (
            f"The answer is attempt {row.attempts}, given under a prompt with the error in it: Step "
            "opens the first prompt, without a path."
        )
    return problem.model_copy(update={"method": method, "prefill": prefill}), path, note


def exports(
    kept: Kept, file: Callable[[], bytes]
) -> Mapping[str, tuple[str, str, Callable[[], bytes]]]:
    """Kind -> (name of the file, its media type, its bytes when asked). `file` reads the study's own
    file. Only what says what came out reads the rows again: that takes a moment."""
    spec, rows = kept.spec, kept.rows
    _, items = items_of(spec)
    done = len(kept.chunks) == len(chunks_of(spec, len(items)))
    command = _command(spec)

    def report() -> bytes:
        from playground.views.study import report_html

        summary, advice = read()
        today = date.today().isoformat()
        return report_html(whole(summary, advice), summary, advice, rows, items, today).encode()

    def read() -> tuple[Summary, Recommendation]:
        summary = summarise(spec, rows)
        return summary, recommend(summary)

    def whole(summary: Summary, advice: Recommendation) -> Document:
        return study_document(spec, kept.provenance, command, summary, advice, done)

    def printed() -> bytes:
        document = whole(*read())
        return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1).encode()

    def parquet() -> bytes:
        about = {
            "spec": spec.model_dump(mode="python"),
            "provenance": dict(kept.provenance),
            "command": command,
            "done": done,
        }
        return rows_parquet(rows, items, about)

    return {
        "csv": ("study-rows.csv", "text/csv", lambda: rows_csv(rows, items)),
        "parquet": ("study-rows.parquet", "application/vnd.apache.parquet", parquet),
        "json": ("study-summary.json", "application/json", printed),
        "html": ("study-report.html", "text/html", report),
        "settings": (SETTINGS, "application/jsonl", file),
    }
