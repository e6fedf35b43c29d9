"""How the options of a field are written as JSON, so that a language model can be asked for them."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from playground.constraints.regex import escape
from playground.errors import InvalidInput
from playground.fields.record_type import ABSENT, Field, Option, RecordType

MOST_WRITTEN: Final = 64
"""Numbers or days that are written out one by one; beyond it a range is asked for by its label."""
MOST_CHARACTERS: Final = 20_000
"""Of all spellings of one field together."""
_AFTER = " \t\n\r,}"
"""What ends a JSON number or word; a string ends itself."""


@dataclass(frozen=True, eq=False, slots=True)
class OptionWording:
    """The JSON texts that count as an option. None of them begins another."""

    spellings: tuple[tuple[str, ...], ...]
    """Of each option, at least one."""
    note: str
    """What was decided where the options themselves are no JSON values; empty else."""
    targets: Mapping[bytes, int]
    """A spelling and what ends it -> its option."""
    reaches: Mapping[bytes, tuple[int, ...]]
    """Every beginning of a target, the empty one too -> the options that may become of it."""
    lengths: tuple[int, ...]
    """Of the targets, bytes, ascending."""

    @property
    def regex(self) -> str:
        """All texts that begin with at most one blank and then a target."""
        texts = [text for spellings in self.spellings for text in spellings]
        strings = [escape(text) for text in texts if _ends_itself(text)]
        others = "|".join(escape(text) for text in texts if not _ends_itself(text))
        branches = [*strings, *([rf"(?:{others})[ \t\n\r,}}]"] if others else [])]
        return rf" ?(?:{'|'.join(branches)})(?:.|\n)*"

    def decided(self, text: bytes) -> tuple[bytes, int] | None:
        """The part of `text` that spells an option to its end, and which; None before that."""
        blank = text.startswith(b" ")
        for length in self.lengths:
            option = self.targets.get(text[blank : blank + length])
            if option is not None:
                return text[: blank + length], option
        return None

    def reach(self, text: bytes) -> tuple[int, ...]:
        """The options that a text before its decision may become."""
        return self.reaches.get(text.removeprefix(b" "), ())


def wording_of(field: Field, places: Sequence[int] | None = None) -> OptionWording:
    """The spellings of a field's options.

    A value is written as JSON. A month is any date that begins with it. Another range is all its
    numbers or days while the field has at most MOST_WRITTEN; else it is its label, a string, for
    nobody writes a range as a number. What is left out can't be asked for after its key: it is
    null, or its label where null is an option.

    Args:
        field: any.
        places: the options that count, where it isn't all of them; the wording's are these.

    Raises:
        InvalidInput: the options are too long, or two are written alike.
    """
    labelled = asked_by_label(field)
    chosen = range(field.size) if places is None else places
    spellings = tuple(tuple(_spellings(field, at, field.options[at], labelled)) for at in chosen)
    size = sum(len(text) for texts in spellings for text in texts)
    if size > MOST_CHARACTERS:
        raise InvalidInput(
            f"The options of {field.name[:80]} have {size:,} characters.",
            f"At most {MOST_CHARACTERS:,} are scored: take fewer options.",
            field.name[:80],
        )
    targets: dict[bytes, int] = {}
    reaches: dict[bytes, dict[int, None]] = {}
    for option, texts in enumerate(spellings):
        for text in texts:
            for end in [""] if _ends_itself(text) else _AFTER:
                target = (text + end).encode("utf-8", "surrogatepass")
                if targets.setdefault(target, option) != option:
                    raise InvalidInput(
                        f"Two options of {field.name[:80]} are written {text[:80]}.",
                        "Leave one of them out.",
                        field.name[:80],
                    )
                for length in range(len(target)):
                    reaches.setdefault(target[:length], {})[option] = None
    lengths = tuple(sorted({len(target) for target in targets}))
    kept = {beginning: tuple(options) for beginning, options in reaches.items()}
    return OptionWording(spellings, _note(field, labelled), targets, kept, lengths)


def asked_by_label(field: Field) -> bool:
    """The field has ranges, no months, with more numbers or days than are written out."""
    ranges = [at for at, option in enumerate(field.options) if option.lower is not None]
    if all(_month(field, at) for at in ranges):
        return False
    counts = [_count(field, at) for at in ranges]
    return any(count is None for count in counts) or sum(filter(None, counts)) > MOST_WRITTEN


def written(field: Field, option: Option) -> str:
    """An option as JSON, as it stands in the answer before the next field; absent ones don't."""
    by_label = option.lower is not None and asked_by_label(field)
    value = option.label if by_label else option.value
    return json.dumps(value, ensure_ascii=False)


