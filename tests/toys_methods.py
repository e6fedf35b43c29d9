"""Toys for the methods that mask by something else than the constraint: their tokens spell markers
and JSON."""

THINKER = {
    "name": "sky",
    "tokens": ["so ", "<<", ">>", "yes", "no", "<<yes", ">> or "],
    "rules": [
        {"prefix": [], "p": {"so ": 1}},
        {"last": "so ", "p": {"<<": 0.5, "<<yes": 0.3, "<eos>": 0.2}},
        {"last": "<<", "p": {"yes": 0.2, "no": 0.3, "so ": 0.5}},
        {"last": "<<yes", "p": {">>": 1}},
        {"last": "yes", "p": {">>": 1}},
        {"last": "no", "p": {">>": 0.5, ">> or ": 0.5}},
        {"last": ">> or ", "p": {"<<yes": 1}},
        {"p": {"<eos>": 1}},
    ],
}
"""It opens a span by a token of its own or in the middle of one, and inside it may say `so `."""
YES_NO = {"kind": "choices", "source": "yes\nno"}
MARKERS = {"open": "<<", "close": ">>"}

JSONER = {
    "name": "sky",
    "tokens": ["{", '"a"', ":", "1", '"x"', "}", "Sure"],
    "rules": [
        {"prefix": [], "p": {"{": 0.5, "Sure": 0.5}},
        {"last": "{", "p": {'"a"': 1}},
        {"last": '"a"', "p": {":": 1}},
        {"last": ":", "p": {"1": 0.4, '"x"': 0.6}},
        {"last": "1", "p": {"}": 1}},
        {"last": '"x"', "p": {"}": 1}},
        {"p": {"<eos>": 1}},
    ],
}
"""It may begin with prose, and its value is a number or, more often, a string."""
NUMBER = {
    "kind": "schema",
    "source": '{"type": "object", "properties": {"a": {"type": "integer"}}, '
    '"required": ["a"], "additionalProperties": false}',
}
