"""Every Z_t is tiny on the real model, and masking is right to one per cent."""

from playground.lessons.lesson import Beat, Check, Claim, Exercise, Lesson, Prediction, scene

PROMPT = "The opposite of hot is "
WORDS = "cold\nwarm"

LESSON = Lesson(
    slug="tiny-z-real",
    title="Tiny Z on the real model",
    question="The mask throws away nearly everything at every step. How far off is the law?",
    minutes=6,
    order=19,
    scenes={
        "cold": scene(
            "smollm2",
            "choices",
            WORDS,
            prompt=PROMPT,
            chat=False,
            path=("cold", 2),
            max_tokens=16,
            law=True,
        ),
        "warm": scene(
            "smollm2", "choices", WORDS, prompt=PROMPT, chat=False, path=("warm", 2), max_tokens=16
        ),
        "hague": scene(
            "smollm2",
            "choices",
            "Amsterdam\nRotterdam\nThe Hague",
            prompt="What is the capital of the Netherlands? Answer with the name of the city only.",
            path=("The", " Hague", 2),
            max_tokens=16,
            law=True,
        ),
    },
    beats=(
        Beat(
            text="After the blank the model wants a digit. Both words together have 1 in 18,000.",
            step=0,
            highlight="z",
        ),
        Beat(
            text="After cold it wants a full stop. The end, the only legal token, has 1 in 400,000.",
            step=1,
            highlight="z",
        ),
        Beat(
            text="After warm it is nearly the same: 1 in 310,000. Both words pay alike.",
            scene="warm",
            step=1,
            highlight="z",
        ),
        Beat(
            text="Every Z_t is under 1 in 10,000. How far is masking from the model's own law (TV)?",
            scene="cold",
            step=1,
            highlight="strip",
            predict=Prediction(
                question="Every Z_t is under 1 in 10,000. How far is masking from the model's own law (TV)?",
                options=("about .01", "about .5", "above .9"),
                answer=0,
            ),
        ),
        Beat(
            text="TV is .01: cold 89 % masked, 88 % by the model's own law.",
            view="squeezing",
            highlight="leaves",
        ),
        Beat(
            text="Here the first Z is 64 %, and TV is .98: what counts is how Z differs between texts.",
            scene="hague",
            view="squeezing",
            highlight="leaves",
        ),
    ),
    claims=(
        Claim(
            text="In both runs every Z_t is under 1 in 10,000.",
            checks=(
                Check(fact="largest-z", relation="<", value=1e-4),
                Check(fact="largest-z", scene="warm", relation="<", value=1e-4),
            ),
        ),
        Claim(
            text="The end has 1 in 400,000 after cold and 1 in 310,000 after warm.",
            checks=(
                Check(fact="z", step=1, relation="near", value=2.5e-6, within=5e-8),
                Check(fact="z", scene="warm", step=1, relation="near", value=3.2e-6, within=6e-8),
            ),
        ),
        Claim(
            text="TV is about .01; cold is written 1.01 times too often, warm .92 times.",
            checks=(
                Check(fact="tv", relation="<", value=0.012),
                Check(fact="tv", relation=">", value=0.008),
                Check(fact="squeeze-of", of="cold", relation="near", value=1.011, within=0.005),
                Check(fact="squeeze-of", of="warm", relation="near", value=0.919, within=0.01),
            ),
        ),
        Claim(
            text="A valid text comes once in seven thousand million draws: Z is under 2e-10.",
            checks=(Check(fact="Z", relation="near", value=1.377e-10, within=3e-12),),
        ),
        Claim(
            text="In the other problem the first Z is 64 % and TV .98.",
            checks=(
                Check(fact="z", scene="hague", step=0, relation="near", value=0.645, within=0.01),
                Check(fact="tv", scene="hague", relation="near", value=0.978, within=0.005),
            ),
        ),
    ),
    exercises=(
        Exercise(
            question="Take the blank off the prompt and put it before both words. What become Z and TV?",
            answer="Z rises to 1.5e-6, ten thousand times as much, and TV falls to .003. It was small before, too.",
        ),
        Exercise(
            question="Which numbers would have to be equal for TV to be exactly 0?",
            answer="The product of Z_t of every valid run: then p~ and p_V are p divided by one and the same number.",
        ),
    ),
    notes="A small product of Z_t says that rejection would be hopeless, not that masking is wrong. Ask for the spread "
    "of the products, not for their size.",
    next="squeeze-netherlands",
)
