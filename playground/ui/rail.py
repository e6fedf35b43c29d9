"""The rail: the inputs on the left of the Step screen, and the problem that they spell."""

from dataclasses import dataclass
from typing import Any

import gradio as gr

from playground.constraints.engines import ENGINES
from playground.constraints.types import TYPES
from playground.demo import Demo
from playground.problem import ProblemSpec
from playground.record import Document
from playground.session import Playground

KINDS = {
    "Free": "free",
    "Regex": "regex",
    "Choices": "choices",
    "JSON Schema": "schema",
    "Pydantic": "pydantic",
    "Type": "type",
}
HELP = {
    "regex": "Full match, Rust syntax; no look-around, no back-references.",
    "choices": "One choice a line.",
    "schema": "JSON Schema. What isn't enforced is named under Constraint.",
    "pydantic": "Source of a Pydantic model. It is read, never run.",
}


@dataclass(frozen=True, slots=True)
class Rail:
    """The inputs of the rail, in the order of `values`."""

    model: gr.Dropdown
    prompt: gr.Textbox
    chat: gr.Checkbox
    kind: gr.Radio
    source: gr.Textbox
    type_name: gr.Dropdown
    engine: gr.Dropdown
    whitespace: gr.Radio
    method: gr.Radio
    temperature: gr.Slider
    top_k: gr.Number
    top_p: gr.Slider
    mask_order: gr.Radio
    max_tokens: gr.Number
    seed: gr.Number

    @property
    def inputs(self) -> list[Any]:
        """The components, in order."""
        return [getattr(self, name) for name in self.__slots__]


def document_of(values: tuple[Any, ...], toy: Any) -> Document:
    """The problem document that the rail's values spell; checked by `parse_problem`."""
    given = dict(zip(Rail.__slots__, values, strict=True))
    kind = KINDS.get(given["kind"], given["kind"])
    source = given["type_name"] if kind == "type" else given["source"]
    edited = isinstance(toy, dict) and given["model"] == f"toy:{toy.get('name')}"
    return {
        "model": given["model"],
        "toy": toy if edited else None,
        "prompt": given["prompt"] or "",
        "chat": bool(given["chat"]),
        "constraint": {
            "kind": kind,
            "source": "" if kind == "free" else source or "",
            "engine": given["engine"],
            "whitespace": given["whitespace"],
        },
        "method": given["method"],
        "max_tokens": given["max_tokens"],
        "sampling": {
            "temperature": given["temperature"],
            "top_k": given["top_k"],
            "top_p": given["top_p"],
            "mask_order": given["mask_order"],
            "seed": given["seed"],
        },
    }


def values_of(spec: ProblemSpec) -> list[Any]:
    """What the rail shows for `spec`, in the order of `Rail`."""
    constraint, sampling = spec.constraint, spec.sampling
    kind = next(label for label, name in KINDS.items() if name == constraint.kind)
    is_type = constraint.kind == "type"
    toy = spec.model.startswith("toy:")
    return [
        spec.model,
        gr.Textbox(value=spec.prompt, visible=not toy),
        gr.Checkbox(value=spec.chat, visible=not toy),
        kind,
        source_box(constraint.kind, "" if is_type else constraint.source),
        gr.Dropdown(value=constraint.source if is_type else next(iter(TYPES)), visible=is_type),
        constraint.engine,
        constraint.whitespace,
        spec.method,
        sampling.temperature,
        sampling.top_k,
        sampling.top_p,
        sampling.mask_order,
        spec.max_tokens,
        sampling.seed,
    ]


def source_box(kind: str, value: str | None = None) -> gr.Textbox:
    """The editor as it looks for a kind of constraint."""
    update: dict[str, Any] = {"visible": kind in HELP, "info": HELP.get(kind, "")}
    if value is not None:
        update["value"] = value
    return gr.Textbox(**update)


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
    with gr.Accordion("Constraint", open=True):
        kind = gr.Radio(
            list(KINDS), value="Choices", label="Kind", elem_id="kind", show_label=False
        )
        source = gr.Textbox(
            spec.constraint.source,
            label="Constraint",
            show_label=False,
            lines=6,
            max_lines=18,
            info=HELP[spec.constraint.kind],
            elem_id="source",
            elem_classes="mono",
        )
        type_name = gr.Dropdown(
            list(TYPES), label="Type", visible=False, elem_id="type-name", show_label=False
        )
        engine = gr.Dropdown(
            [(entry.title, name) for name, entry in ENGINES.items()],
            value=spec.constraint.engine,
            label="Engine",
            elem_id="engine",
        )
        whitespace = gr.Radio(
            ["none", "one", "flexible"],
            value=spec.constraint.whitespace,
            label="Blanks between JSON tokens",
            elem_id="whitespace",
        )
    with gr.Accordion("Sampling", open=False):
        method = gr.Radio(
            [("After the mask", "masked"), ("Unconstrained", "unconstrained")],
            value=spec.method,
            label="Draw",
            elem_id="method",
        )
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
        seed = gr.Number(0, label="Seed", precision=0, minimum=0, elem_id="seed")
    return Rail(
        model, prompt, chat, kind, source, type_name, engine, whitespace, method,
        temperature, top_k, top_p, mask_order, max_tokens, seed,
    )  # fmt: skip


LIVE = """(method, temperature, top_k, top_p, mask_order, max_tokens, seed) => {
  const change = {method, max_tokens, sampling: {temperature, top_k, top_p, mask_order, seed}};
  clearTimeout(window.playgroundChange);  // typing 0.7 passes through 0
  window.playgroundChange = setTimeout(() => window.playgroundStage?.change(change), 200);
  return [];
}"""
"""A change of sampling replays the path on the page, so that every view is live."""


def wire_live(rail: Rail) -> None:
    """Let the sampling inputs act at once, without a press of Start."""
    live: list[gr.Radio | gr.Slider | gr.Number] = [
        rail.method,
        rail.temperature,
        rail.top_k,
        rail.top_p,
        rail.mask_order,
        rail.max_tokens,
        rail.seed,
    ]
    for component in live:
        component.input(None, live, None, js=LIVE)
