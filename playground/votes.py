"""Votes of a room: what it predicts, counted in memory, where it is served by one machine."""

import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from playground.errors import Busy, InvalidInput
from playground.record import Document

OPTIONS = (2, 5)
"""Fewest and most options of a question."""
MAX_ROOMS = 100
MAX_QUESTIONS = 30
"""Questions that a room keeps, the latest asked ones."""
MAX_VOTERS = 200
"""Voters at one question."""
LASTS = 3 * 3600.0
"""Seconds after its last use that a room is forgotten."""
IDLE = 60.0
"""Seconds after which a room may give its place to a new one."""
MAX_QUESTION = 300
MAX_VOTER = 80
"""Longest names of questions and voters, characters."""
_ROOM = re.compile(r"[A-Z0-9]{4,8}")


@dataclass(slots=True)
class _Room:
    used: float
    questions: OrderedDict[str, dict[str, int]] = field(default_factory=OrderedDict)
    """Each voter's option by question, from 0."""


class Votes:
    """The rooms of one process. A room's code is made by the page of whoever opens it: four to eight
    letters or digits, of a browser's own random numbers. Nobody has an account and nothing
    goes by address, as a classroom shares one: a voter is a random name that its browser made.

    Asking for the counts opens a room; a vote into one that nobody opened is refused, so that a
    mistyped code is told. The votes are lost when the process ends, and another process doesn't know
    of them: `status` is what to say about that.

    Args:
        clock: seconds, for tests.
    """

    status = "Counted in memory: votes work where the page is served by one machine."

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._rooms: OrderedDict[str, _Room] = OrderedDict()

    def vote(self, payload: Any) -> Document:
        """Take one voter's option; a later one replaces it. The answer is that of `counts`.

        Args:
            payload: `{"room", "question", "option": from 0, "voter", "options": how many (5)}`.

        Raises:
            InvalidInput: a field is none of those, or nobody opened the room.
            Busy: the question has MAX_VOTERS voters.
        """
        code, question, options = _asked(payload)
        voter, option = payload.get("voter"), payload.get("option")
        if not isinstance(voter, str) or not 1 <= len(voter) <= MAX_VOTER:
            raise InvalidInput("The voter has no name.", "Reload the page.", "voter")
        if type(option) is not int or not 0 <= option < options:
            raise InvalidInput(
                f"There is no option {str(option)[:20]!r} among {options}.",
                "Choose one of those shown.",
                "option",
            )
        with self._lock:
            room = self._room(code)
            if room is None:
                raise InvalidInput(
                    f"There is no room {code} here.",
                    "Check the code with the presenter; rooms are kept for three hours, by one machine.",
                    "room",
                )
            given = _question(room, question)
            if voter not in given and len(given) >= MAX_VOTERS:
                raise Busy(f"{MAX_VOTERS} have voted already: no more are counted.", where="room")
            given[voter] = option
            return _counts(given, options)

    def counts(self, payload: Any) -> Document:
        """`{"counts": votes by option, "voters": how many}`; opens the room if need be.

        Args:
            payload: `{"room", "question", "options": how many (5)}`.

        Raises:
            InvalidInput: a field is none of those.
            Busy: MAX_ROOMS rooms are in use.
        """
        code, question, options = _asked(payload)
        with self._lock:
            room = self._room(code) or self._opened(code)
            return _counts(_question(room, question), options)

    def _room(self, code: str) -> _Room | None:
        """A room in use; the expired ones are forgotten first."""
        now = self._clock()
        while self._rooms and now - next(iter(self._rooms.values())).used > LASTS:
            self._rooms.popitem(last=False)
        room = self._rooms.get(code)
        if room is not None:
            room.used = now
            self._rooms.move_to_end(code)
        return room

    def _opened(self, code: str) -> _Room:
        now = self._clock()
        if len(self._rooms) >= MAX_ROOMS:
            if now - next(iter(self._rooms.values())).used < IDLE:
                raise Busy(
                    f"{MAX_ROOMS} rooms are voting already.", "Try again in a minute.", "room"
                )
            self._rooms.popitem(last=False)
        room = self._rooms[code] = _Room(now)
        return room


def _question(room: _Room, name: str) -> dict[str, int]:
    """The votes on a question; the one asked longest ago makes place for a new one."""
    given = room.questions.setdefault(name, {})
    room.questions.move_to_end(name)
    while len(room.questions) > MAX_QUESTIONS:
        room.questions.popitem(last=False)
    return given


def _counts(given: dict[str, int], options: int) -> Document:
    values = list(given.values())
    counts = [values.count(option) for option in range(options)]
    return {"counts": counts, "voters": sum(counts)}


def _asked(payload: Any) -> tuple[str, str, int]:
    """The room, the question and the number of options of a request."""
    told = payload if isinstance(payload, dict) else {}
    room, question, options = (
        told.get("room"),
        told.get("question"),
        told.get("options", OPTIONS[1]),
    )
    room = room.strip().upper() if isinstance(room, str) else room
    if not isinstance(room, str) or not _ROOM.fullmatch(room):
        raise InvalidInput(
            f"{str(room)[:20]!r} is no code of a room.",
            "It has four to eight letters or digits.",
            "room",
        )
    if not isinstance(question, str) or not 1 <= len(question) <= MAX_QUESTION:
        raise InvalidInput("The question has no name.", "Reload the page.", "question")
    if type(options) is not int or not OPTIONS[0] <= options <= OPTIONS[1]:
        raise InvalidInput(
            f"A question has {OPTIONS[0]} to {OPTIONS[1]} options, not {str(options)[:20]!r}.",
            "Reload the page.",
            "options",
        )
    return room, question, options
