"""Rejection keeps the model's own law at 1 / Z draws for one answer: cheap or out of reach."""

import json

from playground.lessons.lesson import Beat, Check, Claim, Exercise, Lesson, Prediction, scene

OPEN, CLOSE = '{"word": "', '"}'
WORDS = {"sk": 0.60, "cloud": 0.25, "other": 0.15}
ENDS = {"y": 0.98, "ill": 0.002, "ip": 0.018}
SKY_JSON = {
    "name": "sky-json",
    "title": "The word most like sky, in JSON",
    "note": "The sky toy, which begins with JSON once in 2,512 runs; what it writes in it is as before.",
    "tokens": (OPEN, *WORDS, *ENDS, CLOSE),
    "rules": (
        {"prefix": (), "p": {OPEN: 1, "sk": 1500, "cloud": 650, "other": 361}},
        {"prefix": (OPEN,), "p": WORDS},
        {"last": "sk", "p": ENDS},
        *({"prefix": (OPEN, word), "p": {CLOSE: 1}} for word in ("cloud", "other")),
        *({"prefix": (OPEN, "sk", end), "p": {CLOSE: 1}} for end in ENDS),
        {"p": {"<eos>": 1}},
    ),
}
SCHEMA = {
    "type": "object",
    "properties": {"word": {"enum": ["skill", "cloud"]}},
    "required": ["word"],
    "additionalProperties": False,
}
METHODS = ("unconstrained", "masked", "rejection")
CLOUD, SKILL = ('{"word": "cloud"}', '{"word": "skill"}')

LESSON = Lesson(
    slug="rejection",
    title="Rejection: draw, and keep what is valid",
    question="What does it cost to draw freely and keep what is valid?",
    minutes=8,
    order=7,
    scenes={
        "loose": scene(
            "toy:sky",
            "choices",
            "skill\ncloud",
            path=("cloud",),
            draws=1,
            law=True,
            methods=METHODS,
        ),
        "strict": scene(
            "toy:sky",
            "schema",
            json.dumps(SCHEMA, indent=2),
            toy=SKY_JSON,
            path=(OPEN, "cloud", CLOSE),
            draws=1,
            law=True,
            methods=METHODS,
            n=2_000,
        ),
    },
    beats=(
        Beat(
            text="Draw without a mask. Keep what is valid, throw the rest away: that is rejection. Here cloud is "
            "kept.",
            step=0,
            highlight="rows",
        ),
        Beat(
            text="44 of 200 are kept. The price is 1 / Z: four draws for one answer, on average.",
            view="compare",
            highlight="cost",
            predict=Prediction(
                question="The model is valid once in four. Of 200 free draws, how many does rejection keep?",
                options=("All 200", "About 50", "About 10"),
                answer=1,
            ),
        ),
        Beat(
            text="What it keeps has the model's own law: cloud, nearly always. Masking says skill seven times in ten.",
            view="compare",
            highlight="outcomes",
        ),
        Beat(
            text="Now the answer must be JSON. This model begins so once in 2,512 runs.",
            scene="strict",
            step=0,
            highlight="rows",
        ),
        Beat(
            text="One, by luck. The price is still 1 / Z: 10,000 draws for one answer, on average.",
            view="compare",
            highlight="cost",
            predict=Prediction(
                question="It is valid once in 10,000 now. Of 2,000 free draws, how many does rejection keep?",
                options=("About 500", "About 20", "None, or one"),
                answer=2,
            ),
        ),
        Beat(
            text="Masking pays 11 bits at its first token and is valid in 2,000 of 2,000 draws.",
            step=0,
            highlight="strip",
        ),
        Beat(
            text="But its law is as wrong as before: the price of {, the same for both answers, mends nothing.",
            view="squeezing",
            highlight="leaves",
        ),
    ),
    claims=(
        Claim(
            text="At first one free sample in four is valid: Z is 0.2512. Of 200 draws with seed 0, 44 are kept.",
            checks=(
                Check(fact="Z", value=0.2512),
                Check(fact="drawn", of="rejection", value=200),
                Check(fact="accepted", of="rejection", value=44),
            ),
        ),
        Claim(
            text="Masking says skill 70.6 % of the time; the law of rejection says it 0.48 %.",
            checks=(
                Check(fact="masked-of", of="skill", value=0.6 / 0.85),
                Check(fact="exact-of", of="skill", value=0.0012 / 0.2512),
            ),
        ),
        Claim(
            text="With JSON asked for, one free sample in 10,000 is valid.",
            checks=(
                Check(fact="Z", scene="strict", value=1e-4),
                Check(fact="p", scene="strict", step=0, of=OPEN, value=1 / 2512),
            ),
        ),
        Claim(
            text="Of 2,000 draws with seed 0 rejection keeps one, masking all.",
            checks=(
                Check(fact="accepted", scene="strict", of="rejection", value=1),
                Check(fact="drawn", scene="strict", of="rejection", value=2000),
                Check(fact="accepted", scene="strict", of="masked", value=2000),
            ),
        ),
        Claim(
            text="The first token costs the mask 11.3 bits; its share of skill and the TV stay as they were.",
            checks=(
                Check(
                    fact="bits", scene="strict", step=0, relation="near", value=11.3, within=0.05
                ),
                Check(fact="masked-of", scene="strict", of=SKILL, value=0.6 / 0.85),
                Check(fact="exact-of", scene="strict", of=CLOUD, value=0.25 / 0.2512),
                Check(fact="tv", scene="strict", value=0.6 / 0.85 - 0.0012 / 0.2512),
                Check(fact="tv", value=0.6 / 0.85 - 0.0012 / 0.2512),
            ),
        ),
    ),
    exercises=(
        Exercise(
            question="You draw N samples side by side and take the first valid one. How likely is it that there is "
            "none, for Z = 0.9 and N = 3, and for Z = 0.05 and N = 20?",
            answer="(1 - Z) to the power N. 0.1 x 0.1 x 0.1 = 0.1 %; 0.95 to the power 20 = 36 %.",
        ),
        Exercise(
            question="How many draws give at least one valid answer with 99 % for Z = 0.2512, and for Z = 0.0001?",
            answer="ln 0.01 / ln(1 - Z): 16 draws, and 46,050.",
        ),
        Exercise(
            question="The Study screen measures it: on 500 of your prompts 430 free samples were valid. Would you "
            "mask?",
            answer="Z is about 0.86. Three draws miss with (0.14)^3 = 0.3 % and keep the model's law, so try them "
            "first. Check with the whole schema, not the syntax alone: rejection is as right as its test.",
        ),
    ),
    notes="Say what is right about rejection: its test looks at nothing but validity, so what it keeps is drawn from "
    "p_V exactly. Draws can run side by side, which buys time, not work. Common belief: none kept means that the "
    "method is broken. It means that Z is small: 0 of 2,000 would show that Z is below 0.2 %, at 95 % confidence. "
    "About 8 minutes. A middle way that keeps the law (CARS) is on the Compare screen.",
    next="receipt",
)
