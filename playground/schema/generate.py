"""Instances of a JSON Schema: made by its keywords, each judged valid by jsonschema, in a child."""

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from playground.constraints.child import run_child
from playground.constraints.limits import Limits

Style = Literal["least", "typical", "full", "wild"]
"""Only what must be there; about half of the optional properties; all of them; odd strings, extra
keys and long arrays."""

SECONDS = 1.0
"""Longest search for instances."""
SPARE = 4.0
"""Seconds that the child may take beyond its search, to start and to answer; it ends its search by
itself."""


def instances(
    schema_text: str,
    seed: int,
    count: int,
    *,
    style: Style = "typical",
    whitespace: str = "one",
    seconds: float = SECONDS,
    limits: Limits | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> list[str]:
    """Up to `count` different valid instances as JSON texts, keys in the schema's order.

    Args:
        schema_text: a JSON Schema that `source.parse` reads.
        seed: equal seeds give equal instances, as far as the time goes.
        count: at most so many; fewer where the schema has no more or the time ends.
        style: what they are like.
        whitespace: `none` writes no blanks between the signs, else one.
        seconds: longest search.
        limits: of the child process; its time is that of the search.
        cancelled: asked every 20 ms.

    Raises:
        PlaygroundError: the schema leads outside its document, or a limit was reached.
        Cancelled: `cancelled` said so.
    """
    request = {
        "engine": "witness",
        "source": schema_text,
        "seed": seed,
        "instances": count,
        "style": style,
        "whitespace": whitespace,
        "seconds": seconds,
    }
    head, _ = run_child(request, bounded(limits, seconds), cancelled)
    found: list[str] = head["instances"]
    return found


def bounded(limits: Limits | None, seconds: float) -> Limits:
    """The limits of a child that searches for `seconds`."""
    return replace(limits or Limits(), seconds=seconds + SPARE)
