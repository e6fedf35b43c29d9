"""For one keyword at one place: pairs of values that differ in what that keyword says."""

import json
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from playground.constraints.instances.breaking import Breaker
from playground.constraints.instances.generator import LEAST, TYPICAL, Generator, Made
from playground.constraints.instances.goals import Map, outer
from playground.constraints.instances.idle import WANTED, idle
from playground.constraints.instances.opposite import opposites
from playground.constraints.instances.ordered import Speller
from playground.constraints.instances.pool import Pool
from playground.constraints.instances.reference import Reference, without
from playground.constraints.jsonschema.scan import Path
from playground.constraints.judge_keywords import BROKEN
from playground.constraints.judge_ready import broken_keywords

EDITS = 90
"""So many edits of one value are judged."""
QUICK = 20
"""And so many at first."""
MAX_CHARACTERS = 25_000
"""A longer text is no witness."""
LONG = 4_000
"""Of pairs with so long a text one is enough."""
OVER = "the time was over before a text was found that it alone forbids"
_NOWHERE = "no valid text was found that comes to this place"
_NOTHING_ALONE = "no text was found that it alone forbids; another keyword may forbid the same"
TURNED = 8
"""So many opposites of one keyword are followed."""
FIRST = 2
"""So many valid instances are edited; more where they give no pair."""


@dataclass(slots=True)
class Found:
    """What was found for one keyword at one place."""

    pairs: list[tuple[str, str, str]] = field(default_factory=list)
    """(valid text, invalid text, what was done)."""
    loosens: list[tuple[str, str, str]] = field(default_factory=list)
    """Valid texts that would be invalid without the keyword, each with an invalid one."""
    why: str = ""
    """Where there is neither: why."""
    idle: str = ""
    """Where it forbids nothing at this place: why."""
    spare: list[tuple[str, str, str]] = field(default_factory=list)
    """Pairs of a kind that there was before."""
    kinds: set[str] = field(default_factory=set)
    tried: set[str] = field(default_factory=set)


