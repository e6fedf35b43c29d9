"""What a schema costs in tokens: forced text against answers, and fields that may be left out."""

from collections.abc import Iterator
from typing import Any

from playground.constraints.jsonschema.keywords import TYPES
from playground.schema.json_text import dumps
from playground.schema.lint.rule import Finding, Rule, counted
from playground.schema.lint.scene import Scene
from playground.vocabulary import Vocabulary

BYTES_PER_TOKEN = 4
MANY_OPTIONAL = 12
LEAST_FORCED = 20
"""Tokens: a small answer's keys aren't worth a remark."""
TYPICAL = {"array": 2, "boolean": 1, "integer": 1, "null": 1, "number": 2, "object": 2, "string": 4}
"""Tokens of a short value of each type: a guess, said to be one."""
MAX_LEVELS = 12
MAX_FIELDS = 2_000
MAX_CHARACTERS = 300_000
"""Longer schemas are not linted."""


def _find(scene: Scene) -> Iterator[Finding]:
    if scene.json is None:
        return
    parts: list[str] = []
    free = _shortest(scene, scene.root, parts, 0)
    forced_text = "".join(parts)
    if scene.vocabulary is not None:
        forced, how = _count(forced_text.encode(), scene.vocabulary), "counted by longest match"
    else:
        size = len(forced_text.encode())
        forced, how = -(-size // BYTES_PER_TOKEN), "estimated as a quarter of the bytes"
    if forced >= LEAST_FORCED and forced > 2 * free:
        yield Finding(
            "",
            f"In a short answer the schema forces about {counted(forced, 'token')} of keys and "
            f"punctuation ({how}), around values of about {counted(free, 'token')}.",
        )


def _shortest(scene: Scene, schema: Any, parts: list[str], level: int) -> int:
    """Append the forced text of a short answer; the tokens of its free part, roughly."""
    schema = scene.target(schema)
    if not isinstance(schema, dict) or level > MAX_LEVELS or len(parts) > MAX_FIELDS:
        return 1
    if "const" in schema:
        parts.append(dumps(schema["const"])[:200])
        return 0
    if isinstance(schema.get("enum"), list):
        return 1
    for keyword in ("anyOf", "oneOf", "allOf"):
        listed = schema.get(keyword)
        if isinstance(listed, list) and listed and "properties" not in schema:
            return _shortest(scene, listed[0], parts, level + 1)
    properties = schema.get("properties")
    if isinstance(properties, dict):
        return _record(scene, schema, properties, parts, level)
    if isinstance(schema.get("items"), dict):
        parts.append("[]")
        least = schema.get("minItems", 1)
        return _shortest(scene, schema["items"], parts, level + 1) if least else 0
    named = schema.get("type")
    first = named[0] if isinstance(named, list) and named else named
    return TYPICAL.get(first, 2) if first in TYPES or first == "integer" else 2


def _record(
    scene: Scene,
    schema: dict[str, Any],
    properties: dict[str, Any],
    parts: list[str],
    level: int,
) -> int:
    listed = schema.get("required")
    required = {n for n in listed if isinstance(n, str)} if isinstance(listed, list) else set()
    written = [name for name in properties if name in required] or list(properties)[:1]
    free = 0
    parts.append("{}")
    for name in written[:MAX_FIELDS]:
        parts.append(f"{dumps(name)}: , ")
        free += _shortest(scene, properties[name], parts, level + 1)
    return free


def _count(text: bytes, vocabulary: Vocabulary) -> int:
    """How many of the vocabulary's tokens spell the text when the longest is taken each time."""
    known = {token for token in vocabulary.tokens if token}
    at = count = 0
    while at < len(text) and count < 5_000:
        at += next((n for n in range(24, 1, -1) if text[at : at + n] in known), 1)
        count += 1
    return count


def _optional(scene: Scene) -> Iterator[Finding]:
    for record in scene.records:
        free = [name for name in record.names if name not in record.required]
        if len(free) >= MANY_OPTIONAL:
            yield Finding(
                record.pointer(free[0]),
                f"{len(free)} of {len(record.names)} properties are optional: after each value the "
                f"next key is chosen among up to {len(free)}, in 2^{len(free)} combinations.",
            )


def _too_long(scene: Scene) -> Iterator[Finding]:
    if scene.skipped:
        said = (
            f"The schema has {scene.skipped:,} characters; at most {MAX_CHARACTERS:,} are linted."
        )
        yield Finding("", said)


COSTLY = Rule(
    "L020",
    "costly-keys",
    "info",
    "Forced tokens carry no answer, and most engines still spend a step of the model on each. "
    "Shorter keys or a flat list say the same; the numbers here are of a short answer, not yours.",
    _find,
)
OPTIONAL_EXPLOSION = Rule(
    "L021",
    "optional-explosion",
    "info",
    "Every optional key is a choice that the model makes by its first token, and every combination "
    "is a path of the automaton: compile time and size grow with them.",
    _optional,
)
TOO_LONG = Rule(
    "L032",
    "too-long",
    "warning",
    "A schema in the prompt costs its tokens at every request, and the longest ones are not looked "
    "through here.",
    _too_long,
)
