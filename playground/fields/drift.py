"""Schema drift: how the record type that weights were trained on differs from the one at hand."""

import json
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, StrictBool, StrictFloat, StrictInt, StrictStr
from pydantic import Field as Bound

from playground.errors import InvalidInput
from playground.fields.record_type import (
    ABSENT,
    MOST_COMBINATIONS,
    Field,
    Kind,
    Option,
    RecordType,
)

_SHOWN = 6
"""Differences that are said."""


@dataclass(eq=False)
class SchemaDrift(InvalidInput):
    """The weights are of another record type."""

    added: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Field and the labels of its new options, where nothing else differs: a head can be widened
    and fine-tuned; else empty."""

    @property
    def details(self) -> dict[str, Any]:
        """`{"added": [[field, [labels]], ...]}`."""
        return {"added": [[name, list(labels)] for name, labels in self.added]}


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


Number = StrictInt | StrictFloat
Text = Annotated[StrictStr, Bound(max_length=10_000)]


class OptionDocument(_Strict):
    """An option as `Field.document` gives it; without `value` it leaves its key out."""

    label: Text
    value: StrictBool | StrictInt | StrictFloat | Text | None = None
    lower: Number | None = None
    upper: Number | None = None

    def build(self) -> Option:
        """The option."""
        value = self.value if "value" in self.model_fields_set else ABSENT
        return Option(self.label, value, self.lower, self.upper)


class FieldDocument(_Strict):
    """A field as `Field.document` gives it."""

    path: Annotated[tuple[Text, ...], Bound(min_length=1, max_length=64)]
    kind: Kind
    options: Annotated[tuple[OptionDocument, ...], Bound(min_length=1, max_length=10_000)]

    def build(self) -> Field:
        """The field, without its description."""
        return Field(self.path, self.kind, tuple(option.build() for option in self.options))


class TypeDocument(_Strict):
    """A record type as `RecordType.document` gives it."""

    version: int
    fields: Annotated[tuple[FieldDocument, ...], Bound(min_length=1, max_length=256)]
    allowed: Annotated[tuple[tuple[int, ...], ...], Bound(max_length=MOST_COMBINATIONS)] | None

    def build(self) -> RecordType:
        """The record type, without a schema's text.

        Raises:
            InvalidInput: two fields have one name, or a combination is of no options.
        """
        fields = tuple(field.build() for field in self.fields)
        allowed = None if self.allowed is None else frozenset(self.allowed)
        built = RecordType(fields, "{}", allowed)
        sizes = built.sizes
        inside = all(
            len(each) == len(sizes)
            and all(0 <= at < size for at, size in zip(each, sizes, strict=True))
            for each in allowed or ()
        )
        if len(set(built.names)) < len(fields) or not inside or allowed == frozenset():
            raise InvalidInput("The file's record type contradicts itself.", "Train again.")
        return built


def drift(saved: RecordType, now: RecordType) -> SchemaDrift | None:
    """How `now` differs from the record type of some weights, in words; None: not at all."""
    if saved.hash == now.hash:
        return None
    said = [*_fields(saved, now)]
    added: list[tuple[str, tuple[str, ...]]] = []
    only_added = not said
    for before in saved.fields:
        after = next((field for field in now.fields if field.name == before.name), None)
        if after is None:
            continue
        words, new = _options(before, after)
        said += words
        only_added = only_added and (bool(new) or not words)
        if new:
            added.append((after.name, new))
    if only_added and not same_rules(saved, now):
        only_added = False
        said.append("the rules between the fields allow other combinations")
    more = f"; and {len(said) - _SHOWN} more" if len(said) > _SHOWN else ""
    told = "; ".join(said[:_SHOWN]) + more
    if only_added and added:
        names = ", ".join(name for name, _ in added)
        hint = (
            f"Widen the head and fine-tune {names}; generation needs no training, only the prompt."
        )
        return SchemaDrift(
            f"The schema has changed since training: {told}.", hint, added=tuple(added)
        )
    return SchemaDrift(
        f"The weights are of another schema: {told or 'another version of it'}.",
        "Take the schema that they were trained on, or train again.",
    )


def moves(saved: Field, now: Field) -> tuple[int, ...] | None:
    """Where each option of `saved` stands in `now`; None if one is missing or their order differs."""
    there = {_key(option): at for at, option in enumerate(now.options)}
    found = [there.get(_key(option), -1) for option in saved.options]
    return tuple(found) if found == sorted(set(found)) and -1 not in found else None


def same_rules(saved: RecordType, now: RecordType) -> bool:
    """Of two types of which `now` has only more options: it allows the same of the old ones."""
    if saved.allowed is None or now.allowed is None:
        return saved.allowed is now.allowed
    where = [moves(old, new) for old, new in zip(saved.fields, now.fields, strict=True)]
    if any(each is None for each in where):
        return False
    old = [dict(zip(each or (), range(len(each or ())), strict=True)) for each in where]
    known = {
        tuple(names[at] for names, at in zip(old, record, strict=True))
        for record in now.allowed
        if all(at in names for names, at in zip(old, record, strict=True))
    }
    return known == saved.allowed


def _key(option: Option) -> str:
    """Equal for options of which weights mean the same: 1 and true differ."""
    value = ["absent"] if option.value is ABSENT else [option.value]
    return json.dumps([option.label, value, option.lower, option.upper])


def _fields(saved: RecordType, now: RecordType) -> list[str]:
    said = [f"{name[:80]} is no field any more" for name in saved.names if name not in now.names]
    said += [f"{name[:80]} is a new field" for name in now.names if name not in saved.names]
    if not said and saved.names != now.names:
        said.append(f"the fields stand in another order, {', '.join(now.names)[:200]}")
    return said


def _options(saved: Field, now: Field) -> tuple[list[str], tuple[str, ...]]:
    """What differs in a field, and the labels of new options where there are only those."""
    name = saved.name[:80]
    numbers = {"binned", "date"}
    if saved.kind != now.kind and numbers & {saved.kind, now.kind}:
        return [f"{name} was {saved.kind} and is {now.kind}"], ()
    old, new = [_key(option) for option in saved.options], [_key(option) for option in now.options]
    if old == new:
        return (
            [] if saved.kind == now.kind else [f"{name} was {saved.kind} and is {now.kind}"]
        ), ()
    gone = [option for option in saved.options if _key(option) not in new]
    come = [option for option in now.options if _key(option) not in old]
    if not gone and moves(saved, now) is not None:
        return [f"{name} has the new option{_s(come)} {_labels(come)}"], tuple(
            option.label for option in come
        )
    if not gone and not come:
        return [f"the options of {name} stand in another order"], ()
    pairs = [
        (before, after)
        for before, after in zip(saved.options, now.options, strict=False)
        if before in gone and after in come
    ]
    if len(pairs) == len(gone) == len(come):
        return [
            f"{name}'s option {_named(before, after)} is now {_named(after, before)}"
            for before, after in pairs
        ], ()
    words = [f"{name} lost the option{_s(gone)} {_labels(gone)}"] if gone else []
    if come:
        words.append(f"{name} has the new option{_s(come)} {_labels(come)}")
    if not gone:
        words.append(f"the other options of {name} stand in another order")
    return words, ()


def _s(options: list[Option]) -> str:
    return "" if len(options) == 1 else "s"


def _labels(options: list[Option]) -> str:
    shown = ", ".join(option.label[:40] for option in options[:_SHOWN])
    return shown + (", ..." if len(options) > _SHOWN else "")


def _named(option: Option, other: Option) -> str:
    """Its label, with its value where the label alone wouldn't tell it from `other`."""
    if option.label != other.label:
        return option.label[:40]
    value = "left out" if option.value is ABSENT else json.dumps(option.value)[:40]
    bounds = "" if option.lower is None else f", {option.lower:g} to {option.upper:g}"
    return f"{option.label[:40]} ({value}{bounds})"
