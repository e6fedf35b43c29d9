"""The Step screen: the rail on the left asks, the stage shows. Decisions are made in `session`."""

import secrets
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from dataclasses import dataclass
from typing import Any

import gradio as gr

from playground.constraints.engines import ENGINES
from playground.constraints.types import TYPES
from playground.demo import Demo
from playground.errors import Cancelled, PlaygroundError
from playground.problem import ProblemSpec
from playground.record import Document
from playground.session import Playground
from playground.ui.inputs import LOG, asked, defect_document, error_document
from playground.ui.stage import StageView, notice, stage

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


def demo_document(playground: Playground, demo: Demo) -> Document:
    """The page that `demo` opens on: its path taken, its most telling step shown."""
    opened = playground.open(demo.problem)
    ids = [token for text in demo.path for token in opened.problem.model.encode(text)]
    document = playground.document(opened, opened.trace(ids))
    document["cursor"] = demo.cursor if demo.path else 0
    document["lesson"] = {"slug": demo.slug, "title": demo.title, "question": demo.question}
    return document


class Opening:
    """Work that takes longer than a moment, done aside so that its progress can be told."""

    def __init__(self, playground: Playground) -> None:
        self.playground = playground
        self.pool = ThreadPoolExecutor(max_workers=8, thread_name_prefix="open")

    def run(self, spec: ProblemSpec, demo: Demo | None = None) -> Iterator[StageView]:
        """Progress, then the page or a card; leaving early cancels the compilation."""
        stop = threading.Event()

        def work() -> Document:
            opened = self.playground.open(spec, cancelled=stop.is_set)
            if demo is not None:
                return demo_document(self.playground, demo)
            return self.playground.document(opened, opened.trace(()))

        future: Future[Document] = self.pool.submit(work)
        told: tuple[str, float | None] | None = None
        try:
            while True:
                try:
                    document = future.result(timeout=0.25)
                    break
                except NotYet:
                    now = self.progress(spec)
                    if now != told:
                        told = now
                        yield notice(words=now[0], done=now[1])
            yield StageView(value=document, notice={"error": None, "progress": None})
        except Cancelled:
            yield notice()
        except PlaygroundError as error:
            yield notice(error=error_document(error))
        except Exception:  # noqa: BLE001 - the outermost boundary, as in `inputs.guarded`
            reference = secrets.token_hex(4)
            LOG.exception("opening %s failed", reference)
            yield notice(error=defect_document(reference))
        finally:
            stop.set()

    def progress(self, spec: ProblemSpec) -> tuple[str, float | None]:
        """What is being waited for, in words, and the share done where it is known."""
        if spec.toy is None and not spec.model.startswith("toy:"):
            status = self.playground.hub.status(spec.model)
            if status.state == "loading":
                return f"Loading {spec.model}: {status.stage}", round(status.done, 2)
        return "Compiling the constraint", None


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
  window.playgroundStage?.change({method, max_tokens, sampling: {temperature, top_k, top_p, mask_order, seed}});
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


def build_step(playground: Playground, demos: Mapping[str, Demo]) -> None:
    """Lay out the screen inside the current `gr.Blocks` and wire it."""
    first = next(iter(demos.values()))
    opening = Opening(playground)
    with gr.Row(elem_id="screen", equal_height=False):
        with gr.Column(scale=0, min_width=300, elem_id="rail"):
            preset = gr.Dropdown(
                [
                    (demo.title if demo.toy else f"{demo.title} · SmolLM2", slug)
                    for slug, demo in demos.items()
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
            view = stage(playground, demo_document(playground, first))
    toy = gr.JSON(visible=False)
    wire_live(rail)

    def show_kind(kind: str) -> tuple[gr.Textbox, gr.Dropdown]:
        name = KINDS.get(kind, "free")
        return source_box(name), gr.Dropdown(visible=name == "type")

    def show_model(name: str) -> tuple[gr.Textbox, gr.Checkbox]:
        real = not name.startswith("toy:")
        if real:
            playground.hub.start(name)
        return gr.Textbox(visible=real), gr.Checkbox(visible=real)

    def open_problem(edited: Any, *values: Any) -> Iterator[StageView]:
        try:
            spec = asked(playground, {"problem": document_of(values, edited)})
        except PlaygroundError as error:
            yield notice(error=error_document(error))
            return
        yield from opening.run(spec)

    def open_demo(slug: str) -> Iterator[list[Any]]:
        demo = demos[slug]
        shown = values_of(demo.problem)
        for update in opening.run(demo.problem, demo):
            yield [*shown, update]
            shown = [gr.skip()] * len(shown)

    rail.kind.change(
        show_kind, rail.kind, [rail.source, rail.type_name], show_progress="hidden",
        api_visibility="private",
    )  # fmt: skip
    rail.model.input(
        show_model, rail.model, [rail.prompt, rail.chat], show_progress="hidden",
        api_visibility="private",
    )  # fmt: skip
    running = start.click(
        open_problem,
        [toy, *rail.inputs],
        view,
        js="(toy, ...rest) => [window.playgroundStage?.toy() ?? null, ...rest]",
        show_progress="hidden",
        concurrency_limit=16,
        api_visibility="private",
    )
    chosen = preset.input(
        open_demo,
        preset,
        [*rail.inputs, view],
        show_progress="hidden",
        concurrency_limit=16,
        api_visibility="private",
    )
    cancel.click(
        lambda: notice(),
        None,
        view,
        cancels=[running, chosen],
        queue=False,
        show_progress="hidden",
        api_visibility="private",
    )
