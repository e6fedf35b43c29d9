"""A rule that the mask does not enforce looks just like a model that agrees with it."""

import json

from playground.lessons.lesson import Beat, Check, Claim, Exercise, Lesson, Prediction, scene

PAIR = {
    "name": "pair",
    "title": "Two numbers in a list",
    "note": "Each number is 7 with 80 % and 3 with 20 %, whatever the other is.",
    "tokens": ("[", "7", "3", ", ", "]"),
    "rules": (
        {"position": 0, "p": {"[": 1}},
        {"position": 1, "p": {"7": 0.8, "3": 0.2}},
        {"position": 2, "p": {", ": 1}},
        {"position": 3, "p": {"7": 0.8, "3": 0.2}},
        {"position": 4, "p": {"]": 1}},
        {"p": {"<eos>": 1}},
    ),
}
STARS = {
    "name": "stars",
    "title": "Stars",
    "tokens": ('{"stars": ', "5", "42", "}"),
    "rules": (
        {"position": 0, "p": {'{"stars": ': 1}},
        {"position": 1, "p": {"5": 0.5, "42": 0.5}},
        {"position": 2, "p": {"}": 1}},
        {"p": {"<eos>": 1}},
    ),
}
UNIQUE = {
    "type": "array",
    "items": {"type": "integer"},
    "minItems": 2,
    "maxItems": 2,
    "uniqueItems": True,
}
MISSPELT = {
    "type": "object",
    "properties": {"stars": {"type": "integer", "maxium": 5}},
    "required": ["stars"],
    "additionalProperties": False,
}


def strings(*texts: str, bad: str) -> tuple[dict[str, str], ...]:
    """Test strings that should pass, and one that should fail."""
    return (*({"text": text, "should": "pass"} for text in texts), {"text": bad, "should": "fail"})


LESSON = Lesson(
    slug="incomplete-validator",
    title="The mask and the schema",
    question="The output is valid, says the mask. Valid by which test?",
    minutes=7,
    order=17,
    scenes={
        "pair": scene(
            "toy:sky",
            "schema",
            json.dumps(UNIQUE, indent=2),
            toy=PAIR,
            path=("[", "7", ", ", "3", "]"),
            draws=1,
            law=True,
            methods=("masked", "rejection"),
            strings=strings("[7, 3]", "[3, 7]", bad="[7, 7]"),
        ),
        "stars": scene(
            "toy:sky",
            "schema",
            json.dumps(MISSPELT, indent=2),
            toy=STARS,
            path=('{"stars": ', "42", "}"),
            draws=1,
            strings=strings('{"stars": 5}', bad='{"stars": 42}'),
        ),
    },
    beats=(
        Beat(
            text="A toy writes two numbers in a list: 7 with 80 %, 3 with 20 %.",
            step=1,
            highlight="rows",
        ),
        Beat(
            text="Yes. The mask says valid, the schema invalid: this keyword is not enforced.",
            view="schema",
            highlight="strings",
            predict=Prediction(
                question="The schema says uniqueItems: the two must differ. Does the mask made from it let [7, 7] "
                "through?",
                options=("No: uniqueItems forbids it", "Yes"),
                answer=1,
            ),
        ),
        Beat(
            text="So after [7, another 7 is not blocked: Z is 1, as if the model agreed with the rule.",
            step=3,
            highlight="rows",
        ),
        Beat(
            text="[7, 7] has 64 %, and [3, 3] 4 %. Of what counts as valid here, 68 % breaks the schema.",
            view="squeezing",
            highlight="leaves",
        ),
        Beat(
            text="Rejection is no help: with the same test it keeps all 200 draws. It is as right as its test.",
            view="compare",
            highlight="outcomes",
        ),
        Beat(
            text="Another gap: maxium. No judge minds 42 stars, since a misspelt keyword demands nothing.",
            scene="stars",
            view="schema",
            highlight="strings",
        ),
        Beat(
            text="So 42 goes through. Only the explanation tells: maxium is no keyword and is ignored.",
            view="schema",
            highlight="explanation",
        ),
    ),
    claims=(
        Claim(
            text="The mask allows [7, 7]; the schema forbids it. Both allow [7, 3].",
            checks=(
                Check(fact="mask-verdict", of="[7, 7]", value="valid"),
                Check(fact="verdict", of="[7, 7]", value="invalid"),
                Check(fact="mask-verdict", of="[7, 3]", value="valid"),
                Check(fact="verdict", of="[7, 3]", value="valid"),
            ),
        ),
        Claim(
            text="After [7, a second 7 is allowed, with 80 %; nothing is blocked on the way: every Z is 1.",
            checks=(
                Check(fact="token-allowed", step=3, of="7", value=True),
                Check(fact="after-mask", step=3, of="7", value=0.8),
                Check(fact="least-z", value=1),
            ),
        ),
        Claim(
            text="68 % of what counts as valid has equal items: 64 % [7, 7] and 4 % [3, 3].",
            checks=(
                Check(fact="Z", value=1),
                Check(fact="exact-of", of="[7, 7]", value=0.64),
                Check(fact="exact-of", of="[3, 3]", value=0.04),
            ),
        ),
        Claim(
            text="Rejection with this test keeps 200 of 200 draws.",
            checks=(
                Check(fact="drawn", of="rejection", value=200),
                Check(fact="accepted", of="rejection", value=200),
            ),
        ),
        Claim(
            text="With maxium for maximum, 42 stars are valid for the mask and for the schema.",
            checks=(
                Check(fact="mask-verdict", scene="stars", of='{"stars": 42}', value="valid"),
                Check(fact="verdict", scene="stars", of='{"stars": 42}', value="valid"),
            ),
        ),
    ),
    exercises=(
        Exercise(
            question="Test each draw with the whole schema and throw the bad ones away. How many of these masked "
            "draws are left, and what is the share of [7, 3] among them?",
            answer="32 % are left: 1 - 0.64 - 0.04. [7, 3] and [3, 7] have 16 % each, so one half each.",
        ),
        Exercise(
            question="Your provider's JSON mode promises valid JSON. Which test does your code still need?",
            answer="The schema. JSON mode holds the syntax: fields may be missing, extra or of another type. "
            "Validate with the schema that the reader of the data uses.",
        ),
    ),
    notes="Valid has no meaning without its test; name it each time: the mask, the schema, the syntax. Common "
    "belief: a schema that compiles is enforced. Engines differ in what they leave out; a good one lists it. Why "
    "uniqueItems? An automaton would have to remember each number that was written. After the lesson, press Keywords "
    "on the Schema screen with a schema of your own. About 7 minutes.",
    next="tiny-z",
)
