"""Arrays as pieces: a fixed beginning, then items of one kind, within a count."""

from collections.abc import Sequence

from playground.constraints.jsonschema.jsontext import JsonText
from playground.constraints.jsonschema.piece import Piece, optional, repeat, seq


def piece(
    text: JsonText, prefix: Sequence[Piece], rest: Piece | None, low: int, high: int | None
) -> Piece | None:
    """An array whose first items follow `prefix` and whose others are `rest` (None: none).

    Returns:
        The piece, or None when no array has `low` to `high` such items.
    """
    if rest is None:
        high = len(prefix) if high is None else min(high, len(prefix))
    if high is not None:
        if high < low:
            return None
        prefix = prefix[:high]
    if high == 0:
        return text.array(None, True)
    if not prefix:
        assert rest is not None
        return text.array(text.listed(rest, max(1, low), high), low == 0)
    # From the back: each item carries, as an option, all that may follow it.
    tail = _tail(text, rest, low - len(prefix), None if high is None else high - len(prefix))
    for index in range(len(prefix) - 1, 0, -1):
        item = seq(text.comma, prefix[index], tail)
        tail = item if low > index else optional(item)
    return text.array(seq(prefix[0], tail), low == 0)


def _tail(text: JsonText, rest: Piece | None, low: int, high: int | None) -> Piece:
    if rest is None or high == 0:
        return Piece("", 0, 0, False)
    return repeat(seq(text.comma, rest), max(0, low), high)
