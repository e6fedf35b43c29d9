"""What the Study screen asks of the server, by name."""

import base64
from collections.abc import Callable
from typing import Any

from playground.errors import InvalidInput
from playground.record import Document, spellable
from playground.ui.inputs import guarded, text_of
from playground.ui.study_asked import own_document, own_items, plan_document, study_spec
from playground.ui.study_documents import (
    SAMPLES,
    exports,
    row_document,
    rows_document,
    sets_document,
    study_now,
)
from playground.ui.study_experiments import experiments_document, models_of, recorded
from playground.ui.study_runs import StudyRuns
from playground.ui.study_scatter import scatter_document

MOST_EXPORT = 40 * 2**20
"""Largest file that is handed to a page, bytes."""


def study_calls(runs: StudyRuns) -> list[Callable[[Any], Document]]:
    """The calls, each takes one JSON object and returns one, or `{"error": card}`."""
    playground, files, paces = runs.playground, runs.files, runs.paces

    def answered(payload: Any, answer: Callable[[Document], Document]) -> Document:
        return guarded(lambda: answer(payload if isinstance(payload, dict) else {}))

    def sets(payload: Any) -> Document:
        return guarded(lambda: {**sets_document(), "recorded": files.has_recorded})

    def check(payload: Any) -> Document:
        def checked(told: Document) -> Document:
            items = own_items(told)
            return {
                "count": len(items),
                "gold": sum(item.gold is not None for item in items),
                "samples": [
                    {"prompt": spellable(item.prompt), "gold": spellable(item.gold)}
                    for item in items[:SAMPLES]
                ],
            }

        return answered(payload, checked)

    def plan(payload: Any) -> Document:
        return answered(
            payload, lambda told: plan_document(playground, paces, study_spec(playground, told))
        )

    def own(payload: Any) -> Document:
        return answered(payload, lambda told: own_document(files.read(text_of(told, "id")).spec))

    def look(payload: Any) -> Document:
        def looked(told: Document) -> Document:
            name = text_of(told, "id")
            # Before it is read: of a run that ends meanwhile the page asks again.
            elsewhere = files.is_held(name)
            return {**study_now(files.read(name)), "elsewhere": elsewhere}

        return answered(payload, looked)

    def rows(payload: Any) -> Document:
        return answered(payload, lambda told: rows_document(files.read(text_of(told, "id")), told))

    def row(payload: Any) -> Document:
        return answered(payload, lambda told: row_document(files.read(text_of(told, "id")), told))

    def export(payload: Any) -> Document:
        def exported(told: Document) -> Document:
            name = text_of(told, "id")
            kinds = exports(files.read(name), lambda: files.path(name).read_bytes())
            kind = text_of(told, "kind")
            if kind not in kinds:
                raise InvalidInput(
                    f"There is no export {kind[:40]!r}.", f"Choose one of {', '.join(kinds)}."
                )
            title, media, make = kinds[kind]
            content = make()
            if len(content) > MOST_EXPORT:
                raise InvalidInput(
                    f"The file has {len(content):,} bytes; at most {MOST_EXPORT:,} are handed to a "
                    "page.",
                    "Run the study by its command instead.",
                )
            return {"name": title, "type": media, "base64": base64.b64encode(content).decode()}

        return answered(payload, exported)

    def within(payload: Any) -> Document:
        def going(told: Document) -> Document:
            name = text_of(told, "id")
            return {**runs.within(name), "held": files.is_held(name)}

        return answered(payload, going)

    def scatter(payload: Any) -> Document:
        return answered(payload, lambda told: scatter_document(files.read(text_of(told, "id"))))

    def experiments(payload: Any) -> Document:
        return guarded(lambda: experiments_document(recorded(), models_of(playground)))

    return [sets, check, plan, own, look, rows, row, export, within, scatter, experiments]
