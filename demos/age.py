"""The argmax is blocked: the model would write a letter where the schema wants an integer."""

from playground.constraints.spec import ConstraintSpec
from playground.demo import Demo
from playground.models.toy import TOYS
from playground.problem import ProblemSpec

DEMO = Demo(
    slug="age",
    title="Age: the token it wanted is not allowed",
    question="The model's favourite is `x`. The schema asks for an integer. What does the mask keep?",
    problem=ProblemSpec(
        model="toy:age",
        constraint=ConstraintSpec(
            kind="schema",
            source=TOYS["age"].constraint_source,
        ),
    ),
    path=('{"name": ', '"Ada"', ', "age":', "5", "}"),
    cursor=3,
    order=3,
)
