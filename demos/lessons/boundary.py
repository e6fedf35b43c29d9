"""A blank at the end of the prompt is a token by itself; healing lets the model place the cut."""

from playground.lessons.lesson import Beat, Check, Claim, Exercise, Lesson, Prediction, scene

PROMPT = "The capital of France is "
CITIES = "(Paris|London|Rome)"

LESSON = Lesson(
    slug="boundary",
    title="The blank at the end: healing the boundary",
    question="Does a blank at the end of the prompt matter?",
    minutes=6,
    order=16,
    scenes={
        "cut": scene(
            "smollm2",
            "regex",
            CITIES,
            prompt=PROMPT,
            chat=False,
            path=("Paris", 2),
            max_tokens=12,
            law=True,
        ),
        "healed": scene(
            "smollm2",
            "regex",
            CITIES,
            prompt=PROMPT,
            chat=False,
            heal=True,
            path=(" Paris", 2),
            max_tokens=12,
            law=True,
        ),
    },
    beats=(
        Beat(
            text="The prompt ends in a blank, and the blank is a token. Then the model expects a digit.",
            step=0,
            highlight="rows",
        ),
        Beat(
            text="After that blank the model is left alone until it is valid. Which city has most mass?",
            step=0,
            highlight="rows",
            predict=Prediction(
                question="After that blank the model is left alone until it is valid. Which city has most mass?",
                options=("Paris", "London", "Rome"),
                answer=1,
            ),
        ),
        Beat(
            text="London, 70 %; Paris has 29 %. All the words together had 0.12 % at the first step.",
            view="squeezing",
            highlight="leaves",
        ),
        Beat(
            text="Healing takes the blank back. Paris with its blank is one token, and has 77 %.",
            scene="healed",
            step=0,
            highlight="rows",
        ),
        Beat(
            text="The first step kept 1 in 840 of the mass; healed it keeps 80 %.",
            step=0,
            highlight="z",
        ),
        Beat(
            text="Healed, the model's own law gives Paris 93 %. The words of the prompt are the same.",
            view="squeezing",
            highlight="leaves",
        ),
    ),
    claims=(
        Claim(
            text="After the blank the first choice is a digit, and Paris has less than 1 in 1,000.",
            checks=(
                Check(fact="argmax", step=0, value="2"),
                Check(fact="argmax-blocked", step=0, value=True),
                Check(fact="taken-p", step=0, relation="<", value=0.001),
            ),
        ),
        Claim(
            text="There the model's own law over the three is London 70 %, Paris 29 %.",
            checks=(
                Check(fact="exact-of", of="London", relation="near", value=0.70, within=0.01),
                Check(fact="exact-of", of="Paris", relation="near", value=0.29, within=0.01),
            ),
        ),
        Claim(
            text="Healed, the token with its blank has 77 % and the law gives Paris 93 %.",
            checks=(
                Check(fact="taken", scene="healed", step=0, value=" Paris"),
                Check(
                    fact="taken-p",
                    scene="healed",
                    step=0,
                    relation="near",
                    value=0.773,
                    within=0.01,
                ),
                Check(
                    fact="exact-of",
                    scene="healed",
                    of=" Paris",
                    relation="near",
                    value=0.933,
                    within=0.01,
                ),
            ),
        ),
        Claim(
            text="Z at the first step is 1 in 840, and 80 % healed.",
            checks=(
                Check(fact="z", step=0, relation="near", value=1 / 840, within=3e-5),
                Check(fact="z", scene="healed", step=0, relation="near", value=0.796, within=0.01),
            ),
        ),
        Claim(
            text="Masking itself is off by .35 with the lone blank, and by less than .05 healed.",
            checks=(
                Check(fact="tv", relation="near", value=0.35, within=0.01),
                Check(fact="tv", scene="healed", relation="<", value=0.05),
            ),
        ),
    ),
    exercises=(
        Exercise(
            question="Take the blank off the prompt by hand and put it before each city. What comes out?",
            answer="The same law as healed: Paris 93 %, London 6.6 %. Healing does just this, for whatever token the "
            "prompt ends in.",
        ),
        Exercise(
            question="After the lone blank, what does masking write most, and is it what the model believes there?",
            answer="Paris, 61 %; the model's own law there says London, 70 %. The popular city is right by accident.",
        ),
    ),
    notes="Two things change at once: the law of the model, because the prompt's tokens differ, and how far masking is "
    "from it. The first is the boundary, the second is squeezing.",
    next="incomplete-validator",
)
