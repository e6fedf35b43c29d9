"""Instances of a JSON Schema, made by its keywords and judged by jsonschema, in a limited child."""
