"""The rail: the inputs on the left of the Step screen, laid out, and those that act at once."""

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import gradio as gr

from playground.constraints.engines import ENGINES
from playground.constraints.spec import JSON_KINDS, ConstraintSpec
from playground.constraints.types import TYPES
from playground.decoding.sampling import Sampling
from playground.demo import Demo
from playground.session import Playground
from playground.ui.rail_methods import METHODS, asking, law_of, marking, wire_methods
from playground.ui.rail_values import FIELDS, FINITE, HELP, KINDS, SINGLE, shown_settings

EXAMPLES = {
    "regex": "(yes|no|maybe)",
    "choices": "yes\nno\nmaybe",
    "schema": """{
  "type": "object",
  "properties": {
    "answer": {"enum": ["yes", "no"]},
    "score": {"type": "integer", "minimum": 0, "maximum": 10}
  },
  "required": ["answer", "score"],
  "additionalProperties": false
}""",
    "pydantic": """from pydantic import BaseModel, Field


class Rating(BaseModel):
    answer: bool
    score: int = Field(ge=0, le=10)
""",
    "grammar": """root ::= sum
sum ::= term (("+" | "-") term)*
term ::= [0-9]+ | "(" sum ")"
""",
    "tool": """{
  "name": "get_weather",
  "description": "The weather of a city now.",
  "input_schema": {
    "type": "object",
    "properties": {
      "location": {"type": "string", "maxLength": 40},
      "unit": {"enum": ["celsius", "fahrenheit"]}
    },
    "required": ["location", "unit"],
    "additionalProperties": false
  }
}""",
}
"""What an editor opens with."""
ABOUT_HEALING = (
    "The last token is taken off and its text put before the answer. Bare prompts and the exact "
    "engine only; acts on Start."
)


@dataclass(frozen=True, slots=True)
class Rail:
    """The inputs of the rail, in the order of `rail_values.FIELDS`, and its button."""

    model: gr.Dropdown
    prompt: gr.Textbox
    chat: gr.Checkbox
    heal: gr.Checkbox
    kind: gr.Radio
    regex: gr.Textbox
    choices: gr.Textbox
    schema: gr.Textbox
    pydantic: gr.Textbox
    grammar: gr.Textbox
    tool: gr.Textbox
    type_name: gr.Dropdown
    whitespace: gr.Radio
    engine: gr.Dropdown
    method: gr.Radio
    begins: gr.Checkbox
    """The answer begins with `prefill`."""
    prefill: gr.Textbox
    attempts: gr.Number
    markers: gr.Radio
    opens: gr.Textbox
    closes: gr.Textbox
    temperature: gr.Slider
    top_k: gr.Number
    top_p: gr.Slider
    mask_order: gr.Radio
    max_tokens: gr.Number
    seed: gr.Number
    debug: gr.Button
    """Leads to the Schema screen."""

    def named(self, *names: str) -> list[Any]:
        """The components of these names; of all, in order, where none is given."""
        return [getattr(self, name) for name in names or FIELDS]


def about_engine(name: str) -> gr.Dropdown:
    """The choice of engines, with a sentence about the one that is chosen."""
    entry = ENGINES.get(name)
    return gr.Dropdown(info=entry.about if entry is not None else "")


def editor(kind: str, constraint: ConstraintSpec) -> gr.Textbox:
    """The editor of one kind of constraint, on screen if `constraint` is of that kind."""
    ours = kind == constraint.kind
    return gr.Textbox(
        constraint.source if ours else EXAMPLES[kind],
        label="Constraint",
        show_label=False,
        lines=6,
        max_lines=18,
        info=HELP[kind],
        visible=ours,
        elem_classes="mono",
    )


