"""Where a text stands: its place in a JSON Schema, and what is open in it, as a stack."""

import json
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from playground.constraints.byte_automaton import located

MAX_FRAMES = 200


class Place:
    """Tells the places of texts; this one knows no schema and shows no stack."""

    def located(self, text: bytes, words: str) -> tuple[str | None, str]:
        """The JSON pointer of the part being written, and `words` with the place before them."""
        return None, words

    def stack(self, text: bytes) -> tuple[tuple[str, ...], str]:
        """What is open, outermost first, and where that was read."""
        return (), ""


@dataclass(frozen=True)
class JsonPlace(Place):
    """The places of JSON texts in a schema; their stack is the nesting of arrays and objects."""

    schema_text: str

    @cached_property
    def _schema(self) -> Any:
        return json.loads(self.schema_text)

    def located(self, text: bytes, words: str) -> tuple[str | None, str]:
        """As `Place.located`."""
        from playground.constraints.jsonschema.place import locate

        place = locate(self._schema, text)
        return place.pointer, located(place.words, words)

    def stack(self, text: bytes) -> tuple[tuple[str, ...], str]:
        """As `Place.stack`: `object $`, `array $.lines`, ..."""
        from playground.constraints.jsonschema.place import MAX_TEXT, written
        from playground.constraints.jsonschema.scan import open_parts

        if len(text) > MAX_TEXT:
            return (), ""
        frames = [f"{kind} {written(path)}" for kind, path in open_parts(text)]
        return tuple(frames[:MAX_FRAMES]), "the nesting of the text" if frames else ""


class GrammarPlace(Place):
    """The places of texts in a grammar: which of its rules are open."""

    def __init__(self, source: str) -> None:
        """`source` is a grammar that `grammar.check` has passed."""
        from playground.constraints.grammar_read import read
        from playground.constraints.grammar_stack import StackReader
        from playground.constraints.grammar_steps import Unreadable

        self._reader: StackReader | None = None
        with suppress(Unreadable):  # an engine alone knows this grammar: no stack is shown
            self._reader = StackReader(read(source))

    def stack(self, text: bytes) -> tuple[tuple[str, ...], str]:
        """As `Place.stack`: `expr “1+(2”`, ..."""
        found = self._reader.read(text) if self._reader else None
        if found is None or not found.frames:
            return (), ""
        source = "the grammar's rules, by a parser of our own"
        if not found.only:
            source += "; the text can be read in other ways too"
        return found.frames[:MAX_FRAMES], source
