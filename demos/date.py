"""A calendar date: the automaton knows which months have 31 days."""

from playground.constraints.spec import ConstraintSpec
from playground.demo import Demo
from playground.problem import ProblemSpec

DEMO = Demo(
    slug="date",
    title="Date",
    question="After 2025-02- only some digits are left. Would the model have chosen them?",
    problem=ProblemSpec(
        model="smollm2",
        prompt="The last day of February 2025, written as YYYY-MM-DD:",
        constraint=ConstraintSpec(kind="type", source="date"),
        max_tokens=24,
    ),
    order=14,
)