def build_rail(playground: Playground, first: Demo) -> Rail:
    """Lay out the inputs, filled for `first`."""
    spec = first.problem
    with gr.Accordion("Model and prompt", open=True):
        model = gr.Dropdown(
            list(playground.hub.names()), value=spec.model, label="Model", elem_id="model"
        )
        prompt = gr.Textbox(
            spec.prompt, label="Prompt", lines=3, max_lines=8, visible=False, elem_id="prompt"
        )
        chat = gr.Checkbox(spec.chat, label="Chat template", visible=False, elem_id="chat")
        heal = gr.Checkbox(
            spec.heal,
            label="Let the model rewrite the prompt's last token",
            info=ABOUT_HEALING,
            visible=False,
            elem_id="heal",
        )
    with gr.Accordion("Constraint", open=True):
        kind = gr.Radio(
            list(KINDS),
            value=next(label for label, name in KINDS.items() if name == spec.constraint.kind),
            label="Kind",
            elem_id="kind",
            show_label=False,
        )
        with gr.Column(elem_id="source", min_width=0):
            regex, choices, schema, pydantic, grammar, tool = (
                editor(name, spec.constraint) for name in HELP
            )
        type_name = gr.Dropdown(
            list(TYPES), label="Type", visible=False, elem_id="type-name", show_label=False
        )
        engine = gr.Dropdown(
            [(entry.title, name) for name, entry in ENGINES.items()],
            value=spec.constraint.engine,
            label="Engine",
            info=ENGINES[spec.constraint.engine].about,
            elem_id="engine",
        )
        whitespace = gr.Radio(
            ["none", "one", "flexible"],
            value=spec.constraint.whitespace,
            label="Blanks between JSON tokens",
            visible=spec.constraint.kind in JSON_KINDS,
            elem_id="whitespace",
        )
        debug = gr.Button("Debug this constraint", elem_id="debug", size="sm")
    with gr.Accordion("Sampling", open=False):
        method = gr.Radio(
            [(title, name) for name, title in METHODS.items()],
            value=spec.method,
            label="Draw",
            info=law_of(spec.method),
            elem_id="method",
        )
        begins, prefill, attempts = asking(spec)
        markers, opens, closes = marking(spec.markers)
        temperature = gr.Slider(
            0, 3, value=1, step=0.05, label="Temperature (0 is greedy)", elem_id="temperature"
        )
        top_k = gr.Number(0, label="Top-k (0 is off)", precision=0, minimum=0, elem_id="top-k")
        top_p = gr.Slider(0.01, 1, value=1, step=0.01, label="Top-p (1 is off)", elem_id="top-p")
        mask_order = gr.Radio(
            [
                ("Mask after the filters", "after-filters"),
                ("Mask first, as engines do", "before-filters"),
            ],
            value="after-filters",
            label="Order",
            elem_id="mask-order",
        )
        max_tokens = gr.Number(
            64, label="Max tokens", precision=0, minimum=1, maximum=1024, elem_id="max-tokens"
        )
        seed = gr.Number(0, label="Seed", precision=0, minimum=0, maximum=2**53 - 1, elem_id="seed")
    return Rail(
        model, prompt, chat, heal, kind, regex, choices, schema, pydantic, grammar, tool,
        type_name, whitespace, engine, method, begins, prefill, attempts, markers, opens, closes,
        temperature, top_k, top_p, mask_order, max_tokens,
        seed, debug,
    )  # fmt: skip


LIVE = "(value) => { window.playgroundStage?.change(%s); return []; }"
"""A change of one setting replays the path on the page, so that every view is live. The one field
alone is sent: the stage may have changed the others."""


SHOW_KIND = f"""(label, engine) => {{
  const kind = {json.dumps(KINDS)}[label];
  const show = (visible) => ({{__type__: 'update', visible}});
  return [...{json.dumps(list(HELP))}.map((name) => show(name === kind)), show(kind === 'type'),
    show({json.dumps(JSON_KINDS)}.includes(kind)),
    kind === 'grammar' && {json.dumps(FINITE)}.includes(engine) ? 'auto' : {{__type__: 'update'}}];
}}"""
"""In the browser, so that nobody types into the editor of the kind before while a server answers.
A grammar brings an engine that can run it."""


def wire_kind(rail: Rail) -> None:
    """Let the editors, the type, the blanks and the engine follow the kind."""
    shown = rail.named(*HELP, "type_name", "whitespace", "engine")
    rail.kind.change(None, rail.named("kind", "engine"), shown, js=SHOW_KIND)


def wire_live(rail: Rail, view: gr.HTML, models: Collection[str]) -> None:
    """Let the sampling inputs act at once, without a press of Start, and show in the rail what the
    stage changed by itself: more tokens, the mask first, an undo."""
    for name in SINGLE:
        field = f"{{{name}: value}}"
        patch = f"{{sampling: {field}}}" if name in Sampling.model_fields else field
        # `always_last`: by default an event during another is dropped, and with it the last digit.
        getattr(rail, name).input(
            None, getattr(rail, name), None, js=LIVE % patch, trigger_mode="always_last"
        )

    wire_methods(rail)

    def show(event: gr.EventData) -> list[Any]:
        return shown_settings(event._data, models)

    view.changed(
        show, None, rail.named(), show_progress="hidden", queue=False, api_visibility="private"
    )
