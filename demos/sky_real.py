"""The sky case on the real model: the lone space takes the mass, and skill wins."""

from playground.constraints.spec import ConstraintSpec
from playground.demo import Demo
from playground.problem import ProblemSpec

DEMO = Demo(
    slug="sky-real",
    title="Sky, on the real model",
    question="The model would say cloud. Step on: by which token is the answer lost?",
    problem=ProblemSpec(
        model="smollm2",
        prompt='Pick the word that is most similar to "sky". The word is:',
        chat=False,
        constraint=ConstraintSpec(kind="regex", source=" (skill|cloud)"),
        max_tokens=12,
    ),
    order=16,
)
