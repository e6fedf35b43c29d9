"""The Schema screen: a constraint is pasted, explained, tested and mended. Answers come from
`playground.debugger`; no model is run."""

from collections.abc import AsyncIterator
from typing import Any

import gradio as gr

from playground.constraints.engines import ENGINES
from playground.constraints.spec import ConstraintSpec
from playground.demo import Demo
from playground.errors import PlaygroundError
from playground.record import Document, error_document
from playground.session import Playground
from playground.ui.between import between_run
from playground.ui.inputs import asked, text_of
from playground.ui.joined import module_js
from playground.ui.opening import MAX_OPENING, Opening
from playground.ui.rail import Rail
from playground.ui.rail_values import FIELDS, FINITE, KINDS, OWN, document_of, values_of
from playground.ui.schema_calls import schema_calls, spec_of, whole
from playground.ui.schema_starts import FIRST, STARTS
from playground.ui.screen import wire_runs
from playground.ui.stage import notice
from playground.ui.streaming import Streaming

EDITED = ("schema", "regex", "grammar", "pydantic", "tool", "choices")
"""The kinds that the screen's editor offers, in their order."""
USUAL_PROMPT = "Write one example."
"""What a model is asked for where the rail's prompt is empty."""

MOUNT = """
const plain = (value) => JSON.parse(JSON.stringify(value ?? null));
const tell = {
  language: () => trigger('set_language', {}),
  rail: () => trigger('take_rail', {}),
  step: (what) => trigger('open_step', what),
  run: (what) => trigger('run', what),
};
// Gradio may mount the editor later than this.
const code = new Promise((resolve) => {
  const look = () => {
    const node = document.querySelector('#schema-code');
    if (node) resolve(node); else setTimeout(look, 30);
  };
  look();
});
// Its modules are loaded when the screen is first shown: most visits begin on another one.
let begun = false;
const begin = () => {
  if (begun || document.body.dataset.screen !== 'schema') return;
  begun = true;
  $SCHEMA.then(({ mount }) => {
    const screen = mount(element, { server, code, tell, page: plain(props.page) });
    window.playgroundScreens = { ...window.playgroundScreens, schema: screen };
    watch('value', () => screen.show(plain(props.value)));
    watch('notice', () => screen.notice(plain(props.notice)));
    if (window.playgroundHeld) screen.rail(...window.playgroundHeld);
    window.playgroundHeld = null;
  }).catch((error) => {
    element.textContent = 'The page could not load its script: ' + error.message + '. Reload it.';
  });
};
window.addEventListener('playground-screen', begin);
begin();
"""
LANGUAGE = """() => [{__type__: 'update',
  language: window.playgroundScreens?.schema?.language() ?? null}]"""
TAKEN = """(...values) => {
  const names = %s;
  const held = Object.fromEntries(names.map((name, at) => [name, values[at]]));
  const screen = window.playgroundScreens?.schema, forced = %s;
  if (screen) screen.rail(held, forced); else window.playgroundHeld = [held, forced];
  %s
  return [];
}"""
"""Hands the rail's values to the screen."""


def page_props(playground: Playground, first: Demo) -> Document:
    """What the screen opens with."""
    usual = ConstraintSpec()
    start = {**FIRST, "engine": usual.engine, "whitespace": usual.whitespace}
    return {
        "start": start,
        "starts": list(STARTS),
        "kinds": list(EDITED),
        "engines": [[name, entry.title, entry.about] for name, entry in ENGINES.items()],
        "finite": list(FINITE),
        "models": [name for name in playground.hub.names() if not name.startswith("toy:")],
        "labels": dict(KINDS),
        "rail": first.problem.constraint.model_dump(),
    }


def schema_view(
    playground: Playground, streaming: Streaming, first: Demo
) -> tuple[gr.Code, gr.HTML]:
    """The screen and its editor, which the browser puts into the screen."""
    code = gr.Code(
        FIRST["source"],
        language="json",
        label="Constraint",
        show_label=False,
        container=False,
        lines=12,
        buttons=[],
        interactive=True,
        elem_id="schema-code",
    )
    view = gr.HTML(
        None,
        html_template='<div class="screen-mount"></div>',
        js_on_load=MOUNT.replace("$SCHEMA", module_js("schema/main.js")),
        apply_default_css=False,
        elem_id="schema",
        page=page_props(playground, first),
        notice=None,
        server_functions=[streaming.stop, *schema_calls(playground)],
    )
    return code, view


def step_problem(playground: Playground, told: Any, given: Document) -> Document:
    """The problem document for a constraint of this screen, with what else the rail holds.

    A toy's few tokens spell its own texts alone, so another constraint is opened on the first
    model that is none.

    Raises:
        InvalidInput: the constraint can't be read.
    """
    spec = spec_of(told)
    problem = {**given, "constraint": spec.model_dump()}
    problem["prompt"] = text_of(told, "prompt") or given["prompt"]
    if problem["model"].startswith("toy:") and problem["constraint"] != given["constraint"]:
        live = [name for name in playground.hub.names() if not name.startswith("toy:")]
        if live:
            problem = {**problem, "model": live[0], "toy": None}
    if (
        not problem["model"].startswith("toy:")
        and problem["chat"]
        and not problem["prompt"].strip()
    ):
        problem["prompt"] = USUAL_PROMPT
    return problem


def wire_schema(
    playground: Playground,
    opening: Opening,
    streaming: Streaming,
    code: gr.Code,
    view: gr.HTML,
    preset: gr.Dropdown,
    rail: Rail,
    stage: gr.HTML,
    toy: gr.JSON,
) -> Any:
    """Let the screen choose the editor's language, share the rail's constraint and open Step, where
    `preset`, the choice of examples, then shows that the problem is the visitor's.

    Returns:
        Gradio's event of that opening, for what cancels it.
    """
    held = TAKEN % (list(FIELDS), "%s", "%s")
    wire_runs(between_run(playground, streaming), view, rail, toy)
    view.set_language(None, None, code, js=LANGUAGE)
    code.change(
        None, code, None, js="() => { window.playgroundScreens?.schema?.edited(); return []; }"
    )
    view.take_rail(None, rail.named(), None, js=held % ("false", ""))
    rail.debug.click(
        None,
        rail.named(),
        None,
        js=held
        % (
            "true",
            "document.body.classList.remove('rail-open'); window.playgroundShell.screen('schema');",
        ),
    )

    async def open_step(event: gr.EventData, edited: Any, *values: Any) -> AsyncIterator[list[Any]]:
        still = [gr.skip()] * (1 + len(FIELDS))
        told = event._data if isinstance(event._data, dict) else {}
        try:
            problem = step_problem(playground, told, document_of(values, edited))
            spec = asked(playground, {"problem": problem})
        except PlaygroundError as error:
            yield [*still, notice(error=error_document(error))]
            return
        shown: list[Any] = [OWN, *values_of(spec)]
        async for update in opening.run(spec, text=whole(text_of(told, "text"))):
            yield [*shown, update]
            shown = still

    return view.open_step(
        open_step,
        [toy, *rail.named()],
        [preset, *rail.named(), stage],
        js="(toy, ...rest) => [window.playgroundStage?.toy() ?? null, ...rest]",
        show_progress="hidden",
        concurrency_limit=MAX_OPENING,
        api_visibility="private",
    )
