"""Links: what the browser makes them with, and the event that opens one in the rail and the stage."""

from collections.abc import AsyncIterator, Mapping
from typing import Any

import gradio as gr

from playground.demo import Demo
from playground.errors import ModelUnavailable, PlaygroundError
from playground.links import recorded_run
from playground.opened import Opened
from playground.problem import ProblemSpec, parse_problem
from playground.record import Document, error_document
from playground.session import Playground
from playground.ui.inputs import asked, path_of, text_of
from playground.ui.opening import MAX_OPENING, Opening
from playground.ui.rail import Rail
from playground.ui.rail_values import FIELDS, OWN, is_own, values_of
from playground.ui.stage import notice, page
from playground.ui.streaming import MAX_KEY


def _about(run: str, made: str | None, recorded: str | None) -> Document:
    """What a page says of the link that it was opened by."""
    return {"run": run, "made": made, "recorded": recorded}


def linked_document(
    playground: Playground,
    opened: Opened,
    told: Document,
    demos: Mapping[str, Demo],
    kept: Document | None,
) -> Document:
    """The page of a link, with `link`, what is to be said of it: `made`, the revision that it was
    made with where another one runs here, and `recorded`, the lesson whose recording it shows then.

    Args:
        playground: replays the run.
        opened: the link's problem.
        told: what the browser sent.
        demos: the examples.
        kept: the recording of the same run, made with the link's revision.
    """
    spec, made = opened.spec, text_of(told, "revision")
    running = opened.problem.model.provenance.revision
    if kept is not None and made != running:
        return kept
    document = playground.replay(spec, path_of(told))
    demo = demos.get(text_of(told, "demo"))
    if demo is not None and not is_own(spec, demo.problem):
        document["lesson"] = {"slug": demo.slug, "title": demo.title, "question": demo.question}
    other = made if made and made != running else None
    return {**document, "link": _about(text_of(told, "run"), other, None)}


def kept_document(spec: ProblemSpec, told: Document) -> Document | None:
    """A lesson's recording of the link's run, as the page shows it; None where there is none, or
    where the visitor asks for the model that runs here."""
    made = text_of(told, "revision")
    if told.get("live") is True or not made:
        return None
    found = recorded_run(spec, path_of(told), made)
    if found is None:
        return None
    return {**found, "link": _about(text_of(told, "run"), made, found.pop("recorded"))}


def wire_links(
    playground: Playground,
    opening: Opening,
    demos: Mapping[str, Demo],
    preset: gr.Dropdown,
    rail: Rail,
    stage: gr.HTML,
) -> Any:
    """Let a link put its problem into the rail and its run on the stage.

    It tells `{"run": its name, "problem", "path", "demo": slug or null, "revision": of the model that
    the link was made with or null, "live": whether to use no recording}`.

    Returns:
        Gradio's event of that opening, for what cancels it.
    """

    async def open_link(event: gr.EventData) -> AsyncIterator[list[Any]]:
        still = [gr.skip()] * (1 + len(FIELDS))
        told: Document = event._data if isinstance(event._data, dict) else {}
        told = {**told, "run": text_of(told, "run")[:MAX_KEY]}
        kept: Document | None = None
        try:
            spec = parse_problem(told.get("problem"))
            kept = kept_document(spec, told)
            asked(playground, told)
        except ModelUnavailable as error:
            # No model of that name here: the rail can't show it, a recording needs none.
            yield [*still, page(kept) if kept else notice(error=error_document(error))]
            return
        except PlaygroundError as error:
            yield [*still, notice(error=error_document(error))]
            return

        def make(opened: Opened) -> Document:
            return linked_document(playground, opened, told, demos, kept)

        shown: list[Any] = [OWN, *values_of(spec)]
        async for update in opening.run(spec, make=make, instead=kept):
            yield [*shown, update]
            shown = still

    return stage.open_link(
        open_link,
        None,
        [preset, *rail.named(), stage],
        show_progress="hidden",
        concurrency_limit=MAX_OPENING,
        api_visibility="private",
    )
