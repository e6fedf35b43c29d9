"""A teacher's own lesson: checked, recorded within bounds, and its claims held against the numbers."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any, Final

from playground.errors import BudgetExceeded, Busy, Cancelled, InvalidInput
from playground.exact.search import Budget
from playground.lessons.form import form_document, lesson_of, read_form, require_small
from playground.lessons.lesson import Lesson
from playground.lessons.recording import Effort, record
from playground.record import Document
from playground.session import Playground

SECONDS = 60.0
"""Longest recording of a saved lesson."""
MAX_SCENES = 6
"""Most scenes of one."""
AT_ONCE = 2
"""Recordings at a time; the next one waits for PATIENCE seconds."""
PATIENCE = 10.0
KEPT = 8
"""Forms kept of the lessons recorded last."""
EFFORT: Final = Effort(Budget(rows=400, seconds=12.0), compared=12.0)
"""What one of its scenes may cost: a search that runs out of time gives wider bounds, no error."""


@dataclass(slots=True)
class _Made:
    """A form that is made by whoever asks first; the others wait for it."""

    turn: threading.Lock = field(default_factory=threading.Lock)
    form: Document | None = None


class Desk:
    """Where teachers' lessons are saved and opened; one in a process, which bounds its work.

    Args:
        playground: what records them.
        builtin: the slugs of the built-in lessons.
        seconds: longest recording.
    """

    def __init__(
        self,
        playground: Playground,
        builtin: Callable[[], Collection[str]],
        seconds: float = SECONDS,
    ) -> None:
        self._playground, self._builtin, self._seconds = playground, builtin, seconds
        self._places = threading.BoundedSemaphore(AT_ONCE)
        self._lock = threading.Lock()
        self._made: OrderedDict[str, _Made] = OrderedDict()

    def save(self, document: Any) -> Document:
        """The form of a lesson, recorded now. Claims that fail are in it with what was found: a
        lesson can be saved with them, and says so.

        Raises:
            InvalidInput: it is no lesson, too large, has the slug of a built-in one, or shows a step
                or a screen that its scenes don't have.
            ModelUnavailable: a scene's model isn't on the operator's list.
            BudgetExceeded: recording took too long; Busy: others are recording.
        """
        lesson = lesson_of(document)
        builtin = self._builtin()
        if lesson.slug in builtin:
            raise InvalidInput(
                f"{lesson.slug!r} is the name of a built-in lesson.",
                "Give it another name, of letters a to z, digits and hyphens.",
                "slug",
            )
        if lesson.next is not None and lesson.next not in builtin:
            raise InvalidInput(
                f"There is no lesson called {lesson.next!r} to go on with.",
                f"Use one of {', '.join(builtin)}, or none.",
                "next",
            )
        return self._recorded(lesson)

    def open(self, text: str) -> Document:
        """The form in a teacher's file, its claims held against its own recording; where it has none
        it is recorded now.

        Raises:
            InvalidInput: the file can't be used, and why; else as `save`.
        """
        lesson, recording = read_form(text)
        if recording is None:
            return self._recorded(lesson)
        require_shown(lesson, recording)
        return form_document(lesson, recording)

    def _recorded(self, lesson: Lesson) -> Document:
        """The form of a lesson, recorded once for all who open the same one at about the same time, as a
        class does that got a link."""
        key = lesson.model_dump_json()
        with self._lock:
            made = self._made.setdefault(key, _Made())
            self._made.move_to_end(key)
            while len(self._made) > KEPT:
                self._made.popitem(last=False)
        if not made.turn.acquire(timeout=self._seconds + PATIENCE):
            raise _busy()
        try:
            made.form = made.form or self._record(lesson)
            return made.form
        finally:
            made.turn.release()

    def _record(self, lesson: Lesson) -> Document:
        if len(lesson.scenes) > MAX_SCENES:
            raise InvalidInput(
                f"The lesson has {len(lesson.scenes)} scenes.",
                f"At most {MAX_SCENES} can be recorded from the page: take some out.",
                "scenes",
            )
        for name, scene in lesson.scenes.items():
            if scene.problem.toy is None:
                self._playground.hub.require(scene.problem.model, f"scenes.{name}.problem.model")
        if not self._places.acquire(timeout=PATIENCE):
            raise _busy()
        try:
            until = time.monotonic() + self._seconds
            recording = record(self._playground, lesson, lambda: time.monotonic() >= until, EFFORT)
        except Cancelled:
            raise BudgetExceeded(
                f"Recording took longer than {self._seconds:.0f} seconds.",
                "Take out scenes or methods, or ask for fewer draws.",
                "scenes",
            ) from None
        finally:
            self._places.release()
        require_shown(lesson, recording)
        return require_small(form_document(lesson, recording))


def _busy() -> Busy:
    return Busy("Other lessons are being recorded just now.", "Try again in a minute.")


NEEDED: Final = {"compare": "compare", "squeezing": "squeezing"}
"""The screens that show a recording, and the part of it that they show."""


def require_shown(lesson: Lesson, recording: Document) -> None:
    """
    Raises:
        InvalidInput: a beat shows a step, or a screen, that its scene's recording hasn't.
    """
    for index, beat in enumerate(lesson.beats):
        name = lesson.scene_of(index)
        scene = recording["scenes"][name]
        count = len(scene["page"]["steps"])
        if beat.view == "step" and beat.step is not None and beat.step > max(0, count - 1):
            raise InvalidInput(
                f"The beat shows step {beat.step}, and the run of the scene {name} has {count}.",
                f"Name a step from 0 to {count - 1}, or lengthen the scene's path."
                if count
                else "Give the scene a path, or draws.",
                f"beats.{index}.step",
            )
        part = NEEDED.get(beat.view)
        if part is not None and scene.get(part) is None:
            raise InvalidInput(
                f"The beat shows {beat.view}, which the scene {name} wasn't recorded with.",
                "Set law in the scene." if part == "squeezing" else "Name methods in the scene.",
                f"beats.{index}.view",
            )
