"""The Step screen: the rail on the left asks, the stage shows. Decisions are made in `session`."""

from collections.abc import AsyncIterator, Mapping
from typing import Any

import gradio as gr

from playground.demo import Demo
from playground.errors import PlaygroundError
from playground.links import examples_document
from playground.record import error_document
from playground.session import Playground
from playground.ui.compare import compare_view, wire_compare
from playground.ui.decisions import decisions_view, wire_decisions
from playground.ui.inputs import asked
from playground.ui.levels import levels_view, wire_levels
from playground.ui.links import wire_links
from playground.ui.opening import MAX_OPENING, Opening, demo_document
from playground.ui.rail import about_engine, build_rail, wire_kind, wire_live
from playground.ui.rail_values import (
    FIELDS,
    HELP,
    OWN,
    document_of,
    is_own,
    usual_constraint,
    values_of,
)
from playground.ui.schema import schema_view, wire_schema
from playground.ui.squeezing import squeezing_view, wire_squeezing
from playground.ui.stage import notice, stage
from playground.ui.streaming import Streaming
from playground.ui.study import study_view, wire_study
from playground.ui.study_runs import StudyRuns


def build_step(playground: Playground, demos: Mapping[str, Demo]) -> None:
    """Lay out the screen inside the current `gr.Blocks` and wire it."""
    first = next(iter(demos.values()))
    opening, streaming, runs = Opening(playground), Streaming(playground), StudyRuns(playground)
    with gr.Row(elem_id="screen", equal_height=False):
        with gr.Column(scale=0, min_width=300, elem_id="rail"):
            preset = gr.Dropdown(
                [
                    *(
                        (demo.title if demo.toy else f"{demo.title} · SmolLM2", slug)
                        for slug, demo in demos.items()
                    ),
                    ("Your own", OWN),
                ],
                value=first.slug,
                label="Example",
                elem_id="preset",
            )
            rail = build_rail(playground, first)
            with gr.Row(elem_id="rail-actions"):
                start = gr.Button("Start", variant="primary", elem_id="start", scale=1)
                cancel = gr.Button("Cancel", elem_id="cancel", scale=0, min_width=90)
        with gr.Column(scale=1, min_width=320, elem_id="stage-column"):
            page = demo_document(playground, first)
            view = stage(playground, page, examples_document(demos))
            comparison = compare_view(playground, streaming)
            squeezing = squeezing_view(playground, streaming)
            code, schema = schema_view(playground, streaming, first)
            levels = levels_view(streaming)
            study = study_view(playground, streaming, runs)
            decisions = decisions_view(streaming)
    toy = gr.JSON(visible=False)
    wire_kind(rail)
    wire_live(rail, view, playground.hub.names())
    wire_compare(playground, streaming, comparison, rail, toy)
    wire_squeezing(playground, streaming, squeezing, rail, toy)
    wire_levels(playground, streaming, levels, rail, toy, preset, view)
    followed = wire_schema(playground, opening, streaming, code, schema, preset, rail, view, toy)
    wire_decisions(playground, streaming, decisions)
    replayed = wire_study(playground, opening, streaming, runs, study, preset, rail, view)
    linked = wire_links(playground, opening, demos, preset, rail, view)

    def show_model(*values: Any) -> list[Any]:
        given = dict(zip(FIELDS, values, strict=True))
        name = given["model"]
        real = not name.startswith("toy:")
        if real:
            playground.prepare(name)
        return [
            gr.Textbox(visible=real),
            gr.Checkbox(visible=real),
            gr.Checkbox(visible=real),
            *usual_constraint(name, given),
        ]

    async def open_problem(edited: Any, slug: str, *values: Any) -> AsyncIterator[list[Any]]:
        try:
            spec = asked(playground, {"problem": document_of(values, edited)})
        except PlaygroundError as error:
            yield [gr.skip(), notice(error=error_document(error))]
            return
        example = demos[slug].problem if slug in demos else None
        title = OWN if is_own(spec, example) else gr.skip()
        async for update in opening.run(spec):
            yield [title, update]
            title = gr.skip()

    async def open_demo(slug: str) -> AsyncIterator[list[Any]]:
        if slug == OWN:
            yield [gr.skip()] * (len(FIELDS) + 1)
            return
        demo = demos[slug]
        shown = values_of(demo.problem)
        async for update in opening.run(demo.problem, demo):
            yield [*shown, update]
            shown = [gr.skip()] * len(shown)

    rail.model.input(
        show_model,
        rail.named(),
        rail.named("prompt", "chat", "heal", "kind", *HELP, "type_name", "whitespace"),
        show_progress="hidden",
        api_visibility="private",
    )
    rail.engine.change(
        about_engine, rail.engine, rail.engine, show_progress="hidden", queue=False,
        api_visibility="private",
    )  # fmt: skip
    running = start.click(
        open_problem,
        [toy, preset, *rail.named()],
        [preset, view],
        js="(toy, ...rest) => [window.playgroundStage?.toy() ?? null, ...rest]",
        show_progress="hidden",
        concurrency_limit=MAX_OPENING,
        api_visibility="private",
    )
    # Not `input`, which Gradio sends twice for a click, nor `select`, which it forgets for a key.
    chosen = preset.change(
        open_demo,
        preset,
        [*rail.named(), view],
        show_progress="hidden",
        concurrency_limit=MAX_OPENING,
        api_visibility="private",
    )
    cancel.click(
        lambda: notice(),
        None,
        view,
        cancels=[running, chosen, followed, replayed, linked],
        queue=False,
        show_progress="hidden",
        api_visibility="private",
    )
