"""JSON Schema lowered to a regex whose every match is valid, or whose notes say what isn't."""

from playground.constraints.jsonschema.entry import Lowered, lower

__all__ = ["Lowered", "lower"]
