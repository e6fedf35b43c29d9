"""A schema beside every dialect, and beside JSON mode, which looks at no schema."""

from collections.abc import Callable
from typing import Any

from playground.constraints.jsonschema.source import Parsed, whole_schema
from playground.constraints.limits import Limits
from playground.errors import Cancelled, PlaygroundError
from playground.schema.dialects.facts import Dialect
from playground.schema.dialects.rewrite import fixed
from playground.schema.dialects.vendors import DIALECTS, OPENAI
from playground.schema.dialects.walk import Remark, walk
from playground.schema.reading import read
from playground.schema.reference_schema import by_schema

MAX_REMARKS = 100
"""So many remarks of one dialect are listed."""
JSON_MODE_SECONDS = 2.0
"""For what JSON mode lets through."""
SAMPLES = (
    "{}",
    '{"answer": "Sure! Here is the JSON."}',
    "[]",
    "null",
    '"Sure!"',
    "0",
    "true",
)
"""What a model may well write in JSON mode."""


def dialects(
    schema_text: str,
    *,
    limits: Limits | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> list[dict[str, Any]]:
    """What each vendor's subset of JSON Schema says to a schema, JSON mode last.

    Args:
        schema_text: the JSON Schema as typed.
        limits: of the child that looks for what JSON mode lets through.
        cancelled: asked while that child runs.

    Returns:
        One document a dialect: `name`, `fits`, `problems` and `notes` (where the page is silent),
        each with `keyword`, `pointer`, `line`, `column` and `message`; `fixed` (`title`, `source`)
        or null; `as_of`, `source`, and `silences`, sentences about what the page leaves open. JSON
        mode also has `example`: what it lets through and the schema forbids, or null.

    Raises:
        InvalidInput: no JSON, or no schema; with line and column.
        Cancelled: `cancelled` said so.
    """
    parsed = whole_schema(schema_text)
    out = [_document(parsed, dialect) for dialect in DIALECTS]
    return [
        *out,
        _json_mode(schema_text, parsed, limits or Limits(seconds=JSON_MODE_SECONDS), cancelled),
    ]


def _document(parsed: Parsed, dialect: Dialect) -> dict[str, Any]:
    remarks = walk(parsed.value, dialect)
    breaches = [remark for remark in remarks if remark.breach]
    return {
        "name": dialect.name,
        "fits": not breaches,
        "problems": _listed(parsed, breaches),
        "notes": _listed(parsed, [remark for remark in remarks if not remark.breach]),
        "fixed": fixed(parsed.value, dialect) if breaches else None,
        "as_of": dialect.as_of,
        "source": dialect.source,
        "silences": list(dialect.silences),
    }


def _listed(parsed: Parsed, remarks: list[Remark]) -> list[dict[str, Any]]:
    documents = [
        _place(parsed, remark.keyword, remark.pointer, remark.message)
        for remark in remarks[:MAX_REMARKS]
    ]
    if len(remarks) > MAX_REMARKS:
        more = f"And {len(remarks) - MAX_REMARKS:,} more of them."
        documents.append(_place(parsed, "", "", more))
    return documents


def _place(parsed: Parsed, keyword: str, pointer: str, message: str) -> dict[str, Any]:
    line, column = parsed.places.get(pointer, parsed.places[""])
    return {
        "keyword": keyword,
        "pointer": pointer,
        "line": line,
        "column": column,
        "message": message,
    }


def _json_mode(
    text: str, parsed: Parsed, limits: Limits, cancelled: Callable[[], bool] | None
) -> dict[str, Any]:
    example: str | None = None
    try:
        verdicts, _ = by_schema(text, [read(one) for one in SAMPLES], False, limits, cancelled)
        said = [found["status"] for found in verdicts]
        example = SAMPLES[said.index("invalid")] if "invalid" in said else None
        message = "Every one of the answers that were tried here satisfies the schema."
        if example is not None:
            message = f"JSON mode allows {example}, and the schema forbids it."
        elif "unknown" in said:
            message = "What JSON mode lets through was not found out: the validator can't say."
    except Cancelled:
        raise
    except PlaygroundError as error:
        message = f"What JSON mode lets through was not looked for: {error.what}"
    return {
        "name": "JSON mode",
        "fits": example is None,
        "problems": [] if example is None else _one(parsed, message),
        "notes": _one(parsed, message) if example is None else [],
        "fixed": None,
        "as_of": OPENAI.as_of,
        "source": OPENAI.source.partition("#")[0],
        "silences": [
            "JSON mode promises JSON and nothing more: keys, types and values are the model's."
        ],
        "example": example,
    }


def _one(parsed: Parsed, message: str) -> list[dict[str, Any]]:
    return [_place(parsed, "", "", message)]
