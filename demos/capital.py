"""About one draw in twenty is valid, and yet the mask is within two per cent of the truth."""

from playground.constraints.spec import ConstraintSpec
from playground.decoding.sampling import Sampling
from playground.demo import Demo
from playground.problem import ProblemSpec

DEMO = Demo(
    slug="capital",
    title="The capital of France, as a sentence",
    question="One draw in about seventeen is valid. Is that worth it, when the mask is nearly right?",
    problem=ProblemSpec(
        model="smollm2",
        prompt="What is the capital of France?",
        constraint=ConstraintSpec(
            kind="regex", source="The capital of France is (Paris|London|Rome)\\."
        ),
        sampling=Sampling(temperature=1.0),
        max_tokens=24,
    ),
    order=19,
)
