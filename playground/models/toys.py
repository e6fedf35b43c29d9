"""The registry of toys: small tables whose numbers can be checked by hand."""

from collections.abc import Mapping

from playground.models.toyspec import EOS, Rule, ToySpec

_END = Rule(p={EOS: 1})
_BITS = {"0": 0.5, "1": 0.5}

_AGE_SCHEMA = """{
  "type": "object",
  "properties": {
    "name": {"type": "string"},
    "age": {"type": "integer"}
  },
  "required": ["name", "age"],
  "additionalProperties": false
}"""

_ALL = (
    ToySpec(
        name="two-step",
        title="Two steps",
        note="A is nine times likelier than B, but after A the only valid token has probability "
        "0.01. Masking keeps A at 0.9; the model's own belief in Ax is 0.009/0.109 = 0.083.",
        tokens=("A", "B", "x", "y"),
        rules=(
            Rule(prefix=(), p={"A": 0.9, "B": 0.1}),
            Rule(prefix=("A",), p={"x": 0.01, "y": 0.99}),
            Rule(prefix=("B",), p={"x": 1}),
            _END,
        ),
        constraint_kind="regex",
        constraint_source="(A|B)x",
    ),
    ToySpec(
        name="sky",
        title="The word most like sky",
        note="The model means sky or cloud; skill is what is left of sk once the mask has "
        "blocked y. Valid: 25.1 % of samples, nearly all of them cloud.",
        tokens=("sk", "cloud", "other", "y", "ill", "ip"),
        rules=(
            Rule(prefix=(), p={"sk": 0.60, "cloud": 0.25, "other": 0.15}),
            Rule(prefix=("sk",), p={"y": 0.98, "ill": 0.002, "ip": 0.018}),
            _END,
        ),
        constraint_kind="choices",
        constraint_source="skill\ncloud",
    ),
    ToySpec(
        name="binary-len-3",
        title="Three bits",
        note="Fair bits. Valid are 000 and everything that starts with 1: each of the five has "
        "1/5 of the valid mass, masking gives 000 a half (arXiv:2405.21047).",
        tokens=("0", "1"),
        rules=(Rule(position=3, p={EOS: 1}), Rule(p=_BITS)),
        constraint_kind="regex",
        constraint_source="000|1[01]{2}",
    ),
    ToySpec(
        name="binary-len-5-0",
        title="Five bits",
        note="Fair bits. Valid are 00000 and everything that starts with 1: 1/17 each, but "
        "masking gives 00000 a half (arXiv:2405.21047).",
        tokens=("0", "1"),
        rules=(Rule(position=5, p={EOS: 1}), Rule(p=_BITS)),
        constraint_kind="regex",
        constraint_source="00000|1[01]{4}",
    ),
    ToySpec(
        name="mars",
        title="Sums of zeros",
        note="Digits and plus signs, at most five of them. Valid: 0, 0+0 and 0+0+0.",
        tokens=("0", "1", "+"),
        rules=(
            Rule(position=5, p={EOS: 1}),
            Rule(last="0", p={"0": 0.1, "1": 0.1, "+": 0.5, EOS: 0.3}),
            Rule(last="1", p={"0": 0.1, "1": 0.1, "+": 0.5, EOS: 0.3}),
            Rule(last="+", p={"0": 0.5, "1": 0.4, "+": 0.1}),
            Rule(p={"0": 0.4, "1": 0.3, "+": 0.3}),
        ),
        constraint_kind="regex",
        constraint_source=r"0(\+0)*",
    ),
    ToySpec(
        name="age",
        title="An age in JSON",
        note='After {"name": "Ada", "age": the model would rather write x. The mask leaves 5 and '
        "a blank: Z is 0.032, and 5 goes from 3.2 % to 98.5 %.",
        tokens=('{"name": ', '"Ada"', ', "age":', "5", " ", "x", "}", "36", " }", "0"),
        rules=(
            Rule(prefix=(), p={'{"name": ': 1}),
            Rule(prefix=('{"name": ',), p={'"Ada"': 1}),
            Rule(prefix=('{"name": ', '"Ada"'), p={', "age":': 1}),
            Rule(last=', "age":', logits={"5": 12.3, " ": 8.1, "x": 15.7, "}": 11.2}),
            Rule(last=" ", p={"5": 0.6, "36": 0.3, "x": 0.1}),
            Rule(last="5", p={"}": 0.6, " }": 0.1, "0": 0.1, "x": 0.2}),
            Rule(last="36", p={"}": 0.8, " }": 0.2}),
            Rule(last="0", p={"}": 0.8, " }": 0.2}),
            Rule(last="x", p={"}": 1}),
            _END,
        ),
        constraint_kind="schema",
        constraint_source=_AGE_SCHEMA,
    ),
    ToySpec(
        name="country-currency",
        title="Country and currency",
        note="The toss of one coin writes both fields: heads US/USD, tails DE/EUR. Written one "
        "after the other, the currency follows from the country and no pair is ever mixed.",
        tokens=("US", "DE", "/", "USD", "EUR"),
        rules=(
            Rule(prefix=(), p={"US": 0.5, "DE": 0.5}),
            Rule(prefix=("US", "/"), p={"USD": 1}),
            Rule(prefix=("DE", "/"), p={"EUR": 1}),
            Rule(position=1, p={"/": 1}),
            _END,
        ),
        constraint_kind="regex",
        constraint_source="(US|DE)/(USD|EUR)",
    ),
    ToySpec(
        name="think",
        title="A thought before the answer",
        note="Is 91 prime? Without a thought yes is three times likelier than no. After it, between "
        "<< and >>, no is seven times likelier than yes. One run in five answers without a thought "
        "and without markers, which is no answer to who reads between them.",
        tokens=("91 is 7 x 13: ", "<<", "yes", "no", "hm", ">>"),
        rules=(
            Rule(prefix=(), p={"91 is 7 x 13: ": 0.8, "yes": 0.15, "no": 0.05}),
            Rule(last="91 is 7 x 13: ", p={"<<": 1}),
            Rule(last="<<", p={"yes": 0.1, "no": 0.7, "hm": 0.2}),
            Rule(position=3, p={">>": 1}),
            _END,
        ),
        constraint_kind="choices",
        constraint_source="yes\nno",
    ),
)

TOYS: Mapping[str, ToySpec] = {spec.name: spec for spec in _ALL}
"""Every toy, by name."""
