"""JSON Schema lowered to a regex whose every match is valid, or whose notes say what isn't."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # `place` is asked at every step and needs no jsonschema
    from playground.constraints.jsonschema.entry import Lowered
    from playground.constraints.spec import Whitespace


def lower(schema_text: str, whitespace: "Whitespace" = "one") -> "Lowered":
    """Lower one JSON Schema: see `entry.lower`."""
    from playground.constraints.jsonschema import entry

    return entry.lower(schema_text, whitespace)


__all__ = ["lower"]
