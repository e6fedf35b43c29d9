"""Three fair bits, five legal strings: one of them is drawn four times too often."""

from playground.constraints.spec import ConstraintSpec
from playground.demo import Demo
from playground.problem import ProblemSpec

DEMO = Demo(
    slug="binary",
    title="Three bits: half of the draws for one string in five",
    question="All five strings are equally likely to the model. Why does 000 get half of the draws?",
    problem=ProblemSpec(
        model="toy:binary-len-3",
        constraint=ConstraintSpec(kind="choices", source="000\n100\n101\n110\n111"),
    ),
    path=("0", "0", "0"),
    cursor=1,
    order=4,
)
