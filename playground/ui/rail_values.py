"""The rail's values: the problem that they spell, and what they show for a problem."""

from collections.abc import Collection
from typing import Any

import gradio as gr

from playground.constraints.engines import ENGINES
from playground.constraints.spec import JSON_KINDS, ConstraintSpec, Markers
from playground.decoding.sampling import Sampling
from playground.errors import PlaygroundError
from playground.models.toy import TOYS, ToySpec
from playground.problem import ProblemSpec, parse_problem
from playground.record import Document

FIELDS = (
    "model", "prompt", "chat", "heal",
    "kind", "regex", "choices", "schema", "pydantic", "grammar", "tool",
    "type_name", "whitespace", "engine",
    "method", "begins", "prefill", "attempts", "markers", "opens", "closes",
    "temperature", "top_k", "top_p", "mask_order", "max_tokens", "seed",
)  # fmt: skip
"""The inputs in the order of their values."""
LIVE_FIELDS = FIELDS[FIELDS.index("method") :]
"""The inputs that act on the page at once; the others wait for Start."""
INPUTS = {"prefill": ("begins", "prefill"), "markers": ("markers", "opens", "closes")}
"""The inputs of a setting that has several; of any other there is one, of its name."""
_PARTS = frozenset(part for parts in INPUTS.values() for part in parts)
SINGLE = tuple(name for name in LIVE_FIELDS if name not in _PARTS)
"""The live inputs that are a setting each."""
SETTINGS = (*SINGLE, *INPUTS)
"""The live settings by their names in a problem document."""
MARKERS = {
    "JSON fence": Markers(),
    "<< >>": Markers(open="<<", close=">>"),
    "<answer>": Markers(open="<answer>", close="</answer>"),
}
"""Markers to choose from."""
OTHER_MARKERS = "Own"
PREFILL = "{"
"""What the box for the beginning of an answer opens with."""
KINDS = {
    "Free": "free",
    "Regex": "regex",
    "Choices": "choices",
    "JSON Schema": "schema",
    "Pydantic": "pydantic",
    "Grammar": "grammar",
    "Tool": "tool",
    "Type": "type",
}
HELP = {
    "regex": "Full match, Rust syntax; no look-around, no back-references.",
    "choices": "One choice a line.",
    "schema": "JSON Schema. What isn't enforced is named under Constraint.",
    "pydantic": "Source of a Pydantic model. It is read, never run.",
    "grammar": "GBNF or EBNF with ::= and a root, or Lark with a start. It needs an engine with a stack.",
    "tool": "A tool as OpenAI, Anthropic or MCP define it, or a list; what is written is its call.",
}
"""The kinds that are written; each has an editor of its own, so that none loses its text."""
FINITE = ("bytes", "outlines")
"""The engines that can't run a grammar."""
OWN = "own"
"""The example that is shown as chosen where the problem is the visitor's: it opens nothing."""
ASKED = frozenset({"model", "prompt", "chat", "heal", "constraint"})
"""What only Start changes of a problem document."""


def document_of(values: tuple[Any, ...], toy: Any) -> Document:
    """The problem document that the rail's values spell; checked by `parse_problem`."""
    given = dict(zip(FIELDS, values, strict=True))
    edited = isinstance(toy, dict) and given["model"] == f"toy:{toy.get('name')}"
    kind = KINDS.get(given["kind"], given["kind"])
    return {
        "model": given["model"],
        "toy": toy if edited else None,
        "prompt": given["prompt"] or "",
        "chat": bool(given["chat"]),
        "heal": bool(given["heal"]) and not str(given["model"]).startswith("toy:"),
        "constraint": {
            "kind": kind,
            "source": source_of(given) or "",
            "engine": given["engine"],
            "whitespace": given["whitespace"],
        },
        "method": given["method"],
        "prefill": (given["prefill"] or "") if given["begins"] else "",
        "attempts": given["attempts"],
        "markers": {"open": given["opens"], "close": given["closes"]},
        "max_tokens": given["max_tokens"],
        "sampling": {
            "temperature": given["temperature"],
            "top_k": given["top_k"],
            "top_p": given["top_p"],
            "mask_order": given["mask_order"],
            "seed": given["seed"],
        },
    }


