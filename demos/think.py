"""Think, then constrain: the same mask after a thought gives another answer than at once."""

from playground.constraints.spec import ConstraintSpec, Markers
from playground.demo import Demo
from playground.problem import ProblemSpec

DEMO = Demo(
    slug="think",
    title="Think first: is 91 prime?",
    question="Masked at once the answer is yes 3 times in 4; after a thought it is no 7 times in 8. Why?",
    problem=ProblemSpec(
        model="toy:think",
        constraint=ConstraintSpec(kind="choices", source="yes\nno"),
        method="think",
        markers=Markers(open="<<", close=">>"),
    ),
    path=("91 is 7 x 13: ", "<<", "no", ">>"),
    cursor=2,
    order=7,
)
