"""Read the values of keywords: of the kind that the keyword takes, or remarked on and left out."""

import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from playground.constraints.jsonschema.refs import Sub
from playground.constraints.jsonschema.source import step
from playground.constraints.notes import Level, Note

Report = Callable[[Note], None]


class KeywordReader:
    """Reads one document's keywords; what has the wrong kind of value is reported."""

    def __init__(self, report: Report) -> None:
        self._report = report

    def note(self, level: Level, keyword: str, sub: Sub, message: str) -> None:
        """Report a remark about one keyword of `sub`."""
        self._report(Note(level, keyword, step(sub.pointer, keyword), message))

    def skip(self, sub: Sub, keyword: str, why: str) -> None:
        """Report that a keyword of `sub` is not enforced."""
        self.note("not-enforced", keyword, sub, f"`{keyword}` is NOT enforced: {why}.")

    def ignore(self, sub: Sub, keyword: str, why: str) -> None:
        """Report that a keyword of `sub` asks for nothing that could be enforced."""
        self.note("warning", keyword, sub, f"`{keyword}` is ignored: {why}.")

    def items(self, sub: Sub, keyword: str) -> list[Any]:
        """The value of a keyword that takes a list; empty when it is absent or none."""
        value = sub.schema.get(keyword, [])
        if isinstance(value, list):
            return value
        self.skip(sub, keyword, "it must be a list")
        return []

    def count(self, sub: Sub, keyword: str) -> int | None:
        """The value of a keyword that counts, or None when it is absent or no count."""
        value = sub.schema.get(keyword)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.skip(sub, keyword, f"{value!r} is no whole number from 0 up")
            return None
        if value < 0:
            self.ignore(sub, keyword, f"{value!r} is no whole number from 0 up")
            return None
        return math.ceil(value) if keyword.startswith("min") else math.floor(value)

    def number(self, sub: Sub, keyword: str) -> Decimal | None:
        """The value of a keyword that takes a number, or None when it is absent or none."""
        value = sub.schema.get(keyword)
        if value is None or isinstance(value, bool):
            return None
        if not isinstance(value, int | float):
            self.skip(sub, keyword, f"{value!r} is no number")
            return None
        return Decimal(repr(value))

    def members(self, sub: Sub, keyword: str) -> dict[str, Any]:
        """The value of a keyword that takes an object; empty when it is absent or none."""
        value = sub.schema.get(keyword, {})
        if isinstance(value, dict):
            return value
        self.skip(sub, keyword, "it must be an object")
        return {}
