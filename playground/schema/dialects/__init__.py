"""Is the schema inside a vendor's subset of JSON Schema, and what to change: facts, dated."""

from playground.schema.dialects.entry import dialects

__all__ = ["dialects"]
