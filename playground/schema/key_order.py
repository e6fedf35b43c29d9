"""Keys that stand in another order than the mask writes them in: JSON has no order, a mask has one."""

import json
from collections.abc import Sequence

from playground.constraints.automaton import TokenAutomaton
from playground.constraints.jsonschema.place import written
from playground.constraints.jsonschema.scan import Path
from playground.errors import BudgetExceeded
from playground.schema.parts import Part, Reading, character_offset
from playground.schema.reading import read
from playground.schema.rewriting import Order
from playground.schema.verdict import follow, spelled

MAX_NAMES = 6
"""So many keys of an object are named."""


def wanted(names: Sequence[str], path: Path) -> str:
    """`the mask wants a, b, c`: `names` are the keys of the object at `path`, in the mask's order."""
    listed = ", ".join(
        f"`{name[:40]}{'…' if len(name) > 40 else ''}`" for name in names[:MAX_NAMES]
    )
    more = f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else ""
    return f"the mask wants {listed}{more}{f' in `{written(path)}`' if path else ''}"


def reordered(reading: Reading, text: bytes) -> str:
    """What the mask wants, of the outermost object whose keys stand in another order in `text`, the
    same value as the mask allows it; empty where none do."""
    allowed = read(text).parts()
    if reading.root is None:
        return ""
    for part in reading.root.walk():
        other = allowed.get(part.path)
        if part.kind == "object" and other is not None and list(part.names) != list(other.names):
            return wanted(list(other.names), part.path)
    return ""


def misplaced(automaton: TokenAutomaton, order: Order, reading: Reading, offset: int) -> str:
    """What the mask wants where it stops at a key for its place among the others: it has passed the
    key's place, or another one has to come first that stands later, or may still come.

    Args:
        automaton: the mask, over the 256 bytes.
        order: the names that the schema knows of the object at a path, in its order.
        reading: the refused text.
        offset: the first byte that the mask refuses.

    Returns:
        Empty where it stops for another reason: that it takes the key where it wants it is tried.
    """
    found = _key_at(reading, character_offset(reading.text, offset))
    if found is None:
        return ""
    part, at = found
    rank = {name: place for place, name in enumerate(order(part.path))}
    names = [str(member.path[-1]) for member in part.members]
    here = rank.get(names[at])
    if here is None:
        return ""
    passed = [index for index in range(at) if rank.get(names[index], -1) > here]
    coming = names[at + 1 :] if part.end is not None else [*rank]
    first = [name for name in coming if name not in names[:at] and rank.get(name, here) < here]
    if passed and _takes(automaton, reading, part.members[passed[0]], names[at]):
        first = []
    else:
        first = [name for name in first if _takes(automaton, reading, part.members[at], name)]
        if not first:
            return ""
    every = dict.fromkeys([*first, *names])
    return wanted(sorted(every, key=lambda name: rank.get(name, len(rank))), part.path)


def _key_at(reading: Reading, at: int) -> tuple[Part, int] | None:
    """The object and which of its members has its key, or the comma before it, at a character."""
    for part in [] if reading.root is None else reading.root.walk():
        begin: int | None = part.start + 1
        for index, member in enumerate(part.members):
            if begin is not None and member.key is not None and begin <= at < member.key[1]:
                return part, index
            begin = member.end
    return None


def _takes(automaton: TokenAutomaton, reading: Reading, place: Part, name: str) -> bool:
    """The mask takes a key of this name where the key of `place` stands."""
    assert place.key is not None
    key = json.dumps(name, ensure_ascii=False)
    data = spelled(f"{reading.text[: place.key[0]]}{key}:")
    try:
        return follow(automaton, automaton.initial, data)[1] == len(data)
    except BudgetExceeded:
        return False
