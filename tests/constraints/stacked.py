"""What the tests of the engines with a stack share."""

from playground.constraints.automaton import TokenAutomaton

STACKED = ("xgrammar", "llguidance")
TREE = """{
  "type": "object",
  "properties": {"left": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}},
  "required": ["left"],
  "additionalProperties": false
}"""


def allowed(automaton: TokenAutomaton, text: bytes) -> object:
    """The state after `text`, byte by byte; None where a byte is blocked."""
    state = automaton.initial
    for byte in text:
        if not automaton.mask(state)[byte]:
            return None
        state = automaton.advance(state, byte)
    return state


def says(automaton: TokenAutomaton, text: bytes) -> bool:
    """The whole text is valid."""
    state = allowed(automaton, text)
    return state is not None and automaton.is_final(state)
