"""Which rules of a grammar are open at the end of a text: a small Earley reader of our own.

The engines keep a stack but don't show it (llguidance) or show its top alone (xgrammar), so the
stack that people see is read here, from the same grammar and the text so far. Grammars with parts
that only an engine knows (%ignore, %import, special tokens) have no reader.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from threading import Lock

from playground.constraints.grammar import ROOTS
from playground.constraints.grammar_read import Read
from playground.constraints.grammar_steps import Step, Unreadable, machine_of
from playground.constraints.words import visible

MAX_TEXT = 2_000
"""Characters of the longest text that is read."""
MAX_ITEMS = 60_000
MAX_SHOWN = 24
SECONDS = 0.05
"""For one match of one regex terminal."""

Item = tuple[str, int, int]
"""A rule, the state of its machine, and where in the text it began."""


@dataclass(frozen=True, slots=True)
class Open:
    """The open rules at the end of a text."""

    frames: tuple[str, ...]
    """`rule “what it has read”`, the outermost first."""
    only: bool
    """There is no other way to read the text."""


@dataclass(slots=True)
class _Set:
    """What may be going on after some characters."""

    items: dict[Item, None]
    inside: list[tuple[Item, Step, int]]
    """Regexes that have begun: the item before, its step, and where."""


class StackReader:
    """Reads texts of one grammar; keeps the last one, as the next is usually a bit longer."""

    def __init__(self, grammar: Read) -> None:
        """Raises Unreadable for a grammar with parts that only an engine knows."""
        if grammar.commands:
            raise Unreadable
        self._root = ROOTS[grammar.dialect]
        self._machines = {name: machine_of(rule.body) for name, rule in grammar.rules.items()}
        self._nullable = self._find_nullable()
        self._lock = Lock()
        self._text = ""
        self._sets: list[_Set] = []
        self._sets.append(self._closed([(self._root, 0, 0)], [], 0))

    def read(self, text: bytes) -> Open | None:
        """The open rules; None where the text is no beginning of a valid one, is too long, or its
        reading takes too much."""
        written = text.decode("utf-8", errors="ignore")
        if len(written) > MAX_TEXT:
            return None
        with self._lock:
            pairs = zip(written, self._text, strict=False)
            same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
            del self._sets[same + 1 :]
            self._text = written[:same]
            for at in range(same, len(written)):
                try:
                    self._sets.append(self._after(written, at))
                except TimeoutError:
                    return None
                self._text = written[: at + 1]
                if sum(len(each.items) for each in self._sets) > MAX_ITEMS:
                    return None
            last = self._sets[-1]
            return self._open(written) if last.items or last.inside else None

    def _find_nullable(self) -> set[str]:
        found = set[str]()
        while True:
            more = {n for n, m in self._machines.items() if m.nullable(found)} - found
            if not more:
                return found
            found |= more

    def _after(self, text: str, at: int) -> _Set:
        """The set after one more character."""
        here = self._sets[at]
        items: list[Item] = []
        for rule, state, origin in here.items:
            for step in self._machines[rule].steps[state]:
                if step.takes is not None and step.takes(text[at]):
                    items.append((rule, step.to, origin))
        inside = []
        for item, step, begin in here.inside:
            assert step.pattern is not None
            match = step.pattern.fullmatch(text, begin, at + 1, partial=True, timeout=SECONDS)
            if match is None:
                continue
            inside.append((item, step, begin))
            if not match.partial:
                items.append((item[0], step.to, item[2]))
        return self._closed(items, inside, at + 1)

    def _closed(self, items: list[Item], inside: list[tuple[Item, Step, int]], at: int) -> _Set:
        """`items` and all that follow from them without another character."""
        found: dict[Item, None] = {}
        todo = deque(items)
        while todo:
            item = todo.popleft()
            if item in found:
                continue
            found[item] = None
            rule, state, origin = item
            machine = self._machines[rule]
            for step in machine.steps[state]:
                if step.calls is not None:
                    todo.append((step.calls, 0, at))
                    if step.calls in self._nullable:
                        todo.append((rule, step.to, origin))
                elif step.pattern is not None:
                    inside.append((item, step, at))
                elif step.takes is None:
                    todo.append((rule, step.to, origin))
            if state == machine.end and origin < at:
                for caller, before, began in self._sets[origin].items:
                    for step in self._machines[caller].steps[before]:
                        if step.calls == rule:
                            todo.append((caller, step.to, began))
        return _Set(found, inside)

    def _open(self, text: str) -> Open:
        """The innermost rule that has read something and can go on, and the rules around it."""
        last = self._sets[-1]
        going = {
            (rule, origin)
            for rule, state, origin in last.items
            if self._machines[rule].goes_on(state)
        }
        going |= {(item[0], item[2]) for item, _, begin in last.inside if begin < len(text)}
        begun = {each for each in going if each[1] < len(text)}
        if not begun:
            return Open((), True)
        latest = max(origin for _, origin in begun)
        ways = [self._way(each) for each in sorted(begun) if each[1] == latest]
        way, only = max(ways, key=lambda each: len(each[0]))
        frames = [f"{rule} “{_tail(text[origin:])}”" for rule, origin in way]
        return Open(tuple(frames), only)

    def _way(self, leaf: tuple[str, int]) -> tuple[list[tuple[str, int]], bool]:
        """The shortest chain of callers from the root to `leaf`, and whether it is the only one."""
        before: dict[tuple[str, int], tuple[str, int] | None] = {leaf: None}
        todo, only = deque([leaf]), True
        end = (self._root, 0)
        while todo and end not in before:
            here = todo.popleft()
            callers = dict.fromkeys(self._callers(here))
            only = only and len(callers) <= 1
            for caller in callers:
                if caller not in before:
                    before[caller] = here
                    todo.append(caller)
        way: list[tuple[str, int]] = []
        step: tuple[str, int] | None = end if end in before else None
        while step is not None:
            way.append(step)
            step = before[step]
        return way, only

    def _callers(self, called: tuple[str, int]) -> Iterator[tuple[str, int]]:
        rule, origin = called
        for caller, state, began in self._sets[origin].items:
            if (caller, began) != called and any(
                step.calls == rule for step in self._machines[caller].steps[state]
            ):
                yield caller, began


def _tail(text: str) -> str:
    shown = visible(text.encode())
    return shown if len(shown) <= MAX_SHOWN else f"…{shown[-MAX_SHOWN:]}"
