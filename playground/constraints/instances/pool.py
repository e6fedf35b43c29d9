"""Valid instances that come to a place of the schema, kept for every place that they come to."""

from bisect import insort
from collections.abc import Callable, Iterator
from typing import Any

from playground.constraints.instances.generator import FULL, LEAST, TYPICAL, Generator, Made, Style
from playground.constraints.instances.goals import Map, outer
from playground.constraints.instances.ordered import Speller
from playground.constraints.jsonschema.scan import Path
from playground.constraints.jsonschema.source import keys

STYLES = (LEAST, Style(0.25), LEAST, TYPICAL, FULL, TYPICAL, TYPICAL)
WIDE = 600
"""Where an instance with only what it must have is so long, no wider ones are made."""
KNOWN = 2
"""So many instances that were made for another place serve before one is made for this one."""
SMALL = 120
"""One that was made for another place serves if it is so long at most, or twice the least."""
_IN_PLACE = frozenset({"if", "not", "then", "else", "anyOf", "oneOf", "allOf", "dependentSchemas"})
"""Keywords whose schemas judge the value that their owner judges."""
_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "array": (list,),
    "number": (int, float),
    "object": (dict,),
}


class Pool:
    """The valid instances of one schema, made as they are asked for."""

    def __init__(
        self,
        places: Map,
        generator: Generator,
        speller: Speller,
        verdict: Callable[[Any], bool | None],
        late: Callable[[], bool],
    ) -> None:
        """`verdict` of a value under the whole schema; `late`: no more may be made."""
        self._places = places
        self._generator = generator
        self._speller = speller
        self._verdict = verdict
        self._late = late
        self._count = 0
        self._least = WIDE
        self._known: dict[str, list[tuple[int, int, Path, Made]]] = {}
        self._tried: dict[tuple[str, str], int] = {}
        self._kept: dict[tuple[str, str], list[Made]] = {}

    def valid(self, style: Style, goal: str | None = None, wanted: str = "") -> Made | None:
        """A valid instance, if the generator's next one is."""
        distances = self._places.distances(goal) if goal is not None else {}
        made = self._generator.instance(style, distances, wanted)
        return made if made is not None and self._verdict(made.value) else None

    def bases(self, where: str, wanted: str) -> Iterator[tuple[Made, Path]]:
        """Valid instances that the schema at `where` judges at a path; the smallest first.

        `wanted`: the type that the value there should have, if it may.
        """
        seen: set[str] = set()
        goal = where
        for _ in range(4):  # a schema inside `not` judges nothing by itself: its owner does
            for made, path in self._at(goal, wanted):
                text = self._speller.text(made.value)
                if text not in seen:
                    seen.add(text)
                    yield made, path
            owner = outer(goal)
            while owner and owner not in self._places.subschemas:
                owner = outer(owner)
            if seen or not goal or keys(goal[len(owner) :])[0] not in _IN_PLACE:
                return
            goal = owner

    def _at(self, goal: str, wanted: str) -> Iterator[tuple[Made, Path]]:
        kinds = _TYPES.get(wanted)
        served, enough = 0, max(SMALL, 2 * self._least)
        for size, _, path, made in list(self._known.get(goal, ())):
            if served == KNOWN or size > enough:
                break
            if kinds is None or _has(made.value, path, kinds):
                served += 1
                yield made, path
        kept = self._kept.setdefault((goal, wanted), [])
        for made in list(kept):
            yield made, _path(made, goal)
        for made in self._make(goal, wanted):
            kept.append(made)
            yield made, _path(made, goal)

    def _make(self, goal: str, wanted: str) -> Iterator[Made]:
        """More of them, where the last search for this place stopped."""
        key = goal, wanted
        wide = all(len(self._speller.text(made.value)) < WIDE for made in self._kept[key])
        while self._tried.get(key, 0) < len(STYLES) and not self._late():
            style = STYLES[self._tried.get(key, 0)]
            self._tried[key] = self._tried.get(key, 0) + 1
            made = self.valid(style if wide else LEAST, goal, wanted)
            if made is None:
                continue
            size = len(self._speller.text(made.value))
            self._keep(made, size)
            if any(pointer == goal for _, pointer in made.trace):
                wide = wide and size < WIDE
                yield made

    def _keep(self, made: Made, size: int) -> None:
        """Note every place that an instance comes to."""
        self._least = min(self._least, size)
        for path, pointer in made.trace:
            listed = self._known.setdefault(pointer, [])
            if size < WIDE and "?" not in path:
                insort(listed, (size, self._count, path, made), key=lambda each: each[:2])
                del listed[2 * KNOWN :]
        self._count += 1


def _path(made: Made, goal: str) -> Path:
    return next(path for path, pointer in made.trace if pointer == goal)


def _has(value: Any, path: Path, kinds: tuple[type, ...]) -> bool:
    for part in path:
        value = value[part]
    return isinstance(value, kinds) and not isinstance(value, bool)
