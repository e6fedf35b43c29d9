"""The right answer isn't on the list: every masked answer is valid, and every one is wrong."""

from playground.lessons.lesson import Beat, Check, Claim, Exercise, Lesson, Prediction, scene

PROMPT = "What is the capital of Italy?"

LESSON = Lesson(
    slug="none-of-these",
    title="Valid is not right",
    question="All answers are valid. What if the right one was never on the list?",
    minutes=7,
    order=13,
    scenes={
        "missing": scene(
            "smollm2",
            "regex",
            r"The capital of Italy is (Paris|London|Madrid)\.",
            prompt=PROMPT,
            path=("The capital of Italy is Paris.", 2),
            max_tokens=16,
            law=True,
            methods=("unconstrained", "masked"),
            n=50,
        ),
        "listed": scene(
            "smollm2",
            "regex",
            r"The capital of Italy is (Paris|London|Madrid|Rome)\.",
            prompt=PROMPT,
            path=("The capital of Italy is Rome.", 2),
            max_tokens=16,
            law=True,
        ),
        "way-out": scene(
            "smollm2",
            "regex",
            r"The capital of Italy is (Paris|London|Madrid|not listed)\.",
            prompt=PROMPT,
            path=("The capital of Italy is not listed.", 2),
            max_tokens=16,
            law=True,
        ),
        "start": scene(
            "smollm2",
            "regex",
            r"The capital of Italy is (Paris|London|Madrid)\.",
            prompt=PROMPT,
            max_tokens=16,
        ),
    },
    beats=(
        Beat(
            text="Rome is not on the list. Paris, London or Madrid: which city does masking write most?",
            scene="start",
            step=0,
            highlight="rows",
            predict=Prediction(
                question="Rome is not on the list. Paris, London or Madrid: which city does masking write most?",
                options=("Paris", "London", "Madrid", "no answer at all"),
                answer=1,
            ),
        ),
        Beat(
            text="London, 81 %: four in five.",
            scene="missing",
            view="squeezing",
            highlight="leaves",
        ),
        Beat(
            text="The model wants Rome, 85 %. The three listed cities hold 0.57 % of its mass together.",
            step=5,
            highlight="z",
        ),
        Beat(
            text="Masked, 50 of 50 draws are valid, and all are wrong: valid texts, not answers.",
            view="compare",
            highlight="cards",
        ),
        Beat(
            text="The model alone: a valid answer comes once in 50,000 draws. It says none of these.",
            view="compare",
            highlight="cost",
        ),
        Beat(
            text="Put Rome on the list: the mask keeps 85.5 %, and Rome takes 99 %.",
            scene="listed",
            step=5,
            highlight="z",
        ),
        Beat(
            text="Offer not listed instead: 14 % after the mask. The model alone almost never says it.",
            scene="way-out",
            view="squeezing",
            highlight="leaves",
        ),
    ),
    claims=(
        Claim(
            text="The model wants Rome, 85 %, which is blocked; Z is 0.57 %.",
            checks=(
                Check(fact="argmax", step=5, value=" Rome"),
                Check(fact="argmax-p", step=5, relation="near", value=0.849, within=0.01),
                Check(fact="argmax-blocked", step=5, value=True),
                Check(fact="z", step=5, relation="near", value=0.0057, within=1e-4),
            ),
        ),
        Claim(
            text="Masking writes London four times in five.",
            checks=(
                Check(
                    fact="masked-of",
                    of="The capital of Italy is London.",
                    relation="near",
                    value=0.81,
                    within=0.015,
                ),
            ),
        ),
        Claim(
            text="All 50 masked draws are valid; an unconstrained one is so once in 50,000.",
            checks=(
                Check(fact="drawn", of="masked", value=50),
                Check(fact="accepted", of="masked", value=50),
                Check(fact="accepted", of="unconstrained", relation="<", value=2),
                Check(fact="Z", relation="near", value=2e-5, within=5e-7),
            ),
        ),
        Claim(
            text="With Rome on the list the mask keeps 85.5 % there and Rome has 99 % of all answers.",
            checks=(
                Check(fact="z", scene="listed", step=5, relation="near", value=0.855, within=0.01),
                Check(
                    fact="masked-of",
                    scene="listed",
                    of="The capital of Italy is Rome.",
                    relation=">",
                    value=0.98,
                ),
                Check(fact="tv", scene="listed", relation="<", value=0.02),
            ),
        ),
        Claim(
            text="The way out has 14 % after the mask, though the model's own law gives it under 0.1 %.",
            checks=(
                Check(
                    fact="masked-of",
                    scene="way-out",
                    of="The capital of Italy is not listed.",
                    relation="near",
                    value=0.139,
                    within=0.01,
                ),
                Check(
                    fact="exact-of",
                    scene="way-out",
                    of="The capital of Italy is not listed.",
                    relation="<",
                    value=0.001,
                ),
            ),
        ),
    ),
    exercises=(
        Exercise(
            question="The city that masking writes most gets four in five, yet the token of its name has only 6 % "
            "after the mask. Through which token does the rest come?",
            answer="Through the token L with its blank: 0.43 % of the model's 0.57 %. Whatever it was meant "
            "for, it may begin London.",
        ),
        Exercise(
            question="Which number would you watch in a program to notice that the answer isn't on the list?",
            answer="Z_t where the answer begins: 0.57 % without Rome, 85.5 % with it. The probability after the mask "
            "can't tell.",
        ),
    ),
    notes="Wrong here means wrong as an answer: the mask did what was asked. An option for none of these helps only "
    "if the model would say it in these words.",
    next="country-currency",
)
