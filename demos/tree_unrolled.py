"""The same tree as a finite automaton, which stops at a stated depth: it can't count brackets."""

from playground.constraints.spec import ConstraintSpec
from playground.demo import Demo
from playground.problem import ProblemSpec

DEMO = Demo(
    slug="tree-unrolled",
    title="The same tree, unrolled",
    question="A finite automaton can't count brackets: this one stops after 3 levels. What is legal there?",
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
        ),
        max_tokens=96,
    ),
    order=32,
)
