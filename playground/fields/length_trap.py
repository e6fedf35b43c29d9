"""Length normalisation on a toy whose numbers can be checked by hand: it flips the answer."""

import json
from typing import Final

from playground.fields.record_type import Field, Option, RecordType
from playground.models.toyspec import EOS, Rule, ToySpec

_LONG = ("Anti", "dis", "establish", "ment", "arian", "ism")
_KEY = '{"capital":'

LENGTH_TRAP: Final = ToySpec(
    name="length-trap",
    title="A long word",
    note="Asked for a capital, the model writes Paris with 0.125 and Antidisestablishmentarianism "
    "with 0.01: Paris has 0.125/0.135 = 0.926 of the two. Paris is 3 tokens with its quotes, the "
    "long word 8: per token 0.125^(1/3) = 0.5 and 0.01^(1/8) = 0.562, so that the mean chooses "
    "the long word.",
    tokens=(_KEY, ' "', "Paris", "not sure", *_LONG, '"', "}"),
    rules=(
        Rule(prefix=(), p={_KEY: 1}),
        Rule(last=_KEY, p={' "': 1}),
        Rule(last=' "', p={"Paris": 0.125, "Anti": 0.01, "not sure": 0.865}),
        *(Rule(last=a, p={b: 1}) for a, b in zip(_LONG, (*_LONG[1:], '"'), strict=True)),
        Rule(last='"', p={"}": 1}),
        Rule(last="}", p={EOS: 1}),
        Rule(p={'"': 1}),
    ),
)

CAPITAL: Final = RecordType(
    fields=(Field(("capital",), "choice", tuple(Option(x, x) for x in ("Paris", "".join(_LONG)))),),
    schema=json.dumps(
        {
            "type": "object",
            "properties": {"capital": {"enum": ["Paris", "".join(_LONG)]}},
            "required": ["capital"],
            "additionalProperties": False,
        }
    ),
)
"""What is asked of it."""
