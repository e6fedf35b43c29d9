"""The popular first token leads nearly nowhere: the mask can't see that, and skill wins."""

from playground.constraints.spec import ConstraintSpec
from playground.demo import Demo
from playground.problem import ProblemSpec

DEMO = Demo(
    slug="sky",
    title="Sky: the mask looks one token ahead",
    question="After `sk` the model wants `y` 98 % of the time. Only `ill` is allowed. Who decided?",
    problem=ProblemSpec(
        model="toy:sky", constraint=ConstraintSpec(kind="choices", source="skill\ncloud")
    ),
    path=("sk", "ill"),
    cursor=1,
    order=1,
)
