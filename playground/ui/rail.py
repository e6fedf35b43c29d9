"""The rail: the inputs on the left of the Step screen, and the problem that they spell."""

from dataclasses import dataclass
from typing import Any

import gradio as gr

from playground.constraints.engines import ENGINES
from playground.constraints.spec import ConstraintSpec
from playground.constraints.types import TYPES
from playground.decoding.sampling import Sampling
from playground.demo import Demo
from playground.errors import PlaygroundError
from playground.models.toy import TOYS
from playground.problem import ProblemSpec, parse_problem
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
LIVE_FIELDS = (
    "method", "temperature", "top_k", "top_p", "mask_order", "max_tokens", "seed",
)  # fmt: skip
"""The inputs that act on the page at once."""


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
    toy = spec.model.startswith("toy:")
    return [
        spec.model,
        gr.Textbox(value=spec.prompt, visible=not toy),
        gr.Checkbox(value=spec.chat, visible=not toy),
        *constraint_inputs(constraint),
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


def usual_constraint(model: str, kind: str, source: str) -> list[Any]:
    """The kind, the editor and the type for a model that was just chosen. A toy comes with the
    constraint it is usually shown with: over its few tokens another toy's has no text at all.
    `kind` and `source` are what stands there now; equal ones and other models change nothing."""
    toy = TOYS.get(model.removeprefix("toy:")) if model.startswith("toy:") else None
    if toy is None or (toy.constraint_kind, toy.constraint_source) == (kind, source):
        return [gr.skip(), gr.skip(), gr.skip()]
    spec = ConstraintSpec.model_validate(
        {"kind": toy.constraint_kind, "source": toy.constraint_source}
    )
    return constraint_inputs(spec)


def constraint_inputs(constraint: ConstraintSpec) -> list[Any]:
    """What the kind, the editor and the type show for `constraint`."""
    is_type = constraint.kind == "type"
    return [
        next(label for label, name in KINDS.items() if name == constraint.kind),
        source_box(constraint.kind, "" if is_type else constraint.source),
        # Not a gr.Dropdown, which would warn that it has no such choice.
        gr.update(value=constraint.source if is_type else next(iter(TYPES)), visible=is_type),
    ]


def about_engine(name: str) -> gr.Dropdown:
    """The choice of engines, with a sentence about the one that is chosen."""
    entry = ENGINES.get(name)
    return gr.Dropdown(info=entry.about if entry is not None else "")


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
            info=ENGINES[spec.constraint.engine].about,
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
        seed = gr.Number(0, label="Seed", precision=0, minimum=0, maximum=2**53 - 1, elem_id="seed")
    return Rail(
        model, prompt, chat, kind, source, type_name, engine, whitespace, method,
        temperature, top_k, top_p, mask_order, max_tokens, seed,
    )  # fmt: skip


LIVE = "(value) => { window.playgroundStage?.change(%s); return []; }"
"""A change of one setting replays the path on the page, so that every view is live. The one field
alone is sent: the stage may have changed the others."""


def wire_live(rail: Rail, view: gr.HTML) -> None:
    """Let the sampling inputs act at once, without a press of Start, and show in them what the
    stage changed by itself: more tokens, the mask first, an undo."""
    for name in LIVE_FIELDS:
        field = f"{{{name}: value}}"
        patch = f"{{sampling: {field}}}" if name in Sampling.model_fields else field
        # `always_last`: by default an event during another is dropped, and with it the last digit.
        getattr(rail, name).input(
            None, getattr(rail, name), None, js=LIVE % patch, trigger_mode="always_last"
        )
    view.changed(
        shown_settings,
        None,
        [getattr(rail, name) for name in LIVE_FIELDS],
        show_progress="hidden",
        queue=False,
        api_visibility="private",
    )


def shown_settings(event: gr.EventData) -> list[Any]:
    """The live inputs' values for the settings that the stage says it has changed; the others, and
    all of them where the settings don't hold up, stay as they are."""
    told = event._data
    if not isinstance(told, dict):
        return [gr.skip()] * len(LIVE_FIELDS)
    given = {name: told[name] for name in LIVE_FIELDS if name in told}
    sampling = {name: value for name, value in given.items() if name in Sampling.model_fields}
    rest = {name: value for name, value in given.items() if name not in sampling}
    try:
        spec = parse_problem({**rest, "sampling": sampling})
    except PlaygroundError:
        return [gr.skip()] * len(LIVE_FIELDS)
    checked = {**spec.sampling.model_dump(), **spec.model_dump(include=set(rest))}
    return [checked[name] if name in given else gr.skip() for name in LIVE_FIELDS]
