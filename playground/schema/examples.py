"""Examples of what a mask allows: the shortest, a typical, the longest, and all but invalid ones."""

import json
import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from playground.constraints.automaton import TokenAutomaton
from playground.constraints.byte_automaton import ByteAutomaton
from playground.constraints.jsonschema.keywords import HOLDERS
from playground.constraints.jsonschema.source import parse
from playground.constraints.limits import Limits
from playground.constraints.spec import ConstraintSpec
from playground.errors import BudgetExceeded, UnsupportedSchema
from playground.schema.asking import accepts
from playground.schema.generate import instances
from playground.schema.occurrences import occurrences, plain
from playground.schema.sampling import MAX_BYTES, longest, shortest, walk
from playground.schema.witness import witnesses

MOST = 8
"""So many adversarial examples are shown."""
ALIKE = 4
"""So many of them are about a leak, or about an edge."""
SECONDS = 0.5
"""Longest search for each kind of example."""
MAX_ASKED = 60
"""So many keywords are asked for texts at their edge."""

Example = dict[str, Any]


def examples(
    spec: ConstraintSpec,
    schema_text: str | None,
    automaton: TokenAutomaton,
    seed: int = 0,
    *,
    limits: Limits | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> list[Example]:
    """Texts that the mask allows, each with its `kind` and a `note`.

    Args:
        spec: the constraint as typed.
        schema_text: its JSON Schema (`sources.schema_text`); None for kinds without one.
        automaton: what it compiles to, over BYTES.
        seed: of the typical and the adversarial ones.
        limits: of the child processes that search.
        cancelled: asked every 20 ms.

    Returns:
        `shortest`, `typical`, `longest`, then up to MOST `adversarial` ones: valid at an edge, oddly
        spelled, or allowed by the mask and forbidden by the schema, which the note says.

    Raises:
        InvalidInput: the schema isn't JSON.
        Cancelled: `cancelled` said so.
    """
    rng = random.Random(seed)
    out = []
    first = shortest(automaton)
    if first is not None:
        out.append(_example("shortest", first, "No allowed text is shorter."))
        if not isinstance(automaton, ByteAutomaton):
            out[0]["note"] = "A short one, found by search; shorter ones may exist."
    made = _Made(spec, schema_text, automaton, seed, limits, cancelled)
    plain_ones = made.style("typical")
    if plain_ones:
        typical = max(
            (text for text in plain_ones if len(text) < 300), key=len, default=plain_ones[0]
        )
        out.append(
            _example("typical", typical.encode(), "Made from the schema, with some options.")
        )
    else:
        found = next((t for _ in range(20) if (t := walk(automaton, rng)) and _utf8(t)), None)
        if found is not None:
            out.append(_example("typical", found, "A random way through the automaton."))
    out += _longest(automaton, made, rng)
    seen = {each["text"] for each in out}
    for text, note in _unlike(seen, _adversarial(automaton, made, rng)):
        out.append({"kind": "adversarial", "text": text, "note": note})
    return out


def _example(kind: str, text: bytes, note: str) -> Example:
    return {"kind": kind, "text": text.decode("utf-8", "backslashreplace"), "note": note}


def _utf8(text: bytes) -> bool:
    try:
        text.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


class _Made:
    """Instances and witnesses of one schema; none where there is no schema."""

    def __init__(
        self,
        spec: ConstraintSpec,
        schema_text: str | None,
        automaton: TokenAutomaton,
        seed: int,
        limits: Limits | None,
        cancelled: Callable[[], bool] | None,
    ) -> None:
        self.schema = None if schema_text is None else parse(schema_text).value
        self._text = schema_text
        self._automaton = automaton
        self._blanks = spec.whitespace
        self._seed = seed
        self._limits = limits
        self._cancelled = cancelled

    def style(self, style: Any, count: int = 6) -> list[str]:
        """Valid instances of a style that the mask allows."""
        if self._text is None:
            return []
        try:
            found = instances(
                self._text,
                self._seed,
                count,
                style=style,
                whitespace=self._blanks,
                seconds=SECONDS,
                limits=self._limits,
                cancelled=self._cancelled,
            )
        except (UnsupportedSchema, BudgetExceeded):
            return []
        return [text for text in found if self.allowed(text)]

    def allowed(self, text: str) -> bool:
        """The mask allows it."""
        return accepts(self._automaton, text.encode("utf-8", "surrogatepass"))

    def edges(self) -> Iterator[tuple[str, str]]:
        """Texts at the edge of a keyword, those that the schema forbids first, with notes."""
        if self._text is None:
            return
        asked = [o for o in occurrences(self.schema) if plain(o, False) is None]
        asked.sort(key=lambda each: each.keyword in HOLDERS)  # a leak is that of what is inside
        asked = asked[:MAX_ASKED]
        try:
            found = witnesses(
                self._text,
                [each.pointer for each in asked],
                pairs=3,
                masks=False,
                seed=self._seed,
                whitespace=self._blanks,
                seconds=SECONDS,
                limits=self._limits,
                cancelled=self._cancelled,
            )
        except (UnsupportedSchema, BudgetExceeded):
            return
        inside = []
        for each, one in zip(asked, found, strict=True):
            wrong = [p for p in one.pairs if self.allowed(p.invalid)]
            if wrong:
                note = f"Allowed by the mask, forbidden by the schema: `{each.keyword}` at "
                yield wrong[0].invalid, f"{note}{each.pointer} ({wrong[0].kind})."
            elif each.keyword in _EDGED:
                inside += [(p.valid, each) for p in one.pairs[1:2] if self.allowed(p.valid)]
        for text, each in inside:
            yield text, f"Just on the allowed side of `{each.keyword}` at {each.pointer}."


_EDGED = frozenset(
    {
        "exclusiveMaximum",
        "exclusiveMinimum",
        "maxItems",
        "maxLength",
        "maxProperties",
        "maximum",
        "minItems",
        "minLength",
        "minProperties",
        "minimum",
        "multipleOf",
    }
)


def _longest(automaton: TokenAutomaton, made: _Made, rng: random.Random) -> list[Example]:
    count = None
    if isinstance(automaton, ByteAutomaton):
        count, text = longest(automaton.dfa)
        if text is not None:
            note = f"The language is finite: no allowed text has more than {count:,} bytes."
            return [_example("longest", text, note)]
    tried = [text.encode() for text in made.style("wild", 8) + made.style("full", 3)]
    if max(map(len, tried), default=0) < 100:
        walks = (walk(automaton, rng, length=300 // (1 + i % 6), stop=0.0) for i in range(9))
        tried += [text for text in walks if text is not None and _utf8(text)]
    fits = [text for text in tried if len(text) <= MAX_BYTES]
    if not fits:
        return []
    note = "There is no longest text: this is a long one."
    if count is not None:
        note = f"The longest has {count:,} bytes: this is a shorter one."
    elif not isinstance(automaton, ByteAutomaton) or len(automaton.dfa) > 20_000:
        note = "Whether there is a longest text was not searched for: this is a long one."
    return [_example("longest", max(fits, key=len), note)]


def _adversarial(
    automaton: TokenAutomaton, made: _Made, rng: random.Random
) -> Iterator[tuple[str, str]]:
    """Texts that a careless reader gets wrong, with notes; the mask allows every one."""
    yield from made.edges()
    if made.schema is not None:
        for text in made.style("least", 2):
            yield text, "The emptiest: nothing that may be left out."
        for text in made.style("wild", 12):
            odd = _oddity(text)
            if odd:
                yield text, odd
        for text in made.style("typical", 4):
            yield from _escaped(text, made.allowed)
        return
    for _ in range(40):
        found = walk(automaton, rng, odd=True, length=16)
        if found is not None and _utf8(found):
            yield found.decode(), _oddity(found.decode()) or "An unusual way through the automaton."


def _oddity(text: str) -> str:
    """What is odd about a text; empty where nothing is."""
    said = []
    if any(ord(char) > 0xFFFF for char in text):
        said.append("a character of four bytes")
    if '\\"' in text:
        said.append("a quote inside a string")
    if "\\\\" in text:
        said.append("a backslash inside a string")
    if "\\n" in text or "\\t" in text or "\n" in text:
        said.append("a line break or tab inside")
    return f"Valid, with {' and '.join(said)}." if said else ""


def _escaped(text: str, allowed: Callable[[str], bool]) -> Iterator[tuple[str, str]]:
    """The same value in other spellings, where the mask has them."""
    value = json.loads(text)
    strings = [each for each in _strings(value) if each and each.isascii() and each.isalnum()]
    for each in strings[:3]:
        spelled = f'"\\u{ord(each[0]):04x}{each[1:]}"'
        other = text.replace(f'"{each}"', spelled, 1)
        if other != text and allowed(other):
            yield other, "The same value as with the plain letter: an escape inside a string."
    wide = text.replace(", ", ",").replace(": ", ":")
    if wide != text and allowed(wide):
        yield wide, "Without blanks between the signs."


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _strings(each)


def _unlike(seen: set[str], found: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The first MOST texts that weren't seen, of different kinds: no two that show the same, and
    not more than ALIKE that show the like of other keywords."""
    alike: dict[str, int] = {}
    count = 0
    for text, note in found:
        if len(seen) > 300 or count >= MOST:
            return
        what = note.partition(" at ")[0]
        family = what.partition("`")[0]
        if text in seen or alike.get(what, 0) or alike.get(f"like {family}", 0) >= ALIKE:
            continue
        seen.add(text)
        count += 1
        for key in (what, f"like {family}"):
            alike[key] = alike.get(key, 0) + 1
        yield text, note
