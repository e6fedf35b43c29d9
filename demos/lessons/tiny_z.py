"""Every step throws nearly all away and nothing is squeezed; and the other way round."""

from playground.lessons.lesson import Beat, Check, Claim, Exercise, Lesson, Prediction, scene

CHATTY = {
    "name": "chatty",
    "title": "Yes or no, from a chatty model",
    "note": "It would rather start with Well, and rather go on than stop: both with 99.4 %.",
    "tokens": ("Well, ", "yes", "no", ", because "),
    "rules": (
        {"prefix": (), "p": {"Well, ": 994, "yes": 4, "no": 2}},
        {"last": "yes", "p": {", because ": 994, "<eos>": 6}},
        {"last": "no", "p": {", because ": 994, "<eos>": 6}},
        {"p": {"<eos>": 1}},
    ),
}
END = len(CHATTY["tokens"])
"""The id of the token that ends a run."""
ANSWERS = ("toy:sky", "choices", "yes\nno")
FIVE = ("toy:binary-len-5-0", "regex", "00000|1[01]{4}")

LESSON = Lesson(
    slug="tiny-z",
    title="Tiny Z on toys",
    question="Each step erases 99 % of the mass. Is the result distorted?",
    minutes=7,
    order=18,
    scenes={
        "yes": scene(*ANSWERS, toy=CHATTY, path=("yes", END), law=True),
        "no": scene(*ANSWERS, toy=CHATTY, path=("no", END)),
        "zeros": scene(*FIVE, path=("0",) * 5, draws=1, law=True),
    },
    beats=(
        Beat(
            text="A chatty model starts with Well, 99.4 %. Only yes and no are valid: Z is 0.006.",
            step=0,
            highlight="rows",
        ),
        Beat(
            text="It would not stop after yes either: 99.4 % for a reason. Z is 0.006 again.",
            step=1,
            highlight="rows",
        ),
        Beat(
            text="Not at all. yes has two thirds under both laws: the TV is 0.",
            view="squeezing",
            highlight="leaves",
            predict=Prediction(
                question="Two steps, 99.4 % erased at each. How far is masking from the exact law (TV)?",
                options=("About 0.99", "About 0.5", "0: they are the same"),
                answer=2,
            ),
        ),
        Beat(
            text="no pays 0.006 and 0.006 as well. A price that is the same for all cancels out.",
            scene="no",
            step=1,
            highlight="strip",
        ),
        Beat(
            text="Now five fair bits; valid are 00000 and what begins with 1. No Z is below one half.",
            scene="zeros",
            step=1,
            highlight="z",
        ),
        Beat(
            text="0.44. 00000 pays a half four times, its sixteen rivals nothing. The mask gives it half of all.",
            view="squeezing",
            highlight="leaves",
            predict=Prediction(
                question="No step here erases more than half. How far is masking from the exact law (TV)?",
                options=("0: no Z is small", "0.06", "0.44"),
                answer=2,
            ),
        ),
        Beat(
            text="So a small Z is a cost, nothing more. Squeezed is said of an output: s(y), never of a step.",
            view="squeezing",
            highlight="flow",
        ),
    ),
    claims=(
        Claim(
            text="For the chatty model every Z on every path is 0.006.",
            checks=(
                Check(fact="texts", value=2),
                Check(fact="largest-z", relation="<", value=0.01),
                Check(fact="largest-z", value=0.006),
                Check(fact="least-z", value=0.006),
                Check(fact="largest-z", scene="no", value=0.006),
                Check(fact="least-z", scene="no", value=0.006),
            ),
        ),
        Claim(
            text="An unconstrained sample is valid 36 times in a million: Z is 0.006 x 0.006.",
            checks=(Check(fact="Z", relation="near", value=3.6e-5, within=1e-14),),
        ),
        Claim(
            text="Masking is the exact law all the same: TV 0, and yes has two thirds under both.",
            checks=(
                Check(fact="tv", value=0),
                Check(fact="masked-of", of="yes", value=2 / 3),
                Check(fact="exact-of", of="yes", value=2 / 3),
                Check(fact="squeeze-of", of="yes", value=1),
                Check(fact="squeeze-of", of="no", value=1),
            ),
        ),
        Claim(
            text="With five bits no Z is below one half, and the TV is 0.44.",
            checks=(
                Check(fact="least-z", scene="zeros", value=0.5),
                Check(fact="product-of-z", scene="zeros", value=1 / 16),
                Check(fact="tv", scene="zeros", value=1 / 2 - 1 / 17),
            ),
        ),
        Claim(
            text="00000 has a half under the mask and 1/17 by itself: squeezed 8.5 times.",
            checks=(
                Check(fact="masked-of", scene="zeros", of="00000", value=0.5),
                Check(fact="exact-of", scene="zeros", of="00000", value=1 / 17),
                Check(fact="squeeze-of", scene="zeros", of="00000", value=8.5),
                Check(fact="masked-of", scene="zeros", of="11111", value=1 / 32),
            ),
        ),
    ),
    exercises=(
        Exercise(
            question="Let the model stop after no with 60 % instead of 0.6 %. What are the two laws now?",
            answer="Masking still says yes two times in three. The exact law: yes 4 x 0.006 = 0.024 to no 2 x 0.6 = "
            "1.2, so no has 98 %. One Z became larger, and the squeezing began.",
        ),
        Exercise(
            question="A JSON answer must begin with {, which the model gives 1 in 10,000. Is the answer squeezed by "
            "it?",
            answer="Not by that step: every valid answer begins with {, so all pay the same. Look at where they part.",
        ),
    ),
    notes="Two ideas are easily taken for one: how much is erased (Z, bits, a cost) and how unevenly (s, the "
    "squeeze). Common belief: a red flag at one token means a wrong answer. Small Z still tells you something: the "
    "model did not want this format, and rejection would be dear. The same is shown on a real model in the next "
    "lesson. 7 minutes.",
    next="tiny-z-real",
)
