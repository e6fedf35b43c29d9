"""The GBNF that wraps an answer in JSON."""

from playground.constraints.spec import ConstraintSpec
from playground.demo import Demo
from playground.problem import ProblemSpec

DEMO = Demo(
    slug="answer",
    title='{"answer": ...} as GBNF',
    question="The wrapper is forced. Which tokens are the model's own?",
    problem=ProblemSpec(
        model="smollm2",
        prompt="What is the capital of France? Answer in JSON.",
        constraint=ConstraintSpec(
            kind="grammar",
            source=r"""root ::= "{\"answer\": \"" [^"\\\x00-\x1F]* "\"}"
""",
            engine="auto",
        ),
        max_tokens=32,
    ),
    order=35,
)
