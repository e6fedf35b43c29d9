"""Three, two and four digits: one dash at a time is forced."""

from playground.constraints.spec import ConstraintSpec
from playground.demo import Demo
from playground.problem import ProblemSpec

DEMO = Demo(
    slug="number-groups",
    title="Digits in groups",
    question="The dashes are forced. How much of its mass does the model put on them?",
    problem=ProblemSpec(
        model="smollm2",
        prompt="Make up a case number of the form 123-45-6789:",
        constraint=ConstraintSpec(
            kind="regex",
            source=r"\d{3}-\d{2}-\d{4}",
        ),
        max_tokens=16,
    ),
    order=36,
)
