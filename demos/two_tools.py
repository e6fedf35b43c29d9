"""Two tools: what is written is a choice between their calls, each with arguments of its own."""

from playground.constraints.spec import ConstraintSpec
from playground.demo import Demo
from playground.problem import ProblemSpec

DEMO = Demo(
    slug="two-tools",
    title="Two tools: which one, then how",
    question="Once the tool's name is written its arguments are decided. How sure was the model of it?",
    problem=ProblemSpec(
        model="smollm2",
        prompt=(
            "You can call one of two tools: get_weather(location, unit), whose unit is celsius or "
            "fahrenheit, or set_alarm(hour, minute). Answer with the JSON of one call only: its "
            "name and its arguments.\n\nWake me up at half past six."
        ),
        constraint=ConstraintSpec(
            kind="tool",
            source="""[
  {
    "name": "get_weather",
    "input_schema": {
      "type": "object",
      "properties": {
        "location": {"type": "string", "minLength": 1, "maxLength": 40},
        "unit": {"enum": ["celsius", "fahrenheit"]}
      },
      "required": ["location", "unit"],
      "additionalProperties": false
    }
  },
  {
    "name": "set_alarm",
    "input_schema": {
      "type": "object",
      "properties": {
        "hour": {"type": "integer", "minimum": 0, "maximum": 23},
        "minute": {"type": "integer", "minimum": 0, "maximum": 59}
      },
      "required": ["hour", "minute"],
      "additionalProperties": false
    }
  }
]""",
        ),
    ),
    order=24,
)
