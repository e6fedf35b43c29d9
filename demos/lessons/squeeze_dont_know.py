"""Squeezing, by a prefix trap and an early end: the I of an apology becomes I don't know."""

from playground.lessons.lesson import Beat, Check, Claim, Exercise, Lesson, Prediction, scene

PROMPT = "Will it rain tomorrow? Answer yes, no or I don't know."
ANSWERS = "Yes\nNo\nI don't know"

LESSON = Lesson(
    slug="squeeze-dont-know",
    title="Yes, No, or I don't know",
    question="I don't know is a valid answer. Does the model believe it when it comes?",
    minutes=6,
    order=23,
    scenes={
        "dont-know": scene(
            "smollm2",
            "choices",
            ANSWERS,
            prompt=PROMPT,
            path=("I", " don", "'t", " know", 2),
            max_tokens=16,
            law=True,
        ),
        "no": scene("smollm2", "choices", ANSWERS, prompt=PROMPT, path=("No", 2), max_tokens=16),
        "unsure": scene(
            "smollm2",
            "choices",
            "Yes\nNo\nUnsure",
            prompt=PROMPT,
            path=("No", 2),
            max_tokens=16,
            law=True,
        ),
    },
    beats=(
        Beat(
            text="I has 16 %, more than No or Yes. It is legal: I don't know begins with it.",
            step=0,
            highlight="rows",
        ),
        Beat(
            text="The model has written I. What does it want to say next?",
            step=1,
            highlight="rows",
            predict=Prediction(
                question="The model has written I. What does it want to say next?",
                options=("I don't know", "I'm ...", "It is ..."),
                answer=1,
            ),
        ),
        Beat(
            text="I'm, 62 %. The mask keeps 3.3 % of the mass, nearly all of it for don't.",
            step=1,
            highlight="z",
        ),
        Beat(
            text="At the end it wants a full stop, 76 %. Stopping here has 1 in 19,000: an early end.",
            step=4,
            highlight="z",
        ),
        Beat(
            text="No begins with 5 %, and stops there with 5.5 %: not much, but 1,000 times as much.",
            scene="no",
            step=1,
            highlight="z",
        ),
        Beat(
            text="Masked: I don't know 62 %. The model's own law over the three: No 69 %, Yes 31 %.",
            scene="dont-know",
            view="squeezing",
            highlight="leaves",
        ),
        Beat(
            text="Mechanism: prefix trap, then early end. Call it Unsure, and TV falls from .62 to .15.",
            scene="unsure",
            view="squeezing",
            highlight="leaves",
        ),
    ),
    claims=(
        Claim(
            text="I has 16 %, the model's first choice, and is legal.",
            checks=(
                Check(fact="argmax", step=0, value="I"),
                Check(fact="argmax-p", step=0, relation="near", value=0.16, within=0.005),
                Check(fact="argmax-blocked", step=0, value=False),
            ),
        ),
        Claim(
            text="After I the model wants 'm, 62 %, which is blocked; Z is 3.3 %.",
            checks=(
                Check(fact="argmax", step=1, value="'m"),
                Check(fact="argmax-p", step=1, relation="near", value=0.619, within=0.01),
                Check(fact="argmax-blocked", step=1, value=True),
                Check(fact="z", step=1, relation="near", value=0.0326, within=0.001),
            ),
        ),
        Claim(
            text="After I don't know it wants a full stop, 76 %; the end has 1 in 19,000. After No the end has 5.5 %.",
            checks=(
                Check(fact="argmax", step=4, value="."),
                Check(fact="argmax-p", step=4, relation="near", value=0.764, within=0.01),
                Check(fact="z", step=4, relation="near", value=5.39e-5, within=2e-6),
                Check(fact="z", scene="no", step=1, relation="near", value=0.0548, within=0.002),
            ),
        ),
        Claim(
            text="Masking writes I don't know 62 % of the time; the model's own law has under 1 in 1,000, No 69 %.",
            checks=(
                Check(
                    fact="masked-of", of="I don't know", relation="near", value=0.623, within=0.005
                ),
                Check(fact="exact-of", of="I don't know", relation="<", value=0.001),
                Check(fact="exact-of", of="No", relation="near", value=0.688, within=0.005),
                Check(fact="exact-of", of="Yes", relation="near", value=0.311, within=0.005),
            ),
        ),
        Claim(
            text="TV is .62, and I don't know comes over 3,000 times too often.",
            checks=(
                Check(fact="tv", relation="near", value=0.623, within=0.005),
                Check(fact="squeeze-of", of="I don't know", relation=">", value=3_000),
            ),
        ),
        Claim(
            text="With Unsure in its place TV is under .16.",
            checks=(
                Check(fact="tv", scene="unsure", relation="<", value=0.16),
                Check(fact="tv", scene="unsure", relation=">", value=0.13),
            ),
        ),
    ),
    exercises=(
        Exercise(
            question="Allow a full stop after each answer. Is the squeezing gone?",
            answer="Most of it is still there: TV is .51. I don't know, with its full stop, is written 62 % of the "
            "time against 11 %. The early end is mended, the prefix trap is not.",
        ),
        Exercise(
            question="Does a high share of I don't know show that the model is careful?",
            answer="Not here: the mask made it out of another sentence. The model's own law over the three has under "
            "1 in 1,000 for it.",
        ),
    ),
    notes="Two mechanisms in one run, so ask at each step which of them pays: 3.3 % at the second step is the trap, "
    "1 in 19,000 at the last is the early end.",
    next="squeeze-rating",
)
