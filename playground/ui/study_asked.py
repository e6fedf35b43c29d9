"""How a browser asks for a study: its spec read and bounded, and what it will take at most."""

import json
from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from playground.errors import InvalidInput
from playground.models.server import is_served
from playground.posed import constraint_of, items_of, problem_of, question
from playground.problem import invalid
from playground.record import Document
from playground.session import Playground
from playground.studies_server import require_texts
from playground.study.gold_check import check_golds, gold_warning
from playground.study.items import Item, read_items
from playground.study.spec import MOST_ITEMS, StudySpec
from playground.ui.inputs import text_of
from playground.ui.study_work import Paces, require_small, work_of

MOST_TEXT = 2_000_000
"""Longest text of own prompts, bytes of UTF-8: the request that carries it stays below its limit."""
SAMPLED = 8
"""Prompts whose length is looked at for the estimate."""


def own_items(told: Document) -> tuple[Item, ...]:
    """The prompts that a visitor has pasted or dropped: `{"text", "kind": "csv" | "jsonl"}`.

    Raises:
        InvalidInput: with the row and column.
    """
    text, kind = text_of(told, "text"), text_of(told, "kind")
    size = _size(text)
    if size > MOST_TEXT:
        raise InvalidInput(
            f"The prompts have {size:,} bytes.",
            f"At most {MOST_TEXT:,} are read here: split them, or use the command line.",
            "prompts",
        )
    return read_items(text, "csv" if kind == "csv" else "jsonl", MOST_ITEMS)


def own_document(spec: StudySpec) -> Document:
    """The prompts of a study that are a visitor's own, as `own_items` reads them: `{"text", "kind"}`.

    Raises:
        InvalidInput: they are longer than what is sent, or a built-in set's.
    """
    if not spec.items:
        raise InvalidInput("The prompts are a built-in set's.", "Reload the page.", "prompts")
    lines = []
    for item in spec.items:
        more = {"source": item.source} if item.source else {}
        gold = {} if item.gold is None else {"gold": item.gold}
        lines.append(
            json.dumps({"id": item.id, "prompt": item.prompt, **gold, **more}, ensure_ascii=False)
        )
    text = "\n".join(lines) + "\n"
    if _size(text) > MOST_TEXT:
        raise InvalidInput(
            "The prompts of this study are too long to be sent back.",
            "Save study.jsonl, or choose their file again.",
            "prompts",
        )
    return {"text": text, "kind": "jsonl"}


def study_spec(playground: Playground, told: Any) -> StudySpec:
    """The study of a request: `{"spec": a StudySpec without items, "own": null or own prompts}`.

    Raises:
        PlaygroundError: naming the field, what is wrong with it and its value.
    """
    document = told.get("spec") if isinstance(told, dict) else None
    if not isinstance(document, dict) or "items" in document:
        raise InvalidInput("There is no study in the request.", "Reload the page.", "spec")
    own = told.get("own")
    items = own_items(own) if isinstance(own, dict) else ()
    try:
        spec = StudySpec.model_validate({**document, "items": items})
    except ValidationError as error:
        raise invalid(error) from None
    playground.hub.require(spec.model)
    builtin, chosen = items_of(spec)
    constraint = constraint_of(spec, builtin)
    if is_served(spec.model):
        require_texts(spec, constraint)
    require_small(
        spec, work_of(spec, sizes_of(chosen, question(spec, builtin, constraint, chosen[0])))
    )
    return spec


def sizes_of(items: Sequence[Item], first: str) -> list[int]:
    """Bytes of what the model is asked about each item; `first` is what it is of the first one, and
    of the others it differs by the item alone."""
    around = _size(first) - _size(items[0].prompt)
    return [around + _size(item.prompt) for item in items]


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def plan_document(playground: Playground, paces: Paces, spec: StudySpec) -> Document:
    """What a study will take: counts that bound it, and a time by this server's pace.

    Returns:
        `{"prompts", "outputs", "runs", "tokens", "rows", "readings", "open", "prompt_tokens",
        "reckoned", "seconds", "pace", "model", "golds"}`: the counts are upper bounds, but for the methods in `open`,
        which are counted with `reckoned` attempts an output and may make so many at a prompt;
        `prompt_tokens` is the mean of the first prompts; `seconds` is an estimate from above, as
        far as the counts are, None while the model isn't loaded; `model` is the state of the model,
        `server` for one that a server has; `golds` warns of gold answers that can never be matched,
        empty where there is none.

    Raises:
        PlaygroundError: the prompts or the constraint can't be used.
    """
    builtin, items = items_of(spec)
    constraint = constraint_of(spec, builtin)
    asked = [question(spec, builtin, constraint, item) for item in items[:SAMPLED]]
    try:
        problem_of(spec, constraint, asked[0], 0)
    except ValidationError as error:
        raise invalid(error) from None
    work = work_of(spec, sizes_of(items, asked[0]))
    # A built-in set's golds fit its own schema.
    own = bool(spec.items) or spec.constraint is not None
    golds = gold_warning(check_golds(constraint, items)) if own else ""
    state = "server" if is_served(spec.model) else playground.hub.status(spec.model).state
    if state in ("absent", "failed"):
        playground.prepare(spec.model)
        state = playground.hub.status(spec.model).state
    pace = paces.of(playground, spec, asked[0])
    mean = None
    if pace is not None:
        model = playground.hub.get(spec.model)
        lengths = [len(model.render(each, spec.chat)) for each in asked]
        mean = sum(lengths) / len(lengths)
    return {
        "prompts": work.prompts,
        "outputs": work.outputs,
        "runs": work.runs,
        "tokens": work.tokens,
        "rows": work.rows,
        "readings": work.readings,
        "gives_up": dict(work.gives_up),
        "prompt_tokens": mean,
        "seconds": None if pace is None or mean is None else pace.seconds(work, mean),
        "pace": None if pace is None else pace.source,
        "model": state,
        "golds": golds,
    }
