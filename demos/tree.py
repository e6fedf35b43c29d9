"""A tree of any depth: a schema that refers to itself, run by an engine with a stack."""

from playground.constraints.spec import ConstraintSpec
from playground.demo import Demo
from playground.problem import ProblemSpec

DEMO = Demo(
    slug="tree",
    title="A tree of any depth",
    question="The schema refers to itself. How deep is the model when it closes the first bracket?",
    problem=ProblemSpec(
        model="smollm2",
        prompt="Write the parts of a bicycle as a small JSON tree.",
        constraint=ConstraintSpec(
            kind="schema",
            source="""{
  "type": "object",
  "properties": {
    "name": {"type": "string", "minLength": 1, "maxLength": 20},
    "parts": {"type": "array", "maxItems": 3, "items": {"$ref": "#"}}
  },
  "required": ["name", "parts"],
  "additionalProperties": false
}""",
            engine="auto",
        ),
        max_tokens=96,
    ),
    order=31,
)
