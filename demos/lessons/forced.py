"""A single allowed token: 100 % after the mask, whatever the model thinks of it."""

from playground.lessons.lesson import Beat, Check, Claim, Exercise, Lesson, Prediction, scene

PROMPT = "The first man walked on the Moon in the year"

LESSON = Lesson(
    slug="forced",
    title="A token with 100 %",
    question="Only one token is allowed, so it has 100 % after the mask. Does the model agree?",
    minutes=5,
    order=10,
    scenes={
        "decades": scene(
            "smollm2",
            "regex",
            " (1950|1960|1970|1980)",
            prompt=PROMPT,
            chat=False,
            path=(" 1960", 2),
            max_tokens=8,
        ),
        "with-1969": scene(
            "smollm2",
            "regex",
            " (1950|1960|1969|1970|1980)",
            prompt=PROMPT,
            chat=False,
            path=(" 1969", 2),
            max_tokens=8,
        ),
    },
    beats=(
        Beat(
            text="A form offers four decades. All begin with a blank: forced, and the model agrees, 98.9 %.",
            step=0,
            highlight="rows",
        ),
        Beat(
            text="1 and 9 are forced as well, and wanted. The third digit is free: 6, says the model, 99 %.",
            step=3,
            highlight="rows",
        ),
        Beat(
            text="After 196 only 0 is legal, so it gets 100 %. How likely did the model find it?",
            step=4,
            highlight="rows",
            predict=Prediction(
                question="After 196 only 0 is legal, so it gets 100 %. How likely did the model find it?",
                options=("about 99 %", "about 1 %", "less than 1 in 10,000"),
                answer=2,
            ),
        ),
        Beat(
            text="1 in 22,000. It wanted 9, for 1969, with 99.8 %. The mask writes 0 with 100 %.",
            step=4,
            highlight="z",
        ),
        Beat(
            text="On the strip the locks look alike: agreed or not, a lock is 100 %.",
            step=4,
            highlight="strip",
        ),
        Beat(
            text="Put 1969 on the list: 0 and 9 are legal, and the mask keeps 99.8 %.",
            scene="with-1969",
            step=4,
            highlight="z",
        ),
    ),
    claims=(
        Claim(
            text="The blank, 1 and 9 are forced, and the model gives them 98.9, 81 and 98 %.",
            checks=(
                Check(fact="forced", step=0, value=True),
                Check(fact="taken-p", step=0, relation="near", value=0.989, within=0.003),
                Check(fact="forced", step=1, value=True),
                Check(fact="taken-p", step=1, relation="near", value=0.815, within=0.01),
                Check(fact="forced", step=2, value=True),
                Check(fact="taken-p", step=2, relation="near", value=0.978, within=0.005),
            ),
        ),
        Claim(
            text="The third digit is not forced; the model gives 99 % to 6.",
            checks=(
                Check(fact="forced", step=3, value=False),
                Check(fact="taken", step=3, value="6"),
                Check(fact="taken-p", step=3, relation="near", value=0.991, within=0.003),
            ),
        ),
        Claim(
            text="0 is forced and has 1 in 22,000; the model wanted 9, 99.8 %.",
            checks=(
                Check(fact="forced", step=4, value=True),
                Check(fact="taken", step=4, value="0"),
                Check(fact="taken-p", step=4, relation="near", value=4.5e-5, within=1.5e-6),
                Check(fact="after-mask", step=4, of="0", value=1.0),
                Check(fact="argmax", step=4, value="9"),
                Check(fact="argmax-p", step=4, relation="near", value=0.998, within=0.001),
            ),
        ),
        Claim(
            text="With 1969 on the list the last digit is free, and Z there is 99.8 %.",
            checks=(
                Check(fact="forced", scene="with-1969", step=4, value=False),
                Check(fact="allowed", scene="with-1969", step=4, value=2),
                Check(
                    fact="z",
                    scene="with-1969",
                    step=4,
                    relation="near",
                    value=0.998,
                    within=0.001,
                ),
            ),
        ),
    ),
    exercises=(
        Exercise(
            question="The end after 1960 is forced too. Does the model agree with it?",
            answer="No: raw text hardly ever stops there. The end has 1 in 170,000; a full stop was wanted, 55 %.",
        ),
        Exercise(
            question="A log shows the probability of each token after the mask. Can it find the wrong year?",
            answer="No: it shows 100 % at the wrong digit. Log the model's own p, or Z_t.",
        ),
    ),
    notes="M cycles model, mask and exact: after the mask the run looks certain, in the model's colours it does "
    "not. Digits are single tokens in this vocabulary, which makes forced runs easy to see.",
    next="whitespace",
)
