"""Sums of zeros: every step costs something, and longer sums cost more."""

from playground.constraints.spec import ConstraintSpec
from playground.demo import Demo
from playground.problem import ProblemSpec

DEMO = Demo(
    slug="sums",
    title="Sums of zeros: a cost at every step",
    question="Only 0, 0+0 and 0+0+0 are legal. Watch the bits add up along the longest.",
    problem=ProblemSpec(
        model="toy:mars", constraint=ConstraintSpec(kind="regex", source=r"0(\+0)*")
    ),
    path=("0", "+", "0", "+", "0"),
    cursor=0,
    order=5,
)
