"""A tiny Z_t: one step of a run where the constraint contradicts a model that is sure."""

from playground.lessons.lesson import Beat, Check, Claim, Exercise, Lesson, Prediction, scene

PROMPT = "What is the capital of France?"

LESSON = Lesson(
    slug="shouting",
    title="How loudly a constraint speaks",
    question="Where do you see how much a constraint takes away from the model?",
    minutes=5,
    order=4,
    scenes={
        "agrees": scene(
            "smollm2",
            "regex",
            r"The capital of France is (Paris|London|Rome)\.",
            prompt=PROMPT,
            path=("The capital of France is Paris.", 2),
            max_tokens=12,
        ),
        "shouts": scene(
            "smollm2",
            "regex",
            r"The capital of France is (Berlin|Madrid)\.",
            prompt=PROMPT,
            path=("The capital of France is Berlin.", 2),
            max_tokens=12,
        ),
    },
    beats=(
        Beat(
            text="Paris, London and Rome are allowed. The mask keeps 96.5 % here: it hardly speaks.",
            step=5,
            highlight="z",
        ),
        Beat(
            text="Now only Berlin and Madrid are allowed. How much of the model's mass does the mask keep?",
            scene="shouts",
            step=5,
            highlight="z",
            predict=Prediction(
                question="Now only Berlin and Madrid are allowed. How much of the model's mass does the mask keep?",
                options=("half", "1 in 20", "1 in 1,000"),
                answer=2,
            ),
        ),
        Beat(
            text="1 in 1,000 is left. That costs ten bits: one halving of the mass for each.",
            step=5,
            highlight="z",
        ),
        Beat(
            text="On the strip one bar towers over the others: here the constraint overruled the model.",
            step=5,
            highlight="strip",
        ),
        Beat(
            text="After the shout all is calm again. The wrong city is ended with 56 % and 69 %.",
            step=6,
            highlight="strip",
        ),
    ),
    claims=(
        Claim(
            text="With Paris on the list the mask keeps 96.5 % at the city.",
            checks=(
                Check(fact="z", step=5, relation="near", value=0.965, within=0.005),
                Check(fact="argmax", step=5, value=" Paris"),
                Check(fact="argmax-blocked", step=5, value=False),
            ),
        ),
        Claim(
            text="Without it the model still wants Paris, 95 %, and the mask keeps 1 in 1,000: ten bits.",
            checks=(
                Check(
                    fact="argmax-p",
                    scene="shouts",
                    step=5,
                    relation="near",
                    value=0.951,
                    within=0.005,
                ),
                Check(fact="argmax-blocked", scene="shouts", step=5, value=True),
                Check(fact="z", scene="shouts", step=5, relation="near", value=0.001, within=2e-5),
                Check(fact="bits", scene="shouts", step=5, relation="near", value=10, within=0.05),
            ),
        ),
        Claim(
            text="No other step of that run costs three bits.",
            checks=(
                *(
                    Check(fact="bits", scene="shouts", step=step, relation="<", value=3)
                    for step in (0, 1, 2, 3, 4, 6, 7)
                ),
                Check(fact="least-z", scene="shouts", relation="<", value=0.0011),
            ),
        ),
        Claim(
            text="After Berlin the full stop has 56 % and the end 69 %.",
            checks=(
                Check(
                    fact="taken-p",
                    scene="shouts",
                    step=6,
                    relation="near",
                    value=0.558,
                    within=0.01,
                ),
                Check(
                    fact="taken-p",
                    scene="shouts",
                    step=7,
                    relation="near",
                    value=0.693,
                    within=0.01,
                ),
            ),
        ),
    ),
    exercises=(
        Exercise(
            question="Allow London and Madrid instead. How many bits does the city cost then?",
            answer="Z is 1.4 %, which is 6.2 bits: the model finds London far less strange than Berlin.",
        ),
        Exercise(
            question="Every valid text of the second constraint pays alike for its city. Is the law over them wrong?",
            answer="Not for that. What all valid texts pay alike changes nothing between them; only "
            "differences do. The lesson tiny-z shows it.",
        ),
    ),
    notes="Bits add up along a run, shares multiply. The words beside Z are a convention of this page; the "
    "number is the fact. A small Z_t is not yet squeezing: keep that word for s of a text.",
    next="sky",
)
