"""Two tokens, three numbers: the smallest case in which masking draws from the wrong law."""

from playground.constraints.spec import ConstraintSpec
from playground.demo import Demo
from playground.problem import ProblemSpec

DEMO = Demo(
    slug="two-step",
    title="Two steps: the popular door is nearly locked",
    question="The model takes A nine times in ten, but after A only 1 % of its mass is valid. Should A win?",
    problem=ProblemSpec(
        model="toy:two-step", constraint=ConstraintSpec(kind="regex", source="(A|B)x")
    ),
    path=("A", "x"),
    cursor=1,
    order=2,
)
