"""Yes or no: two words, and a small chance that the model would have said just one of them."""

from playground.constraints.spec import ConstraintSpec
from playground.demo import Demo
from playground.problem import ProblemSpec

DEMO = Demo(
    slug="yes-no",
    title="Yes or no",
    question="How much of the model's mass is on these two answers before the mask?",
    problem=ProblemSpec(
        model="smollm2",
        prompt="Is the sky blue? Answer yes or no.",
        constraint=ConstraintSpec(kind="choices", source="yes\nno\nYes\nNo"),
        max_tokens=8,
    ),
    order=15,
)
