"""A closed set of labels: the options share no beginning, so one token decides."""

from playground.constraints.spec import ConstraintSpec
from playground.demo import Demo
from playground.problem import ProblemSpec

DEMO = Demo(
    slug="sentiment",
    title="Sentiment",
    question="One token decides. Which of the three would the model have said, and how surely?",
    problem=ProblemSpec(
        model="smollm2",
        prompt="Positive, negative or neutral? The food was fine, but we waited an hour. Answer with one word.",
        constraint=ConstraintSpec(
            kind="choices",
            source="""positive
negative
neutral""",
        ),
        max_tokens=8,
    ),
    order=37,
)