def is_own(spec: ProblemSpec, example: ProblemSpec | None) -> bool:
    """Whether `spec` differs from the example in what only Start changes; live settings may."""
    if example is None or _table(spec) != _table(example):
        return True
    return spec.model_dump(include=set(ASKED)) != example.model_dump(include=set(ASKED))


def _table(spec: ProblemSpec) -> ToySpec | None:
    """The toy that is run, edited or as it comes: the page sends either."""
    return spec.toy or TOYS.get(spec.model.removeprefix("toy:"))


def source_of(given: Document) -> Any:
    """What the constraint that is chosen among the values by name says."""
    kind = KINDS.get(given["kind"], "free")
    return given["type_name"] if kind == "type" else given.get(kind, "")


def values_of(spec: ProblemSpec) -> list[Any]:
    """What the rail shows for `spec`, in the order of FIELDS."""
    constraint, sampling = spec.constraint, spec.sampling
    toy = spec.model.startswith("toy:")
    return [
        spec.model,
        gr.Textbox(value=spec.prompt, visible=not toy),
        gr.Checkbox(value=spec.chat, visible=not toy),
        gr.Checkbox(value=spec.heal, visible=not toy),
        *constraint_inputs(constraint),
        constraint.engine,
        spec.method,
        bool(spec.prefill),
        spec.prefill or PREFILL,
        spec.attempts,
        markers_name(spec.markers),
        spec.markers.open,
        spec.markers.close,
        sampling.temperature,
        sampling.top_k,
        sampling.top_p,
        sampling.mask_order,
        spec.max_tokens,
        sampling.seed,
    ]


def markers_name(markers: Markers) -> str:
    """Which choice of markers these are."""
    return next((name for name, each in MARKERS.items() if each == markers), OTHER_MARKERS)


def constraint_inputs(constraint: ConstraintSpec) -> list[Any]:
    """What the kind, the editors, the type and the blanks show for `constraint`; the editors of
    other kinds keep what is written in them."""
    kind, source = constraint.kind, constraint.source
    written = {"value": source} if kind == "type" else {}
    return [
        next(label for label, name in KINDS.items() if name == kind),
        *(
            gr.Textbox(value=source, visible=True) if name == kind else gr.Textbox(visible=False)
            for name in HELP
        ),
        # Not a gr.Dropdown, which would warn that it has no such choice.
        gr.update(visible=kind == "type", **written),
        gr.Radio(value=constraint.whitespace, visible=kind in JSON_KINDS),
    ]


def usual_constraint(model: str, given: Document) -> list[Any]:
    """`constraint_inputs` for a model that was just chosen. A toy comes with the constraint it is
    usually shown with: over its few tokens another toy's has no text at all. `given` is what
    stands there now by name; an equal constraint and other models change nothing."""
    toy = TOYS.get(model.removeprefix("toy:")) if model.startswith("toy:") else None
    kind = KINDS.get(given["kind"], "free")
    if toy is None or (toy.constraint_kind, toy.constraint_source) == (kind, source_of(given)):
        return [gr.skip()] * (len(HELP) + 3)
    spec = ConstraintSpec.model_validate(
        {
            "kind": toy.constraint_kind,
            "source": toy.constraint_source,
            "whitespace": given["whitespace"],
        }
    )
    return constraint_inputs(spec)


def shown_settings(told: Any, models: Collection[str]) -> list[Any]:
    """The inputs' values for what the stage says it has changed: live settings by name, and under
    `asked` the model, prompt and constraint that an undo has brought back. The other inputs, and
    all of them where what is told doesn't hold up, stay as they are."""
    still = [gr.skip()] * len(FIELDS)
    if not isinstance(told, dict):
        return still
    given = {name: told[name] for name in SETTINGS if name in told}
    sampling = {name: value for name, value in given.items() if name in Sampling.model_fields}
    rest = {name: value for name, value in given.items() if name not in sampling}
    asked = told.get("asked")
    if asked is not None and not (isinstance(asked, dict) and set(asked) == ASKED):
        return still
    try:
        spec = parse_problem({**rest, **(asked or {}), "sampling": sampling})
    except PlaygroundError:
        return still
    if asked and (spec.model not in models or spec.constraint.engine not in ENGINES):
        return still
    named = zip(FIELDS, values_of(spec), strict=True)
    changed = {each for name in given for each in INPUTS.get(name, (name,))}
    return [
        value if name in changed or (asked and name not in LIVE_FIELDS) else gr.skip()
        for name, value in named
    ]
