"""The two classes of tokens of a pushdown engine: those that need its stack, and those that don't.

XGrammar (arXiv:2411.15100) calls a token context-independent where the place in the current rule
alone decides about it. Here, for JSON: a token needs the stack where it closes the innermost object
or array and then goes on, since what may follow then is the outer one's to say.
"""

from typing import Any

from playground.constraints.byte_automaton import ByteAutomaton
from playground.constraints.dfa import DEAD

_QUOTE, _BACKSLASH = ord('"'), ord("\\")
_OPENING, _CLOSING = frozenset(b"{["), frozenset(b"}]")


def independent(automaton: ByteAutomaton, state: int, text: bytes) -> dict[str, Any]:
    """The share of tokens whose validity after `text`, JSON, does not depend on the stack.

    Returns:
        `{"share": 0..1, "dependent": count, "tokens": count with bytes, "examples": [names]}`.
    """
    vocabulary, dfa = automaton.vocabulary, automaton.dfa
    in_string = _ends_in_string(text)
    spelled = 0
    dependent: list[int] = []
    for token, piece in enumerate(vocabulary.tokens):
        if not piece:
            continue
        spelled += 1
        if (b"}" in piece or b"]" in piece) and _needs_stack(dfa, state, piece, in_string):
            dependent.append(token)
    return {
        "share": 1 - len(dependent) / spelled if spelled else 1.0,
        "dependent": len(dependent),
        "tokens": spelled,
        "examples": [vocabulary.name(token) for token in dependent[:12]],
    }


def _ends_in_string(text: bytes) -> bool:
    inside = escaped = False
    for byte in text:
        if escaped:
            escaped = False
        elif byte == _BACKSLASH and inside:
            escaped = True
        elif byte == _QUOTE:
            inside = not inside
    return inside


def _needs_stack(dfa: Any, state: int, piece: bytes, in_string: bool) -> bool:
    depth, escaped = 0, False
    for place, byte in enumerate(piece):
        state = int(dfa.moves[state, dfa.classes[byte]])
        if state == DEAD:
            return False
        if in_string:
            if escaped:
                escaped = False
            elif byte == _BACKSLASH:
                escaped = True
            elif byte == _QUOTE:
                in_string = False
        elif byte == _QUOTE:
            in_string = True
        elif byte in _OPENING:
            depth += 1
        elif byte in _CLOSING:
            depth -= 1
            if depth < 0:
                return place < len(piece) - 1
    return False
