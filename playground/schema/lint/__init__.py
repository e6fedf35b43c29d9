"""The lint of constraints: rules with stable codes, why each matters, and fixes that can be applied."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from playground.constraints.notes import Note
from playground.constraints.report import Compiled
from playground.constraints.spec import ConstraintSpec
from playground.errors import InvalidInput, PlaygroundError
from playground.schema.effort import Effort
from playground.schema.lint import (
    bounds,
    closed_set,
    cost,
    dynamic,
    empty,
    handed,
    idle,
    openness,
    options,
    order,
    reasoning,
    shape,
    special,
    spelling,
    squeeze,
    unsatisfiable,
    way_out,
)
from playground.schema.lint.rule import LEVELS, Finding, Rule
from playground.schema.lint.scene import Scene, scene_of
from playground.schema.typed import as_typed, nearest
from playground.vocabulary import Vocabulary

_ALL = (
    reasoning.NO_REASONING,
    reasoning.REASONING_LAST,
    closed_set.CLOSED_SET,
    shape.NO_DESCRIPTION,
    way_out.NO_WAY_OUT,
    shape.DEEP_NESTING,
    dynamic.DYNAMIC_KEYS,
    openness.OPEN_OBJECT,
    way_out.NOT_OPTIONAL,
    bounds.WHITESPACE,
    bounds.STRING,
    bounds.ARRAY,
    empty.EMPTY,
    squeeze.SQUEEZE,
    unsatisfiable.UNSATISFIABLE,
    spelling.UNKNOWN_KEYWORD,
    options.BAD_ENUM,
    options.BAD_EXAMPLE,
    special.SPECIAL,
    cost.COSTLY,
    cost.OPTIONAL_EXPLOSION,
    order.KEY_ORDER,
    idle.REF_SIBLINGS,
    idle.NO_EFFECT,
    handed.NOT_ENFORCED,
    dynamic.INSTANCE,
    handed.BROKEN_SCHEMA,
    spelling.REQUIRED_UNKNOWN,
    spelling.UNKNOWN_TYPE,
    openness.NO_TYPE,
    idle.LOOSE_PATTERN,
    cost.TOO_LONG,
)
RULES: Mapping[str, Rule] = {rule.code: rule for rule in _ALL}
"""Every rule by its code, in the order of the codes. A code is never used again for another rule."""
MAX_PER_RULE = 5
"""So many rows of one rule are listed; one more says that there are others."""
SECONDS = 3.0
"""After so long no further rule is begun."""
_OF_INSTANCES = frozenset({"L007", "L026"})


def lint(
    spec: ConstraintSpec,
    schema_text: str | None,
    *,
    notes: Sequence[Note] = (),
    compiled: Compiled | None = None,
    error: PlaygroundError | None = None,
    vocabulary: Vocabulary | None = None,
) -> list[dict[str, Any]]:
    """What is wrong or risky about a constraint: errors first, then warnings, then remarks; of one
    level mistakes before advice.

    Args:
        spec: the constraint as typed.
        schema_text: its JSON Schema; None for the kinds without one.
        notes: what lowering it remarked.
        compiled: over any vocabulary, where it compiles.
        error: why it doesn't, where it doesn't.
        vocabulary: a model's, to count in its tokens.

    Returns:
        Rows of `code`, `name`, `level`, `advice`, `pointer`, `line`, `column`, `message`, `why`, `fix`
        (`title`, `source`: the whole new text, `keeps`: the same instances stay valid) or None,
        and `demo` (`title`, `constraint`, `prompt`) or None. `line` and `column` count in
        `spec.source` and are None for a Pydantic model. Empty where the schema is
        no JSON: that is an error, not a finding.
    """
    text, skipped = None, 0
    if schema_text is not None and len(schema_text) > cost.MAX_CHARACTERS:
        skipped = len(schema_text)
    elif schema_text is not None:
        try:
            text = as_typed(spec, schema_text)
        except InvalidInput:
            return []
    scene = scene_of(spec, text, notes, compiled, error, vocabulary, skipped)
    effort = Effort(SECONDS)
    found: list[tuple[Rule, Finding]] = []
    for rule in RULES.values():
        if not effort.left:
            said = (
                f"The schema is too large: after {SECONDS:.3g} seconds of lint some rules are left."
            )
            found.append((cost.TOO_LONG, Finding("", said)))
            break
        found += [(rule, finding) for finding in _found(rule, scene)]
    if any(rule.code == "L026" for rule, _ in found):
        found = [(rule, finding) for rule, finding in found if rule.code in _OF_INSTANCES]
    rows = [_row(rule, finding, scene) for rule, finding in _without_echoes(found)]
    return sorted(rows, key=lambda row: (LEVELS.index(row["level"]), row["advice"]))


def _found(rule: Rule, scene: Scene) -> list[Finding]:
    found = list(islice(rule.find(scene), MAX_PER_RULE + 1))
    if len(found) > MAX_PER_RULE:
        place = found[MAX_PER_RULE]
        rest = Finding(
            place.pointer, "There is more of this kind, from here on.", level=place.level
        )
        return [*found[:MAX_PER_RULE], rest]
    return found


def _without_echoes(found: list[tuple[Rule, Finding]]) -> list[tuple[Rule, Finding]]:
    """A breach of the metaschema says less than the rule that names the mistake at its place."""
    named = {f.pointer for rule, f in found if rule.code != "L027" or f.fix is not None}
    return [
        (rule, finding)
        for rule, finding in found
        if rule.code != "L027"
        or finding.fix is not None
        or not any(_within(finding.pointer, each) for each in named if each)
    ]


def _within(pointer: str, other: str) -> bool:
    """The breach is at the other place, or is that of a list which the other is an entry of."""
    if pointer == other:
        return True
    return other.startswith(f"{pointer}/") and pointer.endswith(("/type", "/enum", "/required"))


def _row(rule: Rule, finding: Finding, scene: Scene) -> dict[str, Any]:
    place = finding.place
    if place is None and scene.json is not None:
        place = nearest(scene.json, finding.pointer)
    fix = finding.fix
    return {
        "code": rule.code,
        "name": rule.name,
        "level": finding.level or rule.level,
        "advice": rule.advice,
        "pointer": finding.pointer,
        "line": place[0] if place else None,
        "column": place[1] if place else None,
        "message": f"{finding.message[:1].upper()}{finding.message[1:]}",
        "why": rule.why,
        "fix": {"title": fix.title, "source": fix.source, "keeps": fix.keeps} if fix else None,
        "demo": finding.demo,
    }
