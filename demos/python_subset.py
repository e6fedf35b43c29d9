"""A small subset of Python as a grammar: one function of nested expressions."""

from playground.constraints.spec import ConstraintSpec
from playground.demo import Demo
from playground.problem import ProblemSpec

DEMO = Demo(
    slug="python-subset",
    title="A small Python subset",
    question="Names, calls and brackets nest. Does the model return what it was asked for?",
    problem=ProblemSpec(
        model="smollm2",
        prompt="Write a Python function double(x) that returns twice its argument.",
        constraint=ConstraintSpec(
            kind="grammar",
            source=r"""root ::= "def double(x):\n    return " expr "\n"
expr ::= term ((" + " | " - ") term)*
term ::= factor ((" * " | " // ") factor)*
factor ::= "x" | [0-9] | call | "(" expr ")"
call ::= ("abs" | "max" | "min") "(" expr (", " expr)* ")"
""",
            engine="auto",
        ),
        max_tokens=40,
    ),
    order=34,
)
