"""A Pydantic model as the constraint: the finished run becomes a validated object."""

from playground.constraints.spec import ConstraintSpec
from playground.demo import Demo
from playground.problem import ProblemSpec

DEMO = Demo(
    slug="invoice",
    title="Invoice (a Pydantic model)",
    question="Every invoice drawn here has the right type. Does it have the right total?",
    problem=ProblemSpec(
        model="smollm2",
        prompt=(
            "Extract the invoice as JSON.\n\nNordwind Paper, invoice 1182: 40 reams of paper "
            "at 4.50 each, delivery 12.00, total 192.00 euros."
        ),
        constraint=ConstraintSpec(
            kind="pydantic",
            source="""from pydantic import BaseModel, ConfigDict, Field


class Line(BaseModel):
    model_config = ConfigDict(extra="forbid")
    text: str = Field(max_length=40)
    amount: float = Field(ge=0)


class Invoice(BaseModel):
    model_config = ConfigDict(extra="forbid")
    vendor: str = Field(max_length=40)
    total: float = Field(ge=0)
    currency: str = Field(pattern=r"^[A-Z]{3}$")
    lines: list[Line] = Field(max_length=3)
""",
        ),
        max_tokens=160,
    ),
    order=12,
)
