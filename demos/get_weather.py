"""A tool call: the definition gives the schema of the arguments, and those are what is written."""

from playground.constraints.spec import ConstraintSpec
from playground.demo import Demo
from playground.problem import ProblemSpec

DEMO = Demo(
    slug="get-weather",
    title="A tool call: get_weather",
    question="The call will parse. Did the model choose the unit that was asked for, or any of two?",
    problem=ProblemSpec(
        model="smollm2",
        prompt=(
            "You can call the tool get_weather(location, unit); unit is celsius or fahrenheit. "
            "Answer with the JSON of its arguments only.\n\n"
            "How warm is it in Oslo, in degrees Celsius?"
        ),
        constraint=ConstraintSpec(
            kind="tool",
            source="""{
  "name": "get_weather",
  "description": "The weather of a place now.",
  "input_schema": {
    "type": "object",
    "properties": {
      "location": {"type": "string", "minLength": 1, "maxLength": 40},
      "unit": {"enum": ["celsius", "fahrenheit"]}
    },
    "required": ["location", "unit"],
    "additionalProperties": false
  }
}""",
        ),
    ),
    order=23,
)
