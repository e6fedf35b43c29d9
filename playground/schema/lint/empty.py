"""A constraint that is met by writing nothing."""

from collections.abc import Iterator

from playground.constraints.regex_syntax import Node
from playground.schema.lint.regexes import may_be_empty, regex_of
from playground.schema.lint.rule import Finding, Fix, Rule
from playground.schema.lint.scene import Scene


def _find(scene: Scene) -> Iterator[Finding]:
    if scene.spec.kind not in ("regex", "grammar") or not scene.spec.source:
        return
    parsed = regex_of(scene)
    if scene.compiled is not None:
        automaton = scene.compiled.automaton
        empty = automaton.is_final(automaton.initial)
    else:
        empty = parsed is not None and may_be_empty(scene.spec.source, parsed.root)
    if empty:
        yield Finding(
            "",
            "The empty text is accepted: the model may stop before it has written anything.",
            _at_least_one(scene.spec.source, parsed.root) if parsed is not None else None,
            place=(1, 1),
        )


def _at_least_one(text: str, root: Node) -> Fix | None:
    """One repeat more, where the whole regex is one repeat from 0 up of what isn't empty."""
    items = [node for node in root.children if node.kind != "anchor"]
    if root.kind != "concat" or len(items) != 1 or items[0].kind != "repeat":
        return None
    node, inner = items[0], items[0].children[0]
    count = text[inner.end : node.end]
    if may_be_empty(text, inner) or count[0] not in "*?{":
        return None
    lazy = count[1:] if count[0] in "*?" else ""
    more = {"*": f"+{lazy}", "?": ""}.get(count[0])
    if more is None:
        inside, _, rest = count[1:].partition("}")
        _, comma, most = inside.partition(",")
        if not comma or most.strip() == "0":
            return None
        more = f"{{1,{most}}}{rest}"
    return Fix("Ask for at least one", f"{text[: inner.end]}{more}{text[node.end :]}")


EMPTY = Rule(
    "L013",
    "empty-match",
    "warning",
    "The end of the text competes with every first token, so a model that would rather not answer "
    "ends at once, and the answer is valid. That follows from the mask.",
    _find,
)
