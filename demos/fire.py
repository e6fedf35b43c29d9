"""The same question at temperature 1: about one draw in four or five is valid, and the mask says Yes too often."""

from playground.constraints.spec import ConstraintSpec
from playground.decoding.sampling import Sampling
from playground.demo import Demo
from playground.problem import ProblemSpec

DEMO = Demo(
    slug="fire",
    title="Is fire hot? One draw in four or five is valid",
    question="Compare the dots and the bars: does the mask say Yes as often as the model does?",
    problem=ProblemSpec(
        model="smollm2",
        prompt="Is fire hot? Answer with one word, Yes or No.",
        constraint=ConstraintSpec(kind="regex", source="(Yes|No)\\.?"),
        sampling=Sampling(temperature=1.0),
        max_tokens=24,
    ),
    order=18,
)
