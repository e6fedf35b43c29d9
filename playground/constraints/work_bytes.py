"""The child's part of the engine "bytes": from a constraint as typed to its byte automaton."""

from collections.abc import Iterator
from typing import Any

from playground.constraints.build import build, readable
from playground.constraints.core import Core, encode
from playground.constraints.limits import Limits
from playground.constraints.minimize import minimized
from playground.constraints.position import invalid_at
from playground.constraints.regex_syntax import Node, parse
from playground.constraints.sources import Resolved, resolve
from playground.errors import InvalidInput

MAX_PIECES = 500
"""So many pieces of a refused regex are tried one by one."""


def work(request: dict[str, Any], limits: Limits) -> tuple[dict[str, Any], bytes]:
    """Compile `kind`, `source` and `whitespace` of the request: an empty head and a core's npz."""
    kind, source = request["kind"], request["source"]
    resolved = resolve(kind, source, request["whitespace"], limits)
    return {}, encode(compiled(kind, source, resolved, limits))


def compiled(kind: str, source: str, resolved: Resolved, limits: Limits) -> Core:
    """The core of a resolved constraint; raises as `build.build`, with the place if it can."""
    try:
        dfa = build(resolved.regex, limits.states)
    except InvalidInput as error:
        if kind != "regex":
            raise
        raise refused(source) from error
    return Core(minimized(dfa), resolved.regex, resolved.notes, resolved.schema_text)


def refused(source: str) -> InvalidInput:
    """The error for a regex that reads well and that the engine refuses: its first such piece."""
    tried: set[str] = set()
    for piece in _pieces(parse(source).root):
        text = source[piece.start : piece.end]
        if text in tried:
            continue
        tried.add(text)
        if len(tried) > MAX_PIECES:
            break
        if not readable(text):
            return invalid_at(
                source,
                piece.start,
                f"The regex engine refuses {text[:60]}.",
                "Look for a misspelt class or set operation, or for bytes that aren't UTF-8.",
            )
    return invalid_at(
        source, 0, "The regex engine refuses this regex.", "Simplify it, or write it another way."
    )


def _pieces(node: Node) -> Iterator[Node]:
    """Classes and characters, then the groups around them."""
    for child in node.children:
        yield from _pieces(child)
    if node.kind in ("class", "char", "group"):
        yield node