class Searcher:
    """Searches one schema's witnesses; see `reference.Reference` for where it may run."""

    def __init__(self, schema: Any, seed: int, whitespace: str, until: float) -> None:
        """`until` is the time.monotonic() at which the search ends.

        Raises:
            UnsupportedSchema: the root leads outside the document.
        """
        self.places = Map(schema)
        self.generator = Generator(schema, random.Random(seed))
        self.generator.expander.branches([self.generator.references.root])
        self.speller = Speller(self.places, whitespace)
        # Its own: a generator remembers schemas by the pointer under which it met them first.
        self._breaker = Breaker(Generator(schema, random.Random(seed)), self.places)
        self._reference = Reference(schema)
        self._judge = self._reference.judge(schema)
        self._schema = schema
        self.breaches = broken_keywords(schema, set(self.places.subschemas))
        self._until = self._turn = until
        self._verdicts: dict[str, bool | None] = {}
        self.pool = Pool(self.places, self.generator, self.speller, self.verdict, self.late)

    def late(self) -> bool:
        """The time is over, in all or for one keyword."""
        return time.monotonic() > min(self._until, self._turn)

    def begin(self, share: float) -> None:
        """One keyword may take so many seconds from now."""
        self._turn = time.monotonic() + share

    def verdict(self, value: Any, spelled: str | None = None) -> bool | None:
        """The judge's verdict of a value under the whole schema, remembered by its text."""
        key = self.speller.text(value) if spelled is None else spelled
        if key not in self._verdicts:
            self._verdicts[key] = self._judge(value)
        return self._verdicts[key]

    def witnesses(self, pointer: str, most: int, quick: bool = False) -> Found:
        """Up to `most` pairs for the keyword at `pointer`, of different kinds first; `quick`: edits
        of one valid instance are enough, if they give any."""
        try:
            if reason := idle(self.places, pointer, self._reference.judge):
                return Found(idle=reason)
            return self._witnesses(pointer, most, 1 if quick else FIRST)
        except BROKEN:
            if not self.breaches:
                raise
            return Found(why="the schema breaks its metaschema, so that it can't be read here")

    def without(self, pointer: str) -> Any:
        """The schema in which the keyword at `pointer` forbids nothing."""
        return without(self._schema, self.places.path(pointer))

    def told(self, pointer: str, text: str, other: str) -> Found:
        """What the judge makes of a text that only one of the masks with and without the keyword
        allows; `other` is one that the mask with it allows."""
        found = Found(why=_NOTHING_ALONE)
        try:
            value, valid = json.loads(text), json.loads(other)
        except ValueError:
            return found
        verdict, loose = self.verdict(value), self._reference.judge(self.without(pointer))(value)
        base = next((made.value for made, _ in self.pool.bases(outer(pointer), "")), valid)
        if verdict is False and loose and self.verdict(base):
            found.pairs = [(self.speller.text(base), text, "allowed without it alone")]
        elif verdict and loose is False:
            found.loosens = [(text, "", "allowed with it alone")]
        found.why = "" if found.pairs or found.loosens else _NOTHING_ALONE
        return found

    def _witnesses(self, pointer: str, most: int, enough: int) -> Found:
        where, found = outer(pointer), Found()
        path = self.places.path(pointer)
        keyword = str(path[-1])
        schema = self.places.at(where)
        loose = self._reference.judge(self.without(pointer))
        bases: list[tuple[Made, Path]] = []
        others: list[tuple[str, Any]] = []
        tries = 2 * FIRST if enough > 1 else FIRST
        for base, at in islice(self.pool.bases(where, WANTED.get(keyword, "")), tries):
            if self.late() or (len(bases) >= enough and found.pairs):
                break
            bases.append((base, at))
            edits = self._edits(schema, keyword, base.value, at, EDITS if enough > 1 else QUICK)
            self._pairs(found, base.value, edits, loose, most, others)
        if not found.pairs and enough > 1 and not self.late():
            self._opposite(found, where, keyword, bases, loose, most, others)
        if not bases:
            if found.pairs:
                return found
            found.why = OVER if self.late() else _NOWHERE
            return found
        found.pairs = [*found.pairs, *found.spare][:most]
        found.pairs = [p for i, p in enumerate(found.pairs) if not i or len(p[1]) < LONG]
        for base, at in bases if enough > 1 else ():
            self._widen(found, schema, keyword, base.value, at)
        if not found.pairs:
            self._loosening(found, bases, others, loose)
            found.why = "" if found.loosens else OVER if self.late() else _NOTHING_ALONE
        return found

    def _pairs(
        self,
        found: Found,
        base: Any,
        edits: Iterator[tuple[str, Any]],
        loose: Callable[[Any], bool | None],
        most: int,
        others: list[tuple[str, Any]],
    ) -> None:
        """Add the pairs that edits of one valid value give; edits of no use go to `others`."""
        own = self.speller.text(base)
        for kind, whole in edits:
            if self.late() or len(found.pairs) >= most:
                return
            text = self.speller.text(whole)
            if text in found.tried or len(text) > MAX_CHARACTERS:
                continue
            found.tried.add(text)
            verdict = self.verdict(whole, text)
            if verdict is None:
                continue
            if verdict or not loose(whole):
                others.append((kind, whole))
                continue
            general = kind.rpartition(":")[2]
            (found.spare if general in found.kinds else found.pairs).append((own, text, kind))
            found.kinds.add(general)

    def _opposite(
        self,
        found: Found,
        where: str,
        keyword: str,
        bases: list[tuple[Made, Path]],
        loose: Callable[[Any], bool | None],
        most: int,
        others: list[tuple[str, Any]],
    ) -> None:
        """Pairs whose other side satisfies the whole schema with the keyword turned around."""
        path, schema = self.places.path(where), self.places.at(where)
        distances = self.places.distances(where)
        base = bases[0][0] if bases else self.pool.valid(LEAST)
        for kind, turned in islice(opposites(schema, keyword), TURNED):
            if base is None or self.late() or len(found.pairs) >= most:
                return
            other = Generator(replaced(self._schema, path, turned), self.generator.rng)
            for style in (LEAST, TYPICAL):
                made = other.instance(style, distances, WANTED.get(keyword, ""))
                if made is not None:
                    near = self._nearer(made, where, bases)
                    self._pairs(
                        found, base.value, ((kind, value) for value in near), loose, most, others
                    )

    def _nearer(self, made: Made, where: str, bases: list[tuple[Made, Path]]) -> Iterator[Any]:
        """What was made as a part of a base, and as a whole."""
        there = next((path for path, pointer in made.trace if pointer == where), None)
        if there is not None and "?" not in there:
            part = get(made.value, there)
            yield from (replaced(base.value, at, part) for base, at in bases[:1] if "?" not in at)
        yield made.value

    def _widen(self, found: Found, schema: Any, keyword: str, base: Any, at: Path) -> None:
        """Other valid sides for the pairs of one base: values at the keyword's edge, in turn."""
        if "?" in at:  # a key, not a value
            return
        own = self.speller.text(base)
        sides = {own: None}
        for _, new in islice(self._breaker.near(schema, keyword, get(base, at)), 12):
            whole = replaced(base, at, new)
            text = self.speller.text(whole)
            if not self.late() and len(text) <= MAX_CHARACTERS and self.verdict(whole, text):
                sides[text] = None
        others = list(sides)
        for index, (valid, invalid, kind) in enumerate(found.pairs):
            if valid == own:
                found.pairs[index] = (others[index % len(others)], invalid, kind)

    def _loosening(
        self,
        found: Found,
        bases: list[tuple[Made, Path]],
        edits: list[tuple[str, Any]],
        loose: Callable[[Any], bool | None],
    ) -> None:
        wrong = next((w for _, w in edits if self.verdict(w) is False), None)
        tried = [("as made", base.value) for base, _ in bases] + edits
        for kind, whole in tried[:60]:
            if self.late() or len(found.loosens) >= 3:
                return
            if self.verdict(whole) and loose(whole) is False:
                invalid = "" if wrong is None else self.speller.text(wrong)
                found.loosens.append((self.speller.text(whole), invalid, kind))

    def _edits(
        self, schema: Any, keyword: str, value: Any, path: Path, most: int
    ) -> Iterator[tuple[str, Any]]:
        if path and path[-1] == "?":  # the key of an object, by `propertyNames`
            owner = get(value, path[:-1])
            first = next(iter(owner), "a")
            for kind, new in islice(self._breaker.edits(schema, keyword, first), most):
                if isinstance(new, str):
                    yield kind, replaced(value, path[:-1], {**owner, new: 1})
            return
        for kind, new in islice(self._breaker.edits(schema, keyword, get(value, path)), most):
            yield kind, replaced(value, path, new)


def get(value: Any, path: Path) -> Any:
    """The part of a value at a path."""
    for part in path:
        value = value[part]
    return value


def replaced(value: Any, path: Path, new: Any) -> Any:
    """The value with another part at a path; the rest is shared."""
    if not path:
        return new
    if isinstance(value, list):
        index = int(path[0])
        return [*value[:index], replaced(value[index], path[1:], new), *value[index + 1 :]]
    return {**value, path[0]: replaced(value[path[0]], path[1:], new)}
