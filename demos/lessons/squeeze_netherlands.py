"""Squeezing, by a sentence that was wanted before the answer: The Hague for the capital of the Netherlands."""

from playground.lessons.lesson import Beat, Check, Claim, Exercise, Lesson, Prediction, scene

PROMPT = "What is the capital of the Netherlands? Answer with the name of the city only."
CITIES = "Amsterdam\nRotterdam\nThe Hague"
SENTENCE = (
    r"(Amsterdam|Rotterdam|The Hague|"
    r"The capital of the Netherlands is (Amsterdam|Rotterdam|The Hague)\.)"
)

LESSON = Lesson(
    slug="squeeze-netherlands",
    title="The capital of the Netherlands",
    question="Three cities are allowed. What does constrained decoding make of what the model knows?",
    minutes=7,
    order=20,
    scenes={
        "hague": scene(
            "smollm2",
            "choices",
            CITIES,
            prompt=PROMPT,
            path=("The", " Hague", 2),
            max_tokens=16,
            law=True,
        ),
        "amsterdam": scene(
            "smollm2", "choices", CITIES, prompt=PROMPT, path=("Am", "sterdam", 2), max_tokens=16
        ),
        "sentence": scene(
            "smollm2",
            "regex",
            SENTENCE,
            prompt=PROMPT,
            path=("The capital of the Netherlands is Amsterdam.", 2),
            max_tokens=16,
            law=True,
        ),
        "start": scene("smollm2", "choices", CITIES, prompt=PROMPT, max_tokens=16),
    },
    beats=(
        Beat(
            text="Amsterdam, Rotterdam or The Hague: which one does masking write most?",
            scene="start",
            step=0,
            highlight="rows",
            predict=Prediction(
                question="Amsterdam, Rotterdam or The Hague: which one does masking write most?",
                options=("Amsterdam", "Rotterdam", "The Hague"),
                answer=2,
            ),
        ),
        Beat(
            text="Masked: The Hague 97.8 %. The model's own law over the three: Amsterdam 99.9 %. How so?",
            scene="hague",
            view="squeezing",
            highlight="leaves",
        ),
        Beat(
            text="The model wants to begin a sentence: The, 63 %. It is legal, as the start of The Hague.",
            scene="hague",
            step=0,
            highlight="rows",
        ),
        Beat(
            text="Now it wants capital, 92 %. Blocked: of what is left, 1 in 410, Hague takes 94 %.",
            step=1,
            highlight="z",
        ),
        Beat(
            text="Amsterdam begins with Am, 1.1 %, and after that sterdam has 99.9 %: almost nothing is lost.",
            scene="amsterdam",
            step=1,
            highlight="z",
        ),
        Beat(
            text="Mechanism: a prefix trap. Free text was wanted first, and its first word begins another answer.",
            scene="hague",
            view="squeezing",
            highlight="flow",
        ),
        Beat(
            text="Let the sentence be valid too: masking now writes it, with Amsterdam. TV falls to .03.",
            scene="sentence",
            view="squeezing",
            highlight="leaves",
        ),
    ),
    claims=(
        Claim(
            text="The model's first choice is The, 63 %, and the mask lets it in.",
            checks=(
                Check(fact="argmax", step=0, value="The"),
                Check(fact="argmax-p", step=0, relation="near", value=0.629, within=0.01),
                Check(fact="argmax-blocked", step=0, value=False),
            ),
        ),
        Claim(
            text="After The it wants capital, 92 %, which is blocked; Z is 1 in 410 and Hague gets 94 %.",
            checks=(
                Check(fact="argmax", step=1, value=" capital"),
                Check(fact="argmax-p", step=1, relation="near", value=0.92, within=0.01),
                Check(fact="argmax-blocked", step=1, value=True),
                Check(fact="z", step=1, relation="near", value=1 / 406, within=4e-5),
                Check(
                    fact="after-mask", step=1, of=" Hague", relation="near", value=0.94, within=0.01
                ),
            ),
        ),
        Claim(
            text="Am has 1.1 %, and after it the mask keeps 99.9 %.",
            checks=(
                Check(
                    fact="taken-p",
                    scene="amsterdam",
                    step=0,
                    relation="near",
                    value=0.011,
                    within=5e-4,
                ),
                Check(fact="z", scene="amsterdam", step=1, relation=">", value=0.998),
            ),
        ),
        Claim(
            text="Masking writes The Hague 98 % of the time; the model's own law gives Amsterdam over 99 %.",
            checks=(
                Check(fact="masked-of", of="The Hague", relation="near", value=0.978, within=0.005),
                Check(fact="exact-of", of="Amsterdam", relation=">", value=0.998),
                Check(fact="exact-of", of="The Hague", relation="<", value=0.001),
                Check(fact="tv", relation="near", value=0.978, within=0.005),
            ),
        ),
        Claim(
            text="The Hague comes over 1,400 times too often.",
            checks=(Check(fact="squeeze-of", of="The Hague", relation=">", value=1_400),),
        ),
        Claim(
            text="With the sentence allowed, masking writes it with Amsterdam, 96 %, and TV is under .05.",
            checks=(
                Check(
                    fact="masked-of",
                    scene="sentence",
                    of="The capital of the Netherlands is Amsterdam.",
                    relation="near",
                    value=0.962,
                    within=0.01,
                ),
                Check(fact="tv", scene="sentence", relation="<", value=0.05),
                Check(fact="Z", scene="sentence", relation="near", value=0.349, within=0.01),
            ),
        ),
    ),
    exercises=(
        Exercise(
            question="Take the article off The Hague in the list. What becomes of TV?",
            answer="It falls to .44: The is blocked at once, Amsterdam gets 56 %. But H still begins other words that "
            "the model meant, so Hague has 41 %.",
        ),
        Exercise(
            question="How often is an unconstrained answer valid with the list, and how often with the sentence too?",
            answer="3 in 10,000 with the list; 35 % with the sentence: this model answers in sentences.",
        ),
    ),
    notes="The three steps of The Hague: Z is .64, then 1 in 410, then 1 in 7,800 for the end. Those of Amsterdam: "
    ".64, 1.0, 1 in 37. The products differ by a factor of 85,000, and s with them.",
    next="squeeze-cairo",
)
