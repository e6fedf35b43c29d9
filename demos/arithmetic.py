"""An arithmetic grammar: brackets need a stack, which is shown."""

from playground.constraints.spec import ConstraintSpec
from playground.demo import Demo
from playground.problem import ProblemSpec

DEMO = Demo(
    slug="arithmetic",
    title="Arithmetic grammar",
    question="Every open bracket must be closed. Watch the stack grow, and the closing bracket become legal.",
    problem=ProblemSpec(
        model="smollm2",
        prompt="Write the number 24 with brackets, such as (1+3)*6. Answer with the expression alone.",
        constraint=ConstraintSpec(
            kind="grammar",
            source="""root ::= sum
sum ::= product (("+" | "-") product)*
product ::= factor (("*" | "/") factor)*
factor ::= [1-9] [0-9]? | "(" sum ")"
""",
            engine="auto",
        ),
        max_tokens=24,
    ),
    order=30,
)
