"""A support ticket as a typed record: two enums and a boolean."""

from playground.constraints.spec import ConstraintSpec
from playground.demo import Demo
from playground.problem import ProblemSpec

DEMO = Demo(
    slug="ticket-triage",
    title="Ticket triage",
    question="Which of these decisions did the model make, and which did the schema make for it?",
    problem=ProblemSpec(
        model="smollm2",
        prompt=(
            "Read the support ticket and answer with JSON only, with the keys intent, priority "
            "and escalate.\n\nTicket: I was charged twice for my subscription this month and "
            "I need the second payment back before Friday."
        ),
        constraint=ConstraintSpec(
            kind="schema",
            source="""{
  "type": "object",
  "properties": {
    "intent": {"enum": ["refund", "billing", "bug", "account", "other"]},
    "priority": {"enum": ["low", "normal", "high", "urgent"]},
    "escalate": {"type": "boolean"}
  },
  "required": ["intent", "priority", "escalate"],
  "additionalProperties": false
}""",
        ),
    ),
    order=11,
)
