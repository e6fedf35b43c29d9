"""JSON text that keeps its author's formatting: where every part stands, and edits at those places."""

import json
import re
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass
from typing import Any

from playground.constraints.jsonschema.source import BOM, keys, parse, step

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)

_INDENT = re.compile(r"\s*[{\[]\r?\n([ \t]+)")
"""What the second line is indented by, where the first is a bracket."""


@dataclass(frozen=True, slots=True)
class Span:
    """Offsets of one part in the text, characters from 0."""

    start: int
    """Of the key, in an object; else of the value."""
    value: int
    """Of the value."""
    end: int
    """After the value."""


@dataclass(frozen=True, slots=True)
class Edit:
    """`text[start:end]` becomes `new`."""

    start: int
    end: int
    new: str


def dumps(value: Any) -> str:
    """JSON on one line."""
    return json.dumps(value, ensure_ascii=False)


class JsonText:
    """A JSON document with the places of its parts."""

    def __init__(self, text: str) -> None:
        """Raises InvalidInput where `text` is not JSON, with line and column."""
        parsed = parse(text)
        self.text = text.removeprefix(BOM)
        self.value: Any = parsed.value
        self.places = parsed.places
        self.spans: dict[str, Span] = {}
        self.members: dict[str, list[str]] = {}
        """Pointer of an object or array -> the pointers of its members, in order."""
        self.editable = True
        """The text is what a visitor typed, so that edits of it are of use."""
        self._scan()

    def part(self, pointer: str) -> "JsonText":
        """The value at `pointer` as a document of its own: pointers start there, edits are of the
        whole text."""
        size = len(pointer)
        out = copy(self)
        for key in keys(pointer):
            out.value = out.value[int(key) if isinstance(out.value, list) else key]
        inner = [each for each in self.spans if each == pointer or each.startswith(f"{pointer}/")]
        out.places = {each[size:]: self.places[each] for each in inner}
        out.spans = {each[size:]: self.spans[each] for each in inner}
        span = self.spans[pointer]
        out.spans[""] = Span(span.value, span.value, span.end)
        out.members = {
            each[size:]: [member[size:] for member in self.members[each]]
            for each in inner
            if each in self.members
        }
        return out

    def made(self, places: dict[str, tuple[int, int]]) -> "JsonText":
        """The document as one that nobody typed: its parts have these places elsewhere, and it
        can't be edited."""
        out = copy(self)
        out.places, out.editable = places, False
        return out

    def _scan(self) -> None:
        opened: list[tuple[str, bool, int, int]] = []  # pointer, is an object, start, value
        here, key_at, wants_key = "", -1, False
        for match in _TOKEN.finditer(self.text):
            token, at = match.group(), match.start()
            if wants_key and token[0] == '"':
                here, key_at, wants_key = step(opened[-1][0], json.loads(token)), at, False
            elif token in ("{", "["):
                opened.append((here, token == "{", at if key_at < 0 else key_at, at))
                self.members[here] = []
                wants_key, key_at = token == "{", -1
                here = step(here, 0)
            elif token in ("}", "]"):
                here, _, start, value = opened.pop()
                self._close(here, start, value, match.end(), opened)
                wants_key = False
            elif token == ",":
                pointer, wants_key, _, _ = opened[-1]
                here, key_at = step(pointer, len(self.members[pointer])), -1
            elif token != ":":
                self._close(here, at if key_at < 0 else key_at, at, match.end(), opened)

    def _close(
        self, here: str, start: int, value: int, end: int, opened: list[tuple[str, bool, int, int]]
    ) -> None:
        self.spans[here] = Span(start, value, end)
        if opened:
            self.members[opened[-1][0]].append(here)

    def replace(self, pointer: str, value: Any) -> Edit:
        """Another value at `pointer`."""
        span = self.spans[pointer]
        return Edit(span.value, span.end, self.written(value, span.start))

    def written(self, value: Any, at: int) -> str:
        """The value as its author would write it at the offset `at`: on lines of its own where it
        nests and the text has lines."""
        indent = _INDENT.match(self.text)
        inner = value.values() if isinstance(value, dict) else value
        nests = isinstance(value, dict | list) and any(isinstance(x, dict | list) for x in inner)
        if indent is None or not nests:
            return dumps(value)
        line = self.text[self.text.rfind("\n", 0, at) + 1 : at]
        base = line[: len(line) - len(line.lstrip(" \t"))]
        spread = json.dumps(value, ensure_ascii=False, indent=indent.group(1))
        return spread.replace("\n", f"\n{base}")

    def replace_text(self, pointer: str, text: str) -> Edit:
        """Another value at `pointer`, as JSON text."""
        span = self.spans[pointer]
        return Edit(span.value, span.end, text)

    def source(self, pointer: str) -> str:
        """The value at `pointer` as its author wrote it."""
        span = self.spans[pointer]
        return self.text[span.value : span.end]

    def rename(self, pointer: str, name: str) -> Edit:
        """Another key for the member at `pointer`."""
        span = self.spans[pointer]
        end = _TOKEN.match(self.text, span.start)
        return Edit(span.start, end.end() if end else span.value, dumps(name))

    def insert(self, container: str, member: str, *, first: bool = False) -> Edit:
        """`member` (JSON text, with its key in an object) at the end, or at the beginning."""
        known = self.members[container]
        if not known:
            inside = self.spans[container].value + 1
            return Edit(inside, inside, member)
        if first:
            span = self.spans[known[0]]
            return Edit(span.start, span.start, f"{member},{self._gap(container)}")
        end = self.spans[known[-1]].end
        return Edit(end, end, f",{self._gap(container)}{member}")

    def _gap(self, container: str) -> str:
        """The blanks before a member of the container: a line break where its author used one."""
        known = self.members[container]
        before = self.text[self.spans[container].value + 1 : self.spans[known[0]].start]
        return before if "\n" in before else " "

    def member(self, key: str, value: Any) -> str:
        """A member of an object as JSON text."""
        return f"{dumps(key)}: {dumps(value)}"

    def remove(self, container: str, gone: Iterable[str]) -> list[Edit]:
        """The members of `container` with the pointers `gone` left out, commas too."""
        known, out = self.members[container], set(gone)
        kept = [i for i, pointer in enumerate(known) if pointer not in out]
        if not kept:
            return [Edit(self.spans[known[0]].start, self.spans[known[-1]].end, "")]
        edits = []
        if kept[0]:
            edits.append(Edit(self.spans[known[0]].start, self.spans[known[kept[0]]].start, ""))
        for before, pointer in zip(known[kept[0] :], known[kept[0] + 1 :], strict=False):
            if pointer in out:
                edits.append(Edit(self.spans[before].end, self.spans[pointer].end, ""))
        return edits

    def reorder(self, container: str, order: list[str]) -> list[Edit]:
        """The members of `container` in another order; what stands between them stays."""
        known = self.members[container]
        return [
            Edit(span.start, span.end, self._written(new))
            for span, old, new in zip(
                (self.spans[pointer] for pointer in known), known, order, strict=True
            )
            if old != new
        ]

    def _written(self, pointer: str) -> str:
        span = self.spans[pointer]
        return self.text[span.start : span.end]

    def apply(self, edits: Iterable[Edit]) -> str:
        """The text after all edits; one that lies inside another's range gives way to it."""
        out, at = [], 0
        for edit in sorted(edits, key=lambda edit: (edit.start, -edit.end)):
            if edit.start < at:
                continue
            out += [self.text[at : edit.start], edit.new]
            at = edit.end
        return "".join([*out, self.text[at:]])
