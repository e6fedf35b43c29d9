"""Two fields that belong together: the second follows from the first."""

from playground.constraints.spec import ConstraintSpec
from playground.demo import Demo
from playground.problem import ProblemSpec

DEMO = Demo(
    slug="country-currency",
    title="Country and currency: the second field is decided by the first",
    question="US goes with USD and DE with EUR. Token by token, can they ever be mixed up?",
    problem=ProblemSpec(
        model="toy:country-currency",
        constraint=ConstraintSpec(kind="regex", source="(US|DE)/(USD|EUR)"),
    ),
    order=6,
)
