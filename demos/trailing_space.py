"""A space at the end of the prompt is a token of its own, and the model never cuts there.

Measured on SmolLM2 (temperature 1): after "The capital of France is " the exact law gives Paris 29 %
and London 70 %; with the space left to the model, as in " Paris", it gives Paris 93 % and London 7 %.
TV between the two laws is 0.64.
"""

from playground.constraints.spec import ConstraintSpec
from playground.demo import Demo
from playground.problem import ProblemSpec

DEMO = Demo(
    slug="trailing-space",
    title="A space at the end of the prompt",
    question="Why London? Let the model rewrite the prompt's last token, and start again.",
    problem=ProblemSpec(
        model="smollm2",
        prompt="The capital of France is ",
        chat=False,
        constraint=ConstraintSpec(kind="regex", source="(Paris|London|Rome)"),
        max_tokens=12,
    ),
    order=22,
)
