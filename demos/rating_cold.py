"""The same rating at temperature .2: valid draws are so rare that rejection keeps nothing."""

from playground.constraints.spec import ConstraintSpec
from playground.decoding.sampling import Sampling
from playground.demo import Demo
from playground.problem import ProblemSpec

DEMO = Demo(
    slug="rating-cold",
    title="A rating, cold: rejection starves",
    question="At temperature 0.2 one draw in 50,000 is valid. What takes over from rejection?",
    problem=ProblemSpec(
        model="smollm2",
        prompt="Rate this review from 1 to 5. Answer with the number alone. Review: It is fine, nothing special.",
        constraint=ConstraintSpec(kind="regex", source="[1-5]"),
        sampling=Sampling(temperature=0.2),
        max_tokens=8,
    ),
    order=21,
)