def beginning(record_type: RecordType, given: Sequence[tuple[int, int]], asked: int) -> str:
    """The answer up to the value of a field: the fields that are given, in their order, and its key.

    It ends at the colon: the blank after it belongs to the value's first token. Objects that hold
    other fields come before those around the asked one.

    Args:
        record_type: whose fields are meant.
        given: (field, option) pairs.
        asked: a field that isn't among them.
    """
    tree: dict[str, Any] = {}
    path = record_type.fields[asked].path
    for position, at in given:
        field = record_type.fields[position]
        if field.options[at].value is ABSENT:
            continue
        inner = tree
        for key in field.path[:-1]:
            inner = inner.setdefault(key, {})
        inner[field.path[-1]] = written(field, field.options[at])
    return _opened(tree, path)


def question(record_type: RecordType, text: str) -> str:
    """What a model can be asked so that it knows keys and options, as they are scored."""
    lines = []
    for field in record_type.fields:
        wording = wording_of(field)
        shown = [
            _shown(option, texts)
            for option, texts in zip(field.options, wording.spellings, strict=True)
        ]
        said = f" ({field.description})" if field.description else ""
        lines.append(f"- {field.name}{said}: {', '.join(shown)}")
    listed = "\n".join(lines)
    return (
        "Read the text and answer with one JSON object. Its keys, each with the values it can "
        f"have:\n{listed}\n\nText:\n{text}"
    )


def _shown(option: Option, texts: Sequence[str]) -> str:
    if texts[0].startswith('"') and not texts[0].endswith('"'):
        return f'{texts[0]}.."'
    several = option.lower is not None and len(texts) > 1
    return f"{texts[0]} to {texts[-1]}" if several else texts[0]


def _opened(tree: Mapping[str, Any], path: Sequence[str]) -> str:
    """The JSON of `tree`, whose leaves are JSON texts, open at `path` up to the colon."""
    key, *below = path
    closed = [_entry(name, value) for name, value in tree.items() if name != key]
    inner = tree.get(key, {})
    last = f"{json.dumps(key, ensure_ascii=False)}:"
    if below:
        last += " " + _opened(inner, below)
    return "{" + ", ".join([*closed, last])


def _closed(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "{" + ", ".join(_entry(key, inner) for key, inner in value.items()) + "}"


def _entry(key: str, value: Any) -> str:
    return f"{json.dumps(key, ensure_ascii=False)}: {_closed(value)}"


def _ends_itself(text: str) -> bool:
    return text.startswith('"')


def _spellings(field: Field, at: int, option: Option, labelled: bool) -> Iterator[str]:
    value = option.value
    if value is ABSENT:
        null = any(each.value is None for each in field.options)
        yield json.dumps(option.label, ensure_ascii=False) if null else "null"
    elif option.lower is None:
        yield json.dumps(value, ensure_ascii=False)
        if isinstance(value, float) and value.is_integer():
            yield str(int(value))
    elif labelled:
        yield json.dumps(option.label, ensure_ascii=False)
    elif month := _month(field, at):
        yield f'"{month}-'
    else:
        for number in _inside(field, at):
            yield f'"{date.fromordinal(number)}"' if field.kind == "date" else str(number)


def _month(field: Field, at: int) -> str:
    """The calendar month that a span of days lies in, YYYY-MM; empty where it is no such span."""
    option = field.options[at]
    if field.kind != "date" or option.lower is None:
        return ""
    days = _inside(field, at)
    first, last = (date.fromordinal(day).isoformat()[:7] for day in (days[0], days[-1]))
    return first if first == last == option.label else ""


def _inside(field: Field, at: int) -> range:
    """The whole numbers or days of a range, as `Field.index` divides them."""
    option = field.options[at]
    assert option.lower is not None
    assert option.upper is not None
    last = all(each.lower is None for each in field.options[at + 1 :])
    first, end = math.ceil(option.lower), math.ceil(option.upper)
    return range(first, end + (last and end == option.upper))


def _count(field: Field, at: int) -> int | None:
    """How many numbers or days a range holds; None where they aren't whole."""
    whole = field.kind == "date" or isinstance(field.options[at].value, int)
    return len(_inside(field, at)) if whole else None


def _note(field: Field, labelled: bool) -> str:
    notes = []
    if labelled:
        example = next(option.label for option in field.options if option.lower is not None)
        notes.append(
            f"{field.name} has ranges that no number spells: their labels are scored, such as "
            f'"{example}".'
        )
    elif any(option.lower is not None for option in field.options):
        notes.append(f"{field.name}: a range has the mass of what is in it, as it is written out.")
    for option in field.options:
        if option.value is ABSENT:
            null = any(each.value is None for each in field.options)
            said = f'"{option.label}"' if null else "null"
            notes.append(f"{field.name} left out is scored as {said}, as its key is given.")
    return " ".join(notes)
