"""How a browser asks for a study: its spec read and bounded, and what it will take at most."""

import threading
import time
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import ValidationError

from playground.errors import InvalidInput, ModelUnavailable
from playground.models.rows import RowStore
from playground.problem import invalid
from playground.record import Document
from playground.session import Playground
from playground.studies import constraint_of, items_of, problem_of, question
from playground.study.items import Item, read_items
from playground.study.labels import Label, label_of
from playground.study.row import Row
from playground.study.spec import MOST_ITEMS, StudySpec
from playground.ui.inputs import text_of

MOST_OUTPUTS = 10_000
"""Outputs of one study in a browser: prompts times methods times draws."""
MOST_TEXT = 2_000_000
"""Longest text of own prompts, bytes of UTF-8: the request that carries it stays below its limit."""
MOST_TOKENS = 4_000_000
"""Most tokens that a study in a browser may sample."""
PROBED = 24
"""Rows of the pass that is timed where no study has told the pace."""
SAMPLED = 8
"""Prompts whose length is looked at for the estimate."""
OPEN_ENDED = ("cars", "conditional", "mcmc")
"""Methods that say of no number of runs that it is enough for an output."""


def own_items(told: Document) -> tuple[Item, ...]:
    """The prompts that a visitor has pasted or dropped: `{"text", "kind": "csv" | "jsonl"}`.

    Raises:
        InvalidInput: with the row and column.
    """
    text, kind = text_of(told, "text"), text_of(told, "kind")
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MOST_TEXT:
        raise InvalidInput(
            f"The prompts have {size:,} bytes.",
            f"At most {MOST_TEXT:,} are read here: split them, or use the command line.",
            "prompts",
        )
    return read_items(text, "csv" if kind == "csv" else "jsonl", MOST_ITEMS)


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
    if spec.model not in playground.hub.names():
        raise ModelUnavailable(
            f"The model {spec.model[:80]!r} can't be chosen here.",
            f"Choose one of {', '.join(playground.hub.names())}.",
            "model",
        )
    require_small(spec, len(items_of(spec)[1]))
    return spec


def require_small(spec: StudySpec, prompts: int) -> None:
    """
    Raises:
        InvalidInput: the study is larger than what is run from a browser.
    """
    outputs = prompts * len(spec.methods) * spec.draws
    if outputs > MOST_OUTPUTS:
        raise InvalidInput(
            f"{prompts:,} prompts, {len(spec.methods)} methods and {spec.draws} draws make "
            f"{outputs:,} outputs.",
            f"A study in the browser has at most {MOST_OUTPUTS:,}; the command line has no limit.",
            "size and sampling",
        )
    tokens = _most_tokens(spec, prompts)
    if tokens is not None and tokens > MOST_TOKENS:
        raise InvalidInput(
            f"The study may sample {tokens:,} tokens.",
            f"At most {MOST_TOKENS:,} in the browser: take fewer prompts, draws or tokens.",
            "size and sampling",
        )


def runs_of(label: Label, spec: StudySpec) -> int | None:
    """Most runs that one output takes; None where nothing bounds them."""
    if label.method.name in OPEN_ENDED:
        return None
    if label.method.name == "retry":
        return label.attempts or spec.attempts
    return int(getattr(label.method, "beside", 1))


def _most_tokens(spec: StudySpec, prompts: int) -> int | None:
    runs = [runs_of(label_of(name), spec) for name in spec.methods]
    known = [each for each in runs if each is not None]
    if len(known) < len(runs):
        return None
    return sum(known) * prompts * spec.draws * spec.max_tokens


@dataclass(frozen=True, slots=True)
class Pace:
    """What a prompt and a token take on this server, seconds, and how that is known."""

    prompt: float
    token: float
    source: Literal["study", "probe"]
    """`study`: the newest chunk of a study; its tokens' time holds all the rest. `probe`: one batch,
    timed for the estimate."""


class Paces:
    """The newest pace of each model."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: dict[str, Pace] = {}

    def note(self, model: str, rows: tuple[Row, ...], seconds: float) -> None:
        """A chunk has come to these rows in so many seconds."""
        tokens = sum(row.tokens for row in rows)
        if tokens:
            with self._lock:
                self._known[model] = Pace(0.0, seconds / tokens, "study")

    def of(self, playground: Playground, spec: StudySpec, prompt: str) -> Pace | None:
        """The pace of a model that is loaded, timed now where it isn't known yet."""
        if playground.hub.status(spec.model).state != "ready":
            return None
        with self._lock:
            known = self._known.get(spec.model)
        if known is None:
            known = self._probed(playground, spec, prompt)
            with self._lock:
                known = self._known.setdefault(spec.model, known)
        return known

    @staticmethod
    def _probed(playground: Playground, spec: StudySpec, prompt: str) -> Pace:
        model = playground.hub.get(spec.model)
        start, rows = model.render(prompt, spec.chat), RowStore(256 * 2**20)
        eos = model.vocabulary.eos_ids
        tokens = [token for token in range(PROBED + len(eos)) if token not in eos]
        tokens = [token for token in tokens if token < len(model.vocabulary)][:PROBED]
        begun = time.perf_counter()
        rows.get(model, [start])
        read = time.perf_counter()
        rows.get(model, [(*start, token) for token in tokens])
        return Pace(read - begun, (time.perf_counter() - read) / len(tokens), "probe")


def plan_document(playground: Playground, paces: Paces, spec: StudySpec) -> Document:
    """What a study will take: counts that bound it, and a time by this server's pace.

    Returns:
        `{"prompts", "outputs", "runs", "tokens", "prompt_tokens", "seconds", "pace", "model"}`:
        `runs` and `tokens` are upper bounds, None where a method has none; `prompt_tokens` is the
        mean of the first prompts; `seconds` is an estimate from above, None while the model isn't
        loaded; `model` is the state of the model.

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
    labels = [label_of(name) for name in spec.methods]
    runs = [runs_of(label, spec) for label in labels]
    bounded = [each for each in runs if each is not None]
    each_prompt = sum(bounded) * spec.draws if len(bounded) == len(runs) else None
    tokens = _most_tokens(spec, len(items))
    if playground.hub.status(spec.model).state in ("absent", "failed"):
        playground.prepare(spec.model)
    pace = paces.of(playground, spec, asked[0])
    lengths = list[int]()
    if pace is not None:
        model = playground.hub.get(spec.model)
        lengths = [len(model.render(each, spec.chat)) for each in asked]
    seconds = None
    if pace is not None and tokens is not None:
        seconds = len(items) * pace.prompt + tokens * pace.token
    return {
        "prompts": len(items),
        "outputs": len(items) * len(labels) * spec.draws,
        "runs": None if each_prompt is None else each_prompt * len(items),
        "tokens": tokens,
        "prompt_tokens": sum(lengths) / len(lengths) if lengths else None,
        "seconds": seconds,
        "pace": None if pace is None else pace.source,
        "model": playground.hub.status(spec.model).state,
    }
