"""A grammar read aloud: one line a rule, and which rules contain themselves."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from playground.errors import InvalidInput
from playground.schema.explain_node import leaf, more, shortened

MAX_RULES = 120
MAX_SHAPES = 12
_ARROW = re.compile(r"^[ \t]*([\w?!.<>-]+?)[ \t]*(::=|:)(?!:)", re.MULTILINE)
_QUOTED = r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'"
_GBNF = re.compile(rf"{_QUOTED}|\[(?:[^\]\\\n]|\\.)*+(?:\]|\\?$)", re.MULTILINE)
_LARK = re.compile(rf"{_QUOTED}|/(?:[^/\\\n]|\\.)++(?:/|\\?$)", re.MULTILINE)
"""What is no structure: quoted texts; classes in GBNF, regexes in Lark. One without an end goes to
the end of its line, so that no search starts over."""
_NAME = re.compile(r"[A-Za-z_][\w-]*")
_COMMENT = re.compile(r"(?:#|//)[^\n]*")
_DIRECTIVE = re.compile(r"^[ \t]*%(\w+)[^\n]*", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Rule:
    name: str
    body: str
    line: int
    column: int


def explain_grammar(text: str) -> dict[str, Any]:
    """The tree of a grammar in GBNF, EBNF (`::=`) or Lark (`:`).

    Raises:
        InvalidInput: there is no rule in it.
    """
    quoted = _GBNF if "::=" in text else _LARK
    rules = list(_rules(text, quoted))
    if not rules:
        raise InvalidInput(
            "The grammar has no rule.", "Write `root ::= ...` or `start: ...`.", "line 1", 1, 1
        )
    names = {rule.name for rule in rules}
    uses = {rule.name: _uses(rule.body, quoted) & names for rule in rules}
    start = next((n for n in ("root", "start") if n in names), rules[0].name)
    loops = recursive(uses)
    plural = "" if len(rules) == 1 else "s"
    root = leaf(
        "grammar", f"A grammar of {len(rules)} rule{plural}; texts are made from `{start}`.", (1, 1)
    )
    for rule in rules[:MAX_RULES]:
        root["children"].append(_node(rule, rule.name in loops, quoted))
    if len(rules) > MAX_RULES:
        root["children"].append(more(len(rules) - MAX_RULES, "rules"))
    for match in _DIRECTIVE.finditer(text):
        line = text.count("\n", 0, match.start(1)) + 1
        said = _DIRECTIVES.get(match.group(1), "A directive")
        words = f"{said}: `{shortened(match.group().strip(), 80)}`"
        if len(root["children"]) < 2 * MAX_RULES:
            root["children"].append(leaf("directive", words, (line, 1)))
    return root


_DIRECTIVES = {
    "declare": "Names without a rule of their own",
    "ignore": "May stand between any two parts",
    "import": "Taken from elsewhere",
}


def _node(rule: _Rule, loops: bool, quoted: re.Pattern[str]) -> dict[str, Any]:
    written = alternatives(rule.body, quoted)
    shapes = [shape for shape in written if shape.strip()]
    empty = len(written) > len(shapes)
    again = " It may contain itself." if loops else ""
    nothing = " Or nothing." if empty else ""
    place = (rule.line, rule.column)
    if len(shapes) == 1:
        words = f"`{rule.name}` is {_said(shapes[0])}.{nothing}{again}"
        return leaf("rule", words, place)
    if not shapes:
        return leaf("rule", f"`{rule.name}` is empty: nothing is written.{again}", place)
    node = leaf("rule", f"`{rule.name}` is one of {len(shapes)} shapes.{nothing}{again}", place)
    node["children"] = [leaf("shape", f"{_said(shape)}", place) for shape in shapes[:MAX_SHAPES]]
    if len(shapes) > MAX_SHAPES:
        node["children"].append(more(len(shapes) - MAX_SHAPES, "shapes"))
    return node


def _said(shape: str) -> str:
    return f"`{shortened(' '.join(shape.split()), 100)}`"


def _blanked(text: str, quoted: re.Pattern[str]) -> str:
    """The text with quoted parts, comments and directives as blanks: what is left is structure."""
    blank = quoted.sub(lambda match: " " * len(match.group()), text)
    for shape in (_COMMENT, _DIRECTIVE):
        blank = shape.sub(lambda match: " " * len(match.group()), blank)
    return blank


def _rules(text: str, quoted: re.Pattern[str]) -> Iterator[_Rule]:
    blank = _blanked(text, quoted)
    kept = quoted.sub(lambda match: "x" * len(match.group()), text)
    hidden = [m.span() for shape in (_COMMENT, _DIRECTIVE) for m in shape.finditer(kept)]
    clean = list(text)
    for start, end in hidden:
        clean[start:end] = " " * (end - start)
    body = "".join(clean)
    found = list(_ARROW.finditer(blank))
    for index, match in enumerate(found):
        end = found[index + 1].start() if index + 1 < len(found) else len(text)
        line = text.count("\n", 0, match.start(1)) + 1
        column = match.start(1) - text.rfind("\n", 0, match.start(1))
        name = match.group(1).strip("<>").lstrip("?!").partition(".")[0]
        yield _Rule(name, body[match.end() : end], line, column)


def alternatives(body: str, quoted: re.Pattern[str]) -> list[str]:
    """The body split at the `|` that stand in no bracket and no quotes."""
    blank = quoted.sub(lambda match: " " * len(match.group()), body)
    out, depth, at = [], 0, 0
    for index, char in enumerate(blank):
        if char in "([{":
            depth += 1
        elif char in ")]}":
            depth = max(0, depth - 1)
        elif char == "|" and not depth:
            out.append(body[at:index])
            at = index + 1
    return [*out, body[at:]]


def _uses(body: str, quoted: re.Pattern[str]) -> set[str]:
    return set(_NAME.findall(quoted.sub(" ", body)))


def recursive(uses: dict[str, set[str]]) -> set[str]:
    """The rules that contain themselves, directly or through others."""
    found = set()
    for name in uses if len(uses) <= MAX_RULES else ():
        todo, seen = list(uses[name]), set()
        while todo:
            inner = todo.pop()
            if inner not in seen:
                seen.add(inner)
                todo += uses[inner]
        if name in seen:
            found.add(name)
    return found
