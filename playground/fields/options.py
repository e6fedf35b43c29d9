"""What one field could be, from the schemas that judge it."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from playground.constraints.jsonschema.refs import Sub
from playground.constraints.judge_ready import NOTHING
from playground.errors import InvalidInput
from playground.fields.numbers import Bounds, Candidate, Endless, bounds, days, numbers

MOST_OPTIONS: Final = 1_000
"""Of one field."""
MOST_BRANCHES: Final = 100
"""Alternatives of one value."""


class Options:
    """The options of one field."""

    def __init__(
        self,
        name: str,
        edges: Sequence[float] | None,
        together: Callable[[list[Sub]], list[Sub]],
        boolean_bounds: bool,
    ) -> None:
        """`together` finds what judges a value beside the schemas that are given, by references."""
        self.notes: list[str] = []
        self.is_date = False
        self.is_edged = False
        """The given `edges` were those of bins."""
        self._name = name
        self._edges = edges
        self._together = together
        self._boolean_bounds = boolean_bounds
        self._left = MOST_BRANCHES
        self._ranges = 0

    def of(self, parts: list[Sub]) -> list[Candidate]:
        """What a value can be that all of `parts` judge, before the judge has seen it.

        Raises:
            Endless: there is no end of it.
            InvalidInput: edges or bounds that can't be meant, too many options.
        """
        found = self._of(parts, frozenset())
        if len(found) > MOST_OPTIONS:
            raise InvalidInput(
                f"`{self._name}` has {len(found):,} options; a field has at most {MOST_OPTIONS:,}.",
                "Use fewer, or wider bins.",
            )
        return found

    def _of(self, parts: list[Sub], used: frozenset[tuple[int, str]]) -> list[Candidate]:
        """`used` holds the choices that `parts` have made already."""
        if any(part.schema is NOTHING for part in parts):
            return []
        for part in parts:
            listed = [part.schema["const"]] if "const" in part.schema else part.schema.get("enum")
            if isinstance(listed, list):
                self._twice(listed)
                return [Candidate((value,)) for value in listed]
        for part in parts:
            for keyword in ("anyOf", "oneOf"):
                listed = part.schema.get(keyword)
                if isinstance(listed, list) and (id(part.schema), keyword) not in used:
                    now = used | {(id(part.schema), keyword)}
                    return [
                        found
                        for index, inner in enumerate(listed)
                        for found in self._branch(parts, part.inner(inner, keyword, index), now)
                    ]
        named = types(parts)
        if named is None:
            raise Endless("may be any JSON value", "Give it a type with an enum or bounds")
        return [found for kind in named for found in self._typed(kind, parts)]

    def _twice(self, listed: list[Any]) -> None:
        """Note what an enum lists again."""
        texts = [json.dumps(value, sort_keys=True, ensure_ascii=False) for value in listed]
        again = dict.fromkeys(text for at, text in enumerate(texts) if text in texts[:at])
        if again:
            shown = ", ".join(text[:40] for text in list(again)[:6])
            is_one = "it is one option" if len(again) == 1 else "each is one option"
            self.notes.append(f"`{self._name}` lists {shown} more than once: {is_one}.")

    def _branch(
        self, parts: list[Sub], inner: Sub, used: frozenset[tuple[int, str]]
    ) -> list[Candidate]:
        self._left -= 1
        if self._left < 0:
            raise Endless(f"has more than {MOST_BRANCHES} alternatives", "Write them as one enum")
        return self._of([*parts, *self._together([inner])], used)

    def _typed(self, kind: str, parts: list[Sub]) -> list[Candidate]:
        schemas = [part.schema for part in parts]
        if kind == "null":
            return [Candidate((None,))]
        if kind == "boolean":
            return [Candidate((False,)), Candidate((True,))]
        if kind == "string" and any(schema.get("format") == "date" for schema in schemas):
            self.is_date = True
            return self._ranged(days(schemas, self._name))
        if kind in ("integer", "number"):
            within = bounds(schemas, kind == "integer", self._boolean_bounds)
            if isinstance(within, Bounds):
                return self._number(within, schemas)
            missing = " and ".join(
                word
                for word, there in zip(("minimum", "maximum"), within, strict=True)
                if not there
            )
            raise Endless(f"is a number without {missing}", f"Add {missing}")
        raise Endless(*_ENDLESS.get(kind, ("has an unknown type", "Mend its type")))

    def _number(self, within: Bounds, schemas: Sequence[Any]) -> list[Candidate]:
        edges = self._edges
        if edges is not None:
            self.is_edged = True
        else:
            edges = next((each["x-edges"] for each in schemas if "x-edges" in each), None)
            sound = isinstance(edges, list) and all(
                isinstance(edge, int | float) and not isinstance(edge, bool) for edge in edges
            )
            if edges is not None and not sound:
                raise InvalidInput(
                    f"The `x-edges` of `{self._name}` are no list of numbers.",
                    "Write increasing numbers in brackets.",
                )
        found, note = numbers(within, edges, self._name)
        self.notes += [note] if note else []
        return self._ranged(found)

    def _ranged(self, found: list[Candidate]) -> list[Candidate]:
        self._ranges += any(each.lower is not None for each in found)
        if self._ranges > 1:
            raise Endless("has several ranges of numbers or dates", "Write one range")
        return found


_ENDLESS: Mapping[str, tuple[str, str]] = {
    "string": ("is free text: there is no list of what it can be", "Give it an enum"),
    "array": ("is a list, of which there are too many", "Make each possible member a boolean"),
    "object": (
        "may be an object or something else",
        "Let it be an object always, or leave it out where there is none",
    ),
}


def types(parts: Iterable[Sub]) -> list[str] | None:
    """The types that all of the schemas allow, in the order of the first; None: any."""
    out: list[str] | None = None
    for part in parts:
        named = part.schema.get("type")
        if not isinstance(named, str | list):
            continue
        several = named if isinstance(named, list) else [named]
        listed = list(dict.fromkeys(kind for kind in several if isinstance(kind, str)))
        if out is None:
            out = listed
        else:
            wide = {*listed, "integer"} if "number" in listed else set(listed)
            narrowed = "integer" in listed and "number" not in listed
            out = [
                "integer" if kind == "number" and narrowed else kind
                for kind in out
                if kind in wide or (kind == "number" and narrowed)
            ]
    if out is not None and "number" in out and "integer" in out:
        out.remove("integer")
    return out
