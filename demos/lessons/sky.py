"""The sky trap: renormalised step by step, the popular beginning wins whatever comes after it."""

from playground.lessons.lesson import Beat, Check, Claim, Exercise, Lesson, Prediction, scene

SKY = ("toy:sky", "choices", "skill\ncloud")

LESSON = Lesson(
    slug="sky",
    title="Sky: two words are valid",
    question="Only skill and cloud are valid. Does constrained decoding choose as the model would?",
    minutes=7,
    order=5,
    scenes={
        "skill": scene(
            *SKY,
            path=("sk", "ill"),
            draws=1,
            law=True,
            methods=("unconstrained", "masked", "rejection"),
        ),
        "cloud": scene(
            *SKY,
            path=("cloud",),
            draws=1,
            strings=(
                {"text": "skill", "should": "pass"},
                {"text": "cloud", "should": "pass"},
                {"text": "sky", "should": "fail"},
            ),
        ),
    },
    beats=(
        Beat(
            text="Which word is most like sky? This toy may say what it likes; only skill and cloud are valid.",
            scene="cloud",
            view="schema",
            highlight="strings",
        ),
        Beat(
            text="Seven times in ten. Of the model's own valid answers one in 209 is skill. Z here is the share of all "
            "valid answers.",
            scene="skill",
            view="compare",
            highlight="outcomes",
            predict=Prediction(
                question="The model says sky 59 %, cloud 25 %, skill 0.1 %. How often does masking say skill?",
                options=("Once in 200", "Once in 4", "7 times in 10"),
                answer=2,
            ),
        ),
        Beat(
            text="How so? The model starts with sk, 60 %: it means sky. The mask keeps sk, for skill. Z_t counts "
            "this step alone.",
            step=0,
            highlight="rows",
        ),
        Beat(
            text="Now it wants y, 98 %, and y is blocked. Only ill is left: from 0.2 % to certain.",
            step=1,
            highlight="rows",
        ),
        Beat(
            text="On the other way nothing more is erased: after cloud the model stops by itself.",
            scene="cloud",
            step=1,
            highlight="z",
        ),
        Beat(
            scene="skill",
            text="See sk: what was lost after it is blown up again. That mass belonged to no valid answer.",
            view="squeezing",
            highlight="flow",
        ),
        Beat(
            text="skill comes 148 times too often, cloud less than a third as often as it should.",
            view="squeezing",
            highlight="leaves",
        ),
    ),
    claims=(
        Claim(
            text="The model starts with sk 60 % of the time, and the mask allows sk.",
            checks=(
                Check(fact="p", step=0, of="sk", value=0.6),
                Check(fact="token-allowed", step=0, of="sk", value=True),
            ),
        ),
        Claim(
            text="After sk its first choice y, 98 %, is blocked; ill goes from 0.2 % to certain.",
            checks=(
                Check(fact="argmax", step=1, value="y"),
                Check(fact="argmax-p", step=1, value=0.98),
                Check(fact="argmax-blocked", step=1, value=True),
                Check(fact="p", step=1, of="ill", value=0.002),
                Check(fact="after-mask", step=1, of="ill", value=1),
            ),
        ),
        Claim(
            text="After cloud the mask erases nothing: Z is 1.",
            checks=(Check(fact="z", scene="cloud", step=1, value=1),),
        ),
        Claim(
            text="Masking answers skill 70.6 % of the time; the model's own belief is 1 in 209.",
            checks=(
                Check(fact="masked-of", of="skill", value=0.6 / 0.85),
                Check(fact="exact-of", of="skill", value=0.0012 / 0.2512),
                Check(fact="exact-of", of="cloud", value=0.25 / 0.2512),
            ),
        ),
        Claim(
            text="skill comes 148 times too often, cloud 0.3 times as often as it should: TV 0.70.",
            checks=(
                Check(fact="squeeze-of", of="skill", relation="near", value=148, within=0.5),
                Check(fact="squeeze-of", of="cloud", relation="near", value=0.3, within=0.005),
                Check(fact="tv", value=0.6 / 0.85 - 0.0012 / 0.2512),
            ),
        ),
    ),
    exercises=(
        Exercise(
            question="Add sky to the valid answers. How often does masking write skill now, and how often should it?",
            answer="After sk both y and ill are allowed, so Z there is 0.982. Masking: 0.706 x 0.002 / 0.982 = 0.14 "
            "%. The model itself: 0.0012 / 0.8392 = 0.14 %. Almost nothing is lost after sk, so almost nothing is "
            "squeezed.",
        ),
        Exercise(
            question="Of 1,000 samples without a mask, how many are valid, and how many of those say skill?",
            answer="Z is 0.2512: 251 are valid on average. 1,000 x 0.6 x 0.002 = 1.2 of them say skill.",
        ),
        Exercise(
            question="Take a prompt and a schema of your own to the Compare screen, with masking and rejection. What "
            "do you look for?",
            answer="Texts that masking writes often and rejection hardly ever. Open one in Step: somewhere Z is "
            "small on its way and near 1 on the way of its rivals. That is where the mass was given to the wrong "
            "answer.",
        ),
    ),
    notes="Say first that no step is wrong: each keeps the odds between the tokens it allows. The error is that the "
    "mask never asks how much of a beginning can still be finished. Common belief: the mask only removes nonsense "
    "and leaves the rest as it was. Point at y: its 98 % is given to ill, not to cloud. About 7 minutes; the next "
    "lesson says what the mask would have to know.",
    next="looks-ahead",
)
