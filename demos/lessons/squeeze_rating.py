"""Squeezing, by an early end: 1. is the head of a list, and the mask calls it a rating."""

from playground.lessons.lesson import Beat, Check, Claim, Exercise, Lesson, Prediction, scene

PROMPT = (
    "Rate this review from 1 to 5. Answer with the number alone. "
    "Review: It is fine, nothing special."
)
DOTTED = "[1-5]\\.?"

LESSON = Lesson(
    slug="squeeze-rating",
    title="A rating from 1 to 5",
    question="It is fine, says the review. Which rating does it get?",
    minutes=6,
    order=24,
    scenes={
        "one": scene(
            "smollm2",
            "regex",
            DOTTED,
            prompt=PROMPT,
            path=("1", ".", 2),
            max_tokens=16,
            law=True,
        ),
        "three": scene("smollm2", "regex", DOTTED, prompt=PROMPT, path=("3", 2), max_tokens=16),
        "bare": scene(
            "smollm2", "regex", "[1-5]", prompt=PROMPT, path=("1", 2), max_tokens=16, law=True
        ),
        "start": scene("smollm2", "regex", DOTTED, prompt=PROMPT, max_tokens=16),
    },
    beats=(
        Beat(
            text="A number from 1 to 5, with a full stop or without: which rating does masking write most?",
            scene="start",
            step=0,
            highlight="rows",
            predict=Prediction(
                question="A number from 1 to 5, with a full stop or without: which rating does masking write most?",
                options=("1", "3", "5"),
                answer=0,
            ),
        ),
        Beat(
            text="Masked: 1. has 65 %. The model's own law gives it 0.03 %, and 3 29 %. How so?",
            scene="one",
            view="squeezing",
            highlight="leaves",
        ),
        Beat(
            text="1 has 9.3 %, eight times as much as 3: lists begin with 1 too.",
            scene="one",
            step=0,
            highlight="rows",
        ),
        Beat(
            text="After 1 the full stop has 62 %: the model begins a list. Both tokens are legal.",
            step=1,
            highlight="rows",
        ),
        Beat(
            text="Now it would go on writing, as a list does. Only the end is legal: 1 in 8,800.",
            step=2,
            highlight="z",
        ),
        Beat(
            text="After 3 the model stops by itself, 53 %: that was meant as the answer.",
            scene="three",
            step=1,
            highlight="rows",
        ),
        Beat(
            text="Mechanism: an early end. Without the full stop TV falls from .77 to .44, no further.",
            scene="bare",
            view="squeezing",
            highlight="leaves",
        ),
    ),
    claims=(
        Claim(
            text="1 has 9.3 % and 3 has 1.2 %.",
            checks=(
                Check(fact="p", step=0, of="1", relation="near", value=0.0934, within=0.003),
                Check(fact="p", step=0, of="3", relation="near", value=0.0117, within=5e-4),
            ),
        ),
        Claim(
            text="After 1 the full stop has 62 %; after that the end has 1 in 8,800.",
            checks=(
                Check(fact="p", step=1, of=".", relation="near", value=0.616, within=0.01),
                Check(fact="z", step=2, relation="near", value=1 / 8_800, within=4e-6),
            ),
        ),
        Claim(
            text="After 3 the model's first choice is the end, 53 %.",
            checks=(
                Check(fact="argmax-blocked", scene="three", step=1, value=False),
                Check(
                    fact="taken-p", scene="three", step=1, relation="near", value=0.535, within=0.01
                ),
                Check(
                    fact="argmax-p",
                    scene="three",
                    step=1,
                    relation="near",
                    value=0.535,
                    within=0.01,
                ),
            ),
        ),
        Claim(
            text="Masking writes 1. 65 % of the time; the model's own law gives it 0.03 %, and 3 29 %.",
            checks=(
                Check(fact="masked-of", of="1.", relation="near", value=0.653, within=0.005),
                Check(fact="exact-of", of="1.", relation="<", value=0.0005),
                Check(fact="exact-of", of="3", relation="near", value=0.294, within=0.005),
                Check(fact="tv", relation="near", value=0.773, within=0.005),
            ),
        ),
        Claim(
            text="1. comes over 2,000 times too often.",
            checks=(Check(fact="squeeze-of", of="1.", relation=">", value=2_000),),
        ),
        Claim(
            text="With the full stop taken out TV is .44, and 1 still has 72 % instead of 28 %.",
            checks=(
                Check(fact="tv", scene="bare", relation="near", value=0.437, within=0.005),
                Check(
                    fact="masked-of",
                    scene="bare",
                    of="1",
                    relation="near",
                    value=0.721,
                    within=0.005,
                ),
                Check(
                    fact="exact-of",
                    scene="bare",
                    of="1",
                    relation="near",
                    value=0.284,
                    within=0.005,
                ),
            ),
        ),
    ),
    exercises=(
        Exercise(
            question="A rating means the same with a full stop and without. Add both up for the one that is written "
            "most: how often does masking give it, how often the model?",
            answer="Masking: 72 %. The model's own law: 28 %. So the meaning is squeezed too, not the spelling alone.",
        ),
        Exercise(
            question="Why does that rating still come too often when the full stop is no longer legal?",
            answer="The mass that 1 has at the first step comes from lists. The mask can't know that it would have "
            "gone on with a full stop.",
        ),
    ),
    notes="All ten texts are found here, so the law is exact up to the rounding of the model's floats. The first step "
    "is the same whatever comes later: that is the whole problem.",
    next="squeeze-ticket",
)
