"""A regex of a scene in pieces, for the rules that look at it."""

from collections.abc import Iterator
from functools import lru_cache

from playground.constraints.regex_syntax import Node, Parsed, parse
from playground.errors import InvalidInput
from playground.schema.lint.scene import Scene

BLANKS = frozenset(
    {" ", r"\s", r"[\s]", "[ ]", r"[ \t]", r"[ \n]", r"[ \t\n]", r"[ \n\t]", r"[ \t\r\n]"}
    | {r"[ \t\n\r]", r"[ \n\r\t]", r"[\t ]", r"[\n ]", r"\n", r"\t", "[[:space:]]", "[[:blank:]]"}
)
"""Ways to write a blank."""
MAX_NODES = 5_000


def regex_of(scene: Scene) -> Parsed | None:
    """The regex of a scene of that kind; None for the others, and where it can't be read."""
    if scene.spec.kind != "regex":
        return None
    return _parsed(scene.spec.source)


@lru_cache(maxsize=4)
def _parsed(text: str) -> Parsed | None:
    try:
        return parse(text)
    except InvalidInput:
        return None  # the compile error says it, with its place


def nodes(root: Node) -> Iterator[Node]:
    """Every piece, MAX_NODES at most, outer ones first."""
    todo, seen = [root], 0
    while todo and seen < MAX_NODES:
        node = todo.pop()
        seen += 1
        yield node
        todo.extend(reversed(node.children))


def where(text: str, at: int) -> tuple[int, int]:
    """Line and column of an offset, both from 1."""
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def may_be_empty(text: str, node: Node) -> bool:
    """The piece accepts the empty text."""
    if node.kind in ("char", "class"):
        return False
    if node.kind == "repeat":
        count = text[node.children[0].end : node.end]
        least = count.lstrip("{").split(",")[0].rstrip("}? ").strip()
        zero = count[0] in "*?" or (count[0] == "{" and int(least) == 0)
        return zero or may_be_empty(text, node.children[0])
    if node.kind == "alternation":
        return any(may_be_empty(text, child) for child in node.children)
    return all(may_be_empty(text, child) for child in node.children)
