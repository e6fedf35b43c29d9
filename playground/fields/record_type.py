"""Records of closed fields: each field has finitely many options, so that every choice is a record."""

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from playground.errors import InvalidInput

VERSION: Final = 1
"""Of the document that describes a record type; it stands in saved weights."""
MOST_COMBINATIONS: Final = 100_000
"""Most records of a type whose law is a table."""

Value = str | int | float | bool | None
Kind = Literal["choice", "boolean", "binned", "date"]
Law = NDArray[np.float64]
"""(n_1, ..., n_F) float64, at least 0, sum 1: a probability for each record."""


class Absent:
    """What an optional field has that is left out of the record."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = Absent()


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that a field can be."""

    label: str
    """For people; different within a field."""
    value: Value | Absent
    """What stands in the record: of a bin or a month, a value inside it that the schema allows."""
    lower: float | None = None
    """Of a bin: its least value; of a span of days its first, as a proleptic Gregorian ordinal."""
    upper: float | None = None
    """The end of a bin, outside it unless it is the last."""


@dataclass(frozen=True, slots=True)
class Field:
    """A named choice of one option."""

    path: tuple[str, ...]
    """Keys from the record to the field: one, or more for a field inside an object."""
    kind: Kind
    options: tuple[Option, ...]
    description: str = ""

    @property
    def name(self) -> str:
        """The keys joined by dots, for people and flags."""
        return ".".join(self.path)

    @property
    def size(self) -> int:
        """Number of options, at least 1."""
        return len(self.options)

    @property
    def labels(self) -> tuple[str, ...]:
        """Of the options, in order."""
        return tuple(option.label for option in self.options)

    def index(self, value: Any) -> int:
        """The option that holds `value`, a JSON value or ABSENT; 0 and false, 1 and true differ.

        Raises:
            InvalidInput: none does.
        """
        for at, option in enumerate(self.options):
            if _same(option.value, value) or (option.lower is not None and self._inside(at, value)):
                return at
        said = "nothing" if value is ABSENT else json.dumps(value, ensure_ascii=False, default=str)
        offered = ", ".join(self.labels[:8]) + (", ..." if self.size > 8 else "")
        raise InvalidInput(
            f"{said[:80]} is no option of {self.name}.", f"It can be: {offered}.", self.name
        )

    def _inside(self, at: int, value: Any) -> bool:
        option = self.options[at]
        number = ordinal(value) if self.kind == "date" else value
        if isinstance(number, bool) or not isinstance(number, int | float):
            return False
        assert option.lower is not None
        assert option.upper is not None
        last = all(each.lower is None for each in self.options[at + 1 :])
        return option.lower <= number and (
            number < option.upper or (last and number == option.upper)
        )

    def document(self) -> dict[str, Any]:
        """What decides which records there are, as JSON; descriptions are left out."""
        return {
            "path": list(self.path),
            "kind": self.kind,
            "options": [
                {
                    "label": option.label,
                    **({} if option.value is ABSENT else {"value": option.value}),
                    **({} if option.lower is None else {"lower": option.lower}),
                    **({} if option.upper is None else {"upper": option.upper}),
                }
                for option in self.options
            ],
        }


