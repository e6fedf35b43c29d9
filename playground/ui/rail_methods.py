"""The rail's choice of method for the Step screen, and the settings that only some methods read."""

import json
from typing import TYPE_CHECKING

import gradio as gr

from playground.constraints.spec import Markers
from playground.decoding.sampler import SAMPLERS
from playground.problem import MAX_PREFILL, ProblemSpec
from playground.ui.rail_values import MARKERS, OTHER_MARKERS, PREFILL, markers_name

if TYPE_CHECKING:
    from playground.ui.rail import Rail

METHODS = {
    "masked": "After the mask",
    "unconstrained": "Unconstrained",
    "json-mode": "JSON mode",
    "think": "Think, then constrain",
}
"""The stepwise methods by name, for people."""


def law_of(method: str) -> str:
    """What a method draws from, as a sentence."""
    return f"Draws from {SAMPLERS[method].law}."


def asking(spec: ProblemSpec) -> tuple[gr.Checkbox, gr.Textbox, gr.Number]:
    """What only the model left alone reads: how its answer begins, and how often it may be asked
    again. The style sheet hides it beside another method."""
    with gr.Column(elem_id="of-unconstrained", min_width=0):
        begins = gr.Checkbox(
            bool(spec.prefill),
            label="Begin the answer with this text",
            info="Given, not sampled. Retry gives it to its first attempt.",
            elem_id="begins",
        )
        prefill = gr.Textbox(
            spec.prefill or PREFILL,
            label="The answer begins with",
            show_label=False,
            max_length=MAX_PREFILL,
            elem_id="prefill",
            elem_classes="mono",
        )
        attempts = gr.Number(
            spec.attempts,
            label="Attempts of retry",
            precision=0,
            minimum=1,
            maximum=10,
            elem_id="attempts",
        )
    return begins, prefill, attempts


def marking(value: Markers) -> tuple[gr.Radio, gr.Textbox, gr.Textbox]:
    """What only think, then constrain reads: between which markers it masks."""
    with gr.Column(elem_id="of-think", min_width=0):
        choice = gr.Radio(
            [*MARKERS, OTHER_MARKERS],
            value=markers_name(value),
            label="Think, then constrain masks between",
            elem_id="markers",
        )
        with gr.Row():
            opens, closes = (
                gr.Textbox(
                    text,
                    label=label,
                    lines=2,
                    max_lines=3,
                    max_length=40,
                    min_width=100,
                    elem_id=name,
                    elem_classes="mono",
                )
                for text, label, name in (
                    (value.open, "Opens a span", "opens"),
                    (value.close, "Closes it", "closes"),
                )
            )
    return choice, opens, closes


_PRESETS = json.dumps({name: each.model_dump() for name, each in MARKERS.items()})
_LAWS = json.dumps({name: law_of(name) for name in METHODS})
_CHANGE = "window.playgroundStage?.change"
SHOW_LAW = f"(name) => ({{__type__: 'update', info: {_LAWS}[name]}})"
BEGIN = f"(begins, text) => {{ {_CHANGE}({{prefill: begins ? text : ''}}); return []; }}"
WRITE = f"(begins, text) => {{ if (begins) {_CHANGE}({{prefill: text}}); return []; }}"
MARK = f"""(open, close) => {{
  {_CHANGE}({{markers: {{open, close}}}});
  const same = ([, each]) => each.open === open && each.close === close;
  return (Object.entries({_PRESETS}).find(same) ?? [{json.dumps(OTHER_MARKERS)}])[0];
}}"""
CHOOSE = f"""(name) => {{
  const markers = {_PRESETS}[name];
  if (!markers) return [{{__type__: 'update'}}, {{__type__: 'update'}}];
  {_CHANGE}({{markers}});
  return [markers.open, markers.close];
}}"""


def wire_methods(rail: "Rail") -> None:
    """Let the settings of several inputs act at once, and the law follow the method."""
    begins, markers = rail.named("begins", "prefill"), rail.named("opens", "closes")
    rail.method.change(None, rail.method, rail.method, js=SHOW_LAW)
    rail.begins.input(None, begins, None, js=BEGIN, trigger_mode="always_last")
    # Gradio's `input` hears keys, not a paste by mouse: that acts when the box is left.
    written = (rail.prefill.input, rail.prefill.blur)
    gr.on(written, None, begins, None, js=WRITE, trigger_mode="always_last")
    rail.markers.input(None, rail.markers, markers, js=CHOOSE, trigger_mode="always_last")
    for box in (rail.opens, rail.closes):
        marked = (box.input, box.blur)
        gr.on(marked, None, markers, rail.markers, js=MARK, trigger_mode="always_last")
