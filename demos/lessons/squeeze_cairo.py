"""Squeezing, by an odd tokenisation: the article The is, byte for byte, the beginning of Thebes."""

from playground.lessons.lesson import Beat, Check, Claim, Exercise, Lesson, Prediction, scene

PROMPT = "What is the capital of Egypt? Answer with the name of the city only."
CITIES = "Cairo\nAlexandria\nThebes"

LESSON = Lesson(
    slug="squeeze-cairo",
    title="The capital of Egypt",
    question="Three cities are allowed. Does the one come out that the model means?",
    minutes=6,
    order=21,
    scenes={
        "thebes": scene(
            "smollm2",
            "choices",
            CITIES,
            prompt=PROMPT,
            path=("The", "b", "es", 2),
            max_tokens=16,
            law=True,
        ),
        "cairo": scene(
            "smollm2", "choices", CITIES, prompt=PROMPT, path=("C", "airo", 2), max_tokens=16
        ),
        "start": scene("smollm2", "choices", CITIES, prompt=PROMPT, max_tokens=16),
    },
    beats=(
        Beat(
            text="Cairo, Alexandria or Thebes: which one does masking write most?",
            scene="start",
            step=0,
            highlight="rows",
            predict=Prediction(
                question="Cairo, Alexandria or Thebes: which one does masking write most?",
                options=("Cairo", "Alexandria", "Thebes"),
                answer=2,
            ),
        ),
        Beat(
            text="Masked: Thebes 98 %, Cairo 0.5 %. The model's own law: Cairo 99 %. How so?",
            scene="thebes",
            view="squeezing",
            highlight="leaves",
        ),
        Beat(
            text="The model wants a sentence that begins with The, 69 %. The mask sees three bytes of Thebes.",
            scene="thebes",
            step=0,
            highlight="rows",
        ),
        Beat(
            text="Next it wants capital, 94 %. Legal are only b, be and bes: 1 in 2.6 million.",
            step=1,
            highlight="z",
        ),
        Beat(
            text="Step by step the word is spelled in odd pieces: The, b, es. Each step pays.",
            step=2,
            highlight="strip",
        ),
        Beat(
            text="Cairo begins with C, 0.33 %, then airo has 94 %: a cheap run, seldom taken.",
            scene="cairo",
            step=1,
            highlight="z",
        ),
        Beat(
            text="Mechanism: odd tokenisation. Bytes fit where the word was never meant, over 20,000 times too often.",
            scene="thebes",
            view="squeezing",
            highlight="leaves",
        ),
    ),
    claims=(
        Claim(
            text="The has 69 %, and the mask lets it in.",
            checks=(
                Check(fact="argmax", step=0, value="The"),
                Check(fact="argmax-p", step=0, relation="near", value=0.692, within=0.01),
                Check(fact="argmax-blocked", step=0, value=False),
            ),
        ),
        Claim(
            text="Then capital is wanted, 94 %; three tokens are legal and hold less than 1 in two million.",
            checks=(
                Check(fact="argmax", step=1, value=" capital"),
                Check(fact="argmax-p", step=1, relation="near", value=0.942, within=0.01),
                Check(fact="allowed", step=1, value=3),
                Check(fact="z", step=1, relation="<", value=5e-7),
            ),
        ),
        Claim(
            text="The steps after that keep less than 1 in 50,000 each.",
            checks=(
                Check(fact="z", step=2, relation="<", value=2e-5),
                Check(fact="z", step=3, relation="<", value=2e-5),
            ),
        ),
        Claim(
            text="C has 0.33 %, and after it the mask keeps 94 %.",
            checks=(
                Check(
                    fact="taken-p",
                    scene="cairo",
                    step=0,
                    relation="near",
                    value=0.0033,
                    within=2e-4,
                ),
                Check(fact="z", scene="cairo", step=1, relation="near", value=0.938, within=0.01),
            ),
        ),
        Claim(
            text="Masking writes Thebes 98 % of the time; the model's own law gives Cairo 99 %.",
            checks=(
                Check(fact="masked-of", of="Thebes", relation="near", value=0.977, within=0.005),
                Check(fact="masked-of", of="Cairo", relation="<", value=0.006),
                Check(fact="exact-of", of="Cairo", relation=">", value=0.985),
                Check(fact="tv", relation=">", value=0.98),
            ),
        ),
        Claim(
            text="Thebes comes over 20,000 times too often.",
            checks=(Check(fact="squeeze-of", of="Thebes", relation=">", value=20_000),),
        ),
    ),
    exercises=(
        Exercise(
            question="Put Giza in the place of Thebes. Which city is written most then?",
            answer="Alexandria, 75 %; Cairo has 19 %, and TV is still .80. Al begins other words that the model "
            "wants, so the next trap opens.",
        ),
        Exercise(
            question="Would a mask that allows only the usual tokens of each city let The in?",
            answer="The usual tokens of Thebes here are The and bes, so it would: the trap is in the bytes and the "
            "tokens both.",
        ),
    ),
    notes="The main run of Thebes is the one shown, with nearly half of its probability after the mask; the run "
    "that is likeliest under the model is another, The and bes. A text's probability is the sum of all of them.",
    next="squeeze-field",
)
