"""Most of the model's 1s would have gone on as something else: the mask gives 1 far too often."""

from playground.constraints.spec import ConstraintSpec
from playground.decoding.sampling import Sampling
from playground.demo import Demo
from playground.problem import ProblemSpec

DEMO = Demo(
    slug="rating",
    title="A rating from 1 to 5",
    question="Only the number is legal. Which number would the model have given, left alone?",
    problem=ProblemSpec(
        model="smollm2",
        prompt="Rate this review from 1 to 5. Answer with the number alone. Review: It is fine, nothing special.",
        constraint=ConstraintSpec(kind="regex", source="[1-5]"),
        sampling=Sampling(temperature=1.0),
        max_tokens=8,
    ),
    order=20,
)
