"""One token that closes a key, writes the colon and opens the value: several moves of the automaton."""

from playground.lessons.lesson import Beat, Check, Claim, Exercise, Lesson, Prediction, scene

PROMPT = "Extract the name and the city as JSON. Text: Anna lives in Berlin."
SCHEMA = """{
  "type": "object",
  "properties": {
    "name": {"type": "string", "minLength": 1, "maxLength": 12},
    "city": {"enum": ["Berlin", "Paris"]}
  },
  "required": ["name", "city"],
  "additionalProperties": false
}"""
TEXT = '{"name":"Anna","city":"Berlin"}'
JOINED = ('{"', "name", '":"', "Anna", '","', "city", '":"', "Ber", "lin", '"}', 2)
APART = (
    '{"', "name", '"', ":", '"', "Anna", '"', ",", '"',
    "city", '"', ":", '"', "Ber", "lin", '"', "}", 2,
)  # fmt: skip

LESSON = Lesson(
    slug="token-states",
    title="The automaton under a token",
    question="The automaton moves byte by byte. What does it do at a token of several bytes?",
    minutes=6,
    order=9,
    scenes={
        "joined": scene(
            "smollm2",
            "schema",
            SCHEMA,
            whitespace="none",
            prompt=PROMPT,
            path=JOINED,
            max_tokens=24,
        ),
        "apart": scene(
            "smollm2", "schema", SCHEMA, whitespace="none", prompt=PROMPT, path=APART, max_tokens=24
        ),
    },
    beats=(
        Beat(
            text="We are inside the key name. The state says what may follow, byte by byte.",
            step=2,
            highlight="state",
        ),
        Beat(
            text='The token "," follows Anna. How many moves does the automaton make at it?',
            step=4,
            highlight="state",
            predict=Prediction(
                question='The token "," follows Anna. How many moves does the automaton make at it?',
                options=("one", "two", "three"),
                answer=2,
            ),
        ),
        Beat(
            text="Three: close the value, comma, open the next key. One token leaves one field and enters another.",
            step=4,
            highlight="state",
        ),
        Beat(
            text='":" does it again, from key to value, and here it is the model\'s first choice, 73 %.',
            step=6,
            highlight="rows",
        ),
        Beat(
            text="The same bytes can come one by one: 18 tokens in place of 11, one move for each mark.",
            scene="apart",
            step=7,
            highlight="strip",
        ),
        Beat(
            text="Same text, same states, other tokens: the lone comma had 1 in 16,000 here.",
            step=7,
            highlight="rows",
        ),
    ),
    claims=(
        Claim(
            text='The tokens ":" and "," make three moves each.',
            checks=(
                Check(fact="taken", step=2, value='":"'),
                Check(fact="hops", step=2, relation="is", value=3),
                Check(fact="taken", step=4, value='","'),
                Check(fact="hops", step=4, relation="is", value=3),
                Check(fact="hops", step=6, relation="is", value=3),
            ),
        ),
        Claim(
            text='The token "," had 33 %; the second ":" 73 %, the model\'s first choice.',
            checks=(
                Check(fact="taken-p", step=4, relation="near", value=0.329, within=0.01),
                Check(fact="taken-p", step=6, relation="near", value=0.732, within=0.01),
                Check(fact="argmax", step=6, value='":"'),
            ),
        ),
        Claim(
            text="Both runs write the same text: one with 11 tokens, one with 18.",
            checks=(
                Check(fact="text", value=TEXT),
                Check(fact="text", scene="apart", value=TEXT),
                Check(fact="steps", value=11),
                Check(fact="steps", scene="apart", value=18),
            ),
        ),
        Claim(
            text="Written apart, the comma is one move and had 1 in 16,000; the model wanted it with the quote.",
            checks=(
                Check(fact="taken", scene="apart", step=7, value=","),
                Check(fact="hops", scene="apart", step=7, value=1),
                Check(
                    fact="taken-p",
                    scene="apart",
                    step=7,
                    relation="near",
                    value=1 / 16_400,
                    within=2e-6,
                ),
                Check(fact="argmax", scene="apart", step=7, value=',"'),
            ),
        ),
    ),
    exercises=(
        Exercise(
            question='At the step of the first ":", which other tokens are legal, and how far does each go?',
            answer='Three tokens are legal: " makes one move, ": two and ":" three. All of them spell the '
            "only way on.",
        ),
        Exercise(
            question="Why may a mask not look at the first byte of a token alone?",
            answer='Every byte has to be legal in turn. At the first ":" the token "," begins with a legal '
            "quote too, and is blocked at its second byte.",
        ),
    ),
    notes="Click a row to see the bytes and the states between them. A mask is a question asked of every "
    "token of the vocabulary: does the automaton survive all of its bytes?",
    next="forced",
)
