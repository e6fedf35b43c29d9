"""Unbounded whitespace stays legal when nothing else is: a run that never closes, and two bounds that help."""

from playground.lessons.lesson import Beat, Check, Claim, Exercise, Lesson, Prediction, scene

PROMPT = 'Write this as JSON with the key quote: She said "no" and left.'
UNBOUNDED = r'\{[ \n]*"quote":[ \n]*"[a-zA-Z ,.!]*"[ \n]*\}'
SCHEMA = """{
  "type": "object",
  "properties": {"quote": {"type": "string", "pattern": "^[a-zA-Z ,.!]*$"}},
  "required": ["quote"],
  "additionalProperties": false
}"""
BEGUN = ('{"quote": "She said "',)
SEED = {"seed": 2}

LESSON = Lesson(
    slug="whitespace",
    title="Legal is not sane",
    question="Every token is legal, and still no answer comes. What is the run doing?",
    minutes=7,
    order=11,
    scenes={
        "unbounded": scene(
            "smollm2",
            "regex",
            UNBOUNDED,
            prompt=PROMPT,
            path=BEGUN,
            draws=16,
            sampling=SEED,
            max_tokens=14,
        ),
        "eight": scene(
            "smollm2",
            "schema",
            SCHEMA,
            whitespace="flexible",
            prompt=PROMPT,
            path=BEGUN,
            draws=16,
            sampling=SEED,
            max_tokens=14,
        ),
        "one": scene(
            "smollm2",
            "schema",
            SCHEMA,
            whitespace="one",
            prompt=PROMPT,
            path=BEGUN,
            draws=16,
            sampling=SEED,
            max_tokens=14,
        ),
    },
    beats=(
        Beat(
            text="She said, and the model opens a quotation, 92 %. The pattern has no escape: this closes the value.",
            step=6,
            highlight="rows",
        ),
        Beat(
            text="Now it wants to write no. Whitespace and } are legal: how much of the model's mass is left?",
            step=7,
            highlight="z",
            predict=Prediction(
                question="Now it wants to write no. Whitespace and } are legal: how much of the model's mass is left?",
                options=("about half", "about 1 %", "less than 1 in 100,000"),
                answer=2,
            ),
        ),
        Beat(
            text="The word has 98 % and is blocked. Whitespace and } share 1 in 160,000, and whitespace wins the draw.",
            step=7,
            highlight="z",
        ),
        Beat(
            text="Blanks and newlines go on: after each of them another one is legal.",
            step=10,
            highlight="strip",
        ),
        Beat(
            text="The limit of 14 tokens ends it. The text is incomplete, not invalid: } is missing.",
            step=13,
            highlight="verdict",
        ),
        Beat(
            text="Same seed, at most eight blanks: they run out, } is forced, the object closes.",
            scene="eight",
            step=12,
            highlight="rows",
        ),
        Beat(
            text="Same seed, one blank at most: closed two tokens after the quote. But no is still lost.",
            scene="one",
            step=8,
            highlight="verdict",
        ),
    ),
    claims=(
        Claim(
            text="The model closes the value early, 92 %: the token is the start of a quotation.",
            checks=(
                Check(fact="taken", step=6, value=' "'),
                Check(fact="taken-p", step=6, relation="near", value=0.916, within=0.01),
            ),
        ),
        Claim(
            text="Then it wants no, 98 %, which is blocked; all that is legal has less than 1 in 100,000.",
            checks=(
                Check(fact="argmax", step=7, value="no"),
                Check(fact="argmax-p", step=7, relation="near", value=0.983, within=0.005),
                Check(fact="argmax-blocked", step=7, value=True),
                Check(fact="z", step=7, relation="<", value=1e-5),
                Check(fact="z", step=7, relation=">", value=5e-6),
            ),
        ),
        Claim(
            text="With unbounded whitespace the run stands at the limit of 14 tokens, not finished.",
            checks=(
                Check(fact="outcome", value="truncated"),
                Check(fact="steps", value=14),
                Check(fact="allowed", step=13, relation=">", value=100),
            ),
        ),
        Claim(
            text="With at most eight blanks the same seed comes to a forced } and ends.",
            checks=(
                Check(fact="outcome", scene="eight", value="accepted"),
                Check(fact="forced", scene="eight", step=12, value=True),
                Check(fact="taken", scene="eight", step=12, value="}"),
            ),
        ),
        Claim(
            text="With one blank at most it ends after 10 tokens.",
            checks=(
                Check(fact="outcome", scene="one", value="accepted"),
                Check(fact="steps", scene="one", value=10),
                Check(fact="text", scene="one", value='{"quote": "She said " }'),
            ),
        ),
    ),
    exercises=(
        Exercise(
            question="Give the unbounded run 24 tokens instead of 14. Does it end?",
            answer="Yes, after 17 tokens: at last } is drawn. A larger limit helps this seed; a bound helps every one.",
        ),
        Exercise(
            question="Does a bound on whitespace make the answer right?",
            answer="No: the quotation is still cut off. A pattern that lets the quote be escaped, or another mark, "
            "would let the model go on.",
        ),
    ),
    notes="Left alone this model writes the quotation without escaping it, so its own text would not be JSON. The "
    "mask makes it JSON by ending the value where the model only meant to quote.",
    next="order",
)