@dataclass(frozen=True, eq=False)
class RecordType:
    """A product of fields, or the part of it that rules between the fields allow."""

    fields: tuple[Field, ...]
    """At least one; names differ."""
    schema: str
    """The JSON Schema that every record satisfies."""
    allowed: frozenset[tuple[int, ...]] | None = None
    """The combinations of options that are allowed; None: all."""
    notes: tuple[str, ...] = ()
    """What was decided on the way from the schema: bins, months."""
    objects: tuple[tuple[str, ...], ...] = ()
    """The paths of objects that stand in every record, even where all their fields are left out."""

    @property
    def names(self) -> tuple[str, ...]:
        """Of the fields, in order."""
        return tuple(field.name for field in self.fields)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Options of each field."""
        return tuple(field.size for field in self.fields)

    @property
    def combinations(self) -> int:
        """Records in the whole product, allowed or not."""
        return math.prod(self.sizes)

    @cached_property
    def hash(self) -> str:
        """SHA-256, hexadecimal, of what decides which records there are: equal for equal types."""
        text = json.dumps(self.document(), ensure_ascii=False, sort_keys=True)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

    @cached_property
    def mask(self) -> NDArray[np.bool_]:
        """(n_1, ..., n_F) bool: the allowed combinations.

        Raises:
            InvalidInput: there are more than MOST_COMBINATIONS.
        """
        self.require_table()
        mask = np.full(self.sizes, self.allowed is None)
        for indices in self.allowed or ():
            mask[indices] = True
        return mask

    def require_table(self) -> None:
        """Raises:
        InvalidInput: a law over all records would be too large a table.
        """
        if self.combinations > MOST_COMBINATIONS:
            raise InvalidInput(
                f"There are {self.combinations:,} records: more than the {MOST_COMBINATIONS:,} "
                "whose joint law is shown.",
                "Look at fewer fields at a time, or take fewer options.",
            )

    def document(self) -> dict[str, Any]:
        """The type as JSON, without its schema's text."""
        allowed = None if self.allowed is None else sorted(map(list, self.allowed))
        return {
            "version": VERSION,
            "fields": [field.document() for field in self.fields],
            "allowed": allowed,
        }

    def position(self, name: str) -> int:
        """Of the field of that name.

        Raises:
            InvalidInput: there is none.
        """
        try:
            return self.names.index(name)
        except ValueError:
            raise InvalidInput(
                f"There is no field {name[:80]!r}.",
                f"There are: {', '.join(self.names)}.",
                name[:80],
            ) from None

    def indices(self, record: Mapping[str, Any], where: str = "") -> tuple[int, ...]:
        """(F,) the options of a record, a JSON object.

        Args:
            record: the object.
            where: the row it stands in, for the error.

        Raises:
            InvalidInput: naming the row and the field: a value that is no option, a key that is no
                field, a combination that isn't allowed.
        """
        try:
            self._require_known(record, ())
            found = tuple(field.index(_at(record, field.path)) for field in self.fields)
            if self.allowed is not None and found not in self.allowed:
                raise InvalidInput(
                    "The schema doesn't allow these values together.", "Mend one of them.", "record"
                )
        except InvalidInput as error:
            if not where:
                raise
            raise InvalidInput(error.what, error.hint, f"{where}, {error.where}") from None
        return found

    def _require_known(self, inner: Mapping[str, Any], path: tuple[str, ...]) -> None:
        """Every key leads to a field."""
        depth = len(path) + 1
        for key, value in inner.items():
            here = (*path, key)
            known = (*(field.path for field in self.fields), *self.objects)
            below = [each for each in known if each[:depth] == here]
            if not below:
                raise InvalidInput(
                    f"{'.'.join(here)[:80]} is no field of the record.",
                    f"There are: {', '.join(self.names)}.",
                    ".".join(here)[:80],
                )
            if any(field.path == here for field in self.fields):
                continue
            if not isinstance(value, Mapping):
                raise InvalidInput(
                    f"{'.'.join(here)[:80]} holds fields: it is an object.",
                    "Write them in braces, or leave its key out where it may be.",
                    ".".join(here)[:80],
                )
            self._require_known(value, here)

    def record(self, indices: Sequence[int]) -> dict[str, Any]:
        """The record of (F,) options; one of `indices(record(i)) == i`."""
        out: dict[str, Any] = {}
        for field, at in zip(self.fields, indices, strict=True):
            value = field.options[at].value
            if value is ABSENT:
                continue
            *above, key = field.path
            inner = out
            for name in above:
                inner = inner.setdefault(name, {})
            inner[key] = value
        for path in self.objects:
            inner = out
            for name in path:
                inner = inner.setdefault(name, {})
        return out


def _at(record: Mapping[str, Any], path: Sequence[str]) -> Any:
    """The value at the end of `path`; ABSENT where a key is missing."""
    value: Any = record
    for key in path:
        if not isinstance(value, Mapping) or key not in value:
            return ABSENT
        value = value[key]
    return value


def ordinal(value: Any) -> int | None:
    """The day of an ISO date as a proleptic Gregorian ordinal; None for anything else."""
    if not isinstance(value, str) or len(value) != 10 or value[7] != "-":  # 2024-W01-1 is no such
        return None
    try:
        return date.fromisoformat(value).toordinal()
    except ValueError:
        return None


def _same(option: Value | Absent, value: Any) -> bool:
    """Equal as JSON values: 1 and 1.0 are, 1 and true aren't."""
    if isinstance(option, bool) or isinstance(value, bool):
        return option is value
    return bool(option == value)
