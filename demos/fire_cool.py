"""A prompt that the model answers in form four times in five: a retry is nearly free."""

from playground.constraints.spec import ConstraintSpec
from playground.decoding.sampling import Sampling
from playground.demo import Demo
from playground.problem import ProblemSpec

DEMO = Demo(
    slug="fire-cool",
    title="Is fire hot? Cool: most draws are valid",
    question="Four draws in five are valid. What does a retry cost here?",
    problem=ProblemSpec(
        model="smollm2",
        prompt="Is fire hot? Answer with one word, Yes or No.",
        constraint=ConstraintSpec(kind="regex", source="(Yes|No)\\.?"),
        sampling=Sampling(temperature=0.4),
        max_tokens=24,
    ),
    order=17,
)
