"""A contact card with an optional field and formats that the mask enforces."""

from playground.constraints.spec import ConstraintSpec
from playground.demo import Demo
from playground.problem import ProblemSpec

DEMO = Demo(
    slug="contact-card",
    title="Contact card",
    question="The phone number is optional. Where does the model decide to leave it out?",
    problem=ProblemSpec(
        model="smollm2",
        prompt=(
            "Write the contact card as JSON.\n\nReach Maria Okafor, head of purchasing at Lumen "
            "Tools, at maria.okafor@lumen.example."
        ),
        constraint=ConstraintSpec(
            kind="schema",
            source="""{
  "type": "object",
  "properties": {
    "name": {"type": "string", "minLength": 1, "maxLength": 40},
    "email": {"type": "string", "format": "email"},
    "phone": {"type": "string", "pattern": "^[0-9 +]{6,16}$"},
    "company": {"type": ["string", "null"], "maxLength": 40}
  },
  "required": ["name", "email", "company"],
  "additionalProperties": false
}""",
        ),
        max_tokens=96,
    ),
    order=13,
)
