"""The mask asks whether a valid text can follow; the exact law asks how likely one does."""

from playground.lessons.lesson import Beat, Check, Claim, Exercise, Lesson, Prediction, scene

LESSON = Lesson(
    slug="looks-ahead",
    title="One token ahead, or to the end",
    question="What does the mask know when it allows a token?",
    minutes=8,
    order=6,
    scenes={
        "sky": scene("toy:sky", "choices", "skill\ncloud", path=("sk", "ill"), draws=1, law=True),
        "bits": scene(
            "toy:binary-len-3", "regex", "000|1[01]{2}", path=("0", "0", "0"), draws=1, law=True
        ),
    },
    beats=(
        Beat(
            text="The mask asks of each token one thing: can a valid text still follow? For sk and cloud: yes.",
            step=0,
            highlight="rows",
        ),
        Beat(
            text="Once in 500. That chance is called F, the future mass of sk. After cloud F is 1.",
            step=0,
            highlight="exact",
            exact=True,
            predict=Prediction(
                question="Left alone after sk, how often does the model end in a valid answer?",
                options=("Always: sk is allowed", "6 times in 10", "Once in 500"),
                answer=2,
            ),
        ),
        Beat(
            text="The exact law weighs p by F. sk: 60 % of 1/500. cloud: 25 % of 1. Cloud wins.",
            step=0,
            highlight="rows",
            exact=True,
        ),
        Beat(
            text="One step later the mask finds out: Z is 0.002. Too late, sk is taken.",
            step=1,
            highlight="z",
        ),
        Beat(
            text="Another toy: three fair bits. Valid are 000 and all four that begin with 1.",
            scene="bits",
            step=0,
            highlight="constraint",
        ),
        Beat(
            text="Half the time. Behind each first bit the mask sees an open way, not how many texts.",
            step=0,
            highlight="rows",
            predict=Prediction(
                question="Five texts are valid and the model likes all alike. How often does masking write 000?",
                options=("1 time in 8", "1 time in 5", "1 time in 2"),
                answer=2,
            ),
        ),
        Beat(
            text="F is 1/4 after 0 and 1 after 1. So the exact law takes 0 once in 5.",
            step=0,
            highlight="exact",
            exact=True,
        ),
        Beat(
            text="Masking is the exact rule with every F taken for 1 or 0. This is what it costs.",
            view="squeezing",
            highlight="leaves",
        ),
    ),
    claims=(
        Claim(
            text="Left alone after sk the model ends valid once in 500; after cloud always.",
            checks=(
                Check(fact="future", step=0, of="sk", value=0.002),
                Check(fact="future", step=0, of="cloud", value=1),
            ),
        ),
        Claim(
            text="After the mask sk has 70.6 %; under the exact law it has 0.48 % and cloud 99.5 %.",
            checks=(
                Check(fact="after-mask", step=0, of="sk", value=0.6 / 0.85),
                Check(fact="exact-next", step=0, of="sk", value=0.0012 / 0.2512),
                Check(fact="exact-next", step=0, of="cloud", value=0.25 / 0.2512),
            ),
        ),
        Claim(
            text="One step later Z is 0.002, the F of the step before.",
            checks=(Check(fact="z", step=1, value=0.002),),
        ),
        Claim(
            text="Of three fair bits masking writes 000 half the time; all five valid texts have 1/5.",
            checks=(
                Check(fact="texts", scene="bits", value=5),
                Check(fact="masked-of", scene="bits", of="000", value=0.5),
                *(
                    Check(fact="exact-of", scene="bits", of=text, value=0.2)
                    for text in ("000", "100", "101", "110", "111")
                ),
            ),
        ),
        Claim(
            text="F is 1/4 after 0 and 1 after 1, so the exact law takes 0 once in 5.",
            checks=(
                Check(fact="future", scene="bits", step=0, of="0", value=0.25),
                Check(fact="future", scene="bits", step=0, of="1", value=1),
                Check(fact="exact-next", scene="bits", step=0, of="0", value=0.2),
                Check(fact="after-mask", scene="bits", step=0, of="0", value=0.5),
            ),
        ),
    ),
    exercises=(
        Exercise(
            question="Take five fair bits; valid are 00000 and all that begin with 1. What are F(0), F(1), and the "
            "share of 00000 under the mask and under the exact law?",
            answer="F(0) = 1/16, F(1) = 1. Masking: 1/2. Exact: (1/2 x 1/16) / (1/2 x 1/16 + 1/2 x 1) = 1/17.",
        ),
        Exercise(
            question="When is masking the exact law?",
            answer="When at each step all allowed tokens have the same F. Then F cancels: only the odds of p are "
            "left.",
        ),
        Exercise(
            question="F would mend the mask. Why does no engine compute it?",
            answer="F sums over all endings, so it needs the model at every prefix after this one. The automaton "
            "alone says only whether F is above 0. Searches bound it, samplers learn it as they go.",
        ),
    ),
    notes="Write on the board: exact = p x F / sum of p x F; mask = the same with F = 1 for allowed, 0 for blocked. "
    "Common belief: the mask looks ahead to the end because it never runs into a dead end. It knows that an end "
    "exists, not how likely the model is to go there. The second toy shows that no odd words are needed. 8 minutes.",
    next="rejection",
)
