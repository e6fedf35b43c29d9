"""Recording: a lesson's scenes as the documents that the screens show, so that it plays with no model."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from playground.compare import CompareSpec
from playground.decoding.run import never
from playground.decoding.sampler import SAMPLERS, drawn
from playground.decoding.trace import Outcome
from playground.errors import (
    BudgetExceeded,
    Cancelled,
    EmptyLanguage,
    InvalidInput,
    PlaygroundError,
)
from playground.exact.search import Budget
from playground.lessons.lesson import Lesson, Scene
from playground.opened import Opened, staged
from playground.proofs import Cancel, Proofs
from playground.record import Document, spellable
from playground.session import Playground

VERSION = 1
"""Of the documents."""
ASKED = 3
"""Most times that a scene's strings are judged."""
SEARCH: Final = Budget(rows=400, seconds=120.0)
"""What the exact law of a built-in lesson's scene may cost."""


@dataclass(frozen=True, slots=True)
class Effort:
    """What one scene may cost."""

    search: Budget = SEARCH
    """Of its exact law."""
    compared: float = 120.0
    """Seconds of the search beside compared methods."""


FULL: Final = Effort()
"""What a built-in lesson is recorded with."""


def record(
    playground: Playground, lesson: Lesson, cancelled: Cancel = never, effort: Effort = FULL
) -> Document:
    """Every scene: `{"v", "slug", "scenes": {name: {"page", "squeezing", "compare", "judged",
    "exact"}}}`, with what a scene doesn't ask for as None. `exact` holds the exact law of the next
    token by step, as text, for the beats that show it.

    Raises:
        PlaygroundError: a scene can't be opened, its path is no run, or it was cancelled.
    """
    scenes = {}
    for name, scene in lesson.scenes.items():
        try:
            scenes[name] = record_scene(
                playground, scene, cancelled, effort, steps_with_law(lesson, name)
            )
        except (InvalidInput, EmptyLanguage, BudgetExceeded) as error:
            raise _in_scene(error, name) from None
    return {"v": VERSION, "slug": lesson.slug, "scenes": scenes}


def _in_scene(error: PlaygroundError, name: str) -> PlaygroundError:
    """The same error, with the scene in its place."""
    where = f"scenes.{name}" + (f", {error.where}" if error.where else "")
    hint = error.hint or "Change the scene's path, or its problem."
    return type(error)(error.what, hint, where, error.line, error.column)


def steps_with_law(lesson: Lesson, name: str) -> tuple[int | None, ...]:
    """The steps of a scene whose exact law a beat shows; None for its last."""
    shown = [
        beat.step
        for index, beat in enumerate(lesson.beats)
        if beat.exact and lesson.scene_of(index) == name
    ]
    return tuple(dict.fromkeys(shown))


def record_scene(
    playground: Playground,
    scene: Scene,
    cancelled: Cancel = never,
    effort: Effort = FULL,
    steps: Sequence[int | None] = (),
) -> Document:
    """One scene: the page of its run, and what else it asks for; None for what it doesn't.

    The searches start from nothing, whatever was searched before: a scene's numbers are its own.

    Args:
        playground: models, rows and compiled constraints.
        scene: what to record.
        cancelled: True ends the work.
        effort: what it may cost.
        steps: those whose exact law is recorded, from 0; None is the last.

    Raises:
        PlaygroundError: as `record`.
    """
    opened = staged(playground.open(scene.problem, cancelled=cancelled))
    proofs = Proofs()
    tokens = run_of(opened, scene, cancelled)
    found: Document = {
        "page": playground.document(opened, opened.trace(tokens)),
        "squeezing": None,
        "compare": None,
        "judged": None,
        "exact": None,
    }
    if scene.law:
        found["squeezing"] = _last(proofs.squeezing(opened, cancelled, effort.search), cancelled)
    if scene.methods:
        spec = CompareSpec(
            methods=scene.methods, n=scene.n, rows=effort.search.rows, seconds=effort.compared
        )
        found["compare"] = _last(proofs.compare(opened, spec, cancelled), cancelled)
    if scene.strings:
        found["judged"] = _judged(playground, scene, cancelled)
    last = max(0, len(tokens) - 1)
    at = sorted({last if step is None else step for step in steps})
    if at:
        found["exact"] = {str(step): proofs.here(opened, tokens[:step]) for step in at}
    if cancelled():
        raise Cancelled("Recording was stopped.")
    cleaned: Document = spellable(found)
    return cleaned


def _judged(playground: Playground, scene: Scene, cancelled: Cancel) -> Document:
    """The verdicts on a scene's strings; asked again where a judge's process started too slowly."""
    texts = [string.text for string in scene.strings]
    for _ in range(ASKED):
        judged: Document = playground.debugger.judge(scene.problem.constraint, texts)
        known = all(
            each["reference"]["status"] != "unknown"
            for each in judged["verdicts"]
            if each["reference"]
        )
        if known or cancelled():
            break
    return judged


def run_of(opened: Opened, scene: Scene, cancelled: Cancel = never) -> tuple[int, ...]:
    """The tokens of a scene's run: its path, then what is drawn after it.

    Raises:
        InvalidInput: a text can't be spelled, or a token can't follow.
        Cancelled: between two draws.
    """
    path: list[int] = [*opened.beginning] if not scene.path else []
    for piece in scene.path:
        path += opened.problem.model.encode(piece) if isinstance(piece, str) else (piece,)
    standing = opened.walk(path)
    sampler = SAMPLERS[opened.spec.method]
    for _ in range(scene.draws):
        if standing.outcome is not Outcome.RUNNING:
            break
        if cancelled():
            raise Cancelled("Recording was stopped.")
        step = drawn(standing, sampler)
        if step is None:  # a dead end
            break
        standing = standing.after(step.token)
    return standing.tokens


def _last(documents: Iterator[Document], cancelled: Cancel) -> Document:
    *_, last = documents
    if cancelled():
        raise Cancelled("Recording was stopped.")
    return last


TIMED: Final = frozenset(
    {"seconds", "compile_seconds", "cached", "exact_seconds", "rows_computed", "parallel"}
)
"""What differs between two recordings of the same numbers."""


def timeless(value: Any) -> Any:
    """A recording without its times: equal where the numbers are."""
    if isinstance(value, dict):
        return {name: timeless(each) for name, each in value.items() if name not in TIMED}
    if isinstance(value, list | tuple):
        return [timeless(each) for each in value]
    return value
