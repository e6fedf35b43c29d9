"""The dialects: what the vendors' pages list, read as stored copies and dated transcriptions."""

from types import MappingProxyType

from playground.constraints.jsonschema.keywords import KNOWN
from playground.schema.dialects.facts import NO_EFFECT, Dialect, Limits

_PLAIN = frozenset({"description", "enum", "items", "properties", "required", "title", "type"})
_ANNOTATIONS = MappingProxyType(
    dict.fromkeys(
        (
            "$comment",
            "$id",
            "$schema",
            "default",
            "deprecated",
            "examples",
            "id",
            "readOnly",
            "title",
            "writeOnly",
        ),
        NO_EFFECT,
    )
)
_LENGTH = (
    "is named only among what fine-tuned models don't support, so nothing promises it elsewhere"
)

OPENAI = Dialect(
    name="OpenAI strict mode",
    as_of="2026-10",
    source="https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas",
    keywords=_PLAIN
    | {
        "$defs",
        "$ref",
        "additionalProperties",
        "anyOf",
        "const",
        "exclusiveMaximum",
        "exclusiveMinimum",
        "format",
        "maxItems",
        "maximum",
        "minItems",
        "minimum",
        "multipleOf",
        "pattern",
    },
    otherwise="a request with an unsupported schema is refused with an error",
    silent=MappingProxyType(
        {
            **_ANNOTATIONS,
            "definitions": "is left open: only `$defs` is named",
            "maxLength": _LENGTH,
            "minLength": _LENGTH,
        }
    ),
    formats=frozenset(
        {
            "date",
            "date-time",
            "duration",
            "email",
            "hostname",
            "ipv4",
            "ipv6",
            "time",
            "uuid",
        }
    ),
    root="object without choice",
    closed=True,
    all_required=True,
    untyped=False,
    booleans=False,
    limits=Limits(
        properties=5_000,
        depth=10,
        enum_values=1_000,
        long_enum=(250, 15_000),
        characters=120_000,
    ),
    silences=(
        "How levels of nesting are counted isn't said: objects inside one another are counted "
        "here, through $ref too.",
        "Which keywords may stand beside $ref isn't said; OpenAI's own Python library writes the "
        "definition out in that case.",
    ),
)

GEMINI = Dialect(
    name="Gemini JSON Schema (responseFormat, responseJsonSchema)",
    as_of="2026-10",
    source="https://ai.google.dev/gemini-api/docs/structured-output#json_schema_support",
    keywords=_PLAIN
    | {
        "$anchor",
        "$defs",
        "$id",
        "$ref",
        "additionalProperties",
        "anyOf",
        "format",
        "maxItems",
        "maximum",
        "minItems",
        "minimum",
        "oneOf",
        "prefixItems",
        "propertyOrdering",
    },
    otherwise="the model ignores unsupported properties",
    silent=MappingProxyType({**_ANNOTATIONS, "definitions": "is left open: only `$defs` is named"}),
    formats=frozenset({"date", "date-time", "time"}),
    enum_types=(str, int, float),
    recursion="in optional properties",
    ref_alone=True,
    silences=(
        "oneOf is taken as anyOf: that exactly one branch holds is not enforced.",
        "No numbers are given for size and depth, only that very large or deeply nested schemas "
        "may be refused.",
        "What a list of types other than one with null means isn't said.",
    ),
)

GEMINI_SCHEMA = Dialect(
    name="Gemini responseSchema (the Schema object)",
    as_of="as stored, undated; marked deprecated in 2026-10",
    source="https://ai.google.dev/api/caching#Schema",
    keywords=_PLAIN
    | {
        "anyOf",
        "default",
        "example",
        "format",
        "maxItems",
        "maxLength",
        "maxProperties",
        "maximum",
        "minItems",
        "minLength",
        "minProperties",
        "minimum",
        "nullable",
        "pattern",
        "propertyOrdering",
    },
    otherwise="the object has no field of that name, and the page doesn't say if it is refused",
    type_lists=False,
    untyped=False,
    booleans=False,
    enum_types=(str,),
    nullable=True,
    silences=(
        "Any format may be written, but most of them do nothing.",
        "Objects can neither be closed nor opened: additionalProperties is no field.",
        "There is no $ref: a schema that contains itself can't be written.",
    ),
)

ANTHROPIC_TOOL = Dialect(
    name="Anthropic tool input_schema",
    as_of="2026-10",
    source="https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview",
    keywords=KNOWN,
    otherwise="the schema is shown to the model, which is not held to it",
    root="object without choice",
    silences=(
        "Without `strict: true` no keyword is enforced: the schema is a prompt, and the answer "
        "must be checked.",
        "That oneOf, allOf and anyOf are refused at the root is what the API answers; the page "
        "doesn't say it.",
    ),
)

ANTHROPIC = Dialect(
    name="Anthropic structured outputs and strict tools",
    as_of="2026-10",
    source="https://platform.claude.com/docs/en/build-with-claude/structured-outputs"
    "#json-schema-limitations",
    keywords=_PLAIN
    | {
        "$defs",
        "$ref",
        "additionalProperties",
        "allOf",
        "anyOf",
        "const",
        "default",
        "definitions",
        "format",
        "minItems",
        "pattern",
    },
    otherwise="a request with an unsupported feature is refused with error 400",
    silent=_ANNOTATIONS,
    formats=frozenset(
        {
            "date",
            "date-time",
            "duration",
            "email",
            "hostname",
            "ipv4",
            "ipv6",
            "time",
            "uri",
            "uuid",
        }
    ),
    plain_patterns=True,
    min_items=1,
    closed=True,
    enum_types=(str, int, float, bool, type(None)),
    recursion="no",
    no_ref_in_all_of=True,
    limits=Limits(optional=24, unions=16),
    silences=(
        "Patterns are a subset of regex: no back-references, no look-around, no \\b, no large "
        "counts.",
        "The limits on optional properties and unions hold for all strict schemas of one request "
        "together.",
        "What a schema without a type means isn't said.",
    ),
)

DIALECTS = (OPENAI, GEMINI, GEMINI_SCHEMA, ANTHROPIC, ANTHROPIC_TOOL)
"""In the order of the page."""
